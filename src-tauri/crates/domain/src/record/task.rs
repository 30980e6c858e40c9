//! Tasks and reminders.

use jiff::{Timestamp, civil};
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::moment::Moment;

/// Something to do. A reminder is a task with [`Task::remind_at`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Identifier.
    pub id: RecordId,
    /// What to do, as the person said it.
    pub title: String,
    /// Further text, Markdown.
    pub notes: String,
    /// When it is due.
    pub due: Option<Moment>,
    /// First day on which the person can act on it; before that, it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<civil::Date>,
    /// When to notify; follows `due` if that is an instant, unless the person chose another time.
    pub remind_at: Option<Timestamp>,
    /// Urgency.
    pub priority: Priority,
    /// Open or done.
    pub status: TaskStatus,
    /// Repetition as an RFC 5545 rule, without `RRULE:`. Completing the task moves `due` to the next instance.
    pub rrule: Option<String>,
    /// Labels as the person wrote them, without duplicates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Position among the tasks of its day, from 1, once the person has ordered them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
    /// When it was last completed.
    pub completed_at: Option<Timestamp>,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

/// Urgency.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Can wait.
    Low,
    /// The usual.
    #[default]
    Medium,
    /// First.
    High,
}

/// Whether a task is still to do.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// To do.
    #[default]
    Open,
    /// Completed.
    Done,
}
