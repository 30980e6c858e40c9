//! Chooses records that have not been read yet: filters, order, and which of the matches. Planners write down a choice
//! before anything is read; every family of tools interprets it in the same way.

mod closest;
mod except;
mod filter;
mod ids;
mod in_storage;
mod people;
mod pick;
mod span;

#[cfg(test)]
mod closest_contract;
#[cfg(test)]
mod contract;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::ids::RecordId;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::tool::Target;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use closest::{Loosened, Said, loosened};
pub use except::{Except, Remaining, except_words, without};
pub use filter::{Filter, Found, MatchingRows, Narrowing};
pub use ids::Ids;
pub use in_storage::{Aim, StorageFilter, counted, titles_first};
pub use people::{
    Meant, NamedPerson, People, address_in, ask_person, colleagues, contacts_called, is_me,
    is_person, is_trade, known_people, meant,
};
pub use pick::ask_which;
pub use span::{
    DayPart, Times, Weekday, at_time, check_amounts, check_length, check_range, start_of,
    window_words,
};

use crate::effect::failed;
use crate::words;
use pick::{needed, pick};

/// Maximum rows in an answer; the total is always exact.
pub const ROWS_MAX: usize = 500;
/// Maximum things one call may change.
pub const TARGETS_MAX: usize = 500;
/// Maximum choices of a question.
pub const CHOICES_MAX: usize = 6;

/// Which of the things that fit, in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// All of them.
    All,
    /// The first.
    First,
    /// The last.
    Last,
    /// Exactly one is expected; several are asked about.
    One,
    /// All of them, which must be this many: "both invoices". Any other number is a fault.
    Exactly(usize),
    /// By position: 1 is the first, -1 the last, -2 the one before the last.
    Nth(i64),
}

/// A row that can be chosen, shown, referred to and acted upon.
#[async_trait]
pub trait Row: Clone + Send + Sync + Sized + 'static {
    /// Singular noun for one row.
    const NOUN: &'static str;

    /// Returns the id by which calls refer to it.
    fn ref_id(&self) -> String;
    /// Returns what "it" may mean later; `None` if it cannot be referred to.
    fn referent(&self) -> Option<Referent>;
    /// Returns the row as outputs give it.
    fn value(&self, cx: &Cx) -> Value;
    /// Returns one line of a list, in Markdown.
    fn line(&self, cx: &Cx) -> String;
    /// Returns what a card shows of it: its name, and what distinguishes it from others.
    fn item(&self, cx: &Cx) -> Item;
    /// Returns what the row says about itself, to compare it with a description.
    fn said(&self) -> Said;
    /// Loads a row by the id that [`Row::ref_id`] returned; `None` if it is gone.
    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop>;
}

/// A row that a call can act on: one record of storage, with its version.
pub trait AsTarget {
    /// Returns what the gate binds to: kind, id and version.
    fn target(&self) -> Target;
    /// Returns what "it" may mean later: the record, without an instance or people.
    fn referred(&self) -> Referent {
        let Target {
            kind, id, label, ..
        } = self.target();
        Referent {
            kind,
            id,
            instance: None,
            label,
            people: Vec::new(),
        }
    }
}

/// Returns a record; `None` if it is gone.
///
/// # Errors
/// Returns the fault of storage.
pub async fn record(kind: Kind, id: &str, cx: &Cx) -> Result<Option<Record>, Stop> {
    let id = RecordId(id.to_owned());
    cx.records.get(kind, &id).await.map_err(failed)
}

/// The arguments by which an acting tool names its records.
#[derive(Clone, Copy, Debug)]
pub struct Which<'a, F> {
    /// One record, by reference.
    pub id: Option<&'a Ids>,
    /// Several records, by reference.
    pub ids: Option<&'a Ids>,
    /// Records by description.
    pub target: Option<&'a F>,
}

impl<'a, F> Which<'a, F> {
    /// Returns the arguments of a call as one value.
    #[must_use]
    pub fn of(id: &'a Option<Ids>, ids: &'a Option<Ids>, target: &'a Option<F>) -> Self {
        Self {
            id: id.as_ref(),
            ids: ids.as_ref(),
            target: target.as_ref(),
        }
    }
}

/// The result of a choice.
#[derive(Clone, Debug)]
pub struct Chosen<R> {
    /// The rows, in order, at most [`ROWS_MAX`].
    pub rows: Vec<R>,
    /// How many rows match before `limit` is applied.
    pub total: usize,
}

/// Returns the rows that pass, or all rows if none does: an exact name before longer ones, a title before a text.
#[must_use]
pub fn prefer<R>(rows: Vec<R>, passes: impl Fn(&R) -> bool) -> Vec<R> {
    if rows.iter().any(&passes) {
        rows.into_iter().filter(passes).collect()
    } else {
        rows
    }
}

/// Returns the rows that a reading tool shows.
///
/// # Errors
/// Fails like the search of the family; also returns a question if exactly one row was asked for and several match.
pub async fn listed<F: Filter>(filter: &F, cx: &Cx) -> Result<Chosen<F::Row>, Stop> {
    let Narrowing { pick, limit, .. } = filter.narrowing();
    let need = needed(pick.unwrap_or(Pick::All), limit);
    let found = filter.find(false, need, cx).await?;
    chosen(filter, found, cx)
}

/// Like [`listed`], for rows that were already found.
///
/// # Errors
/// Returns a question if exactly one row was asked for and several match.
pub fn chosen<F: Filter>(
    filter: &F,
    found: MatchingRows<F::Row>,
    cx: &Cx,
) -> Result<Chosen<F::Row>, Stop> {
    let Narrowing {
        pick: which, limit, ..
    } = filter.narrowing();
    let which = which.unwrap_or(Pick::All);
    pick(found, which, limit, ROWS_MAX, "/ids", cx)
}

/// Returns the rows that an acting tool changes: at least one, at most [`TARGETS_MAX`].
///
/// # Errors
/// Returns a fault if too much matches, and a question (slot `/id`) if exactly one row was meant and several match. If
/// nothing matches, returns what comes closest to the description (slot `/target`), or else a fault.
pub async fn targets<F: Filter + Serialize>(
    which: Which<'_, F>,
    cx: &Cx,
) -> Result<Vec<F::Row>, Stop> {
    let mut refs: Vec<String> = Vec::new();
    for list in [which.id, which.ids].into_iter().flatten() {
        refs.extend(list.iter().cloned());
    }
    if which.id.is_some() || which.ids.is_some() {
        return by_reference(refs, cx).await;
    }
    let Some(filter) = which.target else {
        return Err(bad(format!("Say which {} you mean.", F::Row::NOUN)));
    };
    let narrowing = filter.narrowing();
    let which = narrowing.pick.unwrap_or(Pick::One);
    let limit = narrowing.limit;
    let found = filter.find(true, needed(which, limit), cx).await?;
    if found.rows.is_empty() {
        let closest = closest::closest(filter, cx).await?;
        return Err(closest.unwrap_or_else(|| nothing_fits(filter, cx)));
    }
    let chosen = pick(found, which, limit, ROWS_MAX, "/id", cx)?;
    if chosen.rows.is_empty() {
        return Err(nothing_fits(filter, cx));
    }
    within_bounds::<F::Row>(
        chosen.rows.len().max(chosen.total.min(TARGETS_MAX + 1)),
        limit,
    )?;
    Ok(chosen.rows)
}

/// Returns exactly one row, by reference or by description.
///
/// # Errors
/// Fails like [`targets`]; also returns a question if there are several.
pub async fn target_one<F: Filter + Serialize>(
    id: Option<&Ids>,
    target: Option<&F>,
    cx: &Cx,
) -> Result<F::Row, Stop> {
    let ids = None;
    let mut rows = targets(Which { id, ids, target }, cx).await?;
    if rows.len() > 1 {
        return Err(ask_which(&rows, rows.len(), "/id", cx));
    }
    rows.pop()
        .ok_or_else(|| bad(format!("Say which {} you mean.", F::Row::NOUN)))
}

async fn by_reference<R: Row>(refs: Vec<String>, cx: &Cx) -> Result<Vec<R>, Stop> {
    within_bounds::<R>(refs.len(), None)?;
    let mut rows: Vec<R> = Vec::with_capacity(refs.len());
    for reference in refs {
        if rows.iter().any(|row| row.ref_id() == reference) {
            continue;
        }
        match R::load(&reference, cx).await? {
            Some(row) => rows.push(row),
            None => {
                return Err(not_found(format!("That {} is no longer there.", R::NOUN)));
            }
        }
    }
    if rows.is_empty() {
        return Err(not_found(format!(
            "No {} was found, so there is nothing to do.",
            R::NOUN
        )));
    }
    Ok(rows)
}

fn within_bounds<R: Row>(count: usize, limit: Option<usize>) -> Result<(), Stop> {
    let count = limit.map_or(count, |limit| count.min(limit));
    if count > TARGETS_MAX {
        return Err(ToolFault::TooMuch {
            what: format!(
                "That is more than {TARGETS_MAX} {} at once.",
                words::nouns(2, R::NOUN)
            ),
            hint: "Narrow it down, for example by date.".into(),
        }
        .into());
    }
    Ok(())
}

fn nothing_fits<F: Filter>(filter: &F, cx: &Cx) -> Stop {
    not_found(format!("There are no {}.", filter.sought(cx)))
}

/// Returns `{count, total, ids, items}` of the rows.
#[must_use]
pub fn output<R: Row>(rows: &[R], total: usize, cx: &Cx) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("count".into(), json!(rows.len()));
    map.insert("total".into(), json!(total));
    map.insert(
        "ids".into(),
        rows.iter().map(|row| json!(row.ref_id())).collect(),
    );
    map.insert(
        "items".into(),
        rows.iter().map(|row| row.value(cx)).collect(),
    );
    map
}

/// Returns an answer about these rows, of `total` that match.
#[must_use]
pub fn answer<R: Row>(rows: &[R], total: usize, say: String, cx: &Cx) -> Answer {
    Answer {
        output: Value::Object(output(rows, total, cx)),
        say,
        referents: referents(rows),
        ..Answer::default()
    }
}

/// Returns what "it" and "the second one" may mean after these rows were shown.
#[must_use]
pub fn referents<R: Row>(rows: &[R]) -> Vec<Referent> {
    rows.iter()
        .take(adjutant_domain::focus::REFERENTS_MAX)
        .filter_map(Row::referent)
        .collect()
}

/// Returns a fault about invalid arguments, in plain words.
#[must_use]
pub fn bad(reason: impl Into<String>) -> Stop {
    ToolFault::BadArguments {
        reason: reason.into(),
    }
    .into()
}

/// Returns a fault that nothing matches, in plain words.
#[must_use]
pub fn not_found(what: impl Into<String>) -> Stop {
    ToolFault::NotFound { what: what.into() }.into()
}
