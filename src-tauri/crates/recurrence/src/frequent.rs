//! Rules that repeat within the hour. They yield one entry per day, however many instances the day has.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use crate::days::{Days, days_between};
use crate::rule::{Frequency, Rule};
use crate::sink::Sink;
use crate::work::{OutOfWork, Work};

const DAY_SECONDS: i64 = 86_400;

/// Offers the first instance of each day to `sink`.
pub(crate) fn walk(rule: &Rule, sink: &mut Sink<'_>, work: &mut Work) -> Result<(), OutOfWork> {
    let days = Days::new(rule, sink.start);
    let grid = Grid::new(rule, sink.start);
    if let Some(count) = sink.left.filter(|_| rule.is_plain()) {
        // The instances are evenly spaced, so the last one can be computed instead of counted up to.
        let last = grid
            .step
            .saturating_mul(grid.unit)
            .saturating_mul(i64::from(count - 1));
        let last = sink
            .start
            .checked_add(SignedDuration::from_secs(last))
            .unwrap_or(DateTime::MAX);
        sink.until = Some(sink.until.map_or(last, |until| until.min(last)));
        sink.left = None;
    }
    let mut day = sink.start.date();
    if sink.left.is_none() {
        day = day.max(sink.from.date());
    }
    loop {
        work.spend(1)?;
        if sink.is_past(day.to_datetime(Time::midnight()).max(sink.start)) || sink.left == Some(0) {
            return Ok(());
        }
        if days.contain(day) {
            let (first, instances) = grid.day(rule, day, sink, work)?;
            if (first.is_some() || instances > 0) && sink.offer_first(first, instances).is_break() {
                return Ok(());
            }
        }
        let Ok(next) = day.tomorrow() else {
            return Ok(());
        };
        day = next;
    }
}

/// The seconds, minutes or hours that a rule falls on, counted from midnight of its first day.
struct Grid {
    /// Length of a unit in seconds.
    unit: i64,
    /// Units from one instance to the next.
    step: i64,
    /// Unit in which the series starts.
    first: i64,
    start: DateTime,
    /// Seconds of the instances within a unit, in order.
    within: Vec<i64>,
}

impl Grid {
    fn new(rule: &Rule, start: DateTime) -> Self {
        let times = rule.times(start.time());
        let (unit, within) = match rule.frequency {
            Frequency::Secondly => (1, vec![0]),
            Frequency::Minutely => (60, times.seconds.iter().map(i64::from).collect()),
            _ => {
                let minutes = times.minutes.iter().flat_map(|minute| {
                    let minute = i64::from(minute) * 60;
                    times
                        .seconds
                        .iter()
                        .map(move |second| minute + i64::from(second))
                });
                (3_600, minutes.collect())
            }
        };
        Self {
            unit,
            step: i64::from(rule.interval),
            first: seconds_of(start.time()) / unit,
            start,
            within,
        }
    }

    /// Returns a day's first instance in the requested range, and how many instances the day has. If the rule has no
    /// count, stops at the first one.
    fn day(
        &self,
        rule: &Rule,
        day: Date,
        sink: &Sink<'_>,
        work: &mut Work,
    ) -> Result<(Option<DateTime>, u32), OutOfWork> {
        let counted = sink.left.is_some();
        let midnight = days_between(self.start.date(), day) * DAY_SECONDS;
        let begin = if counted {
            self.start
        } else {
            self.start.max(sink.from)
        };
        let into_day = if begin.date() == day {
            seconds_of(begin.time())
        } else {
            0
        };
        let mut unit = self.at_or_after((midnight + into_day).div_euclid(self.unit));
        let (mut first, mut instances) = (None, 0_u32);
        while unit * self.unit < midnight + DAY_SECONDS {
            work.spend(1)?;
            let second = unit * self.unit - midnight;
            if let Some(next) = skipped(rule, self.unit, second) {
                unit = self.at_or_after((midnight + next).div_euclid(self.unit));
                continue;
            }
            for within in &self.within {
                let Some(at) = time_of(second + within).map(|time| day.to_datetime(time)) else {
                    continue;
                };
                if at < self.start {
                    continue;
                }
                instances = instances.saturating_add(1);
                if first.is_none() && at >= sink.from {
                    first = Some(at);
                    if !counted {
                        return Ok((first, 1));
                    }
                }
            }
            unit += self.step;
        }
        Ok((first, instances))
    }

    fn at_or_after(&self, unit: i64) -> i64 {
        let passed = (unit - self.first).max(0);
        self.first + (passed + self.step - 1) / self.step * self.step
    }
}

/// Returns the end, as a second of the day, of the hour, minute or second to skip if the rule leaves out this one.
fn skipped(rule: &Rule, unit: i64, second: i64) -> Option<i64> {
    let time = time_of(second)?;
    let leaves_out = |named: crate::rule::Bits, own: i8| !named.is_empty() && !named.contains(own);
    if leaves_out(rule.hours, time.hour()) {
        Some((second / 3_600 + 1) * 3_600)
    } else if unit <= 60 && leaves_out(rule.minutes, time.minute()) {
        Some((second / 60 + 1) * 60)
    } else if unit == 1 && leaves_out(rule.seconds, time.second()) {
        Some(second + 1)
    } else {
        None
    }
}

fn seconds_of(time: Time) -> i64 {
    i64::from(time.hour()) * 3_600 + i64::from(time.minute()) * 60 + i64::from(time.second())
}

fn time_of(second: i64) -> Option<Time> {
    let part = |value: i64| i8::try_from(value).ok();
    Time::new(
        part(second / 3_600)?,
        part(second / 60 % 60)?,
        part(second % 60)?,
        0,
    )
    .ok()
}
