//! Expires actions that wait for the person, because what a card showed long ago may no longer be what would happen.

use super::{CatchUp, Job, JobKind, Rules};
use crate::gate::{ActionState, PendingAction};

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Once,
    attempts_max: 10,
    stoppable: Err("Approve or reject it in Approvals (`adjutant show approvals`)."),
    is_kept: true,
    takes_long: false,
};

pub(super) fn planned(action: &PendingAction) -> Option<Job> {
    (action.state == ActionState::Pending).then(|| {
        Job::planned(
            JobKind::Expire,
            action.id.as_str(),
            None,
            &action.card.title,
            action.expires,
        )
    })
}
