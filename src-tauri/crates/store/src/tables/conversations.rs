//! Conversations: title, referents, taint, and the action shown last.

use adjutant_domain::conversation::{BACKGROUND, Conversation, ConversationFilter, DIRECT};
use adjutant_domain::focus::Focus;
use adjutant_domain::ids::{ActionId, ConversationId};
use adjutant_domain::program::conversation_prefix;
use adjutant_domain::source::Taint;
use adjutant_text::{cut, fold_line, title_of};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params, params_from_iter};

use crate::cells::{Cells, json, micros, name_of};
use crate::fault::{Fault, Result};
use crate::snippet::snippet;
use crate::tables::Migration;
use crate::text::{Join, match_expression};
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
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
    },
    Migration {
        format: 15,
        sql: "
    ALTER TABLE conversations ADD COLUMN titled INTEGER NOT NULL DEFAULT 1 CHECK (titled IN (0, 1));
    ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
    ALTER TABLE conversations ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));
    ALTER TABLE conversations ADD COLUMN deleted INTEGER;
    CREATE INDEX conversations_deleted ON conversations (deleted) WHERE deleted IS NOT NULL;
    ",
    },
    Migration {
        format: 22,
        // Earlier versions did not record whether a conversation had seen records, so assume it has.
        sql: "ALTER TABLE conversations ADD COLUMN private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1));
    UPDATE conversations SET private = 1;
    ",
    },
];

/// Longest title, in bytes.
const TITLE_BYTES_MAX: usize = 120;
/// Highest number of words of a search that are used.
const WORDS_MAX: usize = 16;

/// The state a conversation keeps between turns.
pub(crate) struct ConversationState {
    pub(crate) focus: Focus,
    pub(crate) taint: Taint,
    pub(crate) private: bool,
    pub(crate) shown_last: Option<ActionId>,
}

/// Creates a conversation if it does not exist, or takes it out of the archive. Its title is the first message that
/// says what it is about.
pub(crate) fn ensure(tx: &Tx<'_>, id: &ConversationId, message: &str, at: Timestamp) -> Result<()> {
    let subject = title_of(message);
    let titled = subject.is_some();
    let title = subject.unwrap_or_else(|| message.split_whitespace().collect::<Vec<_>>().join(" "));
    tx.prepare_cached(
        "INSERT INTO conversations (id, title, titled, created, updated, messages, focus, taint)
         VALUES (?1, ?2, ?3, ?4, ?4, 0, ?5, 'clean')
         ON CONFLICT (id) DO UPDATE SET
            archived = 0,
            title = CASE WHEN titled OR NOT excluded.titled THEN title ELSE excluded.title END,
            titled = titled OR excluded.titled",
    )?
    .execute(params![
        id.as_str(),
        cut(&title, TITLE_BYTES_MAX),
        titled,
        micros(at),
        json(&Focus::default())?
    ])?;
    Ok(())
}

/// Deletes a deleted conversation for good, so that a new message under its id starts a new one.
pub(crate) fn begin_anew(tx: &Tx<'_>, id: &ConversationId) -> Result<()> {
    tx.prepare_cached("DELETE FROM conversations WHERE id = ?1 AND deleted IS NOT NULL")?
        .execute([id.as_str()])?;
    Ok(())
}

/// Returns the kept state of a conversation and its number of messages, or `None` if there is no such conversation.
pub(crate) fn kept(
    connection: &Connection,
    id: &ConversationId,
) -> Result<Option<(ConversationState, u64)>> {
    Ok(connection
        .prepare_cached(
            "SELECT focus, taint, private, shown_last, messages FROM conversations
             WHERE id = ?1 AND deleted IS NULL",
        )?
        .query_row([id.as_str()], |row| {
            let mut cells = Cells::new(row);
            let kept = ConversationState {
                focus: cells.lenient_json()?.unwrap_or_default(),
                taint: cells.name()?,
                private: cells.take()?,
                shown_last: cells.optional_id()?,
            };
            Ok((
                kept,
                u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
            ))
        })
        .optional()?)
}

/// Counts a new message. Since something was said, no action counts as "shown last" any more.
pub(crate) fn said(tx: &Tx<'_>, id: &ConversationId, at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "UPDATE conversations SET messages = messages + 1, updated = max(updated, ?2), shown_last = NULL
         WHERE id = ?1",
    )?
    .execute(params![id.as_str(), micros(at)])?;
    tx.touch(Topic::Conversations);
    Ok(())
}

/// Stores the state the next turn needs.
pub(crate) fn keep(tx: &Tx<'_>, id: &ConversationId, kept: &ConversationState) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "UPDATE conversations SET focus = ?2, taint = ?3, shown_last = ?4, private = max(private, ?5) WHERE id = ?1",
        )?
        .execute(params![
            id.as_str(),
            json(&kept.focus)?,
            name_of(&kept.taint)?,
            kept.shown_last.as_ref().map(ActionId::as_str),
            kept.private
        ])?;
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

/// Returns conversations, pinned ones first, then the most recent.
pub(crate) fn list(
    connection: &Connection,
    listed: &ConversationFilter,
) -> Result<Vec<Conversation>> {
    let Some(asked) = ConversationQuery::of(listed) else {
        return Ok(Vec::new());
    };
    let (source, mut values) = asked.source();
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id, title, created, updated, conversations.messages, pinned, archived,
            (SELECT text FROM messages WHERE messages.n = hit)
         FROM {source} ORDER BY pinned DESC, updated DESC, conversations.n DESC LIMIT ? OFFSET ?"
    ))?;
    values.push(super::limit(listed.limit).into());
    values.push(i64::try_from(listed.offset).unwrap_or(i64::MAX).into());
    let rows = statement.query_map(params_from_iter(values), read)?;
    let mut rows: Vec<Conversation> = rows.collect::<rusqlite::Result<_>>()?;
    for row in &mut rows {
        row.found = row.found.take().map(|text| snippet(&text, &asked.folded));
    }
    Ok(rows)
}

/// Returns how many conversations [`list`] would return without its limit.
pub(crate) fn count(connection: &Connection, listed: &ConversationFilter) -> Result<u64> {
    let Some(asked) = ConversationQuery::of(listed) else {
        return Ok(0);
    };
    let (source, values) = asked.source();
    let found: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM {source}"))?
        .query_row(params_from_iter(values), |row| row.get(0))?;
    Ok(u64::try_from(found).unwrap_or_default())
}

/// Returns a conversation, or `None` if there is none with this id or it was deleted.
pub(crate) fn get(connection: &Connection, id: &ConversationId) -> Result<Option<Conversation>> {
    Ok(connection
        .prepare_cached(
            "SELECT id, title, created, updated, messages, pinned, archived, NULL
             FROM conversations WHERE id = ?1 AND deleted IS NULL",
        )?
        .query_row([id.as_str()], read)
        .optional()?)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Conversation> {
    let mut cells = Cells::new(row);
    Ok(Conversation {
        id: cells.id()?,
        title: cells.take()?,
        created: cells.time()?,
        updated: cells.time()?,
        messages: cells.take()?,
        pinned: cells.take()?,
        archived: cells.take()?,
        found: cells.take()?,
    })
}

/// A search for conversations, as words of the index and as folded words of titles.
struct ConversationQuery {
    archived: Option<bool>,
    words: Vec<String>,
    folded: Vec<String>,
}

impl ConversationQuery {
    /// Returns `None` if the search text has no words, in which case nothing matches.
    fn of(listed: &ConversationFilter) -> Option<Self> {
        let text = listed.words.as_deref().unwrap_or_default().trim();
        let words: Vec<String> = text
            .split_whitespace()
            .map(|piece| piece.trim_end_matches("'s").trim_end_matches("’s"))
            .flat_map(|piece| piece.split(|c: char| !c.is_alphanumeric()))
            .filter(|word| !word.is_empty())
            .take(WORDS_MAX)
            .map(str::to_owned)
            .collect();
        (text.is_empty() || !words.is_empty()).then(|| Self {
            archived: listed.archived,
            folded: words.iter().map(|word| fold_line(word)).collect(),
            words,
        })
    }

    /// Builds the tables and conditions after `FROM`, with their values; `hit` is the latest message that contains
    /// the words.
    fn source(&self) -> (String, Vec<Value>) {
        let mut source = String::from("conversations");
        let mut values: Vec<Value> = Vec::new();
        if self.words.is_empty() {
            source.push_str(" JOIN (SELECT NULL AS hit)");
        } else {
            source.push_str(
                " LEFT JOIN (SELECT conversation, max(n) AS hit FROM messages WHERE n IN
                    (SELECT rowid FROM messages_words WHERE messages_words MATCH ?)
                  GROUP BY conversation) AS hits ON hits.conversation = conversations.id",
            );
            values.push(match_expression(&self.words, &[], Join::AllBeginnings).into());
        }
        source.push_str(" WHERE deleted IS NULL AND id NOT IN (?, ?) AND instr(id, ?) <> 1");
        let unspoken = [DIRECT, BACKGROUND, conversation_prefix()];
        values.extend(unspoken.map(|one| one.to_owned().into()));
        if let Some(archived) = self.archived {
            source.push_str(" AND archived = ?");
            values.push(i64::from(archived).into());
        }
        if !self.folded.is_empty() {
            let each = vec!["instr(folded(title), ?) > 0"; self.folded.len()].join(" AND ");
            source.push_str(&format!(" AND (hit IS NOT NULL OR ({each}))"));
            values.extend(self.folded.iter().cloned().map(Value::from));
        }
        (source, values)
    }
}

/// Gives a conversation a permanent title.
pub(crate) fn rename(tx: &Tx<'_>, id: &ConversationId, title: &str) -> Result<()> {
    let rows = tx.execute(
        "UPDATE conversations SET title = ?2, titled = 1 WHERE id = ?1 AND deleted IS NULL",
        params![id.as_str(), cut(title, TITLE_BYTES_MAX)],
    )?;
    changed(tx, id, rows)
}

/// Pins or archives a conversation, or undoes either; `None` leaves that setting unchanged.
pub(crate) fn place(
    tx: &Tx<'_>,
    id: &ConversationId,
    pinned: Option<bool>,
    archived: Option<bool>,
) -> Result<()> {
    let rows = tx.execute(
        "UPDATE conversations SET pinned = coalesce(?2, pinned), archived = coalesce(?3, archived)
         WHERE id = ?1 AND deleted IS NULL",
        params![id.as_str(), pinned, archived],
    )?;
    changed(tx, id, rows)
}

/// Marks a conversation as deleted; it is no longer shown anywhere.
pub(crate) fn delete(tx: &Tx<'_>, id: &ConversationId, at: Timestamp) -> Result<()> {
    let rows = tx.execute(
        "UPDATE conversations SET deleted = ?2 WHERE id = ?1 AND deleted IS NULL",
        params![id.as_str(), micros(at)],
    )?;
    changed(tx, id, rows)
}

/// Restores a deleted conversation.
pub(crate) fn restore(tx: &Tx<'_>, id: &ConversationId) -> Result<()> {
    let rows = tx.execute(
        "UPDATE conversations SET deleted = NULL WHERE id = ?1 AND deleted IS NOT NULL",
        [id.as_str()],
    )?;
    changed(tx, id, rows)
}

/// Removes the conversations deleted before an instant, with their messages, turns and journal.
pub(crate) fn forget_deleted(tx: &Tx<'_>, before: Timestamp) -> Result<()> {
    tx.execute(
        "DELETE FROM conversations WHERE deleted < ?1",
        [micros(before)],
    )?;
    Ok(())
}

fn changed(tx: &Tx<'_>, id: &ConversationId, rows: usize) -> Result<()> {
    tx.touch(Topic::Conversations);
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

fn missing(id: &ConversationId) -> Fault {
    Fault::missing(format!("the conversation {id}"))
}
