//! What research keeps: each method that writes is one transaction.

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

/// The run that a job of research begins with, beside its job.
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
    /// Runs, newest first; of a job, or all.
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

    /// One run.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_run(&self, id: &RunId) -> Stored<Option<ResearchRun>> {
        let id = id.clone();
        self.read(move |connection| research::get(connection, &id))
            .await
    }

    /// Its brain document; none before it began.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_document(&self, id: &RunId) -> Stored<Option<String>> {
        let id = id.clone();
        self.read(move |connection| research::document(connection, &id))
            .await
    }

    /// Writes a run as it is now, without its document, and its job where that is given.
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

    /// Puts a step on record and reserves its credits, before it begins.
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

    /// A step did not begin after all: nothing left this computer, and it may begin another time.
    ///
    /// # Errors
    /// When storage fails; the step is unknown then.
    pub async fn take_back_research_step(&self, run: &RunId, key: &str) -> Stored<()> {
        let (run, key) = (run.clone(), key.to_owned());
        self.write("take_back_research_step", move |tx| {
            research::take_back_step(tx, &run, &key)
        })
        .await
    }

    /// Stores a brain document together with the step it comes from.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when a later version is stored; otherwise when storage fails. Nothing is stored then.
    pub async fn save_research(&self, run: &RunId, save: DocumentSave) -> Stored<()> {
        let run = run.clone();
        self.write("save_research", move |tx| research::save(tx, &run, &save))
            .await
    }

    /// Credits the steps of a day cost or have reserved.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn research_credits(&self, day: i64) -> Stored<u32> {
        self.read(move |connection| research::day_credits(connection, day))
            .await
    }

    /// Claims of its report.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_claims(&self, run: &RunId) -> Stored<Vec<ResearchClaim>> {
        let run = run.clone();
        self.read(move |connection| research::claims(connection, &run))
            .await
    }

    /// Pages it read, of which one may be asked for alone by its hash.
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

    /// Addresses of a run that were read later with another text, each with the time it was first read so.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_later_copies(&self, run: &RunId) -> Stored<Vec<(String, Timestamp)>> {
        let run = run.clone();
        self.read(move |connection| research::later_copies(connection, &run))
            .await
    }

    /// How its brain document changed after a version, oldest first; what lies too far back is forgotten.
    ///
    /// # Errors
    /// When storage fails, or there is no such run.
    pub async fn research_versions(&self, run: &RunId, after: u64) -> Stored<Vec<DocumentVersion>> {
        let run = run.clone();
        self.read(move |connection| research::versions(connection, &run, after))
            .await
    }

    /// Moves a run to another state, where it is still in one of these.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when it is in another state, [`StoreFault::Missing`] when there is none.
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
