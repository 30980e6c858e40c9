//! Connected models on the wire: connections, servers found on this computer, model files, comparisons and tests.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A secret on its way to the keyring. Front ends send it; only [`crate::Reply::ProgramToken`] ever returns one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct SecretText(pub String);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// The models of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelsView {
    /// Connections, in the order in which Adjutant tries them.
    pub connections: Vec<ConnectionView>,
    /// Kinds of provider that the person can connect.
    pub kinds: Vec<KindView>,
    /// The model that would answer a usual request now; `null` if none can.
    pub answering: Option<String>,
    /// Whether Adjutant may reach nothing but this computer.
    pub offline: bool,
    /// How each model fared when it was last asked since Adjutant started; empty for models that were not asked.
    #[serde(default)]
    pub last: Vec<ModelOutcome>,
    /// What a change could not do, as a sentence for the person; for example, a secret may have stayed in the keyring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// How a model fared when it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelOutcome {
    /// Connection and model, such as `Ollama/qwen3:8b`.
    pub model: String,
    /// When it was asked, RFC 3339.
    pub at: String,
    /// What went wrong, as a sentence; absent if it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<String>,
}

/// A kind of provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KindView {
    /// `ollama`, `compatible`, `open_ai`, `anthropic` or `gemini`; also `file` for a model file, if this build can run
    /// one.
    pub kind: String,
    /// Name shown to the person.
    pub label: String,
    /// Usual address; empty if there is none and the person has to give it.
    pub base_url: String,
}

/// A connection to models, without its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectionView {
    /// Name of the connection.
    pub name: String,
    /// Kind of provider, as in [`KindView`].
    pub kind: String,
    /// Address of the provider.
    pub base_url: String,
    /// Whether the keyring holds a key for it.
    pub has_key: bool,
    /// Names of additional headers; the keyring holds their values.
    pub headers: Vec<String>,
    /// Proxy of this connection, without its password. Absent if it uses the general proxy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proxy: Option<String>,
    /// Whether the person allows sending its key and headers unencrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unencrypted: Option<bool>,
    /// Whether the keyring holds a password for the proxy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proxy_password: Option<bool>,
    /// Models by tier: `fast`, `standard`, `deep`.
    pub models: BTreeMap<String, ModelView>,
    /// Model for vectors.
    pub embedding: Option<String>,
    /// Whether it runs on this computer, so that nothing leaves it.
    pub local: bool,
    /// Whether environment variables define it. Such a connection can only be changed there.
    pub from_environment: bool,
    /// Why it cannot be used now, and what to do next.
    pub problem: Option<String>,
}

/// One model of a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelView {
    /// Name of the model at the provider.
    pub id: String,
    /// Size of the context window, input plus output, in tokens; 0 if unknown.
    #[serde(default)]
    pub context_tokens: u32,
    /// Whether it can call tools.
    #[serde(default = "yes")]
    pub tools: bool,
    /// Whether its output can be constrained to a schema.
    #[serde(default = "yes")]
    pub structure: bool,
    /// Whether the person declared this remote model free of charge. Prices then do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub free: Option<bool>,
    /// Price of a million input tokens, in micro-units of the person's currency; 0 if unknown.
    #[serde(default)]
    #[ts(type = "number")]
    pub input_micros_per_million: u64,
    /// Price of a million output tokens, likewise.
    #[serde(default)]
    #[ts(type = "number")]
    pub output_micros_per_million: u64,
}

const fn yes() -> bool {
    true
}

/// A connection as the person enters it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectionDraft {
    /// Name of the connection. An existing connection with this name is replaced.
    pub name: String,
    /// Kind of provider, as in [`KindView`].
    pub kind: String,
    /// Address; if empty, the usual address of the kind.
    #[serde(default)]
    pub base_url: String,
    /// Models by tier; one tier is enough.
    pub models: BTreeMap<String, ModelView>,
    /// Model for vectors.
    #[serde(default)]
    pub embedding: Option<String>,
    /// All additional headers, for example those a gateway requires. The keyring holds their values; an empty value
    /// keeps the stored one. If the map is empty, the connection keeps its headers unless `no_headers` is set.
    #[serde(default)]
    pub headers: BTreeMap<String, SecretText>,
    /// Removes the stored headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_headers: Option<bool>,
    /// Proxy of this connection; if empty, the general proxy. A password in it goes to the keyring; without one, the
    /// stored password is kept if the address is the same.
    #[serde(default)]
    pub proxy: String,
    /// Whether the person allows sending the key and headers unencrypted to a remote `http` address. Otherwise such a
    /// connection is refused with the code `unencrypted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unencrypted: Option<bool>,
}

/// A model server found on this computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FoundServerView {
    /// Name of the server software.
    pub label: String,
    /// Kind of provider, as in [`KindView`].
    pub kind: String,
    /// Address of the server.
    pub base_url: String,
    /// Its models.
    pub models: Vec<FoundModelView>,
}

/// A model that a provider or server offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FoundModelView {
    /// Name of the model.
    pub id: String,
    /// Size of the context window in tokens, if the server reports it.
    pub context_tokens: Option<u32>,
    /// Whether it is a model for vectors, which cannot chat.
    pub embeds: bool,
}

/// Model files that Adjutant can download and run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelFilesView {
    /// Why this computer cannot run model files, and what to do instead. `null` if it can.
    pub unable: Option<String>,
    /// Folder of downloaded files.
    pub folder: String,
    /// Models known by name, smallest first.
    pub known: Vec<KnownModelView>,
    /// The download in progress, if any.
    pub fetching: Option<FetchingView>,
}

/// A model known by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KnownModelView {
    /// Name to request it by.
    pub name: String,
    /// Name shown to the person.
    pub title: String,
    /// Organisation that made the model.
    pub by: String,
    /// What it is good at.
    pub good_for: String,
    /// Licence, as an SPDX identifier.
    pub licence: String,
    /// Page with more about it.
    pub page: String,
    /// Host that serves the file.
    pub host: String,
    /// Path on this computer, once downloaded.
    pub path: Option<String>,
}

/// A download in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FetchingView {
    /// Name of the file, which progress events carry too.
    pub file: String,
    /// Bytes downloaded so far.
    #[ts(type = "number")]
    pub done: u64,
    /// Total bytes.
    #[ts(type = "number")]
    pub total: u64,
}

/// What is known of a model file before the download. The person agrees to this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelOfferView {
    /// Name shown to the person.
    pub title: String,
    /// Name of the file.
    pub file: String,
    /// Host that serves it.
    pub host: String,
    /// Size in bytes, as reported by the server.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Bytes already present from an earlier attempt.
    #[ts(type = "number")]
    pub have: u64,
    /// Licence; `null` if unknown.
    pub licence: Option<String>,
    /// Page with more about it.
    pub page: Option<String>,
    /// Expected SHA-256, with which Adjutant compares the file; `null` if nobody stated one.
    pub sum: Option<String>,
    /// Who stated the checksum: `server`, `person` or `nobody`.
    pub sum_from: String,
    /// Path the file will have, or has.
    pub path: String,
    /// Whether it is already downloaded.
    pub here: bool,
}

/// The terms the person agreed to, copied from the offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AgreedTo {
    /// Size in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Licence, if known.
    pub licence: Option<String>,
    /// Expected SHA-256, if known.
    pub sum: Option<String>,
}

/// A model file on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelFileView {
    /// Path of the file.
    pub path: String,
    /// Whether it was compared with a checksum.
    pub checked: bool,
}

/// How a candidate model compares with the live models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ComparisonsView {
    /// Agreement, by candidate and stage.
    pub agreement: Vec<AgreementRow>,
    /// Latest comparisons in which the two replies led to different results, newest first.
    pub differences: Vec<DifferenceRow>,
}

/// How often a candidate's reply led to the same result as the live model's, at one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AgreementRow {
    /// Name of the candidate.
    pub candidate: String,
    /// Stage: `route`, `plan` or `resume`.
    pub stage: String,
    /// Number of comparisons.
    #[ts(type = "number")]
    pub of: u64,
    /// Number of those with the same result.
    #[ts(type = "number")]
    pub same: u64,
}

/// One difference. It holds a summary of each reply, never the person's words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DifferenceRow {
    /// Id of the turn.
    pub turn: Option<String>,
    /// Stage: `route`, `plan` or `resume`.
    pub stage: String,
    /// The live model and its reply.
    pub live: SideView,
    /// The candidate and its reply.
    pub candidate: SideView,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SideView {
    /// Name of the model.
    pub model: String,
    /// Summary of the reply: kind and domains of a route, tools of a plan, or kind of a reply.
    pub gist: serde_json::Value,
}

/// Result of testing a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelTestView {
    /// Model that answered.
    pub model: String,
    /// Checks, in this order: `chat`, `stream`, `tools`, `structure`, `embeddings`.
    pub checks: Vec<ModelCheck>,
    /// Milliseconds until the first piece of a reply.
    #[ts(type = "number | null")]
    pub first_ms: Option<u64>,
    /// Output tokens per second.
    pub tokens_per_second: Option<f64>,
    /// Cost of the test, in micro-units of the person's currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
}

/// One check of a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelCheck {
    /// `chat`, `stream`, `tools`, `structure` or `embeddings`.
    pub what: String,
    /// `works`, `missing` (Adjutant can do without it), `failed` or `not_tried`.
    pub verdict: String,
    /// Why it does not work, and what to do next; empty if it works.
    pub say: String,
}
