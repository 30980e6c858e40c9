//! Full-text search: combines an index beside the database with what the index has not seen yet.
//!
//! Every write numbers the record it changes (`tables/changes.rs`), and the index remembers the number up to which it
//! has seen everything. A search queries the index, drops what has changed since, and adds what the database's word
//! tables find among the newer rows, so a process never misses its own writes. If the index is missing or far behind,
//! the word tables answer alone. The index can be deleted at any time.

pub(crate) mod beginnings;
mod doc;
mod follow;
mod index;
mod words;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::SearchHit;
use adjutant_domain::record::{Kind, Record};
use adjutant_text::telling;
use rusqlite::Connection;

use crate::connection::Opener;
use crate::fault::Result;
use crate::rows;
use crate::snippet::snippet;
use crate::tables::changes;
use crate::text::Query;
use index::Opened;

/// Name of the index folder inside a profile.
pub(crate) const FOLDER: &str = "index";
/// Highest number of hits one search returns.
const HITS_MAX: usize = 500;
/// Number of rows the index may be behind and still be used; beyond it, the word tables answer alone.
const TAIL_MAX: i64 = 5_000;
/// Number of rows the index may be behind before a search starts updating it.
const UNNOTICED_MAX: i64 = 200;
/// Hits examined beyond those requested, because some are gone or in the trash.
const SPARE_HITS: usize = 50;

/// A matching record that has not been read yet.
#[derive(Clone, Debug)]
pub(crate) struct RecordMatch {
    pub(crate) kind: Kind,
    pub(crate) id: RecordId,
    /// Whether every word occurs in it.
    pub(crate) all: bool,
    pub(crate) score: f32,
}

/// The full-text index of one profile. It opens nothing before its first use.
pub(crate) struct Search {
    folder: PathBuf,
    opener: Opener,
    read_only: bool,
    opened: Mutex<Option<Arc<Opened>>>,
    /// Whether the index is damaged, unfinished or of another version and must be rebuilt.
    useless: AtomicBool,
    stop: AtomicBool,
    /// Held while the index is being written.
    working: Mutex<()>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Search {
    pub(crate) fn new(folder: PathBuf, opener: Opener, read_only: bool) -> Self {
        Self {
            folder,
            opener,
            read_only,
            opened: Mutex::default(),
            useless: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            working: Mutex::default(),
            thread: Mutex::default(),
        }
    }

    /// Finds records that contain the words, best first: those with all words before those with some.
    pub(crate) fn find(
        self: &Arc<Self>,
        connection: &Connection,
        text: &str,
        kinds: &[Kind],
        limit: usize,
    ) -> Result<Vec<SearchHit>> {
        let limit = limit.min(HITS_MAX);
        let asked = match Query::of(Some(text)) {
            Query::Words(words) if limit > 0 => telling(&words),
            _ => return Ok(Vec::new()),
        };
        let kinds = if kinds.is_empty() {
            &Kind::ALL[..]
        } else {
            kinds
        };
        let mut found = self.candidates(connection, &asked, kinds, limit + SPARE_HITS)?;
        found.sort_by(|a, b| b.all.cmp(&a.all).then(b.score.total_cmp(&a.score)));
        let mut seen = HashSet::new();
        let mut hits = Vec::new();
        for one in found {
            if hits.len() >= limit || !seen.insert((one.kind, one.id.clone())) {
                continue;
            }
            let record = rows::get_record(connection, one.kind, &one.id)?;
            if let Some(hit) = record.and_then(|record| hit(&record, &asked, one.score)) {
                hits.push(hit);
            }
        }
        Ok(hits)
    }

    fn candidates(
        self: &Arc<Self>,
        connection: &Connection,
        asked: &[String],
        kinds: &[Kind],
        limit: usize,
    ) -> Result<Vec<RecordMatch>> {
        let Some((opened, seen)) = self.usable(connection)? else {
            return words::find(connection, asked, kinds, None, limit);
        };
        let Some(mut found) = self.ask(&opened, asked, kinds, limit) else {
            return words::find(connection, asked, kinds, None, limit);
        };
        let mut fresh = Vec::new();
        for one in found.drain(..) {
            // A row that changed after the index saw it is found among the newer rows, if it still matches.
            let changed = changes::seq_of(connection, one.kind, &one.id)?;
            if changed.is_some_and(|seq| seq <= seen) {
                fresh.push(one);
            }
        }
        if changes::latest(connection)? > seen {
            fresh.extend(words::find(connection, asked, kinds, Some(seen), limit)?);
        }
        Ok(fresh)
    }

    /// Returns the index and the number up to which it has seen everything, if it is worth querying. Starts updating
    /// it if it is missing or behind.
    fn usable(self: &Arc<Self>, connection: &Connection) -> Result<Option<(Arc<Opened>, i64)>> {
        let latest = changes::latest(connection)?;
        let opened = if self.useless.load(Ordering::SeqCst) {
            None
        } else {
            self.open(&changes::lineage(connection)?, latest)
        };
        let seen = opened.as_ref().map_or(0, |opened| opened.seen());
        let behind = if latest > seen {
            changes::count_after(connection, seen)?
        } else {
            0
        };
        if behind > UNNOTICED_MAX || self.useless.load(Ordering::SeqCst) {
            self.follow_soon();
        }
        Ok(opened
            .filter(|_| behind <= TAIL_MAX)
            .map(|opened| (opened, seen)))
    }

    /// Opens the index once. Returns `None` if there is none yet or it is unusable.
    fn open(&self, lineage: &str, latest: i64) -> Option<Arc<Opened>> {
        let mut opened = lock(&self.opened);
        if opened.is_none() {
            if !self.folder.join("meta.json").exists() {
                return None;
            }
            match guard(|| Opened::open(&self.folder, lineage, latest)) {
                Ok(Some(index)) => *opened = Some(Arc::new(index)),
                Ok(None) => self.useless.store(true, Ordering::SeqCst),
                Err(reason) => {
                    drop(opened);
                    self.give_up(&reason);
                    return None;
                }
            }
        }
        opened.clone()
    }

    fn ask(
        self: &Arc<Self>,
        opened: &Opened,
        asked: &[String],
        kinds: &[Kind],
        limit: usize,
    ) -> Option<Vec<RecordMatch>> {
        match guard(|| opened.find(asked, kinds, limit)) {
            Ok(found) => Some(found),
            Err(reason) => {
                self.give_up(&reason);
                self.follow_soon();
                None
            }
        }
    }

    fn give_up(&self, reason: &str) {
        tracing::warn!(
            reason,
            "the search index is damaged and will be built again"
        );
        self.useless.store(true, Ordering::SeqCst);
        *lock(&self.opened) = None;
    }
}

fn hit(record: &Record, asked: &[String], score: f32) -> Option<SearchHit> {
    let doc = doc::of(record)?;
    Some(SearchHit {
        kind: record.kind(),
        id: record.id().clone(),
        title: record.label().to_owned(),
        snippet: snippet(&doc.body, asked),
        score,
    })
}

/// Runs an index operation. Damaged files may make the library panic; that is returned as an error like any other.
fn guard<T>(run: impl FnOnce() -> tantivy::Result<T>) -> std::result::Result<T, String> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the library broke off".into()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
