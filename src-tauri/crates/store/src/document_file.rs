//! The index of documents in opened folders: a separate database beside the profile's, so that reading a thousand
//! files never delays a writer. It can be deleted; it is then rebuilt from the files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_domain::faults::StoreFault;
use rusqlite::Connection;

use crate::connection::{create_private, io_fault};
use crate::fault::{Fault, Result};

/// Names of the files the index consists of.
pub(crate) const FILES: [&str; 3] = ["documents.db", "documents.db-wal", "documents.db-shm"];
/// Version of the table layout; an index with another version is rebuilt.
const FORM: i64 = 1;
/// Page cache, in KiB.
const CACHE_KIB: i64 = 8 * 1024;

const TABLES: &str = "
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        title TEXT NOT NULL,
        unread TEXT,
        first INTEGER NOT NULL,
        past INTEGER NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE passages USING fts5(
        title, body, document UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2'
    );
";

/// The index file, opened on first use.
pub(crate) struct DocumentFile {
    folder: PathBuf,
    read_only: bool,
    connection: Mutex<Option<Connection>>,
}

impl DocumentFile {
    pub(crate) fn new(folder: &Path, read_only: bool) -> Self {
        Self {
            folder: folder.to_path_buf(),
            read_only,
            connection: Mutex::new(None),
        }
    }

    /// Runs `work` with the index on a thread that may block.
    pub(crate) async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreFault> {
        let this = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let mut held = this
                .connection
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if held.is_none() {
                *held = Some(this.open()?);
            }
            let connection = held
                .as_mut()
                .ok_or_else(|| Fault::other("it is not open"))?;
            let done = work(connection).map_err(StoreFault::from);
            if matches!(done, Err(StoreFault::Damaged(_))) {
                // Rebuilt on next use.
                *held = None;
                this.remove()?;
            }
            done
        });
        done.await
            .unwrap_or_else(|_| Err(StoreFault::Other("the index of documents broke off".into())))
    }

    fn open(&self) -> std::result::Result<Connection, StoreFault> {
        if self.read_only {
            // Reading a profile read-only must not create a file beside it.
            let empty = Connection::open_in_memory().map_err(Fault::from)?;
            empty.execute_batch(TABLES).map_err(Fault::from)?;
            return Ok(empty);
        }
        match self.open_file() {
            Ok(connection) => Ok(connection),
            Err(_) => {
                self.remove()?;
                Ok(self.open_file()?)
            }
        }
    }

    fn open_file(&self) -> Result<Connection> {
        let file = self.folder.join(FILES[0]);
        create_private(&file)?;
        let mut connection = Connection::open(&file)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        // Overwrites deleted content in the file.
        connection.pragma_update(None, "secure_delete", "ON")?;
        let form: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        match form {
            FORM => {}
            0 => {
                let tx = connection.transaction()?;
                tx.execute_batch(TABLES)?;
                tx.pragma_update(None, "user_version", FORM)?;
                tx.commit()?;
            }
            other => return Err(Fault::other(format!("the index has the form {other}"))),
        }
        Ok(connection)
    }

    fn remove(&self) -> std::result::Result<(), StoreFault> {
        for name in FILES {
            match std::fs::remove_file(self.folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(io_fault(&error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Closes the index and deletes its files.
    pub(crate) async fn forget(self: &Arc<Self>) -> std::result::Result<(), StoreFault> {
        let this = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let mut held = this
                .connection
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *held = None;
            this.remove()
        });
        done.await
            .unwrap_or_else(|_| Err(StoreFault::Other("the index of documents broke off".into())))
    }
}
