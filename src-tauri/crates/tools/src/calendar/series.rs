//! Turns a change of events into changes of rows: of one instance, of the rest of its series, or of all of it.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Event, Kind, Occurrence};
use adjutant_recurrence::{instance_at, rest_from, times_by, value_of};
use jiff::SignedDuration;

use super::EventRow;
use super::changes::{Changes, after, apply, by_local, length, local_delta};
use super::scope::{Edits, Scope, Scoped, touch};
use crate::address::Resolved;
use crate::select::bad;
use crate::words;

/// An event before and after its change. A series is shown at the named instance, with the time the series gives it.
pub(super) struct Changed {
    pub(super) before: EventRow,
    pub(super) after: EventRow,
    /// Coming instances that had been moved by themselves, and stay where they are.
    pub(super) staying: Vec<EventRow>,
}

/// Applies the changes to the instances that are meant.
pub(super) fn change(
    edits: &mut Edits,
    one: &Scoped,
    changes: &Changes,
    added: &[Resolved],
    cx: &Cx,
) -> Result<Changed, Stop> {
    match one.scope {
        None | Some(Scope::This) => single(edits, one, changes, added, cx),
        Some(Scope::Series) => AtInstance::of(edits, one, changes, added, cx)?.whole(edits, cx),
        Some(Scope::Following) => {
            AtInstance::of(edits, one, changes, added, cx)?.following(edits, cx)
        }
    }
}

/// Applies the changes to one event, or to one instance alone.
fn single(
    edits: &mut Edits,
    one: &Scoped,
    changes: &Changes,
    added: &[Resolved],
    cx: &Cx,
) -> Result<Changed, Stop> {
    let event = &one.row.0.event;
    let instance = match one.scope {
        Some(_) => edits.own_row(&one.row, cx),
        None => Event {
            start: one.row.0.start.clone(),
            end: one.row.0.end.clone(),
            ..edits.get(&event.id).unwrap_or(event).clone()
        },
    };
    let mut new = apply(&instance, changes, added, cx)?;
    if one.scope.is_some() {
        new.rrule = None;
    }
    touch(&mut new, cx);
    edits.put(new.clone());
    Ok(Changed {
        before: one.row.clone(),
        after: EventRow::whole(new),
        staying: Vec::new(),
    })
}

/// The change of a series, applied to one of its instances.
struct AtInstance<'a> {
    changes: &'a Changes,
    master: Event,
    /// The rows that several instances share: the series, and the changes of all later instances.
    shared: Vec<Event>,
    /// The instance, as its row in the calendar names it.
    named: Occurrence,
    /// When the series starts the instance.
    from: Moment,
    /// The shared row that applies to the instance.
    base: Event,
    /// The instance by that row, before the change and after it. Where the instance alone was moved to says nothing
    /// about its series.
    old: Event,
    new: Event,
}

impl<'a> AtInstance<'a> {
    fn of(
        edits: &Edits,
        one: &Scoped,
        changes: &'a Changes,
        added: &[Resolved],
        cx: &Cx,
    ) -> Result<Self, Stop> {
        let named = one.row.0.clone();
        let Some(master) = edits.master(&named.event.uid).cloned() else {
            return Err(bad(format!(
                "The series of {} is not here; only single instances are.",
                words::quoted(&named.event.summary)
            )));
        };
        let shared: Vec<Event> = edits
            .of(&master.uid)
            .filter(|row| row.recurrence_id.is_none() || row.following)
            .cloned()
            .collect();
        let from = named.instance_of.clone();
        let from = from.unwrap_or_else(|| named.start.clone());
        let base = instance_at(&from, &shared, &cx.zone());
        let base = base.map_or(&master, |(row, _)| row).clone();
        let old = at(&base, &master, &from);
        let new = apply(&old, changes, added, cx)?;
        Ok(Self {
            changes,
            master,
            shared,
            named,
            from,
            base,
            old,
            new,
        })
    }

    /// Applies the change to the whole series.
    fn whole(self, edits: &mut Edits, cx: &Cx) -> Result<Changed, Stop> {
        let Self {
            master, old, new, ..
        } = &self;
        let shift = self.shift_of(master, cx)?;
        let mut changed = take_over(master, old, new);
        changed.rrule = match self.new_rule() {
            Some(rule) => rule,
            None => moved_rule(master, shift.by, cx)?,
        };
        (changed.start, changed.end) = shift.times(master, cx)?;
        changed.rdates = moved(&new.rdates, shift.by)?;
        changed.exdates = moved(&new.exdates, shift.by)?;
        touch(&mut changed, cx);
        let mut staying = Vec::new();
        for exception in edits.exceptions(&master.uid) {
            let row = self.carried(&exception, shift.by, cx)?;
            staying.extend(row.stays_behind);
            edits.put(row.event);
        }
        edits.put(changed.clone());
        let event = Event {
            rrule: changed.rrule.clone(),
            ..edits.get(&self.base.id).unwrap_or(&changed).clone()
        };
        let after = EventRow(Occurrence {
            event,
            start: new.start.clone(),
            end: new.end.clone(),
            instance_of: None,
        });
        Ok(self.done(after, staying))
    }

    /// Ends the series before the instance and begins a new one, with the changes, at the instance.
    fn following(self, edits: &mut Edits, cx: &Cx) -> Result<Changed, Stop> {
        let zone = cx.zone();
        let begins = self.from.starts(&zone);
        if begins <= self.master.start.starts(&zone) {
            return self.whole(edits, cx);
        }
        let Self {
            master, old, new, ..
        } = &self;
        let starts = |row: &Event| row.recurrence_id.as_ref().map(|at| at.starts(&zone));
        let later: Vec<Event> = edits
            .exceptions(&master.uid)
            .into_iter()
            .filter(|row| starts(row).is_some_and(|at| at > begins))
            .collect();
        let by = series_delta_of(&self.from, &new.start, old)?;
        let mut rest = take_over(&self.base, old, new);
        rest.recurrence_id = None;
        rest.following = false;
        rest.id = cx.new_id(Kind::Event);
        rest.uid = format!("{}@adjutant", rest.id);
        rest.version = 0;
        rest.created = cx.now.timestamp();
        rest.rrule = match self.new_rule() {
            Some(rule) => rule,
            None => moved_rule(master, by, cx)?
                .map(|rule| rest_from(&rule, &master.start, &self.from, &zone)),
        };
        rest.start = by_local(&self.from, by)?;
        rest.end = after(&rest.start, length(&new.start, &new.end, &zone))?;
        let kept = |list: &[Moment]| -> Vec<Moment> {
            let kept = list.iter().filter(|at| at.starts(&zone) >= begins);
            kept.cloned().collect()
        };
        rest.rdates = moved(&kept(&new.rdates), by)?;
        rest.exdates = moved(&kept(&new.exdates), by)?;
        touch(&mut rest, cx);
        edits.end_before(&master.uid, &self.from, cx);
        let mut staying = Vec::new();
        // Another repetition has other instances, so nothing is left that single changes could apply to.
        for exception in later.iter().filter(|_| self.new_rule().is_none()) {
            let row = self.carried(exception, by, cx)?;
            staying.extend(row.stays_behind);
            // A row of its own: the old one goes with the series it belongs to.
            edits.put(Event {
                id: cx.new_id(Kind::Event),
                uid: rest.uid.clone(),
                version: 0,
                created: cx.now.timestamp(),
                ..row.event
            });
        }
        edits.put(rest.clone());
        Ok(self.done(EventRow::whole(rest), staying))
    }

    fn done(self, after: EventRow, staying: Vec<EventRow>) -> Changed {
        Changed {
            before: EventRow(Occurrence {
                start: self.old.start.clone(),
                end: self.old.end.clone(),
                instance_of: self.named.instance_of,
                event: self.old,
            }),
            after,
            staying,
        }
    }

    /// Returns the new repetition, if it changes; its inner value is `None` if the event no longer repeats.
    fn new_rule(&self) -> Option<Option<String>> {
        (self.new.rrule != self.old.rrule).then(|| self.new.rrule.clone())
    }

    /// Returns how the change moves the instances of a shared row. A time of day becomes the same for all, whatever
    /// each of them had before.
    fn shift_of(&self, row: &Event, cx: &Cx) -> Result<Shift, Stop> {
        let old = at(row, &self.master, &self.from);
        let new = apply(&old, &self.changes.times(), &[], cx)?;
        Shift::of(&old, &new, cx)
    }

    /// Returns an exception after the change of its series, whose original starts move by `by`. A change of all later
    /// instances moves along. A single instance keeps the start or the length that it alone has.
    fn carried(&self, exception: &Event, by: SignedDuration, cx: &Cx) -> Result<Carried, Stop> {
        let mut event = take_over(exception, &self.old, &self.new);
        let Some(original) = &exception.recurrence_id else {
            return Ok(Carried {
                event,
                stays_behind: None,
            });
        };
        event.recurrence_id = Some(by_local(original, by)?);
        let zone = cx.zone();
        let mut stays = false;
        let shift = match instance_at(original, &self.shared, &zone) {
            _ if exception.following => self.shift_of(exception, cx)?,
            Some((row, times)) => {
                let shift = self.shift_of(row, cx)?;
                let own_start = exception.start.starts(&zone) != times.start.starts(&zone);
                let own_length = length(&exception.start, &exception.end, &zone)
                    != length(&times.start, &times.end, &zone);
                stays = own_start && !shift.by.is_zero();
                Shift {
                    by: if own_start {
                        SignedDuration::ZERO
                    } else {
                        shift.by
                    },
                    lasts: shift.lasts.filter(|_| !own_length),
                }
            }
            None => Shift::default(),
        };
        (event.start, event.end) = shift.times(exception, cx)?;
        touch(&mut event, cx);
        let is_ahead = event.start.starts(&zone) >= cx.now.timestamp();
        let stays_behind = (stays && is_ahead).then(|| EventRow::whole(event.clone()));
        Ok(Carried {
            event,
            stays_behind,
        })
    }
}

/// An exception after a change of its series.
struct Carried {
    event: Event,
    /// The instance, if the series moves and it does not, and if it is still to come.
    stays_behind: Option<EventRow>,
}

/// Returns the instance that the series starts at `from`, with the times and texts of `row`, whether or not that row
/// applies to it.
fn at(row: &Event, master: &Event, from: &Moment) -> Event {
    let (start, end) = match times_by(row, master, from) {
        Some(times) => (times.start, times.end),
        None => (row.start.clone(), row.end.clone()),
    };
    Event {
        start,
        end,
        rrule: master.rrule.clone(),
        rdates: master.rdates.clone(),
        exdates: master.exdates.clone(),
        ..row.clone()
    }
}

/// How a change moves the instances of one row.
#[derive(Default)]
struct Shift {
    /// How far, on the clock of the row.
    by: SignedDuration,
    /// The new length, if it changes.
    lasts: Option<SignedDuration>,
}

impl Shift {
    fn of(old: &Event, new: &Event, cx: &Cx) -> Result<Self, Stop> {
        let length = |event: &Event| length(&event.start, &event.end, &cx.zone());
        Ok(Self {
            by: series_delta_of(&old.start, &new.start, old)?,
            lasts: (length(old) != length(new)).then(|| length(new)),
        })
    }

    /// Returns the times of a row after the change.
    fn times(&self, row: &Event, cx: &Cx) -> Result<(Moment, Moment), Stop> {
        if self.by.is_zero() && self.lasts.is_none() {
            return Ok((row.start.clone(), row.end.clone()));
        }
        let lasts = self.lasts;
        let lasts = lasts.unwrap_or_else(|| length(&row.start, &row.end, &cx.zone()));
        let start = by_local(&row.start, self.by)?;
        let end = after(&start, lasts)?;
        Ok((start, end))
    }
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
