//! How well, and how fast, the embedded engine understands: the built-in cases, run anew whenever somebody asks.
//!
//! The cases are our own and are compiled in; nothing reads them before a run. A suite that is added here gets its floor
//! in `tests/eval/floors.json`.

mod figures;
mod requests;
mod suites;

use std::time::Instant;

use adjutant_api::Fault;
use adjutant_api::scoreboard::{ScoreboardView, StageView};
use adjutant_observe::StageTiming;

/// Wrong cases that are named for each suite; the others are counted.
const MISSES_MAX: usize = 40;

/// Runs every suite. Takes about a second, on a thread of its own and in a folder of its own: neither the profile nor the
/// figures of its real turns are touched.
///
/// # Errors
/// When there is no room for the sandbox.
pub async fn run() -> Result<ScoreboardView, Fault> {
    tokio::task::spawn_blocking(run_blocking)
        .await
        .unwrap_or_else(|_| {
            Err(fault(
                "A built-in case made the scoreboard stop.".to_owned(),
            ))
        })
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

/// A stage on the wire.
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
        hint: "Your own data is untouched. Free some space for temporary files and run it again."
            .into(),
    }
}
