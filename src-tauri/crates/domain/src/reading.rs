//! What the embedded engine makes of a message, and the traits by which engine and understanding meet.

use jiff::Zoned;
use serde::{Deserialize, Serialize};

use crate::conversation::Message;
use crate::focus::Focus;
use crate::named::Named;
use crate::plan::{AnswerKind, Choice, Plan, PlanDraft, Question};
use crate::risk::Risk;
use crate::route::Route;
use crate::settings::Settings;
use crate::spec::ToolSpec;

/// Names that are looked up for a message.
pub const NAMES_MAX: usize = 64;

/// Everything a planner may look at. Pure data: no store, no clock.
#[derive(Clone, Copy, Debug)]
pub struct Utterance<'a> {
    /// What the person said, untouched.
    pub text: &'a str,
    /// Now, in the person's zone.
    pub now: &'a Zoned,
    /// Settings (working hours, week start, owner, …).
    pub settings: &'a Settings,
    /// What "it" and "the second one" may refer to.
    pub focus: &'a Focus,
    /// The latest messages, oldest first.
    pub history: &'a [Message],
    /// Names of people in the address book, for telling names from words: (name, addresses).
    pub people: &'a [(String, Vec<String>)],
    /// Things whose names the message mentions, best first, at most [`NAMES_MAX`].
    pub names: &'a [Named],
    /// The tools there are.
    pub tools: &'a [ToolSpec],
}

impl Utterance<'_> {
    /// Whether a tool is known and changes nothing.
    #[must_use]
    pub fn only_reads(&self, tool: &str) -> bool {
        let known = self.tools.iter().find(|known| known.name == tool);
        known.is_some_and(|known| known.risk == Risk::Read)
    }
}

/// What a planner makes of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reading", rename_all = "snake_case")]
pub enum Reading {
    /// A plan; a step may carry a question.
    Plan {
        /// The plan.
        plan: PlanDraft,
        /// How it was read, for `--explain`.
        trace: Vec<TraceLine>,
    },
    /// A direct answer that needs no tool: greetings, thanks, what Adjutant can do, plain conversation.
    Say {
        /// The answer.
        text: String,
        /// How it was read.
        trace: Vec<TraceLine>,
    },
    /// The person takes back the latest effect of this conversation ("undo that").
    Undo {
        /// How it was read.
        trace: Vec<TraceLine>,
    },
    /// Not understood, or only in part and guessing would be wrong.
    NotUnderstood {
        /// An honest sentence that says what was not understood and what can be done instead.
        text: String,
        /// Requests that may have been meant, in full words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
        /// How far it was read.
        trace: Vec<TraceLine>,
    },
}

/// One line of the explanation: a span of the message and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceLine {
    /// Byte range in the message, where there is one.
    pub span: Option<(usize, usize)>,
    /// `time`, `person`, `action`, `object`, `quoted`, `filter`, `not understood`, …
    pub what: String,
    /// The value it was read as.
    pub value: String,
}

/// Says which domains a message needs.
pub trait Router: Send + Sync {
    /// Routes a message.
    fn route(&self, said: &Utterance<'_>) -> Route;
}

/// Turns a message into a plan.
pub trait Planner: Send + Sync {
    /// Plans a message.
    fn plan(&self, said: &Utterance<'_>, route: &Route) -> Reading;
}

/// Yes, no, or neither. Only a clear yes is [`Reply::Yes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// A clear, unconditional yes.
    Yes,
    /// A no.
    No,
    /// Anything else.
    Neither,
}

/// What a message is, while a plan waits for the person (the cyclic flow).
#[derive(Clone, Debug, PartialEq)]
pub enum Resume {
    /// A clear yes to the one waiting action.
    Yes,
    /// A clear no.
    No,
    /// Answers the waiting question with this value.
    Answer(serde_json::Value),
    /// Changes the waiting request: drop the plan, restate with this text, plan again.
    Modify {
        /// The request with the change worked in.
        text: String,
    },
    /// The person drops the waiting plan ("never mind").
    Abandon,
    /// Something else: the waiting plan is set aside.
    New,
}

/// Reads replies while something waits.
pub trait Resumer: Send + Sync {
    /// Yes, no or neither to `prompt`.
    fn confirm(&self, text: &str, prompt: &str) -> Reply;

    /// Classifies a reply while `plan` (of the request `request`) waits, for a question or for approvals.
    fn resume(
        &self,
        said: &Utterance<'_>,
        request: &str,
        plan: &Plan,
        question: Option<&Question>,
    ) -> Resume;

    /// Reads a typed answer. `None`: it does not answer the question.
    fn answer(
        &self,
        said: &Utterance<'_>,
        kind: AnswerKind,
        choices: &[Choice],
    ) -> Option<serde_json::Value>;
}
