//! Revises tasks.

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Priority, Record, Task, TaskStatus};
use jiff::Timestamp;

use super::lines::{Component, Element, split};
use super::{NotRevised, Revised, record_of, records, stamp, text_line, touch, zone};
use crate::read::Seed;
use crate::write::ical;

/// Returns a calendar resource with a task, which replaces the source's task. Without a source, the resource is new
/// and has this UID.
///
/// # Errors
/// [`NotRevised::Unreadable`] if the source cannot be read.
pub fn task(
    source: Option<&str>,
    uid: &str,
    task: &Task,
    seed: &Seed,
) -> Result<Revised, NotRevised> {
    let text = source.map_or_else(|| new(uid), str::to_owned);
    let mut root = Component::read(&text)
        .filter(|root| root.is("VCALENDAR"))
        .ok_or(NotRevised::Unreadable)?;
    let first = root.inside().find(|one| one.is("VTODO"));
    let before = first.and_then(|one| match record_of(&root, one, seed)? {
        Record::Task(task) => Some(task),
        _ => None,
    });
    let before = before.ok_or(NotRevised::Unreadable)?;
    let component = root.inside_mut().find(|one| one.is("VTODO"));
    if let Some(component) = component {
        amend(component, &before, task);
        touch(component, seed);
    }
    zone::complete(&mut root, seed.now.timestamp());
    let before = source.and_then(Component::read);
    let before = before.map(|root| records(&root, "VTODO", seed));
    Ok(Revised {
        changed: before.as_ref() != Some(&records(&root, "VTODO", seed)),
        text: root.text(),
    })
}

/// Builds an empty task. It has a placeholder title, because a task without a title cannot be read.
fn new(uid: &str) -> String {
    let (head, foot) = (ical::HEAD, ical::FOOT);
    let uid = ical::escape(uid);
    format!(
        "{head}BEGIN:VTODO\r\nUID:{uid}\r\nSUMMARY:-\r\nSTATUS:NEEDS-ACTION\r\nEND:VTODO\r\n{foot}"
    )
}

fn amend(component: &mut Component, before: &Task, after: &Task) {
    if before.title != after.title {
        component.set("SUMMARY", text_line("SUMMARY", &after.title));
    }
    if before.notes != after.notes {
        component.set("DESCRIPTION", text_line("DESCRIPTION", &after.notes));
        component.remove(&["X-ALT-DESC"]);
    }
    if before.due != after.due || before.start != after.start {
        let due = after.due.as_ref();
        component.set("DUE", due.map(|due| ical::date("DUE", due)));
        component.remove(&["DURATION"]);
        component.set(
            "DTSTART",
            starts(after).map(|at| ical::date("DTSTART", &at)),
        );
    }
    if before.priority != after.priority {
        // RFC 5545: 1 is the highest priority, 9 the lowest.
        let priority = match after.priority {
            Priority::High => 1,
            Priority::Medium => 5,
            Priority::Low => 9,
        };
        component.set("PRIORITY", Some(format!("PRIORITY:{priority}")));
    }
    if before.status != after.status {
        set_status(component, after);
    }
    if before.rrule != after.rrule {
        let rule = after.rrule.iter().map(|rule| format!("RRULE:{rule}"));
        component.set("RRULE", rule);
    }
    if before.tags != after.tags {
        let tags: Vec<String> = after.tags.iter().map(|tag| ical::escape(tag)).collect();
        let line = (!tags.is_empty()).then(|| format!("CATEGORIES:{}", tags.join(",")));
        component.set("CATEGORIES", line);
    }
    if before.remind_at != after.remind_at || before.due != after.due {
        set_alarm(component, after);
    }
}

/// Returns the first day in the form of the due date, if there is one: both must be days, or both times.
fn starts(task: &Task) -> Option<Moment> {
    let day = task.start?;
    match &task.due {
        Some(Moment::At(due)) => {
            let zone = due.time_zone().clone();
            day.to_zoned(zone).ok().map(Moment::At)
        }
        Some(Moment::Day(_)) | None => Some(Moment::Day(day)),
    }
}

fn set_status(component: &mut Component, task: &Task) {
    component.remove(&["COMPLETED", "PERCENT-COMPLETE"]);
    if task.status == TaskStatus::Open {
        component.set("STATUS", Some("STATUS:NEEDS-ACTION".into()));
        return;
    }
    let completed = task.completed_at.map(stamp);
    component.set("STATUS", Some("STATUS:COMPLETED".into()));
    component.set("COMPLETED", completed.map(|at| format!("COMPLETED:{at}")));
    component.set("PERCENT-COMPLETE", Some("PERCENT-COMPLETE:100".into()));
}

/// Sets the alarm. A task that is due at a time reminds then unless it has an alarm, so having no reminder takes an
/// alarm that says so.
fn set_alarm(component: &mut Component, task: &Task) {
    let is_shown = |alarm: &Component| {
        let mut actions = alarm.of("ACTION").map(|line| split(line).1.trim());
        actions.all(|one| one.eq_ignore_ascii_case("DISPLAY") || one.eq_ignore_ascii_case("NONE"))
    };
    let is_own =
        |part: &Element| matches!(part, Element::Inside(one) if one.is("VALARM") && is_shown(one));
    component.parts.retain(|part| !is_own(part));
    let follows = match &task.due {
        Some(Moment::At(at)) => Some(at.timestamp()),
        _ => None,
    };
    let (action, at) = match (task.remind_at, follows) {
        (Some(at), _) => ("DISPLAY", at),
        (None, Some(_)) if task.status == TaskStatus::Open => ("NONE", Timestamp::UNIX_EPOCH),
        (None, _) => return,
    };
    let mut alarm = Component::new("VALARM");
    let lines = [
        format!("ACTION:{action}"),
        format!("TRIGGER;VALUE=DATE-TIME:{}", stamp(at)),
        "DESCRIPTION:Reminder".to_owned(),
    ];
    alarm.parts.extend(lines.map(Element::Line));
    component.parts.push(Element::Inside(alarm));
}
