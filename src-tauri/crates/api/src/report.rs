//! What is found by a research: its claims, sources, report and document, as front ends show them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A claim with its quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClaimView {
    /// Its number in the report, from 1; 0 for a finding of a lane.
    pub number: u32,
    /// What is claimed.
    pub text: String,
    /// Words of the source, letter for letter.
    pub quote: String,
    /// Address of the source.
    pub source: String,
    /// Hash of the page as it was read.
    pub sha256: String,
    /// What of the claim does not agree with the quote; none: all of it does.
    pub doubt: Option<String>,
    /// Independent sources that say the same, this one counted.
    pub sources: u32,
}

/// A claim that gives other numbers or dates than before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangedClaim {
    /// As it was.
    pub before: ClaimView,
    /// As it is.
    pub after: ClaimView,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceRow {
    /// Its number in the report, from 1; 0 for a source of a lane.
    pub number: u32,
    /// Its address.
    pub address: String,
    /// Its title; text of others.
    pub title: String,
    /// Hash of the page as it was read; empty for a source of a lane.
    pub sha256: String,
    /// When it was read, RFC 3339; empty for a source of a lane.
    pub at: String,
    /// What it contributed.
    pub contribution: String,
    /// When it was read with another text than this, RFC 3339; none where it was not.
    pub changed: Option<String>,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ReportView {
    /// The short answer.
    pub answer: Option<AnswerView>,
    /// What was found, in a few paragraphs.
    pub summary: String,
    /// Claims, the most important first.
    pub claims: Vec<ClaimView>,
    /// Every page a claim cites.
    pub sources: Vec<SourceRow>,
    /// Claims that do not go together: their numbers, and what they disagree about.
    pub contradictions: Vec<ContradictionView>,
    /// What stays open, what went wrong, and what was cut.
    pub limitations: Vec<String>,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// `embedded`: put together from sentences of the sources, without a model. `model`: written by one, and checked.
    pub written_by: String,
    /// Why it ended early: `write_now`, `rounds`, `time`, `credits` or `day_credits`.
    pub cut: Option<String>,
    /// Claims that were dropped because their quote stood in no page that was read.
    pub dropped: u32,
}

/// The short answer of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnswerView {
    /// In a few words.
    pub text: String,
    /// How it follows.
    pub because: String,
    /// Numbers of the claims it rests on.
    pub claims: Vec<u32>,
}

/// Two claims side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContradictionView {
    /// Number of the one.
    pub one: u32,
    /// Number of the other.
    pub other: u32,
    /// What they disagree about.
    pub about: String,
}

/// A page as it was when it was read; text of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResearchPage {
    /// Hash of its text.
    pub sha256: String,
    /// Its address.
    pub address: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// When it was read, RFC 3339.
    pub at: String,
}

/// How the brain document became one version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentChange {
    /// The version.
    #[ts(type = "number")]
    pub version: u64,
    /// When, RFC 3339.
    pub at: String,
    /// What is otherwise: JSON pointers with their new values.
    pub changes: serde_json::Value,
    /// The same as a person reads it, in the order of the document; bookkeeping left out.
    pub lines: Vec<DocumentLine>,
}

/// One thing that came into the brain document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentLine {
    /// The question it belongs to; none where it belongs to all.
    pub question: Option<String>,
    /// What it is.
    pub part: DocumentPart,
    /// Its words; may be text of others.
    pub text: String,
}

/// Parts of the brain document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DocumentPart {
    /// How it goes about it.
    Strategy,
    /// A question that is taken up.
    Question,
    /// A search.
    Search,
    /// A page that was read.
    Page,
    /// What could not be searched or read.
    Fault,
    /// What is thought of a search.
    Reflection,
    /// What a question came to.
    Answer,
    /// A decision between rounds.
    Decision,
    /// The report.
    Report,
}
