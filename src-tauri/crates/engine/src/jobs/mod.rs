//! Runs due jobs: one pass at a time, a bounded number per pass, each under a lease.

mod expire;
mod reminder;
mod send;
mod tidy;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::JobId;
use adjutant_domain::job::{Ended, Given, Job, JobKind, JobState, retry_at};
use adjutant_domain::record::Task;
use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::core::{NotDone, Reporter, Worker};
use crate::engine::Engine;

/// Maximum number of jobs per pass. News and a request to stop wait for no more than these.
pub const JOBS_PER_PASS_MAX: usize = 200;
/// Delay before retrying after storage could not be read or written.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_secs(30);

/// The result of running due jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueReport {
    /// News for the person, in the order in which it happened.
    pub news: Vec<News>,
    /// What could not be done.
    pub problems: Vec<UserFault>,
}

/// A news item for the person.
#[expect(
    clippy::large_enum_variant,
    reason = "a few at a time, each moved once"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A reminder to show. Each is reported exactly once.
    Reminder(Reminder),
    /// Any other news, as a sentence.
    Line(String),
}

/// A reminder that is due.
#[derive(Clone, Debug, PartialEq)]
pub struct Reminder {
    /// The task to remind of.
    pub task: Task,
    /// When the reminder was due.
    pub at: Timestamp,
    /// Whether its time passed while Adjutant was not running.
    pub missed: bool,
}

impl DueReport {
    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn line(&mut self, line: String) {
        self.news.push(News::Line(line));
    }
}

impl Engine {
    /// Runs everything that is due now. A failing job is reported and does not hold up the others. Does nothing while
    /// another pass is running.
    pub async fn run_due(&self) -> DueReport {
        let mut all = DueReport::default();
        loop {
            let pass = self.pass(false).await;
            let problems = pass.recovery.and_then(Result::err).into_iter();
            let problems = problems.chain(pass.stored.err()).chain(pass.untold);
            all.problems.extend(problems.chain(pass.report.problems));
            all.news.extend(pass.report.news);
            if !pass.is_full {
                return all;
            }
        }
    }

    /// Returns the earliest time at which something becomes due, or `None` if nothing does.
    ///
    /// # Errors
    /// Returns a fault if storage cannot be read.
    pub async fn next_due(&self) -> Result<Option<Timestamp>, StoreFault> {
        self.core.parts.jobs.next_at().await
    }

    /// Runs what is due, then sleeps until the next due time or change, until `stop` is cancelled. With a fixed clock
    /// it wakes up only for changes. A problem that persists is reported once.
    pub async fn watch_due(&self, stop: CancellationToken, mut tell: impl FnMut(DueReport) + Send) {
        let (mut known_stored, mut known_recovery) = (Ok(()), Ok(()));
        loop {
            let Pass {
                mut report,
                stored,
                recovery,
                untold,
                is_full,
            } = self.pass(true).await;
            if stored != known_stored {
                report.problems.extend(stored.clone().err());
                known_stored = stored;
            }
            report.problems.extend(untold);
            if let Some(recovery) = recovery.filter(|recovery| *recovery != known_recovery) {
                report.problems.extend(recovery.clone().err());
                known_recovery = recovery;
            }
            if !report.is_empty() {
                tell(report);
            }
            if is_full {
                if stop.is_cancelled() {
                    return;
                }
                continue;
            }
            let next = self.next_look().await;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.core.changed.notified() => {}
                () = async {
                    match next {
                        Some(at) => self.core.parts.clock.until(at).await,
                        None => std::future::pending().await,
                    }
                } => {}
            }
        }
    }

    /// Runs a job in this process now. If the process is killed, the job's kind determines what happens to it.
    ///
    /// # Errors
    /// Returns [`NotDone::Busy`] if another worker has the job, [`NotDone::Stopped`] if it is stopped, and
    /// [`NotDone::NotStored`] if storage refuses a change to it.
    pub async fn work_on<T, F: Future<Output = (Ended, T)>>(
        &self,
        job: Job,
        work: impl FnOnce(Reporter) -> F,
    ) -> Result<T, NotDone> {
        self.core.work_on(job, work).await
    }

    /// Waits until nobody works on a job.
    ///
    /// # Errors
    /// Returns a fault if storage cannot be read.
    pub async fn until_left(&self, id: &JobId) -> Result<(), StoreFault> {
        self.core.until_left(id).await
    }

    /// Sets the worker that continues unfinished jobs of a kind; for processes that stay.
    pub fn set_worker(&self, kind: JobKind, worker: Arc<dyn Worker>) {
        self.core.set_worker(kind, worker);
    }

    /// Tells all workers that the person stopped a job; each checks whether it is its own.
    pub fn job_stopped(&self) {
        self.core.job_stopped.notify_waiters();
    }

    /// Returns when to look next unless something changes before. `None` if nothing will be due.
    async fn next_look(&self) -> Option<Timestamp> {
        let now = self.core.parts.clock.now().timestamp();
        let soon = now.saturating_add(AGAIN_AFTER).unwrap_or(Timestamp::MAX);
        match self.next_due().await {
            // Retry soon if a due job could not be claimed or storage still owes a change.
            Ok(Some(at)) if at <= now => Some(soon),
            Ok(next) if self.recovery_pending() => Some(next.map_or(soon, |at| at.min(soon))),
            Ok(next) => next,
            Err(fault) => {
                tracing::warn!(%fault, "when the next job is due could not be read; it is looked for again soon");
                Some(soon)
            }
        }
    }

    /// Makes one pass over due work. Starts long jobs only if the process `stays`.
    async fn pass(&self, stays: bool) -> Pass {
        let Ok(_turn) = self.core.due.try_acquire() else {
            return Pass::default();
        };
        let recovery = self.recover_pending().await;
        let claim = self.core.claim(JOBS_PER_PASS_MAX, stays);
        let mut pass = Pass {
            recovery,
            ..Pass::default()
        };
        let problems = &mut pass.report.problems;
        problems.extend(self.reconcile_due().await.err());
        match self.core.parts.jobs.claim(&claim).await {
            Ok(given) => {
                pass.is_full = given.len() >= claim.limit;
                self.run(given, claim.now, &mut pass).await;
            }
            Err(fault) => pass.stored = Err(UserFault::from(&fault)),
        }
        pass.untold = self.core.untold();
        pass
    }

    async fn run(&self, given: Vec<Given>, now: Timestamp, pass: &mut Pass) {
        let mut leased: BTreeMap<JobKind, Vec<Job>> = BTreeMap::new();
        for one in given {
            match one {
                Given::Leased(job) => leased.entry(job.kind).or_default().push(job),
                Given::Skipped(job) => pass.report.line(format!(
                    "“{}” was not done: {}",
                    job.title,
                    job.why.as_deref().unwrap_or_default()
                )),
                Given::GivenUp(job) => pass.report.problems.push(given_up(&job)),
            }
        }
        // Run reminders last: a kill between storing that one was shown and showing it would lose it.
        for (kind, jobs) in leased.into_iter().rev() {
            let work = Work {
                engine: self,
                now,
                report: &mut pass.report,
            };
            let done = match kind {
                JobKind::Reminder => reminder::run(work, jobs).await,
                JobKind::Send => send::run(work, jobs).await,
                JobKind::Expire => expire::run(work, jobs).await,
                JobKind::Tidy => tidy::run(work, jobs).await,
                JobKind::Compare
                | JobKind::FetchModel
                | JobKind::Check
                | JobKind::Sync
                | JobKind::Research
                | JobKind::Documents => {
                    jobs.into_iter().for_each(|job| self.core.go_on_beside(job));
                    Ok(())
                }
            };
            if let Err(fault) = done {
                pass.stored = Err(UserFault::from(&fault));
            }
        }
    }
}

/// What the runner of a job kind works with.
struct Work<'a> {
    engine: &'a Engine,
    now: Timestamp,
    report: &'a mut DueReport,
}

impl Work<'_> {
    /// Marks jobs as done. Returns those that this process still had leased.
    async fn done(&self, ids: Vec<JobId>) -> Result<Vec<Job>, StoreFault> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ended: Vec<_> = ids.into_iter().map(|id| (id, Ended::Done)).collect();
        self.settle(&ended).await
    }

    /// Stores that a job failed and when to retry it. Reports the fault unless the previous attempt failed the same
    /// way.
    async fn again(&mut self, job: &Job, fault: UserFault) -> Result<(), StoreFault> {
        let why = fault.what.clone();
        let is_news = job.why.as_ref() != Some(&why);
        let at = retry_at(job.attempts, self.now);
        let ended = (job.id.clone(), Ended::Again { at, why });
        let settled = self.settle(&[ended]).await;
        let gave_up = matches!(settled.as_deref(), Ok([job]) if job.state == JobState::Failed);
        if gave_up {
            self.report.problems.push(given_up(job));
        } else if is_news {
            self.report.problems.push(fault);
        }
        settled.map(drop)
    }

    async fn settle(&self, ended: &[(JobId, Ended)]) -> Result<Vec<Job>, StoreFault> {
        let core = &self.engine.core;
        core.parts.jobs.settle(&core.claim(1, true), ended).await
    }
}

fn given_up(job: &Job) -> UserFault {
    if job.schedule.is_some() {
        let why = job.why.as_deref().unwrap_or("it never finished.");
        return UserFault::new(
            "job_failed",
            format!("“{}” did not work: {why}", job.title),
            "Adjutant tries again at its next time.",
        );
    }
    UserFault::new(
        "job_failed",
        format!(
            "Adjutant gave up on “{}” after {} attempts: {}",
            job.title,
            job.attempts,
            job.why.as_deref().unwrap_or("it never finished.")
        ),
        "See it in Jobs (`adjutant show jobs`).",
    )
}

/// The result of one pass.
struct Pass {
    /// Results of the jobs.
    report: DueReport,
    /// The fault if storage failed to hand out or update jobs.
    stored: Result<(), UserFault>,
    /// Result of retrying what storage had not accepted before. `None` if it could not be tried.
    recovery: Option<Result<(), UserFault>>,
    /// Problems to report once.
    untold: Vec<UserFault>,
    /// Whether more may be due.
    is_full: bool,
}

impl Default for Pass {
    fn default() -> Self {
        Self {
            report: DueReport::default(),
            stored: Ok(()),
            recovery: None,
            untold: Vec::new(),
            is_full: false,
        }
    }
}
