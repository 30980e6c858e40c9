//! Carries out approved actions that wait: held ones at the end of their hold, until which the person can revoke them,
//! and others again once there may be a connection.

use super::{CatchUp, Job, JobKind, Rules};
use crate::gate::{ActionState, PendingAction};

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Each,
    // The action's own deadline limits the attempts.
    attempts_max: u32::MAX,
    stoppable: Err("Take it back in the outbox (`adjutant outbox ID to-draft`)."),
    is_kept: true,
    takes_long: false,
};

/// Keeps the job while an attempt runs, because without a connection the action waits again.
pub(super) fn planned(action: &PendingAction) -> Option<Job> {
    let is_open = matches!(action.state, ActionState::Approved | ActionState::Executing);
    (is_open && action.waits_until.is_some()).then(|| {
        let at = action.not_before.unwrap_or(action.created);
        let (id, title) = (action.id.as_str(), &action.card.title);
        Job::planned(JobKind::Send, id, None, title, at)
    })
}
