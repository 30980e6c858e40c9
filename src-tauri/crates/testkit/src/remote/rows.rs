//! Records as another program would put them into an account.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::record::{Contact, Mail, Record};
use jiff::Timestamp;

use crate::make;

/// Builds a record of the kind that a collection holds. `name` becomes its title, subject or name, and part of its UID.
pub(super) fn sample(kind: CollectionKind, name: &str) -> Record {
    match kind {
        CollectionKind::Calendar => Record::Event(make::event(
            &format!("ev-{name}"),
            name,
            "2026-01-15T10:00:00+01:00[Europe/Paris]",
            "2026-01-15T11:00:00+01:00[Europe/Paris]",
            &["me@home.example"],
        )),
        CollectionKind::Mailbox => Record::Mail(Mail {
            read: false,
            ..make::mail(
                &format!("mail-{name}"),
                "Nadia Ali <nadia@work.example>",
                name,
                "2026-01-10T09:00:00Z",
                &format!("About {name}."),
            )
        }),
        CollectionKind::TaskList => Record::Task(make::task(&format!("task-{name}"), name, None)),
        CollectionKind::AddressBook => Record::Contact(Contact {
            id: format!("who-{name}").into(),
            uid: format!("{name}-uid"),
            name: name.into(),
            nicknames: Vec::new(),
            emails: vec![format!("{name}@work.example")],
            phones: Vec::new(),
            birthday: String::new(),
            organisation: String::new(),
            relation: String::new(),
            notes: String::new(),
            created: Timestamp::UNIX_EPOCH,
            updated: Timestamp::UNIX_EPOCH,
            version: 1,
        }),
    }
}

/// Returns the record with another title; a mail, whose text cannot change, with another mark instead.
pub(super) fn renamed(record: &Record, name: &str) -> Record {
    let mut record = record.clone();
    match &mut record {
        Record::Task(row) => row.title = name.into(),
        Record::Event(row) => {
            row.summary = name.into();
            row.sequence += 1;
        }
        Record::Note(row) => row.title = name.into(),
        Record::Contact(row) => row.name = name.into(),
        Record::Mail(row) => row.starred = !row.starred,
        Record::Outbox(row) => row.subject = name.into(),
        Record::Memory(row) => row.value = name.into(),
    }
    record
}
