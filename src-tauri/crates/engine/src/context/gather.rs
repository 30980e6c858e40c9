//! The two passes: memories are looked up for every message at once; the rows it is about are loaded once its route is
//! known. All sources run in parallel, each with a deadline.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::event::ContextSection;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{Filter, RowFlag, Time, Window};
use adjutant_domain::focus::Focus;
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::Records;
use adjutant_domain::record::{Kind, Memory, Occurrence, Task};
use adjutant_domain::route::{Domain, Route};
use futures::future::OptionFuture;
use jiff::{ToSpan, Zoned};

use super::source;
use adjutant_domain::model::tokens::estimate;

/// Maximum number of memories to consider for a message; score and budget select among them.
const MEMORIES_MAX: usize = 40;
/// Maximum number of rows to consider per kind.
const ROWS_MAX: usize = 60;
/// Days of the calendar to load, including today.
const AGENDA_DAYS: i64 = 7;

/// Which rows to load for a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pull {
    /// The next days of the calendar.
    pub agenda: bool,
    /// Open tasks.
    pub tasks: bool,
}

impl Pull {
    /// All rows, for an ambiguous message.
    pub const ALL: Self = Self {
        agenda: true,
        tasks: true,
    };

    /// Returns the rows that a route needs, or all rows if the route is not `sure`.
    #[must_use]
    pub fn of(route: &Route, sure: bool) -> Self {
        if !sure {
            return Self::ALL;
        }
        Self {
            agenda: route.domains.contains(&Domain::Calendar),
            tasks: route.domains.contains(&Domain::Task),
        }
    }
}

/// The data found, with the time and problems of each source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// Memories, best match first.
    pub memories: Vec<Memory>,
    /// Events of the next days, earliest first; empty if not loaded.
    pub agenda: Vec<Occurrence>,
    /// Open tasks, most pressing first; empty if not loaded.
    pub tasks: Vec<Task>,
    /// Which rows, among these and those the conversation mentioned, hold foreign text.
    pub foreign: Foreign,
    /// One entry per source: name, milliseconds, problem.
    pub sources: Vec<ContextSection>,
}

/// Which rows hold foreign text.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Foreign {
    /// Unknown because the lookup failed: any row may.
    #[default]
    Unknown,
    /// Exactly these rows.
    Rows(BTreeSet<RecordId>),
}

impl Foreign {
    /// Whether a row may hold foreign text.
    #[must_use]
    pub fn holds(&self, id: &RecordId) -> bool {
        match self {
            Self::Unknown => true,
            Self::Rows(ids) => ids.contains(id),
        }
    }
}

/// Looks up which rows of each kind hold foreign text.
async fn foreign(
    records: &dyn Records,
    rows: BTreeMap<Kind, Vec<RecordId>>,
    deadline: Duration,
) -> Foreign {
    let work = async {
        let mut foreign = BTreeSet::new();
        for (kind, ids) in &rows {
            foreign.extend(records.foreign(*kind, ids).await?);
        }
        Ok::<_, StoreFault>(foreign)
    };
    match tokio::time::timeout(deadline, work).await {
        Ok(Ok(ids)) => Foreign::Rows(ids),
        Ok(Err(fault)) => {
            tracing::warn!(%fault, "who wrote some rows could not be looked up; their text is withheld");
            Foreign::Unknown
        }
        Err(_) => Foreign::Unknown,
    }
}

/// Queries the needed sources in parallel. A source that fails or is too slow yields nothing and a note.
pub async fn gather(
    records: Arc<dyn Records>,
    text: String,
    pull: Pull,
    (now, focus): (Zoned, &Focus),
    deadline: Duration,
) -> Gathered {
    let memories = Filter::used_memories()
        .best(&text)
        .at_most(Some(MEMORIES_MAX));
    let agenda = Filter::all()
        .within(Time::Happens, days_ahead(&now))
        .at_most(Some(ROWS_MAX));
    let tasks = Filter::all()
        .is(RowFlag::Done, Some(false))
        .at_most(Some(ROWS_MAX));
    let (memories, agenda, tasks) = futures::join!(
        source("memories", deadline, records.memories(&memories), |found| {
            count(found.iter().map(|one| one.value.as_str()))
        }),
        OptionFuture::from(pull.agenda.then(|| source(
            "agenda",
            deadline,
            records.occurrences(&agenda),
            |found| count(found.iter().map(|one| one.event.summary.as_str()))
        ))),
        OptionFuture::from(pull.tasks.then(|| source(
            "tasks",
            deadline,
            records.tasks(&tasks),
            |found| count(found.iter().map(|one| one.title.as_str()))
        ))),
    );
    let mut gathered = Gathered::default();
    gathered.sources.push(memories.0);
    gathered.memories = memories.1.unwrap_or_default();
    if let Some((section, found)) = agenda {
        gathered.sources.push(section);
        gathered.agenda = found.unwrap_or_default();
    }
    if let Some((section, found)) = tasks {
        gathered.sources.push(section);
        gathered.tasks = found.unwrap_or_default();
    }
    let mut rows: BTreeMap<Kind, Vec<RecordId>> = BTreeMap::new();
    for item in focus.shown.iter().flat_map(|group| &group.items) {
        rows.entry(item.kind).or_default().push(item.id.clone());
    }
    let events = gathered.agenda.iter().map(|one| one.event.id.clone());
    rows.entry(Kind::Event).or_default().extend(events);
    let tasks = gathered.tasks.iter().map(|one| one.id.clone());
    rows.entry(Kind::Task).or_default().extend(tasks);
    let memories = gathered.memories.iter().map(|one| one.id.clone());
    rows.entry(Kind::Memory).or_default().extend(memories);
    gathered.foreign = foreign(&*records, rows, deadline).await;
    gathered
}

fn days_ahead(now: &Zoned) -> Window {
    let start = now.start_of_day().ok();
    let end = start
        .as_ref()
        .and_then(|start| start.checked_add(AGENDA_DAYS.days()).ok());
    Window {
        from: start.map(|at| at.timestamp()),
        to: end.map(|at| at.timestamp()),
    }
}

fn count<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    texts.map(estimate).sum()
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;
