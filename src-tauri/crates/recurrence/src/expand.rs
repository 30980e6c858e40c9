//! Computes the instances of a rule, period by period, within a work budget.

use std::cmp::Ordering;
use std::ops::{ControlFlow, Range};

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

use crate::INSTANCES_MAX;
use crate::days::{Days, days_between};
use crate::frequent;
use crate::rule::{Bits, DayTimes, Frequency, Rule};
use crate::sink::Sink;
use crate::work::{OutOfWork, Work};

/// Instances of a rule within a range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// Wall-clock times of instances, in order, at most [`INSTANCES_MAX`].
    pub starts: Vec<DateTime>,
    /// Whether the range has, or may have, more.
    pub cut: bool,
}

impl Rule {
    /// Computes the instances in `range` (end exclusive) of a series that starts at `start` in `zone`. If
    /// [`Rule::is_once_a_day`], returns only the first of each day.
    pub fn expand(
        &self,
        start: DateTime,
        zone: Option<&TimeZone>,
        range: Range<DateTime>,
        work: &mut Work,
    ) -> Expansion {
        let mut found = Expansion::default();
        let ended = self.visit(start, zone, range, work, |at| {
            if found.starts.len() >= INSTANCES_MAX {
                found.cut = true;
                return ControlFlow::Break(());
            }
            found.starts.push(at);
            ControlFlow::Continue(())
        });
        found.cut |= ended.is_err();
        found
    }

    /// Calls `each` with the instances in a range, in order, until it breaks.
    pub(crate) fn visit(
        &self,
        start: DateTime,
        zone: Option<&TimeZone>,
        range: Range<DateTime>,
        work: &mut Work,
        mut each: impl FnMut(DateTime) -> ControlFlow<()>,
    ) -> Result<(), OutOfWork> {
        // Rules have a resolution of seconds; the fraction of the start is added back to each instance.
        let fraction = start.subsec_nanosecond();
        let whole = |at: DateTime| at.with().subsec_nanosecond(0).build().unwrap_or(at);
        let mut each =
            |at: DateTime| each(at.with().subsec_nanosecond(fraction).build().unwrap_or(at));
        let mut sink = Sink {
            start: whole(start),
            from: whole(range.start),
            to: range.end,
            until: self.until(zone),
            left: self.count,
            each: &mut each,
        };
        if self.is_once_a_day() && self.frequency <= Frequency::Hourly {
            frequent::walk(self, &mut sink, work)
        } else {
            periods(self, &mut sink, work)
        }
    }
}

/// Handles rules with days or longer periods, and those with few times a day.
fn periods(rule: &Rule, sink: &mut Sink<'_>, work: &mut Work) -> Result<(), OutOfWork> {
    let days = Days::new(rule, sink.start);
    let times = rule.times(sink.start.time());
    let mut number = match sink.left {
        None => periods_before(rule, sink.start, sink.from),
        // If every period has exactly one instance, those before the range can be counted without visiting them.
        Some(count) if has_one_a_period(rule, sink.start) => {
            let before = periods_before(rule, sink.start, sink.from);
            let left = i64::from(count) - before;
            if left <= 0 {
                return Ok(());
            }
            sink.left = u32::try_from(left).ok();
            before
        }
        Some(_) => 0,
    };
    while let Some(period) = Period::of(rule, sink.start, number) {
        work.spend(1)?;
        if sink.is_past(period.begins()) || sink.left == Some(0) {
            return Ok(());
        }
        if period.show(rule, &days, &times, sink, work)?.is_break() {
            return Ok(());
        }
        number += 1;
    }
    Ok(())
}

/// One year, month, week, day or hour of a rule.
struct Period {
    first: Date,
    /// Number of days from `first`; 0 for a year, which is processed by months.
    days: i8,
    year: bool,
    hour: Option<i8>,
}

impl Period {
    /// Returns the period with this number, or `None` past the end of the calendar.
    fn of(rule: &Rule, start: DateTime, number: i64) -> Option<Self> {
        let passed = number.checked_mul(i64::from(rule.interval))?;
        let day = |first: Date, days: i8, hour: Option<i8>| Self {
            first,
            days,
            year: false,
            hour,
        };
        Some(match rule.frequency {
            Frequency::Yearly => {
                let year = i64::from(start.year()).checked_add(passed)?;
                let first = Date::new(i16::try_from(year).ok()?, 1, 1).ok()?;
                Self {
                    first,
                    days: 0,
                    year: true,
                    hour: None,
                }
            }
            Frequency::Monthly => {
                let months = months_of(start).checked_add(passed)?;
                let year = i16::try_from(months.div_euclid(12)).ok()?;
                let month = i8::try_from(months.rem_euclid(12) + 1).ok()?;
                let first = Date::new(year, month, 1).ok()?;
                day(first, first.days_in_month(), None)
            }
            Frequency::Weekly => {
                let first = week_of(rule, start.date())?;
                day(days_later(first, passed.checked_mul(7)?)?, 7, None)
            }
            Frequency::Hourly => {
                let hours = i64::from(start.hour()).checked_add(passed)?;
                let hour = i8::try_from(hours % 24).ok()?;
                day(days_later(start.date(), hours / 24)?, 1, Some(hour))
            }
            _ => day(days_later(start.date(), passed)?, 1, None),
        })
    }

    fn begins(&self) -> DateTime {
        self.first.at(self.hour.unwrap_or(0), 0, 0, 0)
    }

    fn show(
        &self,
        rule: &Rule,
        days: &Days<'_>,
        times: &DayTimes,
        sink: &mut Sink<'_>,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, OutOfWork> {
        let mut times = *times;
        if let Some(hour) = self.hour {
            if !rule.hours.is_empty() && !rule.hours.contains(hour) {
                return Ok(ControlFlow::Continue(()));
            }
            times.hours = Bits::one(hour);
        }
        let mut picked = Vec::new();
        for (first, length) in self.stretches(days) {
            let mut day = first;
            for _ in 0..length {
                work.spend(1)?;
                if days.contain(day) {
                    if !rule.positions.is_empty() {
                        work.spend(times.len())?;
                        picked.extend(times.iter().map(|time| day.to_datetime(time)));
                    } else if show_day(rule, day, &times, sink, work)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                let Ok(next) = day.tomorrow() else { break };
                day = next;
            }
        }
        for at in at_positions(&rule.positions, &picked) {
            if sink.offer(at).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns first days and lengths of the stretches to examine; for a year, only the months the rule can match.
    fn stretches(&self, days: &Days<'_>) -> Vec<(Date, i8)> {
        if !self.year {
            return vec![(self.first, self.days)];
        }
        (1..=12)
            .filter(|month| days.months.is_empty() || days.months.contains(*month))
            .filter_map(|month| Date::new(self.first.year(), month, 1).ok())
            .map(|first| (first, first.days_in_month()))
            .collect()
    }
}

fn show_day(
    rule: &Rule,
    day: Date,
    times: &DayTimes,
    sink: &mut Sink<'_>,
    work: &mut Work,
) -> Result<ControlFlow<()>, OutOfWork> {
    if rule.is_once_a_day() {
        let (first, instances) = first_of_day(day, times, sink);
        return Ok(sink.offer_first(first, instances));
    }
    for time in times.iter() {
        work.spend(1)?;
        if sink.offer(day.to_datetime(time)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Returns a day's first instance in the requested range, and how many instances the series has that day.
fn first_of_day(day: Date, times: &DayTimes, sink: &Sink<'_>) -> (Option<DateTime>, u32) {
    let from = |bound: DateTime| match day.cmp(&bound.date()) {
        Ordering::Less => None,
        Ordering::Equal => Some(bound.time()),
        Ordering::Greater => Some(Time::midnight()),
    };
    let at_or_after = |from: Time| times.iter().filter(move |time| *time >= from);
    let first = from(sink.start.max(sink.from)).and_then(|from| at_or_after(from).next());
    let instances = from(sink.start).map_or(0, |from| at_or_after(from).count());
    (
        first.map(|time| day.to_datetime(time)),
        u32::try_from(instances).unwrap_or(u32::MAX),
    )
}

/// Picks the times at the given positions, counted from the first (1) or the last (-1), in order.
fn at_positions(positions: &[i16], times: &[DateTime]) -> Vec<DateTime> {
    let mut found: Vec<DateTime> = positions
        .iter()
        .filter_map(|position| {
            let distance = usize::from(position.unsigned_abs());
            let index = if *position > 0 {
                distance.checked_sub(1)
            } else {
                times.len().checked_sub(distance)
            };
            times.get(index?).copied()
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the number of periods that end before a time, so that a long series need not be walked from its first day.
fn periods_before(rule: &Rule, start: DateTime, time: DateTime) -> i64 {
    let passed = match rule.frequency {
        Frequency::Yearly => i64::from(time.year()) - i64::from(start.year()),
        Frequency::Monthly => months_of(time) - months_of(start),
        Frequency::Weekly => {
            week_of(rule, start.date()).map_or(0, |week| days_between(week, time.date()) / 7)
        }
        Frequency::Hourly => {
            days_between(start.date(), time.date()) * 24 + i64::from(time.hour())
                - i64::from(start.hour())
        }
        _ => days_between(start.date(), time.date()),
    };
    (passed / i64::from(rule.interval)).max(0)
}

/// Returns whether every period has exactly one instance.
fn has_one_a_period(rule: &Rule, start: DateTime) -> bool {
    rule.is_plain()
        && match rule.frequency {
            Frequency::Monthly => start.day() <= 28,
            Frequency::Yearly => (start.month(), start.day()) != (2, 29),
            _ => true,
        }
}

fn week_of(rule: &Rule, day: Date) -> Option<Date> {
    day.checked_sub(i64::from(day.weekday().since(rule.week_start)).days())
        .ok()
}

fn months_of(at: DateTime) -> i64 {
    i64::from(at.year()) * 12 + i64::from(at.month()) - 1
}

fn days_later(day: Date, days: i64) -> Option<Date> {
    // The calendar has about 7 million days, and a span allows no more.
    let days = i32::try_from(days).ok().filter(|days| *days < 4_000_000)?;
    day.checked_add(days.days()).ok()
}
