//! What goes into the machine and what comes out of it.

use std::sync::Arc;

use adjutant_domain::conversation::{EffectCommit, Past, Receipt, Turn, TurnEnd};
use adjutant_domain::event::{ContextSection, TurnEvent};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{Approved, Call, Observed, PendingAction, Policy, Unasked, Verdict};
use adjutant_domain::ids::{
    ActionId, ConversationId, EffectId, PlanId, RecordId, StepKey, TurnId, render,
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

/// What the world tells the machine.
#[derive(Debug)]
pub enum Input {
    /// The message is stored.
    Stored {
        /// The conversation so far.
        past: Box<Past>,
        /// Unexpired actions that wait in other conversations.
        elsewhere: usize,
    },
    /// A waiting turn is opened again by a button; what was decided follows.
    Reopened {
        /// The conversation so far.
        past: Box<Past>,
        /// The turn whose plan goes on.
        turn: Box<Turn>,
    },
    /// A call made on a surface, as a plan of one step.
    Direct {
        /// The conversation so far.
        past: Box<Past>,
        /// The plan.
        draft: PlanDraft,
        /// Random values.
        draw: Draw,
    },
    /// Whether the message is a yes or a no to something that cannot be answered this way.
    Confirmed(Reply),
    /// What the message is to the plan that waits.
    Classified(Resume),
    /// Where the message goes.
    Routed(Route),
    /// Context was gathered.
    ContextReady(Vec<ContextSection>),
    /// The message was read.
    Planned {
        /// The reading.
        reading: Reading,
        /// Random values.
        draw: Draw,
    },
    /// A step's calls were looked at.
    Observed {
        /// Step.
        step: StepKey,
        /// One look a call.
        looks: Vec<Result<Observed, Stop>>,
        /// Random values.
        draw: Draw,
    },
    /// The person's approval was weighed (and stored, if it holds).
    Resolved {
        /// The action.
        action: Box<PendingAction>,
        /// What the gate says.
        verdict: Verdict,
        /// How the calls look now.
        looks: Vec<Result<Observed, Stop>>,
        /// Random values.
        draw: Draw,
    },
    /// The person rejected actions.
    Denied {
        /// Those whose rejection is stored.
        ids: Vec<ActionId>,
        /// Why another could not be; it still waits.
        problem: Option<UserFault>,
    },
    /// The person approved an action, and that could not be stored: it still waits.
    NotStored(UserFault),
    /// The person changed the arguments of a waiting action.
    Edited {
        /// The action.
        action: Box<PendingAction>,
        /// Its calls as they look with the new arguments.
        looks: Vec<Observed>,
        /// Random values.
        draw: Draw,
    },
    /// The person changed a plan that waits.
    PlanEdited(PlanEdit),
    /// The person answered a step's question by button.
    Answered {
        /// Step.
        step: StepKey,
        /// Value for the slot.
        value: Value,
        /// The words, where there were any.
        words: Option<String>,
    },
    /// A step's calls ran.
    Ran {
        /// Step.
        step: StepKey,
        /// The arguments that ran, one value a call.
        args: Vec<Value>,
        /// One outcome a call.
        outcomes: Vec<Result<Outcome, Stop>>,
        /// Random values.
        draw: Draw,
        /// When.
        at: Timestamp,
    },
    /// A step's change was stored, or not.
    Committed {
        /// Step.
        step: StepKey,
        /// Proof, or why not.
        receipt: Result<Receipt, StoreFault>,
    },
    /// Operations of a step, at least one of which leaves storage, were carried out, each as far as it went.
    CarriedOut {
        /// Step.
        step: StepKey,
        /// One an operation, in order.
        carried: Vec<Carried>,
    },
    /// A piece of a model's answer, as it comes.
    Piece {
        /// Text.
        text: String,
    },
    /// A piece of a model's thinking.
    Thought {
        /// Text.
        text: String,
    },
    /// Another model answers now: what was told of the answer is void.
    Answering {
        /// Why, for the person.
        why: Option<String>,
    },
    /// What a model is shown.
    Shown {
        /// By section.
        sections: Vec<ContextSection>,
        /// Whether text of others is among it.
        taint: Taint,
        /// Memories in it.
        memories: Vec<RecordId>,
    },
    /// A model ended its reply, or gave none.
    ModelSaid {
        /// What it was asked.
        ask: Box<StageRequest>,
        /// What it said.
        said: Result<StageReply, Failed>,
        /// Random values.
        draw: Draw,
    },
    /// The embedded engine read a model's answer to the waiting question as this value; none: it is no answer.
    AnswerRead(Option<Value>),
    /// Something outside a step failed.
    Faulted(UserFault),
    /// The person stopped the turn.
    Interrupted,
}

/// What the machine wants done.
#[expect(
    clippy::large_enum_variant,
    reason = "a few at a time, each moved once"
)]
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Tell whoever listens.
    Emit(TurnEvent),
    /// Read the message as yes or no to `prompt`; gives [`Input::Confirmed`].
    Confirm {
        /// What was asked.
        prompt: String,
    },
    /// Read the message as a reply to what waits; gives [`Input::Classified`].
    Classify {
        /// The request that waits.
        request: String,
        /// Its plan.
        plan: Box<Plan>,
        /// The question that waits first.
        question: Option<Question>,
    },
    /// Route; gives [`Input::Routed`].
    Route {
        /// The message or its restatement.
        text: String,
    },
    /// Start gathering context; gives [`Input::ContextReady`].
    GatherContext,
    /// Context is not needed.
    DropContext,
    /// Read the message; gives [`Input::Planned`].
    MakePlan {
        /// The message or its restatement.
        text: String,
        /// Where it goes.
        route: Route,
    },
    /// Ask a model; gives pieces, then [`Input::ModelSaid`].
    AskModel(Box<StageRequest>),
    /// Read a text as the answer to a question; gives [`Input::AnswerRead`].
    ReadAnswer {
        /// The text.
        text: String,
        /// The question.
        question: Box<Question>,
    },
    /// Store the plan before its first effect.
    SavePlan(Box<Plan>),
    /// Look at a step's calls; gives [`Input::Observed`].
    Observe {
        /// Step.
        step: StepKey,
        /// Calls.
        calls: Vec<Proposed>,
    },
    /// Weigh a yes in the conversation; gives [`Input::Resolved`].
    Resolve(Box<PendingAction>),
    /// Store a no in the conversation; gives [`Input::Denied`].
    Deny(Vec<ActionId>),
    /// Run what the gate let through; gives [`Input::Ran`].
    Run {
        /// Step.
        step: StepKey,
        /// Calls.
        calls: Vec<Approved<Call>>,
        /// Those of them that nobody was asked about and that carry something out: counted before they begin.
        leaving: Vec<Unasked>,
    },
    /// Carry out one change; gives [`Input::Committed`].
    Commit(Box<EffectCommit>),
    /// Carry out operations, at least one of which leaves storage; gives [`Input::CarriedOut`].
    CarryOut {
        /// Step.
        step: StepKey,
        /// What is done, in order.
        items: Vec<Carry>,
    },
    /// Store the end, then tell it. The last effect of a turn.
    Close {
        /// What is stored (the driver adds the journal).
        end: Box<TurnEnd>,
        /// Events that hold once it is stored; the last one is the last event of the turn.
        events: Vec<TurnEvent>,
    },
}

/// What a turn is, from the start.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Conversation.
    pub conversation: ConversationId,
    /// Turn.
    pub turn: TurnId,
    /// What the person said; empty for buttons.
    pub text: String,
    /// The turn whose place this one takes, together with all that came after that one.
    pub instead_of: Option<TurnId>,
    /// When the turn began, or was opened again.
    pub now: Timestamp,
    /// How strict the gate is.
    pub policy: Policy,
    /// The tools there were when the turn began, or was opened again.
    pub tools: Arc<Tools>,
    /// How models are used; none where there is no model.
    pub model: Option<ModelPreferences>,
}

/// One call to look at: arguments without references, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// Tool.
    pub tool: String,
    /// Arguments.
    pub args: Value,
    /// Sources.
    pub sources: Sources,
}

impl Proposed {
    /// The calls of a stored action, to be looked at again.
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

/// Random values for what a step may bring about; the driver draws them.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// For an action.
    pub action: ActionId,
    /// For its digest.
    pub nonce: String,
    /// For a plan.
    pub plan: PlanId,
    /// For an effect.
    pub effect: EffectId,
}

impl Draw {
    /// Draws them.
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

/// One operation to be carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Carry {
    /// Which call of the step it belongs to, from 0.
    pub call: usize,
    /// Tool.
    pub tool: String,
    /// Arguments of the call.
    pub args: Value,
    /// The operation.
    pub operation: Operation,
    /// What holds once it is done.
    pub say: String,
    /// The effect it takes back.
    pub undoes: Option<EffectId>,
    /// The approval it uses, if the person was asked.
    pub claim: Option<ActionId>,
    /// The call, where nobody was asked about it; with its first operation only.
    pub unasked: Option<Unasked>,
}

/// What became of one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// Which call of the step it belongs to.
    pub call: usize,
    /// What was to be done, as a phrase.
    pub words: String,
    /// Its entry in the activity log, where there is one.
    pub effect: Option<EffectId>,
    /// What became of it; none when it was not begun, because one before it showed that it cannot be done now.
    pub ended: Option<Ended>,
    /// Proof, as the activity log has it.
    pub receipt: Option<Receipt>,
    /// There was no way to the provider: the approval waits for one until then.
    pub waits_until: Option<Timestamp>,
}
