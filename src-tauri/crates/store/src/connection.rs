//! Opens the database file and sets up every connection to it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use adjutant_domain::faults::{StoreFault, io_reason};
use adjutant_text::{all_words, fold_line, same};
use jiff::tz::TimeZone;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

use crate::cells::{micros, timestamp};
use crate::fault::{Fault, Result, from_sql};
use crate::migrations;

/// Name of the database file inside a profile folder.
pub const FILE: &str = "adjutant.db";
/// Application id in the file header that marks the file as ours: "Adju".
const APPLICATION_ID: i32 = 0x4164_6a75;
/// How long a connection waits for another process to release the database before it gives up, in milliseconds.
const BUSY_MS_MAX: u64 = 5_000;
/// Number of prepared statements a connection caches.
const STATEMENTS_MAX: usize = 192;
/// Page cache of a connection, in KiB.
const CACHE_KIB: i64 = 16 * 1024;
/// Highest number of bytes of the file that are mapped into memory.
const MAPPED_BYTES_MAX: i64 = 512 * 1024 * 1024;

/// Largest profile, in bytes, that is copied in order to read it: 1 GiB.
const COPY_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Number of pages the log may reach before a commit folds it into the database: 16 MiB. Folding takes some
/// milliseconds, and the committer waits for it. With SQLite's default of 1,000 pages this hit one turn in sixteen;
/// with this value it hits one in sixty.
const LOG_PAGES: u32 = 4_000;

/// The time zone in which whole days begin, shared by all connections.
pub(crate) type SharedZone = Arc<RwLock<TimeZone>>;

/// How to open connections to one profile.
#[derive(Clone)]
pub(crate) struct Opener {
    pub(crate) file: PathBuf,
    pub(crate) read_only: bool,
    /// Whether the file cannot change and no file can be created beside it, because the medium is read-only.
    pub(crate) immutable: bool,
    pub(crate) zone: SharedZone,
}

impl Opener {
    /// Opens the connection that writes. Creates the file, readable only by its owner, if it is missing.
    pub(crate) fn writer(&self, pages_max: Option<u32>) -> Result<Connection> {
        if self.read_only {
            return self.reader();
        }
        if self.file.exists() {
            create_private(&self.file)?;
        } else {
            self.make()?;
        }
        let connection = Connection::open_with_flags(
            &self.file,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        self.prepare(&connection)?;
        check_owner(&connection).map_err(log_not_made)?;
        let mode: String = connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(|error| log_not_made(error.into()))?;
        if mode != "wal" {
            return Err(Fault::other(format!(
                "the file system does not allow a write-ahead log (journal mode {mode})"
            )));
        }
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        if let Some(pages) = pages_max {
            connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
        }
        Ok(connection)
    }

    /// Creates a new database under a temporary name and renames it once it is complete. That takes one write to the
    /// disk instead of one per migration step, and leaves no half-made database under the final name.
    fn make(&self) -> Result<()> {
        let made = self.file.with_extension("db.new");
        match std::fs::remove_file(&made) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io_fault(&error).into());
            }
            _ => {}
        }
        create_private(&made)?;
        let mut connection = Connection::open_with_flags(
            &made,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;")?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        migrations::run(&mut connection)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.close().map_err(|(_, error)| error)?;
        std::fs::File::open(&made)
            .and_then(|file| file.sync_all())
            .and_then(|()| std::fs::rename(&made, &self.file))
            .map_err(|error| io_fault(&error))?;
        #[cfg(unix)]
        if let Some(folder) = self.file.parent() {
            std::fs::File::open(folder)
                .and_then(|folder| folder.sync_all())
                .map_err(|error| io_fault(&error))?;
        }
        Ok(())
    }

    /// Opens a connection that only reads.
    pub(crate) fn reader(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = if self.immutable {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable_uri(&self.file), flags)?
        } else {
            Connection::open_with_flags(&self.file, flags)?
        };
        self.prepare(&connection)?;
        Ok(connection)
    }

    /// Finds a way to read a profile without writing beside it: the file as it is; the file opened as immutable; or,
    /// if its log is not folded in or its format is older, a temporary copy that exists as long as the returned
    /// folder.
    pub(crate) fn settle_for_reading(&mut self) -> Result<Option<TempDir>> {
        let as_it_is = self
            .reader()
            .and_then(|found| migrations::is_current(&found));
        let logged =
            std::fs::metadata(self.file.with_extension("db-wal")).is_ok_and(|log| log.len() > 0);
        let readable = match as_it_is {
            Ok(current) => Ok(current),
            Err(fault) if logged || is_newer(&fault) => Err(fault),
            Err(_) => {
                self.immutable = true;
                self.reader()
                    .and_then(|found| migrations::is_current(&found))
            }
        };
        match readable {
            Ok(true) => Ok(None),
            Err(fault) if is_newer(&fault) || !(logged && self.file.exists()) => Err(fault),
            Ok(false) | Err(_) => self.copy().map(Some),
        }
    }

    /// Copies the database, switches to reading the copy, and brings it up to date.
    pub(crate) fn copy(&mut self) -> Result<TempDir> {
        let log = self.file.with_extension("db-wal");
        let size = |file: &Path| std::fs::metadata(file).map_or(0, |found| found.len());
        if size(&self.file) + size(&log) > COPY_BYTES_MAX {
            return Err(StoreFault::ReadOnly.into());
        }
        let folder = tempfile::Builder::new()
            .prefix("adjutant-reading-")
            .tempdir()
            .map_err(|error| io_fault(&error))?;
        let copy = folder.path().join(FILE);
        let made = |from: &Path, to: &Path| -> Result<()> {
            let mut from = std::fs::File::open(from).map_err(|error| io_fault(&error))?;
            let mut to = std::fs::File::create(to).map_err(|error| io_fault(&error))?;
            std::io::copy(&mut from, &mut to).map_err(|error| io_fault(&error))?;
            Ok(())
        };
        made(&self.file, &copy)?;
        if log.exists() {
            made(&log, &copy.with_extension("db-wal"))?;
        }
        self.file = copy;
        self.immutable = false;
        let mut connection = Connection::open_with_flags(
            &self.file,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        self.prepare(&connection)?;
        migrations::run(&mut connection)?;
        connection.close().map_err(|(_, error)| error)?;
        Ok(folder)
    }

    fn prepare(&self, connection: &Connection) -> Result<()> {
        connection.busy_timeout(Duration::from_millis(BUSY_MS_MAX))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        connection.execute_batch(&format!(
            "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
             PRAGMA cache_size = -{CACHE_KIB}; PRAGMA mmap_size = {MAPPED_BYTES_MAX};"
        ))?;
        let zone = Arc::clone(&self.zone);
        // Returns when a stored moment begins for the person: an instant unchanged, a day at its midnight in their
        // zone.
        connection.create_scalar_function(
            "moment_at",
            2,
            FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS,
            move |context| {
                let (at, day): (Option<i64>, Option<bool>) = (context.get(0)?, context.get(1)?);
                let (Some(at), Some(true)) = (at, day) else {
                    return Ok(at);
                };
                let zone = zone
                    .read()
                    .map_or_else(|broken| broken.into_inner().clone(), |zone| zone.clone());
                let date = timestamp(at).to_zoned(TimeZone::UTC).date();
                Ok(date
                    .to_zoned(zone)
                    .map_or(Some(at), |midnight| Some(micros(midnight.timestamp()))))
            },
        )?;
        let flags = FunctionFlags::SQLITE_UTF8
            | FunctionFlags::SQLITE_INNOCUOUS
            | FunctionFlags::SQLITE_DETERMINISTIC;
        // Folds case and accents of a title, for sorting.
        connection.create_scalar_function("folded", 1, flags, |context| {
            Ok(fold_line(&context.get::<String>(0)?))
        })?;
        // Normalises an address for comparison.
        connection.create_scalar_function("lowered", 1, flags, |context| {
            Ok(context.get::<String>(0)?.trim().to_lowercase())
        })?;
        // Whether a title equals these words, and whether a text contains them, as people compare words.
        connection.create_scalar_function("same_words", 2, flags, |context| {
            Ok(same(&context.get::<String>(0)?, &context.get::<String>(1)?))
        })?;
        connection.create_scalar_function("has_words", 2, flags, |context| {
            let (text, wanted) = (context.get::<String>(0)?, context.get::<String>(1)?);
            Ok(all_words(&wanted, &text))
        })?;
        Ok(())
    }
}

fn is_newer(fault: &Fault) -> bool {
    matches!(fault, Fault::Store(StoreFault::Newer { .. }))
}

/// Returns the URI that opens a file as immutable. Characters with a meaning in URIs are percent-encoded.
fn immutable_uri(file: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in file.to_string_lossy().replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// Maps "cannot open" to read-only. The database file itself could be opened for writing just before, so it is the
/// log beside it that could not be created: the folder is read-only.
fn log_not_made(fault: Fault) -> Fault {
    match &fault {
        Fault::Sql(error) if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
            StoreFault::ReadOnly.into()
        }
        _ => fault,
    }
}

/// Refuses a database of another program, and marks a new one as ours.
fn check_owner(connection: &Connection) -> Result<()> {
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id == APPLICATION_ID {
        return Ok(());
    }
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id != 0 || tables > 0 {
        return Err(Fault::other(
            "the file adjutant.db in the profile folder belongs to another program",
        ));
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(())
}

/// Creates folder and file for the owner only, so that the files SQLite adds inherit those permissions.
pub(crate) fn create_private(file: &Path) -> Result<()> {
    if let Some(folder) = file.parent() {
        create_folder(folder).map_err(|error| io_fault(&error))?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(file).map_err(|error| io_fault(&error))?;
    Ok(())
}

/// Creates a folder, with its parents, that only its owner can access.
pub(crate) fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Maps a file system error to one of the faults the person is told about.
pub(crate) fn io_fault(error: &std::io::Error) -> StoreFault {
    match error.kind() {
        std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
            StoreFault::ReadOnly
        }
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => StoreFault::DiskFull,
        _ => StoreFault::Other(format!(
            "the profile folder cannot be used: {}",
            io_reason(error)
        )),
    }
}

/// Returns the defects SQLite finds in the database; empty if there are none.
pub(crate) fn problems(connection: &Connection) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut check = connection.prepare("PRAGMA integrity_check(20)")?;
    let lines = check.query_map([], |row| row.get::<_, String>(0))?;
    for line in lines {
        match line {
            Ok(line) if line == "ok" => {}
            Ok(line) => found.push(line),
            Err(error) => {
                found.push(from_sql(&error).to_string());
                break;
            }
        }
    }
    let mut keys = connection.prepare("PRAGMA foreign_key_check")?;
    let orphans = keys
        .query_map([], |row| row.get::<_, String>(0))?
        .filter_map(std::result::Result::ok)
        .take(20);
    found.extend(orphans.map(|table| format!("a row of {table} belongs to nothing")));
    Ok(found)
}

/// Folds the log into the file. Returns `false` if part of it remains because a reader still uses an older state.
pub(crate) fn checkpoint(connection: &rusqlite::Connection) -> Result<bool> {
    let busy: bool =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(!busy)
}
