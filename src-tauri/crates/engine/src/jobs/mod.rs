//! Runs the jobs that are due: one pass at a time, a bounded number a pass, each under a lease.

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

/// Jobs run in one pass; who waits to be told, and who wants to stop, waits for no more than these.
pub const JOBS_PER_PASS_MAX: usize = 200;
/// How soon it is tried again where storage gave or took nothing.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_secs(30);

/// What happened because its time had come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueReport {
    /// What is told, in the order in which it happened.
    pub news: Vec<News>,
    /// What could not be done, in words.
    pub problems: Vec<UserFault>,
}

/// Something to tell.
#[expect(
    clippy::large_enum_variant,
    reason = "a few at a time, each moved once"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A reminder to show. Each is told once, ever.
    Reminder(Reminder),
    /// Anything else, as a sentence.
    Line(String),
}

/// One reminder.
#[derive(Clone, Debug, PartialEq)]
pub struct Reminder {
    /// The task.
    pub task: Task,
    /// When it was to be shown.
    pub at: Timestamp,
    /// Its time passed while Adjutant was not there to show it.
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
    /// Does all that is due now. A job that fails is reported and does not hold up the others. While a pass is at work, a
    /// second call has nothing to do.
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

    /// The earliest instant at which something becomes due.
    ///
    /// # Errors
    /// When storage cannot be read.
    pub async fn next_due(&self) -> Result<Option<Timestamp>, StoreFault> {
        self.core.parts.jobs.next_at().await
    }

    /// Does what is due, then sleeps until the next thing is, until `stop`. Wakes up when something changes. With a
    /// clock that stands still it only wakes up for changes. What stays wrong is told once.
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

    /// Does the work of a job now, in this process. After a kill its kind says what becomes of it.
    ///
    /// # Errors
    /// When it is done already, is stopped meanwhile, or storage does not take it.
    pub async fn work_on<T, F: Future<Output = (Ended, T)>>(
        &self,
        job: Job,
        work: impl FnOnce(Reporter) -> F,
    ) -> Result<T, NotDone> {
        self.core.work_on(job, work).await
    }

    /// Who goes on with unfinished jobs of a kind, in a process that stays.
    pub fn set_worker(&self, kind: JobKind, worker: Arc<dyn Worker>) {
        self.core.set_worker(kind, worker);
    }

    /// The person stopped a job: whoever works on one looks whether it is theirs.
    pub fn job_stopped(&self) {
        self.core.job_stopped.notify_waiters();
    }

    /// When to look next, unless something changes before; `None` where nothing is due later.
    async fn next_look(&self) -> Option<Timestamp> {
        let now = self.core.parts.clock.now().timestamp();
        let soon = now.saturating_add(AGAIN_AFTER).unwrap_or(Timestamp::MAX);
        match self.next_due().await {
            // What is due already could not be claimed, and what storage did not take is owed.
            Ok(Some(at)) if at <= now => Some(soon),
            Ok(next) if self.recovery_pending() => Some(next.map_or(soon, |at| at.min(soon))),
            Ok(next) => next,
            Err(fault) => {
                tracing::warn!(%fault, "when the next job is due could not be read; it is looked for again soon");
                Some(soon)
            }
        }
    }

    /// One pass over what is due. What takes long is begun only where the process `stays`.
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
        // Reminders last: a kill between storing that one was shown and showing it would lose it.
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

/// What a kind works with.
struct Work<'a> {
    engine: &'a Engine,
    now: Timestamp,
    report: &'a mut DueReport,
}

impl Work<'_> {
    /// Stores that jobs are done; gives those that were still ours.
    async fn done(&self, ids: Vec<JobId>) -> Result<Vec<Job>, StoreFault> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ended: Vec<_> = ids.into_iter().map(|id| (id, Ended::Done)).collect();
        self.settle(&ended).await
    }

    /// Stores that a job did not work, and tells it unless the same was told after the attempt before.
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
        let why = job.why.as_deref().unwrap_or("it never ended.");
        return UserFault::new(
            "job_failed",
            format!("“{}” did not work: {why}", job.title),
            "It is tried again at its next time.",
        );
    }
    UserFault::new(
        "job_failed",
        format!(
            "“{}” was given up after {} attempts: {}",
            job.title,
            job.attempts,
            job.why.as_deref().unwrap_or("it never ended.")
        ),
        "Look at it in Jobs (`adjutant show jobs`).",
    )
}

/// What one pass came to.
struct Pass {
    /// What the jobs came to.
    report: DueReport,
    /// Whether storage gave and took the jobs.
    stored: Result<(), UserFault>,
    /// Whether what storage had not taken before is in order; `None` when that could not be tried.
    recovery: Option<Result<(), UserFault>>,
    /// Told once.
    untold: Vec<UserFault>,
    /// More may be due.
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
