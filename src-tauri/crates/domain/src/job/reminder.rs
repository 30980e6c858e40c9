//! Reminders. Task and instant identify a reminder: moving it makes a new one, moving it back yields the old one again.

use super::{CatchUp, Job, JobKind, Rules};
use crate::record::{Task, TaskStatus};

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Each,
    attempts_max: 10,
    stoppable: Ok(()),
    is_kept: true,
    takes_long: false,
};

pub(super) fn planned(task: &Task) -> Option<Job> {
    let at = task.remind_at.filter(|_| task.status == TaskStatus::Open)?;
    Some(Job::planned(
        JobKind::Reminder,
        task.id.as_str(),
        Some(at),
        &task.title,
        at,
    ))
}
