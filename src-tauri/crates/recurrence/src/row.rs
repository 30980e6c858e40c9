//! Instances by row: a series, and a change of it that also applies to all later instances (RFC 5545, 3.2.13).

use adjutant_domain::moment::Moment;
use adjutant_domain::record::Event;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::series::{
    Dates, Instance, Instances, end_of, instances, length, like, overlaps, own_zone, placed,
    wall_clock,
};
use crate::work::Work;

/// Covers the clock changes between two instances.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Returns the instances in a range that come from `row`, by start, without those that have rows of their own. `rows`
/// holds all rows of the series; `row` may be missing from it.
pub fn instances_of(
    row: &Event,
    rows: &[Event],
    from: Timestamp,
    to: Timestamp,
    zone: &TimeZone,
    work: &mut Work,
) -> Instances {
    let range = Range::of(row, rows, zone);
    match (&row.recurrence_id, row.following) {
        (Some(own), true) => later(row, own, &range, rows, (from, to), zone, work),
        _ => {
            let mut all = instances(row, from, to, zone, work);
            all.found.retain(|one| range.has(&one.original, zone));
            all
        }
    }
}

/// Returns the first instance after that of `row` whose times come from it: its original start, start and end. `None`
/// if there is none within the work budget.
#[must_use]
pub fn next_of(row: &Event, rows: &[Event], zone: &TimeZone) -> Option<Instance> {
    let own = row.recurrence_id.as_ref()?.starts(zone);
    let mut work = Work::default();
    let mut from = row.start.starts(zone);
    let mut reach = DAY * 32;
    while from < Timestamp::MAX {
        let to = from.saturating_add(reach).unwrap_or(Timestamp::MAX);
        work.next_series();
        let all = instances_of(row, rows, from, to, zone, &mut work);
        let mut found = all.found.into_iter();
        let next = found.find(|one| one.original.starts(zone) > own);
        if next.is_some() || all.unexpanded.is_some() {
            return next;
        }
        (from, reach) = (to, reach * 2);
    }
    None
}

/// Returns the times of the instance with this original start, and the row they come from: its own, the latest change
/// that applies to it, or the series. Does not check that the series has such an instance.
#[must_use]
pub fn instance_at<'a>(
    original: &Moment,
    rows: &'a [Event],
    zone: &TimeZone,
) -> Option<(&'a Event, Instance)> {
    let at = original.starts(zone);
    let begins = |row: &Event| row.recurrence_id.as_ref().map(|own| own.starts(zone));
    let applies = |row: &&Event| match begins(row) {
        Some(begin) if row.following => begin <= at,
        begin => begin.is_none_or(|begin| begin == at),
    };
    let row = rows.iter().filter(applies).max_by_key(|row| begins(row))?;
    let (start, end) = match &row.recurrence_id {
        Some(own) if own.starts(zone) < at => {
            let series = rows.iter().find(|row| row.recurrence_id.is_none())?;
            let moved = placed_like(row, &like(series, own), like(series, original))?;
            (moved.start, moved.end)
        }
        Some(_) => (row.start.clone(), row.end.clone()),
        None if original.is_day() == row.start.is_day() => {
            (original.clone(), end_of(row, original))
        }
        None => return None,
    };
    let original = original.clone();
    Some((
        row,
        Instance {
            original,
            start,
            end,
        },
    ))
}

/// Returns the times that `row`, the series or a change of all its later instances, gives the instance with this
/// original start, whether or not the row applies to it. `None` if they are out of range.
#[must_use]
pub fn times_by(row: &Event, series: &Event, original: &Moment) -> Option<Instance> {
    let original = like(series, original);
    match &row.recurrence_id {
        Some(own) => placed_like(row, &like(series, own), original),
        None => Some(Instance {
            end: end_of(row, &original),
            start: original.clone(),
            original,
        }),
    }
}

/// The original starts that belong to a row.
struct Range {
    changed: Dates,
    /// Where the next change of all later instances begins.
    end: Option<Timestamp>,
}

impl Range {
    fn of(row: &Event, rows: &[Event], zone: &TimeZone) -> Self {
        let begins = |row: &Event| row.recurrence_id.as_ref().map(|own| own.starts(zone));
        let own = begins(row);
        let ends = rows.iter().filter(|other| other.following).map(begins);
        Self {
            changed: Dates::of(rows.iter().filter_map(|row| row.recurrence_id.as_ref())),
            end: ends.flatten().filter(|end| Some(*end) > own).min(),
        }
    }

    fn has(&self, original: &Moment, zone: &TimeZone) -> bool {
        let before_end = self.end.is_none_or(|end| original.starts(zone) < end);
        before_end && !self.changed.contain(original)
    }
}

/// Returns the instances of a change that applies to its instance `own` and all later ones of its series.
fn later(
    row: &Event,
    own: &Moment,
    range: &Range,
    rows: &[Event],
    (from, to): (Timestamp, Timestamp),
    zone: &TimeZone,
    work: &mut Work,
) -> Instances {
    let mut all = Instances {
        found: Vec::new(),
        unexpanded: None,
    };
    if let Some(series) = rows.iter().find(|row| row.recurrence_id.is_none()) {
        let own = like(series, own);
        let moved = own.starts(zone).duration_until(row.start.starts(zone));
        let back = |at: Timestamp, slack: SignedDuration| {
            let at = at
                .saturating_sub(moved)
                .and_then(|at| at.saturating_sub(slack));
            at.unwrap_or(if slack.is_negative() {
                Timestamp::MAX
            } else {
                Timestamp::MIN
            })
        };
        let earliest = back(from, length(row).saturating_add(DAY)).max(own.starts(zone));
        all = instances(series, earliest, back(to, -DAY), zone, work);
        let after = |one: &Instance| one.original.starts(zone) > own.starts(zone);
        all.found
            .retain(|one| after(one) && range.has(&one.original, zone));
        all.found = all
            .found
            .into_iter()
            .filter_map(|one| placed_like(row, &own, one.original))
            .collect();
    }
    all.found.push(Instance {
        original: own.clone(),
        start: row.start.clone(),
        end: row.end.clone(),
    });
    all.found
        .retain(|one| overlaps(one.start.starts(zone), one.end.starts(zone), from, to));
    all.found.sort_by_key(|one| one.start.starts(zone));
    all
}

/// Moves an instance as far as the change `row` moved `own`, on the wall clock of the series.
fn placed_like(row: &Event, own: &Moment, original: Moment) -> Option<Instance> {
    let start = match (&row.start, own_zone(own)) {
        (Moment::Day(day), _) => {
            let by = *day - wall_clock(own).date();
            Moment::Day(wall_clock(&original).date().checked_add(by).ok()?)
        }
        (Moment::At(at), Some(zone)) => {
            let by = wall_clock(own).duration_until(at.with_time_zone(zone).datetime());
            match placed(own, wall_clock(&original).checked_add(by).ok()?)? {
                Moment::At(moved) => Moment::At(moved.with_time_zone(at.time_zone().clone())),
                day @ Moment::Day(_) => day,
            }
        }
        (Moment::At(at), None) => {
            let by = wall_clock(own).duration_until(at.datetime());
            placed(&row.start, wall_clock(&original).checked_add(by).ok()?)?
        }
    };
    Some(Instance {
        original,
        end: end_of(row, &start),
        start,
    })
}
