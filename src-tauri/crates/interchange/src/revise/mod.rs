//! Writing back what was read: a source in, the same source with what shall be different out. Whatever is not understood
//! here stays as it is, line by line: properties of other programs, alarms, attachments, zones.

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

/// A resource as it shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revised {
    /// Its text.
    pub text: String,
    /// Whether it says something else than its source; of what is new, always.
    pub changed: bool,
}

/// Why nothing can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRevised {
    /// What is there cannot be read, and is not overwritten.
    #[error("what is there cannot be read, so it is not overwritten")]
    Unreadable,
    /// None of the person's addresses is among the guests.
    #[error("none of your addresses is among the guests")]
    NotInvited,
    /// The instance of the series is not there.
    #[error("this one of the series is not there")]
    NoInstance,
}

/// The line of a text property; none where it is empty.
fn text_line(name: &str, text: &str) -> Option<String> {
    use crate::write::ical::escape;
    (!text.is_empty()).then(|| format!("{name}:{}", escape(text)))
}

fn stamp(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// A component that was changed says when.
fn touch(component: &mut Component, seed: &Seed) {
    let now = stamp(seed.now.timestamp());
    component.set("DTSTAMP", Some(format!("DTSTAMP:{now}")));
    if component.of("LAST-MODIFIED").next().is_some() {
        component.set("LAST-MODIFIED", Some(format!("LAST-MODIFIED:{now}")));
    }
}

/// What a calendar says of one of its components, read with the zones it describes.
fn record_of(calendar: &Component, component: &Component, seed: &Seed) -> Option<Record> {
    let mut alone = Component::new("VCALENDAR");
    let zones = calendar.inside().filter(|one| one.is("VTIMEZONE"));
    let inside = zones.chain([component]).cloned();
    alone.parts.extend(inside.map(lines::Part::Inside));
    let mut items = crate::read::calendar(&alone.text(), "", seed);
    items.find_map(|item| Some(item.ok()?.record))
}

/// A record without what reading adds to it.
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

/// The records of a calendar's components of one name, as far as they can be read.
fn records(calendar: &Component, name: &str, seed: &Seed) -> Vec<Option<Record>> {
    let all = calendar.inside().filter(|one| one.is(name));
    all.map(|one| record_of(calendar, one, seed).map(said))
        .collect()
}
