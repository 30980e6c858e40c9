//! Weighs approvals against the present state.

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{
    ActionState, Decision, Denial, Hold, PendingAction, Present, Verdict, reclaim, resolve,
};
use jiff::{SignedDuration, Timestamp};

use crate::core::Core;

/// Weighs an approval against the present state. If it is valid, stores it (`pending → approved`) with its hold.
///
/// # Errors
/// Returns a fault if the approval cannot be stored, or if the action's state cannot be read after a conflict. The
/// action still waits then.
pub(crate) async fn weigh(
    core: &Core,
    action: &mut PendingAction,
    decision: &Decision,
    present: &[Present],
) -> Result<Verdict, StoreFault> {
    let now = core.parts.clock.now().timestamp();
    let verdict = resolve(action, decision, present, now);
    if !matches!(verdict, Verdict::Allowed(_)) {
        return Ok(verdict);
    }
    let log = &core.parts.log;
    let hold = hold(core, action, now);
    match log.approve_action(&action.id, decision.channel, hold).await {
        Ok(()) => {
            action.not_before = hold.map(|hold| hold.not_before);
            action.waits_until = hold.map(|hold| hold.waits_until);
            Ok(verdict)
        }
        // Answered through another channel, or expired.
        Err(fault @ StoreFault::Conflict { .. }) => match log.action(&action.id).await? {
            Some(action) if action.state != ActionState::Pending => {
                Ok(Verdict::Denied(Denial::NotPending {
                    state: action.state,
                }))
            }
            _ => Err(fault),
        },
        Err(fault) => Err(fault),
    }
}

/// Returns the hold that begins with the approval. `None` if the card shows neither a hold nor a later time.
fn hold(core: &Core, action: &PendingAction, now: Timestamp) -> Option<Hold> {
    let seconds = i64::from(action.hold_seconds());
    let held = now.checked_add(SignedDuration::from_secs(seconds)).ok()?;
    let not_before = action.shown_not_before().map_or(held, |at| at.max(held));
    if not_before <= now {
        return None;
    }
    let offline = i64::from(core.settings().approval.offline_hours);
    Some(Hold {
        not_before,
        waits_until: not_before
            .checked_add(SignedDuration::from_hours(offline))
            .ok()?,
    })
}

/// Returns the fault for an answer to an action that could not be stored.
pub(crate) fn not_stored(fault: &StoreFault) -> UserFault {
    let fault = UserFault::from(fault);
    UserFault {
        what: format!(
            "Your answer could not be stored, so nothing was done and the action is still waiting. {}",
            fault.what
        ),
        ..fault
    }
}

/// Weighs an approval that was stored earlier: before a restart, or before a hold.
pub(crate) fn weigh_again(core: &Core, action: &PendingAction, present: &[Present]) -> Verdict {
    reclaim(action, present, core.parts.clock.now().timestamp())
}
