//! Conversations: title, referents, taint, and what was shown last.

use adjutant_domain::conversation::Conversation;
use adjutant_domain::focus::Focus;
use adjutant_domain::ids::{ActionId, ConversationId};
use adjutant_domain::source::Taint;
use adjutant_text::cut;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, name_of};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE conversations (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        messages INTEGER NOT NULL CHECK (messages >= 0),
        focus TEXT NOT NULL CHECK (json_valid(focus)),
        taint TEXT NOT NULL CHECK (taint IN ('clean', 'tainted')),
        shown_last TEXT
    ) STRICT;
    CREATE INDEX conversations_updated ON conversations (updated);
    ",
}];

/// Longest title made from a first message, in bytes.
const TITLE_BYTES_MAX: usize = 120;

/// What a conversation keeps between turns.
pub(crate) struct ConversationState {
    pub(crate) focus: Focus,
    pub(crate) taint: Taint,
    pub(crate) shown_last: Option<ActionId>,
}

/// Makes a conversation unless it is there.
pub(crate) fn ensure(
    tx: &Tx<'_>,
    id: &ConversationId,
    first_message: &str,
    at: Timestamp,
) -> Result<()> {
    let line = first_message
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    tx.prepare_cached(
        "INSERT OR IGNORE INTO conversations (id, title, created, updated, messages, focus, taint)
         VALUES (?1, ?2, ?3, ?3, 0, ?4, 'clean')",
    )?
    .execute(params![
        id.as_str(),
        cut(&line, TITLE_BYTES_MAX),
        micros(at),
        json(&Focus::default())?
    ])?;
    Ok(())
}

/// What a conversation keeps and how many messages it has; `None` when there is no such conversation.
pub(crate) fn kept(
    connection: &Connection,
    id: &ConversationId,
) -> Result<Option<(ConversationState, u64)>> {
    Ok(connection
        .prepare_cached(
            "SELECT focus, taint, shown_last, messages FROM conversations WHERE id = ?1",
        )?
        .query_row([id.as_str()], |row| {
            let mut cells = Cells::new(row);
            let kept = ConversationState {
                focus: cells.lenient_json()?.unwrap_or_default(),
                taint: cells.name()?,
                shown_last: cells.optional_id()?,
            };
            Ok((
                kept,
                u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
            ))
        })
        .optional()?)
}

/// Something was said, so nothing is "what was shown last" any more.
pub(crate) fn said(tx: &Tx<'_>, id: &ConversationId, at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "UPDATE conversations SET messages = messages + 1, updated = max(updated, ?2), shown_last = NULL
         WHERE id = ?1",
    )?
    .execute(params![id.as_str(), micros(at)])?;
    tx.touch(Topic::Conversations);
    Ok(())
}

/// Keeps what the next turn needs.
pub(crate) fn keep(tx: &Tx<'_>, id: &ConversationId, kept: &ConversationState) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "UPDATE conversations SET focus = ?2, taint = ?3, shown_last = ?4 WHERE id = ?1",
        )?
        .execute(params![
            id.as_str(),
            json(&kept.focus)?,
            name_of(&kept.taint)?,
            kept.shown_last.as_ref().map(ActionId::as_str)
        ])?;
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

/// Conversations, latest first.
pub(crate) fn list(connection: &Connection, limit: Option<usize>) -> Result<Vec<Conversation>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, title, created, updated, messages FROM conversations
         ORDER BY updated DESC, n DESC LIMIT ?1",
    )?;
    let rows = statement.query_map([super::limit(limit)], |row| {
        let mut cells = Cells::new(row);
        Ok(Conversation {
            id: cells.id()?,
            title: cells.take()?,
            created: cells.time()?,
            updated: cells.time()?,
            messages: cells.take()?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Gives a conversation a name.
pub(crate) fn rename(tx: &Tx<'_>, id: &ConversationId, title: &str) -> Result<()> {
    let rows = tx.execute(
        "UPDATE conversations SET title = ?2 WHERE id = ?1",
        params![id.as_str(), cut(title, TITLE_BYTES_MAX)],
    )?;
    tx.touch(Topic::Conversations);
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

/// Removes a conversation; messages, turns and journal go with it.
pub(crate) fn delete(tx: &Tx<'_>, id: &ConversationId) -> Result<()> {
    let rows = tx.execute("DELETE FROM conversations WHERE id = ?1", [id.as_str()])?;
    tx.touch(Topic::Conversations);
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

fn missing(id: &ConversationId) -> Fault {
    Fault::missing(format!("the conversation {id}"))
}
