//! Implements the port `Jobs`, and the queries behind the app's list of jobs.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::JobId;
use adjutant_domain::job::{Claim, Ended, Given, Job, JobState, Progress};
use adjutant_domain::ports::Jobs;
use async_trait::async_trait;
use jiff::Timestamp;

use crate::store::Store;
use crate::tables::jobs;

type Stored<T> = std::result::Result<T, StoreFault>;

#[async_trait]
impl Jobs for Store {
    async fn claim(&self, claim: &Claim) -> Stored<Vec<Given>> {
        // Check first: nothing is written while no job is due.
        let next = self.next_at().await?;
        if next.is_none_or(|at| at > claim.now) {
            return Ok(Vec::new());
        }
        let claim = claim.clone();
        // Losing a lease in a power cut does no harm: the job waits again.
        self.write_light("claim_jobs", move |tx| jobs::claim(tx, &claim))
            .await
    }

    async fn plan(&self, job: &Job) -> Stored<()> {
        let job = job.clone();
        self.write("add_job", move |tx| match jobs::get(tx, &job.id)? {
            Some(_) => Ok(()),
            None => {
                jobs::put(tx, &job)?;
                crate::research::planned(tx, &job)
            }
        })
        .await
    }

    async fn begin(&self, job: &Job, claim: &Claim) -> Stored<Option<Job>> {
        let (job, claim) = (job.clone(), claim.clone());
        self.write_light("begin_job", move |tx| jobs::begin(tx, &job, &claim))
            .await
    }

    async fn renew(&self, id: &JobId, claim: &Claim, progress: Option<Progress>) -> Stored<bool> {
        let (id, claim) = (id.clone(), claim.clone());
        self.write_light("renew_job", move |tx| {
            jobs::renew(tx, &id, &claim, progress)
        })
        .await
    }

    async fn settle(&self, claim: &Claim, ended: &[(JobId, Ended)]) -> Stored<Vec<Job>> {
        let (claim, ended) = (claim.clone(), ended.to_vec());
        self.write("settle_jobs", move |tx| jobs::settle(tx, &claim, &ended))
            .await
    }

    async fn hurry(&self, ids: &[JobId], now: Timestamp) -> Stored<bool> {
        let ids = ids.to_vec();
        // Losing the earlier time in a power cut does no harm: the job runs at its former one.
        self.write_light("hurry_jobs", move |tx| jobs::hurry(tx, &ids, now))
            .await
    }

    async fn is_leased(&self, id: &JobId, now: Timestamp) -> Stored<bool> {
        let job = self.job(id).await?;
        Ok(job.is_some_and(|job| job.is_leased(now)))
    }

    async fn release_all(&self) -> Stored<()> {
        // There are almost never any, and starting up must not write without need.
        if self.read(jobs::running).await?.is_empty() {
            return Ok(());
        }
        self.write_light("release_jobs", jobs::release_all).await
    }

    async fn next_at(&self) -> Stored<Option<Timestamp>> {
        self.read(jobs::next_at).await
    }
}

impl Store {
    /// Returns a job, or `None` if there is none with this id.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn job(&self, id: &JobId) -> Stored<Option<Job>> {
        let id = id.clone();
        self.read(move |connection| jobs::get(connection, &id))
            .await
    }

    /// Ensures that each recurring job exists once, with the given schedule. A job that was stopped stays stopped.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn keep_jobs(&self, wanted: impl Into<Vec<Job>>) -> Stored<()> {
        let wanted: Vec<Job> = wanted.into();
        let asked = wanted.clone();
        // They almost always exist already, and starting up must not write without need.
        let missing = self
            .read(move |connection| jobs::other_schedule(connection, &asked))
            .await?;
        if missing.is_empty() {
            return Ok(());
        }
        self.write_light("keep_jobs", move |tx| {
            let missing = jobs::other_schedule(tx, &wanted)?;
            missing.iter().try_for_each(|job| jobs::put(tx, job))
        })
        .await
    }

    /// Restarts a job from its first attempt, at its time, and returns `true`. Returns `false` and leaves the job
    /// alone if it is running.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn plan_job(&self, job: Job) -> Stored<bool> {
        self.write("plan_job", move |tx| match jobs::get(tx, &job.id)? {
            Some(there) if there.state == JobState::Running => Ok(false),
            _ => jobs::put(tx, &job).map(|()| true),
        })
        .await
    }

    /// Returns the running jobs, earliest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn running_jobs(&self) -> Stored<Vec<Job>> {
        self.read(jobs::running).await
    }

    /// Returns jobs: upcoming ones first, soonest first, then finished ones, latest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn jobs(&self, limit: Option<usize>) -> Stored<Vec<Job>> {
        self.read(move |connection| jobs::list(connection, limit))
            .await
    }

    /// Returns reminders that were shown late since an instant, latest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn missed_reminders(&self, since: Timestamp) -> Stored<Vec<Job>> {
        self.read(move |connection| jobs::missed_reminders(connection, since))
            .await
    }

    /// Stops a job at the person's request. Returns the job as it is now, or a message saying what to do instead;
    /// `None` if there is no such job.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn stop_job(&self, id: &JobId) -> Stored<Option<std::result::Result<Job, String>>> {
        let id = id.clone();
        self.write("stop_job", move |tx| {
            let Some(job) = jobs::get(tx, &id)? else {
                return Ok(None);
            };
            let stopped = job.stopped();
            if let Ok(job) = &stopped {
                jobs::put(tx, job)?;
            }
            Ok(Some(stopped))
        })
        .await
    }
}
