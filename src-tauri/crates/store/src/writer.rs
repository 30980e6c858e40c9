//! The one writer: a thread of its own that owns the connection and runs one transaction after the other.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::JoinHandle;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::record::Kind;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::connection::io_fault;
use crate::crash::crash_at;
use crate::fault::{Fault, Result};

/// Jobs that may wait for the writer; more wait in their own futures.
const JOBS_MAX: usize = 64;
/// Changes a slow listener may lag behind before it has to read everything anew.
const CHANGES_MAX: usize = 256;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// What a commit touched, so that views know what to read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Records of a kind.
    Records(Kind),
    /// Conversations, messages or turns.
    Conversations,
    /// Actions that wait or waited for approval.
    Actions,
    /// The activity log.
    Effects,
    /// Settings.
    Settings,
    /// The ledger of what left the machine.
    Egress,
    /// Calls to models and what they cost.
    Calls,
}

impl Topic {
    /// Every one of them.
    pub(crate) fn all() -> BTreeSet<Self> {
        use Topic::{Actions, Calls, Conversations, Effects, Egress, Settings};
        Kind::ALL
            .into_iter()
            .map(Self::Records)
            .chain([Conversations, Actions, Effects, Settings, Egress, Calls])
            .collect()
    }
}

/// What a commit outlives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlives {
    /// The power going out: the disk has confirmed it.
    Power,
    /// The process, however it ends. The next commit that outlives the power takes it along.
    Process,
}

impl Outlives {
    /// The level of SQLite's `synchronous` with a write-ahead log.
    const fn level(self) -> &'static str {
        match self {
            Self::Power => "FULL",
            Self::Process => "NORMAL",
        }
    }
}

/// A transaction of the writer; reads as a connection.
pub(crate) struct Tx<'conn> {
    inner: Transaction<'conn>,
    topics: RefCell<BTreeSet<Topic>>,
}

impl Tx<'_> {
    /// Notes that listeners will have to be told.
    pub(crate) fn touch(&self, topic: Topic) {
        self.topics.borrow_mut().insert(topic);
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.inner
    }
}

/// The handle of the writer thread. Dropping it finishes what is queued and closes the database.
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    changes: broadcast::Sender<BTreeSet<Topic>>,
}

impl Writer {
    /// Hands a connection to a thread of its own.
    pub(crate) fn start(mut connection: Connection) -> std::result::Result<Self, StoreFault> {
        let (jobs, mut queue) = mpsc::channel::<Job>(JOBS_MAX);
        let (changes, _) = broadcast::channel(CHANGES_MAX);
        let thread = std::thread::Builder::new()
            .name("adjutant-writer".into())
            .spawn(move || {
                while let Some(job) = queue.blocking_recv() {
                    job(&mut connection);
                }
            })
            .map_err(|error| io_fault(&error))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Mutex::new(Some(thread)),
            changes,
        })
    }

    /// Listens to what commits touch.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<BTreeSet<Topic>> {
        self.changes.subscribe()
    }

    /// Runs `job` in one immediate transaction: all of it is committed, or nothing. `name` is that of its crash
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
        let changes = self.changes.clone();
        self.exclusive(move |connection| {
            crash_at(name, "before");
            connection.pragma_update(None, "synchronous", outlives.level())?;
            let tx = Tx {
                inner: connection.transaction_with_behavior(TransactionBehavior::Immediate)?,
                topics: RefCell::default(),
            };
            let value = job(&tx)?;
            crash_at(name, "inside");
            tx.inner.commit()?;
            crash_at(name, "after");
            let topics = tx.topics.into_inner();
            if !topics.is_empty() {
                // Nobody listening is fine.
                let _ = changes.send(topics);
            }
            Ok(value)
        })
        .await
    }

    /// Tells listeners what was touched outside a transaction of [`Self::write`].
    pub(crate) fn tell(&self, topics: BTreeSet<Topic>) {
        // Nobody listening is fine.
        let _ = self.changes.send(topics);
    }

    /// Runs `job` on the connection itself, for what cannot be inside a transaction.
    pub(crate) async fn exclusive<T, F>(&self, job: F) -> std::result::Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let boxed: Job = Box::new(move |connection| {
            let result = catch_unwind(AssertUnwindSafe(|| job(connection))).unwrap_or_else(|_| {
                Err(Fault::other("a storage job broke off; nothing was written"))
            });
            let _ = reply.send(result.map_err(StoreFault::from));
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
