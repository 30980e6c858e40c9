//! Reminders, in memory.

use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::Due;
use adjutant_domain::record::{Record, Task, TaskStatus};
use async_trait::async_trait;
use jiff::Timestamp;

use super::{MemoryLog, Stored};

#[async_trait]
impl Due for MemoryLog {
    async fn due_reminders(&self, now: Timestamp) -> Stored<Vec<Task>> {
        let state = self.state();
        let mut due: Vec<Task> = self
            .tasks()
            .into_iter()
            .filter(|task| task.remind_at.is_some_and(|at| at <= now))
            .filter(|task| {
                !state
                    .reminded
                    .iter()
                    .any(|(id, at)| *id == task.id && Some(*at) == task.remind_at)
            })
            .collect();
        due.sort_by_key(|task| task.remind_at);
        Ok(due)
    }

    async fn mark_reminder(&self, task: &RecordId, at: Timestamp) -> Stored<()> {
        self.state().reminded.push((task.clone(), at));
        Ok(())
    }

    async fn next_reminder_at(&self) -> Stored<Option<Timestamp>> {
        let due = self.due_reminders(Timestamp::MAX).await?;
        Ok(due.into_iter().filter_map(|task| task.remind_at).min())
    }
}

impl MemoryLog {
    fn tasks(&self) -> Vec<Task> {
        let rows = self.records.all().into_iter();
        rows.filter_map(|row| match row {
            Record::Task(task) if task.status == TaskStatus::Open => Some(task),
            _ => None,
        })
        .collect()
    }
}
