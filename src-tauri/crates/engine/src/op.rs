//! What the engine can be asked to do.

use adjutant_domain::canonical::Digest;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::Channel;
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, RecordId, StepKey, TurnId};
use adjutant_domain::model::Tier;
use adjutant_domain::source::Sources;
use serde_json::Value;

/// Bytes a message may have; longer texts are files.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024;

/// An operation. Its events come back as a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// The person says something.
    Ask {
        /// Where.
        conversation: ConversationId,
        /// What.
        text: String,
        /// How capable a model plans and answers, where one does; as each stage needs it where nothing is said.
        tier: Option<Tier>,
    },
    /// The person answers a question by button or field.
    Answer {
        /// [`crate::question_id`] of the question.
        question: String,
        /// The answer.
        answer: Answer,
    },
    /// The person approves an action.
    Approve {
        /// Which.
        id: ActionId,
        /// The digest of what the person saw.
        digest: Digest,
        /// Through which door.
        channel: Channel,
    },
    /// The person rejects an action.
    Reject {
        /// Which.
        id: ActionId,
        /// Through which door.
        channel: Channel,
    },
    /// The person changes the arguments of a waiting action: a new action takes its place.
    Edit {
        /// Which.
        id: ActionId,
        /// The new arguments, all of them.
        args: Value,
        /// Which of its calls, from 0; needed where it has several.
        call: Option<usize>,
    },
    /// The person changes a plan that waits: what waits for approval in it is shown anew.
    EditPlan {
        /// The turn whose plan it is.
        turn: TurnId,
        /// What changes.
        edit: PlanEdit,
    },
    /// The person stops what runs. Needs no queue and takes effect at once.
    Interrupt(Target),
    /// Carries out an approved action that waits, if its hold is over.
    Carry {
        /// Which.
        id: ActionId,
        /// Whether the person ends the hold, or the pause between two tries, now.
        at_once: bool,
    },
    /// The person takes back an effect.
    Undo {
        /// Which.
        effect: EffectId,
    },
    /// The person does something on a surface. It passes the same gate and is recorded in [`adjutant_domain::conversation::DIRECT`].
    Apply {
        /// Tool.
        tool: String,
        /// Arguments.
        args: Value,
    },
    /// Something is proposed without words of the person: another program wants it, or it expired or was rejected before. It
    /// asks, whatever the policy says.
    Propose {
        /// Where: [`adjutant_domain::conversation::DIRECT`], or the conversation of a program.
        conversation: ConversationId,
        /// Tool.
        tool: String,
        /// Arguments.
        args: Value,
        /// Where they come from.
        sources: Sources,
    },
    /// The person decides about something on its way out. Recorded in [`adjutant_domain::conversation::DIRECT`], or where
    /// it was asked for when it is carried out.
    Outbox {
        /// Which mail, or which approved action that waits.
        id: RecordId,
        /// What shall become of it.
        act: OutboxAct,
    },
    /// The person keeps a memory without using it, or uses it again. Recorded in [`adjutant_domain::conversation::DIRECT`].
    UseMemory {
        /// Which.
        id: RecordId,
        /// Whether it is used from now on.
        on: bool,
    },
    /// The person asks the same again, or says it another way: in the place of that turn and of all after it. What waits in
    /// those gives way to what the new plan asks for; what was done stays done. It is never read as a yes.
    Retry {
        /// The turn whose message is asked again.
        turn: TurnId,
        /// The other words, if there are any.
        text: Option<String>,
        /// As for a message.
        tier: Option<Tier>,
    },
}

impl Op {
    /// A decision about an approved action that waits belongs to the conversation that asked for it.
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

/// A change to a plan that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanEdit {
    /// A step is left out.
    LeaveOut {
        /// Which.
        step: StepKey,
    },
    /// A step comes at another place.
    Move {
        /// Which.
        step: StepKey,
        /// The step it comes before; none: it comes last.
        before: Option<StepKey>,
    },
}

/// What shall become of a mail on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboxAct {
    /// One that is approved and waits: it is carried out now.
    SendNow,
    /// One of which nobody knows whether it left: looks for it in Sent.
    CheckAgain,
    /// One that has not left: becomes a draft again.
    ToDraft,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// One of the offered values.
    Value(Value),
    /// Words, read the way the question says.
    Text(String),
}

/// What is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One turn.
    Turn(TurnId),
    /// Whatever runs or is queued in a conversation.
    Conversation(ConversationId),
    /// Everything.
    All,
}

/// Checks a message before it is taken in.
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
