//! The handle of an open profile: its readers, its writer, and the full-text index beside them.

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
    // Fields are dropped in this order: readers before the writer, so that the writer can fold in the write-ahead
    // log.
    pub(crate) search: Arc<Search>,
    pub(crate) readers: Readers,
    pub(crate) writer: Writer,
    zone: SharedZone,
    pub(crate) folder: PathBuf,
    pub(crate) first_call: FirstCall,
    pub(crate) names: Arc<NameIndex>,
    pub(crate) documents: Arc<DocumentFile>,
    /// The temporary copy that is read when the profile itself cannot be; removed last.
    _copy: Option<tempfile::TempDir>,
}

/// Options for opening a profile.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// The person's time zone, in which whole days begin.
    pub zone: TimeZone,
    /// Whether to open without writing anything; every write is then refused with [`StoreFault::ReadOnly`].
    pub read_only: bool,
    /// Largest size of the database, in pages of 4 KiB; `None` for no limit but the disk's.
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
    /// Opens the profile in `folder`, creating it if there is none, and migrates it to the current format. Blocks for
    /// a few milliseconds; the full-text index is opened only on first use.
    ///
    /// # Errors
    /// [`StoreFault::Newer`] for a profile of a newer program, [`StoreFault::ReadOnly`], [`StoreFault::DiskFull`],
    /// [`StoreFault::Damaged`], and [`StoreFault::Other`] if the folder cannot be used.
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

    /// Sets the zone in which whole days begin (a setting may change it).
    pub fn set_zone(&self, zone: TimeZone) {
        *self.zone.write().unwrap_or_else(PoisonError::into_inner) = zone;
    }

    /// Returns the profile folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Subscribes to the topics each commit touched. A listener that lags must read everything again.
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

    /// Runs a write that is on the disk before any later write begins; the caller does not wait for the disk.
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

    /// Runs a write that survives the end of the process but not a power cut; this saves some milliseconds.
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
