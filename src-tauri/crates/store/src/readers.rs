//! A small pool of read-only connections, each used by one blocking job at a time.

use std::sync::{Arc, Mutex};

use adjutant_domain::faults::StoreFault;
use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::connection::Opener;
use crate::fault::{Fault, Result};

/// Highest number of connections that read at the same time; further readers wait.
const READERS_MAX: usize = 4;

/// The pool. It opens connections on demand.
pub(crate) struct Readers {
    opener: Opener,
    idle: Arc<Mutex<Vec<Connection>>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    pub(crate) fn new(opener: Opener) -> Self {
        Self {
            opener,
            idle: Arc::default(),
            permits: Arc::new(Semaphore::new(READERS_MAX)),
        }
    }

    /// Runs `job` on a connection inside one read transaction, so that everything it reads comes from one snapshot.
    pub(crate) async fn read<T, F>(&self, job: F) -> std::result::Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let idle = Arc::clone(&self.idle);
        self.run(move |opener| {
            let taken = lock(&idle).pop();
            let connection = match taken {
                Some(connection) => connection,
                None => opener.reader()?,
            };
            let result = in_snapshot(&connection, job);
            lock(&idle).push(connection);
            result
        })
        .await
    }

    /// Does the same on a connection of its own, which knows nothing of earlier reads.
    pub(crate) async fn read_anew<T, F>(&self, job: F) -> std::result::Result<T, StoreFault>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.run(move |opener| in_snapshot(&opener.reader()?, job))
            .await
    }

    /// Runs a job in the background, when fewer than [`READERS_MAX`] others run.
    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Opener) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreFault> {
        let permit = Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .map_err(|_| StoreFault::Other("the profile is being closed".into()))?;
        let opener = self.opener.clone();
        tokio::task::spawn_blocking(move || {
            let result = job(&opener);
            drop(permit);
            result
        })
        .await
        .unwrap_or_else(|_| Err(Fault::other("a storage job broke off")))
        .map_err(StoreFault::from)
    }

    /// Closes idle connections, so that the writer can be the last to close.
    pub(crate) fn close_idle(&self) {
        lock(&self.idle).clear();
    }
}

/// Runs a job inside one read transaction.
pub(crate) fn in_snapshot<T>(
    connection: &Connection,
    job: impl FnOnce(&Connection) -> Result<T>,
) -> Result<T> {
    let snapshot = connection.unchecked_transaction()?;
    let value = job(&snapshot)?;
    snapshot.commit()?;
    Ok(value)
}

fn lock(idle: &Mutex<Vec<Connection>>) -> std::sync::MutexGuard<'_, Vec<Connection>> {
    idle.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
