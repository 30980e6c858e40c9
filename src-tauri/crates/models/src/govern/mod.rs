//! Controls what calls cost: the worst case is reserved before a call, its real cost is settled after it, and a call
//! that would exceed a limit is not made at all. Every call is recorded, even a free one, because the row is its
//! trace. A call that cannot be recorded is not made.

mod cost_ledger;
mod embed;
#[cfg(test)]
mod tests;
mod worst;

use std::sync::Arc;

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Usage,
};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

pub use cost_ledger::CostLedger;
pub use embed::GovernedEmbedder;
pub use worst::{price_micros, worst_case_micros, worst_tokens};

use crate::whole::whole;

/// A model whose calls are accounted for. Each model has its own, inside the circuit breaker: a call that is not made
/// costs nothing and leaves no row.
pub struct Governor {
    inner: Arc<dyn ChatModel>,
    costs: Arc<CostLedger>,
}

impl Governor {
    /// Wraps `inner` and keeps its accounts in `costs`.
    #[must_use]
    pub const fn new(inner: Arc<dyn ChatModel>, costs: Arc<CostLedger>) -> Self {
        Self { inner, costs }
    }
}

impl ChatModel for Governor {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let (inner, costs) = (Arc::clone(&self.inner), Arc::clone(&self.costs));
        stream::once(async move {
            let profile = inner.profile();
            let id = profile.id.clone();
            match costs.reserve(profile, &request).await {
                Err(fault) => stream::iter([Err(fault)]).boxed(),
                Ok(mut booking) => {
                    booking.begin();
                    whole(id, inner.stream(request))
                        .map(move |item| booking.see(item))
                        .boxed()
                }
            }
        })
        .flatten()
        .boxed()
    }
}

/// Any model together with the accounts of its calls, so that it knows what a turn has used.
pub struct Counted {
    inner: Arc<dyn ChatModel>,
    costs: Arc<CostLedger>,
}

impl Counted {
    /// Wraps `inner`; `costs` must be the accounts of the governors behind it.
    #[must_use]
    pub const fn new(inner: Arc<dyn ChatModel>, costs: Arc<CostLedger>) -> Self {
        Self { inner, costs }
    }
}

impl ChatModel for Counted {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        self.inner.stream(request)
    }

    fn used_by(&self, turn: &TurnId) -> Option<Usage> {
        self.costs.used_by(turn)
    }
}
