//! Changes that need no plan: taking back an effect, and what becomes due by itself. Recorded like every other.

use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{EffectCommit, TurnEnd, TurnState};
use adjutant_domain::event::{StepOutcome, TurnEvent};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::{ConversationId, EffectId, StepKey, TurnId};
use serde_json::{Value, json};

use crate::core::Core;
use crate::ops::{Work, open};
use crate::turn::driver::Job;

/// What a change without a plan is.
pub(crate) struct Plain {
    pub(crate) title: String,
    pub(crate) tool: &'static str,
    pub(crate) args: Value,
    pub(crate) say: String,
    pub(crate) change: Change,
    pub(crate) undoes: Option<EffectId>,
}

/// Runs the recorded inverse of an effect.
pub(crate) async fn undo(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    id: &EffectId,
) -> Result<(), UserFault> {
    let effect = core
        .parts
        .log
        .effect(id)
        .await
        .map_err(|fault| UserFault::from(&fault))?
        .ok_or_else(|| {
            UserFault::new(
                "not_found",
                format!("There is no effect {id}."),
                "Look at what was done with `adjutant show activity`.",
            )
        })?;
    if effect.undone_by.is_some() {
        return Err(UserFault::new(
            "undone",
            "This was undone already; nothing was done.",
            "",
        ));
    }
    let Some(change) = effect.inverse.filter(|change| !change.ops.is_empty()) else {
        return Err(UserFault::new(
            "no_undo",
            "There is no way back for this; nothing was done.",
            "",
        ));
    };
    let plain = Plain {
        title: format!("Undo: {}", effect.say),
        tool: "undo",
        args: json!({ "effect": id }),
        say: format!("Undone: {}", effect.say),
        change,
        undoes: Some(id.clone()),
    };
    carry_out(core, job, (&work.conversation, &work.turn), plain)
        .await
        .map(drop)
}

/// Opens a turn, carries out one change in it, and closes it with what the receipt proves. Gives whether it was done.
pub(crate) async fn carry_out(
    core: &Arc<Core>,
    job: &Job,
    (conversation, turn): (&ConversationId, &TurnId),
    plain: Plain,
) -> Result<bool, UserFault> {
    let (mut driver, past) = open(core, job, conversation, turn, &plain.title).await?;
    let step = StepKey::default();
    driver.tell(TurnEvent::TurnStarted {
        text: plain.title.clone(),
    });
    driver.tell(TurnEvent::ToolCall {
        step: step.clone(),
        tool: plain.tool.to_owned(),
        args: plain.args.clone(),
    });
    let commit = EffectCommit {
        id: core.draw().effect,
        turn: turn.clone(),
        step: step.clone(),
        conversation: conversation.clone(),
        tool: plain.tool.to_owned(),
        args: plain.args,
        say: plain.say.clone(),
        change: plain.change,
        claim: None,
        undoes: plain.undoes,
        at: core.parts.clock.now().timestamp(),
        plan: None,
        journal: Vec::new(),
    };
    let (outcome, receipt) = match driver.commit(commit).await {
        Ok(receipt) => (Ok(plain.say), Some(receipt)),
        Err(StoreFault::Conflict { what }) => (
            Err(UserFault::new(
                "conflict",
                format!(
                    "{what} was changed afterwards; going back now would overwrite that. Nothing was done."
                ),
                "Change it by hand, or undo the later change first.",
            )),
            None,
        ),
        Err(fault) => (Err(UserFault::from(&fault)), None),
    };
    driver.tell(TurnEvent::ToolResult {
        step: step.clone(),
        ok: outcome.is_ok(),
        result: outcome.as_ref().ok().map(|say| json!({ "say": say })),
        error: outcome.as_ref().err().cloned(),
        receipt,
    });
    let (state, answer, event) = match outcome {
        Ok(say) => {
            let done = TurnEvent::Done {
                answer: say.clone(),
                results: vec![StepOutcome {
                    step,
                    tool: plain.tool.to_owned(),
                    status: "done".to_owned(),
                    say: say.clone(),
                    error: None,
                }],
                used_tools: vec![plain.tool.to_owned()],
                used_memories: Vec::new(),
                decision: turn.0.clone(),
                ms: 0,
            };
            (TurnState::Done, say, done)
        }
        Err(fault) => (
            TurnState::Failed,
            fault.to_string(),
            TurnEvent::Error { fault },
        ),
    };
    let end = TurnEnd {
        turn: turn.clone(),
        conversation: conversation.clone(),
        state,
        route: None,
        plan: None,
        answer: Some(answer),
        pending: Vec::new(),
        actions: Vec::new(),
        sets_aside: None,
        focus: past.focus,
        taint: past.taint,
        at: core.parts.clock.now().timestamp(),
        journal: Vec::new(),
    };
    driver.close(end, vec![event]).await;
    Ok(state == TurnState::Done)
}
