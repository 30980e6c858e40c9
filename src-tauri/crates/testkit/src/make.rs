//! Builders of records with sensible defaults; a test sets only the fields it is about.

use adjutant_domain::ids::RecordId;
use adjutant_domain::moment::Moment;
use adjutant_domain::record::{
    Address, Attendee, Contact, Event, Folder, Mail, Memory, MemorySource, Note, OutboxItem,
    OutboxState, Priority, Task, TaskStatus,
};
use jiff::Timestamp;

/// Time of creation of every record built here.
const CREATED: Timestamp = Timestamp::UNIX_EPOCH;

/// Parses a moment. Panics if `text` is not one.
#[must_use]
#[expect(clippy::panic, reason = "a test gave a bad value")]
pub fn moment(text: &str) -> Moment {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Builds an open task.
#[must_use]
pub fn task(id: &str, title: &str, due: Option<&str>) -> Task {
    Task {
        id: RecordId(id.into()),
        title: title.into(),
        notes: String::new(),
        due: due.map(moment),
        remind_at: None,
        priority: Priority::Medium,
        status: TaskStatus::Open,
        rrule: None,
        start: None,
        tags: Vec::new(),
        place: None,
        completed_at: None,
        created: CREATED,
        updated: CREATED,
        version: 1,
    }
}

/// Builds an event in the calendar `Home`. `guests` are addresses or `Name <address>`.
#[must_use]
pub fn event(id: &str, summary: &str, start: &str, end: &str, guests: &[&str]) -> Event {
    Event {
        id: RecordId(id.into()),
        uid: format!("{id}@test"),
        recurrence_id: None,
        following: false,
        calendar: "Home".into(),
        summary: summary.into(),
        description: String::new(),
        location: String::new(),
        start: moment(start),
        end: moment(end),
        attendees: guests
            .iter()
            .map(|guest| {
                let address = address(guest);
                Attendee {
                    name: address.name,
                    email: address.email,
                    status: "accepted".into(),
                }
            })
            .collect(),
        organizer: None,
        rrule: None,
        rdates: Vec::new(),
        exdates: Vec::new(),
        cancelled: false,
        transparent: false,
        sequence: 0,
        created: CREATED,
        updated: CREATED,
        version: 1,
    }
}

/// Builds a note.
#[must_use]
pub fn note(id: &str, title: &str, body: &str) -> Note {
    Note {
        id: RecordId(id.into()),
        title: title.into(),
        body: body.into(),
        tags: Vec::new(),
        created: CREATED,
        updated: CREATED,
        version: 1,
    }
}

/// Builds a contact.
#[must_use]
pub fn contact(id: &str, name: &str, emails: &[&str]) -> Contact {
    Contact {
        id: RecordId(id.into()),
        uid: format!("{id}@test"),
        name: name.into(),
        nicknames: Vec::new(),
        emails: emails.iter().map(|email| (*email).to_owned()).collect(),
        phones: Vec::new(),
        organisation: String::new(),
        relation: String::new(),
        birthday: String::new(),
        notes: String::new(),
        created: CREATED,
        updated: CREATED,
        version: 1,
    }
}

/// Builds a read mail in the inbox. Addresses are as in [`event`].
#[must_use]
pub fn mail(id: &str, from: &str, subject: &str, date: &str, text: &str) -> Mail {
    Mail {
        id: RecordId(id.into()),
        message_id: format!("{id}@test"),
        folder: Folder::Inbox,
        from: address(from),
        to: vec![address("me@home.example")],
        cc: Vec::new(),
        reply_to: Vec::new(),
        subject: subject.into(),
        date: date.parse().unwrap_or(CREATED),
        text: text.into(),
        in_reply_to: None,
        references: Vec::new(),
        attachments: Vec::new(),
        labels: Vec::new(),
        read: true,
        starred: false,
        size: 1_000,
        updated: CREATED,
        version: 1,
    }
}

/// Builds a draft to one recipient.
#[must_use]
pub fn draft(id: &str, to: &str, subject: &str, body: &str) -> OutboxItem {
    OutboxItem {
        id: RecordId(id.into()),
        message_id: String::new(),
        to: vec![address(to)],
        cc: Vec::new(),
        bcc: Vec::new(),
        subject: subject.into(),
        body: body.into(),
        in_reply_to: None,
        forward_of: None,
        state: OutboxState::Draft,
        mime: None,
        not_before: None,
        created: CREATED,
        updated: CREATED,
        version: 1,
    }
}

/// Builds a memory that the person told Adjutant.
#[must_use]
pub fn memory(id: &str, key: &str, value: &str) -> Memory {
    Memory {
        id: RecordId(id.into()),
        category: "fact".into(),
        key: key.into(),
        value: value.into(),
        source: MemorySource::Said,
        origin: String::new(),
        confidence: 1.0,
        valid_from: CREATED,
        valid_to: None,
        uses: 0,
        last_used: None,
        created: CREATED,
        updated: CREATED,
        version: 1,
    }
}

/// Parses `Name <address>` or a bare address.
#[must_use]
pub fn address(text: &str) -> Address {
    match text.split_once('<') {
        Some((name, rest)) => Address {
            name: name.trim().into(),
            email: rest.trim_end_matches('>').into(),
        },
        None => Address {
            name: String::new(),
            email: text.into(),
        },
    }
}
