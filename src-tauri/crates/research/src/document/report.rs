//! The report of a run.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::question::Confidence;

/// Who wrote a document or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WrittenBy {
    /// Put together from sentences of the sources, without a model.
    Embedded,
    /// A model; its claims were checked against the sources.
    Model,
}

/// How the check of a claim came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// The quote stands in the snapshot; numbers, names, dates and negation agree.
    Supported,
    /// The quote stands in the snapshot, and something of the claim does not agree with it.
    Doubtful {
        /// What does not agree.
        why: String,
    },
}

/// One claim with its quote. Claims whose quote does not stand in their source are dropped, not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// What is claimed.
    pub text: String,
    /// Words of the snapshot, letter for letter but for white space.
    pub quote: String,
    /// The address of the source; it was opened.
    pub source: String,
    /// SHA-256 of the snapshot, in hexadecimal.
    pub sha256: String,
    /// How its check came out.
    pub verdict: Verdict,
    /// Independent sources that say the same, this one counted.
    pub sources: u32,
}

/// The short answer of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// The answer in a few words.
    pub text: String,
    /// How it follows, in one sentence.
    pub because: String,
    /// The claims it rests on, as places in the list of claims.
    pub claims: Vec<usize>,
}

/// A source of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportSource {
    /// Its address; it was opened.
    pub address: String,
    /// Its title; text of others.
    pub title: String,
    /// SHA-256 of the snapshot, in hexadecimal.
    pub sha256: String,
    /// When it was fetched, in UTC.
    #[schemars(with = "String")]
    pub fetched_at: Timestamp,
    /// What it contributed.
    pub contribution: String,
}

/// Two claims that do not go together, side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradiction {
    /// The one, as a place in the list of claims.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// What they disagree about.
    pub about: String,
}

/// Why a run ended before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The person wanted the report.
    WriteNow,
    /// The rounds were used up.
    Rounds,
    /// The running time was used up.
    Time,
    /// The credits of the run were used up.
    Credits,
    /// The credits of the day were used up.
    DayCredits,
}

impl Cut {
    /// Returns the sentence with which a report explains that it was cut short.
    #[must_use]
    pub const fn said(self) -> &'static str {
        match self {
            Self::WriteNow => "You asked for the report before the research was finished.",
            Self::Rounds => "The research used up its rounds.",
            Self::Time => "The research used up its time.",
            Self::Credits => "The research used up its credits.",
            Self::DayCredits => "The research credits for the day are used up.",
        }
    }
}

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// What was to be found out.
    pub objective: String,
    /// The short answer, where there is one.
    pub answer: Option<Answered>,
    /// What was found, in a few paragraphs.
    pub summary: String,
    /// The claims, the most important one first.
    pub claims: Vec<Claim>,
    /// Every page a claim cites.
    pub sources: Vec<ReportSource>,
    /// Claims that do not go together.
    pub contradictions: Vec<Contradiction>,
    /// What stays open, what went wrong, and what was cut.
    pub limitations: Vec<String>,
    /// How sure the whole is.
    pub confidence: Confidence,
    /// Who wrote it.
    pub written_by: WrittenBy,
    /// Why it ended early, where it did.
    pub cut: Option<Cut>,
    /// Claims that were dropped because their quote stood in no page that was opened.
    pub dropped: u32,
}

impl Claim {
    /// Returns whether the check found nothing against this claim.
    #[must_use]
    pub fn supported(&self) -> bool {
        self.verdict == Verdict::Supported
    }
}
