//! Converts a person's draft to a connection and its secrets.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_api::Fault;
use adjutant_api::models::{ConnectionDraft, ModelView, SecretText};
use adjutant_models::file::WrongFile;
use adjutant_models::{
    Connection, LOCAL_MODEL, ModelChoice, ProviderKind, QUICK_NAME, Unencrypted,
};
use adjutant_net::{HeaderName, HeaderValue, ProxyChoice, Url};
use secrecy::{ExposeSecret as _, SecretString};

use super::{at, tier_of, word};
use crate::models::Connected;

/// Maximum number of characters in a connection's name.
const NAME_CHARS_MAX: usize = 40;
/// Maximum number of headers per connection.
const HEADERS_MAX: usize = 20;
/// Maximum size in bytes of a header's value; some keyrings accept no more.
const HEADER_BYTES_MAX: usize = 1_200;
/// Headers that the connection itself sets.
const HEADERS_OURS: [&str; 7] = [
    "connection",
    "content-length",
    "content-type",
    "host",
    "proxy-authorization",
    "transfer-encoding",
    "x-adjutant-stage",
];

/// A validated draft.
pub(super) struct Drafted {
    pub(super) connection: Connection,
    /// New secrets by the names they are stored under, without the key.
    pub(super) secrets: BTreeMap<String, SecretString>,
    /// Whether the address changed, so that the stored key and headers are not sent to the new one.
    pub(super) moved: bool,
}

/// Validates a draft. Takes what a draft cannot express from the connection it replaces.
pub(super) fn read(draft: ConnectionDraft, all: &[Connected]) -> Result<Drafted, Fault> {
    let name = name(&draft.name)?;
    let kept = all
        .iter()
        .map(|one| &one.connection)
        .find(|one| one.name == name);
    let kind = kind(&draft.kind)?;
    let address = match draft.base_url.trim() {
        "" => kind.usual_base().unwrap_or_default(),
        given => given,
    };
    let base_url = match kind {
        ProviderKind::File => Connection::file_address(address),
        _ => Connection::address(address),
    }
    .map_err(|wrong| at("address", &wrong.to_string(), ""))?;
    let mut models = BTreeMap::new();
    for (tier, model) in draft.models {
        models.insert(tier_of(&tier)?, choice(model)?);
    }
    let mut connection = Connection::new(name, kind, base_url, ModelChoice::named(""));
    connection.models = models;
    connection.embedding = draft.embedding.filter(|id| !id.trim().is_empty());
    // A secret was given for one address and is sent to no other.
    let same = kept.filter(|before| before.base_url.origin() == connection.base_url.origin());
    if let Some(before) = same {
        connection.key.clone_from(&before.key);
    }
    // Permission for unencrypted sending is also limited to one address.
    connection.unencrypted = draft
        .unencrypted
        .unwrap_or_else(|| same.is_some_and(|before| before.unencrypted));
    if let Some(before) = kept {
        connection.first_piece_seconds = before.first_piece_seconds;
        connection.between_pieces_seconds = before.between_pieces_seconds;
    }
    let mut secrets = BTreeMap::new();
    headers(
        draft.headers,
        draft.no_headers == Some(true),
        same,
        &mut connection,
        &mut secrets,
    )?;
    proxy(draft.proxy.trim(), kept, &mut connection, &mut secrets)?;
    let moved = same.is_none()
        && kept.is_some_and(|before| {
            before.key.is_some()
                || before
                    .headers
                    .iter()
                    .any(|name| !connection.headers.contains(name))
        });
    Ok(Drafted {
        connection,
        secrets,
        moved,
    })
}

/// Rejects a connection that would send secrets unencrypted without the person's permission.
pub(super) fn check_encrypted(connection: &Connection) -> Result<(), Fault> {
    if connection.exposes_secrets() && !connection.unencrypted {
        let refused = Unencrypted {
            connection: connection.name.clone(),
        };
        return Err(at("unencrypted", &refused.to_string(), ""));
    }
    Ok(())
}

/// Returns the typed text without surrounding whitespace; `None` if nothing is left.
pub(super) fn filled(SecretText(text): SecretText) -> Option<SecretString> {
    let text = text.trim();
    (!text.is_empty()).then(|| SecretString::from(text))
}

fn name(given: &str) -> Result<String, Fault> {
    let name = given.trim().to_owned();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || !name.chars().all(fits) {
        return Err(at(
            "name",
            "A connection's name can have up to 40 letters, digits, spaces, dots, dashes and underscores.",
            "Choose another name.",
        ));
    }
    if name == QUICK_NAME {
        return Err(at(
            "name",
            "“quick” is the connection from ADJUTANT_MODEL_URL and ADJUTANT_MODEL.",
            "Choose another name, or change those variables.",
        ));
    }
    Ok(name)
}

fn kind(given: &str) -> Result<ProviderKind, Fault> {
    if given == word(ProviderKind::File) {
        return if LOCAL_MODEL {
            Ok(ProviderKind::File)
        } else {
            Err(at("kind", &WrongFile::NotBuiltIn.to_string(), ""))
        };
    }
    ProviderKind::ALL
        .into_iter()
        .find(|kind| word(*kind) == given)
        .ok_or_else(|| {
            let known: Vec<String> = ProviderKind::ALL.into_iter().map(word).collect();
            at(
                "kind",
                &format!("“{given}” is not a kind of provider."),
                &format!("Choose one of {}.", known.join(", ")),
            )
        })
}

fn choice(model: ModelView) -> Result<ModelChoice, Fault> {
    let id = model.id.trim();
    if id.is_empty() {
        return Err(at(
            "model",
            "A model needs a name.",
            "Choose one from the list.",
        ));
    }
    let named = ModelChoice::named(id);
    let free = model.free == Some(true);
    // A form sends 0 if no price was given.
    let price = |given: u64| (given > 0 && !free).then_some(given);
    Ok(ModelChoice {
        context_tokens: match model.context_tokens {
            0 => named.context_tokens,
            given => given,
        },
        tools: model.tools,
        structure: model.structure,
        free,
        input_micros_per_million: price(model.input_micros_per_million),
        output_micros_per_million: price(model.output_micros_per_million),
        ..named
    })
}

/// Adds header names to the connection and their values to its secrets.
fn headers(
    drafted: BTreeMap<String, SecretText>,
    none: bool,
    kept: Option<&Connection>,
    connection: &mut Connection,
    secrets: &mut BTreeMap<String, SecretString>,
) -> Result<(), Fault> {
    if drafted.len() > HEADERS_MAX {
        return Err(at("headers", "There are too many headers.", "Remove some."));
    }
    let before = kept.filter(|_| !none).map(|one| &one.headers);
    if drafted.is_empty() {
        connection.headers = before.cloned().unwrap_or_default();
        return Ok(());
    }
    let mut names = BTreeSet::new();
    for (given, value) in drafted {
        let known = HeaderName::from_bytes(given.trim().as_bytes())
            .ok()
            .filter(|name| !HEADERS_OURS.contains(&name.as_str()))
            .ok_or_else(|| {
                at(
                    "headers",
                    &format!(
                        "“{}” is not a header that you can set.",
                        given.escape_debug()
                    ),
                    "A header has letters, digits and dashes, such as X-Org.",
                )
            })?;
        let header = known.as_str().to_owned();
        match filled(value) {
            Some(value) => {
                let fits = |text: &str| {
                    text.len() <= HEADER_BYTES_MAX && HeaderValue::from_str(text).is_ok()
                };
                if !fits(value.expose_secret()) {
                    return Err(at(
                        "headers",
                        &format!("The value of the header {header} cannot be sent."),
                        "A value is one line of at most 1200 letters, digits and symbols.",
                    ));
                }
                secrets.insert(connection.header_name(&header), value);
            }
            None if before.is_some_and(|names| names.contains(&header)) => {}
            None => {
                return Err(at(
                    "headers",
                    &format!("The header {header} has no value."),
                    "Enter a value, or remove the header.",
                ));
            }
        }
        names.insert(header);
    }
    connection.headers = names;
    Ok(())
}

/// Adds the proxy's address to the connection and its password to the secrets. A stored password stays with its address
/// and is sent to no other.
fn proxy(
    given: &str,
    kept: Option<&Connection>,
    connection: &mut Connection,
    secrets: &mut BTreeMap<String, SecretString>,
) -> Result<(), Fault> {
    if given.is_empty() {
        return Ok(());
    }
    let choice =
        ProxyChoice::parse(given, "").map_err(|wrong| at("proxy", &wrong.to_string(), ""))?;
    let ProxyChoice::Through { mut url, .. } = choice else {
        connection.proxy = Some(given.to_owned());
        return Ok(());
    };
    let password = url.password().filter(|text| !text.is_empty());
    if let Some(password) = password {
        secrets.insert(connection.proxy_name(), SecretString::from(password));
        connection.proxy_password = true;
    }
    // The URL has a host, so changing its password cannot fail.
    let _ = url.set_password(None);
    let same = |one: &&Connection| {
        one.proxy
            .as_deref()
            .and_then(|text| Url::parse(text).ok())
            .as_ref()
            == Some(&url)
    };
    if kept.filter(same).is_some_and(|one| one.proxy_password) {
        connection.proxy_password = true;
    }
    connection.proxy = Some(url.to_string());
    Ok(())
}
