//! The run: the brain document and the machine that moves it.

mod brain;
mod machine;
mod replies;
mod researcher;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::brief::{Brief, Clear};
use crate::document::{Cut, Decision, Question, QuestionId, Report, WrittenBy};
use crate::limits::{Limits, Spending};
use crate::step::{Command, StepKey};

/// Format version of the brain document. A newer one is refused.
pub const FORM: u32 = 1;
/// Maximum bytes of a stored brain document.
const DOCUMENT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was not begun.
    New,
    /// It works on questions.
    Running,
    /// It writes its report.
    Synthesizing,
    /// It has its report.
    Complete,
}

/// A step that is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Outstanding {
    /// What was asked for.
    command: Command,
    /// Credits that are reserved for it.
    credits: u32,
    /// Whether it was handed out; what a stopped run would begin waits for its resumption.
    begun: bool,
}

/// A run: the brain document as versioned JSON, and the machine. It is moved by [`Run::next`] alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Version of the form of this document.
    form: u32,
    /// Grows by one with each change.
    version: u64,
    objective: String,
    why: String,
    success_criteria: Vec<String>,
    status: Status,
    /// Whether the person has stopped it; nothing is begun until it is resumed.
    stopped: bool,
    /// Who plans and writes.
    by: WrittenBy,
    research_round: u32,
    research_strategy: Option<String>,
    questions: Vec<Question>,
    brain_log: Vec<Decision>,
    limits: Limits,
    spending: Spending,
    /// Normalised queries of the whole run.
    queries: BTreeSet<String>,
    outstanding: BTreeMap<StepKey, Outstanding>,
    cut: Option<Cut>,
    /// What went wrong, for the report; each once.
    notes: Vec<String>,
    dropped_claims: u32,
    report: Option<Report>,
    /// Texts of snapshots by SHA-256; they are stored beside the document.
    #[serde(skip)]
    #[schemars(skip)]
    texts: BTreeMap<String, Arc<str>>,
}

/// Why a stored run cannot be restored.
#[derive(Debug, Error)]
pub enum RestoreFault {
    /// A newer version of the program wrote it.
    #[error("this research was stored by a newer version of Adjutant; update Adjutant to open it")]
    Newer {
        /// Format version of the stored document.
        form: u32,
    },
    /// It is larger than any run can get.
    #[error("this research is larger than a research can be; start it again")]
    TooLarge,
    /// It is not a brain document.
    #[error("this research cannot be read: {0}; start it again")]
    Unreadable(#[from] serde_json::Error),
}

impl Run {
    /// Returns a run that has not begun. `by` says whether a model is asked; without one the embedded researcher does
    /// every step.
    #[must_use]
    pub fn new(brief: &Brief<Clear>, limits: Limits, by: WrittenBy) -> Self {
        Self {
            form: FORM,
            version: 0,
            objective: brief.objective().to_owned(),
            why: brief.why().to_owned(),
            success_criteria: brief.criteria().to_vec(),
            status: Status::New,
            stopped: false,
            by,
            research_round: 0,
            research_strategy: None,
            questions: Vec::new(),
            brain_log: Vec::new(),
            spending: Spending {
                day_left: limits.day_credits,
                ..Spending::default()
            },
            limits,
            queries: BTreeSet::new(),
            outstanding: BTreeMap::new(),
            cut: None,
            notes: Vec::new(),
            dropped_claims: 0,
            report: None,
            texts: BTreeMap::new(),
        }
    }

    /// Returns the document in its stored form.
    ///
    /// # Errors
    ///
    /// Returns the serialiser's error; this never happens for a document of this machine.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Restores a stored document. `text` returns the text of a snapshot by its SHA-256; a page whose snapshot is gone
    /// is no longer cited.
    ///
    /// # Errors
    ///
    /// Returns a [`RestoreFault`] if the document is too large, of a newer format, or unreadable.
    pub fn restore(
        json: &str,
        mut text: impl FnMut(&str) -> Option<String>,
    ) -> Result<Self, RestoreFault> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        if json.len() > DOCUMENT_BYTES_MAX {
            return Err(RestoreFault::TooLarge);
        }
        let Form { form } = serde_json::from_str(json)?;
        if form > FORM {
            return Err(RestoreFault::Newer { form });
        }
        let mut run: Self = serde_json::from_str(json)?;
        for question in &run.questions {
            for page in question.pages() {
                if !run.texts.contains_key(&page.sha256)
                    && let Some(text) = text(&page.sha256)
                {
                    run.texts
                        .insert(page.sha256.clone(), researcher::readable(&text).into());
                }
            }
        }
        Ok(run)
    }

    /// Returns every command that is still to be carried out, as first given: after a restart the driver feeds in the
    /// stored results of these steps and begins only the others. Empty while the run is stopped.
    #[must_use]
    pub fn outstanding(&self) -> Vec<Command> {
        if self.stopped {
            return Vec::new();
        }
        let mut commands: Vec<Command> = self
            .outstanding
            .values()
            .map(|one| one.command.clone())
            .collect();
        if self.status == Status::Complete
            && let Some(report) = &self.report
        {
            commands.push(Command::Finish(Box::new(report.clone())));
        }
        commands
    }

    /// Returns how far the run is.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns whether the person has stopped the run.
    #[must_use]
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the version of the document, which grows by one with each change.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns what the run is to find out.
    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// Returns the purpose of the research.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Returns the success criteria.
    #[must_use]
    pub fn success_criteria(&self) -> &[String] {
        &self.success_criteria
    }

    /// Returns the current round, from 1; 0 before the first.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.research_round
    }

    /// Returns the strategy; `None` until the kickoff has chosen one.
    #[must_use]
    pub fn strategy(&self) -> Option<&str> {
        self.research_strategy.as_deref()
    }

    /// Returns the questions, oldest first.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// Returns the decisions, oldest first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.brain_log
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns what the run has reserved and spent.
    #[must_use]
    pub const fn spending(&self) -> &Spending {
        &self.spending
    }

    /// Returns the report; `None` until the run is complete.
    #[must_use]
    pub const fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    fn question(&self, id: &QuestionId) -> Option<&Question> {
        self.questions.iter().find(|one| one.id == *id)
    }

    fn question_mut(&mut self, id: &QuestionId) -> Option<&mut Question> {
        self.questions.iter_mut().find(|one| one.id == *id)
    }
}
