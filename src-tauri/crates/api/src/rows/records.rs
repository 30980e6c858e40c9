//! Rows for records: tasks, events, notes, memories, mail and contacts.

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
    /// Title of the task.
    pub title: String,
    /// Further text.
    pub notes: String,
    /// When it is due: RFC 3339 with offset, or a date.
    pub due: Option<String>,
    /// When to remind the person, RFC 3339.
    pub remind_at: Option<String>,
    /// Priority of the task.
    pub priority: Priority,
    /// Whether it is done.
    pub status: TaskStatus,
    /// RFC 5545 recurrence rule, if it repeats.
    pub rrule: Option<String>,
    /// The recurrence rule in words.
    pub repeats: Option<String>,
    /// First day on which it needs attention.
    pub start: Option<String>,
    /// Its labels.
    pub tags: Vec<String>,
    /// Position among the tasks of its day, from 1; `null` if the person has not ordered them.
    pub place: Option<u32>,
    /// When it was last completed, RFC 3339.
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
    /// Start: RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// IANA time zone; empty for whole days.
    pub tz: String,
    /// Whether it takes up whole days.
    pub all_day: bool,
    /// Place.
    pub location: String,
    /// Further text.
    pub description: String,
    /// Addresses of guests.
    pub attendees: Vec<String>,
    /// The same guests with names and replies.
    pub guests: Vec<GuestRow>,
    /// Who invites, if the event says so: the person or somebody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub organizer: Option<GuestRow>,
    /// RFC 5545 recurrence rule, if it repeats.
    pub rrule: Option<String>,
    /// The recurrence rule in words.
    pub repeats: Option<String>,
    /// Name of the calendar.
    pub calendar: String,
    /// For an instance: its original start.
    pub instance: Option<String>,
    /// For a series: why instances in the requested range may be missing from the rows.
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
    /// Reply to the invitation: `accepted`, `declined`, `tentative` or `needs-action`; may be empty or another word.
    pub status: String,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteRow {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Text in Markdown.
    pub body: String,
    /// Labels.
    pub tags: Vec<String>,
    /// When it was created, RFC 3339.
    pub created: String,
    /// When it last changed, RFC 3339.
    pub updated: String,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MemoryRow {
    /// Identifier.
    pub id: String,
    /// Category: `fact`, `preference`, `person`, `place`, …
    pub category: String,
    /// Subject of the fact.
    pub key: String,
    /// The fact itself.
    pub value: String,
    /// The fact as a sentence: the person's own words if available, otherwise key and value.
    pub statement: String,
    /// Origin of the memory.
    pub source: MemorySource,
    /// The exact words, or where it was read.
    pub origin: String,
    /// Confidence from 0 to 1.
    pub confidence: f64,
    /// Since when it has held, RFC 3339.
    pub valid_from: String,
    /// When it stopped holding, RFC 3339; `null` while it holds.
    pub valid_to: Option<String>,
    /// Number of answers that used it.
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
    /// Folder it is in.
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
    /// Date, RFC 3339.
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
    /// Beginning of its text on one line, without quoted lines.
    pub excerpt: String,
    /// Mark of its thread: mails with the same mark in one list belong to one thread. It is not an identifier, because
    /// the marks differ from list to list.
    pub thread: String,
    /// Plain text; only if a single mail or a thread was requested.
    pub text: Option<String>,
    /// Present if only the beginning of the mail is stored: why the rest could not be fetched. Empty if Adjutant has
    /// not tried, which it does only when a single mail is requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub in_part: Option<String>,
    /// Kind of sender, judged by the headers; only if unread mail was requested.
    pub writer: Option<MailWriter>,
}

/// An attachment of a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailFile {
    /// Name as the sender gave it.
    pub name: String,
    /// Size in bytes.
    #[ts(type = "number")]
    pub size: u64,
}

/// Why an approved action waits, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutboxWait {
    /// What it waits for.
    pub why: WaitsFor,
    /// When the waiting ends, RFC 3339: at the end of the hold, or when Adjutant gives up on the account.
    pub until: String,
    /// Name of the account to sign in to, if that is what it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub account: Option<String>,
}

/// A draft, an outgoing mail, or another approved action that waits.
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
    /// Message-ID of the mail it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub in_reply_to: Option<String>,
    /// Message-ID of the mail it forwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub forward_of: Option<String>,
    /// State of the mail.
    pub state: OutboxState,
    /// When a held mail is sent, RFC 3339.
    pub not_before: Option<String>,
    /// For an approved action: what it waits for. The row's identifier is then that of the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub waits: Option<OutboxWait>,
    /// When it last changed, RFC 3339.
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
    /// Birthday as `1984-04-15`, or its known part, such as `--04-15`; may be empty.
    pub birthday: String,
    /// Further text.
    pub notes: String,
}
