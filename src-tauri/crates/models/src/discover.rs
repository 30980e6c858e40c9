//! Finds models: those of a connection, and those of servers running on this computer.

use std::time::Duration;

use adjutant_domain::model::ModelFault;
use adjutant_net::{Bytes, Method, NetClient, Outgoing, Url};
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::choice::{CONTEXT_TOKENS_UNKNOWN, ModelChoice};
use crate::connection::{Connection, Keys, ProviderKind};
use crate::file;
use crate::providers::model_list;
use crate::wire::endpoint;
use crate::wire::job::{json_headers, read_refusal};
use crate::wire::target::{Access, net_fault};

/// Time a server on this computer has to answer during discovery.
const LOOK_WITHIN: Duration = Duration::from_millis(600);
/// Time a provider has to list its models.
const LIST_WITHIN: Duration = Duration::from_secs(15);
/// Time a connection has to answer when it is only asked whether it does.
const ANSWER_WITHIN: Duration = Duration::from_secs(8);
/// Largest list of models, in bytes.
const LIST_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Highest number of models of one provider that are considered; OpenRouter lists some hundreds.
const MODELS_MAX: usize = 2_000;
/// Highest number of models for which Ollama is asked for details.
const SHOWN_MAX: usize = 32;
/// Context window, in tokens, chosen for a local model that could have a larger one, because memory use grows with
/// it.
pub const CONTEXT_TOKENS_LOCAL: u32 = 16_384;

/// A model that a server offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundModel {
    /// Name of the model at the server.
    pub id: String,
    /// Size of its context window in tokens, if the server states it.
    pub context_tokens: Option<u32>,
    /// Whether it accepts tools, if the server states it.
    pub tools: Option<bool>,
    /// Whether it is an embedding model rather than a chat model, if the server states it.
    pub embeds: Option<bool>,
}

impl FoundModel {
    /// Returns the default settings for this model.
    #[must_use]
    pub fn choice(&self, local: bool) -> ModelChoice {
        let known = self.context_tokens.unwrap_or(CONTEXT_TOKENS_UNKNOWN);
        ModelChoice {
            context_tokens: if local {
                known.min(CONTEXT_TOKENS_LOCAL)
            } else {
                known
            },
            tools: self.tools.unwrap_or(true),
            ..ModelChoice::named(self.id.clone())
        }
    }

    fn named(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            context_tokens: None,
            tools: None,
            embeds: None,
        }
    }
}

/// A server found on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundServer {
    /// Name of the server for people.
    pub label: String,
    /// The API it speaks.
    pub kind: ProviderKind,
    /// Its address.
    pub base_url: Url,
    /// Its models; empty if the server runs but has no model installed.
    pub models: Vec<FoundModel>,
}

impl FoundServer {
    /// Returns a connection to it with its first chat model, or `None` if it has none. An embedding model is added if
    /// there is one.
    #[must_use]
    pub fn connection(&self) -> Option<Connection> {
        let talks = |model: &&FoundModel| model.embeds != Some(true);
        let first = self.models.iter().find(talks)?;
        let name = self.label.to_lowercase().replace([' ', '.'], "");
        let mut connection =
            Connection::new(name, self.kind, self.base_url.clone(), first.choice(true));
        connection.embedding = self
            .models
            .iter()
            .find(|model| model.embeds == Some(true))
            .map(|model| model.id.clone());
        Some(connection)
    }
}

/// A port at which a server may listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerPort {
    /// Name of the server that usually listens there.
    pub label: &'static str,
    /// The API that server speaks.
    pub kind: ProviderKind,
    /// Port on this computer.
    pub port: u16,
}

/// Default ports of common servers, from their own documentation.
pub const USUAL_PLACES: [ServerPort; 4] = [
    ServerPort {
        label: "Ollama",
        kind: ProviderKind::Ollama,
        port: 11434,
    },
    ServerPort {
        label: "LM Studio",
        kind: ProviderKind::Compatible,
        port: 1234,
    },
    ServerPort {
        label: "llama.cpp",
        kind: ProviderKind::Compatible,
        port: 8080,
    },
    ServerPort {
        label: "vLLM",
        kind: ProviderKind::Compatible,
        port: 8000,
    },
];

/// Looks for servers on this computer, at all places at once. A place that does not answer in time, or not like a
/// model server, counts as empty.
pub async fn discover(net: &NetClient, places: &[ServerPort]) -> Vec<FoundServer> {
    let looked = join_all(places.iter().map(|place| look(net, place))).await;
    looked.into_iter().flatten().collect()
}

async fn look(net: &NetClient, place: &ServerPort) -> Option<FoundServer> {
    let path = match place.kind {
        ProviderKind::Ollama => "",
        _ => "v1",
    };
    let base_url = Url::parse(&format!("http://127.0.0.1:{}/{path}", place.port)).ok()?;
    let connection = Connection::new(
        place.label,
        place.kind,
        base_url.clone(),
        ModelChoice::named(""),
    );
    let no_keys = std::collections::BTreeMap::new();
    let access = Access::of(&connection, net, &no_keys).ok()?;
    let list = tokio::time::timeout(LOOK_WITHIN, list(&connection, &access));
    let mut models = list.await.ok()?.ok()?;
    // Details are useful, but not worth a longer wait.
    let _ = tokio::time::timeout(LOOK_WITHIN, details(&connection, &access, &mut models)).await;
    Some(FoundServer {
        label: place.label.to_owned(),
        kind: place.kind,
        base_url,
        models,
    })
}

/// Returns the models of a connection for the person to choose from. The connection need not have a model set up yet.
///
/// # Errors
/// As for any request.
pub async fn models(
    connection: &Connection,
    net: &NetClient,
    keys: &dyn Keys,
) -> Result<Vec<FoundModel>, ModelFault> {
    if connection.kind == ProviderKind::File {
        return Ok(vec![in_file(connection).await?]);
    }
    let access = Access::of(connection, net, keys)?;
    let mut models = list(connection, &access).await?;
    details(connection, &access, &mut models).await;
    Ok(models)
}

/// Asks all connections at once for the names of their models, to see whether they answer. This costs nothing.
pub async fn roll_call(
    connections: &[Connection],
    net: &NetClient,
    keys: &dyn Keys,
) -> Vec<Result<Vec<String>, ModelFault>> {
    join_all(connections.iter().map(|connection| async move {
        let asked = async {
            if connection.kind == ProviderKind::File {
                return Ok(vec![in_file(connection).await?]);
            }
            let access = Access::of(connection, net, keys)?;
            list(connection, &access).await
        };
        let models = tokio::time::timeout(ANSWER_WITHIN, asked)
            .await
            .unwrap_or_else(|_| {
                Err(ModelFault::Stalled {
                    model: connection.name.clone(),
                    waited: ANSWER_WITHIN,
                })
            })?;
        Ok(models.into_iter().map(|model| model.id).collect())
    }))
    .await
}

/// Returns the model of a file, which is named after the file.
async fn in_file(connection: &Connection) -> Result<FoundModel, ModelFault> {
    let path = connection.file().ok_or(ModelFault::None)?;
    let facts = file::look(&path)
        .await
        .map_err(|why| ModelFault::Internal {
            why: why.to_string(),
        })?;
    let mut found = FoundModel::named(&file::name(&path));
    found.context_tokens = Some(facts.window);
    Ok(found)
}

async fn list(connection: &Connection, access: &Access) -> Result<Vec<FoundModel>, ModelFault> {
    let (path, key) = model_list(connection.kind);
    let url = endpoint(&access.base, path.iter().copied());
    let reply = get(connection, access, Method::GET, url, None).await?;
    let models =
        reply
            .get(key)
            .and_then(Value::as_array)
            .ok_or_else(|| ModelFault::NoSuchModel {
                model: connection.name.clone(),
            })?;
    Ok(models
        .iter()
        .filter_map(|entry| listed(connection.kind, entry))
        .take(MODELS_MAX)
        .collect())
}

/// Parses one entry of a list. Servers put the same facts into different fields.
fn listed(kind: ProviderKind, entry: &Value) -> Option<FoundModel> {
    let id_key = match kind {
        ProviderKind::Gemini | ProviderKind::Ollama => "name",
        _ => "id",
    };
    let id = entry.get(id_key)?.as_str().filter(|id| !id.is_empty())?;
    let mut model = FoundModel::named(id.strip_prefix("models/").unwrap_or(id));
    model.context_tokens = [
        "/max_model_len",
        "/context_length",
        "/meta/n_ctx",
        "/loaded_context_length",
        "/max_context_length",
        "/inputTokenLimit",
        "/meta/n_ctx_train",
    ]
    .into_iter()
    .find_map(|path| entry.pointer(path)?.as_u64())
    .and_then(|tokens| u32::try_from(tokens).ok());
    if let Some(methods) = entry
        .get("supportedGenerationMethods")
        .and_then(Value::as_array)
    {
        model.embeds = Some(!methods.iter().any(|method| method == "generateContent"));
    }
    if let Some(takes) = entry.get("supported_parameters").and_then(Value::as_array) {
        model.tools = Some(takes.iter().any(|parameter| parameter == "tools"));
    }
    Some(model)
}

/// Asks Ollama about each model, because its list states neither context windows nor capabilities.
async fn details(connection: &Connection, access: &Access, models: &mut [FoundModel]) {
    if connection.kind != ProviderKind::Ollama {
        return;
    }
    let asked = models.iter_mut().take(SHOWN_MAX).map(|model| async {
        let url = endpoint(&access.base, ["api", "show"]);
        let body = json!({"model": model.id});
        if let Ok(shown) = get(connection, access, Method::POST, url, Some(body)).await {
            learn(model, &shown);
        }
    });
    join_all(asked).await;
}

fn learn(model: &mut FoundModel, shown: &Value) {
    if let Some(abilities) = shown.get("capabilities").and_then(Value::as_array) {
        let has = |name: &str| abilities.iter().any(|ability| ability == name);
        model.tools = Some(has("tools"));
        model.embeds = Some(has("embedding") && !has("completion"));
    }
    let info = shown.get("model_info").and_then(Value::as_object);
    model.context_tokens = info
        .into_iter()
        .flatten()
        .find(|(key, _)| key.ends_with(".context_length"))
        .and_then(|(_, tokens)| u32::try_from(tokens.as_u64()?).ok());
}

async fn get(
    connection: &Connection,
    access: &Access,
    method: Method,
    url: Url,
    body: Option<Value>,
) -> Result<Value, ModelFault> {
    let name = &connection.name;
    let mut headers = access.headers.clone();
    json_headers(&mut headers);
    let request = Outgoing {
        headers,
        body: body.map(|body| Bytes::from(body.to_string())),
        within: LIST_WITHIN,
        reply_bytes_max: LIST_BYTES_MAX,
        ..Outgoing::new(method, url, format!("models of {name}"))
    };
    let reply = access
        .net
        .send(request)
        .await
        .map_err(|fault| net_fault(name, fault))?;
    if !reply.status().is_success() {
        return Err(read_refusal(reply, access).await.fault(name));
    }
    let body = reply
        .bytes(LIST_WITHIN)
        .await
        .map_err(|fault| net_fault(name, fault))?;
    serde_json::from_slice(&body).map_err(|_| ModelFault::NoSuchModel {
        model: name.clone(),
    })
}
