//! Instances of recurring events (RFC 5545 rules over local time, then placed in the event's zone).

use adjutant_domain::moment::Moment;
use adjutant_domain::record::Event;
use chrono::{Datelike, NaiveDate, Timelike};
use jiff::civil;
use jiff::tz::TimeZone;

/// Instances looked at for one event.
const INSTANCES_MAX: usize = 20_000;

/// Starts of all instances before `end` (local time of the event), exceptions and exdates not yet removed.
pub(crate) fn starts(event: &Event, end: civil::DateTime) -> Vec<Moment> {
    let mut found = match &event.rrule {
        Some(rule) => expand(rule, &event.start, end),
        None => vec![event.start.clone()],
    };
    for extra in &event.rdates {
        if !found.contains(extra) {
            found.push(extra.clone());
        }
    }
    found
}

fn expand(rule: &str, start: &Moment, end: civil::DateTime) -> Vec<Moment> {
    let (local, zone) = local(start);
    let Some(first) = to_chrono(local) else {
        return vec![start.clone()];
    };
    let Ok(unchecked) =
        floating_until(rule, zone.as_ref()).parse::<rrule::RRule<rrule::Unvalidated>>()
    else {
        return vec![start.clone()];
    };
    let Ok(set) = unchecked.build(first) else {
        return vec![start.clone()];
    };
    (&set)
        .into_iter()
        .take(INSTANCES_MAX)
        .map(|at| from_chrono(&at))
        .take_while(|at| *at < end)
        .filter_map(|at| place(at, zone.as_ref()))
        .collect()
}

/// Local time and zone of a moment; a day is midnight without a zone.
pub(crate) fn local(moment: &Moment) -> (civil::DateTime, Option<TimeZone>) {
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
    let day = NaiveDate::from_ymd_opt(
        i32::from(at.year()),
        u32::try_from(at.month()).ok()?,
        u32::try_from(at.day()).ok()?,
    )?;
    let local = day.and_hms_opt(
        u32::try_from(at.hour()).ok()?,
        u32::try_from(at.minute()).ok()?,
        u32::try_from(at.second()).ok()?,
    )?;
    local.and_local_timezone(rrule::Tz::UTC).single()
}

fn from_chrono(at: &chrono::DateTime<rrule::Tz>) -> civil::DateTime {
    let part = |value: u32| i8::try_from(value).unwrap_or(1);
    civil::DateTime::new(
        i16::try_from(at.year()).unwrap_or(1),
        part(at.month()),
        part(at.day()),
        part(at.hour()),
        part(at.minute()),
        part(at.second()),
        0,
    )
    .unwrap_or(civil::DateTime::MAX)
}

/// An UNTIL in UTC becomes the local time it means; a date becomes the end of that day.
fn floating_until(rule: &str, zone: Option<&TimeZone>) -> String {
    rule.split(';')
        .map(|part| {
            let Some(value) = part.strip_prefix("UNTIL=") else {
                return part.to_owned();
            };
            if value.len() == 8 {
                return format!("UNTIL={value}T235959Z");
            }
            let bare = value.trim_end_matches('Z');
            let local = zone
                .filter(|_| value.ends_with('Z'))
                .and_then(|zone| {
                    let utc = civil::DateTime::strptime("%Y%m%dT%H%M%S", bare).ok()?;
                    let at = utc.to_zoned(TimeZone::UTC).ok()?;
                    Some(at.with_time_zone(zone.clone()).datetime())
                })
                .map(|at| at.strftime("%Y%m%dT%H%M%S").to_string());
            format!("UNTIL={}Z", local.unwrap_or_else(|| bare.to_owned()))
        })
        .collect::<Vec<_>>()
        .join(";")
}
