//! Records egress in the profile's ledger: a row when an exchange begins, and its final byte counts when it ends. If
//! the process is killed in between, the first row remains, provided the store had already written it. Writing runs
//! beside the exchange, because otherwise every request would wait for a commit.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::ports::{Clock, EgressLog, Exchange};
use adjutant_store::{Egress, Store};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;

/// How long [`Ledger::settled`] waits for exchanges that are still open. The store already has their first row.
const END_WAITS: Duration = Duration::from_secs(1);

/// Open exchanges by number, each with the sender for its final byte counts (out, in), or `None` if it never took
/// place.
type Open = BTreeMap<u64, oneshot::Sender<Option<(u64, u64)>>>;

/// The egress ledger of a profile.
pub(super) struct Ledger {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    /// Exchanges begin and end on any thread, even while values are dropped; rows are written on this runtime.
    runtime: Handle,
    next: AtomicU64,
    /// Open exchanges whose end has not been reported.
    on: Mutex<Open>,
    writing: TaskTracker,
}

impl Ledger {
    /// Creates a ledger that writes to `store` on the current runtime. Panics outside a runtime.
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

    /// Waits until the rows of finished exchanges are written, for at most [`END_WAITS`].
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

    fn on(&self) -> std::sync::MutexGuard<'_, Open> {
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
            // Loopback traffic is not egress: the number has no ledger row.
            return Some(number);
        }
        let (tell, told) = oneshot::channel();
        self.on().insert(number, tell);
        let (store, entry) = (self.store.clone(), self.entry(exchange));
        let at = entry.at;
        self.writing.spawn_on(
            async move {
                let written = match store.note_egress(entry).await {
                    // If the process ends first, no end is reported and the row stays as it is.
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
            // Sending fails only if the runtime, and the task with it, is gone.
            let _ = tell.send(exchange.map(|exchange| (exchange.bytes_out, exchange.bytes_in)));
        }
    }
}

#[cfg(test)]
mod tests {
    use adjutant_store::StoreOptions;

    use super::*;
    use crate::clock::FixedClock;

    fn noon() -> Arc<dyn Clock> {
        let at = "2026-01-12T12:00:00+01:00[Europe/Paris]";
        Arc::new(FixedClock(at.parse().expect("an instant")))
    }

    #[tokio::test]
    async fn what_leaves_is_written_down_when_it_leaves_and_completed_at_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path(), StoreOptions::default()).expect("a profile");
        let log = Ledger::new(store.clone(), noon());
        let exchange = |host: &str, bytes_in, loopback| Exchange {
            host: host.into(),
            why: "a test".into(),
            bytes_out: 300,
            bytes_in,
            loopback,
        };
        let first = log
            .begins(&exchange("a.example", 0, false))
            .expect("a number");
        let here = log
            .begins(&exchange("127.0.0.1", 0, true))
            .expect("a number");
        let gone = log
            .begins(&exchange("b.example", 0, false))
            .expect("a number");
        let rows = async || {
            let rows = store.egress(None).await.expect("rows");
            let row = |row: adjutant_store::Egress| (row.who, row.bytes_out, row.bytes_in);
            rows.into_iter().map(row).collect::<Vec<_>>()
        };
        // It is on: waiting for its end is given up after a while, and the row is there.
        log.settled().await;
        let (a, b) = ("a.example".to_owned(), "b.example".to_owned());
        assert_eq!(rows().await, [(b, 300, 0), (a.clone(), 300, 0)]);
        log.ended(gone, None);
        log.ended(here, Some(exchange("127.0.0.1", 5, true)));
        log.ended(first, Some(exchange("a.example", 77, false)));
        log.note(exchange("c.example", 1, false));
        log.settled().await;
        assert_eq!(rows().await, [("c.example".into(), 300, 1), (a, 300, 77)]);
    }
}
