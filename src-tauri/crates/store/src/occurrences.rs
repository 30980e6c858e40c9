//! What is in the calendar between two instants.

use adjutant_domain::ports::{EventFilter, Sort};
use adjutant_domain::record::{Event, Occurrence};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use crate::candidates::Condition;
use crate::cells::{micros, timestamp};
use crate::fault::Result;
use crate::recurrence::{Dates, instances};
use crate::tables::events;

/// Occurrences of one question; the rest is left out with a warning.
pub const OCCURRENCES_MAX: usize = 20_000;
/// How far a series is followed into a range that is open on one side, in days.
pub const OPEN_RANGE_DAYS: i64 = 400;

/// No zone is further from UTC than this: days are indexed as if they began in UTC.
const ZONE_SLACK: SignedDuration = SignedDuration::from_hours(15);

/// Occurrences that touch the window, by start. Series are followed as far as [`OPEN_RANGE_DAYS`] where the window is
/// open on one side, and give their first instance only when it is open on both.
pub(crate) fn list(
    connection: &Connection,
    filter: &EventFilter,
    zone: &TimeZone,
) -> Result<Vec<Occurrence>> {
    let limit = filter.limit.unwrap_or(usize::MAX);
    let mut found: Vec<Occurrence> = singles(connection, filter, false)?
        .into_iter()
        .map(|event| Occurrence {
            start: event.start.clone(),
            end: event.end.clone(),
            instance_of: event.recurrence_id.clone(),
            event,
        })
        .collect();
    for master in masters(connection, filter, false)? {
        expand(connection, filter, zone, &master, &mut found)?;
        if found.len() > OCCURRENCES_MAX {
            tracing::warn!("only the first {OCCURRENCES_MAX} occurrences of a range are shown");
            break;
        }
    }
    sort(&mut found, filter.sort, zone);
    found.truncate(limit.min(OCCURRENCES_MAX));
    Ok(found)
}

/// Event rows that touch the window, by their own start: a series when one of its instances does.
pub(crate) fn rows(
    connection: &Connection,
    filter: &EventFilter,
    zone: &TimeZone,
) -> Result<Vec<Event>> {
    if filter.window.from.is_none() && filter.window.to.is_none() {
        let condition = events::condition(filter);
        return events::list(connection, &condition, filter.sort, filter.limit);
    }
    let mut found = singles(connection, filter, true)?;
    for master in masters(connection, filter, true)? {
        let mut shown = Vec::new();
        expand(connection, filter, zone, &master, &mut shown)?;
        if !shown.is_empty() {
            found.push(master);
        }
    }
    found.sort_by_key(|event| event.start.starts(zone));
    if filter.sort == Sort::Descending {
        found.reverse();
    }
    found.truncate(filter.limit.unwrap_or(usize::MAX));
    Ok(found)
}

fn sort(found: &mut [Occurrence], order: Sort, zone: &TimeZone) {
    // Whole days before what begins at midnight, as calendars show them.
    found.sort_by_cached_key(|one| {
        (
            one.start.starts(zone),
            !one.start.is_day(),
            one.event.id.clone(),
        )
    });
    if order == Sort::Descending {
        found.reverse();
    }
}

/// Rows that happen once, changed instances among them.
fn singles(
    connection: &Connection,
    filter: &EventFilter,
    cancelled_too: bool,
) -> Result<Vec<Event>> {
    let mut condition = events::condition(filter);
    condition.fixed("r.recurring = 0");
    if !cancelled_too {
        condition.fixed("r.cancelled = 0");
    }
    if let Some(to) = filter.window.to {
        condition.scalar("r.start_at < ?", micros(later(to)));
        condition.scalar("moment_at(r.start_at, r.start_day) < ?", micros(to));
    }
    if let Some(from) = filter.window.from {
        condition.scalar("max(r.end_at, r.start_at) >= ?", micros(earlier(from)));
        condition.scalar(
            "max(moment_at(r.end_at, r.start_day) - 1, moment_at(r.start_at, r.start_day)) >= ?",
            micros(from),
        );
    }
    events::list(connection, &condition, filter.sort, filter.limit)
}

/// Series that may have an instance inside.
fn masters(
    connection: &Connection,
    filter: &EventFilter,
    cancelled_too: bool,
) -> Result<Vec<Event>> {
    let mut condition: Condition = events::condition(filter);
    condition.fixed("r.recurring = 1");
    if !cancelled_too {
        condition.fixed("r.cancelled = 0");
    }
    if let Some(to) = filter.window.to {
        condition.scalar("r.start_at < ?", micros(later(to)));
    }
    if let Some(from) = filter.window.from {
        condition.scalar(
            "(r.last_at IS NULL OR r.last_at >= ?)",
            micros(earlier(from)),
        );
    }
    events::list(connection, &condition, Sort::Ascending, None)
}

fn expand(
    connection: &Connection,
    filter: &EventFilter,
    zone: &TimeZone,
    master: &Event,
    found: &mut Vec<Occurrence>,
) -> Result<()> {
    let (from, to) = match (filter.window.from, filter.window.to) {
        (None, None) => {
            found.push(Occurrence {
                event: master.clone(),
                start: master.start.clone(),
                end: master.end.clone(),
                instance_of: Some(master.start.clone()),
            });
            return Ok(());
        }
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) => (from, horizon(from.max(master.start.starts(zone)), 1)),
        (None, Some(to)) => {
            let last = crate::recurrence::last_end(master).map_or(to, |last| last.min(to));
            (horizon(last, -1), to)
        }
    };
    let changed = events::exceptions(connection, &master.uid)?;
    let changed = Dates::of(
        changed
            .iter()
            .filter_map(|event| event.recurrence_id.as_ref()),
    );
    let shown = instances(master, from, to, zone)
        .into_iter()
        .filter(|instance| !changed.contain(&instance.start));
    found.extend(shown.map(|instance| Occurrence {
        event: master.clone(),
        instance_of: Some(instance.start.clone()),
        start: instance.start,
        end: instance.end,
    }));
    Ok(())
}

fn horizon(at: Timestamp, direction: i64) -> Timestamp {
    let days = SignedDuration::from_hours(24 * OPEN_RANGE_DAYS * direction);
    at.saturating_add(days).unwrap_or(at)
}

fn later(at: Timestamp) -> Timestamp {
    at.saturating_add(ZONE_SLACK)
        .unwrap_or_else(|_| timestamp(i64::MAX))
}

fn earlier(at: Timestamp) -> Timestamp {
    at.saturating_sub(ZONE_SLACK)
        .unwrap_or_else(|_| timestamp(i64::MIN))
}
