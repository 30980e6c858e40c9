//! Handles requests that lead to turns.

use adjutant_api::convert::turns::event;
use adjutant_api::reply::Applied;
use adjutant_api::{Fault, PlanChange, Reply, Request};
use adjutant_domain::canonical::Digest;
use adjutant_domain::conversation::DIRECT;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::{Call, Channel};
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, StepKey, TurnId};
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::program::is_of_program;
use adjutant_domain::source::{Source, Sources};
use adjutant_engine::{Answer, LiveEvent, Op, PlanEdit, Target};
use serde_json::Value;

use super::{Service, Sink, store_fault, user_fault};

/// Runs a request that leads to a turn. The reply names the turn, and its events follow.
pub(super) async fn follow(
    service: &Service,
    request: Request,
    channel: Channel,
    out: &Sink,
) -> Result<(), Fault> {
    let op = operation(service, request, channel).await?;
    let mut events = service
        .engine
        .submit(op)
        .await
        .map_err(|fault| user_fault(&fault))?;
    let mut named = false;
    while let Some(live) = events.next().await {
        // A refusal is not part of the conversation but the answer to the request itself.
        if let (0, TurnEvent::Error { fault }) = (live.seq, &live.event) {
            return Err(user_fault(fault));
        }
        if !named {
            named = true;
            out.reply(Reply::Turn {
                turn: live.turn.0.clone(),
                conversation: live.conversation.0.clone(),
                seq: live.seq,
            })
            .await;
        }
        out.event(wire(&live)).await;
    }
    Ok(())
}

pub(super) async fn operation(
    service: &Service,
    request: Request,
    channel: Channel,
) -> Result<Op, Fault> {
    Ok(match request {
        Request::Ask {
            conversation,
            text,
            tier,
        } => Op::Ask {
            conversation: checked(&conversation)?,
            text,
            tier: super::models::chosen_tier(tier.as_deref())?,
        },
        Request::Retry { turn, text, tier } => Op::Retry {
            turn: TurnId(turn),
            text,
            tier: super::models::chosen_tier(tier.as_deref())?,
        },
        Request::Answer { id, value } => {
            let answer = match value {
                Value::String(text) => Answer::Text(text),
                value => Answer::Value(value),
            };
            Op::Answer {
                question: id,
                answer,
            }
        }
        Request::Approve { id, digest } => Op::Approve {
            id: ActionId(id),
            digest: Digest(digest),
            channel,
        },
        Request::Reject { id } => Op::Reject {
            id: ActionId(id),
            channel,
        },
        Request::Edit { id, args, call } => Op::Edit {
            id: ActionId(id),
            args,
            call: call.map(|at| usize::try_from(at).unwrap_or(usize::MAX)),
        },
        Request::EditPlan { turn, change } => Op::EditPlan {
            turn: TurnId(turn),
            edit: match change {
                PlanChange::LeaveOut { step } => PlanEdit::LeaveOut {
                    step: StepKey(step),
                },
                PlanChange::Move { step, before } => PlanEdit::Move {
                    step: StepKey(step),
                    before: before.map(StepKey),
                },
            },
        },
        Request::Undo { id } => Op::Undo {
            effect: EffectId(id),
        },
        Request::AskAgain { id } => {
            let action = service
                .store
                .action(&ActionId(id))
                .await
                .map_err(store_fault)?;
            let Some(found) = action else {
                return Err(Fault {
                    code: "not_found".into(),
                    message: "There is no such action.".into(),
                    hint: "See Approvals for what waits.".into(),
                });
            };
            match found.calls.as_slice() {
                [call] => again(&found.conversation, call),
                _ => {
                    return Err(Fault {
                        code: "batch".into(),
                        message: "This card held several changes, so it cannot be proposed again."
                            .into(),
                        hint: "Ask for them again in the conversation.".into(),
                    });
                }
            }
        }
        _ => {
            return Err(Fault {
                code: "usage".into(),
                message: "This request does not start a turn.".into(),
                hint: String::new(),
            });
        }
    })
}

/// Builds the operation that repeats an earlier read. Values from foreign text or a program keep that source: wanting
/// to see the result again does not make them the person's.
fn again(conversation: &ConversationId, call: &Call) -> Op {
    let mut sources = Sources::from([(String::new(), Source::person())]);
    let foreign = |(_, source): &(&String, &Source)| source.is_untrusted();
    let kept = call.sources.iter().filter(foreign);
    sources.extend(kept.map(|(pointer, source)| (pointer.clone(), source.clone())));
    Op::Propose {
        conversation: if is_of_program(conversation) {
            conversation.clone()
        } else {
            DIRECT.into()
        },
        tool: call.tool.clone(),
        args: call.args.clone(),
        sources,
    }
}

/// Maximum number of characters in a conversation's id.
const CONVERSATION_CHARS_MAX: usize = 64;

fn checked(id: &str) -> Result<ConversationId, Fault> {
    let fits = !id.is_empty()
        && id.len() <= CONVERSATION_CHARS_MAX
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if fits {
        return Ok(ConversationId(id.to_owned()));
    }
    Err(Fault {
        code: "usage".into(),
        message: "This cannot be the ID of a conversation.".into(),
        hint: "Use letters, digits, - _ and ., at most 64.".into(),
    })
}

/// Sends the events of a conversation until the reader disconnects: from the journal starting at a number, then live.
/// Without a conversation, sends events about the whole profile: changed rows, progress, reminders.
pub(super) async fn subscribe(
    service: &Service,
    conversation: &str,
    from: i64,
    out: &Sink,
) -> Result<(), Fault> {
    if conversation.is_empty() {
        return changes(service, out).await;
    }
    let mut events = service.engine.subscribe(&checked(conversation)?, from);
    out.reply(Reply::Ok {}).await;
    loop {
        tokio::select! {
            () = service.stop.cancelled() => return Ok(()),
            () = out.closed() => return Ok(()),
            live = events.next() => match live {
                Some(live) => out.event(wire(&live)).await,
                _ => return Ok(()),
            },
        }
    }
}

async fn changes(service: &Service, out: &Sink) -> Result<(), Fault> {
    let mut changes = service.changes();
    out.reply(Reply::Ok {}).await;
    loop {
        tokio::select! {
            () = service.stop.cancelled() => return Ok(()),
            () = out.closed() => return Ok(()),
            body = changes.next() => match body {
                Some(body) => out.note(body),
                _ => return Ok(()),
            },
        }
    }
}

/// Carries out a direct manipulation through the same gate and returns the result in one reply.
pub(super) async fn apply(service: &Service, op: Op) -> Result<Reply, Fault> {
    let mut events = service
        .engine
        .submit(op)
        .await
        .map_err(|fault| user_fault(&fault))?;
    let (mut effect, mut output, mut asked, mut outcome) = (None, Value::Null, None, None);
    while let Some(live) = events.next().await {
        match &live.event {
            TurnEvent::ToolResult {
                ok: true,
                result,
                receipt,
                ..
            } => {
                // The data besides the words, which are reported as the answer.
                output = result
                    .as_ref()
                    .map_or(Value::Null, |result| result["output"].clone());
                effect = receipt.as_ref().map(|receipt| receipt.id.0.clone());
            }
            TurnEvent::ToolResult {
                ok: false,
                error: Some(fault),
                ..
            } => {
                outcome = Some(Applied::Failed {
                    fault: fault.into(),
                });
            }
            TurnEvent::Question { text, .. } => asked = Some(text.clone()),
            TurnEvent::Waiting { approvals, .. } => {
                outcome = Some(match approvals.first() {
                    Some(id) => Applied::ApprovalNeeded { id: id.0.clone() },
                    None => Applied::Question {
                        text: asked.take().unwrap_or_default(),
                    },
                });
            }
            TurnEvent::Done { answer, .. } if outcome.is_none() => {
                outcome = Some(Applied::Done {
                    effect: effect.take(),
                    say: answer.clone(),
                    output: output.take(),
                });
            }
            TurnEvent::Error { fault } => {
                outcome = Some(Applied::Failed {
                    fault: fault.into(),
                })
            }
            TurnEvent::Interrupted { .. } => {
                let fault = Fault {
                    code: "interrupted".into(),
                    message: "This was stopped before it was done.".into(),
                    hint: "Do it again if you still want it.".into(),
                };
                outcome = Some(Applied::Failed { fault });
            }
            _ => {}
        }
    }
    let outcome = outcome.ok_or_else(|| Fault {
        code: "unknown".into(),
        message: "It is not known whether this was done.".into(),
        hint: "Check Activity before you try again.".into(),
    })?;
    Ok(Reply::Applied { outcome })
}

/// Stops a turn, a conversation, or everything.
pub(super) async fn interrupt(
    service: &Service,
    turn: Option<String>,
    conversation: Option<String>,
) -> Result<Reply, Fault> {
    let target = match (turn, conversation) {
        (Some(turn), _) => Target::Turn(TurnId(turn)),
        (None, Some(conversation)) => Target::Conversation(ConversationId(conversation)),
        (None, None) => Target::All,
    };
    let stopped = service.engine.interrupt(&target).await;
    stopped.map_err(|fault| user_fault(&fault))?;
    Ok(Reply::Ok {})
}

/// Converts an engine event for the wire.
pub(super) fn wire(live: &LiveEvent) -> adjutant_api::WireEvent {
    event(
        live.conversation.as_str(),
        live.turn.as_str(),
        live.seq,
        &live.event,
    )
}
