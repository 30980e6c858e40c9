//! Revises events.

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Event, Record};
use adjutant_recurrence::instance_at;
use jiff::tz::TimeZone;

use super::lines::{Component, Element};
use super::{NotRevised, Revised, people, record_of, records, text_line, touch, zone};
use crate::read::Seed;
use crate::write::ical;

/// Properties that only the master of a series has.
const OF_SERIES: [&str; 3] = ["RRULE", "RDATE", "EXDATE"];

/// Returns a calendar resource with these rows of one event, which replace the source's rows of the same instances or
/// are added to them. Removes the own rows of the instances in `reverted`. Without a source, the resource is new.
///
/// # Errors
/// [`NotRevised::Unreadable`] if the source cannot be read.
pub fn events(
    source: Option<&str>,
    rows: &[Event],
    reverted: &[Moment],
    seed: &Seed,
) -> Result<Revised, NotRevised> {
    let mut calendar = Calendar::read(source, seed)?;
    // The row of an instance begins as a copy of the row that applied to it, so it comes before changes of that one.
    let is_new = |row: &&Event| calendar.find(row.recurrence_id.as_ref(), seed).is_none();
    let (new, known): (Vec<&Event>, Vec<&Event>) = rows.iter().partition(is_new);
    for row in new.into_iter().chain(known) {
        calendar.put(row, seed);
    }
    for instance in reverted {
        calendar.remove(instance, seed);
    }
    Ok(calendar.finish(source, seed))
}

/// Returns a calendar resource with the answer of a guest who has one of the person's own addresses ([`Seed::own`]),
/// for one instance or for all rows that invite them. `status` is a PARTSTAT.
///
/// # Errors
/// [`NotRevised::Unreadable`] if the source cannot be read, [`NotRevised::NoInstance`] if the series does not have
/// the instance, [`NotRevised::NotInvited`] if the source does not invite them.
pub fn answered(
    source: &str,
    instance: Option<&Moment>,
    status: &str,
    seed: &Seed,
) -> Result<Revised, NotRevised> {
    let mut calendar = Calendar::read(Some(source), seed)?;
    if let Some(instance) = instance {
        calendar.instance(instance, seed)?;
    }
    let rows = calendar.rows(seed);
    let mut invited = false;
    for (component, row) in calendar.components().zip(rows) {
        let is_asked =
            row.is_some_and(|row| instance.is_none() || row.recurrence_id.as_ref() == instance);
        let is_own = |line: &str| {
            let email = people::email(line);
            seed.own.iter().any(|own| own.eq_ignore_ascii_case(email))
        };
        if !is_asked || !component.of("ATTENDEE").any(is_own) {
            continue;
        }
        invited = true;
        let lines: Vec<String> = component
            .of("ATTENDEE")
            .map(|line| match is_own(line) {
                true => people::answered(line, status),
                false => line.to_owned(),
            })
            .collect();
        component.set("ATTENDEE", lines);
        touch(component, seed);
    }
    match invited {
        true => Ok(calendar.finish(Some(source), seed)),
        false => Err(NotRevised::NotInvited),
    }
}

/// A resource that contains the rows of one event.
struct Calendar {
    root: Component,
}

impl Calendar {
    fn read(source: Option<&str>, seed: &Seed) -> Result<Self, NotRevised> {
        let text = source.map_or_else(|| format!("{}{}", ical::HEAD, ical::FOOT), str::to_owned);
        let root = Component::read(&text).filter(|root| root.is("VCALENDAR"));
        let calendar = Self {
            root: root.ok_or(NotRevised::Unreadable)?,
        };
        if source.is_some() && calendar.rows(seed).iter().all(Option::is_none) {
            return Err(NotRevised::Unreadable);
        }
        Ok(calendar)
    }

    fn components(&mut self) -> impl Iterator<Item = &mut Component> {
        self.root.inside_mut().filter(|one| one.is("VEVENT"))
    }

    fn rows(&self, seed: &Seed) -> Vec<Option<Event>> {
        let components = self.root.inside().filter(|one| one.is("VEVENT"));
        components
            .map(|one| match record_of(&self.root, one, seed)? {
                Record::Event(event) => Some(event),
                _ => None,
            })
            .collect()
    }

    /// Returns the position and content of the row of an instance.
    fn find(&self, instance: Option<&Moment>, seed: &Seed) -> Option<(usize, Event)> {
        let rows = self.rows(seed).into_iter().enumerate();
        rows.filter_map(|(at, row)| Some((at, row?)))
            .find(|(_, row)| row.recurrence_id.as_ref() == instance)
    }

    fn put(&mut self, row: &Event, seed: &Seed) {
        let instance = row.recurrence_id.as_ref();
        let found = match (self.find(instance, seed), instance) {
            (None, Some(instance)) => self
                .instance(instance, seed)
                .ok()
                .and_then(|()| self.find(Some(instance), seed)),
            (found, _) => found,
        };
        match found {
            Some((at, before)) => {
                if let Some(component) = self.components().nth(at) {
                    amend(component, &before, row);
                    touch(component, seed);
                }
            }
            None => self.root.parts.extend(new(row).map(Element::Inside)),
        }
    }

    /// Gives an instance a row of its own, with the content of the row that applies to it.
    fn instance(&mut self, instance: &Moment, seed: &Seed) -> Result<(), NotRevised> {
        if self.find(Some(instance), seed).is_some() {
            return Ok(());
        }
        let rows: Vec<Event> = self.rows(seed).into_iter().flatten().collect();
        let zone = seed.now.time_zone();
        let (base, times) = instance_at(instance, &rows, zone).ok_or(NotRevised::NoInstance)?;
        let place = self.find(base.recurrence_id.as_ref(), seed);
        let (at, base) = place.ok_or(NotRevised::NoInstance)?;
        let component = self.components().nth(at);
        let mut component = component.ok_or(NotRevised::NoInstance)?.clone();
        component.remove(&OF_SERIES);
        let own = Event {
            recurrence_id: Some(instance.clone()),
            following: false,
            start: times.start,
            end: times.end,
            ..base
        };
        set_times(&mut component, &own);
        component.set("RECURRENCE-ID", ical::recurrence_id(&own));
        self.root.parts.push(Element::Inside(component));
        Ok(())
    }

    fn remove(&mut self, instance: &Moment, seed: &Seed) {
        if let Some((at, _)) = self.find(Some(instance), seed) {
            let is_event =
                |part: &Element| matches!(part, Element::Inside(one) if one.is("VEVENT"));
            let events = self.root.parts.iter().enumerate();
            let place = events.filter(|(_, part)| is_event(part)).nth(at);
            if let Some((place, _)) = place {
                self.root.parts.remove(place);
            }
        }
    }

    fn finish(mut self, source: Option<&str>, seed: &Seed) -> Revised {
        let starts = self.rows(seed).into_iter().flatten();
        let starts = starts.map(|row| row.start.starts(&TimeZone::UTC));
        zone::complete(&mut self.root, starts.min().unwrap_or(seed.now.timestamp()));
        let before = source.and_then(Component::read);
        let before = before.map(|root| records(&root, "VEVENT", seed));
        Revised {
            changed: before.as_ref() != Some(&records(&self.root, "VEVENT", seed)),
            text: self.root.text(),
        }
    }
}

fn new(row: &Event) -> Option<Component> {
    let mut component = Component::read(&ical::event(row))?;
    people::invite(&mut component, &[], &row.attendees);
    Some(component)
}

/// Changes only the properties that differ.
fn amend(component: &mut Component, before: &Event, after: &Event) {
    let was = component.clone();
    if before.summary != after.summary {
        component.set("SUMMARY", text_line("SUMMARY", &after.summary));
    }
    if before.description != after.description {
        component.set("DESCRIPTION", text_line("DESCRIPTION", &after.description));
        component.remove(&["X-ALT-DESC"]);
    }
    if before.location != after.location {
        component.set("LOCATION", text_line("LOCATION", &after.location));
        // Both still describe the former place.
        component.remove(&["GEO", "X-APPLE-STRUCTURED-LOCATION"]);
    }
    if before.following != after.following {
        component.set("RECURRENCE-ID", ical::recurrence_id(after));
    }
    if !is_same(&before.start, &after.start) || !is_same(&before.end, &after.end) {
        set_times(component, after);
    }
    if before.rrule != after.rrule {
        let rule = after.rrule.iter().map(|rule| format!("RRULE:{rule}"));
        component.set("RRULE", rule);
    }
    for (name, before, after) in [
        ("RDATE", &before.rdates, &after.rdates),
        ("EXDATE", &before.exdates, &after.exdates),
    ] {
        if before != after {
            component.set(name, after.iter().map(|at| ical::date(name, at)));
        }
    }
    if before.organizer != after.organizer {
        let organizer = after.organizer.iter();
        component.set(
            "ORGANIZER",
            organizer.map(|who| ical::person("ORGANIZER", who)),
        );
    }
    if before.attendees != after.attendees {
        people::invite(component, &before.attendees, &after.attendees);
    }
    if before.cancelled != after.cancelled {
        let status = if after.cancelled {
            "CANCELLED"
        } else {
            "CONFIRMED"
        };
        component.set("STATUS", Some(format!("STATUS:{status}")));
    }
    if before.transparent != after.transparent {
        let shown = if after.transparent {
            "TRANSPARENT"
        } else {
            "OPAQUE"
        };
        component.set("TRANSP", Some(format!("TRANSP:{shown}")));
    }
    let sequence = match after.sequence {
        newer if newer > before.sequence => newer,
        // Undoing a change is a revision after the one it undoes.
        older if older < before.sequence && *component != was => before.sequence + 1,
        _ => return,
    };
    component.set("SEQUENCE", Some(format!("SEQUENCE:{sequence}")));
}

fn set_times(component: &mut Component, row: &Event) {
    component.set("DTSTART", Some(ical::date("DTSTART", &row.start)));
    component.set("DTEND", Some(ical::date("DTEND", &row.end)));
    component.remove(&["DURATION"]);
}

/// Whether two moments are the same, in the same zone.
fn is_same(one: &Moment, other: &Moment) -> bool {
    let zone = |moment: &Moment| match moment {
        Moment::At(at) => at.time_zone().iana_name().map(str::to_owned),
        Moment::Day(_) => None,
    };
    one == other && zone(one) == zone(other)
}
