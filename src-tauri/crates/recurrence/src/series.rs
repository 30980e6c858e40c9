//! Instances of events, as a calendar shows them: from the rule, added dates and excluded dates.

use std::collections::HashSet;

use adjutant_domain::moment::Moment;
use adjutant_domain::record::Event;
use jiff::civil::{self, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

use crate::rule::{InvalidRule, Rule};
use crate::work::Work;

/// Maximum number of added or excluded dates considered per series.
const DATES_MAX: usize = 10_000;

/// One instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its start by the series, which identifies it.
    pub original: Moment,
    /// Its start.
    pub start: Moment,
    /// Its end, exclusive.
    pub end: Moment,
}

/// Instances of a series within a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Instances {
    /// Instances that touch the range, by start.
    pub found: Vec<Instance>,
    /// Why there may be more; `None` if these are all.
    pub unexpanded: Option<Unexpanded>,
}

/// Why not all instances of a series are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unexpanded {
    /// The rule is invalid, so only the first instance is known.
    #[error("its repetition cannot be read: {0}")]
    Invalid(#[from] InvalidRule),
    /// Expanding the rule further would exceed the work budget.
    #[error("it has more dates than can be worked out")]
    Cut,
}

/// Returns whether a period from `start` to `end` touches the range. A period without length counts at its start.
#[must_use]
pub fn overlaps(start: Timestamp, end: Timestamp, from: Timestamp, to: Timestamp) -> bool {
    start < to && (end > from || start >= from)
}

/// Returns the instances of a series that touch a range, by start, without excluded ones. An invalid rule yields only
/// the first instance.
pub fn instances(
    event: &Event,
    from: Timestamp,
    to: Timestamp,
    zone: &TimeZone,
    work: &mut Work,
) -> Instances {
    let rule = event.rrule.as_deref().map(Rule::parse).transpose();
    let once_a_day = matches!(&rule, Ok(Some(rule)) if rule.is_once_a_day());
    let (starts, unexpanded) = match rule {
        Ok(None) => (vec![event.start.clone()], None),
        Ok(Some(rule)) => starts(event, &rule, from, to, zone, work),
        Err(invalid) => (vec![event.start.clone()], Some(invalid.into())),
    };
    let removed = Dates::of(&event.exdates);
    let mut seen = HashSet::new();
    let added = event
        .rdates
        .iter()
        .take(DATES_MAX)
        .map(|at| like(event, at));
    let mut found: Vec<Instance> = starts
        .into_iter()
        .chain(added)
        .filter(|start| !removed.contain(start))
        .filter(|start| seen.insert(start.starts(zone)))
        .map(|start| Instance {
            end: end_of(event, &start),
            original: start.clone(),
            start,
        })
        .filter(|one| overlaps(one.start.starts(zone), one.end.starts(zone), from, to))
        .collect();
    found.sort_by_key(|instance| instance.start.starts(zone));
    if once_a_day {
        // One day in the series' zone may fall on two days in the person's zone.
        found.dedup_by_key(|instance| instance.start.date(zone));
    }
    Instances { found, unexpanded }
}

/// Returns when the last instance of a series ends, or `None` if the series is endless or its end is unknown.
#[must_use]
pub fn last_end(event: &Event) -> Option<Timestamp> {
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
    let rule = Rule::parse(text).ok()?;
    let own_zone = zone_of(event);
    let last_start = match rule.until(own_zone.as_ref()) {
        Some(until) => until,
        None if rule.is_counted() => last_counted(event, &rule, own_zone.as_ref())?,
        None => return None,
    };
    let last = at_wall_clock(event, last_start);
    own_end.max(Some(end_of(event, &last).starts(&zone)))
}

/// Returns the last instance of a counted rule, or a later time on its day.
fn last_counted(event: &Event, rule: &Rule, zone: Option<&TimeZone>) -> Option<DateTime> {
    let start = wall_clock(&event.start);
    let mut last = start;
    rule.visit(
        start,
        zone,
        start..DateTime::MAX,
        &mut Work::default(),
        |at| {
            last = at;
            std::ops::ControlFlow::Continue(())
        },
    )
    .ok()?;
    if rule.is_once_a_day() {
        last = last.date().at(23, 59, 59, 0);
    }
    Some(last)
}

fn starts(
    event: &Event,
    rule: &Rule,
    from: Timestamp,
    to: Timestamp,
    zone: &TimeZone,
    work: &mut Work,
) -> (Vec<Moment>, Option<Unexpanded>) {
    let own_zone = zone_of(event);
    let wall = own_zone.as_ref().unwrap_or(zone);
    let length = length(event);
    let touching = from.saturating_sub(length).unwrap_or(Timestamp::MIN);
    let touching = touching.to_zoned(wall.clone()).datetime();
    let earliest = if !rule.is_once_a_day() {
        // A day of slack, for instants with two wall-clock times or none.
        touching.saturating_sub(1.day())
    } else if length.is_zero() {
        touching
    } else {
        // The first instance that has not ended when the range begins; instances are whole seconds apart.
        touching.saturating_add(1.second())
    };
    let latest = to.to_zoned(wall.clone()).datetime().saturating_add(1.day());
    let start = wall_clock(&event.start);
    let found = rule.expand(start, own_zone.as_ref(), earliest..latest, work);
    let moments = found.starts.into_iter().map(|at| at_wall_clock(event, at));
    (moments.collect(), found.cut.then_some(Unexpanded::Cut))
}

/// Returns the time zone of a series, or `None` for whole days.
fn zone_of(event: &Event) -> Option<TimeZone> {
    own_zone(&event.start)
}

/// Returns the time zone of a moment, or `None` for whole days.
pub(crate) fn own_zone(moment: &Moment) -> Option<TimeZone> {
    match moment {
        Moment::Day(_) => None,
        Moment::At(at) => Some(at.time_zone().clone()),
    }
}

/// Returns a moment as the wall clock in its own zone shows it. A day starts at midnight.
pub(crate) fn wall_clock(moment: &Moment) -> DateTime {
    match moment {
        Moment::Day(day) => day.to_datetime(civil::Time::midnight()),
        Moment::At(at) => at.datetime(),
    }
}

/// Converts a wall-clock time into a moment like `start`: a day, or an instant in the same zone. A time skipped by a
/// clock change moves forward by the gap; one that occurs twice means the first (RFC 5545, 3.3.5).
pub(crate) fn placed(start: &Moment, at: DateTime) -> Option<Moment> {
    match start {
        Moment::Day(_) => Some(Moment::Day(at.date())),
        Moment::At(start) => {
            let zoned = start.time_zone().to_ambiguous_zoned(at).compatible();
            zoned.ok().map(Moment::At)
        }
    }
}

fn at_wall_clock(event: &Event, at: DateTime) -> Moment {
    placed(&event.start, at).unwrap_or_else(|| event.start.clone())
}

/// Converts an added date to the kind of moment the series has: a day stays a day, and an instant moves into the
/// series' zone.
pub(crate) fn like(event: &Event, at: &Moment) -> Moment {
    match (&event.start, at) {
        (Moment::Day(_), at) => Moment::Day(at.date(&TimeZone::UTC)),
        (Moment::At(start), Moment::At(at)) => {
            Moment::At(at.with_time_zone(start.time_zone().clone()))
        }
        (Moment::At(start), Moment::Day(day)) => {
            at_wall_clock(event, day.to_datetime(start.time()))
        }
    }
}

pub(crate) fn length(event: &Event) -> SignedDuration {
    let zone = TimeZone::UTC;
    event
        .end
        .starts(&zone)
        .duration_since(event.start.starts(&zone))
        .max(SignedDuration::ZERO)
}

/// Returns the end of an instance, which lasts as many days, or as long, as the first one.
pub(crate) fn end_of(event: &Event, start: &Moment) -> Moment {
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

/// Dates of instances not to be reported as the rule yields them.
pub struct Dates {
    instants: HashSet<Timestamp>,
    days: HashSet<civil::Date>,
    /// UTC dates of the instants.
    instant_days: HashSet<civil::Date>,
}

impl Dates {
    /// Collects exclusion dates or the recurrence ids of changed instances.
    pub fn of<'a>(moments: impl IntoIterator<Item = &'a Moment>) -> Self {
        let mut dates = Self {
            instants: HashSet::new(),
            days: HashSet::new(),
            instant_days: HashSet::new(),
        };
        for moment in moments.into_iter().take(DATES_MAX) {
            match moment {
                Moment::Day(day) => {
                    dates.days.insert(*day);
                }
                Moment::At(at) => {
                    dates.instants.insert(at.timestamp());
                    dates
                        .instant_days
                        .insert(at.with_time_zone(TimeZone::UTC).date());
                }
            }
        }
        dates
    }

    /// Returns whether an instance is among them. Files sometimes identify an instance of a timed event by its date
    /// only.
    #[must_use]
    pub fn contain(&self, start: &Moment) -> bool {
        match start {
            Moment::At(at) => {
                self.instants.contains(&at.timestamp()) || self.days.contains(&at.date())
            }
            Moment::Day(day) => self.days.contains(day) || self.instant_days.contains(day),
        }
    }
}
