//! Who wrote each row. Kept when a row is deleted: one that comes back by an undo is the same row.

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
    // Rows of before: what a file brought is known by its import key, mail came from files only; the rest was made here.
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

/// Notes who wrote a new row, or that text of others went into one that was there. A row that text of others went into
/// stays marked.
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

/// Notes where a row came from that was not there, or not any more: a file may bring an identifier of a row that was
/// deleted, and is not what that row was.
pub(crate) fn came(tx: &Tx<'_>, record: &RecordId, of: &Provenance) -> Result<()> {
    note(tx, record, of)?;
    tx.prepare_cached("UPDATE provenance SET author = ?2 WHERE record = ?1")?
        .execute(params![record.as_str(), json(&of.author)?])?;
    Ok(())
}

/// Whether text of others went into a row.
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

/// What the columns say.
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
