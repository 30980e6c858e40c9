//! Research on the wire: what is asked of it, its rows, and what is shown of one run.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use crate::report::{
    AnswerView, ChangedClaim, ClaimView, ContradictionView, DocumentChange, DocumentLine,
    DocumentPart, ReportView, ResearchPage, SourceRow,
};

/// What is asked of research.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ResearchAct {
    /// Begins one. Where something is missing it is kept and asks for that: [`ResearchView::asks`]. One of which everything
    /// was given begins at once. Answers with [`ResearchAnswer::Run`].
    Start {
        /// What shall be found out.
        objective: String,
        /// What it is for; empty: asked for.
        #[serde(default)]
        why: String,
        /// What success looks like, a line each; none: asked for.
        #[serde(default)]
        success: Vec<String>,
        /// Where to look; none: on the web where a search engine is chosen, else in the person's own documents.
        #[serde(default)]
        sources: Option<ResearchSources>,
        /// The finding of another run that it goes deeper into.
        #[serde(default)]
        deeper: Option<Deeper>,
        /// Whether it is repeated every week, at the same time.
        #[serde(default)]
        weekly: bool,
    },
    /// Answers what one asks for: words, or one of its choices. Answers with [`ResearchAnswer::Run`].
    Answer {
        /// Which.
        id: String,
        /// The answer.
        text: String,
    },
    /// All of one. Answers with [`ResearchAnswer::Run`].
    Show {
        /// Which.
        id: String,
    },
    /// Works on one where nobody does, and tells its events until it is over or waits; then answers with
    /// [`ResearchAnswer::Run`]. Whoever goes away stops listening, not the research.
    Follow {
        /// Which.
        id: String,
    },
    /// Nothing more is begun; it can be resumed. Answers with [`ResearchAnswer::Run`].
    Stop {
        /// Which.
        id: String,
    },
    /// A stopped, paused or failed one goes on. Answers with [`ResearchAnswer::Run`].
    Resume {
        /// Which.
        id: String,
    },
    /// It writes its report with what it has. Answers with [`ResearchAnswer::Run`].
    WriteNow {
        /// Which.
        id: String,
    },
    /// It is repeated every week from now on, or not any more. Answers with [`ResearchAnswer::Run`].
    Repeat {
        /// Which.
        id: String,
        /// On or off.
        weekly: bool,
    },
    /// The report as a file. Answers with [`ResearchAnswer::File`].
    Export {
        /// Which.
        id: String,
        /// In which format.
        format: ResearchFormat,
    },
    /// What the reports of two runs say otherwise. Answers with [`ResearchAnswer::Compared`].
    Compare {
        /// The earlier one.
        before: String,
        /// The later one.
        after: String,
    },
    /// A page as it was when it was read. Answers with [`ResearchAnswer::Page`].
    Page {
        /// The run that read it.
        id: String,
        /// Its hash.
        sha256: String,
    },
    /// Reads a page again and says whether it still says what is cited from it; what was stored stays. Answers with
    /// [`ResearchAnswer::Checked`].
    CheckPage {
        /// The run that read it.
        id: String,
        /// Its hash.
        sha256: String,
    },
    /// How the brain document changed after a version. Answers with [`ResearchAnswer::Changes`].
    Changes {
        /// Which run.
        id: String,
        /// The version that is known; 0: all that is kept.
        #[ts(type = "number")]
        after: u64,
    },
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ResearchSources {
    /// With the search engine that the person chose.
    Web,
    /// In documents, notes, mail and memory of this computer; nothing leaves it.
    Own,
    /// In both. Words from the person's own texts may then be searched for on the web.
    Both,
}

/// A finding of another run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Deeper {
    /// The run.
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
    /// One HTML file that needs nothing else.
    Html,
    /// The sources as BibTeX.
    Bib,
    /// The sources as CSL-JSON.
    Csl,
    /// The brain document.
    Json,
}

/// What research answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ResearchAnswer {
    /// One run.
    Run {
        /// It.
        run: Box<ResearchView>,
    },
    /// A file.
    File {
        /// A name for it.
        name: String,
        /// Its media type.
        media: String,
        /// Its text.
        text: String,
    },
    /// Two reports compared.
    Compared(Compared),
    /// A page that was read again.
    Checked {
        /// How it stands.
        check: PageCheck,
    },
    /// A page.
    Page {
        /// It.
        page: ResearchPage,
    },
    /// Changes of the brain document, oldest first.
    Changes {
        /// One entry a version; the oldest versions are forgotten.
        versions: Vec<DocumentChange>,
    },
}

/// What two reports say otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Compared {
    /// Claims of the later one alone.
    pub new: Vec<ClaimView>,
    /// Claims of the earlier one alone.
    pub gone: Vec<ClaimView>,
    /// Claims of both that give other numbers or dates now.
    pub changed: Vec<ChangedClaim>,
    /// How many claims both have.
    #[ts(type = "number")]
    pub same: usize,
}

impl Compared {
    /// Whether both say the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty() && self.changed.is_empty()
    }
}

/// A repeated research beside its run before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SinceBefore {
    /// The run before.
    pub id: String,
    /// When that began, RFC 3339.
    pub started: String,
    /// What this one says otherwise.
    pub compared: Compared,
}

/// How a page stands now, beside the stored copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PageCheck {
    /// When it was read again, RFC 3339.
    pub at: String,
    /// Whether its text is the stored one, letter for letter.
    pub is_same: bool,
    /// Quotes of the report that do not stand in it any more.
    pub gone: Vec<String>,
}

/// A research as a row of `show research`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResearchRow {
    /// Run.
    pub id: String,
    /// What shall be found out.
    pub objective: String,
    /// How it stands.
    pub state: ResearchState,
    /// Why it waits, is paused or failed, as a sentence.
    pub why: Option<String>,
    /// Begun, RFC 3339.
    pub started: String,
    /// Last changed, RFC 3339.
    pub updated: String,
    /// Over since, RFC 3339.
    pub ended: Option<String>,
    /// The round it is in.
    pub round: u32,
    /// Questions so far.
    #[ts(type = "number")]
    pub questions: usize,
    /// Questions that are answered.
    #[ts(type = "number")]
    pub answered: usize,
    /// Searches so far.
    #[ts(type = "number")]
    pub searches: usize,
    /// Pages that were read.
    #[ts(type = "number")]
    pub pages: usize,
    /// Credits spent or reserved.
    pub credits: u32,
    /// What they cost in micro-units of the person's currency; none where the person set no price for a credit.
    #[ts(type = "number | null")]
    pub cost_micros: Option<u64>,
    /// The most credits it may use.
    pub credits_max: u32,
    /// Milliseconds it has been at work.
    #[ts(type = "number")]
    pub running_ms: u64,
    /// The most milliseconds it may work.
    #[ts(type = "number")]
    pub running_ms_max: u64,
    /// The short answer of its report.
    pub answer: Option<String>,
    /// `low`, `medium` or `high`, once there is a report.
    pub confidence: Option<String>,
    /// When it is done again, RFC 3339; none where it is done once.
    pub repeats: Option<String>,
    /// The run before it: of the same repeated research, or the one it goes deeper into.
    pub previous: Option<String>,
}

/// How a research stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ResearchState {
    /// Something is to be answered before it begins.
    Asking,
    /// It begins as soon as somebody works on it, or waits for the network.
    Waiting,
    /// At work.
    Running,
    /// The person stopped it.
    Stopped,
    /// Something has to be done before it goes on, see why.
    Paused,
    /// It has its report.
    Done,
    /// It was given up.
    Failed,
}

impl ResearchState {
    /// The name on the wire.
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

/// All of one research.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResearchView {
    /// Its row.
    pub row: ResearchRow,
    /// What it is for.
    pub why: String,
    /// What success looks like.
    pub success: Vec<String>,
    /// Where it looks.
    pub sources: ResearchSources,
    /// What it asks for before it begins.
    pub asks: Option<ResearchAsks>,
    /// How it goes about it.
    pub strategy: Option<String>,
    /// One lane a question.
    pub lanes: Vec<LaneView>,
    /// Decisions between rounds, in words.
    pub decisions: Vec<String>,
    /// The most rounds it may take.
    pub rounds_max: u32,
    /// Milliseconds that are left by what its questions took so far; none while that cannot be told.
    #[ts(type = "number | null")]
    pub left_ms: Option<u64>,
    /// Version of the brain document.
    #[ts(type = "number")]
    pub version: u64,
    /// Its report.
    pub report: Option<ReportView>,
    /// Of a repeated one with its report: what changed since the run before.
    pub since: Option<SinceBefore>,
}

/// What a research asks for before it begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResearchAsks {
    /// `what`, `why`, `success`; or `confirm`: the brief is whole, and begins with a yes.
    pub missing: String,
    /// The question.
    pub text: String,
    /// Answers to choose from; words of one's own are always fine.
    pub choices: Vec<String>,
}

/// One question and its researcher.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LaneView {
    /// `q1`, `q2` and so on.
    pub id: String,
    /// The round it belongs to, from 1.
    pub round: u32,
    /// A short name.
    pub name: String,
    /// The question.
    pub question: String,
    /// What is looked for.
    pub goal: String,
    /// `pending`, `running` or `done`.
    pub state: String,
    /// What its researcher is at: `choosing`, `searching`, `opening`, `reflecting`, `documenting` or `done`.
    pub phase: String,
    /// What its researcher did, the first first.
    pub steps: Vec<LaneStep>,
    /// What it came to.
    pub document: Option<LaneDocument>,
}

/// One thing a researcher did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum LaneStep {
    /// It searched.
    Search {
        /// For this.
        query: String,
    },
    /// What was found.
    Result {
        /// Best first; text of others.
        hits: Vec<HitView>,
        /// Why there is nothing.
        fault: Option<String>,
    },
    /// A page was read.
    Page {
        /// Its address.
        address: String,
        /// Its title; text of others.
        title: String,
        /// Hash of its text, by which [`ResearchAct::Page`] gives it.
        sha256: String,
        /// When it was read, RFC 3339.
        at: String,
    },
    /// A page could not be read.
    Closed {
        /// Its address.
        address: String,
        /// Why.
        fault: String,
    },
    /// What is thought of the search.
    Reflect {
        /// The thought.
        thought: String,
        /// `progress`, `no_change` or `dead_end`.
        delta: String,
    },
}

/// A result of a search; text of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HitView {
    /// Where it stands.
    pub address: String,
    /// Its title.
    pub title: String,
    /// A piece of it.
    pub snippet: String,
}

/// What a researcher came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LaneDocument {
    /// The answer.
    pub answer: String,
    /// The main findings.
    pub findings: Vec<ClaimView>,
    /// Sources and what each contributed.
    pub sources: Vec<SourceRow>,
    /// What was not found.
    pub limitations: Vec<String>,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// `promising`, `dead_end` or `needs_more`.
    pub recommendation: String,
}
