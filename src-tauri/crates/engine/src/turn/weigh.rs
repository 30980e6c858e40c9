//! Weighing approvals against how things look now.

use adjutant_domain::gate::{
    ActionState, Decision, Denial, Observed, PendingAction, Verdict, reclaim, resolve,
};
use adjutant_domain::outcome::Stop;
use adjutant_domain::tool::Before;

use crate::core::Core;

/// Weighs an approval against how things look now, and stores it if it holds (`pending → approved`).
pub(crate) async fn weigh(
    core: &Core,
    action: &PendingAction,
    decision: &Decision,
    looks: &[Result<Observed, Stop>],
) -> Verdict {
    let now = core.parts.clock.now().timestamp();
    let verdict = resolve(action, decision, &befores(action, looks), now);
    if !matches!(verdict, Verdict::Allowed(_)) {
        return verdict;
    }
    let moved = core
        .parts
        .log
        .move_action(
            &action.id,
            ActionState::Pending,
            ActionState::Approved,
            Some(decision.channel),
        )
        .await;
    match moved {
        Ok(()) => verdict,
        Err(fault) => {
            tracing::warn!(id = %action.id, %fault, "an approval could not be stored");
            let state = match core.parts.log.action(&action.id).await {
                Ok(Some(action)) => action.state,
                _ => ActionState::Pending,
            };
            Verdict::Denied(Denial::NotPending { state })
        }
    }
}

/// Weighs an approval that was stored before a restart.
pub(crate) fn weigh_again(
    core: &Core,
    action: &PendingAction,
    looks: &[Result<Observed, Stop>],
) -> Verdict {
    reclaim(
        action,
        &befores(action, looks),
        core.parts.clock.now().timestamp(),
    )
}

/// How the targets look now. A look that failed counts as no look, so that the gate refuses.
fn befores(action: &PendingAction, looks: &[Result<Observed, Stop>]) -> Vec<Before> {
    let befores: Vec<Before> = looks
        .iter()
        .filter_map(|look| look.as_ref().ok().map(|seen| seen.before.clone()))
        .collect();
    if befores.len() == action.calls.len() {
        befores
    } else {
        Vec::new()
    }
}
