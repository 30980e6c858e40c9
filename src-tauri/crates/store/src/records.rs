//! Reads records.

use std::collections::BTreeMap;

use adjutant_domain::account::{Account, Collection, Origins};
use adjutant_domain::change::Change;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ids::RecordId;
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::ports::{Records, SearchHit, UnexpandedSeries};
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::{
    Contact, Event, Kind, Mail, Memory, Note, Occurrence, OutboxItem, Record, Task,
};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::fault::Result as Stored;
use crate::row::Row;
use crate::rows::with_row;
use crate::search::beginnings;
use crate::tables::{accounts, collections, mail, memories, provenance};
use crate::{Store, filter, occurrences, outgoing, places, rows};

type ReadResult<T> = Result<T, StoreFault>;

fn records<R: Row>(rows: Stored<Vec<R>>) -> Stored<Vec<Record>> {
    Ok(rows?.into_iter().map(Row::record).collect())
}

impl Store {
    /// Returns up to `bytes` from the beginning of the source of each of these mails that has one.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn mail_heads(
        &self,
        ids: Vec<RecordId>,
        bytes: usize,
    ) -> ReadResult<Vec<(RecordId, Vec<u8>)>> {
        self.read(move |connection| mail::heads(connection, &ids, bytes))
            .await
    }
}

#[async_trait]
impl Records for Store {
    async fn get(&self, kind: Kind, id: &RecordId) -> ReadResult<Option<Record>> {
        let id = id.clone();
        self.read(move |connection| match kind {
            Kind::Outbox => outgoing::get(connection, &id),
            _ => rows::get_record(connection, kind, &id),
        })
        .await
    }

    async fn provenance(&self, ids: &[RecordId]) -> ReadResult<BTreeMap<RecordId, Provenance>> {
        let ids = ids.to_vec();
        self.read(move |connection| provenance::of(connection, &ids))
            .await
    }

    async fn list(&self, kind: Kind, filter: &Filter) -> ReadResult<Vec<Record>> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| match kind {
            Kind::Memory => records(memories::list(connection, &filter)),
            Kind::Event => records(occurrences::rows(connection, &filter, &zone)),
            Kind::Outbox => records(outgoing::list(connection, &filter)),
            kind => with_row!(kind, R => records(filter::list::<R>(connection, &filter))),
        })
        .await
    }

    async fn total(&self, kind: Kind, filter: &Filter) -> ReadResult<u64> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| match kind {
            Kind::Memory => memories::total(connection, &filter),
            Kind::Event => occurrences::total(connection, &filter, &zone),
            Kind::Outbox => outgoing::total(connection, &filter),
            kind => with_row!(kind, R => filter::total::<R>(connection, &filter)),
        })
        .await
    }

    async fn occurrences(&self, filter: &Filter) -> ReadResult<Vec<Occurrence>> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| occurrences::list(connection, &filter, &zone))
            .await
    }

    async fn unexpanded(&self, filter: &Filter) -> ReadResult<Vec<UnexpandedSeries>> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| occurrences::unexpanded(connection, &filter, &zone))
            .await
    }

    async fn mail_source(&self, id: &RecordId) -> ReadResult<Option<Vec<u8>>> {
        let id = id.clone();
        self.read(move |connection| mail::source(connection, &id))
            .await
    }

    async fn accounts(&self) -> ReadResult<Vec<Account>> {
        self.read(accounts::list).await
    }

    async fn collections(&self) -> ReadResult<Vec<Collection>> {
        self.read(collections::list).await
    }

    async fn origins(&self, change: &Change) -> ReadResult<Origins> {
        let change = change.clone();
        self.read(move |connection| places::of_change(connection, &change))
            .await
    }

    async fn search(&self, text: &str, kinds: &[Kind], limit: usize) -> ReadResult<Vec<SearchHit>> {
        let (text, kinds) = (text.to_owned(), kinds.to_vec());
        let search = std::sync::Arc::clone(&self.search);
        self.read(move |connection| search.find(connection, &text, &kinds, limit))
            .await
    }

    async fn named(
        &self,
        message: &str,
        now: Timestamp,
        limit: usize,
    ) -> ReadResult<Vec<MentionedName>> {
        let (message, names) = (message.to_owned(), std::sync::Arc::clone(&self.names));
        self.read(move |connection| names.find(connection, &message, now, limit))
            .await
    }
}

impl Store {
    /// Finds records whose title or people contain words that begin like all of these. Returns at most `each` per
    /// kind, latest first, people before everything else. Meant for search while typing.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn beginnings(&self, text: &str, each: usize) -> ReadResult<Vec<SearchHit>> {
        let text = text.to_owned();
        self.read(move |connection| beginnings::find(connection, &text, each))
            .await
    }
}
