//! The run: the brain document, and the machine that moves it.

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

/// Version of the form of the brain document. A newer one is refused.
pub const FORM: u32 = 1;
/// Bytes of a stored brain document at most.
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

/// Why a stored run cannot go on.
#[derive(Debug, Error)]
pub enum RestoreFault {
    /// It was written by a newer version of the program.
    #[error("this research was stored by a newer version of Adjutant; update Adjutant to open it")]
    Newer {
        /// Version of its form.
        form: u32,
    },
    /// It is larger than any run gets.
    #[error("this research is larger than a research can be; start it again")]
    TooLarge,
    /// It is no brain document.
    #[error("this research cannot be read: {0}; start it again")]
    Unreadable(#[from] serde_json::Error),
}

impl Run {
    /// A run that was not begun. `by` says whether a model is asked; without one everything is embedded.
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

    /// The document as it is stored.
    ///
    /// # Errors
    /// Never for a document of this machine; the serialiser's fault otherwise.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads a stored document. `text` gives the text of a snapshot by its SHA-256; a page whose snapshot is gone is
    /// not cited any more.
    ///
    /// # Errors
    /// See [`RestoreFault`].
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
                    run.texts.insert(page.sha256.clone(), text.into());
                }
            }
        }
        Ok(run)
    }

    /// Everything that is to be done now, as it was asked for: after a restart the driver hands in what is stored of
    /// these steps and begins only the others. Empty while the run is stopped.
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

    /// How far it is.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Whether the person has stopped it.
    #[must_use]
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Version of the document; it grows by one with each change.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// What is to be found out.
    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// What it is for.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }

    /// What success looks like.
    #[must_use]
    pub fn success_criteria(&self) -> &[String] {
        &self.success_criteria
    }

    /// The round it is in, from 1.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.research_round
    }

    /// How it goes about it.
    #[must_use]
    pub fn strategy(&self) -> Option<&str> {
        self.research_strategy.as_deref()
    }

    /// Its questions, the first one first.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// Its decisions, the first one first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.brain_log
    }

    /// Its guardrails.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What it has spent.
    #[must_use]
    pub const fn spending(&self) -> &Spending {
        &self.spending
    }

    /// Its report, once it is complete.
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
