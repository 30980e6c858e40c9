//! One file per table: its migrations, its rows, its statements.

pub(crate) mod accounts;
pub(crate) mod actions;
pub(crate) mod attempts;
pub(crate) mod calls;
pub(crate) mod changes;
pub(crate) mod collections;
pub(crate) mod compared;
pub(crate) mod contacts;
pub(crate) mod conversations;
pub(crate) mod drafts;
pub(crate) mod effects;
pub(crate) mod egress;
pub(crate) mod events;
pub(crate) mod grants;
pub(crate) mod imports;
pub(crate) mod jobs;
pub(crate) mod journal;
pub(crate) mod mail;
pub(crate) mod memories;
pub(crate) mod messages;
pub(crate) mod notes;
pub(crate) mod origins;
pub(crate) mod outbox;
pub(crate) mod provenance;
pub(crate) mod research;
pub(crate) mod research_rows;
pub(crate) mod servers;
pub(crate) mod settings;
pub(crate) mod shortened;
pub(crate) mod spend;
pub(crate) mod summaries;
pub(crate) mod tasks;
pub(crate) mod tool_uses;
pub(crate) mod turns;

/// One migration step of a table.
pub(crate) struct Migration {
    /// The format this step leads to, from 1.
    pub(crate) format: usize,
    /// The SQL it runs.
    pub(crate) sql: &'static str,
}

/// Converts a limit for SQLite, where -1 means no limit.
pub(crate) fn limit(limit: Option<usize>) -> i64 {
    limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}
