//! After a restart: what was cut off is closed honestly, what was approved is done if it still may be.

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
use crate::turn::driver::Job;
use crate::turn::machine::{Draw, Input};
use crate::turn::perform;
use crate::turn::weigh::weigh_again;

/// What recovery found and did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Turns that were cut off; each has an answer that says what was done.
    pub closed: Vec<TurnId>,
    /// Actions that had been approved and were carried out now, or asked again because something changed.
    pub reclaimed: Vec<ActionId>,
    /// Actions that ran out, or may not be carried out any more.
    pub expired: Vec<ActionId>,
    /// Actions that may have happened and that nobody can prove.
    pub unknown: Vec<ActionId>,
    /// Why a part of it could not be stored; [`Engine::run_due`] tries it again.
    pub problem: Option<UserFault>,
}

impl Recovery {
    /// Something could not be stored. The rest goes on: it may be smaller, or concern another conversation.
    fn failed(&mut self, fault: UserFault) {
        tracing::error!(what = %fault, "a part of recovery could not be stored");
        self.problem = Some(fault);
    }
}

impl Engine {
    /// Call once, before anything else, by the process that holds the profile. What cannot be stored (a full disk) is
    /// said in [`Recovery::problem`] and tried again when something is due: the profile can be used meanwhile.
    ///
    /// # Errors
    /// When storage cannot be read; nothing is lost, it can be called again.
    pub async fn recover(&self) -> Result<Recovery, UserFault> {
        // Whoever leased them is gone: this process holds the profile.
        if let Err(fault) = self.core.parts.jobs.release_all().await {
            tracing::warn!(%fault, "jobs of a process that is gone wait until their leases run out");
        }
        let found = self.mend(Since::Start).await;
        if self.core.models().is_some() {
            self.core.prepare();
        }
        found.map_err(|fault| UserFault::from(&fault))
    }

    /// Whether something that was cut off could not be put in order yet, because storage did not take it.
    #[must_use]
    pub fn recovery_pending(&self) -> bool {
        self.core.recovery_pending.load(Ordering::SeqCst)
    }

    /// Tries again what could not be stored, if there is anything and nothing is at work: what is left open then was left
    /// by a process that is gone, or could not be closed by this one. Nothing is carried out any more: the person is told
    /// that it is not done. `None` when it could not be tried.
    pub(crate) async fn recover_pending(&self) -> Option<Result<(), UserFault>> {
        if !self.recovery_pending() {
            return Some(Ok(()));
        }
        // What comes in meanwhile waits for a moment.
        let _paused = self.actors.pause_if_idle()?;
        let found = self.mend(Since::Failure).await;
        Some(match found {
            Ok(found) => found.problem.map_or(Ok(()), Err),
            Err(fault) => Err(UserFault::from(&fault)),
        })
    }

    async fn mend(&self, since: Since) -> Result<Recovery, StoreFault> {
        // Until it is known that everything is in order.
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
            // Reclaiming an approval has carried its turn to an end.
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
        // Looked up and not concluded: what was carried on here may have left something behind as well.
        let owes = found.problem.is_some() || self.is_anything_left().await?;
        self.core.recovery_pending.store(owes, Ordering::SeqCst);
        Ok(found)
    }

    /// Whether anything is open, approved or claimed that nobody works on.
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

    /// Actions that ran out unanswered are stored as such.
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

    /// What becomes of an approval that nothing has claimed. Gives whether its plan went on.
    async fn settle_approved(
        &self,
        action: &PendingAction,
        since: Since,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let stored = self.core.parts.log.action(&action.id).await;
        let stored = stored.map_err(|fault| UserFault::from(&fault))?;
        match (stored.map(|action| action.state), since) {
            // Its job goes on with it.
            (Some(ActionState::Approved), _) if action.waits_until.is_some() => Ok(false),
            (Some(ActionState::Approved), Since::Start) => self.reclaim(action, found).await,
            (Some(ActionState::Approved), Since::Failure) => {
                let to = Some(ActionState::Cancelled);
                self.lose(action, to, NOT_TAKEN, found).await
            }
            // The end of another one of its conversation could not be stored, and this one was taken back with it.
            (Some(ActionState::Cancelled), _) => self.lose(action, None, NOT_TAKEN, found).await,
            _ => Ok(false),
        }
    }

    /// An approval that nothing has claimed: runs if it is unexpired, unaltered and its target is as it was shown;
    /// asks again if the target changed. Gives whether its plan went on.
    async fn reclaim(
        &self,
        action: &PendingAction,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let core = &self.core;
        let cx = core.cx(core.parts.clock.now());
        let looks = perform::look_again(core.clone(), action, cx).await;
        let verdict = weigh_again(core, action, &looks);
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
            looks,
            draw: Draw::of(&*core.parts.entropy),
        };
        let going = async move {
            let gone_on = go_on(core, &job, action, input).await;
            // Ends what is listened to.
            drop(job);
            gone_on
        };
        match tokio::join!(going, not_stored(events)) {
            (Ok(()), None) => {
                found.reclaimed.push(action.id.clone());
                Ok(true)
            }
            // How it ended could not be stored: it may have failed, or been taken back.
            (Ok(()), Some(fault)) => {
                let stored = core.parts.log.action(&action.id).await;
                let state = stored.ok().flatten().map(|action| action.state);
                if matches!(state, Some(ActionState::Cancelled | ActionState::Failed)) {
                    self.core.tell_later(lost_words(action, NOT_TAKEN));
                    found.expired.push(action.id.clone());
                }
                Err(fault)
            }
            // Its conversation is gone: there is nothing it could go on with.
            (Err(fault), _) if fault.code == "not_found" => {
                let to = Some(ActionState::Cancelled);
                self.lose(action, to, GONE, found).await
            }
            (Err(fault), _) => Err(fault),
        }
    }

    /// An approval that will not be carried out: the turn that waits for it says so, and so does the next report of what
    /// is due. `to` is what becomes of it, unless that is stored already. Its plan does not go on.
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
                    let from = ActionState::Approved;
                    core.parts.log.move_action(&action.id, from, to, None).await
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

/// Why an approval is not carried out any more.
const NOT_TAKEN: &str = "storage did not take it";
/// The same.
const RAN_OUT: &str = "its time had run out when Adjutant started again";
/// The same.
const ALTERED: &str = "it is not what was approved any more";
/// The same.
pub(crate) const NO_WAY: &str = "there was no connection in time";
/// The same.
const GONE: &str = "the conversation that asked for it is gone";

fn lost_words(action: &PendingAction, why: &str) -> UserFault {
    UserFault::new(
        "not_done",
        format!(
            "Approved, and not done because {why}: {}.",
            action.card.title
        ),
        "Ask again if it shall still be done.",
    )
}

/// Listens until the end; gives why that end could not be stored.
async fn not_stored(mut events: EventStream) -> Option<UserFault> {
    let mut refused = None;
    while let Some(live) = events.next().await {
        if let (0, TurnEvent::Error { fault }) = (live.seq, &live.event) {
            refused = Some(fault.clone());
        }
    }
    refused
}

/// When something that was cut off is found.
#[derive(Clone, Copy, Debug)]
enum Since {
    /// At the start: a process was killed, and what was approved may still be carried out.
    Start,
    /// After storage did not take something: the person has been told that it failed.
    Failure,
}
