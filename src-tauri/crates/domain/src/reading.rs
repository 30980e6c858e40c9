//! How the embedded engine reads a message, and the traits between engine and understanding.

use jiff::Zoned;
use serde::{Deserialize, Serialize};

use crate::conversation::Message;
use crate::focus::Focus;
use crate::mentioned_name::MentionedName;
use crate::plan::{AnswerKind, Choice, Plan, PlanDraft, Question};
use crate::risk::Risk;
use crate::route::Route;
use crate::settings::Settings;
use crate::spec::ToolSpec;

/// Maximum number of names looked up for a message.
pub const NAMES_MAX: usize = 64;

/// The answer to a question about the world, without a model.
pub const UNKNOWN: &str = "I don't know that: it needs a model or a source, and I am working without either. Say “help” to see what I can do.";

/// Everything a planner may consider. Pure data: no storage, no clock.
#[derive(Clone, Copy, Debug)]
pub struct Utterance<'a> {
    /// What the person said, verbatim.
    pub text: &'a str,
    /// Current time in the person's zone.
    pub now: &'a Zoned,
    /// Settings (working hours, week start, owner, …).
    pub settings: &'a Settings,
    /// Records that "it" and "the second one" may refer to.
    pub focus: &'a Focus,
    /// The latest messages, oldest first.
    pub history: &'a [Message],
    /// People in the address book as (name, addresses), to tell names from other words.
    pub people: &'a [(String, Vec<String>)],
    /// Professions, relations and other roles of people in the address book, as written there: "Sales Director, Acme".
    pub roles: &'a [String],
    /// Records and collections whose names the message mentions, best first, at most [`NAMES_MAX`].
    pub names: &'a [MentionedName],
    /// The available tools.
    pub tools: &'a [ToolSpec],
}

impl Utterance<'_> {
    /// Returns whether a tool is known and changes nothing.
    #[must_use]
    pub fn only_reads(&self, tool: &str) -> bool {
        let known = self.tools.iter().find(|known| known.name == tool);
        known.is_some_and(|known| known.risk == Risk::Read)
    }
}

/// A planner's reading of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reading", rename_all = "snake_case")]
pub enum Reading {
    /// The message is a request. A step may carry a question.
    Plan {
        /// The plan.
        plan: PlanDraft,
        /// How the message was read, for `--explain`.
        trace: Vec<TraceLine>,
    },
    /// The message needs no tool: a greeting, thanks, a question about Adjutant, plain conversation.
    Say {
        /// The direct answer.
        text: String,
        /// How the message was read.
        trace: Vec<TraceLine>,
    },
    /// The person undoes the latest effect of this conversation ("undo that").
    Undo {
        /// How the message was read.
        trace: Vec<TraceLine>,
    },
    /// The message was not understood, or only so far that guessing would be wrong.
    NotUnderstood {
        /// A sentence that says what was not understood and what the person can do instead.
        text: String,
        /// Requests the person may have meant, written in full.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
        /// How far the message was read.
        trace: Vec<TraceLine>,
    },
}

/// One line of an explanation: a span of the message and how it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceLine {
    /// Byte range in the message, if any.
    pub span: Option<(usize, usize)>,
    /// `time`, `person`, `action`, `object`, `quoted`, `filter`, `not understood`, …
    pub what: String,
    /// The value it was read as.
    pub value: String,
}

/// Finds the domains a message needs.
pub trait Router: Send + Sync {
    /// Routes a message.
    fn route(&self, said: &Utterance<'_>) -> Route;
}

/// Turns a message into a plan.
pub trait Planner: Send + Sync {
    /// Plans a message.
    fn plan(&self, said: &Utterance<'_>, route: &Route) -> Reading;
}

/// Yes, no, or neither. Only a clear yes counts as [`Reply::Yes`].
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

/// What a message means while a plan waits for the person.
#[derive(Clone, Debug, PartialEq)]
pub enum Resume {
    /// A clear yes to the one waiting action.
    Yes,
    /// A clear no.
    No,
    /// An answer to the waiting question, as its value.
    Answer(serde_json::Value),
    /// A change of the waiting request: drop the plan and plan this text instead.
    Modify {
        /// The request with the change applied.
        text: String,
    },
    /// The person drops the waiting plan ("never mind").
    Abandon,
    /// The person takes back the last thing they asked for ("undo that"): it waits, so nothing of it is done yet.
    TakeBack,
    /// A new request: set the waiting plan aside.
    New,
}

/// Interprets replies while a plan waits.
pub trait Resumer: Send + Sync {
    /// Classifies `text` as yes, no or neither to `prompt`.
    fn confirm(&self, text: &str, prompt: &str) -> Reply;

    /// Classifies a message while `plan`, made for `request`, waits for `question` or for approvals.
    fn resume(
        &self,
        said: &Utterance<'_>,
        request: &str,
        plan: &Plan,
        question: Option<&Question>,
    ) -> Resume;

    /// Parses a typed answer, or returns `None` if it does not answer the question.
    fn answer(
        &self,
        said: &Utterance<'_>,
        kind: AnswerKind,
        choices: &[Choice],
    ) -> Option<serde_json::Value>;
}
