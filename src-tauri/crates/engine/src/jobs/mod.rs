//! What becomes due by itself: reminders, mails whose hold is over, approvals that run out.

use std::time::Duration;

use adjutant_domain::change::Change;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::ActionId;
use adjutant_domain::ports::OutboxFilter;
use adjutant_domain::record::{OutboxItem, OutboxState, Record, Task};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::feed::Sink;
use crate::op::BACKGROUND;
use crate::turn::driver::Job;
use crate::undo::{Plain, carry_out};

/// A reminder told later than this after its time was missed: Adjutant was not running, or the machine slept.
pub const MISSED_AFTER: SignedDuration = SignedDuration::from_secs(2 * 60);
/// The longest nap of the waiting loop. A clock that is set, or a machine that wakes up, is noticed after this.
const NAP_MAX: Duration = Duration::from_secs(30);

/// What happened because its time had come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueReport {
    /// Reminders to show, earliest first. Each is reported once, ever.
    pub reminders: Vec<Reminder>,
    /// Mails whose hold is over: queued now.
    pub released: Vec<OutboxItem>,
    /// Actions that ran out unanswered.
    pub expired: Vec<ActionId>,
    /// What could not be done, in words; it is tried again.
    pub problems: Vec<UserFault>,
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
}

impl Engine {
    /// Does what is due now. A part that fails is reported and does not hold up the others. While it is at work, a
    /// second call has nothing to do.
    pub async fn run_due(&self) -> DueReport {
        let mut done = self.due_now().await;
        let owed = done.owed.and_then(Result::err);
        let problems = owed.into_iter().chain(done.news);
        done.report.problems = problems.chain(done.report.problems).collect();
        done.report
    }

    async fn due_now(&self) -> Done {
        let Ok(_turn) = self.core.due.try_acquire() else {
            return Done::default();
        };
        let now = self.core.parts.clock.now().timestamp();
        let owed = self.recover_rest().await;
        let mut report = DueReport::default();
        if let Err(fault) = self.remind(now, &mut report).await {
            report.problems.push(UserFault::from(&fault));
        }
        if let Err(fault) = self.release(now, &mut report).await {
            report.problems.push(fault);
        }
        if let Err(fault) = self.expire_due(now, &mut report).await {
            report.problems.push(UserFault::from(&fault));
        }
        Done {
            report,
            owed,
            news: self.core.untold(),
        }
    }

    async fn remind(&self, now: Timestamp, report: &mut DueReport) -> Result<(), StoreFault> {
        let due = &self.core.parts.due;
        for task in due.due_reminders(now).await? {
            let Some(at) = task.remind_at else { continue };
            // Stored before it is shown: a kill in between loses a notification, never the task, and never shows twice.
            due.mark_reminder(&task.id, at).await?;
            report.reminders.push(Reminder {
                missed: now.duration_since(at) > MISSED_AFTER,
                task,
                at,
            });
        }
        Ok(())
    }

    /// Mails whose hold is over are queued: they were approved with exactly this instant.
    async fn release(&self, now: Timestamp, report: &mut DueReport) -> Result<(), UserFault> {
        let core = &self.core;
        let held = core
            .parts
            .records
            .outbox(&held())
            .await
            .map_err(|fault| UserFault::from(&fault))?;
        for item in held {
            if item.not_before.is_some_and(|at| at > now) {
                continue;
            }
            let queued = OutboxItem {
                state: OutboxState::Queued,
                ..item.clone()
            };
            let conversation = BACKGROUND.into();
            let turn = core.turn_id();
            let job = Job {
                feed: self.actors.feed(&conversation),
                sink: Sink::default(),
                stop: CancellationToken::new(),
            };
            let plain = Plain {
                title: format!("The hold of “{}” is over", item.subject),
                tool: "outbox.release",
                args: json!({ "id": item.id }),
                say: format!(
                    "The hold is over: “{}” waits in the outbox to leave.",
                    item.subject
                ),
                change: Change::replace(Record::Outbox(queued)),
                undoes: None,
            };
            if carry_out(core, &job, (&conversation, &turn), plain).await? {
                report.released.push(item);
            }
        }
        Ok(())
    }

    async fn expire_due(&self, now: Timestamp, report: &mut DueReport) -> Result<(), StoreFault> {
        let log = &self.core.parts.log;
        let waiting = log.actions(Some(ActionState::Pending), None).await?;
        // Nothing is written while nothing has run out.
        if waiting.iter().any(|action| action.expires <= now) {
            let expired = log.expire_actions(now, false).await?;
            report
                .expired
                .extend(expired.into_iter().map(|action| action.id));
        }
        Ok(())
    }

    /// The earliest instant at which something becomes due.
    ///
    /// # Errors
    /// When storage cannot be read.
    pub async fn next_due(&self) -> Result<Option<Timestamp>, StoreFault> {
        let parts = &self.core.parts;
        let reminder = parts.due.next_reminder_at().await?;
        let held = parts.records.outbox(&held()).await?;
        let pending = parts.log.actions(Some(ActionState::Pending), None).await?;
        Ok(reminder
            .into_iter()
            .chain(held.into_iter().filter_map(|item| item.not_before))
            .chain(pending.into_iter().map(|action| action.expires))
            .min())
    }

    /// Does what is due, then sleeps until the next thing is, until `stop`. Wakes up when something changes. With a
    /// clock that stands still it only wakes up for changes. Problems are told when they come, not at every look.
    pub async fn watch_due(&self, stop: CancellationToken, mut tell: impl FnMut(DueReport) + Send) {
        // What stays as it was is no news, and what could not be looked at stays as it was.
        let (mut known, mut known_owed) = (Vec::new(), Ok(()));
        loop {
            let Done {
                mut report,
                owed,
                news,
            } = self.due_now().await;
            if report.problems == known {
                report.problems.clear();
            } else {
                known.clone_from(&report.problems);
            }
            report.problems.extend(news);
            if let Some(owed) = owed.filter(|owed| *owed != known_owed) {
                report.problems.extend(owed.clone().err());
                known_owed = owed;
            }
            if !report.is_empty() {
                tell(report);
            }
            let nap = self.nap().await;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.core.changed.notified() => {}
                () = async {
                    match nap {
                        Some(nap) => tokio::time::sleep(nap).await,
                        None => std::future::pending().await,
                    }
                } => {}
            }
        }
    }

    /// How long to sleep; `None` while time stands still.
    async fn nap(&self) -> Option<Duration> {
        let clock = &self.core.parts.clock;
        if clock.is_fixed() {
            return None;
        }
        let next = self.next_due().await.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "when something is due next could not be read; it is looked for again soon");
            None
        });
        let now = clock.now().timestamp();
        // What is due already and could not be done is tried again after a full nap, not in a busy loop.
        let wait = next
            .map(|at| at.duration_since(now))
            .and_then(|wait| Duration::try_from(wait).ok())
            .filter(|wait| !wait.is_zero());
        Some(wait.unwrap_or(NAP_MAX).min(NAP_MAX))
    }
}

/// What one look at what is due came to.
#[derive(Default)]
struct Done {
    /// With problems of what is due alone.
    report: DueReport,
    /// Whether what storage had not taken before is in order; `None` when that could not be tried.
    owed: Option<Result<(), UserFault>>,
    /// Told once.
    news: Vec<UserFault>,
}

fn held() -> OutboxFilter {
    OutboxFilter {
        states: vec![OutboxState::Held],
        ..OutboxFilter::default()
    }
}
