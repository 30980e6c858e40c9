//! Finds notes by a filter.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{self, Field, Match, Test, Time};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Note};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::select::{
    Aim, Except, Ids, Loosened, Narrowing, Pick, StorageFilter, check_range, loosened,
    titles_first, window_words,
};
use crate::words;

/// Which notes are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NoteFilter {
    /// Words that all occur in title or text; titles come first.
    pub text: Option<String>,
    /// Words that all occur in the title.
    pub title: Option<String>,
    /// The whole title.
    pub title_is: Option<String>,
    /// Only with this label.
    pub tag: Option<String>,
    /// Changed from here on.
    pub changed_from: Option<Moment>,
    /// Changed before this.
    pub changed_to: Option<Moment>,
    /// Only these.
    pub ids: Option<Ids>,
    /// Left out: whatever fits any of these filters.
    pub except: Option<Except<NoteFilter>>,
    /// Order.
    pub order: Option<Order>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `note.list` reads it.
    pub ask: Option<NoteQuestion>,
}

/// Orders of notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// Latest change first.
    #[default]
    #[serde(rename = "-updated")]
    UpdatedDown,
    /// Earliest change first.
    #[serde(rename = "updated")]
    Updated,
    /// Newest first.
    #[serde(rename = "-created")]
    CreatedDown,
    /// Oldest first.
    #[serde(rename = "created")]
    Created,
    /// By title.
    #[serde(rename = "title")]
    Title,
}

/// Questions about notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
pub enum NoteQuestion {
    /// Which ones.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
    /// When they were changed.
    When,
    /// What they say.
    Text,
}

#[async_trait]
impl StorageFilter for NoteFilter {
    type Row = Note;
    const KIND: Kind = Kind::Note;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn loosened(&self, _: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        let worded = [&self.text, &self.title, &self.title_is];
        let said = worded.into_iter().flatten();
        let filter = Self {
            text: None,
            title: None,
            title_is: None,
            ..self.clone()
        };
        Ok(loosened(filter, said, self.ids.is_none()))
    }

    async fn searches(&self, aim: Aim, cx: &Cx) -> Result<Vec<filter::Filter>, Stop> {
        let searches = titles_first(self.unworded(cx)?, self.text.as_deref());
        let called = self.title.as_ref().or(self.text.as_ref());
        let Some(called) = called.filter(|_| aim == Aim::Change) else {
            return Ok(searches);
        };
        // If notes are to be changed, those with exactly that title come before others.
        let exact = |search: &filter::Filter| search.clone().and(Test::Called(called.clone()));
        let both = searches.into_iter().flat_map(|any| [exact(&any), any]);
        Ok(both.collect())
    }

    async fn rows(search: &filter::Filter, cx: &Cx) -> Result<Vec<Note>, StoreFault> {
        cx.records.notes(search).await
    }

    fn described(&self, cx: &Cx) -> String {
        let mut said = "notes".to_owned();
        let title = self.title.as_deref().or(self.title_is.as_deref());
        words::add_quoted(&mut said, "called", title);
        words::add_quoted(&mut said, "about", self.text.as_deref());
        words::add_quoted(&mut said, "labelled", self.tag.as_deref());
        let when = window_words(self.changed_from.as_ref(), self.changed_to.as_ref(), cx);
        if !when.is_empty() {
            said.push_str(&format!(" changed{when}"));
        }
        said
    }
}

impl NoteFilter {
    /// Returns the search for all that the filter says but `text`, in the requested order.
    fn unworded(&self, cx: &Cx) -> Result<filter::Filter, Stop> {
        let changed = check_range(self.changed_from.as_ref(), self.changed_to.as_ref(), cx)?;
        Ok(filter::Filter::all()
            .within(Time::Changed, changed)
            .maybe(self.ids.as_ref().map(Ids::test))
            .maybe(self.title_is.clone().map(Test::Called))
            .words_in(Field::Title, Match::Loose, self.title.as_deref())
            .maybe(self.tag.clone().map(Test::Label))
            .ordered(match self.order.unwrap_or_default() {
                Order::UpdatedDown => filter::Order::Natural,
                Order::Updated => filter::Order::ChangedFirst,
                Order::CreatedDown => filter::Order::Newest,
                Order::Created => filter::Order::Oldest,
                Order::Title => filter::Order::Title,
            }))
    }
}
