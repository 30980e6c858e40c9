//! Results of a reading step as rows, which the window draws with their own actions. `say` holds the same in words, for
//! front ends that draw no rows.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::{Priority, TaskStatus};

/// Rows of one result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Found {
    /// Exactly the words in which the answer states this result. The window shows the rows in their place.
    pub say: String,
    /// Sentence above the rows; empty if it would only repeat a single row.
    pub head: String,
    /// What the words add to the rows, such as a series whose dates are not known; usually empty.
    pub note: String,
    /// Number of matches; larger than the number of rows if the list was cut.
    #[ts(type = "number")]
    pub total: u64,
    /// The rows, in the order of the answer; never empty.
    pub rows: FoundRows,
    /// Events that take up the requested time; only beside rows of free time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FoundBusy>>", optional)]
    pub busy: Vec<FoundBusy>,
    /// The busy events, if the words name them and not the free time: the answer to “am I free” is no. The rows are then
    /// what is left besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FoundEvent>>", optional)]
    pub in_the_way: Vec<FoundEvent>,
}

/// The rows, by kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", content = "list", rename_all = "snake_case")]
pub enum FoundRows {
    /// Tasks.
    Tasks(Vec<FoundTask>),
    /// Events, or single dates of a series.
    Events(Vec<FoundEvent>),
    /// Received or outgoing mail.
    Mail(Vec<FoundMail>),
    /// Notes.
    Notes(Vec<FoundNote>),
    /// People in the address book.
    Contacts(Vec<FoundContact>),
    /// Memories.
    Memories(Vec<FoundMemory>),
    /// Files in folders that Adjutant may read.
    Files(Vec<FoundFile>),
    /// Periods without events.
    Free(Vec<FoundTime>),
}

/// A task among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundTask {
    /// Identifier.
    pub id: String,
    /// Title of the task.
    pub title: String,
    /// RFC 3339 with offset, or a date.
    pub due: Option<String>,
    /// Priority of the task.
    pub priority: Priority,
    /// Whether it was done at the time of reading.
    pub status: TaskStatus,
    /// Whether it repeats.
    pub repeats: bool,
}

/// An event among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundEvent {
    /// Identifier that calls use: the row's, plus the original start for one date of a series.
    pub id: String,
    /// Identifier of the row.
    pub row: String,
    /// Title.
    pub summary: String,
    /// RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// Whether it takes up whole days.
    pub all_day: bool,
    /// Place.
    pub location: String,
    /// Names of the guests; the address of a guest without a name.
    pub people: Vec<String>,
    /// Name of the calendar.
    pub calendar: String,
    /// Whether it repeats.
    pub repeats: bool,
}

/// A mail among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundMail {
    /// Identifier; that of the outbox row for a mail not yet sent.
    pub id: String,
    /// Subject.
    pub subject: String,
    /// Sender's address.
    pub from: String,
    /// Sender's name; may be empty.
    pub from_name: String,
    /// Names of the recipients; the address of a recipient without a name.
    pub to: Vec<String>,
    /// `inbox`, `sent`, `archive`, `trash`, `junk`, or the outbox state of an outgoing mail.
    pub folder: String,
    /// Date, RFC 3339.
    pub date: String,
    /// Whether it was unread at the time of reading.
    pub unread: bool,
    /// Number of attachments.
    pub attachments: usize,
    /// Whether it is in the outbox.
    pub outgoing: bool,
}

/// A note among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundNote {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Beginning of its text.
    pub preview: String,
    /// Last changed, RFC 3339.
    pub updated: String,
}

/// A person in the address book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundContact {
    /// Identifier.
    pub id: String,
    /// Full name.
    pub name: String,
    /// Organisation; may be empty.
    pub organisation: String,
    /// Relation to the owner in the person's words; may be empty.
    pub relation: String,
    /// Mail addresses.
    pub emails: Vec<String>,
    /// Telephone numbers.
    pub phones: Vec<String>,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundMemory {
    /// Identifier.
    pub id: String,
    /// Subject of the fact.
    pub key: String,
    /// The fact.
    pub value: String,
}

/// A file among the results of an answer, in a folder the person allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundFile {
    /// Full path.
    pub path: String,
    /// File name.
    pub name: String,
    /// Name of the allowed folder it is in.
    pub folder: String,
    /// Size in bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// When it last changed, RFC 3339; `null` if the file system does not say.
    pub modified: Option<String>,
}

/// A free period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundTime {
    /// Start, RFC 3339.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// Length in minutes.
    #[ts(type = "number")]
    pub minutes: u64,
}

/// An event that takes up part of the requested time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundBusy {
    /// Title of the event.
    pub summary: String,
    /// Start: RFC 3339, or a date.
    pub start: String,
    /// End, exclusive.
    pub end: String,
}
