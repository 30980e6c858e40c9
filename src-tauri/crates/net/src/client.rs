//! The shared network client.

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use adjutant_domain::ports::EgressLog;
use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, NoProxy, Proxy};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use url::Url;

use crate::exchange::{AddressFrom, Follow, Incoming, Outgoing, Tally};
use crate::fault::{NetFault, root_cause};
use crate::names::PublicNames;
use crate::proxy::ProxyChoice;
use crate::reach::{self, OwnNames, exact_host};
use crate::tls::Tls;
use crate::trust::Fingerprint;

/// Timeout for connecting to other machines.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// Timeout for connecting to this machine, which answers at once or not at all.
const CONNECT_LOOPBACK_WITHIN: Duration = Duration::from_secs(2);
/// How long an idle connection is kept open for the next request.
const IDLE_KEPT: Duration = Duration::from_secs(60);
/// Maximum number of idle connections kept open per host.
const IDLE_PER_HOST_MAX: usize = 4;

/// Network settings.
#[derive(Clone, Debug, Default)]
pub struct NetSettings {
    /// Whether only this machine may be contacted.
    pub offline: bool,
    /// Proxy for requests to other machines.
    pub proxy: ProxyChoice,
    /// Root certificates to trust in addition to the system's.
    pub roots: Vec<CertificateDer<'static>>,
}

/// The client for HTTP and for streams. Cheap to clone; clones share connections and the egress log.
#[derive(Clone)]
pub struct NetClient {
    inner: Arc<Inner>,
}

struct Inner {
    settings: NetSettings,
    log: Arc<dyn EgressLog>,
    // Built on first use, because loading the system's certificates would slow down the start.
    loopback: OnceLock<Result<Client, NetFault>>,
    loopback_nowhere: OnceLock<Result<Client, NetFault>>,
    world_nowhere: OnceLock<Result<Client, NetFault>>,
    world_same_origin: OnceLock<Result<Client, NetFault>>,
    /// Reaches the public internet directly, and nothing else.
    public: OnceLock<Result<Client, NetFault>>,
    names: PublicNames,
    /// Who is asked for services; the system's name servers if `None`.
    name_servers: Option<Vec<SocketAddr>>,
    tls: OnceLock<Result<Tls, NetFault>>,
}

impl NetClient {
    /// Creates a client. It opens nothing before the first request.
    #[must_use]
    pub fn new(settings: NetSettings, log: Arc<dyn EgressLog>) -> Self {
        Self::with_names(settings, log, PublicNames::of_system(), None)
    }

    pub(crate) fn with_names(
        settings: NetSettings,
        log: Arc<dyn EgressLog>,
        names: PublicNames,
        name_servers: Option<Vec<SocketAddr>>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                settings,
                log,
                loopback: OnceLock::new(),
                loopback_nowhere: OnceLock::new(),
                world_nowhere: OnceLock::new(),
                world_same_origin: OnceLock::new(),
                public: OnceLock::new(),
                names,
                name_servers,
                tls: OnceLock::new(),
            }),
        }
    }

    /// Returns whether only this machine may be contacted.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        self.inner.settings.offline
    }

    /// Returns a client with another proxy, for a connection that has its own. It shares the egress log.
    #[must_use]
    pub fn with_proxy(&self, proxy: ProxyChoice) -> Self {
        let settings = NetSettings {
            proxy,
            ..self.inner.settings.clone()
        };
        let inner = &self.inner;
        let (names, servers) = (inner.names.clone(), inner.name_servers.clone());
        Self::with_names(settings, self.log(), names, servers)
    }

    /// Returns a client that asks these name servers for services instead of the system's. It shares the egress log.
    #[must_use]
    pub fn with_name_servers(&self, servers: Vec<SocketAddr>) -> Self {
        let inner = &self.inner;
        let (settings, names) = (inner.settings.clone(), inner.names.clone());
        Self::with_names(settings, self.log(), names, Some(servers))
    }

    pub(crate) fn asked_name_servers(&self) -> Option<&[SocketAddr]> {
        self.inner.name_servers.as_deref()
    }

    pub(crate) fn log(&self) -> Arc<dyn EgressLog> {
        Arc::clone(&self.inner.log)
    }

    pub(crate) fn proxy(&self) -> &ProxyChoice {
        &self.inner.settings.proxy
    }

    pub(crate) fn public_names(&self) -> &PublicNames {
        &self.inner.names
    }

    pub(crate) fn tls(&self, trusted: &[Fingerprint]) -> Result<Arc<ClientConfig>, NetFault> {
        let roots = &self.inner.settings.roots;
        let tls = self.inner.tls.get_or_init(|| Tls::new(roots));
        tls.as_ref().map_err(Clone::clone)?.config(trusted)
    }

    /// Sends a request and returns once the reply begins. Any HTTP status is a reply. Dropping the future, or the reply
    /// before its end, closes the connection.
    ///
    /// # Errors
    /// Returns a [`NetFault`] if no reply begins.
    pub async fn send(&self, request: Outgoing) -> Result<Incoming, NetFault> {
        let loopback = reach::is_loopback(&request.url);
        let leads_on = request.follow == Follow::Anywhere && !loopback;
        if leads_on || request.from == AddressFrom::Outside {
            return self.send_on(request).await;
        }
        let client = self.client(loopback, request.follow, &exact_host(&request.url))?;
        self.exchange(client, request).await
    }

    /// Sends a request with a client that follows redirects no further than the request allows.
    pub(crate) async fn exchange(
        &self,
        client: &Client,
        request: Outgoing,
    ) -> Result<Incoming, NetFault> {
        let host = exact_host(&request.url);
        let loopback = reach::is_loopback(&request.url);
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
                    // Nothing was sent, so nothing is counted. A host that redirected us did receive a request.
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

    pub(crate) fn client(
        &self,
        loopback: bool,
        follow: Follow,
        host: &str,
    ) -> Result<&Client, NetFault> {
        let inner = &*self.inner;
        let client = match (loopback, follow) {
            (true, Follow::Nowhere) => inner
                .loopback_nowhere
                .get_or_init(|| build_loopback(&inner.settings, follow)),
            (true, _) => inner
                .loopback
                .get_or_init(|| build_loopback(&inner.settings, follow)),
            (false, _) if inner.settings.offline => {
                return Err(NetFault::Offline {
                    host: host.to_owned(),
                });
            }
            (false, Follow::Nowhere) => inner
                .world_nowhere
                .get_or_init(|| build_world(&inner.settings, follow)),
            (false, _) => inner
                .world_same_origin
                .get_or_init(|| build_world(&inner.settings, follow)),
        };
        client.as_ref().map_err(Clone::clone)
    }

    /// Returns the client for an address from outside, which reaches only the public internet or a proxy.
    pub(crate) fn client_for_outside(&self, url: &Url) -> Result<&Client, NetFault> {
        let inner = &*self.inner;
        if inner.settings.offline || inner.settings.proxy.of(url).is_some() {
            return self.client(false, Follow::Nowhere, &exact_host(url));
        }
        let client = inner.public.get_or_init(|| build_public(inner));
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

/// Builds a client that reaches only this machine, ignoring any proxy in the environment.
fn build_loopback(settings: &NetSettings, follow: Follow) -> Result<Client, NetFault> {
    let builder = builder()
        .no_proxy()
        .dns_resolver(OwnNames)
        .redirect(reach::loopback_redirects(follow))
        .connect_timeout(CONNECT_LOOPBACK_WITHIN);
    finish(trusting(builder, &settings.roots)?)
}

/// Builds a client that reaches the public internet directly, and nothing else.
fn build_public(inner: &Inner) -> Result<Client, NetFault> {
    let builder = builder()
        .no_proxy()
        .dns_resolver(inner.names.clone())
        .redirect(reach::world_redirects(Follow::Nowhere))
        .connect_timeout(CONNECT_WITHIN);
    finish(trusting(builder, &inner.settings.roots)?)
}

fn build_world(settings: &NetSettings, follow: Follow) -> Result<Client, NetFault> {
    let builder = builder()
        .redirect(reach::world_redirects(follow))
        .connect_timeout(CONNECT_WITHIN);
    let builder = trusting(builder, &settings.roots)?;
    let builder = match &settings.proxy {
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
        // If other code in this process has already installed a provider, that one is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    Client::builder()
        .user_agent(concat!("Adjutant/", env!("CARGO_PKG_VERSION")))
        .referer(false)
        .pool_idle_timeout(IDLE_KEPT)
        .pool_max_idle_per_host(IDLE_PER_HOST_MAX)
}

fn trusting(
    builder: ClientBuilder,
    roots: &[CertificateDer<'static>],
) -> Result<ClientBuilder, NetFault> {
    let roots: Result<Vec<_>, _> = roots
        .iter()
        .map(|root| reqwest::Certificate::from_der(root))
        .collect();
    let roots = roots.map_err(|error| NetFault::SetUp {
        why: root_cause(&error),
    })?;
    Ok(builder.tls_certs_merge(roots))
}

fn finish(builder: ClientBuilder) -> Result<Client, NetFault> {
    builder.build().map_err(|error| NetFault::SetUp {
        why: root_cause(&error.without_url()),
    })
}

/// Returns the number of bytes of a request before encryption, without headers that the client adds itself.
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
