//! Writes changes back: takes a source and returns it with the changed fields. Whatever is not understood here is
//! kept line by line: properties of other programs, alarms, attachments, zones.

mod card;
mod event;
mod lines;
mod people;
mod task;
mod zone;

use adjutant_domain::record::Record;
use jiff::Timestamp;

pub use card::card;
pub use event::{answered, events};
pub use task::task;

use crate::read::Seed;
use lines::Component;

/// A resource with its changes applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revised {
    /// Text of the resource.
    pub text: String,
    /// Whether the content differs from the source; always true for a new resource.
    pub changed: bool,
}

/// The reason why a change cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRevised {
    /// The existing source cannot be read, and is not overwritten.
    #[error("what is there cannot be read, so it is not overwritten")]
    Unreadable,
    /// None of the person's addresses is among the guests.
    #[error("none of your addresses is among the guests")]
    NotInvited,
    /// The series does not have this instance.
    #[error("this instance of the series is not there")]
    NoInstance,
}

/// Returns the line of a text property, or `None` if the text is empty.
fn text_line(name: &str, text: &str) -> Option<String> {
    use crate::write::ical::escape;
    (!text.is_empty()).then(|| format!("{name}:{}", escape(text)))
}

fn stamp(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Sets the time of the last change of a component.
fn touch(component: &mut Component, seed: &Seed) {
    let now = stamp(seed.now.timestamp());
    component.set("DTSTAMP", Some(format!("DTSTAMP:{now}")));
    if component.of("LAST-MODIFIED").next().is_some() {
        component.set("LAST-MODIFIED", Some(format!("LAST-MODIFIED:{now}")));
    }
}

/// Reads the record of one component of a calendar, using the zones the calendar describes.
fn record_of(calendar: &Component, component: &Component, seed: &Seed) -> Option<Record> {
    let mut alone = Component::new("VCALENDAR");
    let zones = calendar.inside().filter(|one| one.is("VTIMEZONE"));
    let inside = zones.chain([component]).cloned();
    alone.parts.extend(inside.map(lines::Element::Inside));
    let mut items = crate::read::calendar(&alone.text(), "", seed);
    items.find_map(|item| Some(item.ok()?.record))
}

/// Returns a record without the fields that reading adds.
fn said(mut record: Record) -> Record {
    match &mut record {
        Record::Event(row) => {
            row.id = String::new().into();
            row.created = Timestamp::UNIX_EPOCH;
            row.updated = Timestamp::UNIX_EPOCH;
        }
        Record::Task(row) => {
            row.id = String::new().into();
            row.created = Timestamp::UNIX_EPOCH;
            row.updated = Timestamp::UNIX_EPOCH;
        }
        Record::Contact(row) => {
            row.id = String::new().into();
            row.created = Timestamp::UNIX_EPOCH;
            row.updated = Timestamp::UNIX_EPOCH;
        }
        Record::Mail(_) | Record::Note(_) | Record::Outbox(_) | Record::Memory(_) => {}
    }
    record
}

/// Returns the records of a calendar's components of one name; `None` for those that cannot be read.
fn records(calendar: &Component, name: &str, seed: &Seed) -> Vec<Option<Record>> {
    let all = calendar.inside().filter(|one| one.is(name));
    all.map(|one| record_of(calendar, one, seed).map(said))
        .collect()
}
