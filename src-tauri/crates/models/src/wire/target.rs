//! One model of one provider: its address, its credentials, and the features it turned out not to support.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use adjutant_domain::model::{ModelFault, ModelProfile, ModelRequest};
use adjutant_net::{HeaderMap, HeaderName, HeaderValue, NetClient, NetFault, ProxyChoice, Url};

use super::Dialect;
use crate::connection::{Connection, Key, Keys, ProviderKind, Unencrypted};

/// Version of Anthropic's API used here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Address and credentials used by every request of a connection.
#[derive(Clone)]
pub(crate) struct Access {
    pub net: NetClient,
    pub base: Url,
    /// The person's headers and the credentials. All values are marked as sensitive.
    pub headers: HeaderMap,
    /// Texts that must not appear in an error.
    secrets: Vec<Key>,
}

impl Access {
    /// Prepares the headers and looks up the key.
    ///
    /// # Errors
    /// When the key or another secret is missing, would be sent unencrypted, or a header cannot be sent.
    pub fn of(
        connection: &Connection,
        net: &NetClient,
        keys: &dyn Keys,
    ) -> Result<Self, ModelFault> {
        if connection.exposes_secrets() && !connection.unencrypted {
            let refused = Unencrypted {
                connection: connection.name.clone(),
            };
            return Err(ModelFault::Internal {
                why: refused.to_string(),
            });
        }
        let mut secrets = Vec::new();
        let net = match &connection.proxy {
            None => net.clone(),
            Some(proxy) => net.with_proxy(through(proxy, connection, keys, &mut secrets)?),
        };
        let mut access = Self {
            net,
            base: connection.base_url.clone(),
            headers: HeaderMap::new(),
            secrets,
        };
        if connection.kind == ProviderKind::Anthropic {
            access.add("anthropic-version", ANTHROPIC_VERSION)?;
        }
        if let Some(name) = &connection.key {
            let key = keys
                .key(name)
                .map_err(|why| ModelFault::Internal { why })?
                .ok_or_else(|| ModelFault::Key {
                    model: connection.name.clone(),
                })?;
            let (header, value) = match connection.kind {
                ProviderKind::Anthropic => ("x-api-key", key.expose().to_owned()),
                ProviderKind::Gemini => ("x-goog-api-key", key.expose().to_owned()),
                ProviderKind::Compatible
                | ProviderKind::OpenAi
                | ProviderKind::Ollama
                | ProviderKind::File => ("authorization", format!("Bearer {}", key.expose())),
            };
            access.add(header, &value).map_err(|_| ModelFault::Key {
                model: connection.name.clone(),
            })?;
            access.secrets.push(key);
        }
        for header in &connection.headers {
            let what = format!("the value of the header \"{}\"", header.escape_debug());
            let value = secret(&what, &connection.header_name(header), keys)?;
            access.add(header, value.expose())?;
            access.secrets.push(value);
        }
        Ok(access)
    }

    fn add(&mut self, name: &str, value: &str) -> Result<(), ModelFault> {
        let wrong = || ModelFault::Internal {
            why: format!(
                "The header \"{}\" cannot be sent. Correct it in the settings of the connection.",
                name.escape_debug()
            ),
        };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        self.headers.insert(header, value);
        Ok(())
    }

    /// Removes our secrets from a provider's text.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            // Short values (`true`, `eu`) are not secrets, and replacing them would only garble the text.
            if secret.expose().len() >= SECRET_BYTES_MIN {
                text = text.replace(secret.expose(), "…");
            }
        }
        text
    }
}

/// Returns the proxy of a connection, with its password.
fn through(
    proxy: &str,
    connection: &Connection,
    keys: &dyn Keys,
    secrets: &mut Vec<Key>,
) -> Result<ProxyChoice, ModelFault> {
    let wrong = |why: &str| ModelFault::Internal {
        why: why.to_owned(),
    };
    let mut choice = ProxyChoice::parse(proxy, "").map_err(|error| wrong(&error.to_string()))?;
    if let ProxyChoice::Through { url, .. } = &mut choice
        && connection.proxy_password
    {
        let password = secret("the password of the proxy", &connection.proxy_name(), keys)?;
        url.set_password(Some(password.expose())).map_err(|()| {
            wrong("This proxy does not accept a password. Enter its address again.")
        })?;
        secrets.push(password);
    }
    Ok(choice)
}

/// Looks up a secret other than the key; without it nothing is sent.
fn secret(what: &str, name: &str, keys: &dyn Keys) -> Result<Key, ModelFault> {
    let found = keys.key(name).map_err(|why| ModelFault::Internal { why })?;
    found.ok_or_else(|| ModelFault::Internal {
        why: format!("{what} is not in the keyring. Enter it again in Settings, Models"),
    })
}

/// Shorter values do not count as secrets.
const SECRET_BYTES_MIN: usize = 6;

/// A model at a provider, with what has been learned about it.
pub(crate) struct Target {
    pub access: Access,
    pub dialect: Arc<dyn Dialect>,
    pub model: String,
    first_piece: Duration,
    between_pieces: Duration,
    profile: ModelProfile,
    missing: AtomicU8,
    /// Whether it has answered before, so that a connection to it may have been kept.
    answered: AtomicBool,
}

/// A feature that a model may turn out not to support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Feature {
    Tools = 1,
    Structure = 2,
    Usage = 4,
}

impl Target {
    pub fn new(
        access: Access,
        connection: &Connection,
        profile: ModelProfile,
        model: String,
        dialect: Arc<dyn Dialect>,
    ) -> Self {
        let mut missing = 0;
        if !profile.tools {
            missing |= Feature::Tools as u8;
        }
        if !profile.structure {
            missing |= Feature::Structure as u8;
        }
        Self {
            access,
            dialect,
            model,
            first_piece: connection.first_piece_within(),
            between_pieces: connection.between_pieces_within(),
            profile,
            missing: AtomicU8::new(missing),
            answered: AtomicBool::new(false),
        }
    }

    /// Returns the identifier for people and traces.
    pub fn id(&self) -> &str {
        &self.profile.id
    }

    /// Returns the profile, updated with what has been learned.
    pub fn profile(&self) -> ModelProfile {
        ModelProfile {
            tools: self.takes(Feature::Tools),
            structure: self.takes(Feature::Structure),
            ..self.profile.clone()
        }
    }

    /// Whether it supports a feature, as far as is known.
    pub fn takes(&self, feature: Feature) -> bool {
        self.missing.load(Ordering::Relaxed) & feature as u8 == 0
    }

    /// Whether it has answered before.
    pub fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Records that it has answered.
    pub fn answers(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    /// Takes over which features the same model did not support before it was connected again.
    pub fn learn_from(&self, before: &Self) {
        let known = before.missing.load(Ordering::Relaxed);
        self.missing.fetch_or(known, Ordering::Relaxed);
    }

    /// Returns how long this request waits for its first piece.
    pub fn begins_within(&self, request: &ModelRequest) -> Duration {
        request.within.begin.unwrap_or(self.first_piece)
    }

    /// Returns how long this request waits between two pieces.
    pub fn goes_on_within(&self, request: &ModelRequest) -> Duration {
        request.within.between.unwrap_or(self.between_pieces)
    }

    /// Records that it does not support a feature. Forgotten when the connection changes or the process ends, because
    /// servers get updated.
    pub fn lacks(&self, feature: Feature) {
        self.missing.fetch_or(feature as u8, Ordering::Relaxed);
    }

    /// Returns the fault of this model for a network fault.
    pub fn net_fault(&self, fault: NetFault) -> ModelFault {
        net_fault(self.id(), fault)
    }
}

/// Returns the fault of a model for a network fault.
pub(crate) fn net_fault(model: &str, fault: NetFault) -> ModelFault {
    let model = model.to_owned();
    match fault {
        NetFault::Offline { .. } => ModelFault::Internal {
            why: format!("{model} was not asked: Adjutant is offline. Go online, or connect a model on this machine."),
        },
        NetFault::Unreachable { why, .. } | NetFault::Untrusted { why, .. } => {
            ModelFault::Unreachable { model, why }
        }
        fault @ NetFault::NotListening { .. } => ModelFault::Unreachable {
            model,
            why: fault.to_string(),
        },
        NetFault::TimedOut { waited, .. } => ModelFault::Stalled { model, waited },
        NetFault::Cut { .. } => ModelFault::Cut { model },
        NetFault::Redirected { .. } => ModelFault::Refused {
            model,
            why: "the address points to another place; enter that one in the settings of the connection".to_owned(),
        },
        fault @ NetFault::TooLarge { .. } => ModelFault::Broken {
            model,
            why: fault.to_string(),
        },
        fault @ (NetFault::Malformed { .. }
        | NetFault::SetUp { .. }
        | NetFault::NotPublic { .. }) => ModelFault::Internal {
            why: fault.to_string(),
        },
    }
}
