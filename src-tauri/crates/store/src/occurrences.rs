//! Lists what is in the calendar between two instants.

use adjutant_domain::filter::{Filter, Order, Time};
use adjutant_domain::ports::UnexpandedSeries;
use adjutant_domain::record::{Event, Occurrence};
use adjutant_recurrence::{Unexpanded, Work, instances_of, last_end};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use crate::cells::{micros, timestamp};
use crate::fault::Result;
use crate::filter;
use crate::tables::events;

/// Highest number of occurrences one query returns; the rest is left out with a warning.
pub const OCCURRENCES_MAX: usize = 20_000;
/// How far a series is expanded into a range that is open on one side, in days.
pub const OPEN_RANGE_DAYS: i64 = 400;
/// Highest number of series one query reports as not fully expanded.
const UNEXPANDED_MAX: usize = 100;
/// How far ahead the first look goes, in days.
const NEAR_DAYS: i64 = 14;

/// Upper bound for any zone's distance from UTC, needed because days are indexed as if they began in UTC.
const ZONE_SLACK: SignedDuration = SignedDuration::from_hours(15);

/// Returns the occurrences that touch the window, by start. Series are expanded up to [`OPEN_RANGE_DAYS`] if the
/// window is open on one side; if it is open on both, only their first instance is returned.
pub(crate) fn list(
    connection: &Connection,
    filter: &Filter,
    zone: &TimeZone,
) -> Result<Vec<Occurrence>> {
    let window = filter.window(Time::Happens);
    let limit = filter.limit.unwrap_or(usize::MAX).min(OCCURRENCES_MAX);
    let needed = limit.saturating_add(filter.offset);
    let singles: Vec<Occurrence> = singles(connection, filter, false)?
        .into_iter()
        .map(|event| Occurrence {
            start: event.start.clone(),
            end: event.end.clone(),
            instance_of: event.recurrence_id.clone(),
            event,
        })
        .collect();
    let masters = repeating(connection, filter, false)?;
    // "The next one" is usually near: look there before expanding series for a year.
    let open = window.from.is_some() != window.to.is_some();
    let near = (open && filter.limit.is_some()).then_some(NEAR_DAYS);
    let mut work = Work::default();
    for days in near.into_iter().chain([OPEN_RANGE_DAYS]) {
        let mut found = singles.clone();
        for master in &masters {
            let (shown, _) = expand(connection, filter, zone, days, master, &mut work)?;
            found.extend(shown);
            if found.len() > OCCURRENCES_MAX {
                tracing::warn!("only {OCCURRENCES_MAX} occurrences of a range are shown");
                break;
            }
        }
        sort(&mut found, filter.order, zone);
        found.truncate(needed);
        if days == OPEN_RANGE_DAYS || found.len() == needed && all_near(&found, filter, zone) {
            found.drain(..filter.offset.min(found.len()));
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Returns the series that may have instances in the window which [`list`] does not return.
pub(crate) fn unexpanded(
    connection: &Connection,
    filter: &Filter,
    zone: &TimeZone,
) -> Result<Vec<UnexpandedSeries>> {
    let mut work = Work::default();
    let mut found = Vec::new();
    for master in repeating(connection, filter, false)? {
        let (_, unexpanded) = expand(
            connection,
            filter,
            zone,
            OPEN_RANGE_DAYS,
            &master,
            &mut work,
        )?;
        if let Some(reason) = unexpanded {
            found.push(UnexpandedSeries {
                event: master,
                reason: reason.to_string(),
            });
        }
        if found.len() >= UNEXPANDED_MAX {
            break;
        }
    }
    Ok(found)
}

/// Whether nothing beyond the near part of an open range can come before what was found in it.
fn all_near(found: &[Occurrence], filter: &Filter, zone: &TimeZone) -> bool {
    let furthest = found.last().map(|one| one.start.starts(zone));
    let window = filter.window(Time::Happens);
    let latest_first = filter.order == Order::Latest;
    match (window.from, window.to, latest_first, furthest) {
        (Some(from), None, false, Some(last)) => last < horizon(from, NEAR_DAYS),
        (None, Some(to), true, Some(last)) => last >= horizon(to, -NEAR_DAYS),
        _ => false,
    }
}

/// Returns the event rows that touch the window, by their own start. A series is included if one of its instances
/// touches it.
pub(crate) fn rows(
    connection: &Connection,
    filter: &Filter,
    zone: &TimeZone,
) -> Result<Vec<Event>> {
    if filter.window(Time::Happens).is_open() {
        return filter::list(connection, filter);
    }
    Ok(filter.part(in_window(connection, filter, zone)?))
}

/// Returns the number of matching event rows, see [`rows`].
pub(crate) fn total(connection: &Connection, filter: &Filter, zone: &TimeZone) -> Result<u64> {
    if filter.window(Time::Happens).is_open() {
        return filter::total::<Event>(connection, filter);
    }
    Ok(in_window(connection, filter, zone)?.len() as u64)
}

/// Returns all event rows that touch the window of a filter.
fn in_window(connection: &Connection, filter: &Filter, zone: &TimeZone) -> Result<Vec<Event>> {
    let mut found = singles(connection, filter, true)?;
    let mut work = Work::default();
    for master in repeating(connection, filter, true)? {
        let (shown, unexpanded) = expand(
            connection,
            filter,
            zone,
            OPEN_RANGE_DAYS,
            &master,
            &mut work,
        )?;
        // A series that may have an instance there is shown, even if that cannot be determined.
        if !shown.is_empty() || unexpanded.is_some() {
            found.push(master);
        }
    }
    found.sort_by_key(|event| event.start.starts(zone));
    if filter.order == Order::Latest {
        found.reverse();
    }
    Ok(found)
}

fn sort(found: &mut [Occurrence], order: Order, zone: &TimeZone) {
    // Whole days come before what begins at midnight, as calendars show them.
    found.sort_by_cached_key(|one| {
        (
            one.start.starts(zone),
            !one.start.is_day(),
            one.event.id.clone(),
        )
    });
    if order == Order::Latest {
        found.reverse();
    }
}

/// Returns events that happen once, including single changed instances of series.
fn singles(connection: &Connection, filter: &Filter, cancelled_too: bool) -> Result<Vec<Event>> {
    let mut condition = filter::condition::<Event>(filter)?;
    condition.fixed("r.recurring = 0");
    if !cancelled_too {
        condition.fixed("r.cancelled = 0");
    }
    let window = filter.window(Time::Happens);
    if let Some(to) = window.to {
        condition.scalar("r.start_at < ?", micros(later(to)));
        condition.scalar("moment_at(r.start_at, r.start_day) < ?", micros(to));
    }
    if let Some(from) = window.from {
        condition.scalar("max(r.end_at, r.start_at) >= ?", micros(earlier(from)));
        condition.scalar(
            "max(moment_at(r.end_at, r.start_day) - 1, moment_at(r.start_at, r.start_day)) >= ?",
            micros(from),
        );
    }
    let part = Filter::all().ordered(filter.order).at_most(
        filter
            .limit
            .map(|limit| limit.saturating_add(filter.offset)),
    );
    events::list(connection, &condition, &part)
}

/// Returns the series, and the changes of all later instances of a series, that may have an instance in the window.
fn repeating(connection: &Connection, filter: &Filter, cancelled_too: bool) -> Result<Vec<Event>> {
    let mut condition = filter::condition::<Event>(filter)?;
    condition.fixed("r.recurring = 1");
    if !cancelled_too {
        condition.fixed("r.cancelled = 0");
    }
    let window = filter.window(Time::Happens);
    if let Some(to) = window.to {
        condition.scalar("r.start_at < ?", micros(later(to)));
    }
    if let Some(from) = window.from {
        condition.scalar(
            "(r.last_at IS NULL OR r.last_at >= ?)",
            micros(earlier(from)),
        );
    }
    events::list(connection, &condition, &Filter::all())
}

/// Expands the row of a series in the window, leaving out instances that have rows of their own. Also returns the reason
/// if there may be more instances.
fn expand(
    connection: &Connection,
    filter: &Filter,
    zone: &TimeZone,
    days: i64,
    row: &Event,
    work: &mut Work,
) -> Result<(Vec<Occurrence>, Option<Unexpanded>)> {
    let window = filter.window(Time::Happens);
    let rows = events::of_uid(connection, &row.uid)?;
    let (from, to) = match (window.from, window.to) {
        (None, None) => {
            let original = row.recurrence_id.as_ref().unwrap_or(&row.start);
            let first = Occurrence {
                event: row.clone(),
                start: row.start.clone(),
                end: row.end.clone(),
                instance_of: Some(original.clone()),
            };
            return Ok((vec![first], None));
        }
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) => (from, horizon(from.max(row.start.starts(zone)), days)),
        (None, Some(to)) => {
            let series = rows.iter().find(|row| row.recurrence_id.is_none());
            let last = last_end(series.unwrap_or(row)).map_or(to, |last| last.min(to));
            (horizon(last, -days), to)
        }
    };
    work.next_series();
    let series = instances_of(row, &rows, from, to, zone, work);
    let shown = series.found.into_iter().map(|instance| Occurrence {
        event: row.clone(),
        instance_of: Some(instance.original),
        start: instance.start,
        end: instance.end,
    });
    Ok((shown.collect(), series.unexpanded))
}

fn horizon(at: Timestamp, days: i64) -> Timestamp {
    at.saturating_add(SignedDuration::from_hours(24 * days))
        .unwrap_or(at)
}

fn later(at: Timestamp) -> Timestamp {
    at.saturating_add(ZONE_SLACK)
        .unwrap_or_else(|_| timestamp(i64::MAX))
}

fn earlier(at: Timestamp) -> Timestamp {
    at.saturating_sub(ZONE_SLACK)
        .unwrap_or_else(|_| timestamp(i64::MIN))
}
