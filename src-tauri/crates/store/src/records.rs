//! Reading records.

use std::collections::BTreeMap;

use adjutant_domain::account::{Account, Collection, Origins};
use adjutant_domain::change::Change;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::{
    ContactFilter, EventFilter, MailFilter, MemoryFilter, NoteFilter, OutboxFilter, Records,
    SearchHit, TaskFilter, UnexpandedSeries,
};
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::{
    Contact, Event, Kind, Mail, Memory, Note, Occurrence, OutboxItem, Record, Task,
};
use async_trait::async_trait;

use crate::tables::{
    accounts, collections, contacts, mail, memories, notes, outbox, provenance, tasks,
};
use crate::{Store, occurrences, places, rows};

type Read<T> = Result<T, StoreFault>;

#[async_trait]
impl Records for Store {
    async fn get(&self, kind: Kind, id: &RecordId) -> Read<Option<Record>> {
        let id = id.clone();
        self.read(move |connection| rows::get_record(connection, kind, &id))
            .await
    }

    async fn provenance(&self, ids: &[RecordId]) -> Read<BTreeMap<RecordId, Provenance>> {
        let ids = ids.to_vec();
        self.read(move |connection| provenance::of(connection, &ids))
            .await
    }

    async fn tasks(&self, filter: &TaskFilter) -> Read<Vec<Task>> {
        let filter = filter.clone();
        self.read(move |connection| tasks::list(connection, &filter))
            .await
    }

    async fn occurrences(&self, filter: &EventFilter) -> Read<Vec<Occurrence>> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| occurrences::list(connection, &filter, &zone))
            .await
    }

    async fn unexpanded(&self, filter: &EventFilter) -> Read<Vec<UnexpandedSeries>> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| occurrences::unexpanded(connection, &filter, &zone))
            .await
    }

    async fn events(&self, filter: &EventFilter) -> Read<Vec<Event>> {
        let (filter, zone) = (filter.clone(), self.zone());
        self.read(move |connection| occurrences::rows(connection, &filter, &zone))
            .await
    }

    async fn mails(&self, filter: &MailFilter) -> Read<Vec<Mail>> {
        let filter = filter.clone();
        self.read(move |connection| mail::list(connection, &filter))
            .await
    }

    async fn mail_source(&self, id: &RecordId) -> Read<Option<Vec<u8>>> {
        let id = id.clone();
        self.read(move |connection| mail::source(connection, &id))
            .await
    }

    async fn notes(&self, filter: &NoteFilter) -> Read<Vec<Note>> {
        let filter = filter.clone();
        self.read(move |connection| notes::list(connection, &filter))
            .await
    }

    async fn contacts(&self, filter: &ContactFilter) -> Read<Vec<Contact>> {
        let filter = filter.clone();
        self.read(move |connection| contacts::list(connection, &filter))
            .await
    }

    async fn memories(&self, filter: &MemoryFilter) -> Read<Vec<Memory>> {
        let filter = filter.clone();
        self.read(move |connection| memories::list(connection, &filter))
            .await
    }

    async fn outbox(&self, filter: &OutboxFilter) -> Read<Vec<OutboxItem>> {
        let filter = filter.clone();
        self.read(move |connection| outbox::list(connection, &filter))
            .await
    }

    async fn accounts(&self) -> Read<Vec<Account>> {
        self.read(accounts::list).await
    }

    async fn collections(&self) -> Read<Vec<Collection>> {
        self.read(collections::list).await
    }

    async fn origins(&self, change: &Change) -> Read<Origins> {
        let change = change.clone();
        self.read(move |connection| places::of_change(connection, &change))
            .await
    }

    async fn search(&self, text: &str, kinds: &[Kind], limit: usize) -> Read<Vec<SearchHit>> {
        let (text, kinds) = (text.to_owned(), kinds.to_vec());
        let search = std::sync::Arc::clone(&self.search);
        self.read(move |connection| search.find(connection, &text, &kinds, limit))
            .await
    }
}
