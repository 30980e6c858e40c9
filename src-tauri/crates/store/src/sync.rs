//! Syncs accounts: turns what a backend delivers into records, page by page, one transaction per batch.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, CollectionId};
use adjutant_domain::job::Progress;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, NotRead, PullFault, Pulled, Sink, TaskBackend};
use async_trait::async_trait;

use crate::deliver::{leave, take};
use crate::fault::{Fault, Result};
use crate::places::gone;
use crate::store::Store;
use crate::tables::{collections, origins};
use crate::tx::Tx;

/// Highest number of records written in one transaction.
const BATCH: usize = 200;

impl Store {
    /// Reads the collections of an account whose families `backends` offer, in the order in which their provider
    /// lists them, each from where the last sync stopped, and reports progress to `told`. If the provider refuses a
    /// collection's cursor, that collection is read again from the start. A collection that fails does not hold up
    /// the others; the first fault is returned.
    ///
    /// # Errors
    /// As [`Backends::pull`]. What was read before a fault is kept, and is read again next time.
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
                // Every other collection would fail in the same way.
                PullFault::Remote(RemoteFault::NotSignedIn { .. }) => {
                    return Err(NotRead::Collection(kind, fault));
                }
                PullFault::Remote(RemoteFault::Limited { .. }) => drop(left_alone.insert(kind)),
                _ => {}
            }
            first = first.and(Err(NotRead::Collection(kind, fault)));
        }
        if is_mail_read {
            // Only now is it certain that a mail that left one mailbox has not arrived in another.
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

    /// Starts the reading of a collection. It is a full one if the collection has no cursor, or if a full reading was
    /// cut off, which it continues.
    async fn sink<'a, 'b>(
        self: &Arc<Self>,
        collection: &Collection,
        far: &'a mut Far<'b>,
    ) -> std::result::Result<PullSink<'a, 'b>, StoreFault> {
        let (id, has_cursor) = (collection.id.clone(), collection.cursor.is_some());
        let (cut_off, next) = self
            .read(move |connection| {
                let cut_off = collections::whole_round(connection, &id)?;
                Ok((cut_off, origins::next_round(connection, &id)?))
            })
            .await?;
        let cut_off = cut_off.filter(|_| has_cursor);
        Ok(PullSink {
            store: Arc::clone(self),
            collection: collection.id.clone(),
            is_whole: !has_cursor || cut_off.is_some(),
            round: cut_off.unwrap_or(next),
            tasks: None,
            far,
        })
    }
}

/// Progress of a sync, and the listener that is told of it.
struct Far<'a> {
    progress: Progress,
    told: &'a (dyn Fn(Progress) + Send + Sync),
}

/// Stores what one reading of one collection delivers.
struct PullSink<'a, 'b> {
    store: Arc<Store>,
    collection: CollectionId,
    /// Whether the provider delivers everything, so that whatever is not delivered is gone.
    is_whole: bool,
    round: i64,
    /// The backend that knows which fields of a task exist only here.
    tasks: Option<Arc<dyn TaskBackend>>,
    far: &'a mut Far<'b>,
}

#[async_trait]
impl Sink for PullSink<'_, '_> {
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

impl PullSink<'_, '_> {
    /// Ends a reading: removes what a full reading did not deliver, and stores the cursor.
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

/// Removes the mails of an account that left one mailbox and arrived in no other.
fn drop_lost(tx: &Tx<'_>, account: &AccountId) -> Result<()> {
    for placed in origins::lost(tx, account)? {
        gone(tx, &placed)?;
    }
    Ok(())
}
