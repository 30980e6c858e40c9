//! Changes that need no plan: taking back an effect, and what becomes due by itself. Recorded like every other.

use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{Effect, EffectCommit, Receipt, ToolUse, TurnEnd, TurnState};
use adjutant_domain::event::{StepOutcome, TurnEvent};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::{ConversationId, EffectId, StepKey, TurnId};
use serde_json::{Value, json};

use crate::core::Core;
use crate::ops::{Work, open};
use crate::turn::driver::{Driver, Job};

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
                "Look at what was done in Activity (`adjutant show activity`).",
            )
        })?;
    let plain = inverse_of(effect)?;
    carry_out(core, job, (&work.conversation, &work.turn), plain)
        .await
        .map(drop)
}

/// Takes back the latest effect of the driver's conversation, inside its turn. What an undo did is passed over, so that
/// saying it twice goes two steps back.
pub(crate) async fn take_back(driver: &mut Driver) -> Result<String, UserFault> {
    let (turn, conversation) = (driver.turn.clone(), driver.conversation.clone());
    let core = driver.core.clone();
    let latest = core
        .parts
        .log
        .latest_undoable(&conversation)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let effect = latest.ok_or_else(|| {
        UserFault::new(
            "nothing_to_undo",
            "Nothing was done in this conversation that could be taken back.",
            "Activity lists everything that was done.",
        )
    })?;
    let plain = inverse_of(effect)?;
    let step = StepKey::default();
    driver.tell(TurnEvent::ToolCall {
        step: step.clone(),
        tool: plain.tool.to_owned(),
        args: plain.args.clone(),
    });
    let commit = commit_of(&core, &plain, &step, &conversation, &turn);
    let (outcome, receipt) = outcome_of(driver.commit(commit).await, plain.say);
    driver.tell(result_of(&step, &outcome, receipt));
    outcome
}

/// The recorded inverse of an effect as a change of its own.
fn inverse_of(effect: Effect) -> Result<Plain, UserFault> {
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
    let say = match effect
        .say
        .strip_prefix(UNDONE)
        .filter(|_| effect.undoes.is_some())
    {
        Some(first) => format!("Done again: {first}"),
        None => format!("{UNDONE}{}", effect.say),
    };
    Ok(Plain {
        title: say.clone(),
        tool: "undo",
        args: json!({ "effect": effect.id }),
        say,
        change,
        undoes: Some(effect.id),
    })
}

/// How a sentence about an undo begins.
const UNDONE: &str = "Undone: ";

fn commit_of(
    core: &Core,
    plain: &Plain,
    step: &StepKey,
    conversation: &ConversationId,
    turn: &TurnId,
) -> EffectCommit {
    EffectCommit {
        id: core.draw().effect,
        turn: turn.clone(),
        step: step.clone(),
        conversation: conversation.clone(),
        tool: plain.tool.to_owned(),
        args: plain.args.clone(),
        say: plain.say.clone(),
        change: plain.change.clone(),
        claim: None,
        undoes: plain.undoes.clone(),
        at: core.parts.clock.now().timestamp(),
        plan: None,
        journal: Vec::new(),
    }
}

/// What became of the commit, in words a person reads.
fn outcome_of(
    stored: Result<Receipt, StoreFault>,
    say: String,
) -> (Result<String, UserFault>, Option<Receipt>) {
    match stored {
        Ok(receipt) => (Ok(say), Some(receipt)),
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
    }
}

fn result_of(
    step: &StepKey,
    outcome: &Result<String, UserFault>,
    receipt: Option<Receipt>,
) -> TurnEvent {
    TurnEvent::ToolResult {
        step: step.clone(),
        ok: outcome.is_ok(),
        result: outcome.as_ref().ok().map(|say| json!({ "say": say })),
        error: outcome.as_ref().err().cloned(),
        receipt,
        ms: None,
    }
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
    let commit = commit_of(core, &plain, &step, conversation, turn);
    let (outcome, receipt) = outcome_of(driver.commit(commit).await, plain.say);
    driver.tell(result_of(&step, &outcome, receipt));
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
                usage: adjutant_domain::model::Usage::default(),
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
        tools: ToolUse::default(),
    };
    driver.close(end, vec![event]).await;
    Ok(state == TurnState::Done)
}
