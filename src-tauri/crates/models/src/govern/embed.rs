//! Accounts for embeddings, which cost money like any other call.

use std::sync::Arc;

use adjutant_domain::model::tokens;
use adjutant_domain::model::{
    CallState, Embedder, ModelFault, ModelProfile, Purpose, Reservation, Stage, Usage,
};
use async_trait::async_trait;

use super::cost_ledger::Likely;
use super::{CostLedger, price_micros, worst};

/// An embedder whose calls are accounted for.
pub struct GovernedEmbedder {
    inner: Arc<dyn Embedder>,
    profile: ModelProfile,
    purpose: Purpose,
    costs: Arc<CostLedger>,
}

impl GovernedEmbedder {
    /// Wraps `inner` and keeps its accounts in `costs`. `profile` contains its price; `purpose` says whether somebody
    /// waits.
    #[must_use]
    pub const fn new(
        inner: Arc<dyn Embedder>,
        profile: ModelProfile,
        purpose: Purpose,
        costs: Arc<CostLedger>,
    ) -> Self {
        Self {
            inner,
            profile,
            purpose,
            costs,
        }
    }
}

#[async_trait]
impl Embedder for GovernedEmbedder {
    fn id(&self) -> String {
        self.inner.id()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        let tokens = texts.iter().map(|text| worst::worst_of(text)).sum();
        let chars = texts.iter().map(|text| text.chars().count() as u64).sum();
        let likely = Likely {
            input: texts.iter().map(|text| tokens::estimate(text)).sum(),
            output_max: 0,
        };
        let wanted = Reservation {
            at: self.costs.now(),
            turn: None,
            stage: Stage::Embed,
            tier: self.profile.tier,
            purpose: self.purpose,
            model: self.inner.id(),
            prompt: String::new(),
            input_chars: chars,
            worst_micros: price_micros(&self.profile, tokens, 0),
        };
        let mut booking = self
            .costs
            .book(wanted, self.profile.clone(), likely)
            .await?;
        booking.begin();
        match self.inner.embed(texts).await {
            Ok(vectors) => {
                let usage = booking.complete(Usage::default());
                booking.settle(CallState::Done, usage, None);
                Ok(vectors)
            }
            Err(fault) => {
                booking.fail(&fault);
                Err(fault)
            }
        }
    }
}
