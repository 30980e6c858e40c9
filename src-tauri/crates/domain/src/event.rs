//! What a turn tells the world while it runs. The wire form is in the `api` crate.

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

/// What a turn tells whoever follows it, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TurnEvent {
    /// The message is stored; the turn runs.
    TurnStarted {
        /// What the person said (empty for an approval or answer given by button).
        text: String,
        /// The turn whose place it takes, together with all that came after that one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<TurnId>,
    },
    /// What is being done right now.
    Status {
        /// In words.
        text: String,
    },
    /// Where the message goes.
    Routed {
        /// The route.
        route: Route,
    },
    /// What was gathered.
    Context {
        /// Sections.
        sections: Vec<ContextSection>,
        /// Whether a request to a model held text of others: an answer to it does as well.
        #[serde(default, skip_serializing_if = "Taint::is_clean")]
        taint: Taint,
    },
    /// The plan, whenever it is made or changes.
    Plan {
        /// Plan.
        id: PlanId,
        /// The request, restated.
        request: String,
        /// Steps.
        steps: Vec<PlanLine>,
    },
    /// A tool is called.
    ToolCall {
        /// Step.
        step: StepKey,
        /// Tool.
        tool: String,
        /// Arguments.
        args: Value,
    },
    /// A tool ended.
    ToolResult {
        /// Step.
        step: StepKey,
        /// Whether it ended well.
        ok: bool,
        /// Output and words.
        result: Option<Value>,
        /// What went wrong.
        error: Option<UserFault>,
        /// Proof of an effect.
        receipt: Option<Receipt>,
        /// Milliseconds from the first look at the step's calls to its end, without the time it waited for the person;
        /// none where nothing was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// An action waits for the person.
    ApprovalNeeded {
        /// Action.
        id: ActionId,
        /// Step.
        step: StepKey,
        /// Digest to approve with.
        digest: String,
        /// Tool.
        tool: String,
        /// Arguments: those of the call, or a list for a batch.
        args: Value,
        /// The card.
        shown: Box<Card>,
        /// Risk.
        risk: Risk,
        /// Where the arguments come from.
        sources: Sources,
    },
    /// A question waits for the person.
    Question {
        /// Identifier: the turn's and the step's.
        id: String,
        /// Step.
        step: StepKey,
        /// The question.
        text: String,
        /// Offered answers.
        choices: Vec<Choice>,
    },
    /// A piece of the answer.
    Token {
        /// Text.
        text: String,
        /// What was told of the answer before this piece is void: it begins again here.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        restart: bool,
    },
    /// A piece of a model's thinking; no part of the answer.
    Thinking {
        /// Text.
        text: String,
    },
    /// The turn ended well.
    Done {
        /// The answer.
        answer: String,
        /// One line a step.
        results: Vec<StepOutcome>,
        /// Tools that really ran.
        used_tools: Vec<String>,
        /// Memories that were used.
        used_memories: Vec<String>,
        /// Tokens and money of all requests to models; zero where none was asked.
        #[serde(default)]
        usage: Usage,
        /// Who decided: the turn's decision id.
        decision: String,
        /// Duration.
        ms: u64,
        /// Why a model that was asked gave no answer; the answer then says it as well, and what can be said without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<UserFault>,
        /// Requests that may have been meant, where nothing was understood.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
    },
    /// The turn waits for the person.
    Waiting {
        /// What can be said already.
        answer: String,
        /// Actions that wait.
        approvals: Vec<ActionId>,
        /// Questions that wait.
        questions: Vec<String>,
        /// One line a step.
        results: Vec<StepOutcome>,
    },
    /// The person stopped the turn.
    Interrupted {
        /// What was already done.
        results: Vec<StepOutcome>,
    },
    /// The turn failed.
    Error {
        /// What and what next.
        fault: UserFault,
    },
}

impl TurnEvent {
    /// The next piece of an answer.
    #[must_use]
    pub fn token(text: impl Into<String>) -> Self {
        Self::Token {
            text: text.into(),
            restart: false,
        }
    }

    /// Whether this is the last event of a turn.
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

/// One section of what a model sees, or one source it was gathered from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextSection {
    /// Name.
    pub name: String,
    /// Estimated tokens.
    pub tokens: u64,
    /// Time it took.
    pub ms: u64,
    /// Why it is empty, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Tokens it may have; 0 where no budget applies.
    #[serde(default)]
    pub budget: u64,
    /// Entries in it: memories, rows, messages, tools.
    #[serde(default)]
    pub items: u64,
    /// What was found and is not in it, or only in part. Never the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// Names of the entries where they are no text of anybody: the tools that were suggested. What was planned and what
    /// really ran stands in the results of the turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Entries of a section that a model does not see, or sees shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// How many.
    pub items: u64,
    /// Tokens that were saved by it.
    pub tokens: u64,
    /// Why.
    pub why: DropReason,
}

/// Why something does not reach a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// It is less important than the minimum.
    Unimportant,
    /// The section was full.
    OverBudget,
    /// Only the fields that matter for the request are there.
    FieldsLeftOut,
    /// An older message, shortened.
    Shortened,
    /// Older than the window of messages.
    Older,
    /// An older message that stands in a summary.
    Summarised,
    /// It holds text of others, which a planner does not read.
    Untrusted,
    /// It does not seem to be needed.
    Irrelevant,
}

/// One step as shown in the plan rail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanLine {
    /// Key.
    pub key: StepKey,
    /// What happens.
    pub say: String,
    /// Why.
    pub why: String,
    /// Tool.
    pub tool: String,
    /// [`crate::plan::StepState::word`].
    pub status: String,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepOutcome {
    /// Step.
    pub step: StepKey,
    /// Tool.
    pub tool: String,
    /// [`crate::plan::StepState::word`].
    pub status: String,
    /// What happened, in words.
    pub say: String,
    /// The fault, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<UserFault>,
}
