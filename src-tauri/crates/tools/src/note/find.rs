//! Which notes.

use std::cmp::Reverse;

use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::{Cx, NoteFilter as StoreFilter};
use adjutant_domain::record::Note;
use adjutant_text::{all_words, fold_line, same};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::failed;
use crate::select::{
    Except, Filter, Ids, Pick, check_range, except_words, prefer, window_words, without,
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
// The name is part of the schema, and its hash of every approval that waits.
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

    async fn find(&self, acting: bool, cx: &Cx) -> Result<Vec<Note>, Stop> {
        let rows = cx
            .records
            .notes(&StoreFilter::default())
            .await
            .map_err(failed)?;
        let mut rows = self.among(&rows, cx).await?;
        if acting && let Some(wanted) = self.title.as_deref().or(self.text.as_deref()) {
            rows = prefer(rows, |note| same(wanted, &note.title));
        }
        Ok(without(rows, self.except.as_ref(), cx).await?.rows)
    }

    async fn among(&self, rows: &[Note], cx: &Cx) -> Result<Vec<Note>, Stop> {
        let window = check_range(self.changed_from.as_ref(), self.changed_to.as_ref(), cx)?;
        let fits = |note: &Note| {
            self.title_is
                .as_deref()
                .is_none_or(|title| same(title, &note.title))
                && self
                    .title
                    .as_deref()
                    .is_none_or(|title| all_words(title, &note.title))
                && self
                    .tag
                    .as_deref()
                    .is_none_or(|tag| note.tags.iter().any(|one| same(one, tag)))
                && window.holds(note.updated)
                && self.ids.as_ref().is_none_or(|ids| ids.contains(&note.id.0))
        };
        let rows = rows.iter().filter(|note| fits(note)).cloned().collect();
        let mut rows = by_text(rows, self.text.as_deref());
        match self.order.unwrap_or_default() {
            Order::UpdatedDown => rows.sort_by_key(|note| Reverse(note.updated)),
            Order::Updated => rows.sort_by_key(|note| note.updated),
            Order::CreatedDown => rows.sort_by_key(|note| Reverse(note.created)),
            Order::Created => rows.sort_by_key(|note| note.created),
            Order::Title => rows.sort_by_key(|note| fold_line(&note.title)),
        }
        Ok(rows)
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

/// Titles that hold the words come before texts that do.
fn by_text(rows: Vec<Note>, wanted: Option<&str>) -> Vec<Note> {
    let Some(wanted) = wanted else {
        return rows;
    };
    let somewhere = rows
        .into_iter()
        .filter(|note| {
            let tags = note.tags.join(" ");
            all_words(wanted, &format!("{} {tags} {}", note.title, note.body))
        })
        .collect();
    prefer(somewhere, |note| all_words(wanted, &note.title))
}
