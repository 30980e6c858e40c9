//! What a candidate model would have said beside the live one.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::cells::Cells;
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 2,
    sql: "
    CREATE TABLE compared (
        n INTEGER PRIMARY KEY,
        stage TEXT NOT NULL,
        candidate TEXT NOT NULL,
        same INTEGER NOT NULL CHECK (same IN (0, 1)),
        what TEXT NOT NULL
    ) STRICT;
    ",
}];

/// Comparisons kept; the oldest go first.
pub const COMPARED_ROWS_MAX: i64 = 5_000;

/// A comparison to be kept: JSON of the engine's own making, which holds no text of the person.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What for.
    pub stage: String,
    /// The candidate.
    pub candidate: String,
    /// Whether both lead to the same.
    pub same: bool,
    /// All of it.
    pub what: Value,
}

/// How often a candidate agreed at a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// What for.
    pub stage: String,
    /// The candidate.
    pub candidate: String,
    /// Comparisons.
    pub of: u64,
    /// Those in which both led to the same.
    pub same: u64,
}

/// Adds a comparison and forgets what is beyond [`COMPARED_ROWS_MAX`].
pub(crate) fn add(tx: &Tx<'_>, one: &Comparison) -> Result<()> {
    tx.execute(
        "INSERT INTO compared (stage, candidate, same, what) VALUES (?1, ?2, ?3, ?4)",
        params![one.stage, one.candidate, one.same, one.what.to_string()],
    )?;
    tx.execute(
        "DELETE FROM compared WHERE n <= ?1",
        [tx.last_insert_rowid() - COMPARED_ROWS_MAX],
    )?;
    Ok(())
}

/// Agreement by candidate and stage.
pub(crate) fn agreement(connection: &Connection) -> Result<Vec<Agreement>> {
    let mut statement = connection.prepare_cached(
        "SELECT stage, candidate, count(*), sum(same) FROM compared GROUP BY candidate, stage ORDER BY candidate, stage",
    )?;
    let rows = statement.query_map([], |row| {
        let mut cells = Cells::new(row);
        Ok(Agreement {
            stage: cells.take()?,
            candidate: cells.take()?,
            of: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
            same: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The latest comparisons that did not lead to the same, newest first.
pub(crate) fn differences(connection: &Connection, limit: usize) -> Result<Vec<Value>> {
    let mut statement = connection
        .prepare_cached("SELECT what FROM compared WHERE same = 0 ORDER BY n DESC LIMIT ?1")?;
    let rows = statement.query_map([super::limit(Some(limit))], |row| row.get::<_, String>(0))?;
    let mut found = Vec::new();
    for row in rows {
        found.extend(serde_json::from_str(&row?));
    }
    Ok(found)
}
