//! One model out of many: governor, breaker, chain and tiers, each around the one before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelProfile, Tier};
use adjutant_models::govern::{CostLedger, Counted, Governor};
use adjutant_models::tiers::{
    Breaker, Chain, Earlier, Figures, Gauge, Patience, Ticks, Tiers, Watched,
};
use adjutant_models::{Connection, Providers};
use adjutant_settings::Models as Wanted;

/// A model on this computer has so many times as long to begin: it may have to be loaded first.
const BEGIN_LOCAL_TIMES: u32 = 3;

/// What the layers around a provider share.
#[derive(Clone)]
pub(super) struct Shared {
    /// The accounts.
    pub(super) costs: Arc<CostLedger>,
    /// Time that never goes back.
    pub(super) ticks: Arc<dyn Ticks>,
    /// How each model has fared, whatever is built anew around it.
    pub(super) gauges: Arc<Gauges>,
}

/// How the models have fared lately, by their identifiers.
#[derive(Default)]
pub(super) struct Gauges(Mutex<BTreeMap<String, Gauge>>);

impl Gauges {
    /// That of one model.
    fn of(&self, id: &str, wanted: &Wanted, ticks: &Arc<dyn Ticks>) -> Gauge {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let gauge = all
            .entry(id.to_owned())
            .or_insert_with(|| Gauge::new(figures(wanted), ticks.clone()));
        gauge.set_figures(figures(wanted));
        gauge.clone()
    }

    /// A connection is another one now, or gone: how its models fared says nothing any more.
    pub(super) fn forget(&self, connection: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|id, _| !belongs(id, connection));
    }

    /// The models of a connection answer: they are not left alone any longer, whoever asks them.
    pub(super) fn renew(&self, connection: &str) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let its = all.iter().filter(|(id, _)| belongs(id, connection));
        its.for_each(|(_, gauge)| gauge.renew());
    }

    /// Takes over how calls of earlier processes ended: whose they were and how they ended, the oldest first.
    pub(super) fn remember(
        &self,
        calls: Vec<(String, Earlier)>,
        wanted: &Wanted,
        ticks: &Arc<dyn Ticks>,
    ) {
        for (model, call) in calls {
            self.of(&model, wanted, ticks).remember([call]);
        }
    }
}

/// Whether a model is one of a connection. Names of connections hold no slash.
pub(super) fn belongs(model: &str, connection: &str) -> bool {
    model
        .strip_prefix(connection)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The connections that are not what they were.
pub(super) fn changed<'a>(before: &'a [Connection], now: &[Connection]) -> Vec<&'a str> {
    before
        .iter()
        .filter(|one| !now.contains(one))
        .map(|one| one.name.as_str())
        .collect()
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
    let mut made = Made::default();
    let mut chains: BTreeMap<Tier, Arc<dyn ChatModel>> = BTreeMap::new();
    let mut local = None;
    for tier in Tier::ALL {
        let models: Vec<_> = providers
            .chain(tier)
            .iter()
            .map(|model| made.guarded(model, providers, wanted, shared))
            .collect();
        if tier == Tier::Standard {
            let here = models
                .iter()
                .filter(|model| costs_nothing(&model.profile()));
            local = made.chain(here.cloned().collect(), deadline);
        }
        if let Some(chain) = made.chain(models, deadline) {
            chains.insert(tier, chain);
        }
    }
    let tiers = Arc::new(Tiers::new(chains, &wanted.allowed_tiers(), local));
    Some(Arc::new(Counted::new(tiers, shared.costs.clone())))
}

/// Whether it runs here and was given no price, so that it answers whatever is spent.
const fn costs_nothing(profile: &ModelProfile) -> bool {
    profile.local && profile.input_micros_per_million == 0 && profile.output_micros_per_million == 0
}

/// What is made once, however many tiers it serves. Whatever asks a model then finds the same state, and the tiers see
/// that they would ask the same again.
#[derive(Default)]
struct Made {
    models: Vec<(Model, Model)>,
    chains: Vec<(Vec<Model>, Model)>,
}

type Model = Arc<dyn ChatModel>;

impl Made {
    fn guarded(
        &mut self,
        model: &Arc<dyn ChatModel>,
        providers: &Providers,
        wanted: &Wanted,
        shared: &Shared,
    ) -> Arc<dyn ChatModel> {
        let same = self.models.iter().find(|(of, _)| Arc::ptr_eq(of, model));
        if let Some((_, guarded)) = same {
            return guarded.clone();
        }
        let profile = model.profile();
        let own = providers.own_limits(&profile.id);
        let usual = patience(wanted, profile.local);
        let patience = Patience {
            first: own.begin.unwrap_or(usual.first),
            between: own.between.unwrap_or(usual.between),
        };
        let watched = Arc::new(Watched::new(model.clone(), patience));
        let governed = Arc::new(Governor::new(watched, shared.costs.clone()));
        let gauge = shared.gauges.of(&profile.id, wanted, &shared.ticks);
        let guarded: Arc<dyn ChatModel> = Arc::new(Breaker::new(governed, gauge));
        self.models.push((model.clone(), guarded.clone()));
        guarded
    }

    fn chain(
        &mut self,
        models: Vec<Arc<dyn ChatModel>>,
        deadline: Duration,
    ) -> Option<Arc<dyn ChatModel>> {
        let alike = |of: &Vec<Arc<dyn ChatModel>>| {
            of.len() == models.len() && of.iter().zip(&models).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        if let Some((_, chain)) = self.chains.iter().find(|(of, _)| alike(of)) {
            return Some(chain.clone());
        }
        let (first, others) = models.split_first()?;
        let chain: Arc<dyn ChatModel> =
            Arc::new(Chain::new(first.clone(), others.to_vec(), deadline));
        self.chains.push((models, chain.clone()));
        Some(chain)
    }
}

/// How long a model may take.
pub(super) fn patience(wanted: &Wanted, local: bool) -> Patience {
    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
    let times = if local { BEGIN_LOCAL_TIMES } else { 1 };
    Patience {
        first: seconds(wanted.begin_seconds) * times,
        between: seconds(wanted.stall_seconds),
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
