//! Search engines: one file each, with a shared contract (`tests/engines.rs`).

mod ask;
mod brave;
mod clean;
mod searxng;
mod tavily;
mod tool;
mod wikipedia;

pub use brave::Brave;
pub use searxng::SearXng;
pub use tavily::Tavily;
pub use tool::ToolEngine;
pub use wikipedia::Wikipedia;

use std::sync::Arc;

use adjutant_domain::ports::{Clock, SourceFault};
use adjutant_net::NetClient;
use async_trait::async_trait;
use secrecy::SecretString;
use url::Url;

/// The available engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// [`SearXng`].
    SearXng,
    /// [`Tavily`].
    Tavily,
    /// [`Brave`].
    Brave,
    /// [`Wikipedia`].
    Wikipedia,
    /// [`ToolEngine`].
    Server,
}

impl EngineKind {
    /// Every engine, in the order in which the app offers them.
    pub const ALL: [Self; 5] = [
        Self::Wikipedia,
        Self::SearXng,
        Self::Tavily,
        Self::Brave,
        Self::Server,
    ];

    /// Returns the name used in the settings.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::SearXng => "searxng",
            Self::Tavily => "tavily",
            Self::Brave => "brave",
            Self::Wikipedia => "wikipedia",
            Self::Server => "server",
        }
    }

    /// Tells whether the engine needs a key.
    #[must_use]
    pub fn needs_key(self) -> bool {
        matches!(self, Self::Tavily | Self::Brave)
    }
}

/// Provides engine keys on demand.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Returns the key; `None` if the person entered none.
    ///
    /// # Errors
    /// Returns the reason, in words, if the key cannot be read.
    async fn key(&self, of: EngineKind) -> Result<Option<SecretString>, String>;
}

/// What an engine needs to send requests.
#[derive(Clone)]
pub struct Asks {
    /// The network client.
    pub net: NetClient,
    /// The clock, to interpret dates in `Retry-After`.
    pub clock: Arc<dyn Clock>,
    /// Base address of the engine.
    pub base: Url,
}

impl Asks {
    /// Returns the host, with its port unless it is the default.
    fn host(&self) -> String {
        host_of(&self.base)
    }

    /// Returns an address below the base address.
    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let kept = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{kept}/{path}"));
        url.set_query(None);
        url.set_fragment(None);
        url
    }
}

/// Returns the host, with its port unless it is the scheme's default.
pub(crate) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Returns an engine's key, provided the connection to the engine is private.
async fn key(
    keys: &dyn Keys,
    of: EngineKind,
    name: &str,
    asks: &Asks,
) -> Result<SecretString, SourceFault> {
    let missing = |what: String| SourceFault::NotConfigured { what };
    if asks.base.scheme() != "https" && !adjutant_net::reach::is_loopback(&asks.base) {
        return Err(missing(format!(
            "The address of {name} is not encrypted, so its key is not sent there."
        )));
    }
    let key = keys.key(of).await.map_err(|why| SourceFault::Failed {
        what: format!("The key of {name} cannot be read: {why}."),
    })?;
    key.ok_or_else(|| missing(format!("{name} needs a key.")))
}
