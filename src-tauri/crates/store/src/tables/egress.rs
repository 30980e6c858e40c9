//! The ledger of what left this computer.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::cells::{Cells, micros};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE egress (
        n INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        who TEXT NOT NULL,
        why TEXT NOT NULL,
        bytes_out INTEGER NOT NULL CHECK (bytes_out >= 0),
        bytes_in INTEGER NOT NULL CHECK (bytes_in >= 0)
    ) STRICT;
    ",
}];

/// Highest number of entries kept; the oldest go first.
pub const EGRESS_ROWS_MAX: i64 = 100_000;

/// One exchange with a remote host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Egress {
    /// Number of the entry; 0 for a new one.
    pub id: i64,
    /// Time of the exchange.
    pub at: Timestamp,
    /// Host it went to.
    pub who: String,
    /// Purpose, in words.
    pub why: String,
    /// Bytes sent.
    pub bytes_out: u64,
    /// Bytes received.
    pub bytes_in: u64,
}

/// Adds an entry, deletes those beyond [`EGRESS_ROWS_MAX`] and returns the entry's number.
pub(crate) fn add(tx: &Tx<'_>, entry: &Egress) -> Result<i64> {
    tx.execute(
        "INSERT INTO egress (at, who, why, bytes_out, bytes_in) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            micros(entry.at),
            entry.who,
            entry.why,
            i64::try_from(entry.bytes_out).unwrap_or(i64::MAX),
            i64::try_from(entry.bytes_in).unwrap_or(i64::MAX)
        ],
    )?;
    let n = tx.last_insert_rowid();
    tx.execute("DELETE FROM egress WHERE n <= ?1", [n - EGRESS_ROWS_MAX])?;
    tx.touch(Topic::Egress);
    Ok(n)
}

/// Completes an entry with the bytes sent and received, or removes it if nothing left after all. Numbers of erased
/// entries are reused, so the time must match too.
pub(crate) fn end(tx: &Tx<'_>, n: i64, at: Timestamp, bytes: Option<(u64, u64)>) -> Result<()> {
    let count = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    match bytes {
        Some((bytes_out, bytes_in)) => tx.execute(
            "UPDATE egress SET bytes_out = ?3, bytes_in = ?4 WHERE n = ?1 AND at = ?2",
            params![n, micros(at), count(bytes_out), count(bytes_in)],
        )?,
        None => tx.execute(
            "DELETE FROM egress WHERE n = ?1 AND at = ?2",
            params![n, micros(at)],
        )?,
    };
    tx.touch(Topic::Egress);
    Ok(())
}

/// Returns entries, latest first.
pub(crate) fn list(connection: &Connection, limit: Option<usize>) -> Result<Vec<Egress>> {
    let mut statement = connection.prepare_cached(
        "SELECT n, at, who, why, bytes_out, bytes_in FROM egress ORDER BY n DESC LIMIT ?1",
    )?;
    let rows = statement.query_map([super::limit(limit)], |row| {
        let mut cells = Cells::new(row);
        Ok(Egress {
            id: cells.take()?,
            at: cells.time()?,
            who: cells.take()?,
            why: cells.take()?,
            bytes_out: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
            bytes_in: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
