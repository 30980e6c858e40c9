//! Results of research as front ends show them: claims, sources, reports, and changes of the brain document.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A claim of a report, with its quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClaimView {
    /// Number in the report, from 1; 0 for a finding of a lane.
    pub number: u32,
    /// The claim.
    pub text: String,
    /// Words of the source, verbatim.
    pub quote: String,
    /// Address of the source.
    pub source: String,
    /// SHA-256 of the page's snapshot, hexadecimal.
    pub sha256: String,
    /// Where the claim disagrees with its quote; `null` if the check found nothing against it.
    pub doubt: Option<String>,
    /// Number of independent sources that say the same, including this one.
    pub sources: u32,
}

/// A claim whose numbers or dates differ between two reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangedClaim {
    /// The earlier claim.
    pub before: ClaimView,
    /// The later claim.
    pub after: ClaimView,
}

/// A source of a report or lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceRow {
    /// Number in the report, from 1; 0 for a source of a lane.
    pub number: u32,
    /// Address of the page.
    pub address: String,
    /// Title of the page; foreign text.
    pub title: String,
    /// SHA-256 of the page's snapshot, hexadecimal; empty for a source of a lane.
    pub sha256: String,
    /// When the page was read, RFC 3339; empty for a source of a lane.
    pub at: String,
    /// What it contributed.
    pub contribution: String,
    /// When the page was read with a different text, RFC 3339; `null` if it never was.
    pub changed: Option<String>,
}

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ReportView {
    /// The short answer, if there is one.
    pub answer: Option<AnswerView>,
    /// Findings, in a few paragraphs.
    pub summary: String,
    /// Claims, most important first.
    pub claims: Vec<ClaimView>,
    /// Every page that a claim cites.
    pub sources: Vec<SourceRow>,
    /// Pairs of claims that contradict each other.
    pub contradictions: Vec<ContradictionView>,
    /// What remains open, what went wrong, and what was cut.
    pub limitations: Vec<String>,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// `embedded` if assembled from sentences of the sources without a model; `model` if written by a model and
    /// checked.
    pub written_by: String,
    /// Why the run ended early: `write_now`, `rounds`, `time`, `credits` or `day_credits`.
    pub cut: Option<String>,
    /// Number of claims dropped because their quote occurs in no page that was read.
    pub dropped: u32,
}

/// The short answer of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnswerView {
    /// The answer, in a few words.
    pub text: String,
    /// Why it follows from the claims, in one sentence.
    pub because: String,
    /// Numbers of the claims that support it.
    pub claims: Vec<u32>,
}

/// Two claims that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContradictionView {
    /// Number of the first claim.
    pub one: u32,
    /// Number of the second claim.
    pub other: u32,
    /// What they disagree about.
    pub about: String,
}

/// The stored snapshot of a page; foreign text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResearchPage {
    /// SHA-256 of the snapshot, hexadecimal.
    pub sha256: String,
    /// Address of the page.
    pub address: String,
    /// Title of the page.
    pub title: String,
    /// Text of the page.
    pub text: String,
    /// When the page was read, RFC 3339.
    pub at: String,
}

/// One version of the brain document, as changes to the version before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentChange {
    /// Number of the version.
    #[ts(type = "number")]
    pub version: u64,
    /// When it was stored, RFC 3339.
    pub at: String,
    /// Changed values, by JSON pointer.
    pub changes: serde_json::Value,
    /// The changes in words, in the order of the document, without bookkeeping.
    pub lines: Vec<DocumentLine>,
}

/// One addition to the brain document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentLine {
    /// Question it belongs to; `null` if it concerns the whole run.
    pub question: Option<String>,
    /// Part of the document.
    pub part: DocumentPart,
    /// Text of the addition; may be foreign text.
    pub text: String,
}

/// Parts of the brain document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DocumentPart {
    /// The strategy.
    Strategy,
    /// A question was started.
    Question,
    /// A search.
    Search,
    /// A page that was read.
    Page,
    /// A search or page failed.
    Fault,
    /// A reflection on a search.
    Reflection,
    /// The answer to a question.
    Answer,
    /// A decision between rounds.
    Decision,
    /// The report.
    Report,
}
