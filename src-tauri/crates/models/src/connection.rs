//! What the person sets up once: the provider's address, its credentials, and which of its models serve which tier.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant_domain::model::{ModelProfile, Tier, TimeLimits};
use adjutant_net::{Url, reach};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::choice::ModelChoice;
use crate::price::price;

/// Time until the first piece of a reply if the request sets no limit (embeddings, the test of a connection). A local
/// server may have to load the model first.
const FIRST_PIECE_LOCAL: Duration = Duration::from_secs(180);
/// The same for a remote provider.
const FIRST_PIECE_WORLD: Duration = Duration::from_secs(60);
/// Time between two pieces if the request sets no limit.
const BETWEEN_PIECES: Duration = Duration::from_secs(30);

/// Name of the connection that comes from environment variables; no other connection may have it.
pub const QUICK_NAME: &str = "quick";

/// The reason why a text is not a provider's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongAddress {
    /// It is not a web address.
    #[error("That is not a web address. Write it like http://127.0.0.1:11434/v1.")]
    None,
    /// It contains a user name or a password.
    #[error(
        "An address is stored and shown, so it must not contain a name or password. Enter those as the key, or as a header."
    )]
    HoldsPassword,
    /// It is not the full path of a file on this computer.
    #[error("That is not the full path of a file. Write it like /home/me/models/small.gguf.")]
    NoFile,
}

/// The refusal to send a key or header unencrypted without the person's permission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The key or a header of {connection} would cross the network unencrypted, where others can read it. Use an https address, or allow it for this connection."
)]
pub struct Unencrypted {
    /// Name of the connection.
    pub connection: String,
}

/// The API that a provider understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// Any server with OpenAI's API: LM Studio, llama.cpp, vLLM, OpenRouter, Ollama's `/v1`, and many more.
    Compatible,
    /// OpenAI.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama through its native API, which reports the size of the context window.
    Ollama,
    /// A GGUF file on this computer, run by a process of ours in builds that include it ([`crate::LOCAL_MODEL`]). Its
    /// address is the path of the file.
    File,
}

impl ProviderKind {
    /// All kinds of servers, in the order in which settings offer them.
    pub const ALL: [Self; 5] = [
        Self::Ollama,
        Self::Compatible,
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
    ];

    /// Returns the name shown to people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Compatible => "OpenAI-compatible server",
            Self::OpenAi => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Ollama => "Ollama",
            Self::File => "Model on this computer",
        }
    }

    /// Returns the provider's usual address, or `None` if only the person knows it.
    #[must_use]
    pub const fn usual_base(self) -> Option<&'static str> {
        match self {
            Self::Compatible | Self::File => None,
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com/v1"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta"),
            Self::Ollama => Some("http://127.0.0.1:11434"),
        }
    }
}

/// A key. It is never printed, logged or serialised, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Key(SecretString);

impl Key {
    /// Wraps a key as the person pasted it, without surrounding whitespace. `None` if nothing is left.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(SecretString::from(text)))
    }

    /// Returns the key itself, to be put into a header and used for nothing else.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Looks up keys: in the system's keyring, or in a test's own store.
pub trait Keys: Send + Sync {
    /// Returns the key with a name, or `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot be read; the message is for the person.
    fn key(&self, name: &str) -> Result<Option<Key>, String>;
}

impl Keys for BTreeMap<String, Key> {
    fn key(&self, name: &str) -> Result<Option<Key>, String> {
        Ok(self.get(name).cloned())
    }
}

/// A provider as the person set it up. It contains no secrets: the key, header values and the proxy's password are
/// looked up by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// The person's name for it, which is also the first part of a model's identifier.
    pub name: String,
    /// The API it speaks.
    pub kind: ProviderKind,
    /// Its address.
    pub base_url: Url,
    /// Name of its key in the keyring; `None` if it needs none.
    #[serde(default)]
    pub key: Option<String>,
    /// Names of the headers sent with every request, in lower case.
    #[serde(default)]
    pub headers: BTreeSet<String>,
    /// Its own proxy, written as in settings and without a password; `None` for the general one.
    #[serde(default)]
    pub proxy: Option<String>,
    /// Whether the proxy requires a password.
    #[serde(default)]
    pub proxy_password: bool,
    /// Whether the person allowed its key and headers to be sent unencrypted ([`Self::exposes_secrets`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unencrypted: bool,
    /// The model of each tier. A single one is enough: it then serves all tiers.
    pub models: BTreeMap<Tier, ModelChoice>,
    /// Name of the embedding model, if any.
    #[serde(default)]
    pub embedding: Option<String>,
    /// Longest time until the first piece of a reply, in seconds; `None` for the default.
    #[serde(default)]
    pub first_piece_seconds: Option<u32>,
    /// Longest time between two pieces of a reply, in seconds; `None` for the default.
    #[serde(default)]
    pub between_pieces_seconds: Option<u32>,
}

impl Connection {
    /// Creates a connection with one model for everything.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        kind: ProviderKind,
        base_url: Url,
        model: ModelChoice,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            base_url: with_version(kind, base_url),
            key: None,
            headers: BTreeSet::new(),
            proxy: None,
            proxy_password: false,
            unencrypted: false,
            models: BTreeMap::from([(Tier::Standard, model)]),
            embedding: None,
            first_piece_seconds: None,
            between_pieces_seconds: None,
        }
    }

    /// Creates the connection described by the environment instead of settings: an OpenAI-compatible address and a
    /// model (`ADJUTANT_MODEL_URL`, `ADJUTANT_MODEL`). `key` is the name of its key, if there is one.
    ///
    /// # Errors
    /// When the address is invalid; the message is for the person.
    pub fn quick(url: &str, model: &str, key: Option<String>) -> Result<Self, String> {
        let base_url =
            Self::address(url).map_err(|wrong| format!("ADJUTANT_MODEL_URL: {wrong}"))?;
        let mut connection = Self::new(
            QUICK_NAME,
            ProviderKind::Compatible,
            base_url,
            ModelChoice::named(model.trim()),
        );
        connection.key = key;
        Ok(connection)
    }

    /// Parses a provider's address. Refuses one with a user name or password, because addresses are stored and shown.
    ///
    /// # Errors
    /// [`WrongAddress`], whose text says what is wrong and what to do.
    pub fn address(text: &str) -> Result<Url, WrongAddress> {
        let url = Url::parse(text.trim())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or(WrongAddress::None)?;
        if url.username().is_empty() && url.password().is_none() {
            Ok(url)
        } else {
            Err(WrongAddress::HoldsPassword)
        }
    }

    /// Parses the path of a model file, plain or as a `file:` address. Refuses files of other computers.
    ///
    /// # Errors
    /// [`WrongAddress`], whose text says what is wrong and what to do.
    pub fn file_address(text: &str) -> Result<Url, WrongAddress> {
        let text = text.trim();
        let url = match Url::parse(text) {
            Ok(url) if url.scheme() == "file" => Some(url),
            _ => Url::from_file_path(Path::new(text)).ok(),
        };
        url.filter(|url| path_of(url).is_some())
            .ok_or(WrongAddress::NoFile)
    }

    /// Returns the path of the model file, or `None` if this is a server.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        (self.kind == ProviderKind::File)
            .then(|| path_of(&self.base_url))
            .flatten()
    }

    /// Returns the keyring name of a connection's key.
    #[must_use]
    pub fn key_name(connection: &str) -> String {
        format!("models/{connection}")
    }

    /// Returns the keyring name of a header's value. Names of connections contain no slash.
    #[must_use]
    pub fn header_name(&self, header: &str) -> String {
        format!("models/{}/header/{header}", self.name)
    }

    /// Returns the keyring name of the proxy's password.
    #[must_use]
    pub fn proxy_name(&self) -> String {
        format!("models/{}/proxy", self.name)
    }

    /// Returns the keyring names of all secrets it needs.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let headers = self.headers.iter().map(|header| self.header_name(header));
        let proxy = self.proxy_password.then(|| self.proxy_name());
        self.key
            .clone()
            .into_iter()
            .chain(headers)
            .chain(proxy)
            .collect()
    }

    /// Whether its key or headers would cross a network unencrypted: the address is plain http and not on this
    /// computer.
    #[must_use]
    pub fn exposes_secrets(&self) -> bool {
        self.base_url.scheme() == "http"
            && !reach::is_loopback(&self.base_url)
            && (self.key.is_some() || !self.headers.is_empty())
    }

    /// Returns the model that serves a tier: its own, otherwise the one of the nearest lower tier, otherwise of the
    /// nearest higher one.
    #[must_use]
    pub fn choice(&self, tier: Tier) -> Option<&ModelChoice> {
        let below = self.models.range(..=tier).next_back();
        below
            .or_else(|| self.models.range(tier..).next())
            .map(|(_, choice)| choice)
    }

    /// Whether it runs on this computer.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.kind == ProviderKind::File || reach::is_loopback(&self.base_url)
    }

    /// Returns the profile of the model that serves a tier.
    #[must_use]
    pub fn profile(&self, tier: Tier) -> Option<ModelProfile> {
        let choice = self.choice(tier)?;
        let price = price(&self.base_url, choice);
        Some(ModelProfile {
            id: format!("{}/{}", self.name, choice.id),
            tier,
            context_tokens: choice.context_tokens,
            tools: choice.tools,
            structure: choice.structure,
            input_micros_per_million: price.input,
            output_micros_per_million: price.output,
            price_known: price.known,
            local: self.is_local(),
        })
    }

    /// Returns the time limits set by the person.
    pub(crate) fn own_limits(&self) -> TimeLimits {
        let seconds = |given: u32| Duration::from_secs(u64::from(given.max(1)));
        TimeLimits {
            begin: self.first_piece_seconds.map(seconds),
            between: self.between_pieces_seconds.map(seconds),
            whole: None,
        }
    }

    /// Returns how long to wait for the first piece if a request sets no limit.
    pub(crate) fn first_piece_within(&self) -> Duration {
        let usual = if self.is_local() {
            FIRST_PIECE_LOCAL
        } else {
            FIRST_PIECE_WORLD
        };
        self.own_limits().begin.unwrap_or(usual)
    }

    /// Returns how long to wait between two pieces if a request sets no limit.
    pub(crate) fn between_pieces_within(&self) -> Duration {
        self.own_limits().between.unwrap_or(BETWEEN_PIECES)
    }
}

/// Returns the path of a `file:` address without a host.
fn path_of(url: &Url) -> Option<PathBuf> {
    let own = url.scheme() == "file" && url.host().is_none();
    own.then(|| url.to_file_path().ok())
        .flatten()
        .filter(|path| path.file_stem().is_some())
}

/// Adds the API version to an address without a path, if the API has a version in its path. People paste the address
/// that a server prints.
fn with_version(kind: ProviderKind, mut base: Url) -> Url {
    let version = match kind {
        ProviderKind::Compatible | ProviderKind::OpenAi | ProviderKind::Anthropic => "/v1",
        ProviderKind::Gemini => "/v1beta",
        ProviderKind::Ollama | ProviderKind::File => "",
    };
    if matches!(base.path(), "" | "/") {
        base.set_path(version);
    }
    base
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
