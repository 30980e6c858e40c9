//! The tool servers (MCP) of a profile: started on first use, stopped when idle, with one connection each. Only the
//! crate `mcp` knows the protocol.

mod attach;
mod changes;
mod executor;
mod live;
mod search;
mod sign_in;
mod sign_ins;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{Clock, Entropy, StopSignal};
use adjutant_domain::server::{Server, ServerName};
use adjutant_mcp::{Caller, ForeignTool, ServerFault};
use adjutant_store::Store;
use adjutant_tools::Registry;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use attach::{AttachRequest, NotAttached};
pub(crate) use changes::{Left, NewServer, NotChanged};
pub(crate) use executor::Everyone;
use live::Slot;
pub(crate) use sign_in::{SIGN_IN, is_signed_in};
use sign_ins::SignIns;

use crate::credentials::CredentialStore;
use crate::network::Network;

/// What servers need to work.
pub(crate) struct ServerDeps {
    pub(crate) store: Arc<Store>,
    pub(crate) network: Arc<Network>,
    pub(crate) credentials: Arc<CredentialStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The registry in which their tools appear.
    pub(crate) registry: Arc<Registry>,
    /// The only environment variables that server programs inherit.
    pub(crate) bare: BTreeMap<String, String>,
}

/// The servers of a profile. Clones share their state.
#[derive(Clone)]
pub(crate) struct Servers(Arc<Inner>);

struct Inner {
    deps: ServerDeps,
    known: Mutex<BTreeMap<ServerName, ServerEntry>>,
    /// Allows one change of servers at a time.
    changing: tokio::sync::Mutex<()>,
    /// Sign-ins that wait for the person.
    sign_ins: Mutex<SignIns>,
    /// Allows one renewal of a sign-in at a time.
    renewing: tokio::sync::Mutex<()>,
    /// Cancels all connections; replaced by a new token each time.
    stop: Mutex<CancellationToken>,
    /// Cancelled when the servers are closed for good.
    closed: CancellationToken,
    tasks: TaskTracker,
}

/// A server and its state in this process.
struct ServerEntry {
    server: Server,
    slot: Arc<Slot>,
    trouble: Option<Trouble>,
}

/// Why a server last failed.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    pub(crate) fault: ServerFault,
    /// The server's last log lines.
    pub(crate) log: Vec<String>,
}

/// The current state of a server.
pub(crate) struct Standing {
    pub(crate) server: Server,
    pub(crate) running: bool,
    pub(crate) trouble: Option<Trouble>,
}

impl Servers {
    /// Loads the servers from storage. Starts none of them.
    ///
    /// # Errors
    /// Returns a fault if storage cannot be read.
    pub(crate) async fn open(deps: ServerDeps) -> Result<Self, StoreFault> {
        let stored = deps.store.servers().await?;
        let known = stored.into_iter().map(|server| {
            let name = server.name.clone();
            (name, ServerEntry::new(server))
        });
        let servers = Self(Arc::new(Inner {
            known: Mutex::new(known.collect()),
            deps,
            changing: tokio::sync::Mutex::default(),
            sign_ins: Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
            stop: Mutex::default(),
            closed: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }));
        servers.publish();
        Ok(servers)
    }

    /// Returns all servers, sorted by name.
    pub(crate) fn standing(&self) -> Vec<Standing> {
        self.known().values().map(ServerEntry::standing).collect()
    }

    /// Returns one server.
    pub(crate) fn one(&self, name: &ServerName) -> Option<Standing> {
        self.known().get(name).map(ServerEntry::standing)
    }

    /// Closes every connection. They are opened again when needed.
    pub(crate) fn disconnect(&self) {
        let stop = std::mem::take(&mut *self.stop());
        stop.cancel();
    }

    /// Closes every connection whenever the person stops everything.
    pub(crate) fn stop_with(&self, signal: Arc<dyn StopSignal>) {
        let (servers, closed) = (Arc::downgrade(&self.0), self.0.closed.clone());
        let mut stopped = signal.stopped();
        self.0.tasks.spawn(async move {
            loop {
                tokio::select! {
                    () = &mut stopped => {}
                    () = closed.cancelled() => return,
                }
                // Subscribe again first, so that no further stop is missed.
                stopped = signal.stopped();
                match servers.upgrade() {
                    Some(inner) => Self(inner).disconnect(),
                    None => return,
                }
            }
        });
    }

    /// Closes every connection for good.
    pub(crate) async fn close(&self) {
        self.0.closed.cancel();
        self.disconnect();
        self.0.deps.registry.set_foreign(Vec::new());
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// Registers the tools that may be used now.
    fn publish(&self) {
        let caller: Arc<dyn Caller> = Arc::new(executor::Reads(Arc::downgrade(&self.0)));
        let tools = self
            .known()
            .values()
            .flat_map(|known| ForeignTool::all(&known.server, &caller))
            .collect();
        self.0.deps.registry.set_foreign(tools);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<ServerName, ServerEntry>> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sign_ins(&self) -> MutexGuard<'_, SignIns> {
        self.0
            .sign_ins
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) -> MutexGuard<'_, CancellationToken> {
        self.0.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ServerEntry {
    fn new(server: Server) -> Self {
        Self {
            server,
            slot: Arc::default(),
            trouble: None,
        }
    }

    fn standing(&self) -> Standing {
        Standing {
            server: self.server.clone(),
            running: self.slot.is_open(),
            trouble: self.trouble.clone(),
        }
    }
}
