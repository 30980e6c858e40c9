//! The stages: what a model is asked, what each stage may see, and what it replies.
//!
//! The types enforce isolation: the context of a stage has no place for what it must not see.
//!
//! | stage | sees |
//! |---|---|
//! | kickoff | the objective, nothing else |
//! | evaluate | objective, criteria, every question with its document |
//! | search | its question and goal, its own history |
//! | reflect | objective, its question and goal, its last search |
//! | document | objective, its question and goal, its whole own history |
//! | synthesise | objective, criteria, every document |

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{
    Confidence, Delta, NextStep, QuestionDocument, QuestionState, Recommendation, Reflection,
};

/// Text of others; whoever renders it fences it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Foreign(pub String);

/// A question to a model.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reads a brief from the person's words; asked by whoever runs the intake.
    Intake,
    /// Plans the first questions.
    Kickoff,
    /// Decides whether more questions are needed.
    Evaluate,
    /// Chooses the next query.
    Search,
    /// Says what the last search brought.
    Reflect,
    /// Writes the document of a question.
    Document,
    /// Writes the report.
    Synthesise,
}

impl Stage {
    /// Returns the name of the stage, as in the seed and in `prompts/research/`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intake => "intake",
            Self::Kickoff => "kickoff",
            Self::Evaluate => "evaluate",
            Self::Search => "search",
            Self::Reflect => "reflect",
            Self::Document => "document",
            Self::Synthesise => "synthesise",
        }
    }

    /// Returns the JSON schema of the stage's reply.
    #[must_use]
    pub fn schema(self) -> Value {
        let schema = match self {
            Self::Intake => schema_for!(IntakeReply),
            Self::Kickoff => schema_for!(KickoffReply),
            Self::Evaluate => schema_for!(EvaluateReply),
            Self::Search => schema_for!(SearchReply),
            Self::Reflect => schema_for!(ReflectReply),
            Self::Document => schema_for!(DocumentReply),
            Self::Synthesise => schema_for!(SynthesiseReply),
        };
        schema.to_value()
    }
}

/// Exactly what a stage may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageContext {
    /// The person's words, the first ones first.
    Intake {
        /// What the person has said.
        said: Vec<String>,
    },
    /// The objective alone.
    Kickoff {
        /// What shall be found out.
        objective: String,
    },
    /// Everything.
    Evaluate {
        /// What shall be found out.
        objective: String,
        /// What success looks like.
        criteria: Vec<String>,
        /// Every question, with its document where it has one.
        questions: Vec<QuestionView>,
        /// Earlier decisions and their reasons.
        decisions: Vec<String>,
        /// Rounds that are left.
        rounds_left: u32,
    },
    /// One question and what its own searches gave.
    Search {
        /// The question.
        question: String,
        /// What is looked for.
        goal: String,
        /// Its searches so far.
        history: Vec<SearchView>,
        /// Its queries so far, none of which may come again.
        queries: Vec<String>,
    },
    /// One question and its last search.
    Reflect {
        /// What shall be found out in the end.
        objective: String,
        /// The question.
        question: String,
        /// What is looked for.
        goal: String,
        /// The last search.
        last: SearchView,
        /// Searches of this question so far.
        searches: u32,
    },
    /// One question and its whole own history.
    Document {
        /// What shall be found out in the end.
        objective: String,
        /// The question.
        question: String,
        /// What is looked for.
        goal: String,
        /// All its searches.
        history: Vec<SearchView>,
    },
    /// Every document.
    Synthesise {
        /// What shall be found out.
        objective: String,
        /// What success looks like.
        criteria: Vec<String>,
        /// Every question that has a document.
        questions: Vec<QuestionView>,
    },
}

/// A question as stages that see everything see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionView {
    /// Its short name.
    pub name: String,
    /// The question.
    pub question: String,
    /// What is looked for.
    pub goal: String,
    /// How far it is.
    pub state: QuestionState,
    /// Its document; made of text of others.
    pub document: Option<QuestionDocument>,
}

/// A search as the researcher who made it sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchView {
    /// The query.
    pub query: String,
    /// What came of it: titles with addresses, snippets, passages of opened pages.
    pub results: Vec<ResultView>,
    /// What was thought of it.
    pub reflection: Option<Reflection>,
}

/// A result as a researcher sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultView {
    /// Its address.
    pub address: String,
    /// Its title.
    pub title: Foreign,
    /// The snippet, or of an opened page the passages that have to do with the question.
    pub passage: Foreign,
    /// Whether the page was opened; only such pages can be cited.
    pub opened: bool,
}

/// What a model reads of a person's words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct IntakeReply {
    /// What exactly shall be found out; empty where the words do not say it.
    pub objective: String,
    /// What it is for; empty where the words do not say it.
    pub why: String,
    /// What success looks like; empty where the words do not say it.
    pub criteria: Vec<String>,
    /// One question for the first thing that is missing; empty where nothing is.
    pub ask: String,
    /// Two to four answers to choose from, or none.
    pub choices: Vec<String>,
}

/// A question that a model wants researched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedQuestion {
    /// A short name.
    pub name: String,
    /// The question, complete in itself: its researcher sees nothing else.
    pub question: String,
    /// What is looked for.
    pub goal: String,
}

/// The reply of [`Stage::Kickoff`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KickoffReply {
    /// How to go about it.
    pub strategy: String,
    /// One to three questions.
    pub questions: Vec<PlannedQuestion>,
}

/// The reply of [`Stage::Evaluate`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluateReply {
    /// What to do.
    pub action: NextStep,
    /// Why.
    pub reasoning: String,
    /// One to three questions where more are needed.
    #[serde(default)]
    pub questions: Vec<PlannedQuestion>,
}

/// The reply of [`Stage::Search`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchReply {
    /// One query, unlike all earlier ones.
    pub query: String,
}

/// The reply of [`Stage::Reflect`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReflectReply {
    /// What the search brought.
    pub thought: String,
    /// Whether it got further.
    pub delta: Delta,
    /// Whether the question is answered.
    pub done: bool,
}

/// The reply of [`Stage::Document`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentReply {
    /// The answer.
    pub answer: String,
    /// Findings, each with a quote.
    pub key_findings: Vec<ReplyClaim>,
    /// What was not found.
    #[serde(default)]
    pub limitations: String,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// What it recommends.
    pub recommendation: Recommendation,
}

/// A claim as a model makes it; it is checked before anybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplyClaim {
    /// What is claimed.
    pub text: String,
    /// Words of the source that say it, copied exactly.
    pub quote: String,
    /// The address of the source.
    pub source: String,
}

/// The reply of [`Stage::Synthesise`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SynthesiseReply {
    /// The answer in one line.
    pub answer: String,
    /// What was found, in a few paragraphs.
    pub summary: String,
    /// The claims it rests on.
    pub claims: Vec<ReplyClaim>,
    /// What stays open.
    #[serde(default)]
    pub limitations: Vec<String>,
}
