//! Finds memories by a filter.

use std::cmp::Reverse;

use adjutant_domain::filter::{self, Field, Match, RowFlag};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Memory};
use adjutant_text::{all_words, fold_line, same};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::failed;
use crate::select::{
    Except, Filter, Found, Ids, Loosened, Narrowing, Pick, counted, loosened, prefer, without,
};
use crate::words;

/// Which memories are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MemoryFilter {
    /// Words to rank by; not all have to occur.
    pub text: Option<String>,
    /// Exactly this key.
    pub key: Option<String>,
    /// Only of this category.
    pub category: Option<String>,
    /// What no longer holds too.
    pub past: Option<bool>,
    /// Only these.
    pub ids: Option<Ids>,
    /// Left out: whatever fits any of these filters.
    pub except: Option<Except<MemoryFilter>>,
    /// Order.
    pub order: Option<Order>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `memory.search` reads it.
    pub ask: Option<MemoryQuestion>,
}

/// Orders of memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// Best match first; latest first without words.
    #[default]
    #[serde(rename = "best")]
    Best,
    /// Latest first.
    #[serde(rename = "-updated")]
    UpdatedDown,
    /// Earliest first.
    #[serde(rename = "updated")]
    Updated,
    /// By key.
    #[serde(rename = "key")]
    Key,
}

/// Questions about memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
pub enum MemoryQuestion {
    /// What is known, best first.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether anything is known.
    Any,
    /// The best one's value.
    Value,
}

#[async_trait]
impl Filter for MemoryFilter {
    type Row = Memory;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn find(&self, acting: bool, need: Option<usize>, cx: &Cx) -> Found<Memory> {
        let filter = filter::Filter::all()
            .words_in(Field::Anywhere, Match::Ranked, self.text.as_deref())
            .is(RowFlag::Current, (self.past != Some(true)).then_some(true))
            .is(RowFlag::SetAside, (!acting).then_some(false))
            .maybe(self.ids.as_ref().map(Ids::test))
            .ordered(match self.order.unwrap_or_default() {
                Order::Best | Order::UpdatedDown => filter::Order::Natural,
                Order::Updated => filter::Order::ChangedFirst,
                Order::Key => filter::Order::Title,
            });
        let picked = self.key.is_some() || self.category.is_some() || self.except.is_some();
        let in_order = self.text.is_none() || self.order.unwrap_or_default() == Order::Best;
        if in_order && !picked && !(acting && self.text.is_some()) {
            let filter = filter.at_most(need);
            let rows = cx.records.memories(&filter).await.map_err(failed)?;
            return counted(Kind::Memory, &filter, rows, cx).await;
        }
        let mut rows = cx.records.memories(&filter).await.map_err(failed)?;
        rows.retain(|memory| self.fits(memory));
        if acting && let Some(wanted) = self.text.as_deref() {
            rows = closest(rows, wanted);
        }
        let mut rows = without(rows, self.except.as_ref(), cx).await?.rows;
        self.sort(&mut rows);
        Ok(rows.into())
    }

    async fn among(&self, rows: &[Memory], _: &Cx) -> Result<Vec<Memory>, Stop> {
        let fitting: Vec<Memory> = rows.iter().filter(|row| self.fits(row)).cloned().collect();
        let mut fitting = match self.text.as_deref() {
            Some(wanted) => closest(fitting, wanted),
            None => fitting,
        };
        self.sort(&mut fitting);
        Ok(fitting)
    }

    async fn loosened(&self, _: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        let said = [&self.text, &self.key].into_iter().flatten();
        let filter = Self {
            text: None,
            key: None,
            ..self.clone()
        };
        Ok(loosened(filter, said, self.ids.is_none()))
    }

    fn described(&self, _: &Cx) -> String {
        let mut said = "memories".to_owned();
        let about = self.text.as_deref().or(self.key.as_deref());
        words::add_quoted(&mut said, "about", about);
        words::add_quoted(&mut said, "of the kind", self.category.as_deref());
        said
    }
}

impl MemoryFilter {
    fn fits(&self, memory: &Memory) -> bool {
        self.key.as_deref().is_none_or(|key| same(key, &memory.key))
            && self
                .category
                .as_deref()
                .is_none_or(|category| same(category, &memory.category))
            && self
                .ids
                .as_ref()
                .is_none_or(|ids| ids.contains(&memory.id.0))
    }

    fn sort(&self, rows: &mut [Memory]) {
        match self.order.unwrap_or_default() {
            Order::Best => {}
            Order::UpdatedDown => rows.sort_by_key(|row| Reverse(row.updated)),
            Order::Updated => rows.sort_by_key(|row| row.updated),
            Order::Key => rows.sort_by_key(|row| fold_line(&row.key)),
        }
    }
}

/// Narrows the rows for a change: keeps memories that contain all words, preferring those whose key contains them all,
/// and among these the one whose key equals them.
fn closest(rows: Vec<Memory>, wanted: &str) -> Vec<Memory> {
    let holds = |row: &Memory| {
        let everything = format!("{} {} {}", row.key, row.value, row.category);
        same(&row.key, wanted) || all_words(wanted, &everything)
    };
    let somewhere = rows.into_iter().filter(holds).collect();
    let in_key = prefer(somewhere, |row| all_words(wanted, &row.key));
    prefer(in_key, |row| same(&row.key, wanted))
}
