//! Connects to a server: starts its program or contacts its address, then runs the handshake.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::server::{About, Reach};
use adjutant_net::{HeaderName, HeaderValue, NetClient};
use rmcp::RoleClient;
use rmcp::model::{ProtocolVersion, ServerPeerInfo, SubscriptionFilter};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, RunningService, serve_client_with_lifecycle,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::cause::found;
use crate::child::{Log, Program};
use crate::clean;
use crate::connection::{Connection, Parts};
use crate::fault::ServerFault;
use crate::handler::Handler;
use crate::http::Http;
use crate::stdio::{MESSAGE_BYTES_MAX, Stdio, Trouble};

/// Time allowed for the handshake. Package managers download many servers on their first start.
const HELLO_WITHIN: Duration = Duration::from_secs(60);

/// What is needed to connect.
pub struct Access {
    /// The person's name for the server, which also appears in the egress ledger.
    pub name: String,
    /// How to reach the server.
    pub way: Way,
}

/// How to reach a server, including its secrets.
pub enum Way {
    /// A program on this computer.
    Program {
        /// Path or name of the program.
        command: String,
        /// Arguments of the program.
        args: Vec<String>,
        /// The program's whole environment.
        env: BTreeMap<String, String>,
    },
    /// An HTTP server.
    Address {
        /// Address of the server.
        url: String,
        /// Request headers, including secret ones.
        headers: BTreeMap<String, String>,
        /// The network client.
        net: NetClient,
    },
}

impl Way {
    /// Builds the way from `reach`. `bare` is the environment that every program gets; `secrets` are secret values by
    /// name.
    #[must_use]
    pub fn of(
        reach: &Reach,
        bare: BTreeMap<String, String>,
        secrets: BTreeMap<String, String>,
        net: NetClient,
    ) -> Self {
        match reach {
            Reach::Command {
                command, args, env, ..
            } => {
                let mut all = bare;
                all.extend(env.clone());
                all.extend(secrets);
                Self::Program {
                    command: command.clone(),
                    args: args.clone(),
                    env: all,
                }
            }
            Reach::Address { url, headers, .. } => {
                let mut all = headers.clone();
                all.extend(secrets);
                Self::Address {
                    url: url.clone(),
                    headers: all,
                    net,
                }
            }
        }
    }
}

/// Connects to a server and completes the handshake. Dropping the connection ends it.
///
/// # Errors
/// Returns a fault and the server's last log lines if the server cannot be used.
pub async fn connect(access: Access) -> Result<Connection, (ServerFault, Vec<String>)> {
    let log = Log::default();
    let hello = timeout(HELLO_WITHIN, hello(access, log.clone())).await;
    let made = hello.unwrap_or(Err(ServerFault::Silent {
        seconds: HELLO_WITHIN.as_secs(),
    }));
    made.map_err(|fault| (fault, log.lines()))
}

async fn hello(access: Access, log: Log) -> Result<Connection, ServerFault> {
    let (handler, trouble) = (Handler::new(), Trouble::default());
    let (service, program) = match access.way {
        Way::Program { command, args, env } => {
            let (mut program, (stdin, stdout)) = Program::start(&command, &args, &env, &log)?;
            let transport = Stdio::new(stdout, stdin, trouble.clone(), log.clone());
            let served = serve_client_with_lifecycle(handler.clone(), transport, lifecycle()).await;
            match served {
                Ok(service) => (service, Some(program)),
                Err(error) => {
                    // A fault found in its messages is more informative than the end of the connection.
                    if let Some(fault) = trouble.get() {
                        return Err(fault);
                    }
                    return Err(match refused(&error) {
                        Some(fault) => fault,
                        None => ServerFault::Ended {
                            how: program.how_ended().await,
                        },
                    });
                }
            }
        }
        Way::Address { url, headers, net } => {
            let config = configuration(&url, headers)?;
            let http = Http::new(net, &access.name);
            let transport = StreamableHttpClientTransport::with_client(http, config);
            let served = serve_client_with_lifecycle(handler.clone(), transport, lifecycle()).await;
            (served.map_err(|error| of_http(&error))?, None)
        }
    };
    Ok(connected(service, handler, program, (trouble, log)))
}

/// Builds the connection after the handshake.
pub(crate) fn connected(
    service: Service,
    handler: Handler,
    program: Option<Program>,
    (trouble, log): (Trouble, Log),
) -> Connection {
    let peer = service.peer().peer_info();
    let listening = listen(service.peer(), peer.as_deref(), &handler);
    Connection::new(Parts {
        about: about(peer.as_deref()),
        revision: revision(peer.as_deref()),
        service,
        handler,
        _program: program,
        trouble,
        log,
        listening,
    })
}

pub(crate) type Service = RunningService<RoleClient, Handler>;

pub(crate) fn lifecycle() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    }
}

fn about(peer: Option<&ServerPeerInfo>) -> About {
    let Some(peer) = peer else {
        return About::default();
    };
    let own = peer.server_info.as_ref();
    let title = own.map(|own| own.title.as_deref().unwrap_or(&own.name));
    About {
        title: clean::line(title.unwrap_or_default(), 120),
        version: clean::line(own.map_or("", |own| &own.version), 40),
        instructions: clean::text(peer.instructions.as_deref().unwrap_or_default(), 2_000),
        resources: peer.capabilities.resources.is_some(),
        prompts: peer.capabilities.prompts.is_some(),
    }
}

fn revision(peer: Option<&ServerPeerInfo>) -> String {
    peer.map_or_else(String::new, |peer| {
        clean::line(peer.protocol_version.as_str(), 20)
    })
}

/// Subscribes to change notifications, which servers of the newest revision send only to subscribers.
fn listen(
    peer: &Peer<RoleClient>,
    info: Option<&ServerPeerInfo>,
    handler: &Handler,
) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    let wants = info.is_some_and(|info| {
        let tells = info.capabilities.tools.as_ref();
        info.protocol_version >= ProtocolVersion::V_2026_07_28
            && tells.is_some_and(|tools| tools.list_changed == Some(true))
    });
    if wants {
        let (peer, handler) = (peer.clone(), handler.clone());
        tasks.spawn(async move {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            let Ok(mut changes) = peer.listen(filter).await else {
                return;
            };
            while let Ok(Some(_)) = changes.next().await {
                handler.changed();
            }
        });
    }
    tasks
}

fn configuration(
    url: &str,
    headers: BTreeMap<String, String>,
) -> Result<StreamableHttpClientTransportConfig, ServerFault> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(Arc::from(url));
    config.max_sse_event_size = MESSAGE_BYTES_MAX;
    config.max_json_response_size = MESSAGE_BYTES_MAX;
    let mut all = HashMap::new();
    for (name, value) in headers {
        let bad = |what: &str| ServerFault::SetUp {
            what: format!("the header “{}” {what}", clean::line(&name, 60)),
        };
        let key = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| bad("has a name that is not allowed"))?;
        let mut value = HeaderValue::from_str(&value).map_err(|_| bad("cannot have this value"))?;
        value.set_sensitive(true);
        all.insert(key, value);
    }
    config.custom_headers = all;
    Ok(config)
}

/// Returns the server's message if it refused the handshake.
fn refused(error: &ClientInitializeError) -> Option<ServerFault> {
    match error {
        ClientInitializeError::JsonRpcError(said) => Some(ServerFault::Refused {
            what: clean::line(&said.message, 200),
        }),
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => Some(ServerFault::Revision),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => refused(fallback),
        ClientInitializeError::ExpectedInitResponse(_)
        | ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::ConflictInitResponseId(..)
        | ClientInitializeError::UncorrelatedErrorResponse { .. } => Some(ServerFault::Garbage {
            what: "it does not answer the greeting as expected".into(),
        }),
        _ => None,
    }
}

fn of_http(error: &ClientInitializeError) -> ServerFault {
    let cause = match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => return of_http(fallback),
        ClientInitializeError::TransportError { error, .. } => found(error.error.as_ref()),
        other => refused(other),
    };
    cause.unwrap_or(ServerFault::Garbage {
        what: clean::line(&error.to_string(), 200),
    })
}
