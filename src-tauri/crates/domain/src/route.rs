//! Routes: what a message needs, before anything is planned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The domains of tools (CONTRACTS, "Domains"). No domain means plain conversation.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// Tasks and reminders.
    Task,
    /// Calendar.
    Calendar,
    /// Mail.
    Email,
    /// Notes.
    Note,
    /// What Adjutant remembers.
    Memory,
    /// Files in allowed folders.
    Files,
    /// Tables and data sources.
    Data,
    /// Arithmetic, units, dates.
    Calc,
    /// Knowledge from outside.
    Research,
}

impl Domain {
    /// Returns the name used on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Calendar => "calendar",
            Self::Email => "email",
            Self::Note => "note",
            Self::Memory => "memory",
            Self::Files => "files",
            Self::Data => "data",
            Self::Calc => "calc",
            Self::Research => "research",
        }
    }
}

/// Chat, action or follow-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// Needs no tool.
    Chat,
    /// Needs tools.
    Action,
    /// Goes on with what was said before.
    Followup,
}

/// The result of routing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// Chat, action or follow-up.
    pub kind: RouteKind,
    /// Domains, sorted and without duplicates.
    pub domains: Vec<Domain>,
    /// Whether the message depends on the conversation.
    pub is_followup: bool,
    /// Calibrated probability that the domains are exactly right, 0 to 1.
    pub confidence: f64,
    /// `embedded`, or the id of a model.
    pub by: String,
}
