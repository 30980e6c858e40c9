//! How to reach other machines: directly or through a proxy.

use std::fmt;
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::{SocksV4, SocksV5, Tunnel};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;
use url::Url;

use crate::fault::Wrong;
use crate::fault::root_cause;
use crate::reach::exact_host;

/// Choice of proxy for requests to other machines.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// The system's or the environment's (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`).
    #[default]
    System,
    /// No proxy.
    None,
    /// This proxy. Its address may contain user name and password.
    Through {
        /// Address, such as `http://proxy.example:3128` or `socks5h://127.0.0.1:9050`.
        url: Url,
        /// Hosts to contact directly, separated by commas, as in `NO_PROXY`.
        except: String,
    },
}

impl ProxyChoice {
    /// Parses the setting: empty or `system` for the system's proxy, `none` for no proxy, otherwise an address.
    ///
    /// # Errors
    /// Returns [`Wrong::Proxy`] if the text is not the address of a proxy.
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

    /// Returns the proxy for a URL, if any, as the HTTP client also determines it.
    pub(crate) fn of(&self, url: &Url) -> Option<Intercept> {
        let matcher = match self {
            Self::None => return None,
            Self::System => Matcher::from_system(),
            Self::Through { url, except } => Matcher::builder()
                .all(url.as_str())
                .no(except.as_str())
                .build(),
        };
        matcher.intercept(&url.as_str().parse().ok()?)
    }

    /// Returns the proxy for a connection that does not speak HTTP. Of the system's proxies only SOCKS ones qualify;
    /// the others are meant for web pages.
    pub(crate) fn of_stream(&self, target: &Url) -> Option<Intercept> {
        let socks = |proxy: &Intercept| {
            let scheme = proxy.uri().scheme_str();
            scheme.is_some_and(|scheme| scheme.starts_with("socks"))
        };
        self.of(target)
            .filter(|proxy| *self != Self::System || socks(proxy))
    }
}

impl fmt::Debug for ProxyChoice {
    /// Omits user name and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("System"),
            Self::None => f.write_str("None"),
            Self::Through { url, .. } => write!(f, "Through({})", exact_host(url)),
        }
    }
}

/// Opens a connection to the host and port of `target` through a proxy.
///
/// # Errors
/// Returns the reason in words.
pub(crate) async fn tunnel(
    proxy: &Intercept,
    target: &Url,
    within: Duration,
) -> Result<TcpStream, String> {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_connect_timeout(Some(within));
    let target = target
        .as_str()
        .parse()
        .map_err(|_| "its address cannot be given to the proxy".to_owned())?;
    let uri = proxy.uri().clone();
    let scheme = uri.scheme_str().unwrap_or_default().to_owned();
    let opened = match scheme.as_str() {
        "http" => {
            let mut tunnel = Tunnel::new(uri, connector);
            if let Some(auth) = proxy.basic_auth() {
                tunnel = tunnel.with_auth(auth.clone());
            }
            tunnel
                .call(target)
                .await
                .map_err(|error| root_cause(&error))
        }
        "socks5" | "socks5h" => {
            let mut socks = SocksV5::new(uri, connector).local_dns(scheme == "socks5");
            if let Some((name, password)) = proxy.raw_auth() {
                socks = socks.with_auth(name.to_owned(), password.to_owned());
            }
            socks.call(target).await.map_err(|error| root_cause(&error))
        }
        "socks4" | "socks4a" => SocksV4::new(uri, connector)
            .local_dns(scheme == "socks4")
            .call(target)
            .await
            .map_err(|error| root_cause(&error)),
        _ => Err(format!(
            "a proxy with {scheme} carries web pages only; use one with http or socks5"
        )),
    };
    opened.map(TokioIo::into_inner)
}
