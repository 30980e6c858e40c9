//! Validates rules in text form, finds their next instance, and splits them.

use std::ops::ControlFlow;

use adjutant_domain::moment::Moment;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::rule::{Frequency, InvalidRule, Rule, value_of};
use crate::series::{own_zone, placed, wall_clock};
use crate::work::Work;

/// Validates a rule that somebody wants to set and returns it in normal form, without `RRULE:`.
///
/// # Errors
/// Returns [`InvalidRule`] if the text is not a rule, repeats more often than hourly, or has no instance from `start`
/// on.
pub fn check(text: &str, start: &Moment) -> Result<String, InvalidRule> {
    let rule = Rule::parse(text)?;
    if rule.frequency() < Frequency::Hourly {
        return Err(InvalidRule(
            "it cannot repeat more often than every hour".into(),
        ));
    }
    if first_of(&rule, start).is_none() {
        return Err(InvalidRule("it contradicts itself or its first day".into()));
    }
    let upper = text.trim().to_ascii_uppercase();
    let bare = upper.strip_prefix("RRULE:").unwrap_or(&upper);
    Ok(bare.trim_end_matches(';').to_owned())
}

/// Returns the first date of a rule from `start` on, or `None` if it has none or is not a rule.
#[must_use]
pub fn first(text: &str, start: &Moment) -> Option<Moment> {
    first_of(&Rule::parse(text).ok()?, start)
}

/// Running out of work without an instance counts as having none.
fn first_of(rule: &Rule, start: &Moment) -> Option<Moment> {
    let mut found = None;
    let _ = visit(rule, start, wall_clock(start), |instance| {
        found = Some(instance);
        ControlFlow::Break(())
    });
    found
}

/// Returns the first instance after both `start` and `after`, with the rule that continues from there (`COUNT`
/// reduced), or `None` if there is no further one.
#[must_use]
pub fn next(
    text: &str,
    start: &Moment,
    after: Timestamp,
    zone: &TimeZone,
) -> Option<(Moment, String)> {
    let rule = Rule::parse(text).ok()?;
    let first = start.starts(zone);
    let begin = wall_clock(start);
    let from = if rule.is_counted() {
        begin
    } else {
        // A day of slack for clock changes.
        let own = own_zone(start).unwrap_or_else(|| zone.clone());
        after
            .to_zoned(own)
            .datetime()
            .saturating_sub(1.day())
            .max(begin)
    };
    let mut passed = 0_u32;
    let mut found = None;
    let _ = visit(&rule, start, from, |instance| {
        let at = instance.starts(zone);
        if at > first && at > after {
            found = Some(instance);
            return ControlFlow::Break(());
        }
        passed += 1;
        ControlFlow::Continue(())
    });
    found.map(|instance| (instance, lower_count(text, passed)))
}

/// Returns the rule shortened so that `instance` and everything after it are gone.
#[must_use]
pub fn until_before(rule: &str, instance: &Moment) -> String {
    let until = match instance {
        Moment::Day(day) => day
            .yesterday()
            .unwrap_or(*day)
            .strftime("%Y%m%d")
            .to_string(),
        Moment::At(at) => {
            // If there is at most one a day, none lies in the half day before, and an end then reads as the day before.
            let one_a_day = Rule::parse(rule).is_ok_and(|rule| rule.has_one_time());
            let back = if one_a_day { 12.hours() } else { 1.second() };
            let last = at.checked_sub(back).unwrap_or_else(|_| at.clone());
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

/// Returns the rule for the part from `instance` on: `COUNT` is reduced by the instances before it.
#[must_use]
pub fn rest_from(text: &str, start: &Moment, instance: &Moment, zone: &TimeZone) -> String {
    let Some(rule) = Rule::parse(text)
        .ok()
        .filter(|_| value_of(text, "COUNT").is_some())
    else {
        return text.to_owned();
    };
    let mut before = 0;
    let _ = visit(&rule, start, wall_clock(start), |one| {
        if one.starts(zone) >= instance.starts(zone) {
            return ControlFlow::Break(());
        }
        before += 1;
        ControlFlow::Continue(())
    });
    lower_count(text, before)
}

/// Calls `each` with the instances from a wall-clock time on, in order, until it breaks or the work budget of one
/// series is spent.
fn visit(
    rule: &Rule,
    start: &Moment,
    from: DateTime,
    mut each: impl FnMut(Moment) -> ControlFlow<()>,
) -> Result<(), crate::work::OutOfWork> {
    let zone = own_zone(start);
    rule.visit(
        wall_clock(start),
        zone.as_ref(),
        from..DateTime::MAX,
        &mut Work::default(),
        |at| placed(start, at).map_or(ControlFlow::Continue(()), &mut each),
    )
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
