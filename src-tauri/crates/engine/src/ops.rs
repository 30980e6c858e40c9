//! Turns each operation into a turn. Runs inside the actor of its conversation, one operation at a time.

mod answer;
mod decide;
mod resume;

pub(crate) use answer::split_question;
pub(crate) use resume::{go_on, owner};

use std::sync::Arc;

use adjutant_domain::conversation::{Past, Turn, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{ActionState, Decision, Risk};
use adjutant_domain::ids::{ConversationId, TurnId};
use adjutant_domain::model::Tier;
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::program::is_of_program;
use adjutant_domain::source::{Source, Sources, Taint};
use serde_json::Value;

use crate::core::Core;
use crate::feed::LiveEvent;
use crate::manual::Command;
use crate::op::Op;
use crate::turn::driver::{Driver, Job, internal};
use crate::turn::machine::{Draw, Input, Machine, Proposed};
use crate::turn::perform;
use crate::undo;

/// An operation with its conversation and the turn it opens or continues.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) conversation: ConversationId,
    pub(crate) turn: TurnId,
    pub(crate) op: Op,
}

/// Carries out an operation. A refusal goes to the caller and leaves no trace in the conversation.
pub(crate) async fn perform(core: &Arc<Core>, job: &Job, work: &Work) {
    let place = (&work.conversation, &work.turn);
    let done = match &work.op {
        Op::Ask { text, tier, .. } => ask(core, job, work, (text, None), *tier).await,
        Op::Retry { turn, text, tier } => {
            let text = text.as_deref().unwrap_or_default();
            ask(core, job, work, (text, Some(turn)), *tier).await
        }
        Op::Approve {
            id,
            digest,
            channel,
        } => {
            let decision = Decision {
                id: id.clone(),
                digest: digest.clone(),
                channel: *channel,
            };
            decide::approve(core, job, work, &decision).await
        }
        Op::Reject { id, channel } => decide::reject(core, job, id, *channel).await,
        Op::Carry { id, at_once } => decide::carry(core, job, id, *at_once).await,
        Op::Edit { id, args, call } => decide::edit(core, job, id, (args, *call)).await,
        Op::EditPlan { turn, edit } => decide::edit_plan(core, job, turn, edit).await,
        Op::Answer { question, answer } => {
            answer::answer_question(core, job, question, answer).await
        }
        Op::Apply { tool, args } => {
            let proposed = proposed(tool, args, by_person());
            apply(core, job, place, proposed, Begun::ByHand).await
        }
        Op::Propose {
            tool,
            args,
            sources,
            ..
        } => {
            let proposed = proposed(tool, args, sources.clone());
            apply(core, job, place, proposed, Begun::Unsaid).await
        }
        Op::Undo { effect } => {
            let which = undo::Which::Effect(effect.clone());
            command(core, job, place, &Command::Undo(which)).await
        }
        Op::Outbox { id, act } => match Command::outbox(id.clone(), *act) {
            Some(decided) => command(core, job, place, &decided).await,
            None => Err(decide::not_waiting()),
        },
        Op::UseMemory { id, on } => {
            let (id, on) = (id.clone(), *on);
            command(core, job, place, &Command::UseMemory { id, on }).await
        }
        // Never reaches an actor: the engine handles it at once.
        Op::Interrupt(_) => Ok(()),
    };
    if let Err(fault) = done {
        job.sink.send(&Arc::new(LiveEvent {
            conversation: work.conversation.clone(),
            turn: work.turn.clone(),
            seq: 0,
            event: TurnEvent::Error { fault },
        }));
    }
}

/// Opens a new turn. Stores the message before anything else happens.
pub(crate) async fn open(
    core: &Arc<Core>,
    job: &Job,
    conversation: &ConversationId,
    turn: &TurnId,
    (text, instead_of): (&str, Option<&TurnId>),
) -> Result<(Driver, Past), UserFault> {
    let now = core.parts.clock.now();
    let stored = Turn {
        id: turn.clone(),
        conversation: conversation.clone(),
        text: text.to_owned(),
        at: now.timestamp(),
        instead_of: instead_of.cloned(),
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    };
    let (past, seq) = core
        .parts
        .log
        .open_turn(&stored)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let driver = Driver::new(core, job, conversation, turn, now, (past.clone(), seq));
    Ok((driver, past))
}

async fn ask(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    (text, instead_of): (&str, Option<&TurnId>),
    tier: Option<Tier>,
) -> Result<(), UserFault> {
    let said = (text, instead_of);
    let (mut driver, past) = open(core, job, &work.conversation, &work.turn, said).await?;
    let elsewhere = waiting_elsewhere(core, &work.conversation, &past).await;
    driver.choose_tier(tier);
    let mut frame = driver.frame(text);
    frame.instead_of = instead_of.cloned();
    let machine = Machine::new(frame);
    let input = Input::Stored {
        past: Box::new(past),
        elsewhere,
    };
    driver.run(machine, text, vec![input]).await;
    Ok(())
}

/// Returns the titles of the unexpired actions that wait in other conversations; queries storage only if there are any.
async fn waiting_elsewhere(core: &Core, here: &ConversationId, past: &Past) -> Vec<String> {
    let others = past.pending_everywhere.saturating_sub(past.pending.len());
    if others == 0 {
        return Vec::new();
    }
    let now = core.parts.clock.now().timestamp();
    match core
        .parts
        .log
        .actions(Some(ActionState::Pending), None)
        .await
    {
        Ok(actions) => actions
            .iter()
            .filter(|action| action.conversation != *here && action.expires > now)
            .map(|action| action.card.title.clone())
            .collect(),
        // If storage cannot tell, assume that they all wait, so that a bare "yes" is not taken as approval.
        Err(_) => vec!["An action".to_owned(); others],
    }
}

/// Carries out a call made without a message: a plan of one step, through the same gate.
async fn apply(
    core: &Arc<Core>,
    job: &Job,
    place: (&ConversationId, &TurnId),
    proposed: Proposed,
    begun: Begun,
) -> Result<(), UserFault> {
    let Proposed {
        tool,
        args,
        sources,
    } = proposed.clone();
    core.parts
        .toolbox
        .plan(&tool, args, sources)
        .map_err(|fault| UserFault::from(&fault))?;
    direct(core, job, place, (proposed, begun), &tool).await
}

fn proposed(tool: &str, args: &Value, sources: Sources) -> Proposed {
    Proposed {
        tool: tool.to_owned(),
        args: args.clone(),
        sources,
    }
}

/// Why a plan of one step exists without a message.
#[derive(Clone, Copy)]
enum Begun {
    /// The person did something on a surface.
    ByHand,
    /// It is proposed although the person has said nothing.
    Unsaid,
}

/// Carries out a command of the person. Refuses it before storing anything if it cannot be done.
pub(crate) async fn command(
    core: &Arc<Core>,
    job: &Job,
    place: (&ConversationId, &TurnId),
    command: &Command,
) -> Result<(), UserFault> {
    let (tool, args) = command.call().map_err(|error| {
        tracing::error!(%error, "a command cannot be written as JSON");
        internal()
    })?;
    let cx = core.cx(core.parts.clock.now());
    let proposed = proposed(&tool, &args, by_person());
    let looks = perform::look(core.clone(), vec![proposed.clone()], cx).await;
    let title = match looks.into_iter().next() {
        Some(Ok(look)) => look.card.title,
        Some(Err(Stop::Fault(fault))) => return Err(UserFault::from(&fault)),
        Some(Err(Stop::Ask(_) | Stop::Closest(_))) | None => return Err(internal()),
    };
    direct(core, job, place, (proposed, Begun::ByHand), &title).await
}

fn by_person() -> Sources {
    Sources::from([(String::new(), Source::person())])
}

/// Opens a turn with a plan of one step that comes from no message.
async fn direct(
    core: &Arc<Core>,
    job: &Job,
    (conversation, turn): (&ConversationId, &TurnId),
    (proposed, begun): (Proposed, Begun),
    title: &str,
) -> Result<(), UserFault> {
    let (driver, mut past) = open(core, job, conversation, turn, (title, None)).await?;
    let mut frame = driver.frame(title);
    match begun {
        Begun::ByHand => frame.policy.by_hand = true,
        Begun::Unsaid => frame.policy.unasked_max = Risk::Read,
    }
    if is_of_program(conversation) {
        past.taint = Taint::Tainted;
    }
    let machine = Machine::new(frame);
    let draft = PlanDraft {
        request: title.to_owned(),
        steps: vec![StepDraft {
            say: title.to_owned(),
            tool: proposed.tool,
            args: proposed.args,
            sources: proposed.sources,
            ..StepDraft::default()
        }],
    };
    let input = Input::Direct {
        past: Box::new(past),
        draft,
        draw: Draw::of(&*core.parts.entropy),
    };
    driver.run(machine, title, vec![input]).await;
    Ok(())
}
