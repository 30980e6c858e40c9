//! The client everybody shares.

use std::fmt;
use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use adjutant_domain::ports::EgressLog;
use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, NoProxy, Proxy};
use url::Url;

use crate::exchange::{Follow, Incoming, Outgoing, Tally};
use crate::fault::{NetFault, root_cause};
use crate::reach::{self, OwnNames};

/// Time to make a connection to the world, at most.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// Time to make a connection to this machine, at most: it answers at once or not at all.
const CONNECT_LOOPBACK_WITHIN: Duration = Duration::from_secs(2);
/// How long an idle connection is kept for the next request.
const IDLE_KEPT: Duration = Duration::from_secs(60);
/// Idle connections kept for one host.
const IDLE_PER_HOST_MAX: usize = 4;

/// How requests reach the world.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// As the system or the environment says (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`).
    #[default]
    System,
    /// Directly.
    None,
    /// Through this one. The address may hold a name and a password.
    Through {
        /// Such as `http://proxy.example:3128` or `socks5h://127.0.0.1:9050`.
        url: Url,
        /// Hosts asked directly, separated by commas, as in `NO_PROXY`.
        except: String,
    },
}

impl ProxyChoice {
    /// Reads what is written in settings: nothing means the system's, `none` means directly, all else is an address.
    ///
    /// # Errors
    /// When it is no address of a proxy.
    pub fn parse(text: &str, except: &str) -> Result<Self, Wrong> {
        match text.trim() {
            "" | "system" => Ok(Self::System),
            "none" => Ok(Self::None),
            text => {
                let url = Url::parse(text).map_err(|_| Wrong::Proxy)?;
                let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
                if !known.contains(&url.scheme()) || url.host().is_none() {
                    return Err(Wrong::Proxy);
                }
                Ok(Self::Through {
                    url,
                    except: except.to_owned(),
                })
            }
        }
    }
}

impl fmt::Debug for ProxyChoice {
    /// Without name and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("System"),
            Self::None => f.write_str("None"),
            Self::Through { url, .. } => write!(f, "Through({})", exact_host(url)),
        }
    }
}

/// What is wrong with a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The address of the proxy.
    #[error("That is not the address of a proxy. Write it like http://proxy.example:3128.")]
    Proxy,
}

/// How the network is used.
#[derive(Clone, Debug, Default)]
pub struct NetSettings {
    /// Nothing but this machine is asked.
    pub offline: bool,
    /// How requests reach the world.
    pub proxy: ProxyChoice,
}

/// The HTTP client. Cheap to clone; clones share connections and counts.
#[derive(Clone)]
pub struct NetClient {
    inner: Arc<Inner>,
}

struct Inner {
    settings: NetSettings,
    log: Arc<dyn EgressLog>,
    // Built when first used: reading the system's certificates takes a while that start-up does not have.
    loopback: OnceLock<Result<Client, NetFault>>,
    loopback_nowhere: OnceLock<Result<Client, NetFault>>,
    world_nowhere: OnceLock<Result<Client, NetFault>>,
    world_same_origin: OnceLock<Result<Client, NetFault>>,
    world_anywhere: OnceLock<Result<Client, NetFault>>,
}

impl NetClient {
    /// A client. Nothing is opened before the first request.
    #[must_use]
    pub fn new(settings: NetSettings, log: Arc<dyn EgressLog>) -> Self {
        Self {
            inner: Arc::new(Inner {
                settings,
                log,
                loopback: OnceLock::new(),
                loopback_nowhere: OnceLock::new(),
                world_nowhere: OnceLock::new(),
                world_same_origin: OnceLock::new(),
                world_anywhere: OnceLock::new(),
            }),
        }
    }

    /// Whether nothing but this machine is asked.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        self.inner.settings.offline
    }

    /// The same with another way to the world, for a connection that has its own proxy. It shares the count.
    #[must_use]
    pub fn with_proxy(&self, proxy: ProxyChoice) -> Self {
        let settings = NetSettings {
            proxy,
            ..self.inner.settings.clone()
        };
        Self::new(settings, Arc::clone(&self.inner.log))
    }

    /// Sends a request and returns when the reply begins. Any HTTP status is a reply. Dropping the future, or the reply
    /// before its end, closes the connection.
    ///
    /// # Errors
    /// When no reply begins.
    pub async fn send(&self, request: Outgoing) -> Result<Incoming, NetFault> {
        let host = exact_host(&request.url);
        let loopback = reach::is_loopback(&request.url);
        let client = self.client(loopback, request.follow, &host)?;
        let mut tally = Tally::start(
            Arc::clone(&self.inner.log),
            host.clone(),
            request.why.clone(),
            loopback,
            sent_bytes(&request),
        );
        let mut built = client
            .request(request.method, request.url.clone())
            .headers(request.headers);
        if let Some(body) = request.body {
            built = built.body(body);
        }
        let (sent, led_on) =
            reach::led_on(tokio::time::timeout(request.within, built.send())).await;
        let reply = match sent {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => {
                if !led_on && (error.is_builder() || error.is_connect()) {
                    // Nothing was sent, so there is nothing to count. Who points to another place was sent something.
                    tally.forget();
                }
                return Err(NetFault::of(error, &host));
            }
            Err(_) => {
                return Err(NetFault::TimedOut {
                    host,
                    waited: request.within,
                });
            }
        };
        let answered_by = exact_host(reply.url());
        if answered_by != host {
            tally.moves_to(answered_by);
        }
        Ok(Incoming::new(reply, tally, request.reply_bytes_max))
    }

    fn client(&self, loopback: bool, follow: Follow, host: &str) -> Result<&Client, NetFault> {
        let inner = &*self.inner;
        let client = match (loopback, follow) {
            (true, Follow::Nowhere) => inner
                .loopback_nowhere
                .get_or_init(|| build_loopback(follow)),
            (true, _) => inner.loopback.get_or_init(|| build_loopback(follow)),
            (false, _) if inner.settings.offline => {
                return Err(NetFault::Offline {
                    host: host.to_owned(),
                });
            }
            (false, Follow::Nowhere) => inner
                .world_nowhere
                .get_or_init(|| build_world(&inner.settings.proxy, follow)),
            (false, Follow::SameOrigin) => inner
                .world_same_origin
                .get_or_init(|| build_world(&inner.settings.proxy, follow)),
            (false, Follow::Anywhere) => inner
                .world_anywhere
                .get_or_init(|| build_world(&inner.settings.proxy, follow)),
        };
        client.as_ref().map_err(Clone::clone)
    }
}

impl fmt::Debug for NetClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetClient")
            .field("settings", &self.inner.settings)
            .finish_non_exhaustive()
    }
}

/// A client that reaches this machine and nothing else, whatever the environment says about proxies.
fn build_loopback(follow: Follow) -> Result<Client, NetFault> {
    finish(
        builder()
            .no_proxy()
            .dns_resolver(OwnNames)
            .redirect(reach::loopback_redirects(follow))
            .connect_timeout(CONNECT_LOOPBACK_WITHIN),
    )
}

fn build_world(proxy: &ProxyChoice, follow: Follow) -> Result<Client, NetFault> {
    let builder = builder()
        .redirect(reach::world_redirects(follow))
        .connect_timeout(CONNECT_WITHIN);
    let builder = match proxy {
        ProxyChoice::System => builder,
        ProxyChoice::None => builder.no_proxy(),
        ProxyChoice::Through { url, except } => {
            let proxy = Proxy::all(url.clone()).map_err(|_| NetFault::SetUp {
                why: "the proxy's address cannot be used".to_owned(),
            })?;
            builder.proxy(proxy.no_proxy(NoProxy::from_string(except)))
        }
    };
    finish(builder)
}

fn builder() -> ClientBuilder {
    static CRYPTO: Once = Once::new();
    CRYPTO.call_once(|| {
        // Already set by whoever else uses TLS in this process: then theirs is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    Client::builder()
        .user_agent(concat!("Adjutant/", env!("CARGO_PKG_VERSION")))
        .referer(false)
        .pool_idle_timeout(IDLE_KEPT)
        .pool_max_idle_per_host(IDLE_PER_HOST_MAX)
}

fn finish(builder: ClientBuilder) -> Result<Client, NetFault> {
    builder.build().map_err(|error| NetFault::SetUp {
        why: root_cause(&error.without_url()),
    })
}

/// Host, and port where it is not the scheme's own.
fn exact_host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// What goes over the wire before encryption, without what the client adds by itself.
fn sent_bytes(request: &Outgoing) -> u64 {
    let line = request.method.as_str().len() + request.url.path().len() + " HTTP/1.1\r\n\r\n".len();
    let query = request.url.query().map_or(0, |query| query.len() + 1);
    let body = request.body.as_ref().map_or(0, |body| body.len());
    (line + query + header_bytes(&request.headers) + body) as u64
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len())
        .sum()
}
