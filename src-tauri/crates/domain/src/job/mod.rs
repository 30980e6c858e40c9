//! Jobs: everything that becomes due by itself, or takes longer than a step of a turn may.
//!
//! A kind of job is one file here, which says what is planned for a record and by which [`Rules`], and one file that
//! performs it. How a job moves from state to state is decided in [`Job`]; storage only keeps what these functions say,
//! so every store agrees on what a lease is worth.

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

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Shows the reminder of a task.
    Reminder,
    /// Carries out an approved action that waits: for the end of its hold, or for a connection.
    Send,
    /// Closes an action that nobody answered in time.
    Expire,
    /// Asks a candidate model beside the live one.
    Compare,
    /// Fetches a model file.
    FetchModel,
    /// Puts storage in order.
    Tidy,
    /// Looks storage over for damage.
    Check,
    /// Reads an account.
    Sync,
    /// Researches a question.
    Research,
    /// Reads documents in opened folders, so that they can be searched.
    Documents,
}

/// What happens to jobs whose time passed while nothing ran: the machine slept, or Adjutant was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatchUp {
    /// All that was missed is made up for together, and told in one line.
    Once,
    /// What was missed is not done any more, which is said.
    Skip,
    /// Each one that was missed is done and told by itself.
    Each,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Runs at [`Job::run_at`].
    Waiting,
    /// Somebody holds its lease.
    Running,
    /// Waits for the person, see [`Job::why`].
    Paused,
    /// Done.
    Done,
    /// Missed, and not done any more.
    Skipped,
    /// Given up after [`Rules::attempts_max`] attempts.
    Failed,
    /// Stopped by the person.
    Stopped,
}

impl JobState {
    /// The name in `show` and in storage.
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

    /// Whether nothing comes of it any more unless the person starts it again.
    #[must_use]
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running | Self::Paused)
    }
}

/// One job as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Identifier: the same work planned twice has the same one, so it is done once.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// What it is about: a record or an action.
    pub subject: String,
    /// What a person calls it.
    pub title: String,
    /// How far it is.
    pub state: JobState,
    /// The instant it was planned for.
    pub due: Timestamp,
    /// When it is tried next: `due`, or later after a failed attempt.
    pub run_at: Timestamp,
    /// Who works on it.
    pub lease: Option<Lease>,
    /// How often it was begun.
    pub attempts: u32,
    /// Its time passed while nothing ran.
    pub late: bool,
    /// Why it is paused, failed or skipped, as a sentence.
    pub why: Option<String>,
    /// When it is due again once it is over; nothing for what is done once.
    pub schedule: Option<Schedule>,
    /// How far its work is, where that can be told.
    pub progress: Option<Progress>,
    /// The most it may use, in the unit of its progress.
    pub budget: Option<u64>,
    /// What its kind needs besides the subject.
    pub data: Value,
}

/// How far a job's work is: bytes of a file, rows of an account, credits of a research.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Done.
    pub done: u64,
    /// All of it.
    pub total: u64,
}

/// What a kind of job allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What becomes of missed ones.
    pub catch_up: CatchUp,
    /// Attempts before it is given up.
    pub attempts_max: u32,
    /// Whether the person may stop it; `Err` says what to do instead.
    pub stoppable: Result<(), &'static str>,
    /// Whether it is kept once it is done.
    pub is_kept: bool,
    /// Whether it takes longer than a pass over what is due may: it runs beside, in a process that stays.
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

    /// The name in `show` and in storage.
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

    /// What it allows.
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
    /// A job that waits for its time. `key` tells it from other jobs of the same kind and subject.
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

/// What storage keeps planned for a subject: at most one job that is not over.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The kind.
    pub kind: JobKind,
    /// The subject.
    pub subject: String,
    /// The job; `None` where nothing is planned any more.
    pub job: Option<Job>,
}

/// What storage does so that it keeps what is planned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replan {
    /// Jobs that are not there any more.
    pub gone: Vec<JobId>,
    /// Jobs as they are to be stored.
    pub put: Vec<Job>,
}

impl Planned {
    /// How the jobs of this kind and subject that are `there` become what is planned. One that was run, or stopped by the
    /// person, stays as it is: the same work is not done again because its record was touched.
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
                    // What it was to do has happened: its own effect was stored in this transaction, or the person's.
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

/// What is planned for a record as it is now; `None` for kinds of records that plan nothing. For one that was deleted,
/// see [`nothing_planned`].
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

/// What is planned for a record that is gone: nothing.
#[must_use]
pub fn nothing_planned(kind: Kind, id: &str) -> Option<Planned> {
    (kind == Kind::Task).then(|| Planned {
        kind: JobKind::Reminder,
        subject: id.to_owned(),
        job: None,
    })
}

/// What is planned for an action as it is now.
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

/// Whether its time passed so long ago that nobody was there at it.
fn is_late(due: Timestamp, now: Timestamp) -> bool {
    now.duration_since(due) > LATE_AFTER
}

/// Twice the time for each attempt, from half a minute to an hour.
const RETRY_MIN: SignedDuration = SignedDuration::from_secs(30);
/// The longest wait between two attempts.
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
