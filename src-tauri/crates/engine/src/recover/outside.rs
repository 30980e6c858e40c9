//! Reconciles operations that left storage without a recorded outcome, by asking the other side.

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::ActionId;
use adjutant_domain::operation::{Attempts, Ended, Ending, Reconciled, Tried, Why};

use super::Recovery;
use crate::engine::Engine;
use crate::turn::carry_out::{not_there, reconcile, say};

impl Engine {
    /// Reconciles all operations without a certain outcome. `all` means that nothing is running, so that an attempt
    /// without an end was interrupted.
    pub(super) async fn reconcile_open(
        &self,
        all: bool,
        found: &mut Recovery,
    ) -> Result<(), StoreFault> {
        let log = &self.core.parts.log;
        for tried in log.attempts(&Attempts::Open).await? {
            if tried.attempt.outcome.is_none() && !all {
                continue;
            }
            if let Err(fault) = self.reconcile_one(&tried).await {
                found.failed(UserFault::from(&fault));
            }
        }
        Ok(())
    }

    /// Reconciles the operations whose outcome is recorded as unknown. Called in every pass over due work.
    pub(crate) async fn reconcile_due(&self) -> Result<(), UserFault> {
        let mut found = Recovery::default();
        match self.reconcile_open(false, &mut found).await {
            Ok(()) => found.problem.map_or(Ok(()), Err),
            Err(fault) => Err(UserFault::from(&fault)),
        }
    }

    async fn reconcile_one(&self, tried: &Tried) -> Result<(), StoreFault> {
        let begun = &tried.begun;
        let mut needs_person = false;
        let ended = match reconcile(&self.core, &begun.operation, &tried.attempt).await {
            Reconciled::Done { receipt } => Ended::Done { receipt },
            Reconciled::NotDone => not_there(),
            Reconciled::CannotTell => {
                needs_person = true;
                unknown(tried)
            }
            // The unknown outcome was reported once; ask again later.
            Reconciled::NotNow { .. } if tried.attempt.outcome.is_some() => return Ok(()),
            Reconciled::NotNow { .. } => unknown(tried),
        };
        let end = Ending {
            key: begun.key.clone(),
            number: begun.number,
            say: Some(say(&self.core, begun, &ended).await),
            needs_person,
            waits_until: None,
            at: self.core.parts.clock.now().timestamp(),
            ended,
        };
        self.core.parts.log.end_attempt(&end, None).await?;
        if let (Ended::Done { .. }, Some(change)) = (&end.ended, begun.operation.change()) {
            self.core.stored(change);
        }
        let Some(id) = &begun.claim else {
            return Ok(());
        };
        // The turn reported an unknown outcome, which is now known.
        let action = self.core.parts.log.action(id).await?;
        if let Some(action) = action.filter(|action| action.state == ActionState::Unknown) {
            let settled = self.settled(&action.id).await?;
            if settled != ActionState::Unknown {
                self.move_action(&action.id, ActionState::Unknown, settled)
                    .await?;
                let what = end.say.unwrap_or_default();
                self.core
                    .tell_later(UserFault::new("settled", what, "Activity has the proof."));
            }
        }
        Ok(())
    }

    /// Settles a claimed action whose turn is gone, from the outcomes of its operations.
    pub(super) async fn settle_claimed(
        &self,
        action: &PendingAction,
        found: &mut Recovery,
    ) -> Result<(), StoreFault> {
        let to = self.settled(&action.id).await?;
        let (executing, unknown) = (ActionState::Executing, ActionState::Unknown);
        match to {
            ActionState::Succeeded | ActionState::Failed => {
                self.move_action(&action.id, executing, to).await
            }
            _ => {
                self.move_action(&action.id, executing, unknown).await?;
                found.unknown.push(action.id.clone());
                if to == ActionState::NeedsPerson {
                    self.move_action(&action.id, unknown, to).await?;
                }
                Ok(())
            }
        }
    }

    /// Returns the state that an action's attempts prove. Unknown if there are none, since older versions recorded
    /// none.
    async fn settled(&self, id: &ActionId) -> Result<ActionState, StoreFault> {
        let log = &self.core.parts.log;
        let mut tried = log.attempts(&Attempts::Action(id.clone())).await?;
        // The action waited after these, and others followed.
        tried.retain(|one| !waited(one));
        let of = tried.first().map_or(usize::MAX, |one| one.begun.of);
        let is = |wanted: fn(&Tried) -> bool| tried.iter().any(wanted);
        Ok(if tried.is_empty() || is(|one| one.open) {
            ActionState::Unknown
        } else if is(|one| matches!(one.attempt.outcome, Some(Ended::Unknown { .. }))) {
            ActionState::NeedsPerson
        } else if tried.len() >= of && tried.iter().all(is_done) {
            ActionState::Succeeded
        } else {
            ActionState::Failed
        })
    }

    async fn move_action(
        &self,
        id: &ActionId,
        from: ActionState,
        to: ActionState,
    ) -> Result<(), StoreFault> {
        let parts = &self.core.parts;
        let at = parts.clock.now().timestamp();
        parts.log.move_action(id, from, to, None, at).await
    }
}

fn unknown(tried: &Tried) -> Ended {
    match &tried.attempt.outcome {
        Some(known) => known.clone(),
        None => Ended::Unknown { why: Why::Killed },
    }
}

/// Whether an attempt did nothing, so that its action waited for the next one.
fn waited(tried: &Tried) -> bool {
    matches!(&tried.attempt.outcome, Some(Ended::Refused { fault }) if fault.passes())
}

/// Whether an operation is certain to have been carried out.
pub(super) fn is_done(tried: &Tried) -> bool {
    matches!(tried.attempt.outcome, Some(Ended::Done { .. }))
}
