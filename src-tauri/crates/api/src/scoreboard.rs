//! How well, and how fast, the embedded engine understands.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One run over the built-in cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ScoreboardView {
    /// One line a suite: `route`, `when`, `confirm`, `requests`.
    pub suites: Vec<SuiteScore>,
    /// How far the confidence of routing can be trusted, lowest confidence first.
    pub reliability: Vec<ReliabilityRow>,
    /// Expected calibration error: the mean distance between confidence and share right, 0 to 1.
    pub calibration_error: f64,
    /// Stages of the turns that were run.
    pub stages: Vec<StageView>,
    /// How long the run took, in milliseconds.
    #[ts(type = "number")]
    pub ms: u64,
}

/// How one suite came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SuiteScore {
    /// `route`, `when`, `confirm` or `requests`.
    pub suite: String,
    /// Cases.
    #[ts(type = "number")]
    pub cases: u64,
    /// Cases that came out right.
    #[ts(type = "number")]
    pub right: u64,
    /// The same as a share, 0 to 1.
    pub accuracy: f64,
    /// Median of one case, in microseconds.
    #[ts(type = "number")]
    pub p50_micros: u64,
    /// 95 of 100 cases are faster, in microseconds.
    #[ts(type = "number")]
    pub p95_micros: u64,
    /// What else counts in this suite: `recall`, `false_yes`, `false_times`, `unasked`, `wrong`.
    pub figures: Vec<Figure>,
    /// Cases that came out wrong, the first of them.
    pub misses: Vec<Miss>,
}

/// One more figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Figure {
    /// Name.
    pub name: String,
    /// A share (0 to 1) or a count.
    pub value: f64,
}

/// A case that came out wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Miss {
    /// The case.
    pub id: String,
    /// What was said.
    pub text: String,
    /// What should have come out.
    pub expected: String,
    /// What came out.
    pub got: String,
}

/// Messages routed with about the same confidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ReliabilityRow {
    /// Lowest confidence of the row.
    pub from: f64,
    /// Highest confidence of the row.
    pub to: f64,
    /// Messages.
    #[ts(type = "number")]
    pub cases: u64,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share that was right.
    pub right: f64,
}

/// How long one stage of turns takes, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StageView {
    /// Name: `route`, `plan`, `observe`, `run`, `commit`, `close`, `turn`.
    pub stage: String,
    /// How often it was measured.
    #[ts(type = "number")]
    pub count: u64,
    /// Median.
    #[ts(type = "number")]
    pub p50_micros: u64,
    /// 95 of 100 are faster.
    #[ts(type = "number")]
    pub p95_micros: u64,
    /// The slowest.
    #[ts(type = "number")]
    pub max_micros: u64,
}
