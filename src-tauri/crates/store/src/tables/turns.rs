//! Turns with the current state of their plan.

use adjutant_domain::conversation::{Turn, TurnState};
use adjutant_domain::ids::{ConversationId, TurnId};
use adjutant_domain::plan::Plan;
use adjutant_domain::route::Route;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, name_of, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        format: 1,
        sql: "
    CREATE TABLE turns (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        text TEXT NOT NULL,
        at INTEGER NOT NULL,
        state TEXT NOT NULL
            CHECK (state IN ('open', 'waiting', 'done', 'interrupted', 'failed', 'set_aside')),
        route TEXT CHECK (route IS NULL OR json_valid(route)),
        plan TEXT CHECK (plan IS NULL OR json_valid(plan)),
        answer TEXT
    ) STRICT;
    CREATE INDEX turns_conversation ON turns (conversation, n);
    CREATE INDEX turns_unfinished ON turns (state, conversation) WHERE state IN ('open', 'waiting');
    ",
    },
    Migration {
        format: 16,
        sql: "
    ALTER TABLE turns ADD COLUMN instead_of TEXT;
    CREATE INDEX turns_instead ON turns (conversation) WHERE instead_of IS NOT NULL;
    ",
    },
];

const COLUMNS: &str = "id, conversation, text, at, instead_of, state, route, plan, answer";

/// Selects the turns of conversation `?1` that a later one replaced: the one asked again, and all between the two.
pub(crate) const REPLACED: &str = "SELECT old.id
    FROM turns new
    CROSS JOIN turns first ON first.id = new.instead_of AND first.conversation = new.conversation
    CROSS JOIN turns old ON old.conversation = new.conversation AND old.n >= first.n AND old.n < new.n
    WHERE new.conversation = ?1 AND new.instead_of IS NOT NULL";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Turn> {
    let mut cells = Cells::new(row);
    Ok(Turn {
        id: cells.id()?,
        conversation: cells.id()?,
        text: cells.take()?,
        at: cells.time()?,
        instead_of: cells.optional_id()?,
        state: cells.name()?,
        route: cells.lenient_json()?,
        plan: cells.lenient_json()?,
        answer: cells.take()?,
    })
}

/// Stores a new turn.
pub(crate) fn add(tx: &Tx<'_>, turn: &Turn) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO turns (id, conversation, text, at, instead_of, state, route, plan, answer)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            turn.id.as_str(),
            turn.conversation.as_str(),
            turn.text,
            micros(turn.at),
            turn.instead_of.as_ref().map(TurnId::as_str),
            name_of(&turn.state)?,
            turn.route.as_ref().map(json).transpose()?,
            turn.plan.as_ref().map(json).transpose()?,
            turn.answer
        ])?;
    tx.touch(Topic::Conversations);
    if rows == 1 {
        Ok(())
    } else {
        Err(Fault::conflict(format!("the turn {}", turn.id)))
    }
}

/// Returns a turn, or `None` if there is none with this id.
pub(crate) fn get(connection: &Connection, id: &TurnId) -> Result<Option<Turn>> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM turns WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()?)
}

/// Returns the turns of a conversation, or with `None` those of every conversation not deleted, latest first.
pub(crate) fn list(
    connection: &Connection,
    conversation: Option<&ConversationId>,
    limit: Option<usize>,
) -> Result<Vec<Turn>> {
    let condition = match conversation {
        Some(_) => "conversation = ?1",
        None => {
            "?1 IS NULL
             AND conversation NOT IN (SELECT id FROM conversations WHERE deleted IS NOT NULL)"
        }
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM turns WHERE {condition} ORDER BY n DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(
        params![
            conversation.map(ConversationId::as_str),
            super::limit(limit)
        ],
        read,
    )?;
    Ok(readable(rows)?)
}

/// Returns the turns of a conversation in which somebody said something, latest first.
pub(crate) fn with_words(
    connection: &Connection,
    conversation: &ConversationId,
    limit: Option<usize>,
) -> Result<Vec<Turn>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM turns WHERE conversation = ?1 AND (text <> '' OR coalesce(answer, '') <> '')
         ORDER BY n DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(params![conversation.as_str(), super::limit(limit)], read)?;
    Ok(readable(rows)?)
}

/// Returns the latest turn of a conversation that waits for the person.
pub(crate) fn waiting(connection: &Connection, id: &ConversationId) -> Result<Option<Turn>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM turns WHERE state = 'waiting' AND conversation = ?1
             ORDER BY n DESC LIMIT 1"
        ))?
        .query_row([id.as_str()], read)
        .optional()?)
}

/// Whether a later turn has replaced a turn.
pub(crate) fn is_replaced(
    connection: &Connection,
    conversation: &ConversationId,
    id: &TurnId,
) -> Result<bool> {
    Ok(connection
        .prepare_cached(&format!("SELECT ?2 IN ({REPLACED})"))?
        .query_row(params![conversation.as_str(), id.as_str()], |row| {
            row.get(0)
        })?)
}

/// Returns the turns that a killed process left open, oldest first.
pub(crate) fn open(connection: &Connection) -> Result<Vec<Turn>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM turns WHERE state = 'open' ORDER BY n"
    ))?;
    let rows = statement.query_map([], read)?;
    Ok(readable(rows)?)
}

/// Moves exactly one turn from one of the states in `from` to another state.
pub(crate) fn step(tx: &Tx<'_>, id: &TurnId, from: &[TurnState], to: TurnState) -> Result<()> {
    let names = from
        .iter()
        .map(|state| Ok(format!("'{}'", name_of(state)?)))
        .collect::<Result<Vec<_>>>()?
        .join(", ");
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE turns SET state = ?2 WHERE id = ?1 AND state IN ({names})"
        ))?
        .execute(params![id.as_str(), name_of(&to)?])?;
    tx.touch(Topic::Conversations);
    if rows == 1 {
        return Ok(());
    }
    Err(if get(tx, id)?.is_none() {
        missing(id)
    } else {
        Fault::conflict(format!("the turn {id}"))
    })
}

/// Stores the given parts of route, plan and answer; a `None` part stays unchanged.
pub(crate) fn fill(
    tx: &Tx<'_>,
    id: &TurnId,
    route: Option<&Route>,
    plan: Option<&Plan>,
    answer: Option<&str>,
) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "UPDATE turns SET route = coalesce(?2, route), plan = coalesce(?3, plan),
                answer = coalesce(?4, answer) WHERE id = ?1",
        )?
        .execute(params![
            id.as_str(),
            route.map(json).transpose()?,
            plan.map(json).transpose()?,
            answer
        ])?;
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

/// Returns the state of a turn.
pub(crate) fn state(connection: &Connection, id: &TurnId) -> Result<Option<TurnState>> {
    Ok(connection
        .prepare_cached("SELECT state FROM turns WHERE id = ?1")?
        .query_row([id.as_str()], |row| Cells::new(row).name())
        .optional()?)
}

fn missing(id: &TurnId) -> Fault {
    Fault::missing(format!("the turn {id}"))
}
