//! A connection that is only compared: asked what the live models are asked, beside them and without any effect.

use std::sync::Arc;

use adjutant_domain::model::{ChatModel, Stage};
use adjutant_engine::shadow::{Compared, Shadow, ShadowLog};
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
