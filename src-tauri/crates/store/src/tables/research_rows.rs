//! What is stored of research: runs, steps, pages, claims and documents, as others meet them.

use adjutant_domain::ids::{JobId, RunId};
use jiff::Timestamp;
use serde_json::Value;

use crate::fault::{Fault, Result};

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResearchState {
    /// Something is to be answered before it begins.
    Asking,
    /// It begins or goes on as soon as somebody works on it.
    Waiting,
    /// Somebody works on it.
    Running,
    /// The person stopped it.
    Stopped,
    /// Something has to be done before it goes on.
    Paused,
    /// It has its report.
    Done,
    /// It was given up.
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

    /// The name in storage.
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

    /// The state of a name in storage.
    pub(super) fn named(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|one| one.as_str() == name);
        found.ok_or_else(|| Fault::other(format!("a research is in no known state ({name})")))
    }

    /// Whether nothing comes of it any more unless the person wants it.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Stopped | Self::Done | Self::Failed)
    }
}

/// A run as stored, without its document.
#[derive(Clone, Debug, PartialEq)]
pub struct ResearchRun {
    /// Identifier.
    pub id: RunId,
    /// The job that works on it; none before it begins.
    pub job: Option<JobId>,
    /// The run before it.
    pub previous: Option<RunId>,
    /// What the person agreed to, or what is known of it so far.
    pub brief: Value,
    /// How it stands.
    pub state: ResearchState,
    /// Why it waits, is paused or failed.
    pub why: Option<String>,
    /// Begun.
    pub begun: Timestamp,
    /// Last changed.
    pub updated: Timestamp,
    /// Over since.
    pub ended: Option<Timestamp>,
    /// Version of its document; 0 while there is none.
    pub version: u64,
    /// What lists show of the document.
    pub summary: Option<Value>,
}

/// A step of a run that is to begin.
#[derive(Clone, Debug, PartialEq)]
pub struct StepBeginning {
    /// Its key.
    pub key: String,
    /// What is asked, as JSON.
    pub input: Value,
    /// Credits it may cost.
    pub credits: u32,
    /// Credits all steps of the run may cost.
    pub run_credits_max: u32,
    /// The day whose credits it uses, counted from 1970.
    pub day: i64,
    /// Credits all steps of the day may cost.
    pub day_credits_max: u32,
    /// Now.
    pub at: Timestamp,
}

/// What became of beginning a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepBegun {
    /// It may begin: it is on record, and its credits are reserved.
    New,
    /// It ended before, with this result.
    Ended(Value),
    /// It was begun before, and nobody knows how it ended.
    Unknown,
    /// Its credits cannot be had.
    NoCredits,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq)]
pub struct StepEnding {
    /// Its key.
    pub key: String,
    /// What came of it, as JSON.
    pub result: Value,
    /// Credits it cost.
    pub credits: u32,
    /// The page it read.
    pub page: Option<ResearchPage>,
}

/// A page as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResearchPage {
    /// SHA-256 of its text.
    pub sha256: String,
    /// The address that was asked for.
    pub address: String,
    /// Title.
    pub title: String,
    /// Text.
    pub text: String,
    /// Media type.
    pub media: String,
    /// When it was read.
    pub fetched: Timestamp,
}

/// A claim of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResearchClaim {
    /// What is claimed.
    pub text: String,
    /// Words of the source.
    pub quote: String,
    /// Address of the source.
    pub source: String,
    /// SHA-256 of the page.
    pub sha256: String,
    /// What does not agree with the quote.
    pub doubt: Option<String>,
    /// Independent sources.
    pub sources: u32,
}

/// A brain document that is to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentSave {
    /// Its version, larger than the one before.
    pub version: u64,
    /// The document.
    pub document: String,
    /// What is otherwise than in the version before.
    pub changes: Value,
    /// What lists show of it.
    pub summary: Value,
    /// The step that led to it.
    pub step: Option<StepEnding>,
    /// Claims of its report, once there is one; the run is done then.
    pub claims: Option<Vec<ResearchClaim>>,
    /// Now.
    pub at: Timestamp,
}

/// How a document became one version.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentVersion {
    /// The version.
    pub version: u64,
    /// When.
    pub at: Timestamp,
    /// What is otherwise.
    pub changes: Value,
}
