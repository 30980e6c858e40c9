//! VTODO becomes a task.

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Kind, Priority, Task, TaskStatus};
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarParameterName,
    ICalendarProperty, ICalendarStatus, ICalendarValue,
};
use jiff::{Timestamp, ToSpan as _};

use super::ical::{long_text, property_text, rule};
use super::ical_time::Zones;
use super::{Seed, instant, line};

/// Highest number of labels kept.
const TAGS_MAX: usize = 50;
/// Highest number of characters kept of a label.
const TAG_CHARS_MAX: usize = 100;

pub(super) fn task(
    component: &ICalendarComponent,
    calendar: &ICalendar,
    zones: &Zones<'_>,
    seed: &Seed,
) -> Result<Task, String> {
    let title = property_text(component, &ICalendarProperty::Summary).ok_or("has no title")?;
    let moment = |property: &ICalendarProperty| {
        let entry = component.property(property);
        entry.map(|entry| zones.moment_of(entry)).transpose()
    };
    let due = moment(&ICalendarProperty::Due)?;
    let start = moment(&ICalendarProperty::Dtstart)?;
    let done = component.status() == Some(&ICalendarStatus::Completed);
    let completed = moment(&ICalendarProperty::Completed)?.filter(|_| done);
    let remind_at = match done {
        true => None,
        false => reminder(component, calendar, zones, [start.as_ref(), due.as_ref()]),
    };
    // RFC 5545: 1 is the highest priority, 9 the lowest, 0 undefined.
    let priority = component
        .property(&ICalendarProperty::Priority)
        .and_then(|entry| entry.values.first())
        .and_then(ICalendarValue::as_integer);
    Ok(Task {
        id: seed.id(Kind::Task),
        title,
        notes: long_text(component, &ICalendarProperty::Description),
        remind_at,
        priority: match priority {
            Some(1..=4) => Priority::High,
            Some(6..=9) => Priority::Low,
            _ => Priority::Medium,
        },
        status: if done {
            TaskStatus::Done
        } else {
            TaskStatus::Open
        },
        rrule: rule(component),
        start: start.map(|start| match start {
            Moment::Day(day) => day,
            Moment::At(at) => at.date(),
        }),
        due,
        tags: tags(component),
        place: None,
        completed_at: completed.and_then(|at| instant(&at, seed)),
        created: seed.at(),
        updated: seed.at(),
        version: 0,
    })
}

/// Returns when to remind of a task: at its first alarm, otherwise at the time it is due. An alarm that does nothing
/// (`ACTION:NONE`, as Apple writes it) means that there is no reminder.
fn reminder(
    component: &ICalendarComponent,
    calendar: &ICalendar,
    zones: &Zones<'_>,
    [start, due]: [Option<&Moment>; 2],
) -> Option<Timestamp> {
    let at_time = |moment: Option<&Moment>| match moment {
        Some(Moment::At(at)) => Some(at.timestamp()),
        _ => None,
    };
    let ids = component.component_ids.iter();
    let inside = ids.filter_map(|id| calendar.components.get(usize::try_from(*id).ok()?));
    for alarm in inside.filter(|one| one.component_type == ICalendarComponentType::VAlarm) {
        if property_text(alarm, &ICalendarProperty::Action).is_some_and(|action| action == "NONE") {
            return None;
        }
        let Some(trigger) = alarm.property(&ICalendarProperty::Trigger) else {
            continue;
        };
        let at = match trigger.values.first() {
            Some(ICalendarValue::Duration(before)) => {
                let related = trigger.parameter(&ICalendarParameterName::Related);
                let of_end = related.and_then(|one| one.as_text()) == Some("END");
                let base = if of_end { None } else { at_time(start) };
                let base = base.or(at_time(due));
                base.and_then(|base| base.checked_add(before.as_seconds().seconds()).ok())
            }
            _ => at_time(zones.moment_of(trigger).ok().as_ref()),
        };
        if at.is_some() {
            return at;
        }
    }
    at_time(due)
}

/// Returns the labels, without duplicates.
fn tags(component: &ICalendarComponent) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let entries = component.properties(&ICalendarProperty::Categories);
    let texts = entries.flat_map(|entry| entry.values.iter().filter_map(ICalendarValue::as_text));
    for tag in texts.map(|text| line(text, TAG_CHARS_MAX)) {
        if !tag.is_empty() && tags.len() < TAGS_MAX && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}
