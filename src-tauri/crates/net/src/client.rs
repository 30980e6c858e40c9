//! The shared network client.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
/// Maximum number of clients kept that trust individual certificates: one for each account with a server of its own.
const TRUSTING_KEPT_MAX: usize = 50;

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
    /// Built on first use, because loading the system's certificates would slow down the start.
    clients: Mutex<BTreeMap<Traits, Result<Client, NetFault>>>,
    names: PublicNames,
    /// Who is asked for services; the system's name servers if `None`.
    name_servers: Option<Vec<SocketAddr>>,
    tls: OnceLock<Result<Tls, NetFault>>,
}

/// What makes one client different from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Traits {
    reach: Reach,
    follow: Follow,
    trusted: Vec<Fingerprint>,
}

/// The machines that a client can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// This one only.
    Loopback,
    /// All others, directly or through a proxy.
    World,
    /// Those on the public internet, directly.
    Public,
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
                clients: Mutex::default(),
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
        let reach = match loopback {
            true => Reach::Loopback,
            false => Reach::World,
        };
        let follow = match request.follow {
            Follow::Nowhere => Follow::Nowhere,
            Follow::SameOrigin | Follow::Anywhere => Follow::SameOrigin,
        };
        let client = self.client(reach, follow, &request)?;
        self.exchange(&client, request).await
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
                let direct = loopback || self.proxy().of(&request.url).is_none();
                let itself = (direct && !led_on)
                    .then(|| NetFault::not_listening(&error, &request.url))
                    .flatten();
                return Err(itself.unwrap_or_else(|| NetFault::of(error, &host)));
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

    /// Returns the client for a request, and builds it if necessary.
    pub(crate) fn client(
        &self,
        reach: Reach,
        follow: Follow,
        request: &Outgoing,
    ) -> Result<Client, NetFault> {
        let inner = &*self.inner;
        if inner.settings.offline && reach != Reach::Loopback {
            return Err(NetFault::Offline {
                host: exact_host(&request.url),
            });
        }
        let traits = Traits {
            reach,
            follow,
            trusted: request.trusted.clone(),
        };
        let clients = inner.clients.lock();
        let mut clients = clients.unwrap_or_else(PoisonError::into_inner);
        let is_usual = |traits: &Traits| traits.trusted.is_empty();
        let is_new = !clients.contains_key(&traits);
        if is_new && clients.keys().filter(|one| !is_usual(one)).count() >= TRUSTING_KEPT_MAX {
            clients.retain(|one, _| is_usual(one));
        }
        let client = clients
            .entry(traits)
            .or_insert_with_key(|one| self.build(one));
        client.clone()
    }

    /// Returns what a client for an address from outside may reach: the public internet, or the proxy.
    pub(crate) fn reach_outside(&self, url: &Url) -> Reach {
        match self.proxy().of(url) {
            Some(_) => Reach::World,
            None => Reach::Public,
        }
    }

    fn build(&self, traits: &Traits) -> Result<Client, NetFault> {
        let inner = &*self.inner;
        let mut tls = Arc::unwrap_or_clone(self.tls(&traits.trusted)?);
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        let builder = Client::builder()
            .user_agent(concat!("Adjutant/", env!("CARGO_PKG_VERSION")))
            .referer(false)
            .pool_idle_timeout(IDLE_KEPT)
            .pool_max_idle_per_host(IDLE_PER_HOST_MAX)
            .tls_backend_preconfigured(tls);
        let builder = match traits.reach {
            // Ignores any proxy in the environment.
            Reach::Loopback => builder
                .no_proxy()
                .dns_resolver(OwnNames)
                .redirect(reach::loopback_redirects(traits.follow))
                .connect_timeout(CONNECT_LOOPBACK_WITHIN),
            Reach::Public => builder
                .no_proxy()
                .dns_resolver(inner.names.clone())
                .redirect(reach::world_redirects(traits.follow))
                .connect_timeout(CONNECT_WITHIN),
            Reach::World => through(builder, &inner.settings.proxy)?
                .redirect(reach::world_redirects(traits.follow))
                .connect_timeout(CONNECT_WITHIN),
        };
        builder.build().map_err(|error| NetFault::SetUp {
            why: root_cause(&error.without_url()),
        })
    }
}

impl fmt::Debug for NetClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetClient")
            .field("settings", &self.inner.settings)
            .finish_non_exhaustive()
    }
}

fn through(builder: ClientBuilder, proxy: &ProxyChoice) -> Result<ClientBuilder, NetFault> {
    Ok(match proxy {
        ProxyChoice::System => builder,
        ProxyChoice::None => builder.no_proxy(),
        ProxyChoice::Through { url, except } => {
            let proxy = Proxy::all(url.clone()).map_err(|_| NetFault::SetUp {
                why: "the proxy's address cannot be used".to_owned(),
            })?;
            builder.proxy(proxy.no_proxy(NoProxy::from_string(except)))
        }
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

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
