//! Calls to models, one row per call, which is also its trace: reserved before the call, settled after it. `spend`
//! sums the costs by day, so that old rows can be deleted.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{
    CallRecord, CallState, OverLimit, Purpose, Reservation, SpendLimits, Spent, Usage,
};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::spend::{self, Entry};
use crate::cells::{Cells, micros, name_of, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 2,
    sql: "
    CREATE TABLE calls (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        zoned TEXT NOT NULL,
        day TEXT NOT NULL,
        turn TEXT,
        stage TEXT NOT NULL,
        tier TEXT NOT NULL,
        purpose TEXT NOT NULL,
        model TEXT NOT NULL,
        prompt TEXT NOT NULL,
        input_chars INTEGER NOT NULL CHECK (input_chars >= 0),
        worst INTEGER NOT NULL CHECK (worst >= 0),
        state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'cancelled', 'lost')),
        input INTEGER NOT NULL DEFAULT 0 CHECK (input >= 0),
        output INTEGER NOT NULL DEFAULT 0 CHECK (output >= 0),
        cost INTEGER NOT NULL DEFAULT 0 CHECK (cost >= 0),
        estimated INTEGER NOT NULL DEFAULT 0 CHECK (estimated IN (0, 1)),
        first_ms INTEGER,
        ms INTEGER NOT NULL DEFAULT 0 CHECK (ms >= 0),
        fault TEXT
    ) STRICT;
    CREATE INDEX calls_turn ON calls (turn, n) WHERE turn IS NOT NULL;
    CREATE INDEX calls_running ON calls (n) WHERE state = 'running';
    ",
}];

/// Number of the first call this process reserved; lower numbers belong to processes that have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstCall(Arc<AtomicI64>);

impl FirstCall {
    pub(crate) fn note(&self, n: i64) {
        // Numbers begin at 1, so 0 means none yet; only the first number is kept.
        let _ = self
            .0
            .compare_exchange(0, n, Ordering::SeqCst, Ordering::SeqCst);
    }

    pub(crate) fn get(&self) -> Option<i64> {
        Some(self.0.load(Ordering::SeqCst)).filter(|n| *n > 0)
    }
}

/// Highest number of calls kept. The oldest go first; their cost stays in the sums by day.
pub const CALL_ROWS_MAX: i64 = 20_000;
/// Longest text kept in a column of a call, in bytes.
const TEXT_BYTES_MAX: usize = 2_000;

const COLUMNS: &str = "n, zoned, at, turn, stage, tier, purpose, model, prompt, input_chars, worst, state, input, \
    output, cost, estimated, first_ms, ms, fault";

/// Reserves the worst-case cost in the day's sums, or returns the limit that forbids it.
pub(crate) fn reserve(
    tx: &Tx<'_>,
    wanted: &Reservation,
    limits: SpendLimits,
) -> Result<std::result::Result<i64, OverLimit>> {
    let day = spend::day_of(tx, wanted.at.date())?;
    if let Some(over) = spend::over(tx, day, wanted, limits)? {
        return Ok(Err(over));
    }
    let model = cut(&wanted.model);
    tx.prepare_cached(
        "INSERT INTO calls (at, zoned, day, turn, stage, tier, purpose, model, prompt, input_chars, worst, state)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'running')",
    )?
    .execute(params![
        micros(wanted.at.timestamp()),
        wanted.at.to_string(),
        day.to_string(),
        wanted.turn.as_ref().map(TurnId::as_str),
        wanted.stage.name(),
        wanted.tier.name(),
        name_of(&wanted.purpose)?,
        model,
        cut(&wanted.prompt),
        spend::stored(wanted.input_chars),
        spend::stored(wanted.worst_micros),
    ])?;
    let n = tx.last_insert_rowid();
    spend::add(
        tx,
        &Entry {
            day,
            stage: wanted.stage.name().to_owned(),
            model: model.to_owned(),
            purpose: wanted.purpose,
        },
        &spend::Change {
            calls: 1,
            reserved: spend::stored(wanted.worst_micros),
            ..spend::Change::default()
        },
    )?;
    tx.prepare_cached("DELETE FROM calls WHERE n <= ?1 AND state != 'running'")?
        .execute([n - CALL_ROWS_MAX])?;
    tx.touch(Topic::Calls);
    Ok(Ok(n))
}

/// Records what a call cost and releases the rest of its reservation. A call that was given up as lost but has ended
/// after all is settled too; a settled call stays as it is.
pub(crate) fn settle(tx: &Tx<'_>, n: i64, spent: &Spent) -> Result<()> {
    if spent.state == CallState::Running {
        return Err(Fault::other("a call is not settled while it runs"));
    }
    let Some(held) = held(tx, n)? else {
        return Err(Fault::missing(format!("the call {n}")));
    };
    let (worst, lost) = match held.state {
        CallState::Running => (held.worst, false),
        CallState::Lost => (held.worst, true),
        _ => return Err(Fault::conflict(format!("the call {n}"))),
    };
    let cost = if spent.state == CallState::Lost {
        worst
    } else {
        spend::stored(spent.usage.cost_micros)
    };
    tx.prepare_cached(
        "UPDATE calls SET state = ?2, input = ?3, output = ?4, cost = ?5, estimated = ?6, first_ms = ?7, ms = ?8,
            fault = ?9 WHERE n = ?1",
    )?
    .execute(params![
        n,
        name_of(&spent.state)?,
        spend::stored(spent.usage.input),
        spend::stored(spent.usage.output),
        cost,
        spent.usage.estimated,
        spent.first_ms.map(spend::stored),
        spend::stored(spent.ms),
        spent.fault.as_deref().map(cut),
    ])?;
    let failed = |state| i64::from(matches!(state, CallState::Failed | CallState::Lost));
    spend::add(
        tx,
        &held.entry,
        &spend::Change {
            failed: failed(spent.state) - i64::from(lost),
            input: spend::stored(spent.usage.input),
            output: spend::stored(spent.usage.output),
            cost: if lost { cost - worst } else { cost },
            reserved: if lost { 0 } else { -worst },
            ..spend::Change::default()
        },
    )?;
    tx.touch(Topic::Calls);
    Ok(())
}

/// Gives up the calls of processes that ended in the middle. Their worst case stays spent, because nobody knows the
/// real cost. These are the running calls reserved before an instant or before the first call of this process
/// (`first`); the latter catches them even if the clock went back in between.
pub(crate) fn settle_lost(tx: &Tx<'_>, before: Timestamp, first: Option<i64>) -> Result<usize> {
    let numbers: Vec<i64> = tx
        .prepare_cached(
            "SELECT n FROM calls WHERE state = 'running' AND (at < ?1 OR n < coalesce(?2, n + 1)) ORDER BY n",
        )?
        .query_map(params![micros(before), first], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for n in &numbers {
        let lost = Spent {
            state: CallState::Lost,
            usage: Usage {
                estimated: true,
                ..Usage::default()
            },
            first_ms: None,
            ms: 0,
            fault: Some("Adjutant closed before the answer was complete".into()),
        };
        settle(tx, *n, &lost)?;
    }
    Ok(numbers.len())
}

/// Returns calls, newest first; only those of one turn if it is given.
pub(crate) fn list(
    connection: &Connection,
    turn: Option<&TurnId>,
    limit: usize,
) -> Result<Vec<CallRecord>> {
    let condition = if turn.is_some() {
        "turn = ?1"
    } else {
        "?1 IS NULL"
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM calls WHERE {condition} ORDER BY n DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(
        params![turn.map(TurnId::as_str), super::limit(Some(limit))],
        read,
    )?;
    Ok(readable(rows)?)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<CallRecord> {
    let mut cells = Cells::new(row);
    let id = cells.take()?;
    let zoned: String = cells.take()?;
    let at = cells.time()?;
    // A zone that no longer exists must not make the call unreadable.
    let at = zoned
        .parse()
        .unwrap_or_else(|_| at.to_zoned(jiff::tz::TimeZone::UTC));
    let reserved = Reservation {
        at,
        turn: cells.optional_id()?,
        stage: cells.name()?,
        tier: cells.name()?,
        purpose: cells.name()?,
        model: cells.take()?,
        prompt: cells.take()?,
        input_chars: spend::read(cells.take()?),
        worst_micros: spend::read(cells.take()?),
    };
    let state: CallState = cells.name()?;
    let spent = Spent {
        state,
        usage: Usage {
            input: spend::read(cells.take()?),
            output: spend::read(cells.take()?),
            cost_micros: spend::read(cells.take()?),
            estimated: cells.take()?,
        },
        first_ms: cells.take::<Option<i64>>()?.map(spend::read),
        ms: spend::read(cells.take()?),
        fault: cells.take()?,
    };
    Ok(CallRecord {
        id,
        reserved,
        spent: (state != CallState::Running).then_some(spent),
    })
}

/// The parts of a call needed to settle it.
struct Held {
    state: CallState,
    worst: i64,
    entry: Entry,
}

fn held(tx: &Tx<'_>, n: i64) -> Result<Option<Held>> {
    let found = tx
        .prepare_cached("SELECT state, worst, day, stage, model, purpose FROM calls WHERE n = ?1")?
        .query_row([n], |row| {
            let mut cells = Cells::new(row);
            Ok((
                cells.name::<CallState>()?,
                cells.take::<i64>()?,
                cells.take::<String>()?,
                cells.take::<String>()?,
                cells.take::<String>()?,
                cells.name::<Purpose>()?,
            ))
        })
        .optional()?;
    found
        .map(|(state, worst, day, stage, model, purpose)| {
            let day: Date = day
                .parse()
                .map_err(|error| Fault::other(format!("the day of a call: {error}")))?;
            Ok(Held {
                state,
                worst,
                entry: Entry {
                    day,
                    stage,
                    model,
                    purpose,
                },
            })
        })
        .transpose()
}

/// Truncates text from outside to a bounded length.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}
