//! iCalendar: VEVENT becomes an event, VTODO a task. One bad component never stops the others.

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Attendee, Event, Kind, Record};
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarEntry, ICalendarParameterName,
    ICalendarProperty, ICalendarStatus, ICalendarTransparency, ICalendarValue,
};
use calcard::{Entry, Parser};
use jiff::ToSpan as _;

use super::ical_time::Zones;
use super::text::BadLines;
use super::{Incoming, Item, Items, Refused, Seed, ical_task, line};

/// Highest number of characters kept of a title.
const TITLE_CHARS_MAX: usize = 1000;
/// Highest number of characters kept of a description.
const TEXT_CHARS_MAX: usize = 100_000;
/// Highest number kept of guests, and of single dates (EXDATE, RDATE).
const LIST_MAX: usize = 2000;

pub(super) fn read(text: &str, file: &str, seed: &Seed) -> Items {
    let mut items = Vec::new();
    let refuse = |item: String, reason: String| {
        Err(Refused {
            file: file.to_owned(),
            item,
            reason,
        })
    };
    if !text.to_ascii_uppercase().contains("BEGIN:V") {
        return Box::new(std::iter::once(refuse(
            "file".into(),
            "holds no calendar".into(),
        )));
    }
    let mut parser = Parser::new(text);
    let mut calendars = 0;
    let mut bad = BadLines::new("a line of a calendar");
    loop {
        let entry = parser.entry();
        if let Entry::InvalidLine(line) = &entry {
            bad.add(line);
            continue;
        }
        if let Some((first, reason)) = bad.end() {
            items.push(refuse(first, reason));
        }
        match entry {
            Entry::ICalendar(calendar) => {
                calendars += 1;
                calendar_items(&calendar, file, seed, &mut items);
            }
            Entry::VCard(_) => items.push(refuse(
                "card".into(),
                "is an address card, not an event; import it as .vcf".into(),
            )),
            Entry::UnexpectedComponentEnd { .. } => {
                items.push(refuse(
                    "component".into(),
                    "ends where it did not begin".into(),
                ));
            }
            Entry::UnterminatedComponent(name) => {
                items.push(refuse(line(&name, 60), "is cut off before its end".into()));
            }
            Entry::TooManyComponents => {
                items.push(refuse(
                    "calendar".into(),
                    "holds too many components".into(),
                ));
                break;
            }
            // Future versions of the library may know more kinds of entries; none of them is an event.
            _ => break,
        }
    }
    // The parser is lenient: when a file is cut off, it returns what it has, and the last event may lack its end, its
    // rule or its guests. Half an event is worse than none.
    if calendars > 0 && !is_whole(text) {
        items.pop();
        items.push(refuse(
            "last event".into(),
            "is cut off before its end; get the file again".into(),
        ));
    }
    if calendars == 0 && items.is_empty() {
        items.push(refuse("file".into(), "holds no calendar".into()));
    }
    Box::new(items.into_iter())
}

/// Whether a text ends what it began with, usually a VCALENDAR.
fn is_whole(text: &str) -> bool {
    let marks = text.lines().filter_map(|line| {
        let (mark, name) = line.trim_end().split_once(':')?;
        let begins = mark.eq_ignore_ascii_case("BEGIN");
        (begins || mark.eq_ignore_ascii_case("END")).then_some((begins, name))
    });
    let mut marks = marks.peekable();
    let first = marks.peek().copied();
    match (first, marks.last()) {
        (Some((true, first)), Some((false, last))) => first.eq_ignore_ascii_case(last),
        _ => false,
    }
}

fn calendar_items(calendar: &ICalendar, file: &str, seed: &Seed, items: &mut Vec<Item>) {
    let zones = Zones::new(calendar, seed.now.time_zone().clone());
    let name = calendar
        .components
        .first()
        .and_then(|top| property_text(top, &ICalendarProperty::Other("X-WR-CALNAME".into())))
        .unwrap_or_else(|| stem(file));
    for component in &calendar.components {
        let read = match component.component_type {
            ICalendarComponentType::VEvent => {
                event(component, &zones, &name, seed).map(Record::Event)
            }
            ICalendarComponentType::VTodo => {
                ical_task::task(component, calendar, &zones, seed).map(Record::Task)
            }
            _ => continue,
        };
        items.push(match read {
            Ok(record) => Ok(Incoming {
                record,
                raw: None,
                provenance: None,
            }),
            Err(reason) => Err(Refused {
                file: file.to_owned(),
                item: component
                    .uid()
                    .map(|uid| line(uid, 100))
                    .or_else(|| property_text(component, &ICalendarProperty::Summary))
                    .unwrap_or_else(|| "event without UID".into()),
                reason,
            }),
        });
    }
}

fn stem(file: &str) -> String {
    std::path::Path::new(file).file_stem().map_or_else(
        || "calendar".into(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn event(
    component: &ICalendarComponent,
    zones: &Zones<'_>,
    calendar: &str,
    seed: &Seed,
) -> Result<Event, String> {
    let start = zones.moment_of(
        component
            .property(&ICalendarProperty::Dtstart)
            .ok_or("has no start")?,
    )?;
    let end = event_end(component, zones, &start)?;
    let summary = property_text(component, &ICalendarProperty::Summary)
        .unwrap_or_else(|| "(no title)".into());
    let uid = match component.uid() {
        Some(uid) if !uid.trim().is_empty() => line(uid, TITLE_CHARS_MAX),
        // Without a UID, a hash of the content identifies the event, so that a second import recognises it.
        _ => adjutant_domain::canonical::sha256(format!("{summary}\n{start}\n{end}").as_bytes()).0,
    };
    let dates = |property: &ICalendarProperty| -> Result<Vec<Moment>, String> {
        let mut all = Vec::new();
        for entry in component.properties(property) {
            all.extend(zones.moments(entry)?);
        }
        all.truncate(LIST_MAX);
        Ok(all)
    };
    let instance = component.property(&ICalendarProperty::RecurrenceId);
    Ok(Event {
        id: seed.id(Kind::Event),
        uid,
        recurrence_id: instance.map(|entry| zones.moment_of(entry)).transpose()?,
        // The only range of RFC 5545 is THISANDFUTURE; the parser drops others.
        following: instance
            .is_some_and(|entry| entry.parameter(&ICalendarParameterName::Range).is_some()),
        calendar: line(calendar, 200),
        summary,
        description: long_text(component, &ICalendarProperty::Description),
        location: property_text(component, &ICalendarProperty::Location).unwrap_or_default(),
        start,
        end,
        attendees: component
            .properties(&ICalendarProperty::Attendee)
            .filter_map(attendee)
            .take(LIST_MAX)
            .collect(),
        organizer: component
            .property(&ICalendarProperty::Organizer)
            .and_then(attendee),
        rrule: rule(component),
        rdates: dates(&ICalendarProperty::Rdate)?,
        exdates: dates(&ICalendarProperty::Exdate)?,
        cancelled: component.status() == Some(&ICalendarStatus::Cancelled),
        transparent: component.transparency() == Some(&ICalendarTransparency::Transparent),
        sequence: component
            .property(&ICalendarProperty::Sequence)
            .and_then(|entry| entry.values.first())
            .and_then(ICalendarValue::as_integer)
            .unwrap_or(0),
        created: seed.at(),
        updated: seed.at(),
        version: 0,
    })
}

/// Returns DTEND, or DTSTART plus DURATION, or the default of RFC 5545 if both are missing: one day for a date, no
/// duration for a time.
fn event_end(
    component: &ICalendarComponent,
    zones: &Zones<'_>,
    start: &Moment,
) -> Result<Moment, String> {
    let range = |_| "its end is out of range".to_owned();
    let end = if let Some(entry) = component.property(&ICalendarProperty::Dtend) {
        zones.moment_of(entry)?
    } else if let Some(ICalendarValue::Duration(duration)) = component
        .property(&ICalendarProperty::Duration)
        .and_then(|entry| entry.values.first())
    {
        let seconds = duration.as_seconds();
        match start {
            Moment::At(at) => Moment::At(at.checked_add(seconds.seconds()).map_err(range)?),
            Moment::Day(day) => {
                let days = (seconds / 86_400).max(1);
                Moment::Day(day.checked_add(days.days()).map_err(range)?)
            }
        }
    } else {
        match start {
            Moment::At(at) => Moment::At(at.clone()),
            Moment::Day(day) => Moment::Day(day.checked_add(1.day()).map_err(range)?),
        }
    };
    match (start, &end) {
        (Moment::Day(from), Moment::Day(to)) if to <= from => {
            Ok(Moment::Day(from.checked_add(1.day()).map_err(range)?))
        }
        (Moment::At(from), Moment::At(to)) if to < from => Err("ends before it starts".into()),
        (Moment::Day(_), Moment::At(_)) | (Moment::At(_), Moment::Day(_)) => {
            Err("starts as an all-day event but ends at a time, or the other way round".into())
        }
        _ => Ok(end),
    }
}

pub(super) fn rule(component: &ICalendarComponent) -> Option<String> {
    match component
        .property(&ICalendarProperty::Rrule)?
        .values
        .first()?
    {
        ICalendarValue::RecurrenceRule(rule) => Some(rule.to_string()),
        _ => None,
    }
}

fn attendee(entry: &ICalendarEntry) -> Option<Attendee> {
    let email = line(entry.calendar_address()?, TITLE_CHARS_MAX);
    if !email.contains('@') {
        return None;
    }
    let parameter = |name: ICalendarParameterName| {
        entry
            .parameter(&name)
            .and_then(|value| value.as_text().map(|text| line(text, 200)))
            .unwrap_or_default()
    };
    Some(Attendee {
        name: parameter(ICalendarParameterName::Cn),
        email,
        status: parameter(ICalendarParameterName::Partstat).to_ascii_lowercase(),
    })
}

pub(super) fn property_text(
    component: &ICalendarComponent,
    property: &ICalendarProperty,
) -> Option<String> {
    let text = component.property(property)?.values.first()?.as_text()?;
    Some(line(text, TITLE_CHARS_MAX)).filter(|text| !text.is_empty())
}

pub(super) fn long_text(component: &ICalendarComponent, property: &ICalendarProperty) -> String {
    component
        .property(property)
        .and_then(|entry| entry.values.first())
        .and_then(ICalendarValue::as_text)
        .map(|text| {
            text.chars()
                .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
                .take(TEXT_CHARS_MAX)
                .collect()
        })
        .unwrap_or_default()
}
