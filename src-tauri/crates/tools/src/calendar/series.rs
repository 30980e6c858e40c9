//! Turns the change of one instance into changes of rows: of that instance, of the rest of its series, or of all of it.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Event, Kind};
use adjutant_recurrence::{instance_at, rest_from, value_of};
use jiff::SignedDuration;

use super::EventRow;
use super::changes::{Changes, after, apply, by_local, length, local_delta};
use super::scope::{Edits, Scope, Scoped, touch};
use crate::address::Resolved;
use crate::select::bad;
use crate::words;

/// Applies the changes to the instances that are meant and returns the named instance as it will be.
pub(super) fn change(
    edits: &mut Edits,
    one: &Scoped,
    changes: &Changes,
    added: &[Resolved],
    cx: &Cx,
) -> Result<EventRow, Stop> {
    let event = &one.row.0.event;
    // The row with the times of the instance that is meant.
    let mut instance = edits.get(&event.id).unwrap_or(event).clone();
    instance.start = one.row.0.start.clone();
    instance.end = one.row.0.end.clone();
    if one.scope == Some(Scope::This) {
        instance = edits.own_row(&one.row, cx);
    }
    let mut new = apply(&instance, changes, added, cx)?;
    match one.scope {
        None | Some(Scope::This) => {
            if one.scope.is_some() {
                new.rrule = None;
            }
            touch(&mut new, cx);
            edits.put(new.clone());
            Ok(EventRow::whole(new))
        }
        Some(Scope::Series) => series(edits, &instance, new, cx),
        Some(Scope::Following) => following(edits, one, &instance, new, cx),
    }
}

/// Applies the change of one instance to the whole series.
fn series(edits: &mut Edits, old: &Event, new: Event, cx: &Cx) -> Result<EventRow, Stop> {
    let Some(master) = edits.master(&old.uid).cloned() else {
        return Err(bad(format!(
            "The series of {} is not here; only single instances are.",
            words::quoted(&old.summary)
        )));
    };
    let delta = series_delta(old, &new)?;
    let mut changed = take_over(&master, old, &new);
    changed.rrule = match (&new.rrule, &old.rrule) {
        (new_rule, old_rule) if new_rule != old_rule => new_rule.clone(),
        _ => moved_rule(&master, delta, cx)?,
    };
    (changed.start, changed.end) = times(&master, delta, old, &new, cx)?;
    changed.rdates = moved(&master.rdates, delta)?;
    changed.exdates = if changed.rrule.is_none() {
        Vec::new()
    } else {
        moved(&master.exdates, delta)?
    };
    touch(&mut changed, cx);
    for exception in edits.exceptions(&old.uid) {
        edits.put(moved_with(&exception, delta, delta, (old, &new), cx)?);
    }
    edits.put(changed.clone());
    let named = edits.get(&old.id).filter(|row| row.following).cloned();
    Ok(EventRow::whole(named.unwrap_or(changed)))
}

/// Ends the series before the instance and begins a new one, with the changes, at the instance.
fn following(
    edits: &mut Edits,
    one: &Scoped,
    old: &Event,
    new: Event,
    cx: &Cx,
) -> Result<EventRow, Stop> {
    let zone = cx.zone();
    let uid = &one.row.0.event.uid;
    let from = one
        .row
        .0
        .instance_of
        .clone()
        .unwrap_or_else(|| one.row.0.start.clone());
    let Some(master) = edits.master(uid).cloned() else {
        return series(edits, old, new, cx);
    };
    if from.starts(&zone) <= master.start.starts(&zone) {
        return series(edits, old, new, cx);
    }
    let later: Vec<Event> = edits
        .exceptions(uid)
        .into_iter()
        .filter(|row| {
            row.recurrence_id
                .as_ref()
                .is_some_and(|at| at.starts(&zone) >= from.starts(&zone))
        })
        .collect();
    let delta = series_delta(old, &new)?;
    // The row that all instances from here on have in common.
    let common: Vec<Event> = edits
        .of(uid)
        .filter(|row| row.recurrence_id.is_none() || row.following)
        .cloned()
        .collect();
    let (base, times) = match instance_at(&from, &common, &zone) {
        Some((base, times)) => (base, times.start),
        None => (&master, from.clone()),
    };
    let moved_by = series_delta_of(&from, &times, old)? + delta;
    let mut rest = take_over(base, old, &new);
    rest.recurrence_id = None;
    rest.following = false;
    rest.id = cx.new_id(Kind::Event);
    rest.uid = format!("{}@adjutant", rest.id);
    rest.version = 0;
    rest.created = cx.now.timestamp();
    rest.rrule = moved_rule(&master, moved_by, cx)?
        .map(|rule| rest_from(&rule, &master.start, &from, &zone));
    rest.start = by_local(&from, moved_by)?;
    rest.end = after(&rest.start, length(&new.start, &new.end, &zone))?;
    let kept = |list: &[Moment]| -> Vec<Moment> {
        list.iter()
            .filter(|at| at.starts(&zone) >= from.starts(&zone))
            .cloned()
            .collect()
    };
    rest.rdates = moved(&kept(&master.rdates), moved_by)?;
    rest.exdates = moved(&kept(&master.exdates), moved_by)?;
    touch(&mut rest, cx);
    edits.end_before(uid, &from, cx);
    for exception in later {
        let own = one.row.0.event.id == exception.id;
        if own {
            continue;
        }
        let mut row = moved_with(&exception, moved_by, delta, (old, &new), cx)?;
        row.uid.clone_from(&rest.uid);
        edits.put(row);
    }
    edits.put(rest.clone());
    Ok(EventRow::whole(rest))
}

fn series_delta(old: &Event, new: &Event) -> Result<SignedDuration, Stop> {
    series_delta_of(&old.start, &new.start, old)
}

/// Returns how far a move goes on the clock of the moment it begins at.
fn series_delta_of(from: &Moment, to: &Moment, of: &Event) -> Result<SignedDuration, Stop> {
    let to = match (from, to) {
        (Moment::At(from), Moment::At(to)) => {
            &Moment::At(to.with_time_zone(from.time_zone().clone()))
        }
        _ => to,
    };
    local_delta(from, to).ok_or_else(|| {
        ToolFault::NotAllowed {
            what: format!(
                "A series cannot change between all-day and timed: {}.",
                words::quoted(&of.summary)
            ),
            hint: "Delete it and add it again.".into(),
        }
        .into()
    })
}

/// Returns the times of a row that moves by `delta` and takes over a new length.
fn times(
    row: &Event,
    delta: SignedDuration,
    old: &Event,
    new: &Event,
    cx: &Cx,
) -> Result<(Moment, Moment), Stop> {
    let zone = cx.zone();
    let length = |event: &Event| length(&event.start, &event.end, &zone);
    let lasts = match length(old) == length(new) {
        true => length(row),
        false => length(new),
    };
    let start = by_local(&row.start, delta)?;
    let end = after(&start, lasts)?;
    Ok((start, end))
}

/// Returns an exception after the change from `old` to `new` of its series, whose original starts move by `original`.
/// An exception that stands for later instances moves by `delta`; a single one stays where it was put.
fn moved_with(
    exception: &Event,
    original: SignedDuration,
    delta: SignedDuration,
    (old, new): (&Event, &Event),
    cx: &Cx,
) -> Result<Event, Stop> {
    let mut row = take_over(exception, old, new);
    if let Some(at) = &exception.recurrence_id {
        row.recurrence_id = Some(by_local(at, original)?);
    }
    if exception.following {
        (row.start, row.end) = times(exception, delta, old, new, cx)?;
    }
    touch(&mut row, cx);
    Ok(row)
}

/// Copies to a row of the series every text that the change touched.
fn take_over(row: &Event, old: &Event, new: &Event) -> Event {
    let mut out = row.clone();
    if old.summary != new.summary {
        out.summary.clone_from(&new.summary);
    }
    if old.location != new.location {
        out.location.clone_from(&new.location);
    }
    if old.description != new.description {
        out.description.clone_from(&new.description);
    }
    if old.calendar != new.calendar {
        out.calendar.clone_from(&new.calendar);
    }
    let was_there = |list: &[adjutant_domain::record::Attendee], email: &str| {
        list.iter().any(|one| one.email.eq_ignore_ascii_case(email))
    };
    out.attendees.retain(|guest| {
        !was_there(&old.attendees, &guest.email) || was_there(&new.attendees, &guest.email)
    });
    for guest in &new.attendees {
        if !was_there(&old.attendees, &guest.email) && !was_there(&out.attendees, &guest.email) {
            out.attendees.push(guest.clone());
        }
    }
    out
}

fn moved(list: &[Moment], delta: SignedDuration) -> Result<Vec<Moment>, Stop> {
    list.iter().map(|at| by_local(at, delta)).collect()
}

/// Returns the rule after a move: a weekly event that moves to another day repeats on that day.
fn moved_rule(master: &Event, delta: SignedDuration, cx: &Cx) -> Result<Option<String>, Stop> {
    let Some(rule) = &master.rrule else {
        return Ok(None);
    };
    let zone = cx.zone();
    let own = |moment: &Moment| match moment {
        Moment::Day(day) => *day,
        Moment::At(at) => at.date(),
    };
    let (from, to) = (own(&master.start), own(&by_local(&master.start, delta)?));
    let fixed = ["BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS", "BYMONTH"]
        .iter()
        .any(|name| value_of(rule, name).is_some());
    if from == to || (value_of(rule, "BYDAY").is_none() && !fixed) {
        return Ok(Some(rule.clone()));
    }
    let short = |day: jiff::civil::Date| {
        ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
            [usize::from(day.weekday().to_monday_zero_offset().unsigned_abs())]
    };
    if !fixed && value_of(rule, "BYDAY") == Some(short(from)) {
        return Ok(Some(rule.replace(
            &format!("BYDAY={}", short(from)),
            &format!("BYDAY={}", short(to)),
        )));
    }
    Err(ToolFault::NotAllowed {
        what: format!(
            "{} repeats {}; moved to {}, it no longer would.",
            words::quoted(&master.summary),
            words::repeats(rule, cx),
            words::moment(&by_local(&master.start, delta)?, cx)
        ),
        hint: format!(
            "Say which days it should repeat on, or move only the one on {}.",
            words::day(master.start.date(&zone), cx)
        ),
    }
    .into())
}
