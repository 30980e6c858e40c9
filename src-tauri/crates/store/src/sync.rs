//! Reading accounts: what a backend delivers becomes records, page by page, one transaction a page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor, Origin, SOURCE_BYTES_MAX};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, CollectionId};
use adjutant_domain::job::Progress;
use adjutant_domain::operation::{Etag, RemoteFault};
use adjutant_domain::ports::{Backends, NotRead, PullFault, Pulled, PulledWhat, Sink, TaskBackend};
use adjutant_domain::provenance::{Author, Provenance, is_others};
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::Taint;
use async_trait::async_trait;

use crate::fault::{Fault, Result};
use crate::import;
use crate::places::gone;
use crate::rows;
use crate::store::Store;
use crate::tables::origins::{self, Placed};
use crate::tables::{collections, events, mail, provenance};
use crate::tx::Tx;

/// Rows one delivered record may have: a repeating event with as many changed instances.
pub const PULLED_ROWS_MAX: usize = 1_000;

/// Records written in one transaction.
const BATCH: usize = 200;

impl Store {
    /// Reads the collections of an account whose families `backends` offer, each from where it was read last, in the order
    /// in which their provider lists them, and tells how far it is. A collection whose cursor the provider refuses is read
    /// again from nothing. What could not be read does not hold up the others; the first fault is given back.
    ///
    /// # Errors
    /// As [`Backends::pull`]. What was read before a fault stays, and is read again next time.
    pub async fn sync(
        self: &Arc<Self>,
        account: &AccountId,
        backends: &Backends,
        told: &(dyn Fn(Progress) + Send + Sync),
    ) -> std::result::Result<(), NotRead> {
        let id = account.clone();
        let mut stored = self
            .read(move |connection| collections::of_account(connection, &id))
            .await?;
        stored.retain(|one| backends.offers(one.kind));
        let mut far = Far {
            progress: Progress { done: 0, total: 0 },
            told,
        };
        let mut first = Ok(());
        let mut left_alone = BTreeSet::new();
        let mut is_mail_read = backends.offers(CollectionKind::Mailbox);
        for collection in backends.to_read(stored).await {
            let kind = collection.kind;
            if left_alone.contains(&kind) {
                continue;
            }
            let Err(fault) = self.sync_one(collection, backends, &mut far).await else {
                continue;
            };
            is_mail_read &= kind != CollectionKind::Mailbox;
            match &fault {
                // It holds for everything else too.
                PullFault::Remote(RemoteFault::NotSignedIn { .. }) => {
                    return Err(NotRead::Collection(kind, fault));
                }
                PullFault::Remote(RemoteFault::Limited { .. }) => drop(left_alone.insert(kind)),
                _ => {}
            }
            first = first.and(Err(NotRead::Collection(kind, fault)));
        }
        if is_mail_read {
            // Only now is it certain that a mail which left one mailbox has not come into another.
            let account = account.clone();
            self.write("drop_lost", move |tx| drop_lost(tx, &account))
                .await?;
        }
        first
    }

    async fn sync_one(
        self: &Arc<Self>,
        mut collection: Collection,
        backends: &Backends,
        far: &mut Far<'_>,
    ) -> std::result::Result<(), PullFault> {
        match self.read_one(&collection, backends, far).await {
            Err(PullFault::CursorRefused) if collection.cursor.is_some() => {
                collection.cursor = None;
                self.read_one(&collection, backends, far).await
            }
            read => read,
        }
    }

    async fn read_one(
        self: &Arc<Self>,
        collection: &Collection,
        backends: &Backends,
        far: &mut Far<'_>,
    ) -> std::result::Result<(), PullFault> {
        let mut sink = self.sink(collection, far).await?;
        sink.tasks.clone_from(&backends.tasks);
        let cursor = backends.pull(collection, &mut sink).await?;
        Ok(sink.finish(cursor).await?)
    }

    /// Takes what is read of a collection, everything where it has no cursor, or one in the middle of such a reading.
    async fn sink<'a, 'b>(
        self: &Arc<Self>,
        collection: &Collection,
        far: &'a mut Far<'b>,
    ) -> std::result::Result<Reading<'a, 'b>, StoreFault> {
        let (id, has_cursor) = (collection.id.clone(), collection.cursor.is_some());
        let (cut_off, next) = self
            .read(move |connection| {
                let cut_off = collections::whole_round(connection, &id)?;
                Ok((cut_off, origins::next_round(connection, &id)?))
            })
            .await?;
        let cut_off = cut_off.filter(|_| has_cursor);
        Ok(Reading {
            store: Arc::clone(self),
            collection: collection.id.clone(),
            is_whole: !has_cursor || cut_off.is_some(),
            round: cut_off.unwrap_or(next),
            tasks: None,
            far,
        })
    }
}

/// How far the reading of an account is.
struct Far<'a> {
    progress: Progress,
    told: &'a (dyn Fn(Progress) + Send + Sync),
}

/// One reading of one collection.
struct Reading<'a, 'b> {
    store: Arc<Store>,
    collection: CollectionId,
    /// Everything is delivered: what is not, is gone.
    is_whole: bool,
    round: i64,
    /// Knows what tasks have here alone.
    tasks: Option<Arc<dyn TaskBackend>>,
    far: &'a mut Far<'b>,
}

#[async_trait]
impl Sink for Reading<'_, '_> {
    async fn take(&mut self, page: Vec<Pulled>) -> std::result::Result<(), StoreFault> {
        let mut rest = page;
        while !rest.is_empty() {
            let later = rest.split_off(rest.len().min(BATCH));
            let (id, round) = (self.collection.clone(), self.round);
            let tasks = self.tasks.clone();
            let batch = std::mem::replace(&mut rest, later);
            let taken = batch.len() as u64;
            self.store
                .write("pull", move |tx| {
                    let Some(collection) = collections::get(tx, &id)? else {
                        return Err(Fault::missing(format!("the collection {id}")));
                    };
                    for pulled in batch {
                        take(tx, &collection, pulled, round, tasks.as_deref())?;
                    }
                    Ok(())
                })
                .await?;
            let progress = &mut self.far.progress;
            progress.done += taken;
            progress.total = progress.total.max(progress.done);
            (self.far.told)(*progress);
        }
        Ok(())
    }

    fn expects(&mut self, records: usize) {
        self.far.progress.total += records as u64;
        (self.far.told)(self.far.progress);
    }

    async fn reached(&mut self, cursor: Cursor) -> std::result::Result<(), StoreFault> {
        let id = self.collection.clone();
        let whole_round = self.is_whole.then_some(self.round);
        self.store
            .write("reached", move |tx| {
                collections::set_cursor(tx, &id, &cursor, whole_round)
            })
            .await
    }
}

impl Reading<'_, '_> {
    /// Everything was delivered: what was not delivered in a whole reading is gone, and the cursor is kept.
    async fn finish(self, cursor: Cursor) -> std::result::Result<(), StoreFault> {
        let Self {
            store,
            collection,
            is_whole,
            round,
            ..
        } = self;
        store
            .write("pulled", move |tx| {
                if is_whole {
                    for remote_id in origins::unseen_since(tx, &collection, round)? {
                        for placed in origins::at(tx, &collection, &remote_id)? {
                            leave(tx, &placed)?;
                        }
                    }
                }
                collections::set_cursor(tx, &collection, &cursor, None)
            })
            .await
    }
}

/// Stores one delivered record.
pub(crate) fn take(
    tx: &Tx<'_>,
    collection: &Collection,
    pulled: Pulled,
    round: i64,
    tasks: Option<&dyn TaskBackend>,
) -> Result<()> {
    let known = origins::at(tx, &collection.id, &pulled.remote_id)?;
    let PulledWhat::There {
        etag,
        uid_validity,
        rows,
        source,
    } = pulled.what
    else {
        return known.iter().try_for_each(|placed| leave(tx, placed));
    };
    let mut origin = Origin {
        account: collection.account.clone(),
        collection: collection.id.clone(),
        remote_id: pulled.remote_id,
        etag,
        uid_validity,
        source: text_of(source.as_deref()),
    };
    // Nothing was read of it since its provider confirmed our own change. What is read now is known by its source.
    let is_confirmed = origin.source.is_some()
        && !known.is_empty()
        && known.iter().all(|one| one.origin.source.is_none());
    let mut left = known;
    let instances = renamed(tx, &rows, &left)?;
    for record in rows.into_iter().take(PULLED_ROWS_MAX) {
        if adjutant_domain::account::CollectionKind::of(record.kind()) != Some(collection.kind) {
            tracing::warn!(kind = ?record.kind(), "a record that does not belong into its collection is left out");
            continue;
        }
        let before = match import::same_as(tx, &record)? {
            Some(before) => Some(before),
            None => alone_at(tx, &record, &left, &instances)?,
        };
        let mut record = record;
        if let (Some(tasks), Record::Task(new), Some(Record::Task(old))) =
            (tasks, &mut record, &before)
        {
            tasks.keep_here(new, old);
        }
        let read = Read {
            record,
            origin: &origin,
            source: source.as_deref(),
            is_confirmed,
        };
        let placed = place(tx, collection, read, before)?;
        origins::put(tx, &placed, round)?;
        left.retain(|one| one.record != placed.record);
        // The source is that of all rows together, and is kept with the first.
        origin.source = None;
    }
    // Instances that had a row of their own and have none any more.
    left.iter().try_for_each(|placed| leave(tx, placed))
}

/// The source of what is text; a mail's bytes are kept with the mail.
fn text_of(source: Option<&[u8]>) -> Option<String> {
    let bytes = source.filter(|bytes| bytes.len() <= SOURCE_BYTES_MAX)?;
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// One row as it was read.
struct Read<'a> {
    record: Record,
    origin: &'a Origin,
    source: Option<&'a [u8]>,
    /// Nothing else was read there since our own change was confirmed.
    is_confirmed: bool,
}

/// Stores a row as what is shown, or beside what another place says of it.
fn place(
    tx: &Tx<'_>,
    collection: &Collection,
    read: Read<'_>,
    before: Option<Record>,
) -> Result<Placed> {
    let Read {
        mut record,
        origin,
        source,
        is_confirmed,
    } = read;
    if let Record::Event(event) = &mut record {
        event.calendar.clone_from(&collection.name);
    }
    let kind = record.kind();
    let mut placed = Placed {
        record: record.id().clone(),
        kind,
        origin: origin.clone(),
        other: None,
    };
    if kind == Kind::Mail {
        placed.origin.source = None;
    }
    let Some(before) = before else {
        import::fresh_id(tx, &mut record)?;
        placed.record = record.id().clone();
        let pk = rows::put_record(tx, &record, 1)?;
        keep_source(tx, kind, pk, source)?;
        provenance::note(tx, &placed.record, &written_there(origin, Taint::Clean))?;
        return Ok(placed);
    };
    import::take_over(&mut record, &before);
    if source.is_none() {
        keep_longer_text(&mut record, &before);
    }
    placed.record = record.id().clone();
    let shown = origins::of_record(tx, &placed.record)?
        .into_iter()
        .find(|one| one.other.is_none());
    let is_strong = origin.etag.as_ref().is_some_and(Etag::is_strong);
    let is_our_state = shown.as_ref().is_some_and(|shown| {
        is_confirmed && is_strong && same_place(shown, &placed) && shown.origin.etag == origin.etag
    });
    if let Some(shown) = shown.filter(|shown| !same_place(shown, &placed)) {
        if !origins::is_lost(tx, &shown)? {
            placed.other = Some(record);
            return Ok(placed);
        }
        let there = &shown.origin;
        origins::remove(tx, &there.collection, &there.remote_id, &shown.record)?;
    }
    if import::says_the_same(&record, &before)? {
        return Ok(placed);
    }
    // In the state that was confirmed to us, the provider only says it in its own way: nobody has changed it, and what was
    // done can still be undone. That holds once: should it say something else of the same state later, a card that shows
    // the row is about another one.
    let version = before.version() + i64::from(!is_our_state);
    let pk = rows::put_record(tx, &record, version)?;
    keep_source(tx, kind, pk, source)?;
    // Whoever wrote it first, somebody else may have written what it says now.
    let taint = match is_others(kind) {
        true => Taint::Tainted,
        false => Taint::Clean,
    };
    provenance::note(tx, &placed.record, &written_there(origin, taint))?;
    Ok(placed)
}

fn written_there(origin: &Origin, taint: Taint) -> Provenance {
    Provenance {
        author: Author::Account {
            id: origin.account.0.clone(),
        },
        taint,
    }
}

fn same_place(one: &Placed, other: &Placed) -> bool {
    one.origin.collection == other.origin.collection
        && one.origin.remote_id == other.origin.remote_id
}

/// The record that a provider has under this name, where records have no name of their own (tasks), or another one now.
fn alone_at(
    tx: &Tx<'_>,
    record: &Record,
    known: &[Placed],
    instances: &BTreeMap<String, Record>,
) -> Result<Option<Record>> {
    match (record, known) {
        (Record::Event(event), _) => {
            let instance = events::recurrence_key(event.recurrence_id.as_ref());
            Ok(instances.get(&instance).cloned())
        }
        (_, [only]) => rows::get_record(tx, only.kind, &only.record),
        _ => Ok(None),
    }
}

/// Rows of an event whose UID its provider has changed, by instance: Google gives each event it is asked to add one of its
/// own.
fn renamed(tx: &Tx<'_>, rows: &[Record], known: &[Placed]) -> Result<BTreeMap<String, Record>> {
    let mut instances = BTreeMap::new();
    let (Some(Record::Event(now)), Some(first)) = (rows.first(), known.first()) else {
        return Ok(instances);
    };
    let first = rows::get_record(tx, first.kind, &first.record)?;
    if matches!(&first, Some(Record::Event(before)) if before.uid == now.uid) {
        return Ok(instances);
    }
    for placed in known {
        if let Some(Record::Event(event)) = rows::get_record(tx, placed.kind, &placed.record)? {
            let instance = events::recurrence_key(event.recurrence_id.as_ref());
            instances.insert(instance, Record::Event(event));
        }
    }
    Ok(instances)
}

/// Of a mail whose beginning was delivered again, what was fetched of it stays.
fn keep_longer_text(record: &mut Record, before: &Record) {
    if let (Record::Mail(new), Record::Mail(old)) = (record, before)
        && old.text.len() >= new.text.len()
    {
        new.text.clone_from(&old.text);
        new.attachments.clone_from(&old.attachments);
    }
}

fn keep_source(tx: &Tx<'_>, kind: Kind, pk: i64, source: Option<&[u8]>) -> Result<()> {
    match source {
        Some(bytes) if kind == Kind::Mail => mail::keep_source(tx, pk, bytes),
        _ => Ok(()),
    }
}

/// A record is not at its place any more. A mail may have moved: whether it goes is decided when all mailboxes were read.
fn leave(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    if placed.kind == Kind::Mail {
        return origins::set_lost(tx, placed);
    }
    gone(tx, placed)
}

/// Lets go of the mails of an account that left one mailbox and came into no other.
fn drop_lost(tx: &Tx<'_>, account: &AccountId) -> Result<()> {
    for placed in origins::lost(tx, account)? {
        gone(tx, &placed)?;
    }
    Ok(())
}
