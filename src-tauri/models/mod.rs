//! The language models of a profile: what is connected, with which keys, and the one model that the engine asks.
//! Connections live in the profile, keys in the system's keyring, limits in the settings.

mod egress;
mod kept;
mod shadow;
mod stack;
mod vault;
mod vectors;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::model::{ChatModel, Embedder, ModelFault, ModelProfile, Purpose, Tier};
use adjutant_domain::ports::{Clock, SecretFault, Secrets};
use adjutant_engine::Engine;
use adjutant_engine::stages::{Deadlines, Manner};
use adjutant_models::govern::{Books, GovernedEmbedder};
use adjutant_models::tiers::{SinceStart, Ticks};
use adjutant_models::{Connection, Key, Providers};
use adjutant_net::{NetClient, NetSettings, ProxyChoice};
use adjutant_settings::All;
use adjutant_store::Store;
use secrecy::{ExposeSecret, SecretString};
use tokio::runtime::Handle;

pub(crate) use kept::CONNECTIONS_MAX;
pub(crate) use vault::KeyRing;
use vault::Vault;
use vectors::{Makers, ToolVectors};

/// What the environment says of models, and nothing else of it.
pub(crate) fn environment() -> BTreeMap<String, String> {
    crate::compose::environment()
        .filter(|(name, _)| name.starts_with("ADJUTANT_MODEL"))
        .collect()
}

/// Name of the key that the environment brings along.
const QUICK_KEY: &str = "environment";
/// Time a chain that has given up has to tell why.
const TELL_WHY: Duration = Duration::from_secs(5);

/// Everything of models in a profile. Cheap to clone; clones are the same.
#[derive(Clone)]
pub(crate) struct ModelRoom(Arc<Inner>);

struct Inner {
    store: Arc<Store>,
    vault: Vault,
    engine: Engine,
    vectors: ToolVectors,
    /// Makes vectors on this machine, once a process stays that may load it.
    local: OnceLock<Arc<dyn Embedder>>,
    shared: stack::Shared,
    clock: Arc<dyn Clock>,
    offline: bool,
    quick: Option<(Connection, Option<Key>)>,
    state: RwLock<State>,
    /// One change after the other.
    changing: tokio::sync::Mutex<()>,
}

struct State {
    connections: Vec<Connection>,
    settings: All,
    net: NetClient,
    problems: Vec<(String, ModelFault)>,
    answering: Option<Arc<dyn ChatModel>>,
}

/// What a profile's models are made of.
pub(crate) struct Ground {
    pub(crate) store: Arc<Store>,
    pub(crate) secrets: Arc<dyn Secrets>,
    pub(crate) engine: Engine,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) offline: bool,
    /// Where what is computed may be kept; none where nothing may be written.
    pub(crate) folder: Option<PathBuf>,
}

/// A connection as it stands.
pub(crate) struct Connected {
    pub(crate) connection: Connection,
    pub(crate) from_environment: bool,
    pub(crate) problem: Option<ModelFault>,
}

/// Who may be asked, in order.
pub(crate) struct Prices {
    live: Vec<Connection>,
    allowed: Vec<Tier>,
}

impl Prices {
    /// Whether nobody can be asked.
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The models that may answer for a tier. One that may not be used is served by the nearest cheaper one, else by the
    /// nearest dearer one.
    pub(crate) fn of(&self, tier: Tier) -> Vec<ModelProfile> {
        let below = self.allowed.iter().rev().find(|one| **one <= tier);
        let Some(tier) = below.or_else(|| self.allowed.first()).copied() else {
            return Vec::new();
        };
        let profiles = self.live.iter().filter_map(|one| one.profile(tier));
        profiles.collect()
    }
}

impl ModelRoom {
    /// Reads what is connected and gives the engine its model.
    ///
    /// # Errors
    /// When the connections could not be read, or the accounts of a killed process not be settled.
    pub(crate) async fn open(
        ground: Ground,
        settings: All,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, StoreFault> {
        let (connections, unread) = kept::read(&ground.store.settings().await?);
        for problem in unread {
            tracing::warn!(%problem, "a connection to a model is passed over");
        }
        let ticks: Arc<dyn Ticks> = Arc::new(SinceStart::new());
        let books = Books::new(
            ground.store.clone(),
            ground.clock.clone(),
            ticks.clone(),
            settings.models.spend.limits(),
        );
        let net = net(&ground.store, &ground.clock, ground.offline, &settings);
        let room = Self(Arc::new(Inner {
            store: ground.store,
            vault: Vault::new(ground.secrets),
            vectors: ToolVectors::new(ground.engine.clone(), ground.folder.as_deref()),
            local: OnceLock::new(),
            engine: ground.engine,
            shared: stack::Shared { books, ticks },
            clock: ground.clock,
            offline: ground.offline,
            quick: quick(environment),
            state: RwLock::new(State {
                connections,
                settings,
                net,
                problems: Vec::new(),
                answering: None,
            }),
            changing: tokio::sync::Mutex::default(),
        }));
        if !room.all().is_empty() {
            room.0.shared.books.recover().await?;
            room.build().await;
        }
        Ok(room)
    }

    /// Everything that is connected, in the order in which it is tried: the environment's first.
    pub(crate) fn all(&self) -> Vec<Connected> {
        let state = self.state();
        let problem = |name: &str| {
            let found = state.problems.iter().find(|(of, _)| of == name);
            found.map(|(_, fault)| fault.clone())
        };
        let quick = self
            .0
            .quick
            .iter()
            .map(|(connection, _)| (connection, true));
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

    /// Who answers a usual request.
    pub(crate) fn answering(&self) -> Option<String> {
        let state = self.state();
        state.answering.as_ref().map(|model| model.profile().id)
    }

    /// Who may answer for which tier, and at which price.
    pub(crate) fn prices(&self) -> Prices {
        let settings = self.state().settings.models.clone();
        let live: Vec<Connection> = self
            .all()
            .into_iter()
            .filter(|one| one.problem.is_none())
            .map(|one| one.connection)
            .filter(|one| one.name != settings.shadow)
            .filter(|one| one.is_local() || !self.is_offline())
            .collect();
        Prices {
            live,
            allowed: settings.allowed_tiers(),
        }
    }

    /// Nothing but this computer may be reached.
    pub(crate) fn is_offline(&self) -> bool {
        self.0.offline
    }

    /// The way to the network.
    pub(crate) fn net(&self) -> NetClient {
        self.state().net.clone()
    }

    /// Settings changed: limits hold from the next call on, everything else from the next turn on.
    pub(crate) async fn set_settings(&self, settings: All) {
        let _alone = self.0.changing.lock().await;
        let before = {
            let mut state = self.state_mut();
            let before = std::mem::replace(&mut state.settings, settings.clone());
            if before.network != settings.network {
                state.net = net(&self.0.store, &self.0.clock, self.0.offline, &settings);
            }
            before
        };
        self.0
            .shared
            .books
            .set_limits(settings.models.spend.limits());
        if (before.models != settings.models || before.network != settings.network)
            && !self.all().is_empty()
        {
            self.build().await;
        }
    }

    /// Keeps a connection, new or in the place of the one of its name. `key`: a new one, an empty one to forget it, or
    /// none to leave the one the connection names. `given`: what else of it is new and secret, by the name it is kept under. Tells what may
    /// have stayed in the keyring although it is not needed any more.
    pub(crate) async fn connect(
        &self,
        mut connection: Connection,
        key: Option<SecretString>,
        mut given: BTreeMap<String, SecretString>,
    ) -> Result<Option<SecretFault>, NotKept> {
        let _alone = self.0.changing.lock().await;
        let place = self.place(&connection.name);
        if place.is_none() && self.state().connections.len() >= CONNECTIONS_MAX {
            return Err(NotKept::TooMany);
        }
        let before = place.map(|n| self.state().connections[n].clone());
        connection.key = match key {
            Some(key) if key.expose_secret().trim().is_empty() => None,
            Some(key) => {
                let name = Connection::key_name(&connection.name);
                given.insert(name.clone(), key);
                Some(name)
            }
            None => connection.key,
        };
        let (known, needed) = (secrets_of(before.as_ref()), connection.secrets());
        self.0.vault.keep(given, &known).await?;
        let mut connections = self.state().connections.clone();
        match place {
            Some(n) => connections[n] = connection,
            None => connections.push(connection),
        }
        self.keep(connections).await?;
        let stale = known.into_iter().filter(|name| !needed.contains(name));
        Ok(self.0.vault.forget(stale.collect()).await)
    }

    /// Takes a connection away, then what is secret of it: a keyring that is not there does not hold it up. Tells when
    /// something may have stayed there.
    pub(crate) async fn disconnect(&self, name: &str) -> Result<Option<SecretFault>, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(None);
        };
        let mut connections = self.state().connections.clone();
        let gone = connections.remove(n);
        self.keep(connections).await?;
        Ok(self.0.vault.forget(gone.secrets()).await)
    }

    /// Everything of the profile was erased: its connections are gone, and what is secret of them goes too.
    pub(crate) async fn erased(&self, settings: All) -> Option<SecretFault> {
        let names = {
            let _alone = self.0.changing.lock().await;
            let gone = std::mem::take(&mut self.state_mut().connections);
            self.build().await;
            self.0.vectors.erase();
            gone.iter().flat_map(Connection::secrets).collect()
        };
        self.set_settings(settings).await;
        self.0.vault.forget(names).await
    }

    /// Tries a connection before all others. `false` when there is none of that name.
    pub(crate) async fn prefer(&self, name: &str) -> Result<bool, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(false);
        };
        let mut connections = self.state().connections.clone();
        connections[..=n].rotate_right(1);
        self.keep(connections).await?;
        Ok(true)
    }

    /// What a test learned about the model of a tier.
    pub(crate) async fn learn(&self, connection: Connection) -> Result<(), NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(&connection.name) else {
            return Ok(());
        };
        let mut connections = self.state().connections.clone();
        if connections[n] == connection {
            return Ok(());
        }
        connections[n] = connection;
        self.keep(connections).await
    }

    /// What is secret of some connections, read from the keyring, `given` over it.
    pub(crate) async fn keys(
        &self,
        connections: &[Connection],
        given: &BTreeMap<String, SecretString>,
    ) -> KeyRing {
        let names = connections.iter().flat_map(Connection::secrets).collect();
        let mut known: BTreeMap<String, Option<Key>> = given
            .iter()
            .map(|(name, secret)| (name.clone(), Key::new(secret.expose_secret())))
            .collect();
        if let Some((_, key)) = &self.0.quick {
            known.insert(QUICK_KEY.into(), key.clone());
        }
        self.0.vault.read(names, known).await
    }

    /// Whether the keyring answers.
    ///
    /// # Errors
    /// Why not, in words for the person.
    pub(crate) async fn keyring(&self) -> Result<(), String> {
        self.0.vault.answers().await
    }

    /// Waits until the vectors of tools are made, or given up.
    #[cfg(test)]
    pub(crate) async fn vectors_made(&self) {
        self.0.vectors.done().await;
    }

    /// Ends what runs in the background, and waits until all that was spent is written down.
    pub(crate) async fn settled(&self) {
        self.0.vectors.end();
        self.0.shared.books.settled().await;
    }

    async fn build(&self) {
        let connections: Vec<Connection> =
            self.all().into_iter().map(|one| one.connection).collect();
        let keys = self.keys(&connections, &BTreeMap::new()).await;
        let (net, settings) = {
            let state = self.state();
            (state.net.clone(), state.settings.clone())
        };
        let (candidates, live): (Vec<_>, Vec<_>) = connections
            .into_iter()
            .partition(|one| one.name == settings.models.shadow);
        let (providers, mut problems) = Providers::connect(&live, &net, &keys);
        let (candidate, more) = Providers::connect(&candidates, &net, &keys);
        problems.extend(more);
        let candidate = stack::stack(&candidate, &settings.models, &self.0.shared);
        self.0
            .engine
            .set_shadow(candidate.map(|candidate| shadow::shadow(candidate, self.0.store.clone())));
        let model = stack::stack(&providers, &settings.models, &self.0.shared);
        {
            let mut state = self.state_mut();
            state.problems = problems;
            state.answering.clone_from(&model);
        }
        self.0
            .engine
            .set_models(model.map(|chat| adjutant_engine::Models {
                chat,
                manner: manner(&settings.models),
            }));
        self.0.vectors.set(self.makers(&providers, &live));
    }

    /// From now on tools are found with vectors that this machine makes: free, and nothing leaves it.
    pub(crate) fn make_vectors_here(&self, embedder: Arc<dyn Embedder>) {
        if self.0.local.set(embedder).is_ok() && self.state().answering.is_some() {
            self.0.vectors.set(self.local_makers());
        }
    }

    fn local_makers(&self) -> Option<Makers> {
        let embedder = self.0.local.get()?;
        Some(Makers {
            background: embedder.clone(),
            foreground: embedder.clone(),
        })
    }

    /// What makes vectors for the tools that a model is shown: this machine, or else the first connection with a model for
    /// it, paid for like everything else.
    fn makers(&self, providers: &Providers, live: &[Connection]) -> Option<Makers> {
        if !live.is_empty()
            && let Some(local) = self.local_makers()
        {
            return Some(local);
        }
        let embedder = providers.embedder()?;
        let id = embedder.id();
        let of = |one: &&Connection| {
            let model = one.embedding.as_ref();
            model.is_some_and(|model| format!("{}/{model}", one.name) == id)
        };
        // Vectors have no price of their own in a connection. They cost less than the cheapest model everywhere.
        let price = live.iter().find(of)?.profile(Tier::Fast)?;
        let profile = ModelProfile { id, ..price };
        let paid = |purpose| -> Arc<dyn Embedder> {
            Arc::new(GovernedEmbedder::new(
                embedder.clone(),
                profile.clone(),
                purpose,
                self.0.shared.books.clone(),
            ))
        };
        Some(Makers {
            background: paid(Purpose::Background),
            foreground: paid(Purpose::Foreground),
        })
    }

    async fn keep(&self, connections: Vec<Connection>) -> Result<(), NotKept> {
        kept::write(&self.0.store, &connections).await?;
        self.state_mut().connections = connections;
        self.build().await;
        Ok(())
    }

    fn place(&self, name: &str) -> Option<usize> {
        let state = self.state();
        state.connections.iter().position(|one| one.name == name)
    }

    fn state(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.0.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a change of the connections was not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotKept {
    /// The key.
    #[error(transparent)]
    Key(#[from] SecretFault),
    /// The connection.
    #[error(transparent)]
    Store(#[from] StoreFault),
    /// There are [`CONNECTIONS_MAX`] already.
    #[error("there are {CONNECTIONS_MAX} connections already")]
    TooMany,
}

fn secrets_of(connection: Option<&Connection>) -> Vec<String> {
    connection.map(Connection::secrets).unwrap_or_default()
}

fn manner(wanted: &adjutant_settings::Models) -> Manner {
    // No stage waits longer than the chain behind it may take, and a little more to tell why.
    let chain = Duration::from_secs(u64::from(wanted.deadline_seconds)) + TELL_WHY;
    let usual = Deadlines::default();
    Manner {
        tone: wanted.tone.clone(),
        no_critique: !wanted.critique,
        deadlines: Deadlines {
            small: usual.small.min(chain),
            plan: usual.plan.min(chain),
            middle: usual.middle.min(chain),
            ..usual
        },
    }
}

/// What `ADJUTANT_MODEL_URL`, `ADJUTANT_MODEL` and `ADJUTANT_MODEL_KEY` say.
fn quick(environment: &BTreeMap<String, String>) -> Option<(Connection, Option<Key>)> {
    let value = |name: &str| environment.get(name).map(String::as_str).map(str::trim);
    let url = value("ADJUTANT_MODEL_URL").filter(|url| !url.is_empty())?;
    let Some(model) = value("ADJUTANT_MODEL").filter(|model| !model.is_empty()) else {
        tracing::warn!("ADJUTANT_MODEL_URL is set, ADJUTANT_MODEL is not: no model is connected");
        return None;
    };
    let key = value("ADJUTANT_MODEL_KEY").and_then(Key::new);
    match Connection::quick(url, model, key.is_some().then(|| QUICK_KEY.to_owned())) {
        Ok(connection) => Some((connection, key)),
        Err(problem) => {
            tracing::warn!(%problem, "no model is connected");
            None
        }
    }
}

fn net(store: &Arc<Store>, clock: &Arc<dyn Clock>, offline: bool, settings: &All) -> NetClient {
    let network = &settings.network;
    let proxy = ProxyChoice::parse(&network.proxy, &network.no_proxy).unwrap_or_else(|wrong| {
        tracing::warn!(%wrong, "the proxy of the settings is passed over");
        ProxyChoice::default()
    });
    let log = egress::Ledger {
        store: store.clone(),
        clock: clock.clone(),
        runtime: Handle::current(),
    };
    NetClient::new(NetSettings { offline, proxy }, Arc::new(log))
}
