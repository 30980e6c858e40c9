//! Attempts at operations outside storage, recorded before they begin.

use adjutant_domain::ids::ActionId;
use adjutant_domain::operation::{Attempt, Attempts, Beginning, Ended, Ending, Key, Tried};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 8,
    sql: "
    CREATE TABLE attempts (
        n INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number >= 1),
        turn TEXT NOT NULL,
        action TEXT,
        started INTEGER NOT NULL,
        ended INTEGER,
        outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome)),
        open INTEGER NOT NULL CHECK (open IN (0, 1)),
        body TEXT NOT NULL CHECK (json_valid(body)),
        UNIQUE (key, number)
    ) STRICT;
    CREATE INDEX attempts_open ON attempts (n) WHERE open = 1;
    CREATE INDEX attempts_turn ON attempts (turn);
    CREATE INDEX attempts_action ON attempts (action) WHERE action IS NOT NULL;
    ",
}];

/// Highest number of attempts read at once; a turn carries out fewer operations.
const READ_MAX: usize = 1_000;

const COLUMNS: &str = "body, started, ended, outcome, open";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Tried> {
    let mut cells = Cells::new(row);
    let begun: Beginning = cells.json()?;
    Ok(Tried {
        attempt: Attempt {
            key: begun.key.clone(),
            number: begun.number,
            started: cells.time()?,
            ended: cells.optional_time()?,
            outcome: cells.lenient_json()?,
        },
        open: cells.take()?,
        begun,
    })
}

/// Records an attempt.
pub(crate) fn add(tx: &Tx<'_>, begin: &Beginning) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO attempts (key, number, turn, action, started, open, body)
                VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)",
        )?
        .execute(params![
            begin.key.as_str(),
            begin.number,
            begin.turn.as_str(),
            begin.claim.as_ref().map(|action| action.0.as_str()),
            micros(begin.at),
            json(begin)?
        ])?;
    tx.touch(Topic::Effects);
    if rows == 1 {
        Ok(())
    } else {
        Err(conflict(&begin.key))
    }
}

/// Stores an outcome unless a certain one is stored already. Returns the beginning of the attempt.
pub(crate) fn end(tx: &Tx<'_>, end: &Ending) -> Result<Beginning> {
    let open = matches!(end.ended, Ended::Unknown { .. }) && !end.needs_person;
    let body: Option<String> = tx
        .prepare_cached(
            "UPDATE attempts SET ended = ?3, outcome = ?4, open = ?5 WHERE key = ?1 AND number = ?2 AND open = 1
                RETURNING body",
        )?
        .query_row(
            params![
                end.key.as_str(),
                end.number,
                micros(end.at),
                json(&end.ended)?,
                open
            ],
            |row| row.get(0),
        )
        .optional()?;
    tx.touch(Topic::Effects);
    let body = body.ok_or_else(|| conflict(&end.key))?;
    Ok(serde_json::from_str(&body)?)
}

/// Notes that the attempts at an operation belong to an action that was stored after they began.
pub(crate) fn belongs_to(tx: &Tx<'_>, key: &Key, action: &ActionId) -> Result<()> {
    tx.prepare_cached("UPDATE attempts SET action = ?2 WHERE key = ?1")?
        .execute([key.as_str(), action.as_str()])?;
    Ok(())
}

/// Returns the last attempt of each operation, oldest first.
pub(crate) fn list(connection: &Connection, which: &Attempts) -> Result<Vec<Tried>> {
    let (condition, value) = match which {
        Attempts::Open => ("open = 1 AND ?1 IS NULL", None),
        Attempts::Turn(turn) => ("turn = ?1", Some(turn.as_str())),
        Attempts::Action(action) => ("action = ?1", Some(action.as_str())),
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM attempts AS a WHERE {condition} AND number =
            (SELECT max(number) FROM attempts AS b WHERE b.key = a.key) ORDER BY n LIMIT ?2"
    ))?;
    let rows = statement.query_map(params![value, super::limit(Some(READ_MAX))], read)?;
    Ok(readable(rows)?)
}

fn conflict(key: &Key) -> Fault {
    Fault::conflict(format!("the operation {}", key.as_str()))
}
