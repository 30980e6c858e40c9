//! Jobs: work that becomes due at a time, or takes longer than a step of a turn may.
//!
//! Each kind of job has one file here, which says what is planned for a record and by which [`Rules`], and one file
//! elsewhere that performs it. [`Job`] decides all state transitions; storage only keeps the results, so that leases
//! mean the same in every store.

mod compare;
mod documents;
mod expire;
mod fetch_model;
mod reminder;
mod research;
mod schedule;
mod send;
mod state;
mod storage;
mod sync;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gate::PendingAction;
use crate::ids::JobId;
use crate::record::{Kind, Record};

pub use schedule::{ROUNDS_MADE_UP_MAX, Schedule};
pub use state::{Claim, Ended, Given, LATE_AFTER, LEASE, Lease, retry_at};
pub use sync::{FRESH_FOR, sync_retry_at};

/// Kind of job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Shows the reminder of a task.
    Reminder,
    /// Carries out an approved action that waits for its hold to end or for a connection.
    Send,
    /// Expires an action that nobody answered in time.
    Expire,
    /// Asks a candidate model the same as the live one.
    Compare,
    /// Downloads a model file.
    FetchModel,
    /// Tidies storage.
    Tidy,
    /// Checks storage for damage.
    Check,
    /// Reads an account.
    Sync,
    /// Researches a question.
    Research,
    /// Reads documents in opened folders, so that they can be searched.
    Documents,
}

/// What happens to jobs that became due while nothing ran: the machine slept, or Adjutant was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatchUp {
    /// All missed runs are made up for by a single one and reported in one line.
    Once,
    /// Missed runs are skipped, and reported as skipped.
    Skip,
    /// Each missed run is made up for and reported on its own.
    Each,
}

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waits to run at [`Job::run_at`].
    Waiting,
    /// Running under a lease.
    Running,
    /// Waits for the person; see [`Job::why`].
    Paused,
    /// Completed.
    Done,
    /// Missed, and not made up for.
    Skipped,
    /// Given up after [`Rules::attempts_max`] attempts.
    Failed,
    /// Stopped by the person.
    Stopped,
}

impl JobState {
    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    /// Returns whether the job will not run again unless the person starts it.
    #[must_use]
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running | Self::Paused)
    }
}

/// A job as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Identifier. The same work planned twice gets the same one, so it is done once.
    pub id: JobId,
    /// Kind of job.
    pub kind: JobKind,
    /// Subject: a record, an action, an account or the like.
    pub subject: String,
    /// Name of the job for the person.
    pub title: String,
    /// Its state.
    pub state: JobState,
    /// Instant it was planned for.
    pub due: Timestamp,
    /// When it runs next: `due`, or later after a failed attempt.
    pub run_at: Timestamp,
    /// Current lease, while it runs.
    pub lease: Option<Lease>,
    /// Number of attempts started.
    pub attempts: u32,
    /// Whether its time passed while nothing ran.
    pub late: bool,
    /// Why it was paused, failed or skipped, as a sentence.
    pub why: Option<String>,
    /// When it is due again after it ends; `None` for a job that runs once.
    pub schedule: Option<Schedule>,
    /// Progress of its work, if known.
    pub progress: Option<Progress>,
    /// Maximum it may use, in the unit of its progress.
    pub budget: Option<u64>,
    /// Data its kind needs besides the subject.
    pub data: Value,
}

/// Progress of a job, in its own unit: bytes of a file, rows of an account, credits of a research run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Amount done.
    pub done: u64,
    /// Total amount.
    pub total: u64,
}

/// Rules for a kind of job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What happens to missed runs.
    pub catch_up: CatchUp,
    /// Number of attempts after which the job is given up.
    pub attempts_max: u32,
    /// Whether the person may stop it; `Err` says what to do instead.
    pub stoppable: Result<(), &'static str>,
    /// Whether storage keeps it after it is done.
    pub is_kept: bool,
    /// Whether it may take longer than one pass over the due jobs. It then runs alongside, in a process that stays.
    pub takes_long: bool,
}

impl JobKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Reminder,
        Self::Send,
        Self::Expire,
        Self::Compare,
        Self::FetchModel,
        Self::Tidy,
        Self::Check,
        Self::Sync,
        Self::Research,
        Self::Documents,
    ];

    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reminder => "reminder",
            Self::Send => "send",
            Self::Expire => "expire",
            Self::Compare => "compare",
            Self::FetchModel => "fetch_model",
            Self::Tidy => "tidy",
            Self::Check => "check",
            Self::Sync => "sync",
            Self::Research => "research",
            Self::Documents => "documents",
        }
    }

    /// Returns its rules.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Reminder => reminder::RULES,
            Self::Send => send::RULES,
            Self::Expire => expire::RULES,
            Self::Compare => compare::RULES,
            Self::FetchModel => fetch_model::RULES,
            Self::Tidy => storage::TIDY,
            Self::Check => storage::CHECK,
            Self::Sync => sync::RULES,
            Self::Research => research::RULES,
            Self::Documents => documents::RULES,
        }
    }
}

impl Job {
    /// Creates a job that waits for its time. `key` distinguishes it from other jobs of the same kind and subject.
    fn planned(
        kind: JobKind,
        subject: &str,
        key: Option<Timestamp>,
        title: &str,
        due: Timestamp,
    ) -> Self {
        let key = key.map_or_else(String::new, |at| format!(":{}", at.as_microsecond()));
        Self {
            id: JobId(format!("{}:{subject}{key}", kind.as_str())),
            kind,
            subject: subject.to_owned(),
            title: title.to_owned(),
            state: JobState::Waiting,
            due,
            run_at: due,
            lease: None,
            attempts: 0,
            late: false,
            why: None,
            schedule: None,
            progress: None,
            budget: None,
            data: Value::Null,
        }
    }
}

/// What is planned for a subject: at most one job that is not over.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The kind.
    pub kind: JobKind,
    /// The subject.
    pub subject: String,
    /// The job, or `None` if nothing is planned any more.
    pub job: Option<Job>,
}

/// Changes storage makes so that its jobs match the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replan {
    /// Jobs to remove.
    pub gone: Vec<JobId>,
    /// Jobs to write.
    pub put: Vec<Job>,
}

impl Planned {
    /// Returns the changes that turn the stored jobs of this kind and subject into what is planned. A job that ran, or
    /// that the person stopped, stays as it is: editing its record must not repeat the work.
    #[must_use]
    pub fn replan(&self, there: Vec<Job>) -> Replan {
        let mut replan = Replan::default();
        let mut known = false;
        for mut job in there {
            let same = self.job.as_ref().is_some_and(|new| new.id == job.id);
            known |= same;
            match (&self.job, job.state) {
                (Some(new), JobState::Waiting | JobState::Paused)
                    if same && new.title != job.title =>
                {
                    job.title.clone_from(&new.title);
                    replan.put.push(job);
                }
                (None, JobState::Running) => {
                    // Its work is done, by an effect stored in this same transaction: the job's own or the person's.
                    job.state = JobState::Done;
                    job.lease = None;
                    replan.put.push(job);
                }
                (_, state) if !same && !state.is_over() => replan.gone.push(job.id),
                _ => {}
            }
        }
        replan
            .put
            .extend(self.job.iter().filter(|_| !known).cloned());
        replan
    }
}

/// Returns what is planned for a record in its current state, or `None` for kinds that plan nothing. For a deleted
/// record, see [`nothing_planned`].
#[must_use]
pub fn planned_for(record: &Record) -> Option<Planned> {
    match record {
        Record::Task(task) => Some(Planned {
            kind: JobKind::Reminder,
            subject: record.id().0.clone(),
            job: reminder::planned(task),
        }),
        _ => None,
    }
}

/// Returns an empty plan for a deleted record, or `None` for kinds that plan nothing.
#[must_use]
pub fn nothing_planned(kind: Kind, id: &str) -> Option<Planned> {
    (kind == Kind::Task).then(|| Planned {
        kind: JobKind::Reminder,
        subject: id.to_owned(),
        job: None,
    })
}

/// Returns what is planned for an action in its current state.
#[must_use]
pub fn planned_for_action(action: &PendingAction) -> [Planned; 2] {
    let of = |kind, job| Planned {
        kind,
        subject: action.id.0.clone(),
        job,
    };
    [
        of(JobKind::Expire, expire::planned(action)),
        of(JobKind::Send, send::planned(action)),
    ]
}

/// Returns whether `due` passed so long ago that nothing was running then.
fn is_late(due: Timestamp, now: Timestamp) -> bool {
    now.duration_since(due) > LATE_AFTER
}

/// Shortest wait between two attempts. It doubles with each attempt, up to [`RETRY_MAX`].
const RETRY_MIN: SignedDuration = SignedDuration::from_secs(30);
/// Longest wait between two attempts.
const RETRY_MAX: SignedDuration = SignedDuration::from_hours(1);

#[cfg(test)]
mod tests {
    use super::*;

    fn reminder(key: i64, title: &str) -> Job {
        let at = Timestamp::from_second(key).unwrap_or_default();
        Job::planned(JobKind::Reminder, "task_1", Some(at), title, at)
    }

    fn planned(job: Option<Job>) -> Planned {
        Planned {
            kind: JobKind::Reminder,
            subject: "task_1".to_owned(),
            job,
        }
    }

    #[test]
    fn moving_a_reminder_makes_a_new_one_and_moving_it_back_does_not() {
        let (first, second) = (reminder(1, "Milk"), reminder(2, "Milk"));
        let added = planned(Some(first.clone())).replan(Vec::new());
        assert_eq!(added.put, std::slice::from_ref(&first));
        let moved = planned(Some(second.clone())).replan(vec![first.clone()]);
        let expected = Replan {
            gone: vec![first.id.clone()],
            put: vec![second.clone()],
        };
        assert_eq!(moved, expected);
        let shown = Job {
            state: JobState::Done,
            ..first.clone()
        };
        let back = planned(Some(first)).replan(vec![shown, second.clone()]);
        assert_eq!((back.gone, back.put), (vec![second.id], Vec::new()));
    }

    #[test]
    fn what_happened_meanwhile_ends_a_running_job_and_removes_a_waiting_one() {
        let waiting = reminder(1, "Milk");
        let running = Job {
            state: JobState::Running,
            ..reminder(2, "Milk")
        };
        let replan = planned(None).replan(vec![waiting.clone(), running.clone()]);
        assert_eq!(replan.gone, [waiting.id]);
        assert_eq!(replan.put[0].id, running.id);
        assert_eq!(replan.put[0].state, JobState::Done);
    }

    #[test]
    fn a_new_title_reaches_the_job_that_waits() {
        let old = reminder(1, "Milk");
        let new = planned(Some(reminder(1, "Oat milk")));
        assert_eq!(new.replan(vec![old.clone()]).put[0].title, "Oat milk");
        assert_eq!(
            planned(Some(old.clone())).replan(vec![old]),
            Replan::default()
        );
    }
}
