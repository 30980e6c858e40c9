//! Actions that wait for the person run out: what was shown long ago is not what would be done now.

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
