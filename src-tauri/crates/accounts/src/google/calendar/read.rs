//! Converts Google's events to rows.

use adjutant_domain::ids::{RecordId, render};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{Etag, RemoteId};
use adjutant_domain::ports::{Pulled, PulledWhat};
use adjutant_domain::record::{Attendee, Event, Kind, Record};
use adjutant_interchange::Seed;
use adjutant_interchange::read::calendar;
use adjutant_interchange::write::date_property;
use jiff::{Timestamp, Zoned, civil, tz::TimeZone};
use serde_json::Value;

use super::wire::{Guest, Item, Time};

/// Maximum number of characters kept of a title, place or name.
const LINE_CHARS_MAX: usize = 1_000;
/// Maximum number of characters kept of a description.
const TEXT_CHARS_MAX: usize = 100_000;
/// Maximum number of guests kept.
const GUESTS_MAX: usize = 2_000;
/// Maximum number of recurrence lines read.
const RECURRENCE_LINES_MAX: usize = 2_000;

/// Context needed to build rows.
pub(super) struct World<'a> {
    /// The person's address, used as the organizer of their own events.
    pub(super) own: &'a str,
    /// The calendar's time zone, for times that name none.
    pub(super) zone: TimeZone,
    pub(super) seed: &'a Seed,
}

/// A single event, or a repeating event with its changed and cancelled instances.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    pub(super) master: Option<(Item, Value)>,
    pub(super) instances: Vec<(Item, Value)>,
}

impl Series {
    pub(super) fn add(&mut self, item: Item, value: Value) {
        match item.recurring_event_id {
            Some(_) => self.instances.push((item, value)),
            None => self.master = Some((item, value)),
        }
    }

    /// Returns what to deliver: one record for the series or, if the person was invited to single instances only, one
    /// record for each.
    pub(super) fn pulled(self, id: &str, world: &World<'_>) -> Vec<Pulled> {
        let Some((master, value)) = self.master else {
            let alone = self.instances.into_iter();
            return alone
                .map(|(item, value)| {
                    let row = row(&item, world).filter(|_| !item.is_cancelled());
                    pulled(&item, row.into_iter().collect(), vec![value])
                })
                .collect();
        };
        if master.is_cancelled() {
            return vec![gone(id)];
        }
        let Some(mut first) = row(&master, world) else {
            tracing::info!("an event at Google that makes no sense is left out");
            return vec![gone(id)];
        };
        let mut rows = Vec::new();
        let mut source = vec![value];
        for (item, value) in self.instances {
            let Some(at) = item
                .original_start_time
                .as_ref()
                .and_then(|at| moment(at, world))
            else {
                continue;
            };
            if item.is_cancelled() {
                if !first.exdates.contains(&at) {
                    first.exdates.push(at);
                }
            } else if let Some(row) = row(&item, world) {
                rows.push(row);
            }
            source.push(value);
        }
        rows.insert(0, first);
        vec![pulled(&master, rows, source)]
    }
}

fn pulled(item: &Item, rows: Vec<Event>, source: Vec<Value>) -> Pulled {
    if rows.is_empty() {
        return gone(&item.id);
    }
    Pulled {
        remote_id: RemoteId(item.id.clone()),
        what: PulledWhat::There {
            etag: item.etag.clone().map(Etag),
            uid_validity: None,
            rows: rows.into_iter().map(Record::Event).collect(),
            source: Some(Value::Array(source).to_string().into_bytes()),
        },
    }
}

pub(super) fn gone(id: &str) -> Pulled {
    Pulled {
        remote_id: RemoteId(id.to_owned()),
        what: PulledWhat::Gone,
    }
}

/// Builds the row of an event; `None` if its start cannot be read.
pub(super) fn row(item: &Item, world: &World<'_>) -> Option<Event> {
    let start = moment(&item.start, world)?;
    let end = moment(&item.end, world).unwrap_or_else(|| start.clone());
    let recurrence = recurrence(item, &start, world.seed);
    let (rrule, rdates, exdates) = recurrence.unwrap_or_default();
    let now = world.seed.now.timestamp();
    let original = item.original_start_time.as_ref();
    Some(Event {
        id: RecordId(render(Kind::Event.prefix(), world.seed.entropy.bits())),
        uid: match item.ical_uid.is_empty() {
            true => item.series().to_owned(),
            false => line(&item.ical_uid),
        },
        recurrence_id: original.and_then(|at| moment(at, world)),
        // Google cuts a series in two instead.
        following: false,
        calendar: String::new(),
        summary: match line(&item.summary) {
            empty if empty.is_empty() => "(no title)".to_owned(),
            summary => summary,
        },
        description: text(&item.description),
        location: line(&item.location),
        end: ordered(&start, end),
        start,
        attendees: guests(&item.attendees),
        organizer: item
            .organizer
            .as_ref()
            .and_then(|who| organizer(who, world.own)),
        rrule,
        rdates,
        exdates,
        cancelled: item.is_cancelled(),
        transparent: item.transparency == "transparent",
        sequence: item.sequence,
        created: item.created.unwrap_or(now),
        updated: item.updated.unwrap_or(now),
        version: 0,
    })
}

/// Returns an end that is of the same kind as the start and not before it.
fn ordered(start: &Moment, end: Moment) -> Moment {
    match (start, &end) {
        (Moment::At(from), Moment::At(to)) if to >= from => end,
        (Moment::Day(from), Moment::Day(to)) if to > from => end,
        (Moment::Day(from), _) => from.tomorrow().map_or_else(|_| start.clone(), Moment::Day),
        (Moment::At(_), _) => start.clone(),
    }
}

/// Parses a day, or an instant in the named time zone.
pub(super) fn moment(time: &Time, world: &World<'_>) -> Option<Moment> {
    if let Some(date) = time.date {
        return Some(Moment::Day(date));
    }
    let text = time.date_time.as_deref()?;
    let named = time.time_zone.as_deref();
    let zone = match named.and_then(|name| TimeZone::get(name).ok()) {
        Some(zone) => zone,
        None => world.zone.clone(),
    };
    let at = match text.parse::<Timestamp>() {
        Ok(at) => at.to_zoned(zone),
        // A time without an offset is local to the zone.
        Err(_) => text.parse::<civil::DateTime>().ok()?.to_zoned(zone).ok()?,
    };
    Some(Moment::At(at))
}

type Recurrence = (Option<String>, Vec<Moment>, Vec<Moment>);

/// Reads the recurrence rule and the single dates with the iCalendar reader.
fn recurrence(item: &Item, start: &Moment, seed: &Seed) -> Option<Recurrence> {
    if item.recurrence.is_empty() {
        return None;
    }
    let is_line = |line: &&String| !line.chars().any(char::is_control);
    let lines = item.recurrence.iter().filter(is_line);
    let lines: Vec<&str> = lines
        .take(RECURRENCE_LINES_MAX)
        .map(String::as_str)
        .collect();
    let text = format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:x\r\n{}\r\n{}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        date_property("DTSTART", start),
        lines.join("\r\n")
    );
    let read = calendar(&text, "", seed).next()?.ok()?;
    match read.record {
        Record::Event(event) => Some((event.rrule, event.rdates, event.exdates)),
        _ => None,
    }
}

/// Returns the guests without the organizer, which has a field of its own.
fn guests(all: &[Guest]) -> Vec<Attendee> {
    let others = all
        .iter()
        .filter(|guest| !guest.organizer && guest.email.contains('@'));
    others.take(GUESTS_MAX).map(attendee).collect()
}

fn attendee(guest: &Guest) -> Attendee {
    Attendee {
        name: line(&guest.display_name),
        email: line(&guest.email),
        status: match guest.response_status.as_str() {
            "needsAction" => "needs-action",
            known @ ("accepted" | "tentative" | "declined") => known,
            _ => "",
        }
        .to_owned(),
    }
}

/// Returns the organizer. Google names the calendar itself as the organizer of the person's own events; the person's
/// address replaces it.
fn organizer(guest: &Guest, own: &str) -> Option<Attendee> {
    let mut who = attendee(guest);
    who.status.clear();
    if guest.own {
        who.email = own.to_owned();
    }
    who.email.contains('@').then_some(who)
}

fn line(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = plain.take(LINE_CHARS_MAX).collect();
    short.trim().to_owned()
}

fn text(text: &str) -> String {
    let plain = text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    plain.take(TEXT_CHARS_MAX).collect()
}

/// Returns the named time zone, or the person's own if the name is missing or unknown.
pub(super) fn zone(name: Option<&str>, now: &Zoned) -> TimeZone {
    let named = name.and_then(|name| TimeZone::get(name).ok());
    named.unwrap_or_else(|| now.time_zone().clone())
}
