//! The app's access to engines and pages, following the current settings.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::ports::{
    Clock, Lookup, Pages, SearchEngine, SearchTool, Snapshot, SourceAddress, SourceFault,
};
use async_trait::async_trait;
use url::Url;

use crate::engines::{
    Asks, Brave, EngineKind, Keys, SearXng, Tavily, ToolEngine, Wikipedia, host_of,
};
use crate::own::{OwnPages, OwnSearch};
use crate::pages::{Allowed, NetNow, WebPages};

/// The settings for searching and reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The web search engine; `None` to search nothing outside this computer.
    pub engine: Option<EngineKind>,
    /// Address of the person's SearXNG.
    pub searxng_url: String,
    /// Address of a server that replaces the engine's default one; empty for the default.
    pub endpoint: String,
    /// Name of the server tool to search with, if that is the engine.
    pub tool: String,
    /// Language of Wikipedia, as in its addresses; empty for English.
    pub language: String,
    /// Hosts on this computer or its network whose pages may be read.
    pub allow_hosts: Vec<String>,
    /// Folders whose documents may be read.
    pub folders: Vec<String>,
}

/// The parts that [`Web`] is built from.
pub struct Parts {
    /// Returns the current network client.
    pub net: Arc<NetNow>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Provides engine keys.
    pub keys: Arc<dyn Keys>,
    /// The sources on this computer.
    pub own: OwnPages,
    /// Provides search tools of servers.
    pub tools: Arc<dyn SearchTools>,
}

/// Finds search tools of servers.
pub trait SearchTools: Send + Sync {
    /// Returns the tool with this name (`mcp.<server>.<tool>`).
    ///
    /// # Errors
    /// Returns a fault if the tool cannot be used now.
    fn tool(&self, name: &str) -> Result<Arc<dyn SearchTool>, SourceFault>;
}

/// The engines and pages of a profile.
pub struct Web {
    net: Arc<NetNow>,
    clock: Arc<dyn Clock>,
    keys: Arc<dyn Keys>,
    own: Arc<OwnSearch>,
    tools: Arc<dyn SearchTools>,
    opener: Arc<Opener>,
    settings: RwLock<Settings>,
}

impl Web {
    /// Creates the engines and pages from the settings.
    #[must_use]
    pub fn new(parts: Parts, settings: Settings) -> Self {
        let readers = parts.own.readers();
        parts.own.open_folders(settings.folders.clone());
        let web = WebPages::new(parts.net.clone(), parts.clock.clone(), readers);
        web.allow(allowed(&settings));
        Self {
            net: parts.net,
            clock: parts.clock,
            keys: parts.keys,
            tools: parts.tools,
            own: Arc::new(OwnSearch(parts.own.clone())),
            opener: Arc::new(Opener {
                web,
                own: parts.own,
            }),
            settings: RwLock::new(settings),
        }
    }

    /// Applies new settings from the next search and page on.
    pub fn set_settings(&self, settings: Settings) {
        self.opener.web.allow(allowed(&settings));
        self.opener.own.open_folders(settings.folders.clone());
        *self
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner) = settings;
    }

    fn asks(&self, base: &str) -> Result<Asks, SourceFault> {
        let wrong = || SourceFault::NotConfigured {
            what: "The address of the search engine cannot be read.".into(),
        };
        let base = Url::parse(base.trim()).map_err(|_| wrong())?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(wrong());
        }
        Ok(Asks {
            net: (self.net)(),
            clock: self.clock.clone(),
            base,
        })
    }
}

impl Lookup for Web {
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault> {
        let settings = self.settings.read().unwrap_or_else(PoisonError::into_inner);
        let missing = |what: &str| SourceFault::NotConfigured { what: what.into() };
        let kind = settings
            .engine
            .ok_or_else(|| missing("No search engine for the web is chosen."))?;
        let base = |usual: &str| match settings.endpoint.trim() {
            "" => usual.to_owned(),
            endpoint => endpoint.to_owned(),
        };
        Ok(match kind {
            EngineKind::SearXng => {
                if settings.searxng_url.trim().is_empty() {
                    return Err(missing("The address of your SearXNG is missing."));
                }
                Arc::new(SearXng(self.asks(&settings.searxng_url)?))
            }
            EngineKind::Tavily => Arc::new(Tavily {
                asks: self.asks(&base("https://api.tavily.com"))?,
                keys: self.keys.clone(),
            }),
            EngineKind::Brave => Arc::new(Brave {
                asks: self.asks(&base("https://api.search.brave.com"))?,
                keys: self.keys.clone(),
            }),
            EngineKind::Server => match settings.tool.trim() {
                "" => {
                    return Err(missing(
                        "The tool that searches (`web.search.tool`) is missing.",
                    ));
                }
                tool => Arc::new(ToolEngine::new(self.tools.tool(tool)?)),
            },
            EngineKind::Wikipedia => {
                let language = language(&settings.language);
                let usual = format!("https://{language}.wikipedia.org");
                Arc::new(Wikipedia(self.asks(&base(&usual))?))
            }
        })
    }

    fn own(&self) -> Arc<dyn SearchEngine> {
        self.own.clone()
    }

    fn pages(&self) -> Arc<dyn Pages> {
        self.opener.clone()
    }
}

/// Returns a valid language subdomain; English if the setting is not valid.
fn language(named: &str) -> &str {
    let named = named.trim();
    let is_one = |c: char| c.is_ascii_lowercase() || c == '-';
    match (2..=12).contains(&named.len()) && named.chars().all(is_one) {
        true => named,
        false => "en",
    }
}

/// Returns the hosts that the person named: the listed ones and the host of their own engine.
fn allowed(settings: &Settings) -> Allowed {
    let listed = settings.allow_hosts.iter().map(|host| host.trim());
    let listed = listed.map(str::to_ascii_lowercase);
    let engine = match settings.engine {
        Some(EngineKind::SearXng) => &settings.searxng_url,
        _ => &settings.endpoint,
    };
    let engine = Url::parse(engine.trim()).ok().map(|url| host_of(&url));
    listed
        .chain(engine)
        .filter(|host| !host.is_empty())
        .collect()
}

/// Opens places of every kind.
struct Opener {
    web: WebPages,
    own: OwnPages,
}

#[async_trait]
impl Pages for Opener {
    async fn open(
        &self,
        address: &SourceAddress,
        within: Duration,
    ) -> Result<Snapshot, SourceFault> {
        match address {
            SourceAddress::Page { url } => self.web.open(url, within).await,
            here => self.own.open(here, within).await,
        }
    }
}
