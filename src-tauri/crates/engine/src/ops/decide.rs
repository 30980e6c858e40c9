//! Approves, rejects and edits waiting actions, by button or from the command line.

use std::sync::Arc;

use adjutant_domain::faults::{StoreFault, UserFault, sentence};
use adjutant_domain::gate::{
    ActionState, Channel, Decision, Denial, Observed, PendingAction, Verdict,
};
use adjutant_domain::ids::{ActionId, TurnId};
use adjutant_domain::outcome::Stop;
use adjutant_domain::source;
use serde_json::Value;

use super::Work;
use super::resume::{go_on, resume, waiting};
use crate::core::Core;
use crate::op::PlanEdit;
use crate::settle::settle;
use crate::turn::again::{self, Again};
use crate::turn::driver::Job;
use crate::turn::machine::{Draw, Input, Proposed, edited, refusal};
use crate::turn::perform;
use crate::turn::weigh::{not_stored, weigh, weigh_again};

pub(super) async fn approve(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    decision: &Decision,
) -> Result<(), UserFault> {
    let mut action = waiting_action(core, &decision.id).await?;
    if action.digest != decision.digest {
        return Err(refusal(&Denial::WrongDigest));
    }
    let again = look_again(core, job, &action).await?;
    let verdict = weigh(core, &mut action, decision, &again.present)
        .await
        .map_err(|fault| not_stored(&fault))?;
    let Some(input) = resolved(core, &action, verdict, again)? else {
        return Ok(());
    };
    match go_on(core, job, &action, input).await {
        // The approval is stored, but nothing will carry it out unless settled here.
        Err(fault) => Err(settle(core, &work.conversation).await.told(fault)),
        gone_on => gone_on,
    }
}

/// Returns the machine input for a decided action. `None` while the action must still ask.
fn resolved(
    core: &Core,
    action: &PendingAction,
    verdict: Verdict,
    again: Again,
) -> Result<Option<Input>, UserFault> {
    match &verdict {
        Verdict::Allowed(_) | Verdict::Denied(Denial::TargetChanged { .. }) => {}
        Verdict::Denied(denial) => return Err(refusal(denial)),
        Verdict::Ask(_) => return Ok(None),
    }
    Ok(Some(Input::Resolved {
        action: Box::new(action.clone()),
        verdict,
        looks: again.looks,
        draw: Draw::of(&*core.parts.entropy),
    }))
}

/// Carries out an approved action that waits, once its hold is over; `at_once` ends the hold. Reads the preconditions
/// again, and asks again if any has changed.
pub(super) async fn carry(
    core: &Arc<Core>,
    job: &Job,
    id: &ActionId,
    at_once: bool,
) -> Result<(), UserFault> {
    let found = core.parts.log.action(id).await;
    let found = found.map_err(|fault| UserFault::from(&fault))?;
    let done = found.as_ref().filter(|action| {
        matches!(
            action.state,
            ActionState::Succeeded | ActionState::Unknown | ActionState::NeedsPerson
        )
    });
    if let Some(action) = done.filter(|_| at_once) {
        return Err(done_already(action));
    }
    let mut action = match found.filter(PendingAction::waits) {
        Some(action) => action,
        None if at_once => return Err(not_waiting()),
        // It was stopped, or another operation has carried it out.
        None => return Ok(()),
    };
    if at_once {
        action.not_before = None;
    }
    if action.is_held(core.parts.clock.now().timestamp()) {
        return Ok(());
    }
    let again = look_again(core, job, &action).await?;
    let verdict = weigh_again(core, &action, &again.present);
    let Some(input) = resolved(core, &action, verdict, again)? else {
        return Ok(());
    };
    go_on(core, job, &action, input).await
}

/// Returns the fault for an approval that is not waiting to be carried out.
pub(super) fn not_waiting() -> UserFault {
    UserFault::new(
        "not_held",
        "Only an approved action that is waiting can be carried out at once; nothing was done.",
        "If a mail is kept in the outbox, make it a draft again there (`adjutant outbox ID to-draft`), then send the draft (`adjutant outbox ID send-now`).",
    )
}

/// Returns the fault for an action that was carried out before, or may have been.
fn done_already(action: &PendingAction) -> UserFault {
    let title = &action.card.title;
    let what = match action.state {
        ActionState::Succeeded => format!("“{title}” is done already; nothing was done again."),
        _ => format!("“{title}” may have happened already; nothing was done again."),
    };
    UserFault::new("done_already", what, "Activity shows what became of it.")
}

pub(super) async fn reject(
    core: &Arc<Core>,
    job: &Job,
    id: &ActionId,
    channel: Channel,
) -> Result<(), UserFault> {
    let action = waiting_action(core, id).await?;
    let (from, to) = (ActionState::Pending, ActionState::Denied);
    let at = core.parts.clock.now().timestamp();
    let log = &core.parts.log;
    match log.move_action(id, from, to, Some(channel), at).await {
        Ok(()) => {}
        // Answered through another channel, or expired: report that instead.
        Err(fault @ StoreFault::Conflict { .. }) => {
            waiting_action(core, id).await?;
            return Err(not_stored(&fault));
        }
        Err(fault) => return Err(not_stored(&fault)),
    }
    go_on(
        core,
        job,
        &action,
        Input::Denied {
            ids: vec![id.clone()],
            problem: None,
        },
    )
    .await
}

pub(super) async fn edit(
    core: &Arc<Core>,
    job: &Job,
    id: &ActionId,
    (args, at): (&Value, Option<usize>),
) -> Result<(), UserFault> {
    let action = waiting_action(core, id).await?;
    let calls = changed(&action, args, at)?;
    let looks = look(core, job, calls)
        .await?
        .into_iter()
        .map(|look| {
            look.map_err(|stop| match stop {
                Stop::Fault(fault) => UserFault::from(&fault),
                Stop::Ask(question) | Stop::Closest(question) => UserFault::new(
                    "bad_arguments",
                    sentence(&question.text),
                    "Fill it in on the card.",
                ),
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let input = Input::Edited {
        action: Box::new(action.clone()),
        looks,
        draw: Draw::of(&*core.parts.entropy),
    };
    go_on(core, job, &action, input).await
}

/// Returns the calls of an action with the arguments of one of them replaced.
fn changed(
    action: &PendingAction,
    args: &Value,
    at: Option<usize>,
) -> Result<Vec<Proposed>, UserFault> {
    let mut calls = Proposed::of(action);
    let at = match (at, calls.len()) {
        (Some(at), count) if at < count => at,
        (None, 1) => 0,
        (None, _) => {
            return Err(UserFault::new(
                "batch",
                "This card holds several things, and it is not clear which one to change.",
                "Choose one of them on the card, or reject the card and ask for each one.",
            ));
        }
        (Some(_), _) => {
            return Err(UserFault::new(
                "not_found",
                "This card does not hold that many things; nothing was changed.",
                "Look at the card as it is now.",
            ));
        }
    };
    if calls
        .iter()
        .enumerate()
        .any(|(other, call)| other != at && call.args == *args)
    {
        return Err(UserFault::new(
            "same",
            "Two things on this card would then be the same; nothing was changed.",
            "Change it another way, or leave it out.",
        ));
    }
    let call = &mut calls[at];
    call.sources = source::edited(&call.sources, &call.args, args);
    call.args = args.clone();
    Ok(calls)
}

/// Changes a waiting plan. Refuses an impossible change before touching anything.
pub(super) async fn edit_plan(
    core: &Arc<Core>,
    job: &Job,
    turn: &TurnId,
    edit: &PlanEdit,
) -> Result<(), UserFault> {
    let gone = || {
        UserFault::new(
            "not_found",
            "This plan is no longer waiting; nothing was changed.",
            "The conversation shows what became of it.",
        )
    };
    let owner = waiting(core, turn).await?.ok_or_else(gone)?;
    let plan = owner.plan.clone().ok_or_else(gone)?;
    edited(plan, edit)?;
    let input = Input::PlanEdited(edit.clone());
    resume(core, job, owner, vec![input], None).await
}

/// Observes calls, unless the person stops it.
async fn look(
    core: &Arc<Core>,
    job: &Job,
    calls: Vec<Proposed>,
) -> Result<Vec<Result<Observed, Stop>>, UserFault> {
    let cx = core.cx(core.parts.clock.now());
    unless_stopped(job, perform::look(core.clone(), calls, cx)).await
}

/// Looks again at what an action concerns, unless the person stops it.
async fn look_again(
    core: &Arc<Core>,
    job: &Job,
    action: &PendingAction,
) -> Result<Again, UserFault> {
    let cx = core.cx(core.parts.clock.now());
    let again = unless_stopped(job, again::look_again(core.clone(), action, cx)).await?;
    again.map_err(|fault| UserFault::from(&fault))
}

async fn unless_stopped<T>(job: &Job, look: impl Future<Output = T>) -> Result<T, UserFault> {
    job.stop.run_until_cancelled(look).await.ok_or_else(|| {
        UserFault::new(
            "stopped",
            "Stopped by you; nothing was done. The action is still waiting.",
            "",
        )
    })
}

/// Returns an action if it can still be answered. Stores an expired one as such.
async fn waiting_action(core: &Core, id: &ActionId) -> Result<PendingAction, UserFault> {
    let action = core
        .parts
        .log
        .action(id)
        .await
        .map_err(|fault| UserFault::from(&fault))?
        .ok_or_else(|| {
            UserFault::new(
                "not_found",
                format!("There is no action {id}."),
                "See what is waiting in Approvals (`adjutant show approvals`).",
            )
        })?;
    if action.state != ActionState::Pending {
        return Err(refusal(&Denial::NotPending {
            state: action.state,
        }));
    }
    let now = core.parts.clock.now().timestamp();
    if action.expires <= now {
        let (from, to) = (ActionState::Pending, ActionState::Expired);
        let moved = core.parts.log.move_action(id, from, to, None, now).await;
        if let Err(fault) = moved {
            tracing::warn!(%id, %fault, "an expired action could not be stored as such");
        }
        return Err(refusal(&Denial::Expired));
    }
    Ok(action)
}
