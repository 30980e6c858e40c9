//! The operations that the engine accepts.

use adjutant_domain::canonical::Digest;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::Channel;
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, RecordId, StepKey, TurnId};
use adjutant_domain::model::Tier;
use adjutant_domain::source::Sources;
use serde_json::Value;

/// Maximum size of a message in bytes; longer texts belong in files.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024;

/// An operation. The engine returns its events as a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// The person sends a message.
    Ask {
        /// Conversation of the message.
        conversation: ConversationId,
        /// Text of the message.
        text: String,
        /// Tier for planning and answering. `None`: the default tier of each stage.
        tier: Option<Tier>,
    },
    /// The person answers a question by button or field.
    Answer {
        /// Id of the question, see [`crate::question_id`].
        question: String,
        /// The answer.
        answer: Answer,
    },
    /// The person approves an action.
    Approve {
        /// The action.
        id: ActionId,
        /// Digest of what the person saw.
        digest: Digest,
        /// Channel through which the approval arrives.
        channel: Channel,
    },
    /// The person rejects an action.
    Reject {
        /// The action.
        id: ActionId,
        /// Channel through which the rejection arrives.
        channel: Channel,
    },
    /// The person changes the arguments of a waiting action. A new action replaces it.
    Edit {
        /// The action.
        id: ActionId,
        /// The complete new arguments.
        args: Value,
        /// Index of the call, from 0; required if the action has several calls.
        call: Option<usize>,
    },
    /// The person changes a waiting plan. Its waiting actions are shown again.
    EditPlan {
        /// The turn that has the plan.
        turn: TurnId,
        /// The change to the plan.
        edit: PlanEdit,
    },
    /// The person stops what runs. It bypasses the queue and takes effect at once.
    Interrupt(Target),
    /// Carries out an approved action that waits, once its hold is over.
    Carry {
        /// The action.
        id: ActionId,
        /// Whether to end the hold, or the pause before the next attempt, now.
        at_once: bool,
    },
    /// The person undoes an effect.
    Undo {
        /// The effect.
        effect: EffectId,
    },
    /// The person does something on a surface. It passes through the same gate and is recorded in
    /// [`adjutant_domain::conversation::DIRECT`].
    Apply {
        /// Name of the tool.
        tool: String,
        /// Arguments of the call.
        args: Value,
    },
    /// Proposes an action without a message of the person: another program wants it, or it expired or was rejected
    /// before. It always asks, whatever the policy allows.
    Propose {
        /// Conversation to record it in: [`adjutant_domain::conversation::DIRECT`], or that of a program.
        conversation: ConversationId,
        /// Name of the tool.
        tool: String,
        /// Arguments of the call.
        args: Value,
        /// Sources of the arguments.
        sources: Sources,
    },
    /// The person decides about an outgoing mail. Recorded in [`adjutant_domain::conversation::DIRECT`], or, if an
    /// action is carried out, in the conversation that asked for it.
    Outbox {
        /// The mail, or the approved action that waits.
        id: RecordId,
        /// The decision.
        act: OutboxAct,
    },
    /// The person sets whether answers use a memory. Recorded in [`adjutant_domain::conversation::DIRECT`].
    UseMemory {
        /// The memory.
        id: RecordId,
        /// Whether answers use it from now on.
        on: bool,
    },
    /// The person repeats or rewords an earlier message. The new turn replaces that turn and all later ones: their
    /// waiting actions give way to the new plan, their effects stay. The message never counts as approval.
    Retry {
        /// The turn whose message is repeated.
        turn: TurnId,
        /// The new wording. `None` repeats the original text.
        text: Option<String>,
        /// Tier, as for [`Op::Ask`].
        tier: Option<Tier>,
    },
}

impl Op {
    /// Converts sending a waiting action now into carrying it out, which belongs to the conversation that asked for it.
    pub(crate) fn decided(self) -> Self {
        match self {
            Self::Outbox {
                id,
                act: OutboxAct::SendNow,
            } if id.as_str().starts_with(ActionId::PREFIX) => Self::Carry {
                id: ActionId(id.0),
                at_once: true,
            },
            other => other,
        }
    }
}

/// A change to a waiting plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanEdit {
    /// Leaves out a step.
    LeaveOut {
        /// The step to leave out.
        step: StepKey,
    },
    /// Moves a step.
    Move {
        /// The step to move.
        step: StepKey,
        /// The step to put it before. `None` moves it to the end.
        before: Option<StepKey>,
    },
}

/// A decision about an outgoing mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboxAct {
    /// Carries out an approved action that waits, now.
    SendNow,
    /// Looks in Sent for a mail of unknown outcome.
    CheckAgain,
    /// Turns an unsent mail back into a draft.
    ToDraft,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// One of the offered values.
    Value(Value),
    /// Free text, interpreted as the question expects.
    Text(String),
}

/// What to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One turn.
    Turn(TurnId),
    /// Everything that runs or is queued in a conversation.
    Conversation(ConversationId),
    /// Everything.
    All,
}

/// Returns a fault if a message is empty or too long.
pub(crate) fn check_message(text: &str) -> Result<(), UserFault> {
    if text.trim().is_empty() {
        return Err(UserFault::new(
            "empty",
            "There is nothing to answer.",
            "Type a request, for example “what is on today?”.",
        ));
    }
    if text.len() > MESSAGE_BYTES_MAX {
        return Err(UserFault::new(
            "too_much",
            format!(
                "The message is longer than {} KiB.",
                MESSAGE_BYTES_MAX / 1024
            ),
            "Save the text as a file in an allowed folder and ask about it.",
        ));
    }
    Ok(())
}
