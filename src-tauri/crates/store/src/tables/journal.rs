//! The journal: every event of a conversation, numbered, so that a window can replay the events it missed.

use adjutant_domain::conversation::JournalEntry;
use adjutant_domain::ids::ConversationId;
use rusqlite::{Connection, params};

use crate::cells::{Cells, json, readable};
use crate::fault::{Fault, Result, is_unique_violation};
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE journal (
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL CHECK (seq >= 0),
        turn TEXT NOT NULL,
        body TEXT NOT NULL CHECK (json_valid(body)),
        PRIMARY KEY (conversation, seq)
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Appends entries.
pub(crate) fn append(
    tx: &Tx<'_>,
    conversation: &ConversationId,
    entries: &[JournalEntry],
) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO journal (conversation, seq, turn, body) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for entry in entries {
        statement
            .execute(params![
                conversation.as_str(),
                entry.seq,
                entry.turn.as_str(),
                json(&entry.body)?
            ])
            .map_err(|error| {
                if is_unique_violation(&error) || is_key_violation(&error) {
                    Fault::conflict(format!("the journal of {conversation} at {}", entry.seq))
                } else {
                    Fault::Sql(error)
                }
            })?;
    }
    Ok(())
}

fn is_key_violation(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::SqliteFailure(failure, _)
            if failure.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY
    )
}

/// Returns the number of the next entry; the first is 1.
pub(crate) fn next(connection: &Connection, conversation: &ConversationId) -> Result<i64> {
    Ok(connection
        .prepare_cached("SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE conversation = ?1")?
        .query_row([conversation.as_str()], |row| row.get(0))?)
}

/// Returns the entries from a number on, oldest first.
pub(crate) fn list(
    connection: &Connection,
    conversation: &ConversationId,
    from: i64,
    limit: usize,
) -> Result<Vec<JournalEntry>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, turn, body FROM journal WHERE conversation = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3",
    )?;
    let rows = statement.query_map(
        params![conversation.as_str(), from, super::limit(Some(limit))],
        |row| {
            let mut cells = Cells::new(row);
            Ok(JournalEntry {
                seq: cells.take()?,
                turn: cells.id()?,
                body: cells.json()?,
            })
        },
    )?;
    Ok(readable(rows)?)
}
