//! Runs research until its report is done. It outlives windows and restarts, and waits for the network.

use jiff::Timestamp;
use serde_json::Value;

use super::{CatchUp, Job, JobKind, Rules, Schedule};
use crate::ids::RunId;

pub(super) const RULES: Rules = Rules {
    // Missed runs of a repeated research would all find the same.
    catch_up: CatchUp::Once,
    // About two days without a network. Each attempt that makes progress resets the count, see `Job::renewed`.
    attempts_max: 50,
    stoppable: Ok(()),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// Creates a research run that starts now. `brief` is what the person agreed to. With a schedule the research
    /// repeats, each time as a run of its own; `first` is the first.
    #[must_use]
    pub fn research(
        first: &RunId,
        title: &str,
        brief: Value,
        schedule: Option<Schedule>,
        now: Timestamp,
    ) -> Self {
        Self {
            schedule,
            data: brief,
            ..Self::planned(JobKind::Research, first.as_str(), None, title, now)
        }
    }
}
