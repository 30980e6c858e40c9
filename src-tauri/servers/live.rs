//! Connections to servers: opened on first use, one per server, closed when idle.

use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::server::{OfferedTool, Reach, Server, ServerName, ServerState};
use adjutant_mcp::{Access, Connection, LeftOut, ServerFault, Way, connect};
use secrecy::ExposeSecret as _;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::{SIGN_IN, Servers, Trouble, is_signed_in};

/// How long a connection may be idle before it is closed.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// Holds the connection of a server, if there is one.
#[derive(Default)]
pub(super) struct Slot {
    /// Held while a connection is being opened; others wait for it.
    making: Mutex<()>,
    live: StdMutex<Option<Live>>,
}

#[derive(Clone)]
struct Live {
    connection: Arc<Connection>,
    used: Arc<watch::Sender<()>>,
}

impl Slot {
    pub(super) fn is_open(&self) -> bool {
        self.get().is_some()
    }

    fn get(&self) -> Option<Live> {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        live.clone().filter(|live| live.connection.is_open())
    }

    fn set(&self, live: Option<Live>) {
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = live;
    }
}

/// The result of trying a server.
pub(crate) struct Tried {
    pub(crate) revision: String,
    pub(crate) connect_ms: u64,
    pub(crate) list_ms: u64,
    pub(crate) left_out: Vec<LeftOut>,
}

/// A server that answered the handshake, with the details.
struct Hello {
    live: Live,
    tried: Tried,
}

impl Servers {
    /// Returns the connection of a server that is in use, opening it if necessary.
    pub(super) async fn connection(
        &self,
        name: &ServerName,
    ) -> Result<Arc<Connection>, ServerFault> {
        let (server, slot) = self.slot(name)?;
        if server.state != ServerState::On {
            return Err(ServerFault::SetUp {
                what: "it is switched off or not accepted yet".into(),
            });
        }
        if let Some(live) = slot.get() {
            live.used.send_replace(());
            return Ok(live.connection);
        }
        let _one = slot.making.lock().await;
        if let Some(live) = slot.get() {
            return Ok(live.connection);
        }
        let hello = self.hello(&server).await?;
        self.keep(name, &slot, hello.live.clone());
        Ok(hello.live.connection)
    }

    /// Restarts a server and checks what it offers, whether or not it is in use. Stops it again if it is not in use.
    ///
    /// # Errors
    /// Returns a fault if the server cannot be used, and records the fault.
    pub(crate) async fn try_out(&self, name: &ServerName) -> Result<Tried, ServerFault> {
        let (server, slot) = self.slot(name)?;
        let _one = slot.making.lock().await;
        slot.set(None);
        let hello = self.hello(&server).await?;
        if server.state == ServerState::On {
            self.keep(name, &slot, hello.live);
        }
        Ok(hello.tried)
    }

    /// Fetches a server's tools again.
    pub(super) async fn look_again(&self, name: &ServerName) -> Result<(), ServerFault> {
        let connection = self.connection(name).await?;
        let listed = connection.tools().await;
        let (connection, listed) = match listed {
            Err(ServerFault::WantsSignIn) => {
                let again = self.signed_in_again(name).await?;
                let listed = again.tools().await;
                (again, listed)
            }
            listed => (connection, listed),
        };
        let (offered, _) = listed?;
        self.take_in(name, offered, &connection).await
    }

    /// Renews the sign-in once and returns a new connection in place of one whose sign-in the server rejected.
    pub(super) async fn signed_in_again(
        &self,
        name: &ServerName,
    ) -> Result<Arc<Connection>, ServerFault> {
        let (server, _) = self.slot(name)?;
        if !is_signed_in(&server) {
            return Err(ServerFault::WantsSignIn);
        }
        self.bearer(name, true).await?;
        self.drop_connection(name);
        self.connection(name).await
    }

    /// Returns how to reach a server, without its secrets.
    pub(super) fn reach(&self, name: &ServerName) -> Result<Reach, ServerFault> {
        self.slot(name).map(|(server, _)| server.reach)
    }

    fn slot(&self, name: &ServerName) -> Result<(Server, Arc<Slot>), ServerFault> {
        let known = self.known();
        let gone = || ServerFault::SetUp {
            what: "the server no longer exists".into(),
        };
        let one = known.get(name).ok_or_else(gone)?;
        Ok((one.server.clone(), Arc::clone(&one.slot)))
    }

    async fn hello(&self, server: &Server) -> Result<Hello, ServerFault> {
        let stop = self.stop().clone();
        let hello = tokio::select! {
            made = self.made(server) => made,
            () = stop.cancelled() => Err(Trouble { fault: ServerFault::Stopped, log: Vec::new() }),
        };
        let trouble = hello.as_ref().err().cloned();
        if let Some(known) = self.known().get_mut(&server.name) {
            known.trouble = trouble;
        }
        hello.map_err(|trouble| trouble.fault)
    }

    async fn made(&self, server: &Server) -> Result<Hello, Trouble> {
        let plain = |fault| Trouble {
            fault,
            log: Vec::new(),
        };
        let began = now();
        let connection = match self.connected(server, false).await {
            // The server rejects the token, so renew it once.
            Err(Trouble {
                fault: ServerFault::WantsSignIn,
                ..
            }) if is_signed_in(server) => self.connected(server, true).await?,
            connected => connected?,
        };
        let connect_ms = millis(began);
        let listed = connection.tools().await;
        let (offered, left_out) = listed.map_err(|fault| Trouble {
            log: connection.log(),
            fault,
        })?;
        let tried = Tried {
            revision: connection.revision().to_owned(),
            connect_ms,
            list_ms: millis(began),
            left_out,
        };
        self.take_in(&server.name, offered, &connection)
            .await
            .map_err(plain)?;
        Ok(Hello {
            live: Live {
                connection: Arc::new(connection),
                used: Arc::default(),
            },
            tried,
        })
    }

    /// Connects to a server; renews its sign-in first if it was `refused`.
    async fn connected(&self, server: &Server, refused: bool) -> Result<Connection, Trouble> {
        let way = self.way(server, refused).await.map_err(|fault| Trouble {
            fault,
            log: Vec::new(),
        })?;
        let access = Access {
            name: server.name.as_str().to_owned(),
            way,
        };
        let made = connect(access).await;
        made.map_err(|(fault, log)| Trouble { fault, log })
    }

    /// Returns how to reach a server, with its secrets.
    async fn way(&self, server: &Server, refused: bool) -> Result<Way, ServerFault> {
        let deps = &self.0.deps;
        let mut secrets = std::collections::BTreeMap::new();
        for field in server.reach.secrets() {
            if field == SIGN_IN {
                let bearer = self.bearer(&server.name, refused).await?;
                secrets.insert("Authorization".to_owned(), bearer);
                continue;
            }
            let kept = deps
                .credentials
                .get(&Server::entry(&server.name, field))
                .await;
            let kept = kept.map_err(|what| ServerFault::SetUp { what })?;
            let kept = kept.ok_or_else(|| ServerFault::SetUp {
                what: format!("its “{field}” is not in the keyring"),
            })?;
            secrets.insert(field.clone(), kept.expose_secret().to_owned());
        }
        Ok(Way::of(
            &server.reach,
            deps.bare.clone(),
            secrets,
            deps.network.client(),
        ))
    }

    /// Stores what a server offers and reports about itself. Tools that differ from the reviewed version are not used
    /// from now on.
    async fn take_in(
        &self,
        name: &ServerName,
        offered: Vec<OfferedTool>,
        connection: &Connection,
    ) -> Result<(), ServerFault> {
        let _one = self.0.changing.lock().await;
        let Some(mut server) = self.one(name).map(|one| one.server) else {
            return Ok(());
        };
        let tools_changed = server.offers(offered);
        if !tools_changed && server.about == *connection.about() {
            return Ok(());
        }
        server.about = connection.about().clone();
        // Changes that are not stored must not count, or the earlier tools would return after a restart.
        self.store(server)
            .await
            .map_err(|fault| ServerFault::SetUp {
                what: fault.to_string(),
            })
    }

    /// Stores a server and publishes its tools. The caller holds `changing`.
    pub(super) async fn store(&self, server: Server) -> Result<(), StoreFault> {
        self.0.deps.store.put_server(server.clone()).await?;
        {
            let mut known = self.known();
            match known.get_mut(&server.name) {
                Some(one) => one.server = server,
                None => drop(known.insert(server.name.clone(), super::ServerEntry::new(server))),
            }
        }
        self.publish();
        Ok(())
    }

    /// Keeps a connection until it is idle or closed or everything is stopped, and fetches the tools again when they
    /// change.
    fn keep(&self, name: &ServerName, slot: &Arc<Slot>, live: Live) {
        slot.set(Some(live.clone()));
        let (servers, name) = (Arc::downgrade(&self.0), name.clone());
        let (slot, stop) = (Arc::clone(slot), self.stop().clone());
        self.0.tasks.spawn(async move {
            let (mut used, mut changes) = (live.used.subscribe(), live.connection.changes());
            let mut until = idle_until();
            loop {
                tokio::select! {
                    _ = used.changed() => until = idle_until(),
                    changed = changes.changed() => {
                        let Some(servers) = servers.upgrade().map(Servers) else { break };
                        if changed.is_err() || servers.look_again(&name).await.is_err() {
                            break;
                        }
                    }
                    () = tokio::time::sleep_until(until) => break,
                    () = live.connection.ended() => break,
                    () = stop.cancelled() => break,
                }
            }
            let is_ours = |kept: &Live| Arc::ptr_eq(&kept.connection, &live.connection);
            {
                let mut kept = slot.live.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.as_ref().is_some_and(is_ours) {
                    *kept = None;
                }
            }
        });
    }

    /// Closes the connection of a server.
    pub(super) fn drop_connection(&self, name: &ServerName) {
        if let Ok((_, slot)) = self.slot(name) {
            slot.set(None);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long something took, and when it was used last, is no time of day"
)]
fn now() -> Instant {
    Instant::now()
}

fn idle_until() -> Instant {
    now() + IDLE
}

fn millis(since: Instant) -> u64 {
    u64::try_from(now().duration_since(since).as_millis()).unwrap_or(u64::MAX)
}
