//! Sends a candidate model the same request as the live one.
//!
//! The request is kept in memory only, so that no prompt is stored twice; a comparison that was cut off is therefore
//! dropped.

use jiff::Timestamp;

use super::{CatchUp, Job, JobKind, Rules};
use crate::ids::TurnId;
use crate::model::Stage;

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Skip,
    attempts_max: 1,
    stoppable: Ok(()),
    // The result is in the table of comparisons.
    is_kept: false,
    takes_long: true,
};

impl Job {
    /// Creates a comparison that starts now.
    #[must_use]
    pub fn compare(turn: Option<&TurnId>, stage: Stage, now: Timestamp) -> Self {
        let turn = turn.map_or("", TurnId::as_str);
        let subject = format!("{turn}:{}", stage.name());
        let title = format!("Compare what models say ({})", stage.name());
        Self::planned(JobKind::Compare, &subject, None, &title, now)
    }
}
