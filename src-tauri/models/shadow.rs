//! A connection that is only compared: asked what the live models are asked, beside them and without any effect.

use std::sync::Arc;

use adjutant_domain::model::{ChatModel, Stage};
use adjutant_engine::shadow::{Compared, Shadow, ShadowLog};
use adjutant_models::Connection;
use adjutant_store::{Comparison, Store};
use tokio::runtime::Handle;

/// The candidate, at every stage whose replies can be compared.
pub(super) fn shadow(candidate: Arc<dyn ChatModel>, store: Arc<Store>) -> Shadow {
    let log = Stored {
        store,
        runtime: Handle::current(),
    };
    Shadow::new(candidate, Stage::ALL, Arc::new(log))
}

/// The connections that are only compared, and those that answer. One that is alone answers, whatever is set: there is
/// nothing to compare it with.
pub(super) fn split(
    connections: impl Iterator<Item = Connection>,
    shadow: &str,
) -> (Vec<Connection>, Vec<Connection>) {
    let (candidates, live): (Vec<_>, Vec<_>) = connections.partition(|one| one.name == shadow);
    if live.is_empty() {
        (live, candidates)
    } else {
        (candidates, live)
    }
}

/// Comparisons are kept in the profile.
struct Stored {
    store: Arc<Store>,
    runtime: Handle,
}

impl ShadowLog for Stored {
    fn note(&self, compared: Compared) {
        let Ok(what) = serde_json::to_value(&compared) else {
            return;
        };
        let one = Comparison {
            stage: compared.stage.name().to_owned(),
            candidate: compared.candidate.model,
            same: compared.same,
            what,
        };
        let store = self.store.clone();
        self.runtime.spawn(async move {
            if let Err(fault) = store.note_comparison(one).await {
                tracing::warn!(%fault, "a comparison could not be written down");
            }
        });
    }
}
