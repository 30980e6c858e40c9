//! What a person sets up once: where a provider is, how to get in, and which of its models serve which tier.

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

/// Time until the first piece of a reply where the request says nothing (vectors, the test of a connection): a local
/// server may load the model first.
const FIRST_PIECE_LOCAL: Duration = Duration::from_secs(180);
/// The same for a provider in the world.
const FIRST_PIECE_WORLD: Duration = Duration::from_secs(60);
/// Time between two pieces where the request says nothing.
const BETWEEN_PIECES: Duration = Duration::from_secs(30);

/// What the connection of the environment is called; no other may be called so.
pub const QUICK_NAME: &str = "quick";

/// Why a text is no address of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongAddress {
    /// It is no web address.
    #[error("That is not a web address. Write it like http://127.0.0.1:11434/v1.")]
    None,
    /// There is a name or a password in it.
    #[error(
        "An address is stored and shown, so no name and no password may stand in it. Give what lets you in as the key, or as a header."
    )]
    HoldsPassword,
    /// It is no file of this machine.
    #[error("That is not the whole path of a file. Write it like /home/me/models/small.gguf.")]
    NoFile,
}

/// What is said where a key or header would go out unencrypted and nobody allowed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The key or a header of {connection} would cross the network unencrypted, where others can read it. Use an https address, or allow it for this connection."
)]
pub struct Unencrypted {
    /// Name of the connection.
    pub connection: String,
}

/// Which way of speaking a provider understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// Whatever speaks as OpenAI does: LM Studio, llama.cpp, vLLM, OpenRouter, Ollama's `/v1`, and many more.
    Compatible,
    /// OpenAI.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama in its own way, which knows the size of the window.
    Ollama,
    /// A GGUF file on this machine, answered by a process of ours where it is built in ([`crate::LOCAL_MODEL`]). Its address
    /// is the file's.
    File,
}

impl ProviderKind {
    /// All servers, in the order settings offer them.
    pub const ALL: [Self; 5] = [
        Self::Ollama,
        Self::Compatible,
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
    ];

    /// The name for people.
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

    /// Where it usually is; none where only the person knows.
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

/// A key. It is never printed, logged or serialised, and its memory is wiped.
#[derive(Clone)]
pub struct Key(SecretString);

impl Key {
    /// A key as the person pasted it, without the blanks around it. None when nothing is left.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(SecretString::from(text)))
    }

    /// The key itself, for a header and nothing else.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Where keys are looked up: the system's keyring, or what a test says.
pub trait Keys: Send + Sync {
    /// The key of that name; none when there is none.
    ///
    /// # Errors
    /// When the place cannot be asked, in words for the person.
    fn key(&self, name: &str) -> Result<Option<Key>, String>;
}

impl Keys for BTreeMap<String, Key> {
    fn key(&self, name: &str) -> Result<Option<Key>, String> {
        Ok(self.get(name).cloned())
    }
}

/// A provider as the person set it up. It holds nothing secret: keys, values of headers and the password of a proxy are
/// looked up by the names it gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// What the person calls it; the first part of a model's identifier.
    pub name: String,
    /// How to speak to it.
    pub kind: ProviderKind,
    /// Where it is.
    pub base_url: Url,
    /// Name of its key in the keyring; none where none is needed.
    #[serde(default)]
    pub key: Option<String>,
    /// Names of headers sent along with every request, in small letters.
    #[serde(default)]
    pub headers: BTreeSet<String>,
    /// Its own proxy, written as in settings and without a password; none means the one of all.
    #[serde(default)]
    pub proxy: Option<String>,
    /// The proxy asks for a password.
    #[serde(default)]
    pub proxy_password: bool,
    /// The person allowed its key and headers to go out unencrypted ([`Self::exposes_secrets`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unencrypted: bool,
    /// Which model serves which tier. One is enough: it then serves all.
    pub models: BTreeMap<Tier, ModelChoice>,
    /// The model for vectors, if any.
    #[serde(default)]
    pub embedding: Option<String>,
    /// Seconds until the first piece of a reply, at most; none means the usual.
    #[serde(default)]
    pub first_piece_seconds: Option<u32>,
    /// Seconds between two pieces of a reply, at most; none means the usual.
    #[serde(default)]
    pub between_pieces_seconds: Option<u32>,
}

impl Connection {
    /// A connection with one model for everything.
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

    /// What the environment offers without a settings file: an OpenAI-compatible address and a model
    /// (`ADJUTANT_MODEL_URL`, `ADJUTANT_MODEL`). `key` is the name under which its key will be found, if there is one.
    ///
    /// # Errors
    /// When the address is none, in words for the person.
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

    /// Reads the address of a provider. One with a name or a password in it is refused: addresses are stored and shown.
    ///
    /// # Errors
    /// What is wrong with it and what to do, in words for the person.
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

    /// Reads the path of a model file, plain or as a `file:` address. Files of other machines are refused.
    ///
    /// # Errors
    /// What is wrong with it and what to do, in words for the person.
    pub fn file_address(text: &str) -> Result<Url, WrongAddress> {
        let text = text.trim();
        let url = match Url::parse(text) {
            Ok(url) if url.scheme() == "file" => Some(url),
            _ => Url::from_file_path(Path::new(text)).ok(),
        };
        url.filter(|url| path_of(url).is_some())
            .ok_or(WrongAddress::NoFile)
    }

    /// The model file, where that is what it is.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        (self.kind == ProviderKind::File)
            .then(|| path_of(&self.base_url))
            .flatten()
    }

    /// Under which name the key of a connection is kept.
    #[must_use]
    pub fn key_name(connection: &str) -> String {
        format!("models/{connection}")
    }

    /// Under which name the value of one of its headers is kept. Names of connections hold no slash.
    #[must_use]
    pub fn header_name(&self, header: &str) -> String {
        format!("models/{}/header/{header}", self.name)
    }

    /// Under which name the password of its proxy is kept.
    #[must_use]
    pub fn proxy_name(&self) -> String {
        format!("models/{}/proxy", self.name)
    }

    /// The names of everything secret it needs.
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

    /// Whether its key or headers would cross a network unencrypted: it is asked over plain http, and not on this machine.
    #[must_use]
    pub fn exposes_secrets(&self) -> bool {
        self.base_url.scheme() == "http"
            && !reach::is_loopback(&self.base_url)
            && (self.key.is_some() || !self.headers.is_empty())
    }

    /// The model that serves a tier: its own, or the nearest cheaper, or the nearest dearer one.
    #[must_use]
    pub fn choice(&self, tier: Tier) -> Option<&ModelChoice> {
        let below = self.models.range(..=tier).next_back();
        below
            .or_else(|| self.models.range(tier..).next())
            .map(|(_, choice)| choice)
    }

    /// Whether it runs on this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.kind == ProviderKind::File || reach::is_loopback(&self.base_url)
    }

    /// What is known of the model that serves a tier.
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

    /// How long the person said to wait for it.
    pub(crate) fn own_limits(&self) -> TimeLimits {
        let seconds = |given: u32| Duration::from_secs(u64::from(given.max(1)));
        TimeLimits {
            begin: self.first_piece_seconds.map(seconds),
            between: self.between_pieces_seconds.map(seconds),
            whole: None,
        }
    }

    /// How long is waited for a first piece where a request does not say.
    pub(crate) fn first_piece_within(&self) -> Duration {
        let usual = if self.is_local() {
            FIRST_PIECE_LOCAL
        } else {
            FIRST_PIECE_WORLD
        };
        self.own_limits().begin.unwrap_or(usual)
    }

    /// The same between two pieces.
    pub(crate) fn between_pieces_within(&self) -> Duration {
        self.own_limits().between.unwrap_or(BETWEEN_PIECES)
    }
}

/// The path of a `file:` address without a host.
fn path_of(url: &Url) -> Option<PathBuf> {
    let own = url.scheme() == "file" && url.host().is_none();
    own.then(|| url.to_file_path().ok())
        .flatten()
        .filter(|path| path.file_stem().is_some())
}

/// People paste the address a server prints. Where the way of speaking has a version in its path and the address has no
/// path at all, the version is added.
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
