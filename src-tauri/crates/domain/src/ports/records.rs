//! Reading records.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use jiff::Timestamp;

use crate::account::{Account, Collection, Origins};
use crate::change::Change;
use crate::faults::StoreFault;
use crate::filter::Filter;
use crate::ids::RecordId;
use crate::mentioned_name::MentionedName;
use crate::provenance::{Provenance, is_others};
use crate::record::{
    Contact, Event, Kind, Mail, Memory, Note, Occurrence, OutboxItem, Record, Task,
};

/// A hit of the full-text search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// Kind of the record.
    pub kind: Kind,
    /// Id of the record.
    pub id: RecordId,
    /// Title, subject or name.
    pub title: String,
    /// Excerpt of the text around the words found.
    pub snippet: String,
    /// Relevance; higher is better.
    pub score: f32,
}

/// A series that may have instances which are not shown.
#[derive(Clone, Debug, PartialEq)]
pub struct UnexpandedSeries {
    /// Row of the series.
    pub event: Event,
    /// Why its instances are unknown, as the end of a sentence: "its repetition cannot be read: …".
    pub reason: String,
}

/// A record to import, with its unmodified source if that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// The record. Its `id` is used only if the record is new, which a natural key decides: UID and RECURRENCE-ID,
    /// Message-ID, contact UID, or the content of tasks, notes and memories.
    pub record: Record,
    /// Source bytes, for mail.
    pub raw: Option<Vec<u8>>,
    /// Provenance claimed by the file, if it is an Adjutant export. Anybody can write such a file: see
    /// [`Provenance::imported`].
    pub provenance: Option<Provenance>,
}

/// Result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ImportCounts {
    /// Number of new rows.
    pub added: u64,
    /// Number of existing rows that changed.
    pub changed: u64,
    /// Number of rows that existed already, unchanged.
    pub same: u64,
}

/// Extracts the rows of one kind from records.
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

/// Read access to records. Every list follows its filter's order and limit.
#[async_trait]
pub trait Records: Send + Sync {
    /// Returns one record.
    async fn get(&self, kind: Kind, id: &RecordId) -> Result<Option<Record>, StoreFault>;
    /// Returns the rows of one kind that pass a filter.
    async fn list(&self, kind: Kind, filter: &Filter) -> Result<Vec<Record>, StoreFault>;
    /// Returns how many rows pass the tests of a filter, regardless of its offset and limit.
    async fn total(&self, kind: Kind, filter: &Filter) -> Result<u64, StoreFault>;
    /// Returns occurrences of events by start, without cancelled ones. Recurring events are expanded if the filter's
    /// range has an end.
    async fn occurrences(&self, filter: &Filter) -> Result<Vec<Occurrence>, StoreFault>;
    /// Returns series that may have instances in the filter's range which [`Records::occurrences`] omits, because their
    /// rule is unreadable or too expensive to expand.
    async fn unexpanded(&self, filter: &Filter) -> Result<Vec<UnexpandedSeries>, StoreFault>;
    /// Returns tasks.
    async fn tasks(&self, filter: &Filter) -> Result<Vec<Task>, StoreFault> {
        only!(self.list(Kind::Task, filter).await?, Task)
    }
    /// Returns event rows: masters and exceptions.
    async fn events(&self, filter: &Filter) -> Result<Vec<Event>, StoreFault> {
        only!(self.list(Kind::Event, filter).await?, Event)
    }
    /// Returns mails.
    async fn mails(&self, filter: &Filter) -> Result<Vec<Mail>, StoreFault> {
        only!(self.list(Kind::Mail, filter).await?, Mail)
    }
    /// Returns the unmodified source of a mail.
    async fn mail_source(&self, id: &RecordId) -> Result<Option<Vec<u8>>, StoreFault>;
    /// Returns notes.
    async fn notes(&self, filter: &Filter) -> Result<Vec<Note>, StoreFault> {
        only!(self.list(Kind::Note, filter).await?, Note)
    }
    /// Returns contacts.
    async fn contacts(&self, filter: &Filter) -> Result<Vec<Contact>, StoreFault> {
        only!(self.list(Kind::Contact, filter).await?, Contact)
    }
    /// Returns memories.
    async fn memories(&self, filter: &Filter) -> Result<Vec<Memory>, StoreFault> {
        only!(self.list(Kind::Memory, filter).await?, Memory)
    }
    /// Returns drafts and outgoing mails.
    async fn outbox(&self, filter: &Filter) -> Result<Vec<OutboxItem>, StoreFault> {
        only!(self.list(Kind::Outbox, filter).await?, Outbox)
    }
    /// Returns who wrote these rows. Rows of unknown provenance are omitted.
    async fn provenance(
        &self,
        ids: &[RecordId],
    ) -> Result<BTreeMap<RecordId, Provenance>, StoreFault>;
    /// Returns which of these rows of one kind contain foreign text.
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
    /// Returns the accounts, `local` first, then by label.
    async fn accounts(&self) -> Result<Vec<Account>, StoreFault>;
    /// Returns the collections of all accounts, those of this computer first, then by kind and name.
    async fn collections(&self) -> Result<Vec<Collection>, StoreFault>;
    /// Returns where the rows touched by a change live, with the accounts and collections they may go to.
    async fn origins(&self, change: &Change) -> Result<Origins, StoreFault>;
    /// Searches the full text of the given kinds (all, if empty), best match first. Includes rows not yet indexed.
    async fn search(
        &self,
        text: &str,
        kinds: &[Kind],
        limit: usize,
    ) -> Result<Vec<SearchHit>, StoreFault>;
    /// Returns records and collections whose names a message mentions, in whole or in part.
    ///
    /// Those mentioned most completely come first, then those with rarer words, then what is happening at `now` or
    /// comes next, then the most recent. Words may be inflected or mistyped. Mail in the trash and cancelled events are
    /// left out.
    async fn named(
        &self,
        message: &str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<MentionedName>, StoreFault>;
}
