//! Reading records.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use jiff::Timestamp;

use crate::account::{Account, Collection, Origins};
use crate::change::Change;
use crate::faults::StoreFault;
use crate::filter::Filter;
use crate::ids::RecordId;
use crate::named::Named;
use crate::provenance::{Provenance, is_others};
use crate::record::{
    Contact, Event, Kind, Mail, Memory, Note, Occurrence, OutboxItem, Record, Task,
};

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
    /// What the file says about who wrote it, where the file is an export of ours. Anybody can write such a file: see
    /// [`Provenance::imported`].
    pub provenance: Option<Provenance>,
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

/// The rows of one kind among records.
macro_rules! only {
    ($records:expr, $kind:ident) => {
        Ok($records
            .into_iter()
            .filter_map(|record| match record {
                Record::$kind(row) => Some(row),
                _ => None,
            })
            .collect())
    };
}

/// Reading records. Every list is bounded by its `limit` and comes in its order.
#[async_trait]
pub trait Records: Send + Sync {
    /// One record.
    async fn get(&self, kind: Kind, id: &RecordId) -> Result<Option<Record>, StoreFault>;
    /// The rows of one kind that pass a filter.
    async fn list(&self, kind: Kind, filter: &Filter) -> Result<Vec<Record>, StoreFault>;
    /// How many rows pass the tests of a filter, whatever its offset and limit.
    async fn total(&self, kind: Kind, filter: &Filter) -> Result<u64, StoreFault>;
    /// Occurrences, by start; recurring events are expanded where the range has an end. Cancelled ones are left out.
    async fn occurrences(&self, filter: &Filter) -> Result<Vec<Occurrence>, StoreFault>;
    /// Series that may have instances in the window which [`Records::occurrences`] does not give, because their rule
    /// cannot be read or costs too much to follow.
    async fn unexpanded(&self, filter: &Filter) -> Result<Vec<UnexpandedSeries>, StoreFault>;
    /// Tasks.
    async fn tasks(&self, filter: &Filter) -> Result<Vec<Task>, StoreFault> {
        only!(self.list(Kind::Task, filter).await?, Task)
    }
    /// Event rows: masters and exceptions.
    async fn events(&self, filter: &Filter) -> Result<Vec<Event>, StoreFault> {
        only!(self.list(Kind::Event, filter).await?, Event)
    }
    /// Mails.
    async fn mails(&self, filter: &Filter) -> Result<Vec<Mail>, StoreFault> {
        only!(self.list(Kind::Mail, filter).await?, Mail)
    }
    /// The untouched source of a mail.
    async fn mail_source(&self, id: &RecordId) -> Result<Option<Vec<u8>>, StoreFault>;
    /// Notes.
    async fn notes(&self, filter: &Filter) -> Result<Vec<Note>, StoreFault> {
        only!(self.list(Kind::Note, filter).await?, Note)
    }
    /// Contacts.
    async fn contacts(&self, filter: &Filter) -> Result<Vec<Contact>, StoreFault> {
        only!(self.list(Kind::Contact, filter).await?, Contact)
    }
    /// Memories.
    async fn memories(&self, filter: &Filter) -> Result<Vec<Memory>, StoreFault> {
        only!(self.list(Kind::Memory, filter).await?, Memory)
    }
    /// Drafts and outgoing mails.
    async fn outbox(&self, filter: &Filter) -> Result<Vec<OutboxItem>, StoreFault> {
        only!(self.list(Kind::Outbox, filter).await?, Outbox)
    }
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
    /// Things whose names a message mentions, in whole or in part, best first: those of which it says most, then those whose
    /// words are rare, then what is on at `now` or comes soonest, then what was last. Words may stand in another form or be
    /// mistyped. Mail in the trash and cancelled events are left out.
    async fn named(
        &self,
        message: &str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Named>, StoreFault>;
}
