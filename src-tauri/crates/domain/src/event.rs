//! Events that a turn emits while it runs. The `api` crate defines their wire form.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::conversation::Receipt;
use crate::faults::UserFault;
use crate::gate::{Card, Risk};
use crate::ids::{ActionId, PlanId, StepKey, TurnId};
use crate::model::Usage;
use crate::plan::Choice;
use crate::route::Route;
use crate::source::{Sources, Taint};

/// An event that a turn sends, in order, to whoever follows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TurnEvent {
    /// The message was stored and the turn is running.
    TurnStarted {
        /// What the person said; empty for an approval or answer given by button.
        text: String,
        /// Earlier turn that this one replaces, along with everything after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<TurnId>,
    },
    /// What the turn is doing right now.
    Status {
        /// Description for the person.
        text: String,
    },
    /// The message was routed.
    Routed {
        /// The route.
        route: Route,
    },
    /// Context was gathered for the turn.
    Context {
        /// The sections, one per part or source.
        sections: Vec<ContextSection>,
        /// Whether a request to a model contained foreign text. Its answer is then tainted too.
        #[serde(default, skip_serializing_if = "Taint::is_clean")]
        taint: Taint,
    },
    /// The plan, sent when it is made and each time it changes.
    Plan {
        /// Id of the plan.
        id: PlanId,
        /// The person's request, restated.
        request: String,
        /// Steps of the plan.
        steps: Vec<PlanLine>,
    },
    /// A tool call starts.
    ToolCall {
        /// Key of the step.
        step: StepKey,
        /// Name of the tool.
        tool: String,
        /// Arguments of the call.
        args: Value,
    },
    /// A tool call ended.
    ToolResult {
        /// Key of the step.
        step: StepKey,
        /// Whether it succeeded.
        ok: bool,
        /// Output and words of the tool, if any.
        result: Option<Value>,
        /// What went wrong, on failure.
        error: Option<UserFault>,
        /// Proof of its effect, if it had one.
        receipt: Option<Receipt>,
        /// Milliseconds from first preparing the step's calls to its end, excluding the time it waited for the person.
        /// `None` if nothing was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// An action waits for the person.
    ApprovalNeeded {
        /// Id of the action.
        id: ActionId,
        /// Key of the step.
        step: StepKey,
        /// Digest that the person's approval must repeat.
        digest: String,
        /// Name of the tool.
        tool: String,
        /// Arguments of the call; for a batch, a list with those of each call.
        args: Value,
        /// The card.
        shown: Box<Card>,
        /// Highest risk among its calls.
        risk: Risk,
        /// Where the arguments come from.
        sources: Sources,
    },
    /// A question waits for the person.
    Question {
        /// Identifier, made of the turn's and the step's.
        id: String,
        /// Key of the step.
        step: StepKey,
        /// The question.
        text: String,
        /// Offered answers.
        choices: Vec<Choice>,
    },
    /// A piece of the answer.
    Token {
        /// Text of the piece.
        text: String,
        /// Whether the earlier pieces of the answer are void and it starts over with this one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        restart: bool,
    },
    /// A piece of a model's reasoning, which is not part of the answer.
    Thinking {
        /// Text of the piece.
        text: String,
    },
    /// The turn completed.
    Done {
        /// The answer.
        answer: String,
        /// Outcome of each step.
        results: Vec<StepOutcome>,
        /// Tools that actually ran.
        used_tools: Vec<String>,
        /// Memories that were used, by id.
        used_memories: Vec<String>,
        /// Tokens and cost of all requests to models; zero if there were none.
        #[serde(default)]
        usage: Usage,
        /// The turn's decision id.
        decision: String,
        /// Duration in milliseconds.
        ms: u64,
        /// Why a model gave no answer although it was asked. `answer` then says so too, along with what can be said
        /// without a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<UserFault>,
        /// Requests the person may have meant, if Adjutant did not understand the message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
    },
    /// The turn waits for the person.
    Waiting {
        /// The part of the answer known so far.
        answer: String,
        /// Actions that wait.
        approvals: Vec<ActionId>,
        /// Questions that wait.
        questions: Vec<String>,
        /// Outcome of each step so far.
        results: Vec<StepOutcome>,
    },
    /// The person stopped the turn.
    Interrupted {
        /// Outcome of the steps carried out before the stop.
        results: Vec<StepOutcome>,
    },
    /// The turn failed.
    Error {
        /// What happened and what to do next.
        fault: UserFault,
    },
}

impl TurnEvent {
    /// Creates an event with the next piece of an answer.
    #[must_use]
    pub fn token(text: impl Into<String>) -> Self {
        Self::Token {
            text: text.into(),
            restart: false,
        }
    }

    /// Returns whether the turn ends or pauses with this event.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Done { .. }
                | Self::Waiting { .. }
                | Self::Interrupted { .. }
                | Self::Error { .. }
        )
    }
}

/// One section of a model's context, or one source it was gathered from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextSection {
    /// Name of the section or source.
    pub name: String,
    /// Estimated tokens.
    pub tokens: u64,
    /// Milliseconds it took to gather.
    pub ms: u64,
    /// Why it is empty, if gathering failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Token budget; 0 if none applies.
    #[serde(default)]
    pub budget: u64,
    /// Number of entries in it: memories, rows, messages or tools.
    #[serde(default)]
    pub items: u64,
    /// What was found but left out or cut short. Never contains the text itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// Names of the entries where a name quotes nobody's text: the suggested tools. The turn's results say which tools
    /// were planned and which ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Entries of a section that a model sees shortened or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// Number of entries.
    pub items: u64,
    /// Tokens saved.
    pub tokens: u64,
    /// Reason for leaving them out.
    pub why: DropReason,
}

/// Why an entry does not reach a model, or not in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// Its importance is below the minimum.
    Unimportant,
    /// The section had no room left.
    OverBudget,
    /// The row appears with only the fields that the request needs.
    FieldsLeftOut,
    /// The message is an older one and appears shortened.
    Shortened,
    /// The message is older than the window of messages.
    Older,
    /// The message is an older one and a summary covers it.
    Summarised,
    /// It contains foreign text, which a planner must not read.
    Untrusted,
    /// It does not seem relevant to the request.
    Irrelevant,
}

/// One step of a plan as the plan rail shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanLine {
    /// Key of the step.
    pub key: StepKey,
    /// What the step does.
    pub say: String,
    /// Why the step is needed.
    pub why: String,
    /// Name of the tool.
    pub tool: String,
    /// State of the step, from [`crate::plan::StepState::word`].
    pub status: String,
}

/// Outcome of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepOutcome {
    /// Key of the step.
    pub step: StepKey,
    /// Name of the tool.
    pub tool: String,
    /// State of the step, from [`crate::plan::StepState::word`].
    pub status: String,
    /// What happened, in words.
    pub say: String,
    /// The fault, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<UserFault>,
}
