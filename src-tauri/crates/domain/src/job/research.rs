//! Research goes on until it has its report, whoever looks on: it outlives windows and restarts, and waits for the network.

use jiff::Timestamp;
use serde_json::Value;

use super::{CatchUp, Job, JobKind, Rules, Schedule};
use crate::ids::RunId;

pub(super) const RULES: Rules = Rules {
    // Rounds of a repeated research that were missed would all find the same.
    catch_up: CatchUp::Once,
    // Some two days without a network. Each attempt that gets on begins the count anew, see `Job::renewed`.
    attempts_max: 50,
    stoppable: Ok(()),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// A research that begins now. `brief` is what the person agreed to; with a schedule it is researched again and again,
    /// each time as a run of its own, of which `first` is the first.
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
