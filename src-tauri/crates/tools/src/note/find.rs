//! Finds notes by a filter.

use adjutant_domain::filter::{self, Field, Match, Test, Time};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Note};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::failed;
use crate::select::{
    Except, Filter, Ids, MatchingRows, Pick, check_range, counted, except_words, window_words,
    without,
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
impl Filter for NoteFilter {
    type Row = Note;

    fn pick(&self) -> Option<Pick> {
        self.pick
    }

    fn limit(&self) -> Option<usize> {
        self.limit
    }

    async fn find(
        &self,
        acting: bool,
        need: Option<usize>,
        cx: &Cx,
    ) -> Result<MatchingRows<Note>, Stop> {
        let need = need.filter(|_| self.except.is_none());
        let stored = self.stored(cx)?.at_most(need);
        let found = self.worded(stored, acting, cx).await?;
        if self.except.is_none() {
            return Ok(found);
        }
        Ok(without(found.rows, self.except.as_ref(), cx)
            .await?
            .rows
            .into())
    }

    async fn among(&self, rows: &[Note], cx: &Cx) -> Result<Vec<Note>, Stop> {
        let ids = rows.iter().map(|note| note.id.clone()).collect();
        let stored = self.stored(cx)?.and(Test::Ids(ids));
        Ok(self.worded(stored, false, cx).await?.rows)
    }

    fn sought(&self, cx: &Cx) -> String {
        let mut said = "notes".to_owned();
        if let Some(title) = self.title.as_deref().or(self.title_is.as_deref()) {
            said.push_str(&format!(" called {}", words::quoted(title)));
        }
        if let Some(text) = &self.text {
            said.push_str(&format!(" about {}", words::quoted(text)));
        }
        if let Some(tag) = &self.tag {
            said.push_str(&format!(" labelled {}", words::quoted(tag)));
        }
        let when = window_words(self.changed_from.as_ref(), self.changed_to.as_ref(), cx);
        if !when.is_empty() {
            said.push_str(&format!(" changed{when}"));
        }
        said + &except_words(self.except.as_ref(), cx)
    }
}

impl NoteFilter {
    /// Returns the part of the filter that storage can apply, in the requested order.
    fn stored(&self, cx: &Cx) -> Result<filter::Filter, Stop> {
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

    /// Returns the notes that contain the words: in their titles, or if no title does, anywhere. If the notes are to be
    /// changed, those with exactly that title come before others.
    async fn worded(
        &self,
        stored: filter::Filter,
        acting: bool,
        cx: &Cx,
    ) -> Result<MatchingRows<Note>, Stop> {
        let fields = match self.text {
            None => vec![stored],
            Some(_) => [Field::Title, Field::Anywhere]
                .map(|field| {
                    stored
                        .clone()
                        .words_in(field, Match::Loose, self.text.as_deref())
                })
                .into(),
        };
        let called = self.title.as_ref().or(self.text.as_ref());
        for filter in fields {
            let exact = called.filter(|_| acting).cloned().map(Test::Called);
            let exact = exact.map(|called| filter.clone().and(called));
            for filter in exact.into_iter().chain([filter]) {
                let rows = cx.records.notes(&filter).await.map_err(failed)?;
                if !rows.is_empty() {
                    return counted(Kind::Note, &filter, rows, cx).await;
                }
            }
        }
        Ok(Vec::new().into())
    }
}
