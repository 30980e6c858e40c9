//! Questions, the memory of their researchers, and the documents they end with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::Claim;
use super::source::{Hit, PageRef};

/// The name of a question within its run: `q1`, `q2`, and so on.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct QuestionId(pub String);

impl std::fmt::Display for QuestionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// How sure an answer is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Little or nothing supports it.
    Low,
    /// Something supports it.
    Medium,
    /// Independent sources support it.
    High,
}

/// What a researcher recommends to do with its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recommendation {
    /// It is answered, or further work on it pays.
    Promising,
    /// Nothing is to be found.
    DeadEnd,
    /// It needs more.
    NeedsMore,
}

/// Whether a search got further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// It brought something new.
    Progress,
    /// It brought nothing new.
    NoChange,
    /// It brought nothing at all.
    DeadEnd,
}

/// What a researcher thinks of its last search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reflection {
    /// The thought.
    pub thought: String,
    /// Whether the search got further.
    pub delta: Delta,
}

/// How far a question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// It waits.
    Pending,
    /// A researcher works on it.
    Running,
    /// It has its document.
    Done,
}

/// What the researcher of a question is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It chooses a query.
    Choosing,
    /// It searches.
    Searching,
    /// It opens pages.
    Opening,
    /// It reflects.
    Reflecting,
    /// It writes its document.
    Documenting,
    /// It is done.
    Done,
}

/// One entry of a researcher's memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Entry {
    /// What was searched.
    Search {
        /// The query.
        query: String,
    },
    /// What was found.
    Result {
        /// Results, best first.
        hits: Vec<Hit>,
        /// Why there are none, where the search failed.
        fault: Option<String>,
    },
    /// A page that was opened.
    Page {
        /// The page.
        page: PageRef,
    },
    /// A page that could not be opened.
    Closed {
        /// Its address.
        address: String,
        /// Why.
        fault: String,
    },
    /// What is thought of it.
    Reflect(Reflection),
}

/// A source of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentSource {
    /// Its address; it was opened.
    pub address: String,
    /// Its title; text of others.
    pub title: String,
    /// What it contributed.
    pub contribution: String,
}

/// What a researcher ends with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionDocument {
    /// The answer.
    pub answer: String,
    /// The main findings, each checked against its source.
    pub key_findings: Vec<Claim>,
    /// Sources, with what each contributed.
    pub sources: Vec<DocumentSource>,
    /// What was not found, and what went wrong.
    pub limitations: Vec<String>,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// What is recommended.
    pub recommendation: Recommendation,
}

/// A question of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Its name within the run.
    pub id: QuestionId,
    /// The round it belongs to, from 1.
    pub round: u32,
    /// Its short name.
    pub name: String,
    /// The question.
    pub question: String,
    /// What is looked for.
    pub goal: String,
    /// How far it is.
    pub state: QuestionState,
    /// What its researcher is at.
    pub phase: Phase,
    /// What its researcher remembers.
    pub memory: Vec<Entry>,
    /// What it ended with.
    pub document: Option<QuestionDocument>,
}

impl Question {
    /// Returns the queries of this question, oldest first.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.memory.iter().filter_map(|entry| match entry {
            Entry::Search { query } => Some(query.as_str()),
            _ => None,
        })
    }

    /// Returns the pages this question has opened, oldest first.
    pub fn pages(&self) -> impl Iterator<Item = &PageRef> {
        self.memory.iter().filter_map(|entry| match entry {
            Entry::Page { page } => Some(page),
            _ => None,
        })
    }

    /// Returns all results of the searches of this question.
    pub fn hits(&self) -> impl Iterator<Item = &Hit> {
        self.memory.iter().flat_map(|entry| match entry {
            Entry::Result { hits, .. } => hits.as_slice(),
            _ => &[],
        })
    }
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextStep {
    /// More questions.
    SpawnNew,
    /// The report.
    Synthesize,
}

/// Why a run spawned questions or wrote its report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The round after which it was taken; 0 is the kickoff.
    pub round: u32,
    /// What was decided.
    pub action: NextStep,
    /// The questions that were spawned.
    pub questions: Vec<QuestionId>,
    /// Why.
    pub reasoning: String,
}
