//! Turns a repetition into an RRULE of RFC 5545 and finds its first occurrence.

use super::Value;
use super::calendar::{self, add_days, midnight};
use super::find::zoned;
use super::lexicon::DayPart;
use super::model::{Clock, Moment};
use super::parse::set::{Freq, RecurrenceRule};
use super::resolve::{self, Context};
use super::settle;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Zoned};

/// Maximum number of days to search for the first occurrence: the longest gap of a rule that people say is eight years
/// (February 29).
const DAYS_SEARCHED: i64 = 366 * 9;
const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// Converts a rule to a value. Returns `None` if its start or end cannot be resolved, or if it ends before it starts.
pub(super) fn value(context: &Context<'_>, rule: &RecurrenceRule) -> Option<Value> {
    let rule = &settled(rule);
    let times = times(context, rule);
    let start = match &rule.starts {
        Some(moment) => Some(start_of(context, moment, times.first().copied())?),
        None => None,
    };
    let first = first(context, rule, start, &times);
    let zone = context.now.time_zone();
    let mut parts = vec![format!("FREQ={}", freq_name(rule.freq))];
    let mut add = |name: &str, list: Vec<String>| {
        if !list.is_empty() {
            parts.push(format!("{name}={}", list.join(",")));
        }
    };
    let mut days = rule.days.clone();
    days.sort_by_key(|d| (d.1, d.0));
    days.dedup();
    let mut hours: Vec<i8> = times.iter().map(|t| t.hour()).collect();
    let mut minutes: Vec<i8> = times.iter().map(|t| t.minute()).collect();
    for list in [&mut hours, &mut minutes] {
        list.sort_unstable();
        list.dedup();
    }
    let positions = if rule.set_positions.is_empty() {
        positions_of(rule, &times, &hours, &minutes)
    } else {
        rule.set_positions.clone()
    };
    add(
        "BYDAY",
        days.iter().map(|(n, d)| day_name(*n, *d)).collect(),
    );
    add("BYHOUR", hours.iter().map(ToString::to_string).collect());
    add(
        "BYMINUTE",
        minutes.iter().map(ToString::to_string).collect(),
    );
    add(
        "BYMONTH",
        rule.months.iter().map(ToString::to_string).collect(),
    );
    add(
        "BYMONTHDAY",
        rule.month_days.iter().map(ToString::to_string).collect(),
    );
    add(
        "BYSETPOS",
        positions.iter().map(ToString::to_string).collect(),
    );
    add(
        "BYYEARDAY",
        rule.year_days.iter().map(ToString::to_string).collect(),
    );
    add(
        "COUNT",
        rule.count.iter().map(ToString::to_string).collect(),
    );
    if rule.interval > 1 {
        add("INTERVAL", vec![rule.interval.to_string()]);
    }
    let from = start.map_or(context.at, |s| s);
    let timed = !times.is_empty() || rule.freq < Freq::Daily;
    if rule.count.is_none()
        && let Some(until) = until(context, rule, from, timed)?
    {
        add("UNTIL", vec![until]);
    }
    let first = match first {
        Some(at) => zoned(context, zone, at, &mut Vec::new()),
        None => None,
    };
    let start: Option<Zoned> = match start {
        Some(at) => zoned(context, zone, at, &mut Vec::new()),
        None => None,
    };
    Some(Value::Set {
        rrule: parts.join(";"),
        first,
        start,
        lasts: lasts(context, rule, &times),
    })
}

/// Returns how long each occurrence lasts, if the rule names one time of day and its end.
fn lasts(context: &Context<'_>, rule: &RecurrenceRule, times: &[Time]) -> Option<SignedDuration> {
    let ([from], true) = (times, rule.freq >= Freq::Daily) else {
        return None;
    };
    let to = time_of(context, rule, rule.clock_to.as_ref()?)?;
    let half_a_day = SignedDuration::from_hours(12);
    let length = from.duration_until(to);
    // "9 to 5": the end is in the afternoon.
    let length = match length.is_positive() {
        true => length,
        false => length + half_a_day,
    };
    length.is_positive().then_some(length)
}

/// Adjusts the frequency to the days that were said.
fn settled(rule: &RecurrenceRule) -> RecurrenceRule {
    let mut rule = rule.clone();
    let counted = rule.days.iter().any(|d| d.0 != 0);
    if !rule.days.is_empty() && !counted && rule.freq == Freq::Daily {
        rule.freq = Freq::Weekly;
    }
    if counted && rule.freq < Freq::Monthly {
        rule.freq = Freq::Monthly;
    }
    if !rule.month_days.is_empty() && rule.freq < Freq::Monthly {
        rule.freq = Freq::Monthly;
    }
    rule
}

fn freq_name(freq: Freq) -> &'static str {
    match freq {
        Freq::Secondly => "SECONDLY",
        Freq::Minutely => "MINUTELY",
        Freq::Hourly => "HOURLY",
        Freq::Daily => "DAILY",
        Freq::Weekly => "WEEKLY",
        Freq::Monthly => "MONTHLY",
        Freq::Yearly => "YEARLY",
    }
}

fn day_name(n: i32, day: u8) -> String {
    let name = WEEKDAYS[usize::from(day.clamp(1, 7)) - 1];
    if n == 0 {
        name.to_owned()
    } else {
        format!("{n}{name}")
    }
}

/// Resolves one clock time of a rule, with am or pm settled.
pub(super) fn time_of(context: &Context<'_>, rule: &RecurrenceRule, clock: &Clock) -> Option<Time> {
    let hour = settle::hour_alone(context, rule.part, clock) % 24;
    Time::new(hour as i8, clock.minute as i8, 0, 0).ok()
}

fn times(context: &Context<'_>, rule: &RecurrenceRule) -> Vec<Time> {
    let mut times: Vec<Time> = rule
        .clocks
        .iter()
        .filter_map(|c| time_of(context, rule, c))
        .collect();
    if let (Some(from), Some(to), true) = (
        times.first().copied(),
        &rule.clock_to,
        rule.freq <= Freq::Hourly,
    ) {
        let last = settle::hour_alone(context, rule.part, to);
        let last = if i32::from(last) < i32::from(from.hour()) && last + 12 < 24 {
            last + 12
        } else {
            last
        };
        times = (from.hour()..=(last.min(23) as i8))
            .filter_map(|h| Time::new(h, 0, 0, 0).ok())
            .collect();
    }
    if times.is_empty()
        && let Some(part) = rule.part
    {
        let hours = resolve::hours(context.policy, part);
        // "every night" means the middle of the hours of the night, not their beginning.
        let hour = if part == DayPart::Night {
            (hours.from + hours.to) / 2 % 24
        } else {
            hours.from
        };
        times.extend(Time::new(hour as i8, 0, 0, 0).ok());
    }
    times.sort_unstable();
    times.dedup();
    times
}

/// Returns BYSETPOS values that pick the times of the rule. BYHOUR and BYMINUTE multiply: "at 9 and at 17:30" is four
/// times a day, of which BYSETPOS picks two. Returns no values if all combinations are meant, or if the rule is neither
/// daily nor weekly.
fn positions_of(rule: &RecurrenceRule, times: &[Time], hours: &[i8], minutes: &[i8]) -> Vec<i32> {
    if hours.len() * minutes.len() == times.len() || rule.clock_to.is_some() {
        return Vec::new();
    }
    let days = match rule.freq {
        Freq::Daily => 1,
        Freq::Weekly => rule.days.len().max(1),
        _ => return Vec::new(),
    };
    let all: Vec<Time> = hours
        .iter()
        .flat_map(|h| minutes.iter().filter_map(|m| Time::new(*h, *m, 0, 0).ok()))
        .collect();
    let mut picked = Vec::new();
    for day in 0..days {
        for (n, at) in all.iter().enumerate() {
            if times.contains(at) {
                picked.push((day * all.len() + n + 1) as i32);
            }
        }
    }
    picked
}

fn start_of(context: &Context<'_>, moment: &Moment, time: Option<Time>) -> Option<DateTime> {
    let stretch = resolve::moment(context, moment)?;
    Some(match time {
        Some(time) if moment.clock.is_none() => stretch.start.date().to_datetime(time),
        _ => stretch.start,
    })
}

/// Returns UNTIL: a date, or an instant in UTC if the rule has clock times (RFC 5545, 3.3.10). A stretch such as "until
/// March" ends with its first day. Returns `Some(None)` if the rule has no end, and `None` if the end cannot be
/// resolved or precedes `from`.
fn until(
    context: &Context<'_>,
    rule: &RecurrenceRule,
    from: DateTime,
    timed: bool,
) -> Option<Option<String>> {
    let last = if let Some(moment) = &rule.until {
        let stretch = resolve::moment(context, moment)?;
        if stretch.start < from.date().to_datetime(Time::midnight()) {
            return None;
        }
        if stretch.grain < super::Grain::Day {
            stretch.start
        } else {
            stretch.start.date().at(23, 59, 59, 0)
        }
    } else if let Some(amount) = &rule.lasts {
        let steps = calendar::steps(amount)?;
        let date = add_days(calendar::add_months(from.date(), steps.months)?, steps.days)?;
        date.at(23, 59, 59, 0)
    } else {
        return Some(None);
    };
    if !timed {
        return Some(Some(last.date().strftime("%Y%m%d").to_string()));
    }
    let at = zoned(context, context.now.time_zone(), last, &mut Vec::new())?;
    Some(Some(
        at.with_time_zone(TimeZone::UTC)
            .strftime("%Y%m%dT%H%M%SZ")
            .to_string(),
    ))
}

/// Returns the first time that the rule fits, at or after its start, or else at or after now.
fn first(
    context: &Context<'_>,
    rule: &RecurrenceRule,
    start: Option<DateTime>,
    times: &[Time],
) -> Option<DateTime> {
    let from = start.unwrap_or(context.at);
    if rule.freq < Freq::Daily {
        return Some(from);
    }
    let free = rule.days.is_empty()
        && rule.month_days.is_empty()
        && rule.year_days.is_empty()
        && rule.months.is_empty();
    let mut date = from.date();
    for _ in 0..DAYS_SEARCHED {
        if free || day_fits(rule, date, from.date()) {
            let at = |time: &Time| date.to_datetime(*time);
            if times.is_empty() {
                return Some(midnight(date));
            }
            if let Some(found) = times.iter().map(at).find(|t| *t >= from) {
                return Some(found);
            }
        }
        date = add_days(date, 1)?;
    }
    None
}

fn day_fits(rule: &RecurrenceRule, date: Date, from: Date) -> bool {
    let weekday = calendar::weekday(date);
    if !rule.months.is_empty() && !rule.months.contains(&(date.month() as u8)) {
        return false;
    }
    let in_month = |n: i32| {
        if n > 0 {
            i32::from(date.day()) == n
        } else {
            i32::from(date.day()) - i32::from(date.days_in_month()) - 1 == n
        }
    };
    let in_year = |n: i32| {
        if n > 0 {
            i32::from(date.day_of_year()) == n
        } else {
            i32::from(date.day_of_year()) - i32::from(date.days_in_year()) - 1 == n
        }
    };
    if !rule.month_days.is_empty() && !rule.month_days.iter().any(|n| in_month(*n)) {
        return false;
    }
    if !rule.year_days.is_empty() && !rule.year_days.iter().any(|n| in_year(*n)) {
        return false;
    }
    if !rule.set_positions.is_empty() {
        let first = calendar::add_work_days(add_days(date.first_of_month(), -1).unwrap_or(date), 1);
        let last = add_days(date.last_of_month(), 1).and_then(|d| calendar::add_work_days(d, -1));
        return rule.set_positions.iter().any(|n| {
            if *n > 0 {
                first == Some(date)
            } else {
                last == Some(date)
            }
        });
    }
    if !rule.days.is_empty() {
        let yearly = rule.freq == Freq::Yearly && rule.months.is_empty();
        let (index, length) = if yearly {
            (date.day_of_year(), date.days_in_year())
        } else {
            (i16::from(date.day()), i16::from(date.days_in_month()))
        };
        let forward = i32::from((index - 1) / 7 + 1);
        let backward = -i32::from((length - index) / 7 + 1);
        return rule
            .days
            .iter()
            .any(|(n, d)| *d == weekday && (*n == 0 || *n == forward || *n == backward));
    }
    // Only months are named: their first day, or the day of the start.
    rule.month_days.len() + rule.year_days.len() > 0 || date.day() == 1 || date == from
}
