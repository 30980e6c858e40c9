//! Recovery after a restart: closes interrupted turns truthfully and carries out approved actions that are still
//! allowed.

mod cut_off;
mod outside;

use std::sync::atomic::Ordering;

use adjutant_domain::conversation::TurnState;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, Denial, PendingAction, Verdict};
use adjutant_domain::ids::{ActionId, ConversationId, TurnId};
use adjutant_domain::plan::StepState;
use tokio_util::sync::CancellationToken;

use self::cut_off::Cut;
use crate::engine::Engine;
use crate::feed::{EventStream, Sink};
use crate::ops::{go_on, owner};
use crate::turn::again::look_again;
use crate::turn::driver::Job;
use crate::turn::machine::{Draw, Input};
use crate::turn::weigh::weigh_again;

/// The result of recovery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Interrupted turns that were closed; the answer of each says what was done.
    pub closed: Vec<TurnId>,
    /// Approved actions that were now carried out, or asked again because something changed.
    pub reclaimed: Vec<ActionId>,
    /// Actions that expired or may no longer be carried out.
    pub expired: Vec<ActionId>,
    /// Actions that may have happened, without proof either way.
    pub unknown: Vec<ActionId>,
    /// Why part of the recovery could not be stored; [`Engine::run_due`] retries it.
    pub problem: Option<UserFault>,
}

impl Recovery {
    /// Notes a part that could not be stored. Recovery continues: other parts may be smaller or concern another
    /// conversation.
    fn failed(&mut self, fault: UserFault) {
        tracing::error!(what = %fault, "a part of recovery could not be stored");
        self.problem = Some(fault);
    }
}

impl Engine {
    /// Recovers from a previous run. The process that holds the profile calls it once, before anything else. What
    /// cannot be stored (on a full disk, for example) is reported in [`Recovery::problem`] and retried by later passes
    /// over due work; the profile can be used meanwhile.
    ///
    /// # Errors
    /// Returns a fault if storage cannot be read. Nothing is lost then, and the call can be repeated.
    pub async fn recover(&self) -> Result<Recovery, UserFault> {
        // This process holds the profile, so whoever leased the jobs is gone.
        if let Err(fault) = self.core.parts.jobs.release_all().await {
            tracing::warn!(%fault, "jobs of a process that is gone wait until their leases run out");
        }
        let found = self.mend(Since::Start).await;
        if self.core.models().is_some() {
            self.core.prepare();
        }
        found.map_err(|fault| UserFault::from(&fault))
    }

    /// Whether storage has not yet accepted the cleanup of interrupted work.
    #[must_use]
    pub fn recovery_pending(&self) -> bool {
        self.core.recovery_pending.load(Ordering::SeqCst)
    }

    /// Retries what could not be stored, if anything and if nothing is running. Whatever is open then was left by a
    /// previous process, or could not be closed by this one. Carries out nothing any more; the person is told that it
    /// was not done. Returns `None` if this cannot be tried now.
    pub(crate) async fn recover_pending(&self) -> Option<Result<(), UserFault>> {
        if !self.recovery_pending() {
            return Some(Ok(()));
        }
        // Operations that arrive meanwhile wait until this is done.
        let _paused = self.actors.pause_if_idle()?;
        let found = self.mend(Since::Failure).await;
        Some(match found {
            Ok(found) => found.problem.map_or(Ok(()), Err),
            Err(fault) => Err(UserFault::from(&fault)),
        })
    }

    async fn mend(&self, since: Since) -> Result<Recovery, StoreFault> {
        // Assume the worst until everything is known to be in order.
        self.core.recovery_pending.store(true, Ordering::SeqCst);
        let log = &self.core.parts.log;
        let mut found = Recovery::default();
        self.reconcile_open(true, &mut found).await?;
        let unfinished = log.unfinished().await?;
        let mut carried_on: Vec<ConversationId> = Vec::new();
        self.expire(&mut found).await?;
        for action in log.actions(Some(ActionState::Executing), None).await? {
            if let Err(fault) = self.settle_claimed(&action, &mut found).await {
                found.failed(UserFault::from(&fault));
            }
        }
        for action in log.actions(Some(ActionState::Approved), None).await? {
            match self.settle_approved(&action, since, &mut found).await {
                Ok(true) => carried_on.push(action.conversation),
                Ok(false) => {}
                Err(fault) => found.failed(fault),
            }
        }
        for one in unfinished {
            // Reclaiming an approval may already have carried its turn to its end.
            let state = log.turn(&one.turn.id).await?;
            if state.is_some_and(|turn| turn.state == TurnState::Open) {
                let cut = Cut::Off {
                    since,
                    effects: &one.effects,
                    carried_on: carried_on.contains(&one.turn.conversation),
                };
                match self.close_cut_off(&one.turn, &cut).await {
                    Ok(()) => found.closed.push(one.turn.id),
                    Err(fault) => found.failed(UserFault::from(&fault)),
                }
            }
        }
        // Check again: what was carried on here may itself have left something behind.
        let owes = found.problem.is_some() || self.is_anything_left().await?;
        self.core.recovery_pending.store(owes, Ordering::SeqCst);
        Ok(found)
    }

    /// Whether anything is open, approved or claimed that nothing works on.
    async fn is_anything_left(&self) -> Result<bool, StoreFault> {
        let log = &self.core.parts.log;
        for state in [ActionState::Approved, ActionState::Executing] {
            let found = log.actions(Some(state), None).await?;
            let left = |action: &PendingAction| {
                state == ActionState::Executing || action.waits_until.is_none()
            };
            if found.iter().any(left) {
                return Ok(true);
            }
        }
        Ok(!log.unfinished().await?.is_empty())
    }

    /// Stores unanswered actions that ran out as expired.
    async fn expire(&self, found: &mut Recovery) -> Result<(), StoreFault> {
        let parts = &self.core.parts;
        let now = parts.clock.now().timestamp();
        let left = parts.log.actions(Some(ActionState::Pending), None).await?;
        if left.iter().any(|action| action.expires <= now) {
            match parts.log.expire_actions(now, false).await {
                Ok(expired) => found
                    .expired
                    .extend(expired.into_iter().map(|action| action.id)),
                Err(fault) => found.failed(UserFault::from(&fault)),
            }
        }
        Ok(())
    }

    /// Settles an approved action that nothing has claimed. Returns whether its plan continued.
    async fn settle_approved(
        &self,
        action: &PendingAction,
        since: Since,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let stored = self.core.parts.log.action(&action.id).await;
        let stored = stored.map_err(|fault| UserFault::from(&fault))?;
        match (stored.map(|action| action.state), since) {
            // Its job carries it out.
            (Some(ActionState::Approved), _) if action.waits_until.is_some() => Ok(false),
            (Some(ActionState::Approved), Since::Start) => self.reclaim(action, found).await,
            (Some(ActionState::Approved), Since::Failure) => {
                let to = Some(ActionState::Cancelled);
                self.lose(action, to, NOT_TAKEN, found).await
            }
            // Cancelled together with another action of its conversation whose end could not be stored.
            (Some(ActionState::Cancelled), _) => self.lose(action, None, NOT_TAKEN, found).await,
            _ => Ok(false),
        }
    }

    /// Handles an approved action that nothing has claimed: carries it out if it is unexpired, unaltered and its target
    /// is as shown; asks again if the target changed. Returns whether its plan continued.
    async fn reclaim(
        &self,
        action: &PendingAction,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let core = &self.core;
        let cx = core.cx(core.parts.clock.now());
        let again = look_again(core.clone(), action, cx).await;
        let again = again.map_err(|fault| UserFault::from(&fault))?;
        let verdict = weigh_again(core, action, &again.present);
        let lost = match &verdict {
            Verdict::Allowed(_) | Verdict::Denied(Denial::TargetChanged { .. }) => None,
            Verdict::Denied(Denial::Expired) => Some((ActionState::Expired, RAN_OUT)),
            Verdict::Denied(_) | Verdict::Ask(_) => Some((ActionState::Cancelled, ALTERED)),
        };
        if let Some((state, why)) = lost {
            return self.lose(action, Some(state), why, found).await;
        }
        let (sink, events) = Sink::new();
        let job = Job {
            feed: self.actors.feed(&action.conversation),
            sink,
            stop: CancellationToken::new(),
        };
        let input = Input::Resolved {
            action: Box::new(action.clone()),
            verdict,
            looks: again.looks,
            draw: Draw::of(&*core.parts.entropy),
        };
        let going = async move {
            let gone_on = go_on(core, &job, action, input).await;
            // Ends the stream that `not_stored` reads.
            drop(job);
            gone_on
        };
        match tokio::join!(going, not_stored(events)) {
            (Ok(()), None) => {
                found.reclaimed.push(action.id.clone());
                Ok(true)
            }
            // Storing the end failed, so the action may have failed or been taken back.
            (Ok(()), Some(fault)) => {
                let stored = core.parts.log.action(&action.id).await;
                let state = stored.ok().flatten().map(|action| action.state);
                if matches!(state, Some(ActionState::Cancelled | ActionState::Failed)) {
                    self.core.tell_later(lost_words(action, NOT_TAKEN));
                    found.expired.push(action.id.clone());
                }
                Err(fault)
            }
            // Its conversation is gone, so there is nothing to continue.
            (Err(fault), _) if fault.code == "not_found" => {
                let to = Some(ActionState::Cancelled);
                self.lose(action, to, GONE, found).await
            }
            (Err(fault), _) => Err(fault),
        }
    }

    /// Gives up an approved action: the turn that waits for it says so, and so does the next report of due work. `to`
    /// is the action's new state; `None` if that is stored already. The plan does not continue, so this returns
    /// `false`.
    pub(crate) async fn lose(
        &self,
        action: &PendingAction,
        to: Option<ActionState>,
        why: &'static str,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let core = &self.core;
        let waits = |state: &StepState| matches!(state, StepState::NeedsApproval { action: id } if *id == action.id);
        let lost = async {
            let owner = owner(core, action).await?.filter(|turn| {
                let mut steps = turn.plan.iter().flat_map(|plan| &plan.steps);
                turn.state == TurnState::Waiting && steps.any(|step| waits(&step.state))
            });
            match (owner, to) {
                (Some(turn), _) => {
                    let cut = Cut::Lost { action, to, why };
                    self.close_cut_off(&turn, &cut).await
                }
                (None, Some(to)) => {
                    let (log, from) = (&core.parts.log, ActionState::Approved);
                    let at = core.parts.clock.now().timestamp();
                    log.move_action(&action.id, from, to, None, at).await
                }
                (None, None) => Ok(()),
            }
        };
        lost.await
            .map_err(|fault: StoreFault| UserFault::from(&fault))?;
        core.tell_later(lost_words(action, why));
        found.expired.push(action.id.clone());
        Ok(false)
    }
}

/// Reason why an approved action is not carried out.
const NOT_TAKEN: &str = "storage could not save it";
/// Likewise.
const RAN_OUT: &str = "it had expired by the time Adjutant started again";
/// Likewise.
const ALTERED: &str = "it is no longer what you approved";
/// Likewise.
pub(crate) const NO_WAY: &str = "there was no connection in time";
/// Likewise.
pub(crate) const NO_SIGN_IN: &str = "nobody signed in to its account in time";
/// Likewise.
const GONE: &str = "the conversation that asked for it is gone";

fn lost_words(action: &PendingAction, why: &str) -> UserFault {
    let begin = match action.unasked {
        Some(_) => "Not done",
        None => "Approved, but not done",
    };
    UserFault::new(
        "not_done",
        format!("{begin} because {why}: {}.", action.card.title),
        "Ask again if you still want it done.",
    )
}

/// Reads the events to their end. Returns the fault if the end could not be stored.
async fn not_stored(mut events: EventStream) -> Option<UserFault> {
    let mut refused = None;
    while let Some(live) = events.next().await {
        if let (0, TurnEvent::Error { fault }) = (live.seq, &live.event) {
            refused = Some(fault.clone());
        }
    }
    refused
}

/// When interrupted work is found.
#[derive(Clone, Copy, Debug)]
enum Since {
    /// At the start: a process was killed, and approved actions may still be carried out.
    Start,
    /// After storage refused a change: the person has been told that it failed.
    Failure,
}
