//! Recurrence rules. The only place that speaks `chrono`, because the rule library does.
//!
//! A rule runs on wall-clock time, as RFC 5545 wants it, and knows nothing of zones: 9:00 stays 9:00 on both sides of
//! a change of clocks. The caller puts the zone back on.

use std::panic::catch_unwind;

use chrono::{Datelike as _, NaiveDate, TimeZone as _, Timelike as _};
use jiff::civil::{self, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan as _};
use rrule::{Frequency, RRule, RRuleSet, Tz, Unvalidated};

/// Longest rule that is looked at, in bytes.
const RULE_BYTES_MAX: usize = 2_000;
/// How often the beginning is moved back until it falls on a day that exists.
const TRIES_MAX: i64 = 40;

/// A rule that cannot be followed, with the reason.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BrokenRule(pub(crate) String);

/// A rule that was read, not yet bound to a beginning.
#[derive(Debug)]
pub(crate) struct Rule {
    parsed: RRule<Unvalidated>,
    until: Option<Until>,
}

/// The last instant a rule allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// UTC.
    Utc(DateTime),
    /// In the zone of the event, or in none.
    Local(DateTime),
}

impl Rule {
    /// Reads a rule with or without `RRULE:` before it.
    pub(crate) fn read(text: &str) -> Result<Self, BrokenRule> {
        if text.len() > RULE_BYTES_MAX {
            return Err(BrokenRule("it is too long".into()));
        }
        let upper = text.trim().to_ascii_uppercase();
        let mut until = None;
        let mut parts = Vec::new();
        for part in upper.strip_prefix("RRULE:").unwrap_or(&upper).split(';') {
            let part = part.trim();
            if let Some(value) = part.strip_prefix("UNTIL=") {
                until = Some(read_until(value)?);
            } else if !part.is_empty() && !part.starts_with("X-") {
                parts.push(part);
            }
        }
        let text = parts.join(";");
        let parsed = guarded(|| text.parse::<RRule<Unvalidated>>())?
            .map_err(|error| BrokenRule(error.to_string()))?;
        if parsed.get_interval() == 0 {
            return Err(BrokenRule("its interval is 0".into()));
        }
        Ok(Self { parsed, until })
    }

    /// Whether it ends by itself after a number of instances.
    pub(crate) fn is_counted(&self) -> bool {
        self.parsed.get_count().is_some()
    }

    /// The last wall-clock time it allows, where it says so.
    pub(crate) fn until(&self, zone: Option<&TimeZone>) -> Option<DateTime> {
        Some(match (self.until?, zone) {
            (Until::Utc(at), Some(zone)) => at
                .to_zoned(TimeZone::UTC)
                .map_or(at, |at| at.with_time_zone(zone.clone()).datetime()),
            (Until::Utc(at) | Until::Local(at), _) => at,
        })
    }

    /// Wall-clock times of instances from `from` (about: some may be earlier) up to `to`, at most `limit`.
    /// The second value says whether there would have been more.
    pub(crate) fn starts(
        &self,
        start: DateTime,
        zone: Option<&TimeZone>,
        from: DateTime,
        to: DateTime,
        limit: usize,
    ) -> Result<(Vec<DateTime>, bool), BrokenRule> {
        let begin = if self.is_counted() {
            start
        } else {
            forward(
                start,
                self.parsed.get_freq(),
                self.parsed.get_interval(),
                from,
            )
        };
        let until = self.until(zone);
        let to = until.map_or(to, |until| to.min(until.saturating_add(1.second())));
        let first = to_chrono(begin).ok_or_else(|| BrokenRule("it begins out of range".into()))?;
        let rule = self.parsed.clone();
        guarded(move || {
            let rule = rule
                .validate(first)
                .map_err(|error| BrokenRule(error.to_string()))?;
            let mut found = Vec::new();
            for instance in &RRuleSet::new(first).rrule(rule).limit() {
                let Some(at) = from_chrono(instance, start) else {
                    break;
                };
                if at >= to {
                    return Ok((found, false));
                }
                if at < from {
                    continue;
                }
                if found.len() >= limit {
                    return Ok((found, true));
                }
                found.push(at);
            }
            Ok((found, false))
        })?
    }
}

/// The library asserts what it believes about dates; a hostile rule must not take the process along.
fn guarded<T>(run: impl FnOnce() -> T + std::panic::UnwindSafe) -> Result<T, BrokenRule> {
    catch_unwind(run).map_err(|_| BrokenRule("it cannot be worked out".into()))
}

fn read_until(text: &str) -> Result<Until, BrokenRule> {
    let broken = || BrokenRule(format!("it ends at “{text}”, which is no time"));
    let (text, utc) = match text.strip_suffix('Z') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let number = |from: usize, to: usize| -> Option<i16> { text.get(from..to)?.parse().ok() };
    let small = |from: usize, to: usize| number(from, to).and_then(|n| i8::try_from(n).ok());
    let date = || civil::Date::new(number(0, 4)?, small(4, 6)?, small(6, 8)?).ok();
    let date = date().ok_or_else(broken)?;
    let time = match text.len() {
        // A date means "that day too".
        8 => civil::Time::constant(23, 59, 59, 0),
        15 if text.as_bytes()[8] == b'T' => {
            let time =
                || civil::Time::new(small(9, 11)?, small(11, 13)?, small(13, 15)?.min(59), 0).ok();
            time().ok_or_else(broken)?
        }
        _ => return Err(broken()),
    };
    let at = date.to_datetime(time);
    Ok(if utc && text.len() == 15 {
        Until::Utc(at)
    } else {
        Until::Local(at)
    })
}

/// Moves a beginning towards `target` by whole periods, so that a rule of many years need not be walked from its first
/// day. The moved beginning has the same day of the month, weekday or time as the real one, whichever the rule needs.
fn forward(start: DateTime, freq: Frequency, interval: u16, target: DateTime) -> DateTime {
    let Ok(gap) = start.until(target) else {
        return start;
    };
    if gap.is_negative() || gap.is_zero() {
        return start;
    }
    let interval = i64::from(interval);
    let seconds = |each: i64| {
        let gap = start.duration_until(target).as_secs();
        let periods = gap / (each * interval) - 1;
        (periods > 0)
            .then(|| Span::new().try_seconds(periods * each * interval).ok())
            .flatten()
            .and_then(|span| start.checked_add(span).ok())
    };
    let moved = match freq {
        Frequency::Secondly => seconds(1),
        Frequency::Minutely => seconds(60),
        Frequency::Hourly => seconds(3_600),
        Frequency::Daily => seconds(86_400),
        Frequency::Weekly => seconds(7 * 86_400),
        Frequency::Monthly => months(start, interval, target),
        Frequency::Yearly => months(start, 12 * interval, target),
    };
    moved.unwrap_or(start)
}

fn months(start: DateTime, each: i64, target: DateTime) -> Option<DateTime> {
    let gap = (i64::from(target.year()) - i64::from(start.year())) * 12
        + (i64::from(target.month()) - i64::from(start.month()));
    let periods = gap / each - 1;
    // Not every month has a 31st, not every year a 29 February: go back until the day exists.
    (0..TRIES_MAX)
        .map(|back| periods - back)
        .take_while(|periods| *periods > 0)
        .find_map(|periods| {
            let moved = start.checked_add((periods * each).months()).ok()?;
            (moved.day() == start.day()).then_some(moved)
        })
}

fn to_chrono(at: DateTime) -> Option<chrono::DateTime<Tz>> {
    let part = |n: i8| u32::try_from(n).ok();
    let date = NaiveDate::from_ymd_opt(at.year().into(), part(at.month())?, part(at.day())?)?;
    let time = date.and_hms_opt(part(at.hour())?, part(at.minute())?, part(at.second())?)?;
    Some(Tz::UTC.from_utc_datetime(&time))
}

/// Back, with the fraction of a second that the beginning has and the library leaves out.
fn from_chrono(at: chrono::DateTime<Tz>, start: DateTime) -> Option<DateTime> {
    let part = |n: u32| i8::try_from(n).ok();
    DateTime::new(
        i16::try_from(at.year()).ok()?,
        part(at.month())?,
        part(at.day())?,
        part(at.hour())?,
        part(at.minute())?,
        part(at.second())?,
        start.subsec_nanosecond(),
    )
    .ok()
}
