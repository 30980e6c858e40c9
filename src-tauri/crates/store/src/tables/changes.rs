//! The numbered latest change of every record, so that the indexes know what they have not seen yet; and the random
//! name of this database, by which an index knows which database it belongs to.

use adjutant_domain::ids::RecordId;
use adjutant_domain::record::Kind;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
        UNIQUE (kind, id)
    ) STRICT;
    CREATE TABLE lineage (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL) STRICT;
    INSERT INTO lineage (one, name) VALUES (1, lower(hex(randomblob(16))));
    ",
}];

/// The latest change of one record.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) seq: i64,
    pub(crate) kind: Kind,
    pub(crate) id: RecordId,
    pub(crate) gone: bool,
}

/// Records that a record was written or removed.
pub(crate) fn note(tx: &Tx<'_>, kind: Kind, id: &RecordId, gone: bool) -> Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO changes (kind, id, gone) VALUES (?1, ?2, ?3)")?
        .execute(params![kind.prefix(), id.as_str(), gone])?;
    Ok(())
}

/// Returns the number of the latest change, or 0 before the first.
pub(crate) fn latest(connection: &Connection) -> Result<i64> {
    Ok(connection
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM changes")?
        .query_row([], |row| row.get(0))?)
}

/// Returns the number of records changed after a number.
pub(crate) fn count_after(connection: &Connection, seq: i64) -> Result<i64> {
    Ok(connection
        .prepare_cached("SELECT count(*) FROM changes WHERE seq > ?1")?
        .query_row([seq], |row| row.get(0))?)
}

/// Returns the changes after a number, oldest first.
pub(crate) fn after(connection: &Connection, seq: i64, limit: usize) -> Result<Vec<Change>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, kind, id, gone FROM changes WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    )?;
    let rows = statement.query_map(
        params![seq, i64::try_from(limit).unwrap_or(i64::MAX)],
        |row| {
            Ok((
                row.get(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get(3)?,
            ))
        },
    )?;
    let mut found = Vec::new();
    for row in rows {
        let (seq, prefix, id, gone) = row?;
        if let Some(kind) = kind_of(&prefix) {
            found.push(Change {
                seq,
                kind,
                id: RecordId(id),
                gone,
            });
        }
    }
    Ok(found)
}

/// Returns the number of a record's latest change.
pub(crate) fn seq_of(connection: &Connection, kind: Kind, id: &RecordId) -> Result<Option<i64>> {
    Ok(connection
        .prepare_cached("SELECT seq FROM changes WHERE kind = ?1 AND id = ?2")?
        .query_row(params![kind.prefix(), id.as_str()], |row| row.get(0))
        .optional()?)
}

/// Deletes the entries of removed records up to a number, which the index has removed too.
pub(crate) fn forget_gone(tx: &Tx<'_>, up_to: i64) -> Result<()> {
    // The entry with the latest number stays, because numbering continues from it and the index remembers it.
    tx.execute(
        "DELETE FROM changes WHERE gone = 1 AND seq <= ?1 AND seq < (SELECT max(seq) FROM changes)",
        [up_to],
    )?;
    Ok(())
}

/// Returns the random name of this database.
pub(crate) fn lineage(connection: &Connection) -> Result<String> {
    Ok(connection.query_row("SELECT name FROM lineage", [], |row| row.get(0))?)
}

/// Returns the kind with this identifier prefix.
pub(crate) fn kind_of(prefix: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.prefix() == prefix)
}
