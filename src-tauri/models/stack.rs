//! One model out of many: governor, breaker, chain and tiers, each around the one before.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{ChatModel, Tier};
use adjutant_models::Providers;
use adjutant_models::govern::{Books, Governor};
use adjutant_models::tiers::{Breaker, Chain, Figures, Patience, Ticks, Tiers, Watched};
use adjutant_settings::Models as Wanted;

/// What the layers around a provider share.
#[derive(Clone)]
pub(super) struct Shared {
    /// The accounts.
    pub(super) books: Arc<Books>,
    /// Time that never goes back.
    pub(super) ticks: Arc<dyn Ticks>,
}

/// Puts providers together as the person wants them used. None when nothing is connected.
pub(super) fn stack(
    providers: &Providers,
    wanted: &Wanted,
    shared: &Shared,
) -> Option<Arc<dyn ChatModel>> {
    if providers.is_empty() {
        return None;
    }
    let deadline = Duration::from_secs(u64::from(wanted.deadline_seconds));
    let wrap = |model: &Arc<dyn ChatModel>| -> Arc<dyn ChatModel> {
        let watched = Arc::new(Watched::new(model.clone(), patience(wanted)));
        let governed = Arc::new(Governor::new(watched, shared.books.clone()));
        Arc::new(Breaker::new(
            governed,
            figures(wanted),
            shared.ticks.clone(),
        ))
    };
    let mut chains: BTreeMap<Tier, Arc<dyn ChatModel>> = BTreeMap::new();
    let mut local = None;
    for tier in Tier::ALL {
        let models: Vec<_> = providers.chain(tier).iter().map(wrap).collect();
        if tier == Tier::Standard {
            local = chain(
                models
                    .iter()
                    .filter(|model| model.profile().local)
                    .cloned()
                    .collect(),
                deadline,
            );
        }
        if let Some(chain) = chain(models, deadline) {
            chains.insert(tier, chain);
        }
    }
    Some(Arc::new(Tiers::new(chains, &wanted.allowed_tiers(), local)))
}

fn chain(models: Vec<Arc<dyn ChatModel>>, deadline: Duration) -> Option<Arc<dyn ChatModel>> {
    let mut models = models.into_iter();
    let first = models.next()?;
    Some(Arc::new(Chain::new(first, models.collect(), deadline)))
}

fn patience(wanted: &Wanted) -> Patience {
    Patience {
        between: Duration::from_secs(u64::from(wanted.stall_seconds)),
        ..Patience::default()
    }
}

fn figures(wanted: &Wanted) -> Figures {
    let minutes = |minutes: u32| Duration::from_secs(u64::from(minutes) * 60);
    Figures {
        failures: wanted.breaker.failures,
        within: minutes(wanted.breaker.within_minutes),
        rest: minutes(wanted.breaker.rest_minutes),
    }
}
