//! Stores research runs; each method that writes uses one transaction.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{JobId, RunId};
use adjutant_domain::job::{Job, JobKind};
use jiff::Timestamp;

use crate::fault::{Fault, Result};
use crate::store::Store;
use crate::tables::jobs;
use crate::tables::research;
use crate::tables::research_rows::{
    DocumentSave, DocumentVersion, ResearchClaim, ResearchPage, ResearchRun, ResearchState,
    StepBeginning, StepBegun,
};
use crate::tx::Tx;

type Stored<T> = std::result::Result<T, StoreFault>;

/// Creates the run of a planned research job together with the job.
pub(crate) fn planned(tx: &Tx<'_>, job: &Job) -> Result<()> {
    let id = RunId(job.subject.clone());
    if job.kind != JobKind::Research || research::get(tx, &id)?.is_some() {
        return Ok(());
    }
    let previous = job.data.get("deeper").and_then(|deeper| deeper.get("id"));
    research::put(
        tx,
        &ResearchRun {
            id,
            job: Some(job.id.clone()),
            previous: previous.and_then(|id| id.as_str()).map(RunId::from),
            brief: job.data.clone(),
            state: ResearchState::Waiting,
            why: None,
            begun: job.due,
            updated: job.due,
            ended: None,
            version: 0,
            summary: None,
        },
    )
}

impl Store {
    /// Returns runs, newest first; only those of `job` if one is given.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_runs(
        &self,
        job: Option<JobId>,
        limit: Option<usize>,
    ) -> Stored<Vec<ResearchRun>> {
        self.read(move |connection| research::list(connection, job.as_ref(), limit))
            .await
    }

    /// Returns a run, or `None` if there is none with this id.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_run(&self, id: &RunId) -> Stored<Option<ResearchRun>> {
        let id = id.clone();
        self.read(move |connection| research::get(connection, &id))
            .await
    }

    /// Returns the brain document of a run, or `None` before the run has begun.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_document(&self, id: &RunId) -> Stored<Option<String>> {
        let id = id.clone();
        self.read(move |connection| research::document(connection, &id))
            .await
    }

    /// Stores a run in its present state, without its document, and its job if one is given.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn put_research(&self, run: ResearchRun, job: Option<Job>) -> Stored<()> {
        self.write("put_research", move |tx| {
            research::put(tx, &run)?;
            job.iter().try_for_each(|job| jobs::put(tx, job))
        })
        .await
    }

    /// Records a step and reserves its credits before it begins.
    ///
    /// # Errors
    /// When storage fails: the step must not begin.
    pub async fn begin_research_step(&self, run: &RunId, step: StepBeginning) -> Stored<StepBegun> {
        let run = run.clone();
        self.write("begin_research_step", move |tx| {
            research::begin_step(tx, &run, &step)
        })
        .await
    }

    /// Removes a step that did not begin after all: nothing left this computer, so the step may be tried again.
    ///
    /// # Errors
    /// When storage fails; the outcome of the step is then unknown.
    pub async fn take_back_research_step(&self, run: &RunId, key: &str) -> Stored<()> {
        let (run, key) = (run.clone(), key.to_owned());
        self.write("take_back_research_step", move |tx| {
            research::take_back_step(tx, &run, &key)
        })
        .await
    }

    /// Stores a brain document together with the step that produced it.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] if a later version is stored; otherwise when storage fails. Nothing is stored then.
    pub async fn save_research(&self, run: &RunId, save: DocumentSave) -> Stored<()> {
        let run = run.clone();
        self.write("save_research", move |tx| research::save(tx, &run, &save))
            .await
    }

    /// Returns the credits that the steps of a day have spent or reserved.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_credits(&self, day: i64) -> Stored<u32> {
        self.read(move |connection| research::day_credits(connection, day))
            .await
    }

    /// Returns the claims of a run's report.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_claims(&self, run: &RunId) -> Stored<Vec<ResearchClaim>> {
        let run = run.clone();
        self.read(move |connection| research::claims(connection, &run))
            .await
    }

    /// Returns the pages a run has read; only the one with the hash `sha256` if it is given.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_pages(
        &self,
        run: &RunId,
        sha256: Option<String>,
    ) -> Stored<Vec<ResearchPage>> {
        let run = run.clone();
        self.read(move |connection| research::pages(connection, &run, sha256.as_deref()))
            .await
    }

    /// Returns the addresses of a run whose text had changed when read later, each with the time that text was first
    /// read.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_later_copies(&self, run: &RunId) -> Stored<Vec<(String, Timestamp)>> {
        let run = run.clone();
        self.read(move |connection| research::later_copies(connection, &run))
            .await
    }

    /// Returns the changes of a brain document after a version, oldest first. Changes too far back are no longer
    /// kept.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_versions(&self, run: &RunId, after: u64) -> Stored<Vec<DocumentVersion>> {
        let run = run.clone();
        self.read(move |connection| research::versions(connection, &run, after))
            .await
    }

    /// Moves a run to another state if it is in one of the states in `from`.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] if it is in another state, [`StoreFault::Missing`] if there is no such run; otherwise
    /// when storage fails.
    pub async fn move_research(
        &self,
        id: &RunId,
        from: &'static [ResearchState],
        to: ResearchState,
        why: Option<String>,
        at: jiff::Timestamp,
    ) -> Stored<ResearchRun> {
        let id = id.clone();
        self.write("move_research", move |tx| {
            let found = research::get(tx, &id)?;
            let run = found.ok_or_else(|| Fault::missing(format!("the research “{id}”")))?;
            if !from.contains(&run.state) {
                return Err(Fault::conflict(format!("the research “{id}”")));
            }
            let moved = ResearchRun {
                state: to,
                why,
                updated: at,
                ended: to.is_over().then_some(at),
                ..run
            };
            research::put(tx, &moved)?;
            Ok(moved)
        })
        .await
    }
}
