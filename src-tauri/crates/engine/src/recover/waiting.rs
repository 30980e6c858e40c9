//! What was approved and could not be done for want of a connection: it is tried again, with preconditions read anew, until
//! its time is over.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction};
use jiff::Timestamp;

use super::{NO_WAY, Recovery};
use crate::core::Tries;
use crate::engine::Engine;
use crate::op::Op;

impl Engine {
    /// Tries what waits for a connection, as far as its pause is over.
    pub(crate) async fn try_waiting(&self, now: Timestamp) -> Result<(), UserFault> {
        let waiting = self.waiting_for_connection().await;
        let waiting = waiting.map_err(|fault| UserFault::from(&fault))?;
        self.core.keep_tries(&waiting);
        let mut problem = None;
        for action in waiting {
            if action.waits_until.is_some_and(|until| until <= now) {
                let mut found = Recovery::default();
                let to = Some(ActionState::Expired);
                problem = self.lose(&action, to, NO_WAY, &mut found).await.err();
                continue;
            }
            let before = self.core.tries(&action.id);
            if before.is_some_and(|tries| tries.next > now) {
                continue;
            }
            self.core.set_tries(&action.id, Tries::after(before, now));
            let mut events = self
                .submit(Op::Carry {
                    id: action.id.clone(),
                })
                .await?;
            while let Some(live) = events.next().await {
                if let (0, TurnEvent::Error { fault }) = (live.seq, &live.event) {
                    problem = Some(fault.clone());
                }
            }
        }
        problem.map_or(Ok(()), Err)
    }

    /// When the next of them is tried.
    ///
    /// # Errors
    /// When storage cannot be read.
    pub(crate) async fn next_try(&self) -> Result<Option<Timestamp>, StoreFault> {
        let waiting = self.waiting_for_connection().await?;
        let next = |action: &PendingAction| {
            let tries = self.core.tries(&action.id);
            tries.map_or(action.created, |tries| tries.next)
        };
        Ok(waiting.iter().map(next).min())
    }

    async fn waiting_for_connection(&self) -> Result<Vec<PendingAction>, StoreFault> {
        let log = &self.core.parts.log;
        let mut approved = log.actions(Some(ActionState::Approved), None).await?;
        approved.retain(|action| action.waits_until.is_some());
        Ok(approved)
    }
}
