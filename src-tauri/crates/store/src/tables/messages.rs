//! Messages of conversations.

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::ids::{ConversationId, TurnId};
use rusqlite::{Connection, params};

use crate::cells::{Cells, micros, name_of, readable};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tables::conversations;
use crate::tables::turns::REPLACED;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        format: 1,
        sql: "
    CREATE TABLE messages (
        n INTEGER PRIMARY KEY,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        turn TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
        text TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX messages_conversation ON messages (conversation, n);
    CREATE INDEX messages_turn ON messages (turn);
    ",
    },
    // The tokeniser reads stored messages and queries in the same way, so that a migration can fill
    // the table.
    Migration {
        format: 15,
        sql: "
    CREATE VIRTUAL TABLE messages_words USING fts5
        (text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
    INSERT INTO messages_words (rowid, text) SELECT n, text FROM messages;
    CREATE TRIGGER messages_said AFTER INSERT ON messages BEGIN
        INSERT INTO messages_words (rowid, text) VALUES (new.n, new.text);
    END;
    CREATE TRIGGER messages_gone AFTER DELETE ON messages BEGIN
        DELETE FROM messages_words WHERE rowid = old.n;
    END;
    ",
    },
];

/// Adds a message.
pub(crate) fn add(tx: &Tx<'_>, conversation: &ConversationId, message: &Message) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO messages (conversation, turn, role, text, at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        conversation.as_str(),
        message.turn.as_str(),
        name_of(&message.role)?,
        message.text,
        micros(message.at)
    ])?;
    conversations::said(tx, conversation, message.at)
}

/// Returns the messages that no later turn has replaced, oldest first, without the first `skip`.
pub(crate) fn from(
    connection: &Connection,
    conversation: &ConversationId,
    skip: u64,
    limit: usize,
) -> Result<Vec<Message>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT turn, role, text, at FROM messages
         WHERE conversation = ?1 AND turn NOT IN ({REPLACED}) ORDER BY n LIMIT ?3 OFFSET ?2"
    ))?;
    let rows = statement.query_map(
        params![
            conversation.as_str(),
            i64::try_from(skip).unwrap_or(i64::MAX),
            super::limit(Some(limit))
        ],
        read,
    )?;
    Ok(readable(rows)?)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Message> {
    let mut cells = Cells::new(row);
    Ok(Message {
        turn: cells.id()?,
        role: cells.name::<Role>()?,
        text: cells.take()?,
        at: cells.time()?,
    })
}

/// Returns the latest messages, oldest first.
pub(crate) fn latest(
    connection: &Connection,
    conversation: &ConversationId,
    limit: Option<usize>,
) -> Result<Vec<Message>> {
    latest_where(connection, conversation, limit, "true")
}

/// Returns the latest messages that no later turn has replaced, oldest first.
pub(crate) fn latest_standing(
    connection: &Connection,
    conversation: &ConversationId,
    limit: usize,
) -> Result<Vec<Message>> {
    let condition = format!("turn NOT IN ({REPLACED})");
    latest_where(connection, conversation, Some(limit), &condition)
}

/// Counts the messages before a turn's own that no later turn has replaced.
pub(crate) fn standing_before(
    connection: &Connection,
    conversation: &ConversationId,
    turn: &TurnId,
) -> Result<u64> {
    count(
        connection,
        &format!("turn NOT IN ({REPLACED}) AND n < (SELECT min(n) FROM messages WHERE turn = ?2)"),
        params![conversation.as_str(), turn.as_str()],
    )
}

/// Counts the messages that a later turn has replaced.
pub(crate) fn replaced(connection: &Connection, conversation: &ConversationId) -> Result<u64> {
    let condition = format!("turn IN ({REPLACED})");
    count(connection, &condition, params![conversation.as_str()])
}

fn count(connection: &Connection, condition: &str, params: impl rusqlite::Params) -> Result<u64> {
    let count: i64 = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM messages WHERE conversation = ?1 AND {condition}"
        ))?
        .query_row(params, |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or_default())
}

fn latest_where(
    connection: &Connection,
    conversation: &ConversationId,
    limit: Option<usize>,
    condition: &str,
) -> Result<Vec<Message>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT turn, role, text, at FROM messages
         WHERE conversation = ?1 AND {condition} ORDER BY n DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(params![conversation.as_str(), super::limit(limit)], read)?;
    let mut messages: Vec<Message> = readable(rows)?;
    messages.reverse();
    Ok(messages)
}
