//! Steps that nobody was asked about and that may have to wait for a connection.

use adjutant_domain::conversation::Standby;
use adjutant_domain::gate::{PendingAction, PermittedBy};
use adjutant_domain::ids::{GrantId, StepKey};
use adjutant_domain::plan::StepState;

use super::Machine;

/// Maximum number of approved actions that may wait before calls that nobody was asked about no longer do.
pub(super) const STANDBY_MAX: usize = 200;

impl Machine {
    /// Returns what waits in place of a step if its account cannot be reached; `None` if the person was asked.
    pub(super) fn standby_of(&self, step: &StepKey) -> Option<Box<Standby>> {
        let action = self.standby.get(step)?.clone();
        let mut plan = self.stored_plan();
        let mut steps = plan.iter_mut().flat_map(|plan| &mut plan.steps);
        if let Some(one) = steps.find(|one| one.draft.key == *step) {
            one.state = StepState::NeedsApproval {
                action: action.id.clone(),
            };
        }
        Some(Box::new(Standby { action, plan }))
    }

    /// Whether an action that nobody was asked about has lost its standing permission while it waited.
    pub(super) fn is_permitted_no_more(&self, action: &PendingAction) -> bool {
        let Some(PermittedBy::Grants { ids }) = &action.unasked else {
            return false;
        };
        let now = self.frame.now;
        let holds = |id: &GrantId| {
            let mut grants = self.past.grants.iter();
            grants.any(|grant| grant.id == *id && grant.holds(now))
        };
        !ids.iter().all(holds)
    }
}
