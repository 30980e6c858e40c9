//! Measures how well and how fast the embedded engine understands, by running the built-in cases on demand.
//!
//! The cases are compiled in and not read before a run. A suite added here needs an accuracy floor in
//! `tests/eval/floors.json`.

mod figures;
mod requests;
mod suites;

use std::time::Instant;

use adjutant_api::Fault;
use adjutant_api::scoreboard::{ScoreboardView, StageView};
use adjutant_observe::StageTiming;

/// Maximum number of wrong cases listed per suite; further ones are only counted.
const MISSES_MAX: usize = 40;

/// Runs every suite. Takes about a second, on a separate thread and in a temporary folder, so that neither the profile
/// nor the statistics of its real turns change.
///
/// # Errors
/// Returns a fault if the sandbox cannot be created.
pub async fn run() -> Result<ScoreboardView, Fault> {
    tokio::task::spawn_blocking(run_blocking)
        .await
        .unwrap_or_else(|_| Err(fault("A built-in case stopped the scoreboard.".to_owned())))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is what measures how long understanding takes"
)]
fn run_blocking() -> Result<ScoreboardView, Fault> {
    let start = Instant::now();
    let (route, confidences) = suites::route();
    let (reliability, calibration_error) = figures::reliability(&confidences);
    let (requests, timings) = adjutant_observe::measured(requests::run);
    Ok(ScoreboardView {
        suites: vec![route, suites::when(), suites::confirm(), requests?],
        reliability,
        calibration_error,
        stages: timings.read().iter().map(stage).collect(),
        ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// Converts a stage's timing for the interface.
#[must_use]
pub fn stage(timing: &StageTiming) -> StageView {
    StageView {
        stage: timing.stage.clone(),
        count: timing.count,
        p50_micros: timing.p50_micros,
        p95_micros: timing.p95_micros,
        max_micros: timing.max_micros,
    }
}

fn fault(message: String) -> Fault {
    Fault {
        code: "scoreboard".into(),
        message,
        hint: "Your own data is unchanged. Free some space for temporary files and run it again."
            .into(),
    }
}
