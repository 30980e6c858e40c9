//! State transitions of a job. Pure: storage applies these functions inside a transaction.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{CatchUp, Job, JobState, Progress, RETRY_MAX, RETRY_MIN, is_late};

/// How long after its time a job counts as late: Adjutant was not running, or the machine slept.
pub const LATE_AFTER: SignedDuration = SignedDuration::from_secs(2 * 60);

/// Reason noted for a missed job.
const MISSED: &str = "Its time passed while Adjutant was not running.";

/// Duration of a lease unless it is renewed. Longer work renews it every third of this time.
pub const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// The right to work on a job for a limited time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Holder's name, unique to a process and never reused.
    pub holder: String,
    /// When it ends.
    pub until: Timestamp,
}

/// A request for due jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Name of the claiming process.
    pub holder: String,
    /// Current time.
    pub now: Timestamp,
    /// The person's time zone.
    pub zone: TimeZone,
    /// Maximum number of jobs to lease at once.
    pub limit: usize,
    /// Whether the claiming process stays, so that long work may begin.
    pub stays: bool,
}

/// Result of claiming one job.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// The job is leased and may run.
    Leased(Job),
    /// The job was missed and its kind skips missed runs.
    Skipped(Job),
    /// The job was started too often without completing.
    GivenUp(Job),
}

impl Given {
    /// Returns the job as it is to be stored.
    #[must_use]
    pub fn job(&self) -> &Job {
        match self {
            Self::Leased(job) | Self::Skipped(job) | Self::GivenUp(job) => job,
        }
    }
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The work is done.
    Done,
    /// The work cannot continue before the person acts.
    Paused {
        /// What prevents it, as a sentence.
        why: String,
    },
    /// The attempt failed and another follows.
    Again {
        /// When to try again.
        at: Timestamp,
        /// Why it failed, as a sentence.
        why: String,
    },
}

impl Job {
    /// Returns whether the job can be claimed: its time has come, or its lease has run out.
    ///
    /// If the clock was set back, a lease still counts until its own instant, so that nothing runs twice. A process
    /// that takes over the profile breaks the leases of its predecessor.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        match (self.state, &self.lease) {
            (JobState::Waiting, _) => self.run_at <= now,
            (JobState::Running, Some(lease)) => lease.until <= now,
            (JobState::Running, None) => true,
            _ => false,
        }
    }

    /// Returns whether somebody works on the job at `now`.
    #[must_use]
    pub fn is_leased(&self, now: Timestamp) -> bool {
        self.state == JobState::Running && !self.is_due(now)
    }

    /// Tries to lease the job to a claimer. Call it only if [`Self::is_due`].
    #[must_use]
    pub fn claimed(mut self, claim: &Claim) -> Given {
        let rules = self.kind.rules();
        self.late = self.late || is_late(self.due, claim.now);
        self.lease = None;
        let missed = self.late && self.attempts == 0;
        let was_cut_off = self.attempts > 0 && self.why.is_none();
        if rules.catch_up == CatchUp::Skip && (missed || was_cut_off) {
            self.state = JobState::Skipped;
            let why = if missed { MISSED } else { "It was cut off." };
            self.why = Some(why.to_owned());
            return Given::Skipped(self.again(claim));
        }
        if self.attempts >= rules.attempts_max {
            self.state = JobState::Failed;
            self.why.get_or_insert_with(|| {
                format!("It was started {} times and never finished.", self.attempts)
            });
            return Given::GivenUp(self.again(claim));
        }
        self.state = JobState::Running;
        self.attempts += 1;
        self.lease = Some(Lease {
            holder: claim.holder.clone(),
            until: claim.now.saturating_add(LEASE).unwrap_or(Timestamp::MAX),
        });
        Given::Leased(self)
    }

    /// Starts this job right away in place of the stored one of the same name (`there`), adopting its progress. Returns
    /// `None` while somebody works on that one.
    #[must_use]
    pub fn begun(mut self, there: Option<&Self>, claim: &Claim) -> Option<Self> {
        if there.is_some_and(|job| job.state == JobState::Running && !job.is_due(claim.now)) {
            return None;
        }
        self.progress = there.and_then(|job| job.progress).or(self.progress);
        match self.claimed(claim) {
            Given::Leased(job) => Some(job),
            Given::Skipped(_) | Given::GivenUp(_) => None,
        }
    }

    /// Renews the lease of `holder` and records progress. Returns `None` if `holder` no longer has the job because the
    /// person stopped it or somebody else has the lease.
    #[must_use]
    pub fn renewed(
        mut self,
        holder: &str,
        now: Timestamp,
        progress: Option<Progress>,
    ) -> Option<Self> {
        if !self.is_held_by(holder) {
            return None;
        }
        self.lease = Some(Lease {
            holder: holder.to_owned(),
            until: now.saturating_add(LEASE).unwrap_or(Timestamp::MAX),
        });
        // Never give up a job that makes progress, however often it is cut off.
        if progress.is_some_and(|now| self.progress.is_none_or(|then| now.done > then.done)) {
            self.attempts = 1;
        }
        self.progress = progress.or(self.progress);
        Some(self)
    }

    fn is_held_by(&self, holder: &str) -> bool {
        self.state == JobState::Running
            && self
                .lease
                .as_ref()
                .is_some_and(|lease| lease.holder == holder)
    }

    /// Records how an attempt of [`Claim::holder`] ended. Returns `None` if that holder no longer has the job because
    /// somebody else has the lease or the job's subject changed.
    #[must_use]
    pub fn ended(mut self, claim: &Claim, ended: &Ended) -> Option<Self> {
        if !self.is_held_by(&claim.holder) {
            return None;
        }
        self.lease = None;
        match ended {
            Ended::Done => {
                self.state = JobState::Done;
                self.why = (self.late && self.schedule.is_some())
                    .then(|| format!("{MISSED} It was done afterwards."));
            }
            Ended::Paused { why } => {
                self.state = JobState::Paused;
                self.why = Some(why.clone());
            }
            Ended::Again { at, why } => {
                self.state = if self.attempts >= self.kind.rules().attempts_max {
                    JobState::Failed
                } else {
                    JobState::Waiting
                };
                self.run_at = *at;
                self.why = Some(why.clone());
            }
        }
        Some(self.again(claim))
    }

    /// Plans the next run of a repeated job that is over, keeping the reason why the last one failed. A job the person
    /// stopped stays stopped.
    fn again(self, claim: &Claim) -> Self {
        let schedule = match (&self.schedule, self.state) {
            (Some(schedule), JobState::Done | JobState::Skipped | JobState::Failed) => schedule,
            _ => return self,
        };
        let catch_up = self.kind.rules().catch_up;
        let due = schedule.next(self.due, claim.now, catch_up, &claim.zone);
        Self {
            state: JobState::Waiting,
            due,
            run_at: due,
            lease: None,
            attempts: 0,
            late: false,
            progress: None,
            ..self
        }
    }

    /// Returns the job to the queue after its holder is known to be gone. The attempt counts.
    #[must_use]
    pub fn released(mut self) -> Self {
        if self.state == JobState::Running {
            self.state = JobState::Waiting;
            self.lease = None;
        }
        self
    }

    /// Moves the next attempt of a job that waits after a failed one to `now`. Returns `None` if it does not wait so.
    #[must_use]
    pub fn hurried(mut self, now: Timestamp) -> Option<Self> {
        let waits = self.state == JobState::Waiting && self.attempts > 0 && self.run_at > now;
        self.run_at = now;
        waits.then_some(self)
    }

    /// Stops the job on the person's behalf.
    ///
    /// # Errors
    /// Returns what to do instead if the job is over or its kind cannot be stopped.
    pub fn stopped(mut self) -> Result<Self, String> {
        if self.state.is_over() {
            return Err("It is already over.".to_owned());
        }
        self.kind.rules().stoppable.map_err(str::to_owned)?;
        self.state = JobState::Stopped;
        self.lease = None;
        Ok(self)
    }

    /// Returns when the job can next be claimed: its time or the end of its lease; `None` if it is paused or over.
    #[must_use]
    pub fn next_at(&self) -> Option<Timestamp> {
        match (self.state, &self.lease) {
            (JobState::Running, Some(lease)) => Some(lease.until),
            (JobState::Waiting | JobState::Running, _) => Some(self.run_at),
            _ => None,
        }
    }
}

/// Returns when to try again after a failed attempt: after 30 seconds, then twice as long each time, up to an hour.
#[must_use]
pub fn retry_at(attempts: u32, now: Timestamp) -> Timestamp {
    let doubled = 1_i32
        .checked_shl(attempts.saturating_sub(1))
        .filter(|by| *by > 0);
    let wait = doubled.map_or(RETRY_MAX, |by| RETRY_MIN.saturating_mul(by));
    now.saturating_add(wait.min(RETRY_MAX))
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::JobKind;
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_768_212_000 + seconds).unwrap_or_default()
    }

    fn claim(holder: &str, now: i64) -> Claim {
        Claim {
            holder: holder.to_owned(),
            now: at(now),
            zone: TimeZone::UTC,
            limit: 1,
            stays: true,
        }
    }

    fn job() -> Job {
        Job::planned(JobKind::Reminder, "task_1", None, "Milk", at(0))
    }

    fn leased(given: Given) -> Job {
        match given {
            Given::Leased(job) => job,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_job_runs_once_whatever_the_clock_does() {
        assert!(!job().is_due(at(-1)));
        assert!(job().is_due(at(0)));
        let running = leased(job().claimed(&claim("a", 0)));
        assert!(!running.is_due(at(59)), "leased");
        assert!(!running.is_due(at(-3_600)), "the clock was set back");
        let done = running.ended(&claim("a", 0), &Ended::Done);
        let done = done.expect("its own");
        for now in [-3_600, 0, 3_600] {
            assert!(!done.is_due(at(now)));
        }
    }

    #[test]
    fn a_lease_that_ran_out_goes_to_another_and_the_first_cannot_end_it() {
        let first = leased(job().claimed(&claim("a", 0)));
        assert!(first.is_due(at(60)));
        let second = leased(first.claimed(&claim("b", 60)));
        assert_eq!(second.attempts, 2);
        assert_eq!(second.clone().ended(&claim("a", 61), &Ended::Done), None);
        assert!(second.ended(&claim("b", 61), &Ended::Done).is_some());
    }

    #[test]
    fn attempts_are_bounded_and_wait_longer_each_time() {
        let mut job = job();
        let mut waits = Vec::new();
        loop {
            let now = job.run_at;
            job = match job.claimed(&Claim {
                now,
                ..claim("a", 0)
            }) {
                Given::Leased(job) => job,
                other => panic!("{other:?}"),
            };
            let again = retry_at(job.attempts, now);
            waits.push(again.duration_since(now).as_secs());
            let why = "The disk is full.".to_owned();
            let ended = job.ended(&claim("a", 0), &Ended::Again { at: again, why });
            job = ended.expect("its own");
            if job.state.is_over() {
                break;
            }
        }
        assert_eq!(job.state, JobState::Failed);
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
        assert_eq!(retry_at(u32::MAX, at(0)), at(3_600));
    }

    #[test]
    fn one_whose_process_dies_each_time_is_given_up() {
        let mut job = job();
        for _ in 0..10 {
            job = leased(job.claimed(&claim("a", 0))).released();
            assert!(job.is_due(at(0)));
        }
        assert!(matches!(job.claimed(&claim("a", 0)), Given::GivenUp(_)));
    }

    #[test]
    fn what_was_missed_is_late() {
        assert!(!leased(job().claimed(&claim("a", 120))).late);
        assert!(leased(job().claimed(&claim("a", 121))).late);
    }

    #[test]
    fn what_may_be_skipped_is_not_made_up_for() {
        let compare = Job::compare(None, crate::model::Stage::Plan, at(0));
        let missed = compare.clone().claimed(&claim("a", 121));
        assert!(matches!(missed, Given::Skipped(_)), "{missed:?}");
        let cut_off = leased(compare.claimed(&claim("a", 0))).released();
        let again = cut_off.claimed(&claim("b", 1));
        assert!(matches!(again, Given::Skipped(_)), "{again:?}");
        assert!(again.job().state.is_over());
    }

    #[test]
    fn what_is_done_again_and_again_waits_for_its_next_time() {
        let [tidy, check] = Job::of_storage(at(0), &TimeZone::UTC);
        let six_hours = 6 * 3_600;
        assert_eq!(tidy.due, at(six_hours));
        let running = leased(tidy.clone().claimed(&claim("a", six_hours)));
        let done = running.ended(&claim("a", six_hours + 5), &Ended::Done);
        let next = done.expect("its own");
        assert_eq!(
            (next.state, next.due),
            (JobState::Waiting, at(2 * six_hours))
        );
        assert_eq!((next.attempts, next.why.clone()), (0, None));
        // The machine slept for a day: it is made up for once, and says so.
        let asleep = 24 * 3_600 + 100;
        let late = leased(next.claimed(&claim("a", asleep)));
        assert!(late.late);
        let done = late.ended(&claim("a", asleep + 5), &Ended::Done);
        let next = done.expect("its own");
        assert_eq!(next.due, at(30 * 3_600));
        assert!(next.why.is_some_and(|why| why.contains("done afterwards")));
        // One that is not made up for waits for its next time as well.
        let missed = check.clone().claimed(&claim("a", asleep));
        assert!(matches!(missed, Given::Skipped(_)), "{missed:?}");
        let job = missed.job();
        assert_eq!(job.state, JobState::Waiting);
        assert!(job.due > at(asleep), "{job:?}");
        assert!(job.why.as_deref().is_some_and(|why| why.contains("passed")));
        // What the person stopped is not begun again.
        let stopped = check.stopped().expect("stoppable");
        assert_eq!(stopped.next_at(), None);
        assert!(tidy.stopped().is_err());
    }

    #[test]
    fn what_fails_each_time_is_tried_again_at_its_next_time() {
        let [_, check] = Job::of_storage(at(0), &TimeZone::UTC);
        let mut job = check;
        for _ in 0..2 {
            let now = job.run_at;
            let claim = Claim {
                now,
                ..claim("a", 0)
            };
            let why = "The disk is full.".to_owned();
            let again = Ended::Again { at: now, why };
            job = leased(job.claimed(&claim))
                .ended(&claim, &again)
                .expect("its own");
        }
        assert_eq!(job.state, JobState::Waiting, "the next day");
        assert_eq!(
            (job.attempts, job.why.as_deref()),
            (0, Some("The disk is full."))
        );
        assert!(job.due >= at(24 * 3_600 - 12 * 3_600));
    }

    #[test]
    fn work_that_takes_long_renews_its_lease_until_it_is_stopped() {
        let fetch = Job::fetch_model("a.gguf", 100, serde_json::Value::Null, at(0));
        let running = leased(fetch.claimed(&claim("a", 0)));
        let half = Progress {
            done: 50,
            total: 100,
        };
        let on = running.renewed("a", at(50), Some(half)).expect("its own");
        assert!(!on.is_due(at(100)), "renewed");
        assert_eq!(on.progress, Some(half));
        assert_eq!(on.clone().renewed("b", at(51), None), None);
        // A process that is killed leaves it to the next one, which goes on.
        let next = leased(on.clone().released().claimed(&claim("b", 52)));
        assert_eq!(next.progress, Some(half));
        let stopped = on.stopped().expect("stoppable");
        assert_eq!(stopped.renewed("a", at(53), None), None);
    }

    #[test]
    fn the_person_stops_what_may_be_stopped() {
        let stopped = job().stopped().expect("a reminder may be stopped");
        assert!(!stopped.is_due(at(3_600)));
        assert!(stopped.stopped().is_err(), "over");
        let mut hold = job();
        hold.kind = JobKind::Send;
        let instead = hold
            .stopped()
            .expect_err("a mail is taken back in the outbox");
        assert!(instead.contains("to-draft"), "{instead}");
    }
}
