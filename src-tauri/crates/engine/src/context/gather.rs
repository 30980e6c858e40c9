//! The two passes: memories are looked up for every message at once; as soon as it is known where the message belongs,
//! the rows it is about are pulled. All sources run side by side, each up to its deadline.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::event::ContextSection;
use adjutant_domain::ports::{EventFilter, MemoryFilter, Records, TaskFilter, Window};
use adjutant_domain::record::{Memory, Occurrence, Task, TaskStatus};
use adjutant_domain::route::{Domain, Route};
use futures::future::OptionFuture;
use jiff::{ToSpan, Zoned};

use super::source;
use adjutant_domain::model::tokens::estimate;

/// Memories that are looked at for a message; scoring and budget choose among them.
const MEMORIES_MAX: usize = 40;
/// Rows of a kind that are looked at.
const ROWS_MAX: usize = 60;
/// Days of the calendar that are pulled, today included.
const AGENDA_DAYS: i64 = 7;

/// Which rows a message is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pull {
    /// The next days of the calendar.
    pub agenda: bool,
    /// Open tasks.
    pub tasks: bool,
}

impl Pull {
    /// Everything: the message is ambiguous.
    pub const ALL: Self = Self {
        agenda: true,
        tasks: true,
    };

    /// What a route needs. `sure`: whether the route is trusted; if not, everything is pulled.
    #[must_use]
    pub fn of(route: &Route, sure: bool) -> Self {
        if !sure {
            return Self::ALL;
        }
        Self {
            agenda: route.domains.contains(&Domain::Calendar),
            // A day is planned around what is due.
            tasks: route.domains.contains(&Domain::Task),
        }
    }
}

/// What was found, with the time each source took and what went wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// Memories, best fit first.
    pub memories: Vec<Memory>,
    /// Events of the next days, earliest first; none when not pulled.
    pub agenda: Vec<Occurrence>,
    /// Open tasks, the most pressing first; none when not pulled.
    pub tasks: Vec<Task>,
    /// How each source went: name, milliseconds, problem.
    pub sources: Vec<ContextSection>,
}

/// Asks every source that is needed, side by side. A source that fails or is too slow gives nothing and a note.
pub async fn gather(
    records: Arc<dyn Records>,
    text: String,
    pull: Pull,
    now: Zoned,
    deadline: Duration,
) -> Gathered {
    let memories = MemoryFilter {
        text: Some(text),
        limit: Some(MEMORIES_MAX),
        ..MemoryFilter::default()
    };
    let agenda = EventFilter {
        window: days_ahead(&now),
        limit: Some(ROWS_MAX),
        ..EventFilter::default()
    };
    let tasks = TaskFilter {
        status: Some(TaskStatus::Open),
        limit: Some(ROWS_MAX),
        ..TaskFilter::default()
    };
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
