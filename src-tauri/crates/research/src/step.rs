//! Commands of the machine and inputs to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{Confidence, Delta, Hit, Page, QuestionId, Recommendation, Report};
use crate::stage::{Stage, StageContext};

/// The name of a step, stable within its run: `q2/search/3`, `q2/open/3/1`, `kickoff`, `evaluate/2`.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct StepKey(pub String);

impl std::fmt::Display for StepKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One search: exactly one query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchStep {
    /// Its name.
    pub key: StepKey,
    /// Whose search it is.
    pub researcher: QuestionId,
    /// What is searched for; no other search of the run has it, however it is written.
    pub query: String,
    /// Results that are wanted at most.
    pub limit: u32,
    /// Credits the machine has reserved for it.
    pub credits: u32,
}

/// One page to open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenStep {
    /// Its name.
    pub key: StepKey,
    /// Whose page it is.
    pub researcher: QuestionId,
    /// Address, as a search result gave it.
    pub address: String,
    /// Credits the machine has reserved for it.
    pub credits: u32,
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AskStep {
    /// Its name.
    pub key: StepKey,
    /// Which stage asks.
    pub stage: Stage,
    /// Exactly what the stage may see.
    pub context: StageContext,
    /// Credits the machine has reserved for it.
    pub credits: u32,
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Store the document and the input it comes from in one transaction, before anything that follows is begun.
    Save {
        /// Version of the document, one more than the last.
        version: u64,
        /// What has happened, for those who watch.
        events: Vec<Event>,
    },
    /// Search.
    Search(SearchStep),
    /// Open a page.
    Open(OpenStep),
    /// Ask a model; [`Stage::schema`] says what the reply looks like.
    Ask(Box<AskStep>),
    /// The results of these steps are not wanted any more.
    Cancel(Vec<StepKey>),
    /// The run has ended with this report.
    Finish(Box<Report>),
}

impl Command {
    /// Returns the key of the step; `None` for a command that is not a step.
    #[must_use]
    pub fn key(&self) -> Option<&StepKey> {
        match self {
            Self::Search(step) => Some(&step.key),
            Self::Open(step) => Some(&step.key),
            Self::Ask(step) => Some(&step.key),
            Self::Save { .. } | Self::Cancel(_) | Self::Finish(_) => None,
        }
    }
}

/// Why a step gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The source refuses: robots, a wrong key, an address that is not public, a form that is no text.
    Refused,
    /// Nothing was reached, or not in time.
    Unreachable,
    /// The source wants fewer requests; the driver has waited as long as it would.
    Limited,
    /// No such source is set up.
    NotConfigured,
    /// The credits of the run or of the day could not be reserved; the step was not begun.
    NoCredits,
    /// The reply was none that can be read.
    Unreadable,
}

/// Why a step gave nothing, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// A sentence for the report.
    pub said: String,
}

/// What has happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Begin; a second one changes nothing.
    Begin,
    /// A search has answered.
    Searched {
        /// Which step.
        key: StepKey,
        /// Results, best first.
        hits: Vec<Hit>,
        /// What it cost, in credits.
        credits: u32,
    },
    /// A page was opened.
    Opened {
        /// Which step.
        key: StepKey,
        /// What was there.
        page: Box<Page>,
        /// What it cost.
        credits: u32,
    },
    /// A model has replied.
    Replied {
        /// Which step.
        key: StepKey,
        /// Its reply as JSON; what is none is given as a string.
        reply: Value,
        /// What it cost.
        credits: u32,
    },
    /// A step gave nothing.
    Failed {
        /// Which step.
        key: StepKey,
        /// Why.
        fault: Fault,
        /// What it cost all the same.
        credits: u32,
    },
    /// A step was begun and nobody knows how it ended. It counts in full and is not begun again.
    Unknown {
        /// Which step.
        key: StepKey,
    },
    /// How long the run has been running, and what is left of the day.
    Tick {
        /// Running time in milliseconds, pauses left out.
        running_ms: u64,
        /// Credits of the day that are left.
        day_credits: u32,
    },
    /// The person stops the run: nothing more is begun, and no report is written.
    Stop,
    /// The person lets a stopped run go on.
    Resume,
    /// The person wants the report now.
    WriteNow,
}

impl Input {
    /// Returns the key of the step that this is the result of.
    #[must_use]
    pub fn key(&self) -> Option<&StepKey> {
        match self {
            Self::Searched { key, .. }
            | Self::Opened { key, .. }
            | Self::Replied { key, .. }
            | Self::Failed { key, .. }
            | Self::Unknown { key } => Some(key),
            Self::Begin | Self::Tick { .. } | Self::Stop | Self::Resume | Self::WriteNow => None,
        }
    }
}

/// What those who watch are told; on the wire each name has `research_` before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// The brain document exists.
    BrainInitialized {
        /// What shall be found out.
        objective: String,
        /// What success looks like.
        success_criteria: Vec<String>,
        /// Version of the form of the document.
        version: u32,
    },
    /// How the run is going to go about it.
    BrainStrategy {
        /// The strategy.
        strategy: String,
    },
    /// A question is taken up.
    QuestionStarted {
        /// Which one.
        question_id: QuestionId,
        /// Its short name.
        name: String,
        /// What is looked for.
        goal: String,
    },
    /// A search has ended.
    QuestionSearchCompleted {
        /// Of which question.
        question_id: QuestionId,
        /// The one query.
        queries: Vec<String>,
        /// How many results it had.
        results: u32,
    },
    /// A reflection on the last search.
    QuestionReflection {
        /// Of which question.
        question_id: QuestionId,
        /// What is thought.
        thought: String,
        /// Whether it got further.
        delta: Delta,
    },
    /// A question has its document.
    QuestionCompleted {
        /// Which one.
        question_id: QuestionId,
        /// How sure its answer is.
        confidence: Confidence,
        /// What it recommends.
        recommendation: Recommendation,
    },
    /// The report is being written.
    SynthesizingStarted {},
    /// The run has ended.
    ResearchComplete {
        /// Questions it had.
        total_research_questions: u32,
        /// Entries of their memories.
        total_memory: u32,
        /// How sure the report is.
        confidence: Confidence,
    },
    /// The document has changed; whoever shows it reads it again.
    DocUpdated {
        /// Its version.
        version: u64,
    },
}
