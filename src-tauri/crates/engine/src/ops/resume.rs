//! Resumes a waiting plan.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use adjutant_domain::conversation::{Turn, TurnState};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::PendingAction;
use adjutant_domain::ids::TurnId;
use adjutant_domain::plan::StepState;

use super::open;
use crate::core::Core;
use crate::turn::driver::{Driver, Job};
use crate::turn::machine::{Input, Machine};

/// Maximum number of turns to search for the one that an action belongs to; an action waits at most 15 minutes.
const OWNER_TURNS_MAX: usize = 50;

/// Resumes the plan that waits for `action` with `input`.
pub(crate) async fn go_on(
    core: &Arc<Core>,
    job: &Job,
    action: &PendingAction,
    input: Input,
) -> Result<(), UserFault> {
    let owner = owner(core, action)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let owner = owner.ok_or_else(|| {
        UserFault::new(
            "not_found",
            "The conversation that asked for this action is gone; nothing was done.",
            "Ask again if you still want it done.",
        )
    })?;
    // Pass the action on: storage may no longer list it as waiting.
    resume(core, job, owner, vec![input], Some(action)).await
}

/// Returns the latest turn whose plan waits for `action`, since a plan may have moved on from the turn that proposed
/// it. Falls back to the proposing turn.
pub(crate) async fn owner(core: &Core, action: &PendingAction) -> Result<Option<Turn>, StoreFault> {
    let waits = |turn: &Turn| {
        turn.plan.as_ref().is_some_and(|plan| {
            plan.steps.iter().any(|step| {
                matches!(&step.state, StepState::NeedsApproval { action: id } if *id == action.id)
            })
        })
    };
    let log = &core.parts.log;
    let recent = log
        .turns(Some(&action.conversation), Some(OWNER_TURNS_MAX))
        .await?;
    match recent.into_iter().find(waits) {
        Some(turn) => Ok(Some(turn)),
        None => log.turn(&action.turn).await,
    }
}

/// Returns a turn if it waits for the person, otherwise `None`.
pub(super) async fn waiting(core: &Core, turn: &TurnId) -> Result<Option<Turn>, UserFault> {
    let found = core.parts.log.turn(turn).await;
    let found = found.map_err(|fault| UserFault::from(&fault))?;
    Ok(found.filter(|turn| turn.state == TurnState::Waiting))
}

/// Reopens a waiting turn, or, if it was set aside, continues its plan in a new turn.
pub(crate) async fn resume(
    core: &Arc<Core>,
    job: &Job,
    owner: Turn,
    inputs: Vec<Input>,
    action: Option<&PendingAction>,
) -> Result<(), UserFault> {
    let to_user = |fault: StoreFault| UserFault::from(&fault);
    let reopened = match owner.state {
        TurnState::Waiting => match core.parts.log.reopen_turn(&owner.id).await {
            Ok(turn) => Some(turn),
            Err(StoreFault::Conflict { .. }) => None,
            Err(fault) => return Err(to_user(fault)),
        },
        // Still open after a restart.
        TurnState::Open => Some(owner.clone()),
        _ => None,
    };
    let (mut driver, mut past, owner) = match reopened {
        Some(turn) => {
            let (past, seq) = match core.parts.log.past(&turn.conversation).await {
                Ok(past) => past,
                Err(fault) => {
                    // The turn is open now, but nothing works on it.
                    core.recovery_pending.store(true, Ordering::SeqCst);
                    return Err(to_user(fault));
                }
            };
            let now = core.parts.clock.now();
            let driver = Driver::new(
                core,
                job,
                &turn.conversation,
                &turn.id,
                now,
                (past.clone(), seq),
            );
            (driver, past, turn)
        }
        None => {
            let fresh = core.turn_id();
            let (driver, past) = open(core, job, &owner.conversation, &fresh, ("", None)).await?;
            (driver, past, owner)
        }
    };
    if let Some(action) = action
        && !past.pending.iter().any(|one| one.id == action.id)
    {
        past.pending.push(action.clone());
    }
    driver.works_for(&owner.text);
    let machine = Machine::new(driver.frame(""));
    let mut all = vec![Input::Reopened {
        past: Box::new(past),
        turn: Box::new(owner),
    }];
    all.extend(inputs);
    driver.run(machine, "", all).await;
    Ok(())
}
