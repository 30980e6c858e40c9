//! Rows of records.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::{
    MailFolder, MailWriter, MemorySource, OutboxState, Priority, TaskStatus, WaitsFor,
};

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TaskRow {
    /// Identifier.
    pub id: String,
    /// What to do.
    pub title: String,
    /// Further text.
    pub notes: String,
    /// RFC 3339 with offset, or a date.
    pub due: Option<String>,
    /// When to notify, RFC 3339.
    pub remind_at: Option<String>,
    /// How much it matters.
    pub priority: Priority,
    /// Whether it is done.
    pub status: TaskStatus,
    /// Repetition.
    pub rrule: Option<String>,
    /// The repetition in words.
    pub repeats: Option<String>,
    /// The day before which nothing is to be done about it.
    pub start: Option<String>,
    /// Its labels.
    pub tags: Vec<String>,
    /// Where it stands among those of its day, from 1; none where the person did not put them in order.
    pub place: Option<u32>,
    /// When it was completed last, RFC 3339.
    pub completed_at: Option<String>,
}

/// An event, or one instance of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct EventRow {
    /// Identifier of the row.
    pub id: String,
    /// iCalendar UID.
    pub uid: String,
    /// Title.
    pub summary: String,
    /// RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// IANA zone; empty for whole days.
    pub tz: String,
    /// Whole days.
    pub all_day: bool,
    /// Where.
    pub location: String,
    /// Further text.
    pub description: String,
    /// Addresses of guests.
    pub attendees: Vec<String>,
    /// The same guests with what is known of them.
    pub guests: Vec<GuestRow>,
    /// Repetition.
    pub rrule: Option<String>,
    /// The repetition in words.
    pub repeats: Option<String>,
    /// Calendar.
    pub calendar: String,
    /// For an instance: its original start.
    pub instance: Option<String>,
    /// For a series that may have instances in the range which are not among the rows: why they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unexpanded: Option<String>,
}

/// A guest of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GuestRow {
    /// Display name; may be empty.
    pub name: String,
    /// Mail address.
    pub email: String,
    /// What they said: `accepted`, `declined`, `tentative`, `needs-action`; may be empty or something else.
    pub status: String,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteRow {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Labels.
    pub tags: Vec<String>,
    /// First written, RFC 3339.
    pub created: String,
    /// Last changed, RFC 3339.
    pub updated: String,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MemoryRow {
    /// Identifier.
    pub id: String,
    /// Kind of fact.
    pub category: String,
    /// What it is about.
    pub key: String,
    /// The fact.
    pub value: String,
    /// The fact as a sentence, in the person's words where they are kept.
    pub statement: String,
    /// Where it comes from.
    pub source: MemorySource,
    /// The exact words, or the place it was read.
    pub origin: String,
    /// 0 to 1.
    pub confidence: f64,
    /// RFC 3339.
    pub valid_from: String,
    /// RFC 3339.
    pub valid_to: Option<String>,
    /// How often it was used.
    #[ts(type = "number")]
    pub uses: i64,
    /// When it was last used, RFC 3339.
    pub last_used: Option<String>,
}

/// A mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailRow {
    /// Identifier.
    pub id: String,
    /// Message-ID without angle brackets.
    pub message_id: String,
    /// Where it lies.
    pub folder: MailFolder,
    /// Sender's address.
    pub from: String,
    /// Sender's name.
    pub from_name: String,
    /// Recipients' addresses.
    pub to: Vec<String>,
    /// Carbon copies.
    pub cc: Vec<String>,
    /// Subject.
    pub subject: String,
    /// RFC 3339.
    pub date: String,
    /// Whether it was read.
    pub read: bool,
    /// Whether it is starred.
    pub starred: bool,
    /// Labels.
    pub labels: Vec<String>,
    /// Number of attachments.
    pub attachments: usize,
    /// The attachments, without their bytes.
    pub files: Vec<MailFile>,
    /// The beginning of its text, on one line; quotations left out.
    pub excerpt: String,
    /// Mails of one list with the same word here belong to one thread. It is no identifier: another list may have another.
    pub thread: String,
    /// Plain text; only when one mail or one thread is asked for.
    pub text: Option<String>,
    /// Only the beginning is here: why the rest was not got, where the mail alone was asked for; empty where nobody tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub in_part: Option<String>,
    /// Who writes, by the head of the mail; only where unread mail is asked for.
    pub writer: Option<MailWriter>,
}

/// An attachment of a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailFile {
    /// Name as the sender gave it.
    pub name: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
}

/// Why something approved waits, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutboxWait {
    /// For what it waits.
    pub why: WaitsFor,
    /// When that ends, RFC 3339: the end of the hold; without a connection, when it is given up.
    pub until: String,
}

/// A draft or outgoing mail, or something else that is approved and waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutboxRow {
    /// Identifier.
    pub id: String,
    /// Recipients' addresses.
    pub to: Vec<String>,
    /// Carbon copies.
    pub cc: Vec<String>,
    /// Blind copies.
    pub bcc: Vec<String>,
    /// Subject.
    pub subject: String,
    /// Text.
    pub body: String,
    /// Message-ID this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub in_reply_to: Option<String>,
    /// Message-ID this forwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub forward_of: Option<String>,
    /// Where it is.
    pub state: OutboxState,
    /// When a held mail leaves, RFC 3339.
    pub not_before: Option<String>,
    /// Why an approved action is not carried out yet; its identifier is this row's then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub waits: Option<OutboxWait>,
    /// Last changed, RFC 3339.
    pub updated: String,
}

/// A contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContactRow {
    /// Identifier.
    pub id: String,
    /// Full name.
    pub name: String,
    /// Other names.
    pub nicknames: Vec<String>,
    /// Mail addresses.
    pub emails: Vec<String>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Organisation.
    pub organisation: String,
    /// Relation to the owner in the person's words; may be empty.
    pub relation: String,
    /// `1984-04-15`, or `--04-15` where the year is not known; may be empty.
    pub birthday: String,
    /// Further text.
    pub notes: String,
}
