//! Repetition: stepping RFC 5545 rules, cutting them in two, and saying them in words. Rules run over local time and
//! are then placed in their zone, so that "every day at 9" stays at 9 when the clocks change. `chrono` appears here
//! only because the rule library wants it.

mod said;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::moment::Moment;
use chrono::{Datelike, NaiveDate, Timelike};
use jiff::civil;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use std::ops::ControlFlow;

pub use said::in_words;

/// Instances looked at before a rule counts as exhausted: 50 years of every day.
const INSTANCES_MAX: usize = 20_000;
/// Characters of a rule.
const RULE_CHARS_MAX: usize = 500;

/// Checks a rule and writes it in its usual form, without `RRULE:`.
///
/// # Errors
/// When it is no rule, or repeats more often than every hour.
pub fn check(rule: &str, start: &Moment) -> Result<String, ToolFault> {
    let bad = |reason: &str| ToolFault::BadArguments {
        reason: format!(
            "“{}” is not a repetition: {reason}",
            crate::words::cut(rule, 80)
        ),
    };
    if rule.len() > RULE_CHARS_MAX {
        return Err(bad("it is too long"));
    }
    let bare = rule.trim();
    let bare = bare
        .strip_prefix("RRULE:")
        .or_else(|| bare.strip_prefix("rrule:"))
        .unwrap_or(bare)
        .trim_end_matches(';')
        .to_ascii_uppercase();
    match part(&bare, "FREQ") {
        Some("DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY" | "HOURLY") => {}
        Some("MINUTELY" | "SECONDLY") => return Err(bad("every hour is the most often")),
        _ => return Err(bad("it does not say how often")),
    }
    if build(&bare, start).is_none() {
        return Err(bad("it contradicts itself or its first day"));
    }
    Ok(bare)
}

/// The first instance after `start` that lies after `after`, with the rule that goes on from there (`COUNT` goes
/// down). `None` when there is no further one.
#[must_use]
pub fn next(
    rule: &str,
    start: &Moment,
    after: Timestamp,
    zone: &TimeZone,
) -> Option<(Moment, String)> {
    let first = start.starts(zone);
    let mut passed = 0_u32;
    let mut found = None;
    visit(rule, start, |instance| {
        let at = instance.starts(zone);
        if at > first && at > after {
            found = Some(instance);
            return ControlFlow::Break(());
        }
        passed += 1;
        ControlFlow::Continue(())
    });
    found.map(|instance| (instance, lower_count(rule, passed)))
}

/// Shows the instances of a rule in order until told to stop, at most [`INSTANCES_MAX`].
fn visit(rule: &str, start: &Moment, mut each: impl FnMut(Moment) -> ControlFlow<()>) {
    let (_, zone) = local(start);
    let Some(set) = build(rule, start) else {
        return;
    };
    for at in (&set).into_iter().take(INSTANCES_MAX) {
        if let Some(instance) = place(from_chrono(&at), zone.as_ref())
            && each(instance).is_break()
        {
            return;
        }
    }
}

/// The rule cut so that `instance` and everything after it is gone.
#[must_use]
pub fn until_before(rule: &str, instance: &Moment) -> String {
    let until = match instance {
        Moment::Day(day) => day
            .yesterday()
            .unwrap_or(*day)
            .strftime("%Y%m%d")
            .to_string(),
        Moment::At(at) => {
            let last = at.checked_sub(1.second()).unwrap_or_else(|_| at.clone());
            last.with_time_zone(TimeZone::UTC)
                .strftime("%Y%m%dT%H%M%SZ")
                .to_string()
        }
    };
    let mut parts: Vec<&str> = rule
        .split(';')
        .filter(|part| !part.starts_with("COUNT=") && !part.starts_with("UNTIL="))
        .collect();
    let until = format!("UNTIL={until}");
    parts.push(&until);
    parts.join(";")
}

/// The rule for the part that begins at `instance`: `COUNT` without the instances before it.
#[must_use]
pub fn rest_from(rule: &str, start: &Moment, instance: &Moment, zone: &TimeZone) -> String {
    if part(rule, "COUNT").is_none() {
        return rule.to_owned();
    }
    let mut before = 0;
    visit(rule, start, |one| {
        if one.starts(zone) >= instance.starts(zone) {
            return ControlFlow::Break(());
        }
        before += 1;
        ControlFlow::Continue(())
    });
    lower_count(rule, before)
}

/// The value of one part of a rule.
#[must_use]
pub fn part<'a>(rule: &'a str, name: &str) -> Option<&'a str> {
    rule.split(';')
        .find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

fn lower_count(rule: &str, by: u32) -> String {
    rule.split(';')
        .map(|part| {
            match part
                .strip_prefix("COUNT=")
                .and_then(|count| count.parse::<u32>().ok())
            {
                Some(count) => format!("COUNT={}", count.saturating_sub(by).max(1)),
                None => part.to_owned(),
            }
        })
        .collect::<Vec<_>>()
        .join(";")
}

fn build(rule: &str, start: &Moment) -> Option<rrule::RRuleSet> {
    let (at, zone) = local(start);
    floating_until(rule, zone.as_ref())
        .parse::<rrule::RRule<rrule::Unvalidated>>()
        .ok()?
        .build(to_chrono(at)?)
        .ok()
        .map(rrule::RRuleSet::limit)
}

/// Local time and zone; a day is midnight without a zone.
fn local(moment: &Moment) -> (civil::DateTime, Option<TimeZone>) {
    match moment {
        Moment::Day(day) => (day.at(0, 0, 0, 0), None),
        Moment::At(at) => (at.datetime(), Some(at.time_zone().clone())),
    }
}

fn place(at: civil::DateTime, zone: Option<&TimeZone>) -> Option<Moment> {
    match zone {
        None => Some(Moment::Day(at.date())),
        Some(zone) => at.to_zoned(zone.clone()).ok().map(Moment::At),
    }
}

fn to_chrono(at: civil::DateTime) -> Option<chrono::DateTime<rrule::Tz>> {
    let part = |value: i8| u32::try_from(value).ok();
    NaiveDate::from_ymd_opt(i32::from(at.year()), part(at.month())?, part(at.day())?)?
        .and_hms_opt(part(at.hour())?, part(at.minute())?, part(at.second())?)?
        .and_local_timezone(rrule::Tz::UTC)
        .single()
}

fn from_chrono(at: &chrono::DateTime<rrule::Tz>) -> civil::DateTime {
    let part = |value: u32| i8::try_from(value).unwrap_or(1);
    civil::DateTime::new(
        i16::try_from(at.year()).unwrap_or(i16::MAX),
        part(at.month()),
        part(at.day()),
        part(at.hour()),
        part(at.minute()),
        part(at.second()),
        0,
    )
    .unwrap_or(civil::DateTime::MAX)
}

/// An `UNTIL` in UTC becomes the local time it means; a date becomes the end of that day.
fn floating_until(rule: &str, zone: Option<&TimeZone>) -> String {
    rule.split(';')
        .map(|part| match part.strip_prefix("UNTIL=") {
            None => part.to_owned(),
            Some(day) if day.len() == 8 => format!("UNTIL={day}T235959Z"),
            Some(value) => {
                let bare = value.trim_end_matches('Z');
                let at = zone
                    .filter(|_| value.ends_with('Z'))
                    .and_then(|zone| utc_to_local(bare, zone));
                format!("UNTIL={}Z", at.unwrap_or_else(|| bare.to_owned()))
            }
        })
        .collect::<Vec<_>>()
        .join(";")
}

fn utc_to_local(text: &str, zone: &TimeZone) -> Option<String> {
    let utc = civil::DateTime::strptime("%Y%m%dT%H%M%S", text).ok()?;
    let at = utc.to_zoned(TimeZone::UTC).ok()?;
    Some(
        at.with_time_zone(zone.clone())
            .strftime("%Y%m%dT%H%M%S")
            .to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    #[test]
    fn the_next_one_keeps_its_hour_when_clocks_change() {
        let zone = TimeZone::get("Europe/Berlin").expect("a zone");
        let start = moment("2026-03-28T09:00:00+01:00[Europe/Berlin]");
        let after = start.starts(&zone);
        let (next, _) = next("FREQ=DAILY", &start, after, &zone).expect("a next one");
        assert_eq!(next, moment("2026-03-29T09:00:00+02:00[Europe/Berlin]"));
    }

    #[test]
    fn counts_go_down_and_end() {
        let zone = TimeZone::UTC;
        let start = moment("2026-01-05");
        let monday = start.starts(&zone);
        let (second, rule) = next("FREQ=WEEKLY;COUNT=3", &start, monday, &zone).expect("second");
        assert_eq!(
            (second.clone(), rule.as_str()),
            (moment("2026-01-12"), "FREQ=WEEKLY;COUNT=2")
        );
        let (third, rule) = next(&rule, &second, second.starts(&zone), &zone).expect("third");
        assert_eq!(rule, "FREQ=WEEKLY;COUNT=1");
        assert_eq!(next(&rule, &third, third.starts(&zone), &zone), None);
    }

    #[test]
    fn an_overdue_one_moves_past_now() {
        let zone = TimeZone::UTC;
        let start = moment("2026-01-05");
        let now = moment("2026-01-20").starts(&zone);
        let (next, _) = next("FREQ=WEEKLY", &start, now, &zone).expect("next");
        assert_eq!(next, moment("2026-01-26"));
    }

    #[test]
    fn rules_are_cut_before_an_instance() {
        assert_eq!(
            until_before(
                "FREQ=DAILY;COUNT=9",
                &moment("2026-01-12T09:00:00-05:00[America/New_York]")
            ),
            "FREQ=DAILY;UNTIL=20260112T135959Z"
        );
        assert_eq!(
            until_before("FREQ=DAILY", &moment("2026-03-01")),
            "FREQ=DAILY;UNTIL=20260228"
        );
        let start = moment("2026-01-01");
        assert_eq!(
            rest_from(
                "FREQ=DAILY;COUNT=9",
                &start,
                &moment("2026-01-04"),
                &TimeZone::UTC
            ),
            "FREQ=DAILY;COUNT=6"
        );
        let cut = until_before("FREQ=DAILY", &moment("2026-01-04"));
        let mut left = 0;
        visit(&cut, &start, |_| {
            left += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(left, 3);
    }

    #[test]
    fn bad_rules_are_refused() {
        let start = moment("2026-01-05");
        for rule in [
            "",
            "every day",
            "FREQ=SECONDLY",
            "FREQ=WEEKLY;BYDAY=XX",
            "FREQ=DAILY;INTERVAL=-1",
        ] {
            assert!(check(rule, &start).is_err(), "{rule}");
        }
        assert_eq!(
            check("RRULE:freq=weekly;byday=mo;", &start).as_deref(),
            Ok("FREQ=WEEKLY;BYDAY=MO")
        );
    }
}
