//! What becomes due by itself: reminders. (Held mails and expiring approvals are found through the other ports.)

use async_trait::async_trait;
use jiff::Timestamp;

use crate::faults::StoreFault;
use crate::ids::RecordId;
use crate::record::Task;

/// Reminders and which of them were shown already. A reminder is a task together with its
/// [`Task::remind_at`]: moving the reminder makes it a new one.
#[async_trait]
pub trait Due: Send + Sync {
    /// Open tasks whose reminder is at or before `now` and was not shown yet, earliest first.
    async fn due_reminders(&self, now: Timestamp) -> Result<Vec<Task>, StoreFault>;

    /// Remembers for good that the reminder of `task` at `at` was shown. Doing it twice changes nothing.
    async fn mark_reminder(&self, task: &RecordId, at: Timestamp) -> Result<(), StoreFault>;

    /// The earliest reminder that was not shown yet, past ones included.
    async fn next_reminder_at(&self) -> Result<Option<Timestamp>, StoreFault>;
}
