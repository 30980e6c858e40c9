//! Plans. One type serves every request; a simple one is a plan of one step.

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

/// Maximum number of steps in a plan.
pub const STEPS_MAX: usize = 24;
/// Maximum number of elements a step with `each` runs for.
pub const EACH_MAX: usize = 200;

/// A plan as a planner proposes it. Nothing in it is trusted: tools, arguments and risk are checked before the gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanDraft {
    /// The request, restated clearly with absolute dates and resolved names.
    pub request: String,
    /// Steps, in order.
    pub steps: Vec<StepDraft>,
}

/// One proposed step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepDraft {
    /// Key, unique within the plan.
    pub key: StepKey,
    /// What the step does, in plain words ("Look for mails from Nadia").
    pub say: String,
    /// Why it is needed, in plain words; may be empty.
    #[serde(default)]
    pub why: String,
    /// Tool name.
    pub tool: String,
    /// Arguments; values may be references, see [`reference`].
    pub args: Value,
    /// Where the arguments come from.
    #[serde(default)]
    pub sources: Sources,
    /// Steps that must succeed first.
    #[serde(default)]
    pub needs: Vec<StepKey>,
    /// Condition under which the step runs; `None` for always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// List for whose elements the step runs, once each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<Reference>,
    /// Question the person must answer before the step can run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// Whether the planner only guesses that the person asked for this. The person then decides on the card, even if
    /// the step could run unasked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guessed: bool,
    /// Words of the message that the planner passed over to read this step. The card names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Default for StepKey {
    fn default() -> Self {
        Self("s1".into())
    }
}

/// A question whose answer fills an argument of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The question, short.
    pub text: String,
    /// Answers to offer, at most a handful.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// JSON pointer of the argument that the answer fills, for example `/body`.
    pub slot: String,
    /// How to interpret a typed answer.
    pub answer: AnswerKind,
}

/// One offered answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Text the person sees and may type.
    pub label: String,
    /// What distinguishes it from other choices with the same label: a time, a person, an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Value for the argument.
    pub value: Value,
    /// Whether its label or detail is foreign text.
    #[serde(default, skip_serializing_if = "Taint::is_clean")]
    pub taint: Taint,
}

impl Question {
    /// Returns whether any offered answer contains foreign text.
    #[must_use]
    pub fn taint(&self) -> Taint {
        let offered = self.choices.iter().map(|choice| choice.taint);
        offered.fold(Taint::Clean, Taint::join)
    }
}

impl Choice {
    /// Creates a choice that needs no detail to be distinguished.
    #[must_use]
    pub fn new(label: impl Into<String>, value: Value) -> Self {
        Self {
            label: label.into(),
            detail: None,
            value,
            taint: Taint::Clean,
        }
    }

    /// Marks its label or detail as foreign text.
    #[must_use]
    pub fn of_others(self) -> Self {
        Self {
            taint: Taint::Tainted,
            ..self
        }
    }

    /// Adds a distinguishing detail; empty text adds none.
    #[must_use]
    pub fn with_detail(self, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()).filter(|detail| !detail.is_empty()),
            ..self
        }
    }

    /// Returns label and detail joined on one line.
    #[must_use]
    pub fn line(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}, {detail}", self.label),
            None => self.label.clone(),
        }
    }
}

/// How to interpret a typed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// Verbatim.
    Text,
    /// As a time; yields a moment.
    Moment,
    /// As a duration; yields minutes.
    Minutes,
    /// As people or mail addresses; yields a list of names or addresses.
    People,
    /// As one of the choices, by label, number or position.
    Choice,
}

/// A plan in progress. Storage writes it as a whole at every commit of its turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Identifier.
    pub id: PlanId,
    /// The request, restated.
    pub request: String,
    /// The message the plan was made from, if it is not what the person typed: a waiting request combined with what
    /// they changed about it. The next change applies to this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Tools whose calls were shown for approval in the request that this plan changes. Their steps ask, whatever the
    /// change made of them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub asked_tools: BTreeSet<String>,
    /// Steps, in order.
    pub steps: Vec<Step>,
    /// Whether foreign text has reached it.
    #[serde(default)]
    pub taint: Taint,
    /// Whether a model that had read foreign text made the plan. Every effect then asks, and only what the person said
    /// counts as theirs.
    #[serde(default, skip_serializing_if = "Taint::is_clean")]
    pub planner: Taint,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The step as planned.
    #[serde(flatten)]
    pub draft: StepDraft,
    /// Its state.
    pub state: StepState,
    /// Its result, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<StepResult>,
    /// Whether the step was shown for approval before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub asked: AskedBefore,
    /// Where the step comes from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub origin: StepOrigin,
}

impl Step {
    /// Creates a step that has not started.
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

/// Where a step comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOrigin {
    /// The plan made for the request.
    #[default]
    Plan,
    /// A model proposed it along with its answer. Every effect of it asks, and Adjutant reads nothing for it.
    Proposal,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// State of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum StepState {
    /// Not started.
    Next,
    /// Running.
    Running,
    /// Waits for an approval.
    NeedsApproval {
        /// The action.
        action: ActionId,
    },
    /// Waits for an answer.
    NeedsAnswer {
        /// The question.
        question: Question,
    },
    /// Succeeded.
    Done,
    /// Failed.
    Failed {
        /// The fault.
        fault: UserFault,
    },
    /// Left out because its condition did not hold or its list was empty.
    LeftOut {
        /// Why, in plain words.
        reason: String,
    },
    /// Blocked because a step it needs did not succeed.
    Blocked {
        /// That step.
        by: StepKey,
    },
    /// The person rejected, stopped or set it aside.
    Cancelled {
        /// Why, in plain words.
        reason: String,
    },
    /// It is unknown whether it happened.
    Unknown,
}

impl StepState {
    /// Returns whether the step has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(
            self,
            Self::Next | Self::Running | Self::NeedsApproval { .. } | Self::NeedsAnswer { .. }
        )
    }

    /// Returns the word for it on the wire.
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

/// Result of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    /// The tool's output, which references of later steps point into.
    pub output: Value,
    /// What happened, in words the tool renders from the receipt.
    pub say: String,
    /// Records that "it" or "the second one" may refer to later.
    #[serde(default)]
    pub referents: Vec<Referent>,
    /// Effects with their receipts; empty for reads.
    #[serde(default)]
    pub effects: Vec<EffectId>,
    /// Whether the output contains foreign text.
    #[serde(default)]
    pub taint: Taint,
}

/// Whether a call was shown to the person for approval before, in this or another form.
///
/// Every action that waits was. A step keeps this mark longer than its action, so that a call made smaller, cheaper or
/// cleaner by an edit, an answer or a changed target still needs approval, even after a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedBefore {
    /// Never shown, so the policy decides.
    #[default]
    No,
    /// Shown before, so it asks whatever the policy says.
    Yes,
}
