//! Writes out time zones (VTIMEZONE), because not every server knows them by name.

use jiff::tz::{Dst, TimeZone, TimeZoneTransition};
use jiff::{Timestamp, ToSpan as _, civil};

use super::lines::{Component, Element, parameter};

/// Highest number of a zone's transitions that are examined to find its rule, or listed if it has none.
const CHANGES_MAX: usize = 24;
/// Highest number of zones one resource may name.
const ZONES_MAX: usize = 50;

/// Adds the zones that a calendar names but does not describe. `from` is when its first event begins.
pub(super) fn complete(calendar: &mut Component, from: Timestamp) {
    let described: Vec<String> = calendar
        .inside()
        .filter(|one| one.is("VTIMEZONE"))
        .flat_map(|one| {
            one.of("TZID")
                .map(|line| super::lines::split(line).1.to_owned())
        })
        .collect();
    let mut missing: Vec<String> = Vec::new();
    for component in calendar.inside().filter(|one| !one.is("VTIMEZONE")) {
        for name in component.lines().filter_map(|line| parameter(line, "TZID")) {
            let known = described.iter().chain(&missing).any(|one| one == name);
            if !known && missing.len() < ZONES_MAX {
                missing.push(name.to_owned());
            }
        }
    }
    let zones = missing.iter().filter_map(|name| described_as(name, from));
    let zones: Vec<Element> = zones.map(Element::Inside).collect();
    let first = calendar
        .parts
        .iter()
        .position(|part| matches!(part, Element::Inside(_)));
    let at = first.unwrap_or(calendar.parts.len());
    calendar.parts.splice(at..at, zones);
}

/// Describes a zone of the IANA database, beginning a year before `from`.
fn described_as(name: &str, from: Timestamp) -> Option<Component> {
    let zone = TimeZone::get(name).ok()?;
    let from = from.checked_sub(8766.hours()).ok()?;
    let mut described = Component::new("VTIMEZONE");
    described.parts.push(Element::Line(format!("TZID:{name}")));
    let before = zone.preceding(from).next();
    let first = match &before {
        Some(change) => observance(&zone, std::slice::from_ref(change))?,
        None => {
            let offset = zone.to_offset(from);
            let since = civil::date(1970, 1, 1).at(0, 0, 0, 0);
            part("STANDARD", since, offset.seconds(), offset.seconds())
        }
    };
    described.parts.push(Element::Inside(first));
    let changes: Vec<_> = zone.following(from).take(CHANGES_MAX).collect();
    for dst in [Dst::Yes, Dst::No] {
        let of_kind: Vec<_> = changes
            .iter()
            .filter(|one| one.dst() == dst)
            .cloned()
            .collect();
        if !of_kind.is_empty() {
            let part = observance(&zone, &of_kind)?;
            described.parts.push(Element::Inside(part));
        }
    }
    Some(described)
}

/// Describes transitions of one kind: by a yearly rule if they follow one, otherwise one by one.
fn observance(zone: &TimeZone, changes: &[TimeZoneTransition<'_>]) -> Option<Component> {
    let locals: Vec<civil::DateTime> = changes
        .iter()
        .filter_map(|one| Some(before(zone, one)?.to_datetime(one.timestamp())))
        .collect();
    let (first, start) = (changes.first()?, *locals.first()?);
    let name = match first.dst() {
        Dst::Yes => "DAYLIGHT",
        Dst::No => "STANDARD",
    };
    let from = before(zone, first)?.seconds();
    let mut part = part(name, start, from, first.offset().seconds());
    if let Some(rule) = rule(&locals) {
        part.parts.push(Element::Line(format!("RRULE:{rule}")));
    } else {
        for local in locals.iter().skip(1) {
            part.parts
                .push(Element::Line(format!("RDATE:{}", basic(*local))));
        }
    }
    Some(part)
}

/// Returns the offset before a transition.
fn before(zone: &TimeZone, change: &TimeZoneTransition<'_>) -> Option<jiff::tz::Offset> {
    let before = change.timestamp().checked_sub(1.second()).ok()?;
    Some(zone.to_offset(before))
}

fn part(name: &str, start: civil::DateTime, from: i32, to: i32) -> Component {
    let mut part = Component::new(name);
    let lines = [
        format!("DTSTART:{}", basic(start)),
        format!("TZOFFSETFROM:{}", offset(from)),
        format!("TZOFFSETTO:{}", offset(to)),
    ];
    part.parts.extend(lines.map(Element::Line));
    part
}

/// Returns the yearly rule that transitions follow, such as the n-th or the last weekday of a month; `None` if they
/// follow none.
fn rule(locals: &[civil::DateTime]) -> Option<String> {
    let first = locals.first().filter(|_| locals.len() > 2)?;
    let nth = |at: &civil::DateTime| (at.day() - 1) / 7 + 1;
    let is_last = |at: &civil::DateTime| at.day() + 7 > at.date().days_in_month();
    let follows = |at: &civil::DateTime| {
        at.month() == first.month() && at.weekday() == first.weekday() && at.time() == first.time()
    };
    let yearly = locals.windows(2).all(|pair| {
        pair.iter()
            .zip(pair.iter().skip(1))
            .all(|(one, next)| next.year() == one.year() + 1)
    });
    if !yearly || !locals.iter().all(follows) {
        return None;
    }
    let which = match () {
        () if locals.iter().all(is_last) => -1,
        () if locals.iter().all(|at| nth(at) == nth(first)) => nth(first),
        () => return None,
    };
    let weekday = first.weekday().to_monday_zero_offset();
    let day = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].get(usize::try_from(weekday).ok()?)?;
    let month = first.month();
    Some(format!("FREQ=YEARLY;BYMONTH={month};BYDAY={which}{day}"))
}

fn basic(at: civil::DateTime) -> String {
    at.strftime("%Y%m%dT%H%M%S").to_string()
}

fn offset(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}
