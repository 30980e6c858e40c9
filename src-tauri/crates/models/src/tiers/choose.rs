//! Chooses the chain that answers, by the requested tier and the tiers the profile allows. Steps down to cheaper ones
//! when a spending limit is reached, and finally to a model on this computer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Tier};
use futures::stream::BoxStream;

use super::attempts::{Rule, attempts};
use super::chain::instead_of_dear;

/// Chains of models by tier.
pub struct Tiers {
    /// Chains of allowed tiers only.
    chains: BTreeMap<Tier, Arc<dyn ChatModel>>,
    local: Option<Arc<dyn ChatModel>>,
}

impl Tiers {
    /// Creates the choice from chains by tier, of which only those in `allowed` are used. `local` costs nothing and
    /// answers once every limit is reached. A tier without a chain is served by the nearest lower one, otherwise by
    /// the nearest higher one.
    #[must_use]
    pub fn new(
        mut chains: BTreeMap<Tier, Arc<dyn ChatModel>>,
        allowed: &[Tier],
        local: Option<Arc<dyn ChatModel>>,
    ) -> Self {
        chains.retain(|tier, _| allowed.contains(tier));
        Self { chains, local }
    }

    /// Returns the models to ask for a tier, in order.
    fn order(&self, tier: Tier) -> Vec<Arc<dyn ChatModel>> {
        let mut order: Vec<_> = self
            .chains
            .range(..=tier)
            .rev()
            .map(|(_, chain)| chain)
            .collect();
        if order.is_empty() {
            order.extend(self.chains.values().next());
        }
        order.extend(&self.local);
        let mut once: Vec<Arc<dyn ChatModel>> = Vec::new();
        for model in order {
            // One model may serve several tiers; asking it twice would give the same answer.
            if !once.iter().any(|other| Arc::ptr_eq(other, model)) {
                once.push(Arc::clone(model));
            }
        }
        once
    }
}

impl ChatModel for Tiers {
    /// Returns the profile of the model that serves the standard tier.
    fn profile(&self) -> ModelProfile {
        self.order(Tier::Standard).first().map_or_else(
            || ModelProfile {
                id: "none".into(),
                tier: Tier::Standard,
                context_tokens: 0,
                tools: false,
                structure: false,
                input_micros_per_million: 0,
                output_micros_per_million: 0,
                price_known: true,
                local: true,
            },
            |model| model.profile(),
        )
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        attempts(self.order(request.tier), request, StepDown)
    }
}

struct StepDown;

impl Rule for StepDown {
    fn goes_on(&self, fault: &ModelFault, _next: &dyn ChatModel, _: &ModelRequest) -> bool {
        over_limit(fault).is_some()
    }

    fn why(&self, fault: &ModelFault, next: &dyn ChatModel) -> String {
        instead_of_dear(over_limit(fault).unwrap_or(fault), next)
    }

    /// The model asked last was the cheapest, so its fault names what has to change.
    fn last(&self, mut tried: Vec<ModelFault>) -> ModelFault {
        tried.pop().unwrap_or(ModelFault::None)
    }

    fn checks(&self) -> bool {
        false
    }

    fn deadline(&self) -> Option<Duration> {
        None
    }

    fn shares(&self) -> bool {
        false
    }
}

/// Returns the spending limit that stopped a chain, or one of its models while the others failed.
fn over_limit(fault: &ModelFault) -> Option<&ModelFault> {
    match fault {
        ModelFault::OverLimit(_) => Some(fault),
        ModelFault::AllFailed { tried } => tried.iter().find_map(over_limit),
        _ => None,
    }
}
