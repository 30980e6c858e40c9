//! Records: the contents of the person's profile, as types for the rows in SQLite.

pub mod contact;
pub mod event;
pub mod mail;
pub mod memory;
pub mod note;
pub mod outbox;
pub mod task;
pub mod thread;
pub mod writer;

use serde::{Deserialize, Serialize};

pub use contact::Contact;
pub use event::{Attendee, Event, Occurrence};
pub use mail::{Address, Attachment, Folder, Mail};
pub use memory::{Memory, MemorySource};
pub use note::Note;
pub use outbox::{OutboxItem, OutboxState};
pub use task::{Priority, Task, TaskStatus};
pub use writer::Writer;

use crate::ids::RecordId;

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Tasks and reminders.
    Task,
    /// Calendar events.
    Event,
    /// Notes.
    Note,
    /// Address book.
    Contact,
    /// Received and sent mail.
    Mail,
    /// Drafts and outgoing mail.
    Outbox,
    /// What Adjutant remembers.
    Memory,
}

impl Kind {
    /// Every kind, in a fixed order.
    pub const ALL: [Self; 7] = [
        Self::Task,
        Self::Event,
        Self::Note,
        Self::Contact,
        Self::Mail,
        Self::Outbox,
        Self::Memory,
    ];

    /// Returns the identifier prefix of this kind.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Event => "ev",
            Self::Note => "note",
            Self::Contact => "who",
            Self::Mail => "mail",
            Self::Outbox => "out",
            Self::Memory => "mem",
        }
    }

    /// Returns the singular noun for the person.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Event => "event",
            Self::Note => "note",
            Self::Contact => "contact",
            Self::Mail => "mail",
            Self::Outbox => "outgoing mail",
            Self::Memory => "memory",
        }
    }
}

/// One record of any kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// A task.
    Task(Task),
    /// An event.
    Event(Event),
    /// A note.
    Note(Note),
    /// A contact.
    Contact(Contact),
    /// A mail.
    Mail(Mail),
    /// A draft or outgoing mail.
    Outbox(OutboxItem),
    /// A memory.
    Memory(Memory),
}

impl Record {
    /// Returns the kind of the record.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Task(_) => Kind::Task,
            Self::Event(_) => Kind::Event,
            Self::Note(_) => Kind::Note,
            Self::Contact(_) => Kind::Contact,
            Self::Mail(_) => Kind::Mail,
            Self::Outbox(_) => Kind::Outbox,
            Self::Memory(_) => Kind::Memory,
        }
    }

    /// Returns the identifier, unique within the kind.
    #[must_use]
    pub fn id(&self) -> &RecordId {
        match self {
            Self::Task(row) => &row.id,
            Self::Event(row) => &row.id,
            Self::Note(row) => &row.id,
            Self::Contact(row) => &row.id,
            Self::Mail(row) => &row.id,
            Self::Outbox(row) => &row.id,
            Self::Memory(row) => &row.id,
        }
    }

    /// Returns the row version: 1 after the first write, one more with each further write, 0 if never written.
    #[must_use]
    pub fn version(&self) -> i64 {
        match self {
            Self::Task(row) => row.version,
            Self::Event(row) => row.version,
            Self::Note(row) => row.version,
            Self::Contact(row) => row.version,
            Self::Mail(row) => row.version,
            Self::Outbox(row) => row.version,
            Self::Memory(row) => row.version,
        }
    }

    /// Sets the row version; only storage does this.
    pub fn set_version(&mut self, version: i64) {
        match self {
            Self::Task(row) => row.version = version,
            Self::Event(row) => row.version = version,
            Self::Note(row) => row.version = version,
            Self::Contact(row) => row.version = version,
            Self::Mail(row) => row.version = version,
            Self::Outbox(row) => row.version = version,
            Self::Memory(row) => row.version = version,
        }
    }

    /// Returns the name for the person: title, summary, subject, name or value.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Task(row) => &row.title,
            Self::Event(row) => &row.summary,
            Self::Note(row) => &row.title,
            Self::Contact(row) => &row.name,
            Self::Mail(row) => &row.subject,
            Self::Outbox(row) => &row.subject,
            Self::Memory(row) => &row.value,
        }
    }
}
