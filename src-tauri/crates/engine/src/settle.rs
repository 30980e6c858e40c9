//! Settles approvals left over when a turn fails or its end cannot be stored. They must not run at the next start,
//! because the person has been told that nothing came of them.

use std::sync::atomic::Ordering;

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::ConversationId;

use crate::core::Core;

/// What happened to the approvals that a turn left behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeftApprovals {
    /// At least one was not claimed yet: it has not run and will not.
    cancelled: bool,
    /// At least one was claimed: it may have run.
    unknown: bool,
    /// At least one could not be taken back.
    stuck: bool,
    /// Storage could not tell whether there is one.
    unread: bool,
}

impl LeftApprovals {
    /// Adds to `fault` what happened to the approvals.
    pub(crate) fn told(self, mut fault: UserFault) -> UserFault {
        for sentence in self.sentences() {
            fault.what.push(' ');
            fault.what.push_str(sentence);
        }
        fault
    }

    fn sentences(self) -> impl Iterator<Item = &'static str> {
        [
            (
                self.cancelled,
                "Anything approved but not done yet is cancelled.",
            ),
            (
                self.unknown,
                "What you had approved may have happened, please check.",
            ),
            (
                self.stuck,
                "What you had approved could not be taken back: it may still be done the next time Adjutant starts.",
            ),
            (
                self.unread,
                "Adjutant could not check whether anything you had approved is still waiting; Approvals and Activity show it once storage can be read again.",
            ),
        ]
        .into_iter()
        .filter_map(|(is, sentence)| is.then_some(sentence))
    }
}

/// Takes back the approvals that a failed turn left behind. A conversation runs one turn at a time, so all of its
/// approvals belong to that turn. What cannot be stored is retried for as long as this process runs.
pub(crate) async fn settle(core: &Core, conversation: &ConversationId) -> LeftApprovals {
    let mut left = LeftApprovals::default();
    for (from, to) in [
        (ActionState::Approved, ActionState::Cancelled),
        (ActionState::Executing, ActionState::Unknown),
    ] {
        let found = match core.parts.log.actions(Some(from), None).await {
            Ok(found) => found,
            Err(fault) => {
                tracing::error!(%fault, "what a turn left behind could not be read");
                left.unread = true;
                continue;
            }
        };
        let own = |action: &PendingAction| action.conversation == *conversation;
        for action in found.into_iter().filter(own) {
            let at = core.parts.clock.now().timestamp();
            let log = &core.parts.log;
            match log.move_action(&action.id, from, to, None, at).await {
                Ok(()) if to == ActionState::Cancelled => left.cancelled = true,
                Ok(()) => left.unknown = true,
                // Answered through another channel, or expired.
                Err(StoreFault::Conflict { .. }) => {}
                Err(fault) => {
                    tracing::error!(id = %action.id, %fault, "an approval that was left behind could not be taken back");
                    left.stuck = true;
                }
            }
        }
    }
    if left.stuck || left.unread {
        core.recovery_pending.store(true, Ordering::SeqCst);
    }
    left
}
