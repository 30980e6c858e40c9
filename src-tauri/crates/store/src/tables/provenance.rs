//! The author of each row. Kept when a row is deleted, because an undo may bring the same row back.

use std::collections::BTreeMap;

use adjutant_domain::ids::RecordId;
use adjutant_domain::provenance::Provenance;
use adjutant_domain::source::Taint;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{json, name_of};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 6,
    // Rows from before this format: an import key marks what a file brought, and mail came only from files; the rest
    // was made here.
    sql: "
    CREATE TABLE provenance (
        record TEXT PRIMARY KEY,
        author TEXT NOT NULL CHECK (json_valid(author)),
        taint TEXT NOT NULL CHECK (taint IN ('clean', 'tainted'))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO provenance
        SELECT id, '{\"by\":\"import\",\"file\":\"\"}', 'clean' FROM mails;
    INSERT INTO provenance
        SELECT id, CASE WHEN import_key IS NULL THEN '{\"by\":\"person\"}' ELSE '{\"by\":\"import\",\"file\":\"\"}' END, 'clean'
        FROM events;
    ",
}];

/// Records the author of a new row, or that foreign text went into an existing one. Once tainted, a row stays
/// tainted.
pub(crate) fn note(tx: &Tx<'_>, record: &RecordId, of: &Provenance) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO provenance (record, author, taint) VALUES (?1, ?2, ?3)
         ON CONFLICT (record) DO UPDATE SET taint = max(taint, excluded.taint)",
    )?
    .execute(params![
        record.as_str(),
        json(&of.author)?,
        name_of(&of.taint)?
    ])?;
    Ok(())
}

/// Records the author of a row that did not exist, or no longer does: a file may reuse the identifier of a deleted
/// row without being that row.
pub(crate) fn came(tx: &Tx<'_>, record: &RecordId, of: &Provenance) -> Result<()> {
    note(tx, record, of)?;
    tx.prepare_cached("UPDATE provenance SET author = ?2 WHERE record = ?1")?
        .execute(params![record.as_str(), json(&of.author)?])?;
    Ok(())
}

/// Returns the provenance of each of these rows that has one.
pub(crate) fn of(
    connection: &Connection,
    records: &[RecordId],
) -> Result<BTreeMap<RecordId, Provenance>> {
    let mut statement =
        connection.prepare_cached("SELECT author, taint FROM provenance WHERE record = ?1")?;
    let mut found = BTreeMap::new();
    for record in records {
        let row: Option<(String, String)> = statement
            .query_row([record.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if let Some((author, taint)) = row {
            found.insert(record.clone(), stored(&author, &taint)?);
        }
    }
    Ok(found)
}

/// Parses the columns.
pub(crate) fn stored(author: &str, taint: &str) -> Result<Provenance> {
    Ok(Provenance {
        author: serde_json::from_str(author)?,
        taint: if taint == "clean" {
            Taint::Clean
        } else {
            Taint::Tainted
        },
    })
}
