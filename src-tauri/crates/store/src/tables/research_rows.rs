//! The rows of research as callers see them: runs, steps, pages, claims and documents.

use adjutant_domain::ids::{JobId, RunId};
use jiff::Timestamp;
use serde_json::Value;

use crate::fault::{Fault, Result};

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResearchState {
    /// The person has to answer a question before it begins.
    Asking,
    /// It begins or continues as soon as a worker takes it.
    Waiting,
    /// A worker is running it.
    Running,
    /// The person stopped it.
    Stopped,
    /// Something has to be done before it can continue.
    Paused,
    /// It has its report.
    Done,
    /// It failed.
    Failed,
}

impl ResearchState {
    const ALL: [Self; 7] = [
        Self::Asking,
        Self::Waiting,
        Self::Running,
        Self::Stopped,
        Self::Paused,
        Self::Done,
        Self::Failed,
    ];

    /// Returns the name of the state in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asking => "asking",
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    /// Returns the state with a name in storage, or a fault if there is none.
    pub(super) fn named(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|one| one.as_str() == name);
        found.ok_or_else(|| Fault::other(format!("a research is in no known state ({name})")))
    }

    /// Whether the run does not continue unless the person wants it to.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Stopped | Self::Done | Self::Failed)
    }
}

/// A run as stored, without its document.
#[derive(Clone, Debug, PartialEq)]
pub struct ResearchRun {
    /// Identifier of the run.
    pub id: RunId,
    /// The job that runs it; `None` before it begins.
    pub job: Option<JobId>,
    /// The run it continues, if any.
    pub previous: Option<RunId>,
    /// The brief the person agreed to, or as much of it as is known.
    pub brief: Value,
    /// Current state.
    pub state: ResearchState,
    /// Why it waits, is paused or failed.
    pub why: Option<String>,
    /// When it began.
    pub begun: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// When it ended; `None` while it has not.
    pub ended: Option<Timestamp>,
    /// Version of its document; 0 while there is none.
    pub version: u64,
    /// The summary of the document that lists show.
    pub summary: Option<Value>,
}

/// A step of a run that is about to begin.
#[derive(Clone, Debug, PartialEq)]
pub struct StepBeginning {
    /// Key that identifies the step within its run.
    pub key: String,
    /// The step's input, as JSON.
    pub input: Value,
    /// Highest number of credits it may cost.
    pub credits: u32,
    /// Highest number of credits all steps of the run may cost together.
    pub run_credits_max: u32,
    /// The day whose credits it uses, as days since 1970.
    pub day: i64,
    /// Highest number of credits all steps of the day may cost together.
    pub day_credits_max: u32,
    /// Current time.
    pub at: Timestamp,
}

/// Result of beginning a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepBegun {
    /// The step may begin: it is recorded and its credits are reserved.
    New,
    /// It ended earlier, with this result.
    Ended(Value),
    /// It was begun earlier, and its outcome is unknown.
    Unknown,
    /// Its credits would exceed a limit.
    NoCredits,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq)]
pub struct StepEnding {
    /// Key that identifies the step within its run.
    pub key: String,
    /// The step's result, as JSON.
    pub result: Value,
    /// Credits it cost.
    pub credits: u32,
    /// The page it read, if any.
    pub page: Option<ResearchPage>,
}

/// A page as it was when read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResearchPage {
    /// SHA-256 of its text.
    pub sha256: String,
    /// The requested address.
    pub address: String,
    /// Title of the page.
    pub title: String,
    /// Extracted text of the page.
    pub text: String,
    /// Media type.
    pub media: String,
    /// When it was read.
    pub fetched: Timestamp,
}

/// A claim of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResearchClaim {
    /// Text of the claim.
    pub text: String,
    /// Quoted words of the source.
    pub quote: String,
    /// Address of the source.
    pub source: String,
    /// SHA-256 of the page.
    pub sha256: String,
    /// Where the claim does not agree with the quote; `None` if it does.
    pub doubt: Option<String>,
    /// Number of independent sources.
    pub sources: u32,
}

/// A brain document to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentSave {
    /// Its version, higher than the one before.
    pub version: u64,
    /// The document's text.
    pub document: String,
    /// Differences from the version before.
    pub changes: Value,
    /// The summary of it that lists show.
    pub summary: Value,
    /// The step that produced it, if any.
    pub step: Option<StepEnding>,
    /// Claims of its report once there is one; the run is then done.
    pub claims: Option<Vec<ResearchClaim>>,
    /// Current time.
    pub at: Timestamp,
}

/// The changes that led to one version of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentVersion {
    /// Number of the version.
    pub version: u64,
    /// When it was stored.
    pub at: Timestamp,
    /// Differences from the version before.
    pub changes: Value,
}
