//! Research on the wire: requests, answers, and the views of a run.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use crate::report::{
    AnswerView, ChangedClaim, ClaimView, ContradictionView, DocumentChange, DocumentLine,
    DocumentPart, ReportView, ResearchPage, SourceRow,
};

/// A request about research.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ResearchAct {
    /// Creates a run. If the brief is complete, the run starts at once; otherwise it asks for what is missing (see
    /// [`ResearchView::asks`]). Answers with [`ResearchAnswer::Run`].
    Start {
        /// What to find out.
        objective: String,
        /// Purpose of the research; if empty, the run asks for it.
        #[serde(default)]
        why: String,
        /// Success criteria; if there are none, the run asks for them.
        #[serde(default)]
        success: Vec<String>,
        /// Where to look. `null` means the web if a search engine is chosen, otherwise the person's own documents.
        #[serde(default)]
        sources: Option<ResearchSources>,
        /// Finding of another run to investigate further.
        #[serde(default)]
        deeper: Option<Deeper>,
        /// Whether to repeat the research every week at the same time.
        #[serde(default)]
        weekly: bool,
    },
    /// Answers a run's question with the person's words or one of the choices. Answers with [`ResearchAnswer::Run`].
    Answer {
        /// Id of the run.
        id: String,
        /// The answer.
        text: String,
    },
    /// Returns everything about a run. Answers with [`ResearchAnswer::Run`].
    Show {
        /// Id of the run.
        id: String,
    },
    /// Follows a run, and works on it if no process does. Events follow until the run ends or waits; then it answers
    /// with [`ResearchAnswer::Run`]. Closing the request does not stop the research.
    Follow {
        /// Id of the run.
        id: String,
    },
    /// Stops a run: no further step begins. It can be resumed. Answers with [`ResearchAnswer::Run`].
    Stop {
        /// Id of the run.
        id: String,
    },
    /// Resumes a stopped, paused or failed run. Answers with [`ResearchAnswer::Run`].
    Resume {
        /// Id of the run.
        id: String,
    },
    /// Has a run write its report with what it has so far. Answers with [`ResearchAnswer::Run`].
    WriteNow {
        /// Id of the run.
        id: String,
    },
    /// Starts or ends the weekly repetition of a run. Answers with [`ResearchAnswer::Run`].
    Repeat {
        /// Id of the run.
        id: String,
        /// Whether it repeats every week.
        weekly: bool,
    },
    /// Exports a report as a file. Answers with [`ResearchAnswer::File`].
    Export {
        /// Id of the run.
        id: String,
        /// Format of the file.
        format: ResearchFormat,
    },
    /// Compares the reports of two runs. Answers with [`ResearchAnswer::Compared`].
    Compare {
        /// Id of the earlier run.
        before: String,
        /// Id of the later run.
        after: String,
    },
    /// Returns the stored snapshot of a page. Answers with [`ResearchAnswer::Page`].
    Page {
        /// Id of the run that read the page.
        id: String,
        /// SHA-256 of the snapshot, hexadecimal.
        sha256: String,
    },
    /// Reads a page again and checks whether the quotes from it still occur there. The stored snapshot stays. Answers
    /// with [`ResearchAnswer::Checked`].
    CheckPage {
        /// Id of the run that read the page.
        id: String,
        /// SHA-256 of the snapshot, hexadecimal.
        sha256: String,
    },
    /// Returns the changes of the brain document after a version. Answers with [`ResearchAnswer::Changes`].
    Changes {
        /// Id of the run.
        id: String,
        /// Last version the client knows; 0 returns all stored changes.
        #[ts(type = "number")]
        after: u64,
    },
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ResearchSources {
    /// The web, with the search engine the person chose.
    Web,
    /// Documents, notes, mail and memories on this computer; nothing leaves it.
    Own,
    /// Both. Words from the person's own texts may then appear in web searches.
    Both,
}

/// A finding of another run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Deeper {
    /// Id of the run.
    pub id: String,
    /// Number of the claim in its report, from 1.
    pub claim: u32,
}

/// Formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ResearchFormat {
    /// Markdown.
    Md,
    /// One self-contained HTML file.
    Html,
    /// The sources as BibTeX.
    Bib,
    /// The sources as CSL-JSON.
    Csl,
    /// The brain document as JSON.
    Json,
}

/// An answer to a request about research.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ResearchAnswer {
    /// A run.
    Run {
        /// The run.
        run: Box<ResearchView>,
    },
    /// A file.
    File {
        /// Suggested file name.
        name: String,
        /// Media type.
        media: String,
        /// Content of the file.
        text: String,
    },
    /// Comparison of two reports.
    Compared(Compared),
    /// Result of reading a page again.
    Checked {
        /// The result.
        check: PageCheck,
    },
    /// The stored snapshot of a page.
    Page {
        /// The snapshot.
        page: ResearchPage,
    },
    /// Changes of the brain document, oldest first.
    Changes {
        /// One entry per version. The oldest versions are no longer stored.
        versions: Vec<DocumentChange>,
    },
}

/// Differences between two reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Compared {
    /// Claims only in the later report.
    pub new: Vec<ClaimView>,
    /// Claims only in the earlier report.
    pub gone: Vec<ClaimView>,
    /// Claims in both reports whose numbers or dates differ.
    pub changed: Vec<ChangedClaim>,
    /// Number of claims that are the same in both.
    #[ts(type = "number")]
    pub same: usize,
}

impl Compared {
    /// Returns whether the reports make the same claims.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty() && self.changed.is_empty()
    }
}

/// Comparison of a repeated research with its previous run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SinceBefore {
    /// Id of the previous run.
    pub id: String,
    /// When the previous run started, RFC 3339.
    pub started: String,
    /// Differences of this run's report from the previous one.
    pub compared: Compared,
}

/// A page as it is now, compared with its stored snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PageCheck {
    /// When it was read again, RFC 3339.
    pub at: String,
    /// Whether its text is exactly the stored one.
    pub is_same: bool,
    /// Quotes of the report that no longer occur in it.
    pub gone: Vec<String>,
}

/// A run as a row of `show research`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResearchRow {
    /// Id of the run.
    pub id: String,
    /// What to find out.
    pub objective: String,
    /// State of the run.
    pub state: ResearchState,
    /// Why it waits, is paused or failed, as a sentence.
    pub why: Option<String>,
    /// When it started, RFC 3339.
    pub started: String,
    /// Last changed, RFC 3339.
    pub updated: String,
    /// When it ended, RFC 3339.
    pub ended: Option<String>,
    /// Number of the current round.
    pub round: u32,
    /// Number of questions so far.
    #[ts(type = "number")]
    pub questions: usize,
    /// Number of answered questions.
    #[ts(type = "number")]
    pub answered: usize,
    /// Number of searches so far.
    #[ts(type = "number")]
    pub searches: usize,
    /// Number of pages read.
    #[ts(type = "number")]
    pub pages: usize,
    /// Credits spent or reserved.
    pub credits: u32,
    /// Cost of these credits in micro-units of the person's currency; `null` if the person has set no price per credit.
    #[ts(type = "number | null")]
    pub cost_micros: Option<u64>,
    /// Maximum number of credits.
    pub credits_max: u32,
    /// Milliseconds it has worked, pauses excluded.
    #[ts(type = "number")]
    pub running_ms: u64,
    /// Maximum number of milliseconds it may work.
    #[ts(type = "number")]
    pub running_ms_max: u64,
    /// Short answer of the report.
    pub answer: Option<String>,
    /// `low`, `medium` or `high`; `null` before the report.
    pub confidence: Option<String>,
    /// When it runs next, RFC 3339; `null` if it does not repeat.
    pub repeats: Option<String>,
    /// Id of the previous run of the same repeated research, or of the run whose finding this one investigates.
    pub previous: Option<String>,
}

/// State of a research run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ResearchState {
    /// The person has to answer a question before it starts.
    Asking,
    /// It starts when a process works on it, or it waits for the network.
    Waiting,
    /// It is running.
    Running,
    /// The person stopped it.
    Stopped,
    /// It cannot continue until the cause in `why` is resolved.
    Paused,
    /// Its report is written.
    Done,
    /// It failed.
    Failed,
}

impl ResearchState {
    /// Returns the name on the wire.
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
}

/// A research run in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResearchView {
    /// The row of the run.
    pub row: ResearchRow,
    /// Purpose of the research.
    pub why: String,
    /// Success criteria.
    pub success: Vec<String>,
    /// Where the run looks.
    pub sources: ResearchSources,
    /// What it asks the person before it starts, if anything.
    pub asks: Option<ResearchAsks>,
    /// Its strategy.
    pub strategy: Option<String>,
    /// Its lanes, one per question.
    pub lanes: Vec<LaneView>,
    /// Decisions between rounds, in words.
    pub decisions: Vec<String>,
    /// Maximum number of rounds.
    pub rounds_max: u32,
    /// Estimated milliseconds left, based on how long its questions have taken; `null` if unknown.
    #[ts(type = "number | null")]
    pub left_ms: Option<u64>,
    /// Version of the brain document.
    #[ts(type = "number")]
    pub version: u64,
    /// The report, once written.
    pub report: Option<ReportView>,
    /// Changes since the previous run, for a repeated research with a report.
    pub since: Option<SinceBefore>,
}

/// What a run asks the person before it starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResearchAsks {
    /// The missing part: `what`, `why` or `success`; `confirm` if the brief is complete and the person only has to
    /// confirm it.
    pub missing: String,
    /// The question.
    pub text: String,
    /// Choices for the answer; the person may always use other words.
    pub choices: Vec<String>,
}

/// A lane of a run: one question and its researcher.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LaneView {
    /// Id of the question within the run: `q1`, `q2` and so on.
    pub id: String,
    /// Round of the question, from 1.
    pub round: u32,
    /// Short name.
    pub name: String,
    /// The question.
    pub question: String,
    /// What the question should find out.
    pub goal: String,
    /// `pending`, `running` or `done`.
    pub state: String,
    /// What its researcher is doing: `choosing`, `searching`, `opening`, `reflecting`, `documenting` or `done`.
    pub phase: String,
    /// Steps of its researcher, oldest first.
    pub steps: Vec<LaneStep>,
    /// The document with its answer, once written.
    pub document: Option<LaneDocument>,
}

/// One step of a researcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum LaneStep {
    /// It searched.
    Search {
        /// The query.
        query: String,
    },
    /// Results of the search.
    Result {
        /// The results, best first; foreign text.
        hits: Vec<HitView>,
        /// Why there are none, if the search failed.
        fault: Option<String>,
    },
    /// A page that was read.
    Page {
        /// Address of the page.
        address: String,
        /// Title of the page; foreign text.
        title: String,
        /// SHA-256 of the page's snapshot, which [`ResearchAct::Page`] takes.
        sha256: String,
        /// When it was read, RFC 3339.
        at: String,
    },
    /// A page that could not be read.
    Closed {
        /// Address of the page.
        address: String,
        /// Why it could not be read.
        fault: String,
    },
    /// A reflection on the search.
    Reflect {
        /// The thought.
        thought: String,
        /// `progress`, `no_change` or `dead_end`.
        delta: String,
    },
}

/// A search result; foreign text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HitView {
    /// Address of the page, or name of a record on this computer.
    pub address: String,
    /// Title of the result.
    pub title: String,
    /// Excerpt from the result.
    pub snippet: String,
}

/// The document with which a researcher answers its question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LaneDocument {
    /// The answer.
    pub answer: String,
    /// Main findings.
    pub findings: Vec<ClaimView>,
    /// Sources, with what each contributed.
    pub sources: Vec<SourceRow>,
    /// What was not found.
    pub limitations: Vec<String>,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// `promising`, `dead_end` or `needs_more`.
    pub recommendation: String,
}
