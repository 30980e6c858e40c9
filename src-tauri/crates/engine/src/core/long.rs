//! Jobs that take longer than a pass over due work. They run beside it, renew their lease, and end when the person
//! stops them.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::{AccountId, JobId};
use adjutant_domain::job::{Claim, Ended, Job, JobKind, Progress};
use adjutant_domain::ports::StopSignal as _;
use futures::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;

use super::{Core, Hurry};

/// Interval between lease renewals: a third of [`adjutant_domain::job::LEASE`], so one failed renewal does no harm.
const RENEWED_EVERY: Duration = Duration::from_secs(20);

/// Continues jobs of one kind that an earlier process left unfinished.
pub trait Worker: Send + Sync {
    /// Does the work. The future is dropped when the job is stopped.
    fn work(&self, job: Job, reporter: Reporter) -> BoxFuture<'static, Ended>;
}

/// Reports the progress of a job. Progress is stored at each lease renewal.
#[derive(Clone, Default)]
pub struct Reporter(Arc<Mutex<Option<Progress>>>);

impl Reporter {
    /// Sets the latest progress.
    pub fn at(&self, progress: Progress) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    fn latest(&self) -> Option<Progress> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a job was not carried to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum NotDone {
    /// Another worker has the job.
    Busy,
    /// The person stopped the job.
    Stopped,
    /// Storage refused a change to the job.
    NotStored(StoreFault),
}

impl From<StoreFault> for NotDone {
    fn from(fault: StoreFault) -> Self {
        Self::NotStored(fault)
    }
}

/// How long a repeating job pauses after the person stopped everything.
const RESTS: SignedDuration = SignedDuration::from_mins(15);

/// Returns how a job ends when the person stops everything: a scheduled job runs again later, any other waits for the
/// person.
fn set_aside(job: &Job, now: Timestamp) -> Ended {
    let why = "You stopped everything.".to_owned();
    match (job.schedule.is_some(), now.checked_add(RESTS)) {
        (true, Ok(at)) => Ended::Again { at, why },
        _ => Ended::Paused { why },
    }
}

/// Notifies when it is dropped: nobody here works on the job any more.
struct Left<'a>(&'a Notify);

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.0.notify_waiters();
    }
}

impl Core {
    pub(crate) fn claim(&self, limit: usize, stays: bool) -> Claim {
        let now = self.parts.clock.now();
        Claim {
            holder: self.holder().to_owned(),
            now: now.timestamp(),
            zone: now.time_zone().clone(),
            limit,
            stays,
        }
    }

    pub(crate) async fn work_on<T, F: Future<Output = (Ended, T)>>(
        &self,
        job: Job,
        work: impl FnOnce(Reporter) -> F,
    ) -> Result<T, NotDone> {
        let begun = self.parts.jobs.begin(&job, &self.claim(1, true)).await?;
        self.carry_on(begun.ok_or(NotDone::Busy)?, work).await
    }

    /// Runs a job that this process has leased, renewing the lease until it ends.
    async fn carry_on<T, F: Future<Output = (Ended, T)>>(
        &self,
        job: Job,
        work: impl FnOnce(Reporter) -> F,
    ) -> Result<T, NotDone> {
        let _left = Left(&self.job_left);
        let (jobs, reporter) = (&self.parts.jobs, Reporter::default());
        let mut work = pin!(work(reporter.clone()));
        let mut stopped = self.stopped.stopped();
        loop {
            tokio::select! {
                (ended, value) = &mut work => {
                    let claim = self.claim(1, true);
                    let is_read = job.kind == JobKind::Sync && ended == Ended::Done;
                    let own = jobs.settle(&claim, &[(job.id.clone(), ended)]).await?;
                    if is_read {
                        // It can be reached: what waits for that need not wait for its next attempt.
                        let account = AccountId(job.subject.clone());
                        self.hurry_waiting(Hurry::Read(&account)).await;
                    }
                    return if own.is_empty() { Err(NotDone::Stopped) } else { Ok(value) };
                }
                () = &mut stopped => {
                    let ended = set_aside(&job, self.parts.clock.now().timestamp());
                    jobs.settle(&self.claim(1, true), &[(job.id.clone(), ended)]).await?;
                    return Err(NotDone::Stopped);
                }
                () = tokio::time::sleep(RENEWED_EVERY) => {}
                () = self.job_stopped.notified() => {}
            }
            let claim = self.claim(1, true);
            match jobs.renew(&job.id, &claim, reporter.latest()).await {
                Ok(true) => {}
                Ok(false) => return Err(NotDone::Stopped),
                Err(fault) => {
                    tracing::warn!(%fault, id = %job.id, "the lease of a job was not renewed; it is tried again");
                }
            }
        }
    }

    /// Waits until nobody works on a job.
    pub(crate) async fn until_left(&self, id: &JobId) -> Result<(), StoreFault> {
        loop {
            let mut left = pin!(self.job_left.notified());
            // From here on, no notification is missed.
            left.as_mut().enable();
            let now = self.parts.clock.now().timestamp();
            if !self.parts.jobs.is_leased(id, now).await? {
                return Ok(());
            }
            tokio::select! {
                () = left => {}
                // A worker that panicked leaves a lease that nobody ends.
                () = tokio::time::sleep(RENEWED_EVERY) => {}
            }
        }
    }

    /// Runs the worker for a leased job, or pauses the job if its kind has no worker.
    pub(crate) async fn worked(&self, job: Job) -> Result<(), NotDone> {
        let worker = self.worker(job.kind);
        self.carry_on(job.clone(), |reporter| async move {
            let ended = match worker {
                Some(worker) => worker.work(job, reporter).await,
                None => Ended::Paused {
                    why: "Nothing here can continue it.".to_owned(),
                },
            };
            (ended, ())
        })
        .await
    }

    /// Continues a leased job in the background.
    pub(crate) fn go_on_beside(self: &Arc<Self>, job: Job) {
        let core = self.clone();
        self.in_background(async move {
            let id = job.id.clone();
            match core.worked(job).await {
                Ok(()) | Err(NotDone::Stopped | NotDone::Busy) => {}
                Err(NotDone::NotStored(fault)) => {
                    tracing::warn!(%fault, %id, "how a job ended was not stored");
                    core.tell_later(UserFault::from(&fault));
                }
            }
            core.changed.notify_one();
        });
    }
}
