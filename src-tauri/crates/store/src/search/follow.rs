//! Keeps the index up to date with the database, in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use adjutant_domain::faults::StoreFault;
use rusqlite::Connection;
use tantivy::{IndexWriter, TantivyDocument};

use super::index::{Opened, note};
use super::{Search, doc, guard, lock};
use crate::fault::Fault;
use crate::readers::in_snapshot;
use crate::rows;
use crate::tables::changes::{self, Change};

/// Number of changes written to the index with one commit.
const BATCH: usize = 2_000;
/// Memory budget of the index writer, in bytes.
const MEMORY_BYTES: usize = 64_000_000;

type Outcome<T> = Result<T, String>;

impl Search {
    /// Starts updating the index in the background unless that is running already.
    pub(crate) fn follow_soon(self: &Arc<Self>) {
        if self.read_only || self.stop.load(Ordering::SeqCst) {
            return;
        }
        let mut thread = lock(&self.thread);
        if thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return;
        }
        let search = Arc::clone(self);
        let started = std::thread::Builder::new()
            .name("adjutant-index".into())
            .spawn(move || {
                if let Err(reason) = search.follow() {
                    tracing::warn!(reason, "the search index could not follow");
                }
            });
        match started {
            Ok(handle) => *thread = Some(handle),
            Err(error) => tracing::warn!(%error, "the search index could not follow"),
        }
    }

    /// Brings the index up to the latest change, rebuilding it if it is missing or unusable. Blocking.
    pub(crate) fn follow(&self) -> Outcome<()> {
        if self.read_only {
            return Ok(());
        }
        let _working = lock(&self.working);
        let connection = self.opener.reader().map_err(words)?;
        let lineage = changes::lineage(&connection).map_err(words)?;
        let opened = self.open_or_make(&connection, &lineage)?;
        let seen = opened.seen();
        if changes::count_after(&connection, seen).map_err(words)? == 0 {
            return Ok(());
        }
        let mut writer: IndexWriter =
            guard(|| opened.index.writer_with_num_threads(1, MEMORY_BYTES))?;
        loop {
            let batch = changes::after(&connection, opened.seen(), BATCH).map_err(words)?;
            let mut last = None;
            for change in &batch {
                if self.stop.load(Ordering::SeqCst) {
                    break;
                }
                write(&connection, &opened, &writer, change)?;
                last = Some(change.seq);
            }
            let Some(last) = last else {
                break;
            };
            // Commits also what was read before a stop; otherwise a process that never runs for long would never
            // finish an index.
            let said = guard(|| note(&lineage, last))?;
            guard(|| {
                let mut commit = writer.prepare_commit()?;
                commit.set_payload(&said);
                commit.commit()?;
                opened.reload(last)
            })?;
        }
        if self.stop.load(Ordering::SeqCst) {
            return Ok(());
        }
        guard(|| writer.wait_merging_threads())
    }

    /// Stops following and waits until the writing thread has ended.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::warn!("the thread of the search index broke off");
        }
    }

    /// Deletes the index; it is rebuilt on next use.
    pub(crate) async fn forget(self: &Arc<Self>) -> Result<(), StoreFault> {
        let search = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let _working = lock(&search.working);
            search.remove()
        })
        .await
        .unwrap_or_else(|_| Err("the work broke off".into()))
        .map_err(|reason| {
            StoreFault::Other(format!("the search index cannot be removed: {reason}"))
        })
    }

    /// Returns the number of the last change the index contains, if the index is open.
    pub(crate) fn seen(&self) -> Option<i64> {
        lock(&self.opened).as_ref().map(|opened| opened.seen())
    }

    fn open_or_make(&self, connection: &Connection, lineage: &str) -> Outcome<Arc<Opened>> {
        let latest = changes::latest(connection).map_err(words)?;
        if !self.useless.load(Ordering::SeqCst)
            && let Some(opened) = self.open(lineage, latest)
        {
            return Ok(opened);
        }
        self.remove()?;
        let made = Arc::new(guard(|| Opened::create(&self.folder))?);
        *lock(&self.opened) = Some(Arc::clone(&made));
        Ok(made)
    }

    /// Deletes the index files. The caller holds `working`.
    fn remove(&self) -> Outcome<()> {
        *lock(&self.opened) = None;
        match std::fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error.to_string());
            }
            _ => {}
        }
        self.useless.store(false, Ordering::SeqCst);
        Ok(())
    }
}

fn write(
    connection: &Connection,
    opened: &Opened,
    writer: &IndexWriter,
    change: &Change,
) -> Outcome<()> {
    let record = if change.gone {
        None
    } else {
        in_snapshot(connection, |snapshot| {
            rows::get_record(snapshot, change.kind, &change.id)
        })
        .map_err(words)?
    };
    let document: Option<TantivyDocument> = record
        .as_ref()
        .and_then(doc::of)
        .map(|doc| opened.fields.document(change.kind, &change.id, &doc));
    guard(|| {
        writer.delete_term(opened.fields.key_term(change.kind, &change.id));
        if let Some(document) = document {
            writer.add_document(document)?;
        }
        Ok(())
    })
}

fn words(fault: Fault) -> String {
    StoreFault::from(fault).to_string()
}
