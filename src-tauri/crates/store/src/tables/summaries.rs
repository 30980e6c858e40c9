//! Summaries of the older part of a conversation: one row per conversation, which can be remade at any time.

use adjutant_domain::conversation::Summary;
use adjutant_domain::ids::ConversationId;
use adjutant_text::cut;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::Cells;
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 3,
    sql: "
    CREATE TABLE summaries (
        conversation TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
        messages INTEGER NOT NULL CHECK (messages > 0),
        text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Longest summary stored, in bytes; a model may return more than it was asked for.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// Returns the summary of a conversation, if there is one.
pub(crate) fn get(connection: &Connection, id: &ConversationId) -> Result<Option<Summary>> {
    Ok(connection
        .prepare_cached("SELECT text, messages FROM summaries WHERE conversation = ?1")?
        .query_row([id.as_str()], |row| {
            let mut cells = Cells::new(row);
            Ok(Summary {
                text: cells.take()?,
                messages: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
            })
        })
        .optional()?)
}

/// Deletes a summary that covers more than this many messages.
pub(crate) fn keep_up_to(tx: &Tx<'_>, id: &ConversationId, messages: u64) -> Result<()> {
    tx.prepare_cached("DELETE FROM summaries WHERE conversation = ?1 AND messages > ?2")?
        .execute(params![
            id.as_str(),
            i64::try_from(messages).unwrap_or(i64::MAX)
        ])?;
    Ok(())
}

/// Stores a summary. If it covers fewer messages than the stored one, it came too late and is dropped.
pub(crate) fn keep(tx: &Tx<'_>, id: &ConversationId, summary: &Summary) -> Result<()> {
    let there: bool = tx
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM conversations WHERE id = ?1)")?
        .query_row([id.as_str()], |row| row.get(0))?;
    if !there {
        return Err(Fault::missing(format!("the conversation {id}")));
    }
    tx.prepare_cached(
        "INSERT INTO summaries (conversation, messages, text) VALUES (?1, ?2, ?3)
         ON CONFLICT (conversation) DO UPDATE
            SET messages = excluded.messages, text = excluded.text
            WHERE excluded.messages >= messages",
    )?
    .execute(params![
        id.as_str(),
        i64::try_from(summary.messages).unwrap_or(i64::MAX),
        cut(&summary.text, TEXT_BYTES_MAX)
    ])?;
    Ok(())
}
