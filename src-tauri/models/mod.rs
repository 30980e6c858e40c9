//! The language models of a profile: its connections, their keys, and the one model that the engine uses. Connections
//! are stored in the profile, keys in the system's keyring, and limits in the settings.

mod build;
mod changes;
mod keyring_entries;
mod keys;
mod locked;
mod outcomes;
mod prices;
mod quick;
mod shadow;
mod stack;
mod stored;
mod tested;
#[cfg(test)]
mod tests;
mod track_record;
mod unavailable;
mod vectors;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::model::{ChatModel, Embedder, Ledger, ModelFault};
use adjutant_domain::ports::Clock;
use adjutant_engine::Engine;
use adjutant_models::govern::CostLedger;
use adjutant_models::tiers::{SinceStart, Ticks};
use adjutant_models::{Connection, Providers};
use adjutant_net::NetClient;
use adjutant_settings::All;
use adjutant_store::Store;
use jiff::Timestamp;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::credentials::CredentialStore;
use crate::network::Network;

pub(crate) use changes::NotKept;
use keyring_entries::KeyringEntries;
pub(crate) use keys::KeyRing;
use locked::KeyringState;
pub(crate) use outcomes::Outcome;
pub(crate) use prices::Prices;
use quick::Quick;
pub(crate) use shadow::are_wordings;
pub(crate) use stored::CONNECTIONS_MAX;
use vectors::ToolVectors;

/// How far back the history of models reaches; longer than any model is avoided after failures.
const PAST: Duration = Duration::from_secs(24 * 60 * 60);

/// Time to wait for pending cost records before showing costs.
const WRITTEN_WITHIN: Duration = Duration::from_secs(1);

/// The models of a profile. Cheap to clone; clones share their state.
#[derive(Clone)]
pub(crate) struct Models(Arc<Inner>);

struct Inner {
    store: Arc<Store>,
    credentials: Arc<CredentialStore>,
    network: Arc<Network>,
    engine: Engine,
    vectors: ToolVectors,
    /// This computer's embedder, set by long-running processes, which may load it.
    local: OnceLock<Arc<dyn Embedder>>,
    shared: stack::SharedLayers,
    clock: Arc<dyn Clock>,
    /// When the profile was opened.
    opened: Timestamp,
    quick: Quick,
    read_only: bool,
    stop: CancellationToken,
    state: RwLock<State>,
    /// Allows one change at a time.
    changing: tokio::sync::Mutex<()>,
    /// The background task that reads keys.
    opening: Mutex<JoinSet<()>>,
}

struct State {
    connections: Vec<Connection>,
    entries: KeyringEntries,
    settings: All,
    problems: Vec<(String, ModelFault)>,
    answering: Option<Arc<dyn ChatModel>>,
    /// The model in use with the keys known so far, or a stand-in that reports why there is none.
    asked: Option<Arc<dyn ChatModel>>,
    /// How much is known about the keys.
    read: KeyringState,
    /// What the models were last built from: the live connections and the candidate.
    built: Built,
}

#[derive(Clone, Default)]
struct Built {
    connections: Vec<Connection>,
    live: Providers,
    candidate: Providers,
}

/// What the models of a profile need.
pub(crate) struct ModelDeps {
    pub(crate) store: Arc<Store>,
    pub(crate) credentials: Arc<CredentialStore>,
    pub(crate) network: Arc<Network>,
    pub(crate) engine: Engine,
    pub(crate) clock: Arc<dyn Clock>,
    /// Folder for cached data; `None` if nothing may be written.
    pub(crate) folder: Option<PathBuf>,
    /// Cancelled when the profile closes.
    pub(crate) stop: CancellationToken,
}

/// A connection and its current state.
pub(crate) struct Connected {
    pub(crate) connection: Connection,
    pub(crate) from_environment: bool,
    pub(crate) problem: Option<ModelFault>,
}

impl Models {
    /// Loads the connections and gives the engine its model.
    ///
    /// # Errors
    /// Returns a fault if the connections cannot be read, or the cost records of a killed process cannot be settled.
    pub(crate) async fn open(
        deps: ModelDeps,
        settings: All,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, StoreFault> {
        let stored = deps.store.settings().await?;
        let kept = stored::read(&stored);
        for problem in kept.unread {
            tracing::warn!(%problem, "a connection to a model is ignored");
        }
        let ticks: Arc<dyn Ticks> = Arc::new(SinceStart::new().with_past(PAST));
        let costs = CostLedger::new(
            deps.store.clone(),
            deps.clock.clone(),
            ticks.clone(),
            settings.models.spend.limits(),
        );
        let room = Self(Arc::new(Inner {
            store: deps.store,
            credentials: deps.credentials,
            network: deps.network,
            vectors: ToolVectors::new(deps.engine.clone(), deps.folder.as_deref()),
            local: OnceLock::new(),
            engine: deps.engine,
            shared: stack::SharedLayers {
                costs,
                ticks,
                gauges: Arc::default(),
            },
            read_only: deps.folder.is_none(),
            stop: deps.stop,
            opened: deps.clock.now().timestamp(),
            clock: deps.clock,
            quick: Quick::read(environment),
            state: RwLock::new(State {
                connections: kept.connections,
                entries: KeyringEntries::new(kept.entries, &stored),
                settings,
                problems: Vec::new(),
                answering: None,
                asked: None,
                read: KeyringState::default(),
                built: Built::default(),
            }),
            changing: tokio::sync::Mutex::default(),
            opening: Mutex::default(),
        }));
        if !room.all().is_empty() {
            // A read-only process writes nothing and uses no models.
            if !room.0.read_only {
                room.0.shared.costs.recover().await?;
                // The history of earlier processes is a convenience; if it fails (disk full), continue without it.
                if let Err(fault) = room.recall(&stored).await {
                    tracing::warn!(%fault, "the models' track record could not be read or stored");
                }
            }
            room.build();
        } else if room.0.quick.problem().is_some() {
            room.build();
        }
        Ok(room)
    }

    /// Reads how the models fared in earlier processes.
    async fn recall(&self, stored: &[(String, serde_json::Value)]) -> Result<(), StoreFault> {
        let connections: Vec<Connection> =
            self.all().into_iter().map(|one| one.connection).collect();
        let now = self.0.clock.now().timestamp();
        let known = stored::Since::read(stored);
        let since = known.of(&connections, now);
        if since != known {
            since.write(&self.0.store).await?;
        }
        let calls = Ledger::calls(&*self.0.store, None, track_record::CALLS).await?;
        let earlier = track_record::earlier(&calls, &since, now);
        let wanted = self.state().settings.models.clone();
        let shared = &self.0.shared;
        shared.gauges.remember(earlier, &wanted, &shared.ticks);
        Ok(())
    }

    /// Returns all connections in the order they are tried, starting with that of the environment.
    pub(crate) fn all(&self) -> Vec<Connected> {
        let state = self.state();
        let problem = |name: &str| {
            let found = state.problems.iter().find(|(of, _)| of == name);
            found.map(|(_, fault)| fault.clone())
        };
        let quick = self.0.quick.connection().map(|one| (one, true)).into_iter();
        let kept = state
            .connections
            .iter()
            .map(|connection| (connection, false));
        quick
            .chain(kept)
            .map(|(connection, from_environment)| Connected {
                connection: connection.clone(),
                from_environment,
                problem: problem(&connection.name),
            })
            .collect()
    }

    /// Returns the id of the model that answers normal requests.
    pub(crate) fn answering(&self) -> Option<String> {
        let state = self.state();
        state.answering.as_ref().map(|model| model.profile().id)
    }

    /// Returns what is wrong with the model variables of the environment, in words for the person.
    pub(crate) fn environment_problem(&self) -> Option<String> {
        self.0.quick.problem().map(str::to_owned)
    }

    /// Returns notices for the person about a faulty environment and unknown prices.
    pub(crate) fn note(&self) -> Option<String> {
        let all = self
            .environment_problem()
            .into_iter()
            .chain(self.unpriced());
        all.reduce(|told, more| format!("{told} {more}"))
    }

    /// Checks that a connection can be the one that is only compared.
    ///
    /// # Errors
    /// Returns the reason if there is no such connection or no other one would be left to answer.
    pub(crate) fn may_be_shadow(&self, name: &str) -> Result<(), String> {
        let all = self.all();
        if name.is_empty() {
            Ok(())
        } else if !all.iter().any(|one| one.connection.name == name) {
            Err(format!("There is no connection called “{name}”."))
        } else if all.len() == 1 {
            Err(format!(
                "“{name}” is the only connection. If it were only compared, no model would answer."
            ))
        } else {
            Ok(())
        }
    }

    /// Tells whether only this computer may be contacted.
    pub(crate) fn is_offline(&self) -> bool {
        self.0.network.is_offline()
    }

    /// Returns the network client.
    pub(crate) fn net(&self) -> NetClient {
        self.0.network.client()
    }

    /// Applies changed settings. The network must have its new settings already. Limits apply from the next call,
    /// everything else from the next turn.
    pub(crate) async fn set_settings(&self, settings: All) {
        let _alone = self.0.changing.lock().await;
        let before = std::mem::replace(&mut self.state_mut().settings, settings.clone());
        self.0
            .shared
            .costs
            .set_limits(settings.models.spend.limits());
        if (before.models != settings.models || before.network != settings.network)
            && !self.all().is_empty()
        {
            self.build();
        }
    }

    /// Checks that the keyring works.
    ///
    /// # Errors
    /// Returns the reason if it does not, in words for the person.
    pub(crate) async fn keyring(&self) -> Result<(), String> {
        self.0.credentials.answers().await?;
        // If a change is in progress, it cleans up itself.
        if let Ok(_alone) = self.0.changing.try_lock() {
            self.remove_unneeded_beside().await;
        }
        Ok(())
    }

    /// Waits until the vectors of tools are made or the attempt has failed.
    #[cfg(test)]
    pub(crate) async fn vectors_made(&self) {
        self.0.vectors.done().await;
    }

    /// Waits, for a limited time, until all costs so far are stored, so that they can be shown.
    pub(crate) async fn written(&self) {
        let costs = self.0.shared.costs.settled();
        let _ = tokio::time::timeout(WRITTEN_WITHIN, costs).await;
    }

    /// Stops background work and waits until all costs are stored.
    pub(crate) async fn settled(&self) {
        self.0.vectors.end();
        self.end_unlocking();
        self.0.shared.costs.settled().await;
    }

    fn state(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.0.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}
