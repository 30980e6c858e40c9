//! The only writer: a thread that owns the connection and runs one transaction after another.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use adjutant_domain::faults::StoreFault;
use rusqlite::Connection;
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::connection::{checkpoint, io_fault};
use crate::crash::crash_at;
use crate::fault::{Fault, Result};
use crate::tx::{Topic, Tx};

/// Highest number of jobs queued for the writer; callers beyond that wait for room.
const JOBS_MAX: usize = 64;
/// Number of changes a slow listener may lag behind before it must read everything again.
const CHANGES_MAX: usize = 256;

type Job = Box<dyn FnOnce(&mut Held) + Send>;

/// The connection, and the level of `synchronous` last set on it. Setting it again costs as much as a small query.
struct Held {
    connection: Connection,
    level: Option<&'static str>,
}

impl Held {
    fn take_level(&mut self, level: &'static str) -> Result<()> {
        if self.level != Some(level) {
            self.level = None;
            self.connection.pragma_update(None, "synchronous", level)?;
            self.level = Some(level);
        }
        Ok(())
    }
}

/// What a commit survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlives {
    /// A power cut: the disk has confirmed the commit.
    Power,
    /// The end of the process, however it comes. The next commit that survives a power cut makes this one survive it
    /// too.
    Process,
    /// The end of the process, and a power cut once anything else is written: the disk confirms the commit while the
    /// caller goes on, which may only read meanwhile. If the disk does not confirm it, all other writes are refused
    /// until the log is known to be whole.
    PowerBeforeNext,
}

impl Outlives {
    /// Returns the level of SQLite's `synchronous`, given a write-ahead log.
    const fn level(self) -> &'static str {
        match self {
            Self::Power => "FULL",
            Self::Process | Self::PowerBeforeNext => "NORMAL",
        }
    }
}

/// The handle of the writer thread. Dropping it finishes what is queued and closes the database.
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    changes: broadcast::Sender<BTreeSet<Topic>>,
    log: Arc<Log>,
}

/// The write-ahead log, as far as it is confirmed separately from commits.
struct Log {
    /// SQLite's locks are on another file, so opening and closing this one releases none of them.
    file: PathBuf,
    /// Why the disk did not confirm a commit. After one failure, a later confirmation says nothing about earlier
    /// pages, because the system counts them as written. So this stays set until the whole log has been copied into
    /// the database.
    refused: Mutex<Option<StoreFault>>,
}

impl Log {
    /// Syncs the log to the disk, and remembers the fault if that fails.
    fn confirm(&self) {
        let confirmed = OpenOptions::new()
            .write(true)
            .open(&self.file)
            .and_then(|log| log.sync_data());
        if let Err(error) = confirmed {
            tracing::error!(%error, "the disk did not confirm what was written");
            *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(io_fault(&error));
        }
    }

    /// Makes sure that nothing is committed on top of what the disk has lost: copies the log into the database, has
    /// the disk confirm that, and starts the log over. Until that succeeds, nothing is written.
    fn mend(&self, held: &mut Held) -> Result<()> {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(fault) = &*refused else {
            return Ok(());
        };
        let mended = held
            .take_level(Outlives::Power.level())
            .and_then(|()| checkpoint(&held.connection));
        match mended {
            Ok(true) => {
                tracing::warn!("what the disk had not confirmed lies in the database now");
                *refused = None;
                Ok(())
            }
            // A reader still uses an older state.
            Ok(false) => Err(Fault::from(fault.clone())),
            Err(error) => {
                tracing::error!(fault = %StoreFault::from(error), "the log could not be folded in");
                Err(Fault::from(fault.clone()))
            }
        }
    }
}

impl Writer {
    /// Moves a connection to a thread of its own. `log` is the write-ahead log of its database.
    pub(crate) fn start(
        connection: Connection,
        log: PathBuf,
    ) -> std::result::Result<Self, StoreFault> {
        let (jobs, mut queue) = mpsc::channel::<Job>(JOBS_MAX);
        let (changes, _) = broadcast::channel(CHANGES_MAX);
        let thread = std::thread::Builder::new()
            .name("adjutant-writer".into())
            .spawn(move || {
                let mut held = Held {
                    connection,
                    level: None,
                };
                while let Some(job) = queue.blocking_recv() {
                    job(&mut held);
                }
            })
            .map_err(|error| io_fault(&error))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Mutex::new(Some(thread)),
            changes,
            log: Arc::new(Log {
                file: log,
                refused: Mutex::default(),
            }),
        })
    }

    /// Subscribes to the topics that commits touch.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<BTreeSet<Topic>> {
        self.changes.subscribe()
    }

    /// Runs `job` in one immediate transaction, which commits all of it or nothing. `name` is the name of its crash
    /// points. The job runs even if the caller stops waiting for it.
    pub(crate) async fn write<T, F>(
        &self,
        name: &'static str,
        outlives: Outlives,
        job: F,
    ) -> std::result::Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let (changes, log) = (self.changes.clone(), self.log.clone());
        let work = move |held: &mut Held| {
            log.mend(held)?;
            crash_at(name, "before");
            held.take_level(outlives.level())?;
            let tx = Tx::begin(&mut held.connection)?;
            let value = job(&tx)?;
            crash_at(name, "inside");
            let topics = tx.commit()?;
            crash_at(name, "after");
            if !topics.is_empty() {
                // It is fine if nobody listens.
                let _ = changes.send(topics);
            }
            Ok(value)
        };
        let log = self.log.clone();
        self.perform(work, move |is_done| {
            if is_done && outlives == Outlives::PowerBeforeNext {
                log.confirm();
            }
        })
        .await
    }

    /// Notifies listeners of topics touched outside a transaction of [`Self::write`].
    pub(crate) fn tell(&self, topics: BTreeSet<Topic>) {
        // It is fine if nobody listens.
        let _ = self.changes.send(topics);
    }

    /// Runs `job` on the connection itself, for statements that cannot run inside a transaction.
    pub(crate) async fn exclusive<T, F>(&self, job: F) -> std::result::Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let log = self.log.clone();
        let work = move |held: &mut Held| {
            log.mend(held)?;
            held.take_level(Outlives::Power.level())?;
            // The job may change the level as well.
            held.level = None;
            job(&mut held.connection)
        };
        self.perform(work, |_| ()).await
    }

    /// Runs `job`, sends its result, and runs `after` before the next job; `after` is told whether the job succeeded.
    async fn perform<T, F>(
        &self,
        job: F,
        after: impl FnOnce(bool) + Send + 'static,
    ) -> std::result::Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&mut Held) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let boxed: Job = Box::new(move |held| {
            let result = catch_unwind(AssertUnwindSafe(|| job(held))).unwrap_or_else(|_| {
                Err(Fault::other("a storage job broke off; nothing was written"))
            });
            let is_done = result.is_ok();
            let _ = reply.send(result.map_err(StoreFault::from));
            after(is_done);
        });
        let stopped = || StoreFault::Other("the profile is being closed".into());
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.send(boxed).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        let thread = match self.thread.lock() {
            Ok(mut thread) => thread.take(),
            Err(broken) => broken.into_inner().take(),
        };
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the writer of the profile broke off");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(log: &str) -> (tempfile::TempDir, Writer) {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(folder.path().join("t.db")).expect("a database");
        connection
            .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
            .expect("a log");
        connection
            .execute_batch("CREATE TABLE t (n INTEGER) STRICT;")
            .expect("a table");
        let writer = Writer::start(connection, folder.path().join(log)).expect("a thread");
        (folder, writer)
    }

    async fn add(writer: &Writer, outlives: Outlives) -> std::result::Result<i64, StoreFault> {
        let add = |tx: &Tx<'_>| -> Result<i64> {
            tx.execute("INSERT INTO t VALUES (1)", [])?;
            Ok(tx.query_row("SELECT count(*) FROM t", [], |row| row.get(0))?)
        };
        writer.write("apply", outlives, add).await
    }

    /// Somebody who reads what is there now, so that the log cannot be folded in.
    fn reading(folder: &tempfile::TempDir) -> Connection {
        let reader = Connection::open(folder.path().join("t.db")).expect("a database");
        let read = "BEGIN; SELECT count(*) FROM t;";
        reader.execute_batch(read).expect("a transaction");
        reader
    }

    #[tokio::test]
    async fn nothing_is_written_behind_what_the_disk_did_not_confirm() {
        let (_folder, writer) = opened("t.db-wal");
        assert_eq!(add(&writer, Outlives::PowerBeforeNext).await, Ok(1));
        assert_eq!(add(&writer, Outlives::Process).await, Ok(2));
        // A log that cannot be confirmed: it is not there.
        let (folder, writer) = opened("gone");
        let at_once = writer.exclusive(|held| Ok(held.busy_timeout(std::time::Duration::ZERO)?));
        at_once.await.expect("not waiting for readers");
        let reader = reading(&folder);
        assert_eq!(add(&writer, Outlives::PowerBeforeNext).await, Ok(1));
        // However often it was told, and whoever it was told to.
        for outlives in [
            Outlives::Process,
            Outlives::Power,
            Outlives::PowerBeforeNext,
        ] {
            assert!(add(&writer, outlives).await.is_err(), "{outlives:?}");
        }
        let exclusive = writer.exclusive(|held| Ok(held.execute_batch("DELETE FROM t")?));
        assert!(exclusive.await.is_err());
        drop(reader);
        // All of it is in the database now.
        assert_eq!(add(&writer, Outlives::Power).await, Ok(2));
        let log = folder.path().join("t.db-wal");
        let copy = folder.path().join("alone.db");
        assert_eq!(add(&writer, Outlives::PowerBeforeNext).await, Ok(3));
        assert_eq!(add(&writer, Outlives::Process).await, Ok(4));
        std::fs::copy(folder.path().join("t.db"), &copy).expect("copied");
        assert!(log.metadata().expect("a log").len() > 0);
        let alone = Connection::open(&copy).expect("a database");
        let rows: i64 = alone
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .expect("rows");
        assert_eq!(
            rows, 3,
            "what was not confirmed was folded in before anything else"
        );
    }
}
