//! What a reading step found, as rows the window draws with their own actions. The words of the result say the same for
//! front ends without rows.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::{Priority, TaskStatus};

/// Rows of one result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Found {
    /// Exactly what the answer says of this result: the rows stand in its place.
    pub say: String,
    /// The sentence over the rows; empty where it would repeat the only row.
    pub head: String,
    /// What the words say besides, such as a series whose dates are not known; usually empty.
    pub note: String,
    /// How many fit; more than there are rows where the list was cut.
    #[ts(type = "number")]
    pub total: u64,
    /// The rows, in the order of the answer; never none.
    pub rows: FoundRows,
    /// What takes the time that was asked about, beside rows of free time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FoundBusy>>", optional)]
    pub busy: Vec<FoundBusy>,
}

/// The rows, by what they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", content = "list", rename_all = "snake_case")]
pub enum FoundRows {
    /// Tasks.
    Tasks(Vec<FoundTask>),
    /// Events, or dates of a series.
    Events(Vec<FoundEvent>),
    /// Mail, received or on its way out.
    Mail(Vec<FoundMail>),
    /// Notes.
    Notes(Vec<FoundNote>),
    /// People of the address book.
    Contacts(Vec<FoundContact>),
    /// What is remembered.
    Memories(Vec<FoundMemory>),
    /// Files of the folders that may be read.
    Files(Vec<FoundFile>),
    /// Stretches of time without events.
    Free(Vec<FoundTime>),
}

/// A task among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundTask {
    /// Identifier.
    pub id: String,
    /// What to do.
    pub title: String,
    /// RFC 3339 with offset, or a date.
    pub due: Option<String>,
    /// How much it matters.
    pub priority: Priority,
    /// Whether it was done when this was read.
    pub status: TaskStatus,
    /// Whether it comes again.
    pub repeats: bool,
}

/// An event among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundEvent {
    /// How calls refer to it: the row, with its original start for one date of a series.
    pub id: String,
    /// Identifier of the row.
    pub row: String,
    /// Title.
    pub summary: String,
    /// RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// Whole days.
    pub all_day: bool,
    /// Where.
    pub location: String,
    /// Names of guests, or their addresses where there is no name.
    pub people: Vec<String>,
    /// Calendar.
    pub calendar: String,
    /// Whether it comes again.
    pub repeats: bool,
}

/// A mail among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundMail {
    /// Identifier; of the outbox where it has not left.
    pub id: String,
    /// Subject.
    pub subject: String,
    /// Sender's address.
    pub from: String,
    /// Sender's name; may be empty.
    pub from_name: String,
    /// Names of recipients, or their addresses where there is no name.
    pub to: Vec<String>,
    /// `inbox`, `sent`, `archive`, `trash`, `junk`, or a state of the outbox.
    pub folder: String,
    /// RFC 3339.
    pub date: String,
    /// Whether it was unread when this was read.
    pub unread: bool,
    /// Number of attachments.
    pub attachments: usize,
    /// Whether it lies in the outbox.
    pub outgoing: bool,
}

/// A note among the results of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundNote {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Its first words.
    pub preview: String,
    /// Last changed, RFC 3339.
    pub updated: String,
}

/// A person of the address book.
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

/// Something remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundMemory {
    /// Identifier.
    pub id: String,
    /// What it is about.
    pub key: String,
    /// The fact.
    pub value: String,
}

/// A file among the results of an answer, in a folder the person allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundFile {
    /// Where it lies.
    pub path: String,
    /// File name.
    pub name: String,
    /// The folder of the person it lies in.
    pub folder: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// Last changed, RFC 3339; none where the file system does not say.
    pub modified: Option<String>,
}

/// A stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundTime {
    /// RFC 3339.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// How long.
    #[ts(type = "number")]
    pub minutes: u64,
}

/// An event in the way of free time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundBusy {
    /// What it is called.
    pub summary: String,
    /// RFC 3339, or a date.
    pub start: String,
    /// End, exclusive.
    pub end: String,
}
