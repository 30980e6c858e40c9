//! Comparisons of a candidate model's output with that of the live model.

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

/// Highest number of comparisons kept; the oldest go first.
pub const COMPARED_ROWS_MAX: i64 = 5_000;

/// A comparison to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Stage at which the models were compared.
    pub stage: String,
    /// Name of the candidate model.
    pub candidate: String,
    /// Whether both outputs lead to the same result.
    pub same: bool,
    /// The full comparison, as JSON built by the engine; it contains no text of the person.
    pub what: Value,
}

/// How often a candidate agreed with the live model at a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Stage at which the models were compared.
    pub stage: String,
    /// Name of the candidate model.
    pub candidate: String,
    /// Number of comparisons.
    pub of: u64,
    /// Number of comparisons in which both outputs led to the same result.
    pub same: u64,
}

/// Adds a comparison and deletes those beyond [`COMPARED_ROWS_MAX`].
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

/// Returns the agreement by candidate and stage.
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

/// Returns the latest comparisons whose results differed, newest first.
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
