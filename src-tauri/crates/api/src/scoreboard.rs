//! Accuracy and speed of the embedded engine.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Results of one run over the built-in cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ScoreboardView {
    /// One entry per suite: `route`, `when`, `confirm`, `requests`.
    pub suites: Vec<SuiteScore>,
    /// How well the confidence of routing matches its accuracy, lowest confidence first.
    pub reliability: Vec<ReliabilityRow>,
    /// Expected calibration error: mean distance between confidence and accuracy, from 0 to 1.
    pub calibration_error: f64,
    /// Durations of the stages of the turns in the run.
    pub stages: Vec<StageView>,
    /// Duration of the run in milliseconds.
    #[ts(type = "number")]
    pub ms: u64,
}

/// Results of one suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SuiteScore {
    /// `route`, `when`, `confirm` or `requests`.
    pub suite: String,
    /// Number of cases.
    #[ts(type = "number")]
    pub cases: u64,
    /// Number of correct cases.
    #[ts(type = "number")]
    pub right: u64,
    /// Share of correct cases, from 0 to 1.
    pub accuracy: f64,
    /// Median duration of a case, in microseconds.
    #[ts(type = "number")]
    pub p50_micros: u64,
    /// 95th percentile of the duration of a case, in microseconds.
    #[ts(type = "number")]
    pub p95_micros: u64,
    /// Further figures of the suite: `recall`, `false_yes`, `false_times`, `unasked`, `wrong`.
    pub figures: Vec<Figure>,
    /// The first incorrect cases.
    pub misses: Vec<Miss>,
}

/// One further figure of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Figure {
    /// Name.
    pub name: String,
    /// A share from 0 to 1, or a count.
    pub value: f64,
}

/// An incorrect case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Miss {
    /// Id of the case.
    pub id: String,
    /// Message of the case.
    pub text: String,
    /// Expected result.
    pub expected: String,
    /// Actual result.
    pub got: String,
}

/// Messages that were routed with similar confidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ReliabilityRow {
    /// Lowest confidence among them.
    pub from: f64,
    /// Highest confidence among them.
    pub to: f64,
    /// Number of messages.
    #[ts(type = "number")]
    pub cases: u64,
    /// Mean confidence.
    pub confidence: f64,
    /// Share routed correctly, from 0 to 1.
    pub right: f64,
}

/// Durations of one stage of turns, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StageView {
    /// Name: `route`, `plan`, `observe`, `run`, `commit`, `close`, `turn`.
    pub stage: String,
    /// Number of measurements.
    #[ts(type = "number")]
    pub count: u64,
    /// Median.
    #[ts(type = "number")]
    pub p50_micros: u64,
    /// 95th percentile.
    #[ts(type = "number")]
    pub p95_micros: u64,
    /// Maximum.
    #[ts(type = "number")]
    pub max_micros: u64,
}
