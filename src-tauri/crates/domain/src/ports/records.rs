//! Reading records.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use jiff::Timestamp;

use crate::account::{Account, Collection, Origins};
use crate::change::Change;
use crate::faults::StoreFault;
use crate::ids::RecordId;
use crate::provenance::{Provenance, is_others};
use crate::record::{
    Contact, Event, Folder, Kind, Mail, Memory, Note, Occurrence, OutboxItem, OutboxState, Record,
    Task, TaskStatus,
};

/// A half-open range of time; `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// From here on.
    pub from: Option<Timestamp>,
    /// Up to here, exclusive.
    pub to: Option<Timestamp>,
}

impl Window {
    /// Whether a point in time lies inside.
    #[must_use]
    pub fn holds(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to)
    }

    /// Whether it bounds anything at all.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// Order of results by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Earliest first.
    #[default]
    Ascending,
    /// Latest first.
    Descending,
}

/// Which tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskFilter {
    /// Words that must all occur in title or notes (case and accents do not matter).
    pub text: Option<String>,
    /// Open or done.
    pub status: Option<TaskStatus>,
    /// Due inside; tasks without due date do not match a window.
    pub due: Window,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// Which events. Recurring ones are expanded into occurrences when a window with an end is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventFilter {
    /// Overlapping this range.
    pub window: Window,
    /// Words that must all occur in summary, location or description.
    pub text: Option<String>,
    /// Any of these must match a guest or the organizer: an address exactly, or a name word by word.
    pub people: Vec<String>,
    /// Calendar name.
    pub calendar: Option<String>,
    /// Only rows of this iCalendar UID: a master and its exceptions.
    pub uid: Option<String>,
    /// Order by start.
    pub sort: Sort,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// Which mails.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MailFilter {
    /// Any of these must match the sender: an address exactly, or a name word by word.
    pub from: Vec<String>,
    /// Any of these must match a recipient.
    pub to: Vec<String>,
    /// Words that must all occur in the subject.
    pub subject: Option<String>,
    /// The subject is exactly this (case and surrounding space do not matter).
    pub subject_is: Option<String>,
    /// Words that must all occur in subject, body or sender.
    pub text: Option<String>,
    /// Dated inside.
    pub window: Window,
    /// In one of these; empty means everywhere but trash and junk.
    pub folders: Vec<Folder>,
    /// Read or unread.
    pub read: Option<bool>,
    /// With or without attachments.
    pub has_attachment: Option<bool>,
    /// With this label.
    pub label: Option<String>,
    /// Order by date.
    pub sort: Sort,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// Which notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoteFilter {
    /// Words that must all occur in title or body.
    pub text: Option<String>,
    /// Words that must all occur in the title.
    pub title: Option<String>,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// Which contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactFilter {
    /// A name, nickname, relation or address, or the beginning of one of its words.
    pub name: Option<String>,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// Which memories.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryFilter {
    /// Words to rank by (not all have to occur).
    pub text: Option<String>,
    /// Only these about exactly this key.
    pub key: Option<String>,
    /// Include what no longer holds.
    pub past: bool,
    /// Include what is set aside (read in text of others).
    pub set_aside: bool,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// Which outgoing mails.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutboxFilter {
    /// In one of these states; empty means all.
    pub states: Vec<OutboxState>,
    /// Any of these must match a recipient.
    pub to: Vec<String>,
    /// Words that must all occur in subject or body.
    pub text: Option<String>,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// A hit of the full-text search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// Kind of record.
    pub kind: Kind,
    /// Which record.
    pub id: RecordId,
    /// Title, subject or name.
    pub title: String,
    /// A piece of text around the words found.
    pub snippet: String,
    /// Higher is better.
    pub score: f32,
}

/// A series that may have instances which are not shown.
#[derive(Clone, Debug, PartialEq)]
pub struct UnexpandedSeries {
    /// Its row.
    pub event: Event,
    /// Why they are not known, as the end of a sentence: "its repetition cannot be read: …".
    pub reason: String,
}

/// A record to import, with its untouched source where that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// The record; its `id` is used only when the record is new (natural keys decide: UID and RECURRENCE-ID,
    /// Message-ID, contact UID, and the content for tasks, notes and memories).
    pub record: Record,
    /// Source bytes (mail).
    pub raw: Option<Vec<u8>>,
}

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ImportCounts {
    /// New rows.
    pub added: u64,
    /// Rows that were there and changed.
    pub changed: u64,
    /// Rows that were there already.
    pub same: u64,
}

/// Reading records. Every list is bounded by its `limit` and comes in the stated order.
#[async_trait]
pub trait Records: Send + Sync {
    /// One record.
    async fn get(&self, kind: Kind, id: &RecordId) -> Result<Option<Record>, StoreFault>;
    /// Tasks: open before done, then by due date (none last), then by priority.
    async fn tasks(&self, filter: &TaskFilter) -> Result<Vec<Task>, StoreFault>;
    /// Occurrences, by start. Cancelled ones are left out.
    async fn occurrences(&self, filter: &EventFilter) -> Result<Vec<Occurrence>, StoreFault>;
    /// Series that may have instances in the window which [`Records::occurrences`] does not give, because their rule
    /// cannot be read or costs too much to follow.
    async fn unexpanded(&self, filter: &EventFilter) -> Result<Vec<UnexpandedSeries>, StoreFault>;
    /// Event rows (masters and exceptions), by start.
    async fn events(&self, filter: &EventFilter) -> Result<Vec<Event>, StoreFault>;
    /// Mails, by date.
    async fn mails(&self, filter: &MailFilter) -> Result<Vec<Mail>, StoreFault>;
    /// The untouched source of a mail.
    async fn mail_source(&self, id: &RecordId) -> Result<Option<Vec<u8>>, StoreFault>;
    /// Notes, latest change first.
    async fn notes(&self, filter: &NoteFilter) -> Result<Vec<Note>, StoreFault>;
    /// Contacts, by name.
    async fn contacts(&self, filter: &ContactFilter) -> Result<Vec<Contact>, StoreFault>;
    /// Memories, best first when words are given, else latest first.
    async fn memories(&self, filter: &MemoryFilter) -> Result<Vec<Memory>, StoreFault>;
    /// Drafts and outgoing mails, latest first.
    async fn outbox(&self, filter: &OutboxFilter) -> Result<Vec<OutboxItem>, StoreFault>;
    /// Who wrote these rows. Those of which nothing is known are missing.
    async fn provenance(
        &self,
        ids: &[RecordId],
    ) -> Result<BTreeMap<RecordId, Provenance>, StoreFault>;
    /// Which of these rows of one kind hold text of others.
    async fn foreign(
        &self,
        kind: Kind,
        ids: &[RecordId],
    ) -> Result<BTreeSet<RecordId>, StoreFault> {
        let known = self.provenance(ids).await?;
        let foreign = |id: &&RecordId| {
            let of = known.get(*id);
            of.map_or_else(|| is_others(kind), |of| of.is_foreign(kind))
        };
        Ok(ids.iter().filter(foreign).cloned().collect())
    }
    /// Accounts, `local` first, then by label.
    async fn accounts(&self) -> Result<Vec<Account>, StoreFault>;
    /// Collections of all accounts, those of this computer first, then by kind and name.
    async fn collections(&self) -> Result<Vec<Collection>, StoreFault>;
    /// Where the rows live that a change touches, with the accounts and collections it may go to.
    async fn origins(&self, change: &Change) -> Result<Origins, StoreFault>;
    /// Full-text search over the given kinds (empty: all), best first. Sees rows that are newer than the index.
    async fn search(
        &self,
        text: &str,
        kinds: &[Kind],
        limit: usize,
    ) -> Result<Vec<SearchHit>, StoreFault>;
}
