//! Search engines: one file each, one contract for all (`tests/engines.rs`).

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

/// The engines there are.
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
    /// Every engine, in the order in which they are offered.
    pub const ALL: [Self; 5] = [
        Self::Wikipedia,
        Self::SearXng,
        Self::Tavily,
        Self::Brave,
        Self::Server,
    ];

    /// The word in the settings.
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

    /// Whether it needs a key.
    #[must_use]
    pub fn needs_key(self) -> bool {
        matches!(self, Self::Tavily | Self::Brave)
    }
}

/// Keys of engines, read when they are needed.
#[async_trait]
pub trait Keys: Send + Sync {
    /// The key; none where none was entered.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    async fn key(&self, of: EngineKind) -> Result<Option<SecretString>, String>;
}

/// What an engine asks with.
#[derive(Clone)]
pub struct Asks {
    /// The network.
    pub net: NetClient,
    /// The time, for servers that name a date to come back at.
    pub clock: Arc<dyn Clock>,
    /// Where it is.
    pub base: Url,
}

impl Asks {
    /// Its host, with the port where it is not the usual one.
    fn host(&self) -> String {
        host_of(&self.base)
    }

    /// An address below the base, whose path is kept.
    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let kept = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{kept}/{path}"));
        url.set_query(None);
        url.set_fragment(None);
        url
    }
}

/// Host, and port where it is not the scheme's own.
pub(crate) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The key of an engine that needs one, for a place where nobody else can read it.
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
