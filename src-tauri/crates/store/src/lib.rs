//! Storage of a profile: SQLite as the record, with a full-text index beside it that follows and can be deleted.
//!
//! [`Store`] implements the ports `Records`, `TurnLog` and `Jobs` of the domain, and what the app needs besides: settings,
//! jobs, import, paging for export, the egress ledger, upkeep. One thread writes, one transaction a job; a few
//! connections read. Only this crate knows SQL, `tables/` has one file a table.
//!
//! Instants are kept with microseconds; finer parts are cut off.

mod candidates;
mod cells;
mod connection;
mod crash;
mod effect;
mod fault;
mod import;
mod jobs;
mod ledger;
mod migrations;
mod occurrences;
mod past;
mod people;
mod places;
mod readers;
mod records;
mod rows;
mod search;
mod sync;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod turn_log;
mod upkeep;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use adjutant_domain::faults::StoreFault;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use tokio::sync::broadcast;

pub use connection::FILE;
pub use crash::{CRASH_POINTS, crash_point};
pub use effect::CHANGE_ROWS_MAX;
pub use occurrences::{OCCURRENCES_MAX, OPEN_RANGE_DAYS};
pub use past::PAST_MESSAGES_MAX;
pub use sync::PULLED_ROWS_MAX;
pub use tables::calls::CALL_ROWS_MAX;
pub use tables::compared::{Agreement, COMPARED_ROWS_MAX, Comparison};
pub use tables::egress::{EGRESS_ROWS_MAX, Egress};
pub use tables::spend::{SPEND_ROWS_MAX, SpendRow};
pub use upkeep::{Counts, Page};
pub use writer::Topic;

use connection::{Opener, SharedZone};
use readers::Readers;
use search::Search;
use writer::{Outlives, Tx, Writer};

/// An open profile. Share it in an [`Arc`]; the last owner closes the database.
pub struct Store {
    // In this order they are dropped: who reads goes before who writes, so that the write-ahead log is folded in.
    search: Arc<Search>,
    readers: Readers,
    writer: Writer,
    zone: SharedZone,
    folder: PathBuf,
    first_call: ledger::FirstCall,
    /// What is read where the profile itself cannot be; removed last.
    _copy: Option<tempfile::TempDir>,
}

/// How a profile is opened.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Zone of the person: where whole days begin.
    pub zone: TimeZone,
    /// Opens without writing anything; every write is then refused with [`StoreFault::ReadOnly`].
    pub read_only: bool,
    /// Largest database, in pages of 4 KiB; `None` for the disk's size.
    pub pages_max: Option<u32>,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            read_only: false,
            pages_max: None,
        }
    }
}

impl Store {
    /// Opens the profile in `folder`, makes it where there is none, and brings it up to date. Blocking, a few
    /// milliseconds; the full-text index is not opened before it is asked.
    ///
    /// # Errors
    /// [`StoreFault::Newer`] for a profile of a newer program, [`StoreFault::ReadOnly`], [`StoreFault::DiskFull`],
    /// [`StoreFault::Damaged`], and [`StoreFault::Other`] when the folder cannot be used.
    pub fn open(folder: &Path, options: StoreOptions) -> Result<Arc<Self>, StoreFault> {
        let zone: SharedZone = Arc::new(RwLock::new(options.zone));
        let mut opener = Opener {
            file: folder.join(connection::FILE),
            read_only: options.read_only,
            immutable: false,
            zone: Arc::clone(&zone),
        };
        let copy = match options.read_only {
            true => opener.settle_for_reading()?,
            false => None,
        };
        let mut connection = opener.writer(options.pages_max)?;
        if options.read_only {
            migrations::check(&connection)?;
        } else {
            migrations::run(&mut connection)?;
        }
        let search = Search::new(
            folder.join(search::FOLDER),
            opener.clone(),
            options.read_only,
        );
        let log = opener.file.with_extension("db-wal");
        Ok(Arc::new(Self {
            search: Arc::new(search),
            readers: Readers::new(opener),
            writer: Writer::start(connection, log)?,
            zone,
            folder: folder.to_path_buf(),
            first_call: ledger::FirstCall::default(),
            _copy: copy,
        }))
    }

    /// The zone in which whole days begin from now on (a setting may change it).
    pub fn set_zone(&self, zone: TimeZone) {
        *self
            .zone
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = zone;
    }

    /// The profile folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells after each commit what it touched. A listener that lags reads everything anew.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<std::collections::BTreeSet<Topic>> {
        self.writer.subscribe()
    }

    pub(crate) fn zone(&self) -> TimeZone {
        self.zone
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone()
    }

    pub(crate) async fn read<T, F>(&self, job: F) -> Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> fault::Result<T> + Send + 'static,
    {
        self.readers.read(job).await
    }

    pub(crate) async fn write<T, F>(&self, name: &'static str, job: F) -> Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> fault::Result<T> + Send + 'static,
    {
        self.writer.write(name, Outlives::Power, job).await
    }

    /// A write that is on the disk before anything else is written; whoever asked does not wait for that.
    pub(crate) async fn write_first<T, F>(
        &self,
        name: &'static str,
        job: F,
    ) -> Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> fault::Result<T> + Send + 'static,
    {
        self.writer
            .write(name, Outlives::PowerBeforeNext, job)
            .await
    }

    /// A write that the end of the process cannot undo, but the end of the power can; some milliseconds quicker.
    pub(crate) async fn write_light<T, F>(
        &self,
        name: &'static str,
        job: F,
    ) -> Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> fault::Result<T> + Send + 'static,
    {
        self.writer.write(name, Outlives::Process, job).await
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.search.stop();
        self.readers.close_idle();
    }
}
