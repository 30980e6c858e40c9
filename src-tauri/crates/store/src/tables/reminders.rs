//! Which reminders were given, so that none is given twice.

use adjutant_domain::ids::RecordId;
use adjutant_domain::record::Kind;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::cells::{Cells, micros, name_of};
use crate::fault::Result;
use crate::migrations::Migration;
use crate::writer::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE reminders (
        task TEXT NOT NULL,
        at INTEGER NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('shown', 'missed')),
        PRIMARY KEY (task, at)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reminders_at ON reminders (at);
    ",
}];

/// How long it is remembered that a reminder was given, in days.
const KEPT_DAYS: i64 = 400;

/// What became of a reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReminderOutcome {
    /// The notification was shown.
    Shown,
    /// Its time passed while nothing ran; it was listed.
    Missed,
}

/// A reminder that was given or missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenReminder {
    /// The task.
    pub task: RecordId,
    /// Its instant.
    pub at: Timestamp,
    /// What became of it.
    pub outcome: ReminderOutcome,
}

/// Notes what became of a reminder. `false` when that was noted before, so that only the first one shows it.
pub(crate) fn mark(tx: &Tx<'_>, given: &GivenReminder) -> Result<bool> {
    let rows = tx
        .prepare_cached("INSERT OR IGNORE INTO reminders (task, at, outcome) VALUES (?1, ?2, ?3)")?
        .execute(params![
            given.task.as_str(),
            micros(given.at),
            name_of(&given.outcome)?
        ])?;
    if let Ok(oldest) = given
        .at
        .checked_sub(SignedDuration::from_hours(24 * KEPT_DAYS))
    {
        // A reminder of long ago is only forgotten when its task cannot remind again.
        tx.execute(
            "DELETE FROM reminders WHERE at < ?1 AND NOT EXISTS
                (SELECT 1 FROM tasks WHERE tasks.id = task AND tasks.remind_at = reminders.at)",
            [micros(oldest)],
        )?;
    }
    tx.touch(Topic::Records(Kind::Task));
    Ok(rows == 1)
}

/// Reminders with an outcome since an instant, latest first.
pub(crate) fn since(
    connection: &Connection,
    outcome: ReminderOutcome,
    since: Timestamp,
) -> Result<Vec<GivenReminder>> {
    let mut statement = connection.prepare_cached(
        "SELECT task, at FROM reminders WHERE outcome = ?1 AND at >= ?2 ORDER BY at DESC",
    )?;
    let rows = statement.query_map(params![name_of(&outcome)?, micros(since)], |row| {
        let mut cells = Cells::new(row);
        Ok(GivenReminder {
            task: cells.id()?,
            at: cells.time()?,
            outcome,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
