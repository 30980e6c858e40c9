//! The language models of a profile: what is connected, with which keys, and the one model that the engine asks.
//! Connections live in the profile, keys in the system's keyring, limits in the settings.

mod egress;
mod kept;
mod shadow;
mod stack;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::model::{ChatModel, ModelFault};
use adjutant_domain::ports::{Clock, SecretFault, Secrets};
use adjutant_engine::Engine;
use adjutant_engine::stages::{Deadlines, Manner};
use adjutant_models::govern::Books;
use adjutant_models::tiers::{SinceStart, Ticks};
use adjutant_models::{Connection, Key, Keys, Providers};
use adjutant_net::{NetClient, NetSettings, ProxyChoice};
use adjutant_settings::All;
use adjutant_store::Store;
use secrecy::{ExposeSecret, SecretString};
use tokio::runtime::Handle;

pub(crate) use kept::CONNECTIONS_MAX;

/// What the environment says of models, and nothing else of it.
pub(crate) fn environment() -> BTreeMap<String, String> {
    crate::compose::environment()
        .filter(|(name, _)| name.starts_with("ADJUTANT_MODEL"))
        .collect()
}

/// Name of the key that the environment brings along.
const QUICK_KEY: &str = "environment";
/// How long a turn's start waits for the keyring. A locked one asks the person, which may take any time: until it
/// answers, the connection is told as not ready.
const KEYRING_WAIT: Duration = Duration::from_secs(3);

/// Time a chain that has given up has to tell why.
const TELL_WHY: Duration = Duration::from_secs(5);

/// Everything of models in a profile. Cheap to clone; clones are the same.
#[derive(Clone)]
pub(crate) struct ModelRoom(Arc<Inner>);

struct Inner {
    store: Arc<Store>,
    secrets: Arc<dyn Secrets>,
    engine: Engine,
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
}

/// A connection as it stands.
pub(crate) struct Connected {
    pub(crate) connection: Connection,
    pub(crate) from_environment: bool,
    pub(crate) problem: Option<ModelFault>,
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
            secrets: ground.secrets,
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
    /// none to leave it as it is.
    pub(crate) async fn connect(
        &self,
        mut connection: Connection,
        key: Option<SecretString>,
    ) -> Result<(), NotKept> {
        let _alone = self.0.changing.lock().await;
        let place = self.place(&connection.name);
        if place.is_none() && self.state().connections.len() >= CONNECTIONS_MAX {
            return Err(NotKept::TooMany);
        }
        connection.key = match &key {
            Some(key) if key.expose_secret().trim().is_empty() => {
                self.forget_key(&connection.name).await?;
                None
            }
            Some(key) => Some(self.keep_key(&connection.name, key.clone()).await?),
            None => place.and_then(|n| self.state().connections[n].key.clone()),
        };
        let mut connections = self.state().connections.clone();
        match place {
            Some(n) => connections[n] = connection,
            None => connections.push(connection),
        }
        self.keep(connections).await
    }

    /// Takes a connection away, with its key. `false` when there is none of that name.
    pub(crate) async fn disconnect(&self, name: &str) -> Result<bool, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(false);
        };
        let mut connections = self.state().connections.clone();
        if connections.remove(n).key.is_some() {
            self.forget_key(name).await?;
        }
        self.keep(connections).await?;
        Ok(true)
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

    /// The keys of some connections, read from the keyring, `given` over it.
    pub(crate) async fn keys(
        &self,
        connections: &[Connection],
        given: Option<(String, Key)>,
    ) -> KeyRing {
        let mut ring = KeyRing::default();
        for name in connections.iter().filter_map(|one| one.key.clone()) {
            if ring.0.contains_key(&name) {
                continue;
            }
            let key = match (&given, &self.0.quick) {
                (Some((of, key)), _) if *of == name => Ok(Some(key.clone())),
                (_, Some((_, key))) if name == QUICK_KEY => Ok(key.clone()),
                _ => self.read_key(&name).await,
            };
            ring.0.insert(name, key);
        }
        ring
    }

    /// Waits until all that was spent is written down.
    pub(crate) async fn settled(&self) {
        self.0.shared.books.settled().await;
    }

    async fn build(&self) {
        let connections: Vec<Connection> =
            self.all().into_iter().map(|one| one.connection).collect();
        let keys = self.keys(&connections, None).await;
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
    }

    async fn keep(&self, connections: Vec<Connection>) -> Result<(), NotKept> {
        kept::write(&self.0.store, &connections).await?;
        self.state_mut().connections = connections;
        self.build().await;
        Ok(())
    }

    async fn keep_key(&self, name: &str, key: SecretString) -> Result<String, NotKept> {
        let (name, secrets) = (key_name(name), self.0.secrets.clone());
        let entry = name.clone();
        in_the_background(move || secrets.set(&entry, &key)).await?;
        Ok(name)
    }

    async fn forget_key(&self, name: &str) -> Result<(), NotKept> {
        let (name, secrets) = (key_name(name), self.0.secrets.clone());
        Ok(in_the_background(move || secrets.remove(&name)).await?)
    }

    async fn read_key(&self, name: &str) -> Result<Option<Key>, String> {
        let (name, secrets) = (name.to_owned(), self.0.secrets.clone());
        let asked = in_the_background(move || secrets.get(&name));
        match tokio::time::timeout(KEYRING_WAIT, asked).await {
            Ok(Ok(secret)) => Ok(secret.and_then(|secret| Key::new(secret.expose_secret()))),
            Ok(Err(fault)) => Err(fault.to_string()),
            Err(_) => Err("the keyring of this computer does not answer".into()),
        }
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

/// Keys that were looked up.
#[derive(Default)]
pub(crate) struct KeyRing(BTreeMap<String, Result<Option<Key>, String>>);

impl Keys for KeyRing {
    fn key(&self, name: &str) -> Result<Option<Key>, String> {
        self.0.get(name).cloned().unwrap_or(Ok(None))
    }
}

/// Name under which the key of a connection is filed.
pub(crate) fn key_name(connection: &str) -> String {
    format!("models/{connection}")
}

async fn in_the_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SecretFault> + Send + 'static,
) -> Result<T, SecretFault> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(SecretFault::Failed {
            why: "it broke off".into(),
        })
    })
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
