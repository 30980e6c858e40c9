//! Instances of events: what a calendar shows of a rule, its additions and its exceptions.

mod rule;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use adjutant_domain::moment::Moment;
use adjutant_domain::record::Event;
use jiff::civil::{self, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

pub(crate) use rule::{BrokenRule, Rule};

/// Instances of one series that are worked out for one question.
pub const SERIES_MAX: usize = 5_000;
/// Added and removed dates of one series that are looked at.
const DATES_MAX: usize = 10_000;

/// One instance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Instance {
    pub(crate) start: Moment,
    pub(crate) end: Moment,
}

/// Whether something from `start` to `end` touches the range; something without length counts at its start.
pub(crate) fn overlaps(start: Timestamp, end: Timestamp, from: Timestamp, to: Timestamp) -> bool {
    start < to && (end > from || start >= from)
}

/// Instances of a series that touch a range, by start, without those taken out. A rule that cannot be followed gives
/// the master alone.
pub(crate) fn instances(
    event: &Event,
    from: Timestamp,
    to: Timestamp,
    zone: &TimeZone,
) -> Vec<Instance> {
    let starts = match starts(event, from, to, zone) {
        Ok(starts) => starts,
        Err(BrokenRule(reason)) => {
            tracing::warn!(event = %event.id, reason, "a recurrence rule cannot be followed; only the first instance is shown");
            vec![event.start.clone()]
        }
    };
    let removed = Dates::of(&event.exdates);
    let mut seen = HashSet::new();
    let mut found: Vec<Instance> = starts
        .into_iter()
        .chain(
            event
                .rdates
                .iter()
                .take(DATES_MAX)
                .map(|at| like(event, at)),
        )
        .filter(|start| !removed.contain(start))
        .filter(|start| seen.insert(start.starts(zone)))
        .map(|start| Instance {
            end: end_of(event, &start),
            start,
        })
        .filter(|instance| {
            overlaps(
                instance.start.starts(zone),
                instance.end.starts(zone),
                from,
                to,
            )
        })
        .collect();
    found.sort_by_key(|instance| instance.start.starts(zone));
    found
}

/// When the last instance of a series ends; `None` when there is no last one or it is not known.
pub(crate) fn last_end(event: &Event) -> Option<Timestamp> {
    let zone = TimeZone::UTC;
    let latest_added = event
        .rdates
        .iter()
        .take(DATES_MAX)
        .map(|at| end_of(event, &like(event, at)).starts(&zone))
        .max();
    let own_end = Some(event.end.starts(&zone)).max(latest_added);
    let Some(text) = &event.rrule else {
        return own_end;
    };
    let Ok(rule) = Rule::read(text) else {
        return own_end;
    };
    let own_zone = zone_of(event);
    let last_start = match rule.until(own_zone.as_ref()) {
        Some(until) => until,
        None if rule.is_counted() => {
            let start = civil_of(&event.start);
            match rule.starts(start, own_zone.as_ref(), start, DateTime::MAX, SERIES_MAX) {
                Ok((_, true)) => return None,
                Ok((starts, false)) => starts.last().copied().unwrap_or(start),
                Err(_) => return own_end,
            }
        }
        None => return None,
    };
    let last = at_civil(event, last_start);
    own_end.max(Some(end_of(event, &last).starts(&zone)))
}

fn starts(
    event: &Event,
    from: Timestamp,
    to: Timestamp,
    zone: &TimeZone,
) -> Result<Vec<Moment>, BrokenRule> {
    let Some(text) = &event.rrule else {
        return Ok(vec![event.start.clone()]);
    };
    let rule = Rule::read(text)?;
    let own_zone = zone_of(event);
    let wall = own_zone.as_ref().unwrap_or(zone);
    // A day of slack on both sides, for instants that have two wall-clock times or none.
    let earliest = from
        .saturating_sub(length(event))
        .unwrap_or(Timestamp::MIN)
        .to_zoned(wall.clone())
        .datetime()
        .saturating_sub(1.day());
    let latest = to.to_zoned(wall.clone()).datetime().saturating_add(1.day());
    let (found, more) = rule.starts(
        civil_of(&event.start),
        own_zone.as_ref(),
        earliest,
        latest,
        SERIES_MAX,
    )?;
    if more {
        tracing::warn!(event = %event.id, "only the first {SERIES_MAX} instances of a series are shown");
    }
    Ok(found.into_iter().map(|at| at_civil(event, at)).collect())
}

/// The zone a series lives in; whole days have none.
fn zone_of(event: &Event) -> Option<TimeZone> {
    match &event.start {
        Moment::Day(_) => None,
        Moment::At(at) => Some(at.time_zone().clone()),
    }
}

fn civil_of(moment: &Moment) -> DateTime {
    match moment {
        Moment::Day(day) => day.to_datetime(civil::Time::midnight()),
        Moment::At(at) => at.datetime(),
    }
}

/// A wall-clock time as a moment of a series. A time that a change of clocks leaves out moves on by the gap, one that
/// occurs twice is the first of the two (RFC 5545, 3.3.5).
fn at_civil(event: &Event, at: DateTime) -> Moment {
    match &event.start {
        Moment::Day(_) => Moment::Day(at.date()),
        Moment::At(start) => start
            .time_zone()
            .to_ambiguous_zoned(at)
            .compatible()
            .map_or_else(|_| event.start.clone(), Moment::At),
    }
}

/// An added date in the form of the series: a day stays a day, a time is put into the zone of the series.
fn like(event: &Event, at: &Moment) -> Moment {
    match (&event.start, at) {
        (Moment::Day(_), at) => Moment::Day(at.date(&TimeZone::UTC)),
        (Moment::At(start), Moment::At(at)) => {
            Moment::At(at.with_time_zone(start.time_zone().clone()))
        }
        (Moment::At(start), Moment::Day(day)) => at_civil(event, day.to_datetime(start.time())),
    }
}

fn length(event: &Event) -> SignedDuration {
    let zone = TimeZone::UTC;
    event
        .end
        .starts(&zone)
        .duration_since(event.start.starts(&zone))
        .max(SignedDuration::ZERO)
}

/// The end of an instance: as many days later, or as long after, as the master's.
fn end_of(event: &Event, start: &Moment) -> Moment {
    match (start, &event.end) {
        (Moment::Day(day), end) => {
            let days = match (&event.start, end) {
                (Moment::Day(first), Moment::Day(last)) => (*last - *first).get_days().max(1),
                _ => 1,
            };
            Moment::Day(day.saturating_add(days.days()))
        }
        (Moment::At(at), end) => {
            let zone = match end {
                Moment::At(end) => end.time_zone().clone(),
                Moment::Day(_) => at.time_zone().clone(),
            };
            let end = at
                .timestamp()
                .saturating_add(length(event))
                .unwrap_or(Timestamp::MAX);
            Moment::At(end.to_zoned(zone))
        }
    }
}

/// Dates of instances that are not shown as the rule has them.
pub(crate) struct Dates {
    instants: HashSet<Timestamp>,
    days: HashSet<civil::Date>,
}

impl Dates {
    /// From exception dates or the names of changed instances.
    pub(crate) fn of<'a>(moments: impl IntoIterator<Item = &'a Moment>) -> Self {
        let mut dates = Self {
            instants: HashSet::new(),
            days: HashSet::new(),
        };
        for moment in moments.into_iter().take(DATES_MAX) {
            match moment {
                Moment::Day(day) => dates.days.insert(*day),
                Moment::At(at) => dates.instants.insert(at.timestamp()),
            };
        }
        dates
    }

    /// Whether an instance is among them. Files name the instance of a timed event by its date now and then.
    pub(crate) fn contain(&self, start: &Moment) -> bool {
        match start {
            Moment::At(at) => {
                self.instants.contains(&at.timestamp()) || self.days.contains(&at.date())
            }
            Moment::Day(day) => {
                self.days.contains(day)
                    || self
                        .instants
                        .iter()
                        .any(|at| at.to_zoned(TimeZone::UTC).date() == *day)
            }
        }
    }
}
