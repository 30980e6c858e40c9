//! Connected models on the wire: what is set up, what is found, how a test went.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A key on its way to the keyring. It goes in and never comes out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct SecretText(pub String);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// Models of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelsView {
    /// What is connected, in the order in which it is tried.
    pub connections: Vec<ConnectionView>,
    /// Kinds of providers a connection can be made to.
    pub kinds: Vec<KindView>,
    /// Who answers a usual request now; none while nothing can be asked.
    pub answering: Option<String>,
    /// Nothing but this computer may be reached.
    pub offline: bool,
    /// What a change could not do, for the person: a secret may have stayed in the keyring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// A kind of provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KindView {
    /// `ollama`, `compatible`, `open_ai`, `anthropic` or `gemini`; `file` for a model file, where those can be run.
    pub kind: String,
    /// Name for people.
    pub label: String,
    /// Its usual address; empty where only the person knows.
    pub base_url: String,
}

/// A connection to models as it is shown; keys are never in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectionView {
    /// What it is called.
    pub name: String,
    /// As in [`KindView`].
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// It has a key in the keyring.
    pub has_key: bool,
    /// Names of headers sent along; their values are in the keyring.
    pub headers: Vec<String>,
    /// Its own proxy, without a password; none takes the one of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proxy: Option<String>,
    /// Its key and headers may go out unencrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unencrypted: Option<bool>,
    /// The proxy has a password in the keyring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proxy_password: Option<bool>,
    /// Model by tier: `fast`, `standard`, `deep`.
    pub models: BTreeMap<String, ModelView>,
    /// The model for vectors.
    pub embedding: Option<String>,
    /// It is on this computer: nothing leaves it.
    pub local: bool,
    /// It comes from the environment and is changed there.
    pub from_environment: bool,
    /// Why it cannot be used now, with what to do next.
    pub problem: Option<String>,
}

/// One model of a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelView {
    /// Its name at the provider.
    pub id: String,
    /// Input and output together, in tokens; 0 for unknown.
    #[serde(default)]
    pub context_tokens: u32,
    /// It calls tools.
    #[serde(default = "yes")]
    pub tools: bool,
    /// It can be held to a schema.
    #[serde(default = "yes")]
    pub structure: bool,
    /// It costs nothing although it is in the world: the person said so. Then no price counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub free: Option<bool>,
    /// Micro-units of the person's currency for a million input tokens; 0 for unknown.
    #[serde(default)]
    #[ts(type = "number")]
    pub input_micros_per_million: u64,
    /// The same for output tokens.
    #[serde(default)]
    #[ts(type = "number")]
    pub output_micros_per_million: u64,
}

const fn yes() -> bool {
    true
}

/// A connection as a person writes it down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectionDraft {
    /// What it is called; one of the same name is replaced.
    pub name: String,
    /// As in [`KindView`].
    pub kind: String,
    /// Where it is; empty takes the usual address.
    #[serde(default)]
    pub base_url: String,
    /// Model by tier; one is enough.
    pub models: BTreeMap<String, ModelView>,
    /// The model for vectors.
    #[serde(default)]
    pub embedding: Option<String>,
    /// Headers a gateway asks for, all of them; values go to the keyring. An empty value leaves the one that is kept there.
    /// No header at all leaves those of the connection as they are, unless `no_headers` is set.
    #[serde(default)]
    pub headers: BTreeMap<String, SecretText>,
    /// Takes away the headers that are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_headers: Option<bool>,
    /// Its own proxy; empty takes the one of all. A password in it goes to the keyring; without one, that of the same
    /// address stays.
    #[serde(default)]
    pub proxy: String,
    /// The person allows its key and headers to go out unencrypted, to an http address in the world. Without that it is
    /// refused with the code `unencrypted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unencrypted: Option<bool>,
}

/// A server found on this computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FoundServerView {
    /// What it is.
    pub label: String,
    /// As in [`KindView`].
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// Its models.
    pub models: Vec<FoundModelView>,
}

/// A model a server has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FoundModelView {
    /// Its name.
    pub id: String,
    /// The window, in tokens, if the server says.
    pub context_tokens: Option<u32>,
    /// It makes vectors and does not talk.
    pub embeds: bool,
}

/// Models that can be fetched to this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelFilesView {
    /// Why no model file can be run here, with what to do instead; none where they can.
    pub unable: Option<String>,
    /// Where fetched files are kept.
    pub folder: String,
    /// Models that are known by name, smallest first.
    pub known: Vec<KnownModelView>,
    /// What is being fetched now.
    pub fetching: Option<FetchingView>,
}

/// A model that is known by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KnownModelView {
    /// What it is asked for by.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Who made it.
    pub by: String,
    /// What it is good for.
    pub good_for: String,
    /// Its licence, an SPDX name.
    pub licence: String,
    /// Where one reads about it.
    pub page: String,
    /// Who has the file.
    pub host: String,
    /// Where it is on this computer, once it was fetched.
    pub path: Option<String>,
}

/// A file on its way here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FetchingView {
    /// Its name; progress events carry it too.
    pub file: String,
    /// Bytes that are here.
    #[ts(type = "number")]
    pub done: u64,
    /// Bytes in all.
    #[ts(type = "number")]
    pub total: u64,
}

/// What is known of a file before it is fetched: what a person agrees to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelOfferView {
    /// Its name for people.
    pub title: String,
    /// The name of the file.
    pub file: String,
    /// Who has it.
    pub host: String,
    /// How large it is, as the server tells.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Bytes that are here from before.
    #[ts(type = "number")]
    pub have: u64,
    /// Its licence; none where it is not known here.
    pub licence: Option<String>,
    /// Where one reads about it.
    pub page: Option<String>,
    /// The SHA-256 it will be compared with; none where nobody told one.
    pub sum: Option<String>,
    /// Who told that: `server`, `person` or `nobody`.
    pub sum_from: String,
    /// Where it will be, or is.
    pub path: String,
    /// It is here already.
    pub here: bool,
}

/// What a person has agreed to, as it stood in the offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AgreedTo {
    /// Size.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Licence.
    pub licence: Option<String>,
    /// Checksum.
    pub sum: Option<String>,
}

/// A model file on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelFileView {
    /// Where it is.
    pub path: String,
    /// It was compared with a checksum.
    pub checked: bool,
}

/// How a candidate compares with the live models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ComparisonsView {
    /// By candidate and stage.
    pub agreement: Vec<AgreementRow>,
    /// The latest in which the two did not lead to the same, newest first.
    pub differences: Vec<DifferenceRow>,
}

/// How often a candidate led to the same at a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AgreementRow {
    /// The candidate.
    pub candidate: String,
    /// What for: `route`, `plan` or `resume`.
    pub stage: String,
    /// Comparisons.
    #[ts(type = "number")]
    pub of: u64,
    /// Those that led to the same.
    #[ts(type = "number")]
    pub same: u64,
}

/// One difference. It holds what the replies came to, never words of the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DifferenceRow {
    /// The turn.
    pub turn: Option<String>,
    /// What for.
    pub stage: String,
    /// The live model and what its reply came to.
    pub live: SideView,
    /// The candidate and what its reply came to.
    pub candidate: SideView,
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SideView {
    /// Model.
    pub model: String,
    /// Kind and domains of a route, tools of a plan, kind of a reply.
    pub gist: serde_json::Value,
}

/// How a test went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelTestView {
    /// Which model answered.
    pub model: String,
    /// What was tried, in this order: `chat`, `stream`, `tools`, `structure`, `embeddings`.
    pub checks: Vec<ModelCheck>,
    /// Milliseconds to the first piece of a reply.
    #[ts(type = "number | null")]
    pub first_ms: Option<u64>,
    /// Output tokens a second.
    pub tokens_per_second: Option<f64>,
    /// What the test cost, micro-units of the person's currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelCheck {
    /// `chat`, `stream`, `tools`, `structure` or `embeddings`.
    pub what: String,
    /// `works`, `missing` (Adjutant does without), `failed` or `not_tried`.
    pub verdict: String,
    /// Why, with what to do next; empty when it works.
    pub say: String,
}
