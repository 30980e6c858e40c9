//! Approved actions that wait: those with a hold are carried out at the end of it and can be taken back until then; those
//! for which there was no connection are tried again.

use super::{CatchUp, Job, JobKind, Rules};
use crate::gate::{ActionState, PendingAction};

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Each,
    // The action itself says how long it may be tried.
    attempts_max: u32::MAX,
    stoppable: Err("Take it back in the outbox (`adjutant outbox ID to-draft`)."),
    is_kept: true,
    takes_long: false,
};

/// While an attempt is at work, the job stays: without a connection the action waits again.
pub(super) fn planned(action: &PendingAction) -> Option<Job> {
    let is_open = matches!(action.state, ActionState::Approved | ActionState::Executing);
    (is_open && action.waits_until.is_some()).then(|| {
        let at = action.not_before.unwrap_or(action.created);
        let (id, title) = (action.id.as_str(), &action.card.title);
        Job::planned(JobKind::Send, id, None, title, at)
    })
}
