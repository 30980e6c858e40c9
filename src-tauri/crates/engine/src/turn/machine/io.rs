//! Inputs and effects of the machine.

use std::sync::Arc;

use adjutant_domain::conversation::{EffectCommit, Past, Receipt, Standby, Turn, TurnEnd};
use adjutant_domain::event::{ContextSection, TurnEvent};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{Approved, Call, Observed, PendingAction, Policy, Unasked, Verdict};
use adjutant_domain::ids::{
    AccountId, ActionId, ConversationId, EffectId, PlanId, RecordId, StepKey, TurnId, render,
};
use adjutant_domain::operation::{Ended, Operation};
use adjutant_domain::outcome::{Outcome, Stop};
use adjutant_domain::plan::{Plan, PlanDraft, Question};
use adjutant_domain::ports::Entropy;
use adjutant_domain::reading::{Reading, Reply, Resume};
use adjutant_domain::route::Route;
use adjutant_domain::source::{Sources, Taint};
use jiff::Timestamp;
use serde_json::Value;

use crate::op::PlanEdit;
use crate::stages::{Failed, ModelPreferences, StageReply, StageRequest};
use crate::tools::Tools;

/// What the driver tells the machine.
#[derive(Debug)]
pub enum Input {
    /// The message is stored.
    Stored {
        /// The conversation so far.
        past: Box<Past>,
        /// Titles of the unexpired actions that wait in other conversations.
        elsewhere: Vec<String>,
    },
    /// A button reopened a waiting turn; the decision follows as the next input.
    Reopened {
        /// The conversation so far.
        past: Box<Past>,
        /// The turn whose plan continues.
        turn: Box<Turn>,
    },
    /// A call made without a message, as a plan of one step.
    Direct {
        /// The conversation so far.
        past: Box<Past>,
        /// The plan.
        draft: PlanDraft,
        /// Random values.
        draw: Draw,
    },
    /// Whether the message is a "yes" or "no", while something waits that it cannot answer.
    Confirmed(Reply),
    /// How the message relates to the waiting plan.
    Classified(Resume),
    /// The route of the message.
    Routed(Route),
    /// Context was gathered.
    ContextReady(Vec<ContextSection>),
    /// The embedded engine has read the message.
    Planned {
        /// The reading.
        reading: Reading,
        /// Random values.
        draw: Draw,
    },
    /// A step's calls were observed.
    Observed {
        /// The step.
        step: StepKey,
        /// One result per call.
        looks: Vec<Result<Observed, Stop>>,
        /// Random values.
        draw: Draw,
    },
    /// The person's approval was weighed (and stored, if it is valid).
    Resolved {
        /// The action.
        action: Box<PendingAction>,
        /// The verdict of the gate.
        verdict: Verdict,
        /// The present look of the calls.
        looks: Vec<Result<Observed, Stop>>,
        /// Random values.
        draw: Draw,
    },
    /// The person rejected actions.
    Denied {
        /// Actions whose rejection is stored.
        ids: Vec<ActionId>,
        /// Why another rejection could not be stored; that action still waits.
        problem: Option<UserFault>,
    },
    /// The person approved an action, but the approval could not be stored; the action still waits.
    NotStored(UserFault),
    /// The person changed the arguments of a waiting action.
    Edited {
        /// The action.
        action: Box<PendingAction>,
        /// Its calls as observed with the new arguments.
        looks: Vec<Observed>,
        /// Random values.
        draw: Draw,
    },
    /// The person changed a waiting plan.
    PlanEdited(PlanEdit),
    /// The person answered a step's question by button or field.
    Answered {
        /// The step.
        step: StepKey,
        /// Value for the slot.
        value: Value,
        /// The person's words, if the answer was given in words.
        words: Option<String>,
    },
    /// A step's calls ran.
    Ran {
        /// The step.
        step: StepKey,
        /// The arguments that ran, one value per call.
        args: Vec<Value>,
        /// One outcome per call.
        outcomes: Vec<Result<Outcome, Stop>>,
        /// Random values.
        draw: Draw,
        /// When they ran.
        at: Timestamp,
    },
    /// A step's change was stored, or storage refused it.
    Committed {
        /// The step.
        step: StepKey,
        /// The receipt, or why there is none.
        receipt: Result<Receipt, StoreFault>,
    },
    /// The operations of a step, at least one of which leaves storage, were carried out as far as possible.
    CarriedOut {
        /// The step.
        step: StepKey,
        /// One result per operation, in order.
        carried: Vec<Carried>,
    },
    /// A piece of a model's answer, as it arrives.
    Piece {
        /// Text of the piece.
        text: String,
    },
    /// A piece of a model's thinking.
    Thought {
        /// Text of the piece.
        text: String,
    },
    /// Another model takes over, so the published part of the answer is void.
    Answering {
        /// Reason for the change, for the person.
        why: Option<String>,
    },
    /// The context that a model is shown.
    Shown {
        /// The context by section.
        sections: Vec<ContextSection>,
        /// Whether it contains foreign text.
        taint: Taint,
        /// Memories it contains.
        memories: Vec<RecordId>,
    },
    /// A model request ended, with or without a reply.
    ModelSaid {
        /// The request.
        ask: Box<StageRequest>,
        /// The reply, or why there is none.
        said: Result<StageReply, Failed>,
        /// Random values.
        draw: Draw,
    },
    /// The embedded engine's interpretation of the answer that a model found. `None` if it does not answer the waiting
    /// question.
    AnswerRead(Option<Value>),
    /// Something outside a step failed.
    Faulted(UserFault),
    /// The person stopped the turn.
    Interrupted,
}

/// What the machine asks the driver to do.
#[expect(
    clippy::large_enum_variant,
    reason = "a few at a time, each moved once"
)]
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Publish an event.
    Emit(TurnEvent),
    /// Check whether the message is a "yes" or "no" to `prompt`; results in [`Input::Confirmed`].
    Confirm {
        /// What the person was asked.
        prompt: String,
    },
    /// Determine how the message relates to what waits; results in [`Input::Classified`].
    Classify {
        /// The waiting request.
        request: String,
        /// Its plan.
        plan: Box<Plan>,
        /// The first waiting question, if any.
        question: Option<Question>,
    },
    /// Route the message; results in [`Input::Routed`].
    Route {
        /// The message or its restatement.
        text: String,
    },
    /// Start gathering context; results in [`Input::ContextReady`].
    GatherContext,
    /// Stop gathering context: it is not needed.
    DropContext,
    /// Read the message with the embedded engine; results in [`Input::Planned`].
    MakePlan {
        /// The message or its restatement.
        text: String,
        /// Route of the message.
        route: Route,
    },
    /// Send a request to a model; results in pieces, then [`Input::ModelSaid`].
    AskModel(Box<StageRequest>),
    /// Interpret a text as the answer to a question; results in [`Input::AnswerRead`].
    ReadAnswer {
        /// The text.
        text: String,
        /// The question.
        question: Box<Question>,
    },
    /// Store the plan before its first effect.
    SavePlan(Box<Plan>),
    /// Observe a step's calls; results in [`Input::Observed`].
    Observe {
        /// The step.
        step: StepKey,
        /// The calls.
        calls: Vec<Proposed>,
    },
    /// Weigh an approval given in the conversation; results in [`Input::Resolved`].
    Resolve(Box<PendingAction>),
    /// Store rejections given in the conversation; results in [`Input::Denied`].
    Deny(Vec<ActionId>),
    /// Run calls that the gate allowed; results in [`Input::Ran`].
    Run {
        /// The step.
        step: StepKey,
        /// The calls.
        calls: Vec<Approved<Call>>,
        /// Those of them that carry something out without asking; they are counted before they begin.
        leaving: Vec<Unasked>,
    },
    /// Commit one change; results in [`Input::Committed`].
    Commit(Box<EffectCommit>),
    /// Carry out operations, at least one of which leaves storage; results in [`Input::CarriedOut`].
    CarryOut {
        /// The step.
        step: StepKey,
        /// The operations, in order.
        items: Vec<Carry>,
        /// What waits in their place if there is no connection; set if nobody was asked.
        standby: Option<Box<Standby>>,
    },
    /// Store the end, then publish it. This is the last effect of a turn.
    Close {
        /// The end to store (the driver adds the journal).
        end: Box<TurnEnd>,
        /// Events to publish once it is stored; the last one is the last event of the turn.
        events: Vec<TurnEvent>,
    },
}

/// The fixed circumstances of a turn.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The conversation.
    pub conversation: ConversationId,
    /// The turn.
    pub turn: TurnId,
    /// The person's message; empty for buttons.
    pub text: String,
    /// The turn that this one replaces, together with all later ones.
    pub instead_of: Option<TurnId>,
    /// When the turn began or was reopened.
    pub now: Timestamp,
    /// How strict the gate is.
    pub policy: Policy,
    /// The tools available when the turn began or was reopened.
    pub tools: Arc<Tools>,
    /// Preferences for using models. `None` if no model is connected.
    pub model: Option<ModelPreferences>,
}

/// A call to observe: arguments without references, and their sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the call.
    pub args: Value,
    /// Sources of the arguments.
    pub sources: Sources,
}

impl Proposed {
    /// Returns the calls of a stored action, for observing them again.
    #[must_use]
    pub fn of(action: &PendingAction) -> Vec<Self> {
        action
            .calls
            .iter()
            .map(|call| Self {
                tool: call.tool.clone(),
                args: call.args.clone(),
                sources: call.sources.clone(),
            })
            .collect()
    }
}

/// Random values for what a step may create; the driver draws them.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Id for an action.
    pub action: ActionId,
    /// Nonce for its digest.
    pub nonce: String,
    /// Id for a plan.
    pub plan: PlanId,
    /// Id for an effect.
    pub effect: EffectId,
}

impl Draw {
    /// Draws a set of values.
    pub(crate) fn of(entropy: &dyn Entropy) -> Self {
        let bits = || entropy.bits();
        Self {
            action: ActionId::from_bits(bits()),
            // Two draws: 120 bits cannot be guessed.
            nonce: format!("{}{}", render("n", bits()), render("", bits())),
            plan: PlanId::from_bits(bits()),
            effect: EffectId::from_bits(bits()),
        }
    }
}

/// An operation to carry out.
#[derive(Clone, Debug, PartialEq)]
pub struct Carry {
    /// Index of its call in the step, from 0.
    pub call: usize,
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the call.
    pub args: Value,
    /// The operation.
    pub operation: Operation,
    /// The sentence that reports success.
    pub say: String,
    /// The effect that it undoes, if any.
    pub undoes: Option<EffectId>,
    /// The approval that it uses, if the person was asked.
    pub claim: Option<ActionId>,
    /// The call, if nobody was asked about it; set for its first operation only.
    pub unasked: Option<Unasked>,
}

/// The outcome of one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// Index of its call in the step, from 0.
    pub call: usize,
    /// What was to be done, as a phrase.
    pub words: String,
    /// Its entry in the activity log, if there is one.
    pub effect: Option<EffectId>,
    /// How it ended. `None` if it was not begun, because of a stop or because an earlier one showed that it cannot
    /// succeed now.
    pub ended: Option<Ended>,
    /// Why it was refused, with the account by its name.
    pub reason: Option<String>,
    /// Receipt for the activity log.
    pub receipt: Option<Receipt>,
    /// What its step waits for. `None` if it does not wait.
    pub waits: Option<Waits>,
}

/// What an approved action waits for once its hold is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waits {
    /// A connection to the provider.
    Connection,
    /// The person, who has to sign in again.
    SignIn {
        /// The account.
        account: AccountId,
        /// Its name as the person knows it.
        name: String,
    },
}
