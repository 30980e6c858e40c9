//! The one place that chooses concrete adapters.

use std::path::Path;
use std::sync::Arc;

use adjutant_api::Fault;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ports::{Clock, Entropy};
use adjutant_engine::{Engine, Parts};
use adjutant_settings::Layers;
use adjutant_store::{Store, StoreOptions};
use adjutant_tools::Registry;
use adjutant_understanding::{ComparingRouter, Embedded};
use serde_json::Value;

use crate::clock::{FixedClock, SystemClock, SystemEntropy};
use crate::profile::Options;
use crate::sentences::Sentences;

/// A composed profile.
pub(crate) struct Composed {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<Store>,
    pub(crate) layers: Layers,
    pub(crate) clock: Arc<dyn Clock>,
    /// The same clock where it is the system's: its zone follows the setting.
    pub(crate) system: SystemClock,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// Sentence vectors, once somebody says that this process stays.
    pub(crate) sentences: Arc<Sentences>,
}

/// Opens storage, reads the settings and puts the engine together.
pub(crate) async fn compose(dir: &Path, options: &Options) -> Result<Composed, Fault> {
    let fault = |fault: StoreFault| Fault::from(UserFault::from(&fault));
    let store = Store::open(
        dir,
        StoreOptions {
            read_only: options.read_only,
            ..StoreOptions::default()
        },
    )
    .map_err(fault)?;
    let stored = store.settings().await.map_err(fault)?;
    let stored = stored.into_iter().filter_map(|(key, value)| match value {
        Value::String(text) => Some((key, text)),
        _ => None,
    });
    let (layers, bad) = Layers::new(stored, environment());
    for problem in bad {
        tracing::warn!(%problem, "a setting is passed over");
    }
    let settings = layers.all().core;
    let zone = options.zone(&settings.time_zone);
    store.set_zone(zone.clone());
    let system = SystemClock::new(zone.clone());
    let clock: Arc<dyn Clock> = match &options.now {
        Some(now) => Arc::new(FixedClock(now.with_time_zone(zone))),
        None => Arc::new(system.clone()),
    };
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let embedded = Arc::new(Embedded);
    let sentences = Arc::new(Sentences::of(home_of(dir)));
    let engine = Engine::new(Parts {
        router: Arc::new(ComparingRouter(sentences.clone())),
        planner: embedded.clone(),
        resumer: embedded.clone(),
        toolbox: Arc::new(Registry::new(embedded)),
        records: store.clone(),
        log: store.clone(),
        jobs: store.clone(),
        clock: clock.clone(),
        entropy: entropy.clone(),
        settings,
        models: None,
    });
    Ok(Composed {
        engine,
        store,
        layers,
        clock,
        system,
        entropy,
        sentences,
    })
}

/// The folder of all profiles, of which `dir` is one: `<home>/profiles/<name>`.
fn home_of(dir: &Path) -> &Path {
    dir.ancestors().nth(2).unwrap_or(dir)
}

/// The environment, of which the settings pick what is theirs.
pub(crate) fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}
