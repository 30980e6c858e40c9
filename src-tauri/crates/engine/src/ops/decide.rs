//! Approving, rejecting and editing what waits, by button or from the command line.

use std::sync::Arc;

use adjutant_domain::faults::{UserFault, sentence};
use adjutant_domain::gate::{ActionState, Channel, Decision, Denial, PendingAction, Verdict};
use adjutant_domain::ids::ActionId;
use adjutant_domain::outcome::Stop;
use adjutant_domain::source::{Source, Sources};
use serde_json::Value;

use super::Work;
use super::resume::go_on;
use crate::core::Core;
use crate::turn::driver::{Job, internal};
use crate::turn::machine::{Input, Proposed, refusal};
use crate::turn::perform;
use crate::turn::weigh::{proposed, weigh};

pub(super) async fn approve(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    decision: &Decision,
) -> Result<(), UserFault> {
    let action = waiting_action(core, &decision.id).await?;
    if action.digest != decision.digest {
        return Err(refusal(&Denial::WrongDigest));
    }
    let cx = core.cx(core.parts.clock.now());
    let look = perform::look(core.clone(), proposed(&action), cx);
    let Some(looks) = job.stop.run_until_cancelled(look).await else {
        return Err(stopped());
    };
    let verdict = weigh(core, &action, decision, &looks).await;
    match &verdict {
        Verdict::Allowed(_) | Verdict::Denied(Denial::TargetChanged { .. }) => {}
        Verdict::Denied(denial) => return Err(refusal(denial)),
        Verdict::Ask(_) => return Ok(()),
    }
    let input = Input::Resolved {
        action: Box::new(action.clone()),
        verdict,
        looks,
        draw: core.draw(),
    };
    go_on(core, job, &work.turn, &action, input).await
}

pub(super) async fn reject(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    id: &ActionId,
    channel: Channel,
) -> Result<(), UserFault> {
    let action = waiting_action(core, id).await?;
    core.parts
        .log
        .move_action(id, ActionState::Pending, ActionState::Denied, Some(channel))
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    go_on(
        core,
        job,
        &work.turn,
        &action,
        Input::Denied(vec![id.clone()]),
    )
    .await
}

pub(super) async fn edit(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    id: &ActionId,
    args: &Value,
) -> Result<(), UserFault> {
    let action = waiting_action(core, id).await?;
    let [call] = action.calls.as_slice() else {
        return Err(UserFault::new(
            "batch",
            "Several things at once cannot be edited on one card.",
            "Reject it and ask for each one.",
        ));
    };
    let changed = Proposed {
        tool: call.tool.clone(),
        args: args.clone(),
        sources: edited_sources(&call.sources, &call.args, args),
    };
    let cx = core.cx(core.parts.clock.now());
    let look = perform::look(core.clone(), vec![changed], cx);
    let Some(mut looks) = job.stop.run_until_cancelled(look).await else {
        return Err(stopped());
    };
    let look = match looks.pop() {
        Some(Ok(look)) => Box::new(look),
        Some(Err(Stop::Fault(fault))) => return Err(UserFault::from(&fault)),
        Some(Err(Stop::Ask(question))) => {
            return Err(UserFault::new(
                "bad_arguments",
                sentence(&question.text),
                "Fill it in on the card.",
            ));
        }
        None => return Err(internal()),
    };
    let input = Input::Edited {
        action: Box::new(action.clone()),
        look,
        draw: core.draw(),
    };
    go_on(core, job, &work.turn, &action, input).await
}

fn stopped() -> UserFault {
    UserFault::new(
        "stopped",
        "Stopped by you; nothing was done. The action still waits.",
        "",
    )
}

/// What the person changed comes from the person; the rest keeps its source.
fn edited_sources(sources: &Sources, before: &Value, after: &Value) -> Sources {
    let mut edited = sources.clone();
    if let (Some(before), Some(after)) = (before.as_object(), after.as_object()) {
        for (key, value) in after {
            if before.get(key) != Some(value) {
                let pointer = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
                edited.retain(|one, _| *one != pointer && !one.starts_with(&format!("{pointer}/")));
                edited.insert(pointer, Source::person());
            }
        }
    } else {
        edited = Sources::from([(String::new(), Source::person())]);
    }
    edited
}

/// A waiting action, if it can still be answered. One that ran out is stored as such.
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
                "Look at what waits with `adjutant show approvals`.",
            )
        })?;
    if action.state != ActionState::Pending {
        return Err(refusal(&Denial::NotPending {
            state: action.state,
        }));
    }
    if action.expires <= core.parts.clock.now().timestamp() {
        let moved = core
            .parts
            .log
            .move_action(id, ActionState::Pending, ActionState::Expired, None)
            .await;
        if let Err(fault) = moved {
            tracing::warn!(%id, %fault, "an expired action could not be stored as such");
        }
        return Err(refusal(&Denial::Expired));
    }
    Ok(action)
}
