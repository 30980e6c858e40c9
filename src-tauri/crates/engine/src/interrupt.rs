//! Stops what runs, and approved actions that have not begun.

use std::sync::Arc;

use adjutant_domain::conversation::DIRECT;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::{ActionId, RecordId};
use adjutant_domain::ports::StopSignal;

use crate::engine::Engine;
use crate::op::{Op, OutboxAct, Target};
use crate::ops::Work;
use crate::turn::driver::internal;

impl Engine {
    /// Returns the signal that the person stopped everything, for work beside the turns.
    #[must_use]
    pub fn stop_signal(&self) -> Arc<dyn StopSignal> {
        self.core.stopped.clone()
    }

    /// Stops what runs or is queued. [`Target::All`] also cancels approved actions that nothing has claimed yet; those
    /// that wait are taken back as from the outbox, so that their mails remain as drafts. Effects already carried out
    /// stay, and their turns say so.
    ///
    /// # Errors
    /// Returns a fault if an approved action could not be cancelled in storage. What runs is stopped all the same.
    pub async fn interrupt(&self, target: &Target) -> Result<(), UserFault> {
        self.actors.interrupt(target);
        if *target != Target::All {
            return Ok(());
        }
        self.core.stopped.tell();
        let approved = self
            .core
            .parts
            .log
            .actions(Some(ActionState::Approved), None)
            .await
            .map_err(|fault| not_cancelled(UserFault::from(&fault)))?;
        let mut failed = None;
        for action in approved {
            let cancelled = if action.waits() {
                self.take_back(&action.id).await
            } else {
                self.cancel(&action.id).await
            };
            if let Err(fault) = cancelled {
                tracing::error!(id = %action.id, %fault, "an approved action could not be cancelled");
                failed = Some(not_cancelled(fault));
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Takes back an approved action that waits.
    async fn take_back(&self, id: &ActionId) -> Result<(), UserFault> {
        let op = Op::Outbox {
            id: RecordId(id.0.clone()),
            act: OutboxAct::ToDraft,
        };
        let work = Work {
            conversation: DIRECT.into(),
            turn: self.core.turn_id(),
            op,
        };
        let mut events = self.actors.submit(&self.core, work).await?;
        let mut fault = None;
        while let Some(live) = events.next().await {
            if let TurnEvent::Error { fault: why } = &live.event {
                fault = Some(why.clone());
            }
        }
        let action = self.core.parts.log.action(id).await;
        let action = action.map_err(|fault| UserFault::from(&fault))?;
        match action.filter(PendingAction::waits) {
            Some(_) => Err(fault.unwrap_or_else(internal)),
            // Either claimed meanwhile, and its turn reports it, or already cancelled by its turn.
            None => Ok(()),
        }
    }

    /// Cancels an approved action of a turn that is being stopped.
    async fn cancel(&self, id: &ActionId) -> Result<(), UserFault> {
        let (from, to) = (ActionState::Approved, ActionState::Cancelled);
        let parts = &self.core.parts;
        let at = parts.clock.now().timestamp();
        match parts.log.move_action(id, from, to, None, at).await {
            Ok(()) => Ok(()),
            // Either claimed meanwhile, and its turn reports it, or already cancelled by its turn.
            Err(StoreFault::Conflict { .. }) => {
                tracing::debug!(%id, "an approved action was settled by its turn");
                Ok(())
            }
            Err(fault) => Err(UserFault::from(&fault)),
        }
    }
}

fn not_cancelled(fault: UserFault) -> UserFault {
    UserFault {
        what: format!(
            "This was stopped, but what you had approved could not be cancelled: {}",
            fault.what
        ),
        hint: format!(
            "{} It may still be done when Adjutant starts again, until the approval expires.",
            fault.hint
        ),
        ..fault
    }
}
