//! `eval own`: the scoreboard on the built-in cases. Needs no profile.

use adjutant::scoreboard;
use adjutant_api::Fault;
use adjutant_api::scoreboard::{ScoreboardView, SuiteScore};

use crate::{End, print};

/// Runs the scoreboard and prints it; `make eval` checks the limits.
pub(crate) async fn run(as_json: bool) -> Result<End, Fault> {
    let board = scoreboard::run().await?;
    if as_json {
        print::json(&board);
    } else {
        show(&board);
    }
    Ok(End::Finished)
}

fn show(board: &ScoreboardView) {
    for suite in &board.suites {
        print::line(&format!(
            "{:<9} {:>4} of {:<4} {:>5.1} %   p50 {} µs, p95 {} µs   {}",
            suite.suite,
            suite.right,
            suite.cases,
            suite.accuracy * 100.0,
            suite.p50_micros,
            suite.p95_micros,
            figures(suite)
        ));
    }
    print::line(&format!(
        "Calibration error {:.3}. Confidence, messages, share correct:",
        board.calibration_error
    ));
    for row in &board.reliability {
        print::line(&format!(
            "  {:.1} to {:.1} {:>5} {:>6.3} {:>6.3}",
            row.from, row.to, row.cases, row.confidence, row.right
        ));
    }
    print::line("Stages of the requests, in µs:");
    for stage in &board.stages {
        print::line(&format!(
            "  {:<9} p50 {:>6}, p95 {:>6}, {} times",
            stage.stage, stage.p50_micros, stage.p95_micros, stage.count
        ));
    }
    for suite in &board.suites {
        for miss in &suite.misses {
            print::line(&format!(
                "{}: “{}”\n  expected {}\n  got      {}",
                miss.id, miss.text, miss.expected, miss.got
            ));
        }
    }
    print::line(&format!("{} ms in all.", board.ms));
}

fn figures(suite: &SuiteScore) -> String {
    suite
        .figures
        .iter()
        .map(|figure| format!("{} {}", figure.name, figure.value))
        .collect::<Vec<_>>()
        .join(", ")
}
