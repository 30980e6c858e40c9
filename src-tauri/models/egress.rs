//! What leaves this computer is written into the ledger of the profile, beside the work that sent it.

use std::sync::Arc;

use adjutant_domain::ports::{Clock, EgressLog, Exchange};
use adjutant_store::{Egress, Store};
use tokio::runtime::Handle;

/// The ledger of a profile, as the network sees it.
pub(super) struct Ledger {
    pub(super) store: Arc<Store>,
    pub(super) clock: Arc<dyn Clock>,
    /// Exchanges end anywhere, also while values are dropped; they are written down on this runtime.
    pub(super) runtime: Handle,
}

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        if exchange.loopback {
            return;
        }
        let store = self.store.clone();
        let entry = Egress {
            id: 0,
            at: self.clock.now().timestamp(),
            who: exchange.host,
            why: exchange.why,
            bytes_out: exchange.bytes_out,
            bytes_in: exchange.bytes_in,
        };
        self.runtime.spawn(async move {
            if let Err(fault) = store.note_egress(entry).await {
                tracing::warn!(%fault, "what left could not be written down");
            }
        });
    }
}
