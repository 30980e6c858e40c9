//! Cost of models: by day and stage, call by call, and estimated in advance.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What one model cost on one day, for one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UsageRow {
    /// Day in the person's time zone.
    pub day: String,
    /// Stage: `route`, `plan`, `respond`, …
    pub stage: String,
    /// Name of the model.
    pub model: String,
    /// `foreground`, or `background` if nobody waited for it.
    pub purpose: String,
    /// Number of calls.
    #[ts(type = "number")]
    pub calls: u64,
    /// Number of these that failed or were lost when the process ended.
    #[ts(type = "number")]
    pub failed: u64,
    /// Tokens sent.
    #[ts(type = "number")]
    pub input: u64,
    /// Tokens received.
    #[ts(type = "number")]
    pub output: u64,
    /// Cost in micro-units of the person's currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
    /// Amount reserved by running calls, in the same unit.
    #[ts(type = "number")]
    pub reserved_micros: u64,
    /// Cost as people write it.
    pub cost: String,
    /// ISO 4217 code of the currency.
    pub currency: String,
}

/// Estimated cost of requests to models, before any is sent. For a message it is the maximum, of which the real cost is
/// usually a small part; for a large run it depends on what is to be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EstimateView {
    /// Requests of the run, or of the most expensive way to handle the message, in order; empty if no model would be
    /// asked.
    pub requests: Vec<EstimateRow>,
    /// Total cost in micro-units of the person's currency.
    #[ts(type = "number")]
    pub at_most_micros: u64,
    /// Total cost as people write it.
    pub at_most: String,
    /// ISO 4217 code of the currency, from the setting `models.currency`.
    pub currency: String,
    /// Sentence saying that prices are unknown and what is assumed instead; absent if all prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unpriced: Option<String>,
    /// Whether a single request could cost more than `models.spend.call` allows. A cheaper model would then answer, or
    /// none.
    pub over_call_limit: bool,
    /// Number of days of usage that the estimate is based on; absent if it is not based on usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
    /// For background work: daily limit for all such work, in micro-units of the person's currency. Work beyond it
    /// waits for the next day or is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub day_limit_micros: Option<u64>,
    /// Daily limit as people write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub day_limit: Option<String>,
}

/// Requests of one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EstimateRow {
    /// Name of the stage.
    pub stage: String,
    /// `fast`, `standard` or `deep`.
    pub tier: String,
    /// Model that is asked first.
    pub model: String,
    /// Maximum number of requests.
    #[ts(type = "number")]
    pub times: u64,
    /// Tokens sent per request: the maximum, or the average if the estimate is based on earlier usage.
    #[ts(type = "number")]
    pub input: u64,
    /// Tokens received per request, likewise.
    #[ts(type = "number")]
    pub output: u64,
    /// Cost of all these requests with the most expensive model that may answer, in micro-units of the person's
    /// currency.
    #[ts(type = "number")]
    pub at_most_micros: u64,
}

/// A call to a model, as part of the trace of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallRow {
    /// Number of the call.
    #[ts(type = "number")]
    pub id: i64,
    /// When it started, RFC 3339.
    pub at: String,
    /// Id of the turn; `null` for background work and connection tests.
    pub turn: Option<String>,
    /// Stage.
    pub stage: String,
    /// Requested tier.
    pub tier: String,
    /// `foreground` or `background`.
    pub purpose: String,
    /// Name of the model.
    pub model: String,
    /// Prompt file and hash.
    pub prompt: String,
    /// `running`, `done`, `failed`, `cancelled` or `lost`.
    pub state: String,
    /// Characters sent.
    #[ts(type = "number")]
    pub input_chars: u64,
    /// Tokens sent.
    #[ts(type = "number")]
    pub input: u64,
    /// Tokens received.
    #[ts(type = "number")]
    pub output: u64,
    /// Amount reserved for it, in micro-units of the person's currency.
    #[ts(type = "number")]
    pub worst_micros: u64,
    /// Cost, in the same unit.
    #[ts(type = "number")]
    pub cost_micros: u64,
    /// Whether tokens and cost are estimates because the provider did not report them.
    pub estimated: bool,
    /// Cost as people write it.
    pub cost: String,
    /// ISO 4217 code of the currency.
    pub currency: String,
    /// Milliseconds until the first piece of the reply.
    #[ts(type = "number | null")]
    pub first_ms: Option<u64>,
    /// Total milliseconds; `null` while it runs.
    #[ts(type = "number | null")]
    pub ms: Option<u64>,
    /// Why it failed, if it did.
    pub fault: Option<String>,
}
