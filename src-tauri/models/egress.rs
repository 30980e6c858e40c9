//! What leaves this computer is written into the ledger of the profile, beside the work that sent it: when it leaves, and
//! once more when it is known what came back. A process that is killed in between leaves the first, unless storage had no
//! time for it yet: writing goes on beside the exchange, which would wait for a commit at every request otherwise.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::ports::{Clock, EgressLog, Exchange};
use adjutant_store::{Egress, Store};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;

/// How long the end waits for exchanges that are still on. What they sent is written down already.
const END_WAITS: Duration = Duration::from_secs(1);

/// The ledger of a profile, as the network sees it.
pub(super) struct Ledger {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    /// Exchanges begin and end anywhere, also while values are dropped; they are written down on this runtime.
    runtime: Handle,
    next: AtomicU64,
    /// Where the end of each exchange that is on is told.
    on: Mutex<BTreeMap<u64, oneshot::Sender<Option<u64>>>>,
    writing: TaskTracker,
}

impl Ledger {
    /// The ledger in `store`; it writes on the runtime this is called in.
    pub(super) fn new(store: Arc<Store>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            runtime: Handle::current(),
            next: AtomicU64::new(0),
            on: Mutex::default(),
            writing: TaskTracker::new(),
        }
    }

    /// Waits until everything that ended is written down.
    pub(super) async fn settled(&self) {
        self.writing.close();
        let _ = tokio::time::timeout(END_WAITS, self.writing.wait()).await;
        self.writing.reopen();
    }

    fn entry(&self, exchange: &Exchange) -> Egress {
        Egress {
            id: 0,
            at: self.clock.now().timestamp(),
            who: exchange.host.clone(),
            why: exchange.why.clone(),
            bytes_out: exchange.bytes_out,
            bytes_in: exchange.bytes_in,
        }
    }

    fn on(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, oneshot::Sender<Option<u64>>>> {
        self.on.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        if let Some(number) = self.begins(&exchange) {
            self.ended(number, Some(exchange));
        }
    }

    fn begins(&self, exchange: &Exchange) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if exchange.loopback {
            // Nothing leaves; the number stands for nothing.
            return Some(number);
        }
        let (tell, told) = oneshot::channel();
        self.on().insert(number, tell);
        let (store, entry) = (self.store.clone(), self.entry(exchange));
        let at = entry.at;
        self.writing.spawn_on(
            async move {
                let written = match store.note_egress(entry).await {
                    // Nobody tells an end where the process ends: then it stands as it is.
                    Ok(row) => match told.await {
                        Ok(ended) => store.end_egress(row, at, ended).await,
                        Err(_) => Ok(()),
                    },
                    Err(fault) => Err(fault),
                };
                if let Err(fault) = written {
                    tracing::warn!(%fault, "what left could not be written down");
                }
            },
            &self.runtime,
        );
        Some(number)
    }

    fn ended(&self, number: u64, exchange: Option<Exchange>) {
        if let Some(tell) = self.on().remove(&number) {
            // Its task is gone only with the runtime.
            let _ = tell.send(exchange.map(|exchange| exchange.bytes_in));
        }
    }
}
