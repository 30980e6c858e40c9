//! Stepping, checking and cutting rules as they are written.

use std::ops::ControlFlow;

use adjutant_domain::moment::Moment;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::rule::{Frequency, InvalidRule, Rule, value_of};
use crate::series::{own_zone, placed, wall_clock};
use crate::work::Work;

/// Checks a rule that somebody wants to set, and gives its usual form, without `RRULE:`.
///
/// # Errors
/// When it is none, repeats more often than every hour, or has no instance from `start` on.
pub fn check(text: &str, start: &Moment) -> Result<String, InvalidRule> {
    let rule = Rule::parse(text)?;
    if rule.frequency() < Frequency::Hourly {
        return Err(InvalidRule("every hour is the most often".into()));
    }
    let mut has_one = false;
    // Out of work without one: whatever it says, it does not say when.
    let _ = visit(&rule, start, wall_clock(start), |_| {
        has_one = true;
        ControlFlow::Break(())
    });
    if !has_one {
        return Err(InvalidRule("it contradicts itself or its first day".into()));
    }
    let upper = text.trim().to_ascii_uppercase();
    let bare = upper.strip_prefix("RRULE:").unwrap_or(&upper);
    Ok(bare.trim_end_matches(';').to_owned())
}

/// The first instance after `start` that lies after `after`, with the rule that goes on from there (`COUNT` goes
/// down). `None` when there is no further one.
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
        // A day of slack for changes of clocks.
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

/// Shows the instances from a wall-clock time on, in order, until told to stop or the work of one series is spent.
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
