//! Combines all models into one, in layers: governor, breaker, chain and tiers, each around the previous one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelProfile, Tier};
use adjutant_models::govern::{CostLedger, Counted, Governor};
use adjutant_models::tiers::{
    Breaker, Chain, Earlier, Figures, Gauge, Patience, Ticks, Tiers, Watched,
};
use adjutant_models::{Connection, Providers};
use adjutant_settings::Models as ModelSettings;

/// A local model gets this many times as long to begin, since it may have to be loaded first.
const BEGIN_LOCAL_TIMES: u32 = 3;

/// State shared by the layers around providers.
#[derive(Clone)]
pub(super) struct SharedLayers {
    /// The cost ledger.
    pub(super) costs: Arc<CostLedger>,
    /// Monotonic time.
    pub(super) ticks: Arc<dyn Ticks>,
    /// How each model has fared; survives rebuilding.
    pub(super) gauges: Arc<Gauges>,
}

/// How models have fared lately, by model id.
#[derive(Default)]
pub(super) struct Gauges(Mutex<BTreeMap<String, Gauge>>);

impl Gauges {
    /// Returns the gauge of one model.
    fn of(&self, id: &str, wanted: &ModelSettings, ticks: &Arc<dyn Ticks>) -> Gauge {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let gauge = all
            .entry(id.to_owned())
            .or_insert_with(|| Gauge::new(figures(wanted), ticks.clone()));
        gauge.set_figures(figures(wanted));
        gauge.clone()
    }

    /// Drops the history of a connection's models because it was changed or removed.
    pub(super) fn forget(&self, connection: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|id, _| !belongs(id, connection));
    }

    /// Ends any pause of a connection's models, because they answer again.
    pub(super) fn renew(&self, connection: &str) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let its = all.iter().filter(|(id, _)| belongs(id, connection));
        its.for_each(|(_, gauge)| gauge.renew());
    }

    /// Takes over calls of earlier processes: each one's model and how it ended, oldest first.
    pub(super) fn remember(
        &self,
        calls: Vec<(String, Earlier)>,
        wanted: &ModelSettings,
        ticks: &Arc<dyn Ticks>,
    ) {
        for (model, call) in calls {
            self.of(&model, wanted, ticks).remember([call]);
        }
    }
}

/// Tells whether a model belongs to a connection. Connection names contain no slash.
pub(super) fn belongs(model: &str, connection: &str) -> bool {
    model
        .strip_prefix(connection)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the names of connections that were changed or removed.
pub(super) fn changed<'a>(before: &'a [Connection], now: &[Connection]) -> Vec<&'a str> {
    before
        .iter()
        .filter(|one| !now.contains(one))
        .map(|one| one.name.as_str())
        .collect()
}

/// Combines the providers according to the person's preferences; `None` if there are none.
pub(super) fn stack(
    providers: &Providers,
    wanted: &ModelSettings,
    shared: &SharedLayers,
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

/// Tells whether the model is local and free, so that it may answer whatever has been spent.
const fn costs_nothing(profile: &ModelProfile) -> bool {
    profile.local && profile.input_micros_per_million == 0 && profile.output_micros_per_million == 0
}

/// Instances created once and shared between tiers. This way all tiers see the same state and notice when they would
/// ask the same model again.
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
        wanted: &ModelSettings,
        shared: &SharedLayers,
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

/// Returns how long a model may take.
pub(super) fn patience(wanted: &ModelSettings, local: bool) -> Patience {
    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
    let times = if local { BEGIN_LOCAL_TIMES } else { 1 };
    Patience {
        first: seconds(wanted.begin_seconds) * times,
        between: seconds(wanted.stall_seconds),
    }
}

fn figures(wanted: &ModelSettings) -> Figures {
    let minutes = |minutes: u32| Duration::from_secs(u64::from(minutes) * 60);
    Figures {
        failures: wanted.breaker.failures,
        within: minutes(wanted.breaker.within_minutes),
        rest: minutes(wanted.breaker.rest_minutes),
    }
}
