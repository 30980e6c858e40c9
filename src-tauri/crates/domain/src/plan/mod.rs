//! Plans: one type for everything, a simple request is a plan of one step.

pub mod condition;
pub mod reference;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use condition::{Condition, Operand};
pub use reference::{Reference, UnresolvedReference};

use crate::faults::UserFault;
use crate::focus::Referent;
use crate::ids::{ActionId, EffectId, PlanId, StepKey};
use crate::source::{Sources, Taint};

/// Steps a plan may have.
pub const STEPS_MAX: usize = 24;
/// How often a step with `each` may be repeated.
pub const EACH_MAX: usize = 200;

/// What a planner proposes. Nothing in it is trusted: tools, arguments and risk are checked by the gate's side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanDraft {
    /// The request rewritten clearly: dates absolute, names resolved.
    pub request: String,
    /// Steps, in order.
    pub steps: Vec<StepDraft>,
}

/// One proposed step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepDraft {
    /// Unique in the plan.
    pub key: StepKey,
    /// What happens, in plain words ("Look for mails from Nadia").
    pub say: String,
    /// Why, in plain words; may be empty.
    #[serde(default)]
    pub why: String,
    /// Tool name.
    pub tool: String,
    /// Arguments; values may be references, see [`reference`].
    pub args: Value,
    /// Where the arguments come from.
    #[serde(default)]
    pub sources: Sources,
    /// Steps that must have ended well before.
    #[serde(default)]
    pub needs: Vec<StepKey>,
    /// Runs only if this holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// Runs once for every element of this list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<Reference>,
    /// Must be answered by the person before this step can run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
}

impl Default for StepKey {
    fn default() -> Self {
        Self("s1".into())
    }
}

/// A question to the person whose answer becomes a value of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The question, short.
    pub text: String,
    /// Offered answers, at most a handful.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// JSON pointer of the argument that the answer fills, for example `/body`.
    pub slot: String,
    /// How a typed answer is read.
    pub answer: AnswerKind,
}

/// One offered answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What the person sees and may type.
    pub label: String,
    /// What tells it from the others where the label does not: a time, a person, an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The value that goes into the slot.
    pub value: Value,
    /// Whether others wrote its label or detail.
    #[serde(default, skip_serializing_if = "Taint::is_clean")]
    pub taint: Taint,
}

impl Question {
    /// Whether text of others is offered as an answer.
    #[must_use]
    pub fn taint(&self) -> Taint {
        let offered = self.choices.iter().map(|choice| choice.taint);
        offered.fold(Taint::Clean, Taint::join)
    }
}

impl Choice {
    /// A choice that its label alone tells apart.
    #[must_use]
    pub fn new(label: impl Into<String>, value: Value) -> Self {
        Self {
            label: label.into(),
            detail: None,
            value,
            taint: Taint::Clean,
        }
    }

    /// Says that others wrote its label or detail.
    #[must_use]
    pub fn of_others(self) -> Self {
        Self {
            taint: Taint::Tainted,
            ..self
        }
    }

    /// Adds what tells it from the others; an empty text adds nothing.
    #[must_use]
    pub fn with_detail(self, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()).filter(|detail| !detail.is_empty()),
            ..self
        }
    }

    /// Label and detail in one line, for where there is one line only.
    #[must_use]
    pub fn line(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}, {detail}", self.label),
            None => self.label.clone(),
        }
    }
}

/// How a typed answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// Word for word.
    Text,
    /// A time; becomes a moment.
    Moment,
    /// A duration; becomes minutes.
    Minutes,
    /// A person or mail address; becomes a list of names or addresses.
    People,
    /// One of the choices, by label, number or position.
    Choice,
}

/// A plan that is being worked on. Stored as a whole at every commit of its turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Identifier.
    pub id: PlanId,
    /// The request, restated.
    pub request: String,
    /// The message the plan was made from, where that is not what the person typed: a waiting request together with what
    /// was changed of it. The next change applies to this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Tools whose calls were shown for approval in the request that this plan changes: their steps ask, whatever the change
    /// has made of them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub asked_tools: BTreeSet<String>,
    /// Steps, in order.
    pub steps: Vec<Step>,
    /// Whether untrusted text has reached it.
    #[serde(default)]
    pub taint: Taint,
    /// Whether a model that had read text of others made it: then every effect asks, and only what the person said counts
    /// as theirs.
    #[serde(default, skip_serializing_if = "Taint::is_clean")]
    pub planner: Taint,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What was planned.
    #[serde(flatten)]
    pub draft: StepDraft,
    /// How far it is.
    pub state: StepState,
    /// What it gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<StepResult>,
    /// Whether it was shown for approval before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub asked: AskedBefore,
    /// Who wanted it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub origin: StepOrigin,
}

impl Step {
    /// A step that has not begun.
    #[must_use]
    pub fn new(draft: StepDraft) -> Self {
        Self {
            draft,
            state: StepState::Next,
            result: None,
            asked: AskedBefore::No,
            origin: StepOrigin::Plan,
        }
    }
}

/// Who wanted a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOrigin {
    /// It belongs to the plan that was made for the request.
    #[default]
    Plan,
    /// A model proposed it beside its answer: every effect of it asks, and nothing is read for it.
    Proposal,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How far a step is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum StepState {
    /// Not begun.
    Next,
    /// At work.
    Running,
    /// Waits for an approval.
    NeedsApproval {
        /// Which one.
        action: ActionId,
    },
    /// Waits for an answer.
    NeedsAnswer {
        /// To which question.
        question: Question,
    },
    /// Ended well.
    Done,
    /// Ended with a fault.
    Failed {
        /// Which.
        fault: UserFault,
    },
    /// Its condition did not hold, or there was nothing to repeat over.
    LeftOut {
        /// Why, in plain words.
        reason: String,
    },
    /// A step it needs did not end well.
    Blocked {
        /// Which.
        by: StepKey,
    },
    /// Rejected, stopped or set aside by the person.
    Cancelled {
        /// Why, in plain words.
        reason: String,
    },
    /// May have happened.
    Unknown,
}

impl StepState {
    /// Whether nothing more will happen with it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(
            self,
            Self::Next | Self::Running | Self::NeedsApproval { .. } | Self::NeedsAnswer { .. }
        )
    }

    /// The word on the wire.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Running => "running",
            Self::NeedsApproval { .. } => "waiting",
            Self::NeedsAnswer { .. } => "needs_answer",
            Self::Done => "done",
            Self::Failed { .. } => "failed",
            Self::LeftOut { .. } => "left_out",
            Self::Blocked { .. } => "blocked",
            Self::Cancelled { .. } => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}

/// What a step gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    /// The tool's output; what references of later steps point into.
    pub output: Value,
    /// What happened, in words, from the receipt (rendered by the tool).
    pub say: String,
    /// Things to remember for "it" and "the second one".
    #[serde(default)]
    pub referents: Vec<Referent>,
    /// Effects with their receipts, empty for reads.
    #[serde(default)]
    pub effects: Vec<EffectId>,
    /// Whether the output holds text of others.
    #[serde(default)]
    pub taint: Taint,
}

/// Whether what would run was put before the person for approval before, in this form or another.
///
/// Every action that waits was. A step keeps it beyond its action, so that what became smaller, cheaper or cleaner by an
/// edit, an answer or a changed target still waits for an approval, after a restart too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedBefore {
    /// The policy decides.
    #[default]
    No,
    /// It asks, whatever the policy says.
    Yes,
}
