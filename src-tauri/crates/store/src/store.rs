//! The handle of an open profile: who reads, who writes, and the full-text index beside them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::faults::StoreFault;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use tokio::sync::broadcast;

use crate::connection::{FILE, Opener, SharedZone};
use crate::document_file::DocumentFile;
use crate::fault;
use crate::migrations;
use crate::names::NameIndex;
use crate::readers::Readers;
use crate::search::{self, Search};
use crate::tables::calls::FirstCall;
use crate::tx::{Topic, Tx};
use crate::writer::{Outlives, Writer};

/// An open profile. Share it in an [`Arc`]; the last owner closes the database.
pub struct Store {
    // In this order they are dropped: who reads goes before who writes, so that the write-ahead log is folded in.
    pub(crate) search: Arc<Search>,
    pub(crate) readers: Readers,
    pub(crate) writer: Writer,
    zone: SharedZone,
    pub(crate) folder: PathBuf,
    pub(crate) first_call: FirstCall,
    pub(crate) names: Arc<NameIndex>,
    pub(crate) documents: Arc<DocumentFile>,
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
            file: folder.join(FILE),
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
            first_call: FirstCall::default(),
            names: Arc::default(),
            documents: Arc::new(DocumentFile::new(folder, options.read_only)),
            _copy: copy,
        }))
    }

    /// The zone in which whole days begin from now on (a setting may change it).
    pub fn set_zone(&self, zone: TimeZone) {
        *self.zone.write().unwrap_or_else(PoisonError::into_inner) = zone;
    }

    /// The profile folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells after each commit what it touched. A listener that lags reads everything anew.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<BTreeSet<Topic>> {
        self.writer.subscribe()
    }

    pub(crate) fn zone(&self) -> TimeZone {
        self.zone
            .read()
            .unwrap_or_else(PoisonError::into_inner)
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
