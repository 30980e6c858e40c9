//! What models cost: by day and feature, and call by call.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What was spent on a day, for a stage, with a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UsageRow {
    /// Day of the person's calendar.
    pub day: String,
    /// What for: `route`, `plan`, `respond` …
    pub stage: String,
    /// Which model.
    pub model: String,
    /// `foreground`, or `background` when nobody waited.
    pub purpose: String,
    /// Calls.
    #[ts(type = "number")]
    pub calls: u64,
    /// Of them failed, or lost when the program ended.
    #[ts(type = "number")]
    pub failed: u64,
    /// Tokens sent.
    #[ts(type = "number")]
    pub input: u64,
    /// Tokens received.
    #[ts(type = "number")]
    pub output: u64,
    /// Spent, in millionths of the currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
    /// Reserved by calls that run, the same.
    #[ts(type = "number")]
    pub reserved_micros: u64,
    /// Spent, as people write it.
    pub cost: String,
    /// ISO 4217.
    pub currency: String,
}

/// What requests to models could cost, told before anything is asked: a message at most (what it really costs is usually a
/// small part of it), a large run by what is to be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EstimateView {
    /// The requests of the dearest way the message could go, or of the run, in order; empty when nothing would be asked.
    pub requests: Vec<EstimateRow>,
    /// All of it, in millionths of the currency.
    #[ts(type = "number")]
    pub at_most_micros: u64,
    /// The same as people write it.
    pub at_most: String,
    /// ISO 4217: the setting `models.currency`.
    pub currency: String,
    /// That prices are not known, and what is counted instead; none where all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unpriced: Option<String>,
    /// A single request could cost more than `models.spend.call` allows; a cheaper model, or none, would answer then.
    pub over_call_limit: bool,
    /// Days of usage it is worked out from; none where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
    /// For work that nobody waits for: what may be spent on all such work a day, in millionths of the currency. At it, the
    /// work waits for the next day or is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub day_limit_micros: Option<u64>,
    /// The same as people write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub day_limit: Option<String>,
}

/// Requests of one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EstimateRow {
    /// What for.
    pub stage: String,
    /// `fast`, `standard` or `deep`.
    pub tier: String,
    /// The model that is asked first.
    pub model: String,
    /// How often at most.
    #[ts(type = "number")]
    pub times: u64,
    /// Tokens sent each time, at most; of a run that is worked out from what was asked before, on average.
    #[ts(type = "number")]
    pub input: u64,
    /// Tokens received each time, the same.
    #[ts(type = "number")]
    pub output: u64,
    /// All of them, in millionths of the currency, with the dearest model that may answer.
    #[ts(type = "number")]
    pub at_most_micros: u64,
}

/// A call to a model: what the trace of a turn is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallRow {
    /// Number.
    #[ts(type = "number")]
    pub id: i64,
    /// RFC 3339.
    pub at: String,
    /// The turn; none for background work and tests of a connection.
    pub turn: Option<String>,
    /// What for.
    pub stage: String,
    /// The tier that was asked for.
    pub tier: String,
    /// `foreground` or `background`.
    pub purpose: String,
    /// Which model.
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
    /// What was reserved for it, in millionths of the currency.
    #[ts(type = "number")]
    pub worst_micros: u64,
    /// What it cost, the same.
    #[ts(type = "number")]
    pub cost_micros: u64,
    /// The provider did not say; tokens and cost are our estimate.
    pub estimated: bool,
    /// What it cost, as people write it.
    pub cost: String,
    /// ISO 4217.
    pub currency: String,
    /// Milliseconds to the first piece of the reply.
    #[ts(type = "number | null")]
    pub first_ms: Option<u64>,
    /// Milliseconds altogether; none while it runs.
    #[ts(type = "number | null")]
    pub ms: Option<u64>,
    /// Why it failed.
    pub fault: Option<String>,
}
