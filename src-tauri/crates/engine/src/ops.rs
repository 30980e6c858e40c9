//! How each operation becomes a turn. Runs inside the actor of its conversation, one at a time.

use std::sync::Arc;

use adjutant_domain::conversation::{Past, Turn, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault, sentence};
use adjutant_domain::gate::{ActionState, Channel, Decision, Denial, PendingAction, Verdict};
use adjutant_domain::ids::{ActionId, ConversationId, StepKey, TurnId};
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, PlanDraft, Question, StepDraft, StepState};
use adjutant_domain::reading::Utterance;
use adjutant_domain::source::{Source, Sources};
use serde_json::Value;

use crate::core::Core;
use crate::feed::LiveEvent;
use crate::op::{Answer, Op};
use crate::turn::driver::{Driver, Job, proposed, weigh};
use crate::turn::machine::{Input, Machine, Proposed, refusal};
use crate::turn::perform;
use crate::undo;

/// Turns that are looked through for the one an action belongs to; an action waits 15 minutes at most.
const OWNER_TURNS_MAX: usize = 50;

/// An operation with the conversation it belongs to and the turn it opens, or goes on with.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) conversation: ConversationId,
    pub(crate) turn: TurnId,
    pub(crate) op: Op,
}

/// Does the work; a refusal is told to the caller and leaves no trace in the conversation.
pub(crate) async fn perform(core: &Arc<Core>, job: &Job, work: &Work) {
    let done = match &work.op {
        Op::Ask { text, .. } => ask(core, job, work, text).await,
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
            approve(core, job, work, &decision).await
        }
        Op::Reject { id, channel } => reject(core, job, work, id, *channel).await,
        Op::Edit { id, args } => edit(core, job, work, id, args).await,
        Op::Answer { question, answer } => answer_question(core, job, work, question, answer).await,
        Op::Apply { tool, args } => apply(core, job, work, tool, args).await,
        Op::Undo { effect } => undo::undo(core, job, work, effect).await,
        // Neither reaches an actor: the engine turns a retry into a question and stops at once.
        Op::Interrupt(_) | Op::Retry { .. } => Ok(()),
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

/// Opens a turn of its own: the message is stored before anything else happens.
pub(crate) async fn open(
    core: &Arc<Core>,
    job: &Job,
    conversation: &ConversationId,
    turn: &TurnId,
    text: &str,
) -> Result<(Driver, Past), UserFault> {
    let now = core.parts.clock.now();
    let stored = Turn {
        id: turn.clone(),
        conversation: conversation.clone(),
        text: text.to_owned(),
        at: now.timestamp(),
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

async fn ask(core: &Arc<Core>, job: &Job, work: &Work, text: &str) -> Result<(), UserFault> {
    let (driver, past) = open(core, job, &work.conversation, &work.turn, text).await?;
    let elsewhere = waiting_elsewhere(core, &work.conversation, &past).await;
    let machine = Machine::new(core.frame(&work.conversation, &work.turn, text, &driver.now));
    let input = Input::Stored {
        past: Box::new(past),
        elsewhere,
    };
    driver.run(machine, text, vec![input]).await;
    Ok(())
}

/// Unexpired actions that wait in other conversations. Counted only when there are any at all.
async fn waiting_elsewhere(core: &Core, here: &ConversationId, past: &Past) -> usize {
    if past.pending_everywhere <= past.pending.len() {
        return 0;
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
            .count(),
        // Not knowing is no reason to let a yes count.
        Err(_) => past.pending_everywhere - past.pending.len(),
    }
}

/// A call made on a surface: a plan of one step through the same gate.
async fn apply(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    tool: &str,
    args: &Value,
) -> Result<(), UserFault> {
    let sources = Sources::from([(String::new(), Source::person())]);
    core.parts
        .toolbox
        .plan(tool, args.clone(), sources.clone())
        .map_err(|fault| UserFault::from(&fault))?;
    let (driver, past) = open(core, job, &work.conversation, &work.turn, tool).await?;
    let machine = Machine::new(core.frame(&work.conversation, &work.turn, tool, &driver.now));
    let draft = PlanDraft {
        request: tool.to_owned(),
        steps: vec![StepDraft {
            say: tool.to_owned(),
            tool: tool.to_owned(),
            args: args.clone(),
            sources,
            ..StepDraft::default()
        }],
    };
    let input = Input::Direct {
        past: Box::new(past),
        draft,
        draw: core.draw(),
    };
    driver.run(machine, tool, vec![input]).await;
    Ok(())
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

async fn approve(
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
    let looks = perform::look(core.clone(), proposed(&action), cx).await;
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
    go_on(core, job, work, &action, input).await
}

async fn reject(
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
    go_on(core, job, work, &action, Input::Denied(vec![id.clone()])).await
}

async fn edit(
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
    let look = perform::look(core.clone(), vec![changed], cx).await.pop();
    let look = match look {
        Some(Ok(look)) => Box::new(look),
        Some(Err(Stop::Fault(fault))) => return Err(UserFault::from(&fault)),
        Some(Err(Stop::Ask(question))) => {
            return Err(UserFault::new(
                "bad_arguments",
                sentence(&question.text),
                "Fill it in on the card.",
            ));
        }
        None => return Err(crate::turn::driver::internal()),
    };
    let input = Input::Edited {
        action: Box::new(action.clone()),
        look,
        draw: core.draw(),
    };
    go_on(core, job, work, &action, input).await
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

/// The plan that waits for `action` goes on with `input`.
pub(crate) async fn go_on(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    action: &PendingAction,
    input: Input,
) -> Result<(), UserFault> {
    let owner = owner(core, action)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let owner = owner.ok_or_else(|| {
        UserFault::new(
            "not_found",
            "The request of this action is gone with its conversation; nothing was done.",
            "Ask again if it shall still be done.",
        )
    })?;
    // The machine has to know the action even if storage does not list it as waiting any more.
    resume(core, job, work, owner, vec![input], Some(action)).await
}

/// The latest turn whose plan waits for `action`: a plan may have moved on from the turn that proposed it.
async fn owner(core: &Core, action: &PendingAction) -> Result<Option<Turn>, StoreFault> {
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

/// Opens a waiting turn again, or, when it was set aside, goes on with its plan in a turn of its own.
pub(crate) async fn resume(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
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
        // Found open after a restart.
        TurnState::Open => Some(owner.clone()),
        _ => None,
    };
    let (driver, mut past, turn) = match reopened {
        Some(turn) => {
            let (past, seq) = core
                .parts
                .log
                .past(&turn.conversation)
                .await
                .map_err(to_user)?;
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
            let fresh = if work.turn == owner.id {
                core.turn_id()
            } else {
                work.turn.clone()
            };
            let (driver, past) = open(core, job, &owner.conversation, &fresh, "").await?;
            (driver, past, owner)
        }
    };
    if let Some(action) = action
        && !past.pending.iter().any(|one| one.id == action.id)
    {
        past.pending.push(action.clone());
    }
    let machine = Machine::new(core.frame(&driver.conversation, &driver.turn, "", &driver.now));
    let mut all = vec![Input::Reopened {
        past: Box::new(past),
        turn: Box::new(turn),
    }];
    all.extend(inputs);
    driver.run(machine, "", all).await;
    Ok(())
}

async fn answer_question(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    id: &str,
    answer: &Answer,
) -> Result<(), UserFault> {
    let gone = || {
        UserFault::new(
            "not_found",
            "This question does not wait any more.",
            "Ask again if it shall still be done.",
        )
    };
    let (turn, step) = split_question(id).ok_or_else(gone)?;
    let owner = core
        .parts
        .log
        .turn(&turn)
        .await
        .map_err(|fault| UserFault::from(&fault))?
        .filter(|turn| turn.state == TurnState::Waiting)
        .ok_or_else(gone)?;
    let question = owner
        .plan
        .iter()
        .flat_map(|plan| &plan.steps)
        .find(|one| one.draft.key == step)
        .and_then(|one| match &one.state {
            StepState::NeedsAnswer { question } => Some(question.clone()),
            _ => None,
        })
        .ok_or_else(gone)?;
    let (value, words) = read_answer(core, &question, answer).await?;
    let input = Input::Answered { step, value, words };
    resume(core, job, work, owner, vec![input], None).await
}

/// The turn and the step of a question.
pub(crate) fn split_question(id: &str) -> Option<(TurnId, StepKey)> {
    let (turn, step) = id.split_once(':')?;
    Some((turn.into(), step.into()))
}

async fn read_answer(
    core: &Arc<Core>,
    question: &Question,
    answer: &Answer,
) -> Result<(Value, Option<String>), UserFault> {
    let no_answer = || {
        UserFault::new(
            "no_answer",
            "That does not answer the question.",
            sentence(&question.text),
        )
    };
    match answer {
        Answer::Value(value) => {
            let offered = question.choices.iter().any(|choice| choice.value == *value);
            if question.answer == AnswerKind::Choice && !offered {
                return Err(no_answer());
            }
            Ok((value.clone(), None))
        }
        Answer::Text(text) => {
            crate::op::check_message(text)?;
            let people = core
                .people
                .get(&*core.parts.records)
                .await
                .unwrap_or_default();
            let settings = core.settings();
            let said = Utterance {
                text,
                now: &core.parts.clock.now(),
                settings: &settings,
                focus: &adjutant_domain::focus::Focus::default(),
                history: &[],
                people: &people,
                tools: core.parts.toolbox.specs(),
            };
            let value = perform::contained("answer", || {
                core.parts
                    .resumer
                    .answer(&said, question.answer, &question.choices)
            });
            let value = value.flatten().ok_or_else(no_answer)?;
            Ok((value, Some(text.clone())))
        }
    }
}
