//! The composition root: the only place that chooses concrete adapters.

use std::path::Path;
use std::sync::Arc;

use adjutant_api::Fault;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ports::{Clock, Entropy, Secrets};
use adjutant_engine::{Engine, Parts};
use adjutant_settings::{Keyring, Layers};
use adjutant_store::{Store, StoreOptions};
use adjutant_tools::{Registry, SavedFiles};
use adjutant_understanding::{ComparingRouter, Embedded};
use serde_json::Value;

use crate::accounts::{AccountDeps, Accounts};
use crate::clock::{FixedClock, SystemClock, SystemEntropy};
use crate::credentials::CredentialStore;
use crate::environment;
use crate::network::Network;
use crate::profile::Options;
use crate::sentences::Sentences;
use crate::servers::{Everyone, ServerDeps, Servers};
use crate::web::Sources;

/// The engine and the adapters of one opened profile.
pub(crate) struct Composed {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<Store>,
    pub(crate) layers: Layers,
    pub(crate) clock: Arc<dyn Clock>,
    /// The system clock whose zone follows the setting. It is the one in `clock`, unless that is a fixed clock.
    pub(crate) system: SystemClock,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The sentence-embedding model; unused until [`Sentences::stay`] is called.
    pub(crate) sentences: Arc<Sentences>,
    pub(crate) network: Arc<Network>,
    pub(crate) credentials: Arc<CredentialStore>,
    pub(crate) accounts: Accounts,
    pub(crate) servers: Servers,
    pub(crate) sources: Sources,
}

/// Opens the store in `dir`, reads the settings and builds the engine and its adapters. Secrets go into the system
/// keyring.
pub(crate) async fn compose(dir: &Path, options: &Options) -> Result<Composed, Fault> {
    // The folder names the keyring entries, so profiles of the same name in two homes stay separate.
    let keyring = Keyring::of(&dir.to_string_lossy());
    compose_with(dir, options, Arc::new(keyring)).await
}

/// Like [`compose`], but keeps secrets in `secrets` instead of the system keyring.
pub(crate) async fn compose_with(
    dir: &Path,
    options: &Options,
    secrets: Arc<dyn Secrets>,
) -> Result<Composed, Fault> {
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
    let (layers, bad) = Layers::new(options.system(), stored, environment::all());
    for problem in bad {
        tracing::warn!(%problem, "a setting is ignored");
    }
    let all = layers.all();
    let settings = all.core.clone();
    let zone = options.zone(&settings.time_zone);
    store.set_zone(zone.clone());
    let system = SystemClock::new(zone.clone());
    let clock: Arc<dyn Clock> = match &options.now {
        Some(now) => Arc::new(FixedClock(now.with_time_zone(zone))),
        None => Arc::new(system.clone()),
    };
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let network = Network::new(
        store.clone(),
        clock.clone(),
        options.offline,
        all.network.clone(),
    );
    let network = Arc::new(network);
    let credentials = Arc::new(CredentialStore::new(secrets));
    let deps = AccountDeps {
        store: store.clone(),
        network: network.clone(),
        credentials: credentials.clone(),
        clock: clock.clone(),
        entropy: entropy.clone(),
    };
    let configuration = crate::accounts::configuration(&all.google);
    let own = all.core.owner.emails.clone();
    let accounts = Accounts::open(deps, all.accounts, configuration, own)
        .await
        .map_err(fault)?;
    let embedded = Arc::new(Embedded);
    let searched = Arc::new(accounts.clone());
    let registry = Arc::new(Registry::with_accounts(embedded.clone(), searched));
    let servers = Servers::open(ServerDeps {
        store: store.clone(),
        network: network.clone(),
        credentials: credentials.clone(),
        clock: clock.clone(),
        entropy: entropy.clone(),
        registry: registry.clone(),
        bare: environment::of_programs(),
    })
    .await
    .map_err(fault)?;
    let sources = Sources::new(
        store.clone(),
        network.clone(),
        credentials.clone(),
        clock.clone(),
        (&all, Arc::new(servers.clone())),
    );
    let sentences = Arc::new(Sentences::of(home_of(dir)));
    let engine = Engine::new(Parts {
        router: Arc::new(ComparingRouter(sentences.clone())),
        planner: embedded.clone(),
        resumer: embedded,
        toolbox: registry,
        records: store.clone(),
        log: store.clone(),
        jobs: store.clone(),
        executors: Arc::new(Everyone {
            accounts: accounts.clone(),
            servers: servers.clone(),
        }),
        mails: Arc::new(accounts.clone()),
        lookup: sources.web.clone(),
        files: Arc::new(SavedFiles),
        clock: clock.clone(),
        entropy: entropy.clone(),
        settings,
        models: None,
    });
    servers.stop_with(engine.stop_signal());
    Ok(Composed {
        engine,
        store,
        layers,
        clock,
        system,
        entropy,
        sentences,
        network,
        credentials,
        accounts,
        servers,
        sources,
    })
}

/// Returns the home folder above the profile folder `dir`, which is `<home>/profiles/<name>`.
fn home_of(dir: &Path) -> &Path {
    dir.ancestors().nth(2).unwrap_or(dir)
}
