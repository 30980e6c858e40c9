//! Records of imported files.

use std::collections::BTreeMap;

use adjutant_domain::ports::ImportCounts;
use adjutant_domain::record::Kind;
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::cells::{Cells, json, micros};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 24,
    sql: "
    CREATE TABLE imports (
        n INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        file TEXT NOT NULL,
        counts TEXT NOT NULL,
        refused INTEGER NOT NULL CHECK (refused >= 0)
    ) STRICT;
    ",
}];

/// Highest number of imports kept; the oldest go first.
pub const IMPORT_ROWS_MAX: i64 = 10_000;

/// One imported file or folder, even if the import did not get to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Number of the entry; 0 for a new one.
    pub id: i64,
    /// When it ended.
    pub at: Timestamp,
    /// Name of the file or folder, without its path.
    pub file: String,
    /// Number of its records by what the import did with them, for each kind.
    pub counts: BTreeMap<Kind, ImportCounts>,
    /// Items that could not be read.
    pub refused: u64,
}

/// Adds an entry and deletes those beyond [`IMPORT_ROWS_MAX`].
pub(crate) fn add(tx: &Tx<'_>, entry: &Imported) -> Result<()> {
    tx.execute(
        "INSERT INTO imports (at, file, counts, refused) VALUES (?1, ?2, ?3, ?4)",
        params![
            micros(entry.at),
            entry.file,
            json(&entry.counts)?,
            i64::try_from(entry.refused).unwrap_or(i64::MAX)
        ],
    )?;
    let n = tx.last_insert_rowid();
    tx.execute("DELETE FROM imports WHERE n <= ?1", [n - IMPORT_ROWS_MAX])?;
    tx.touch(Topic::Imports);
    Ok(())
}

/// Returns entries, latest first.
pub(crate) fn list(connection: &Connection, limit: Option<usize>) -> Result<Vec<Imported>> {
    let mut statement = connection.prepare_cached(
        "SELECT n, at, file, counts, refused FROM imports ORDER BY n DESC LIMIT ?1",
    )?;
    let rows = statement.query_map([super::limit(limit)], |row| {
        let mut cells = Cells::new(row);
        Ok(Imported {
            id: cells.take()?,
            at: cells.time()?,
            file: cells.take()?,
            counts: cells.json()?,
            refused: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
