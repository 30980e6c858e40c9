//! Actions that wait, or waited, for approval. What was shown is stored unchanged and never rewritten; only the state
//! changes, by compare-and-set.

use adjutant_domain::conversation::TurnEnd;
use adjutant_domain::gate::{ActionState, Channel, Hold, PendingAction};
use adjutant_domain::ids::{ActionId, ConversationId, RecordId};
use adjutant_domain::job::planned_for_action;
use adjutant_domain::record::{Kind, OutboxItem};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, name_of, optional, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tables::jobs;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
    format: 1,
    sql: "
    CREATE TABLE actions (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation TEXT NOT NULL,
        turn TEXT NOT NULL,
        step TEXT NOT NULL,
        tool TEXT NOT NULL,
        risk TEXT NOT NULL,
        digest TEXT NOT NULL CHECK (length(digest) > 0),
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'executing', 'succeeded', 'failed', 'unknown',
            'needs_person', 'denied', 'expired', 'superseded', 'cancelled')),
        channel TEXT,
        superseded_by TEXT,
        body TEXT NOT NULL CHECK (json_valid(body))
    ) STRICT;
    CREATE INDEX actions_state ON actions (state, conversation);
    ",
    },
    Migration {
        format: 8,
        sql: "ALTER TABLE actions ADD COLUMN waits_until INTEGER;",
    },
    Migration {
        format: 12,
        sql: "ALTER TABLE actions ADD COLUMN not_before INTEGER;",
    },
];

const COLUMNS: &str = "body, state, channel, superseded_by, waits_until, not_before";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<PendingAction> {
    let mut cells = Cells::new(row);
    let mut action: PendingAction = cells.json()?;
    action.state = cells.name()?;
    action.channel = cells
        .take::<Option<String>>()?
        .and_then(|name| serde_json::from_value(serde_json::Value::String(name)).ok());
    action.superseded_by = cells.optional_id()?;
    action.waits_until = cells.optional_time()?;
    action.not_before = cells.optional_time()?;
    Ok(action)
}

/// Stores a new action.
pub(crate) fn add(tx: &Tx<'_>, action: &PendingAction) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO actions (id, conversation, turn, step, tool, risk, digest, created, expires, state,
                channel, superseded_by, body, waits_until)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            action.id.as_str(),
            action.conversation.as_str(),
            action.turn.as_str(),
            action.step.as_str(),
            action.tool,
            action.risk.as_str(),
            action.digest.as_str(),
            micros(action.created),
            micros(action.expires),
            action.state.as_str(),
            action.channel.as_ref().map(name_of).transpose()?,
            action.superseded_by.as_ref().map(ActionId::as_str),
            json(action)?,
            optional(action.waits_until.map(micros))
        ])?;
    tx.touch(Topic::Actions);
    if rows == 1 {
        plan(tx, action)
    } else {
        Err(conflict(&action.id))
    }
}

/// Plans the jobs of an action and notifies the outbox, which lists the action while it waits. Part of the
/// transaction that moves it.
fn plan(tx: &Tx<'_>, action: &PendingAction) -> Result<()> {
    if action.waits_until.is_some() {
        tx.touch(Topic::Records(Kind::Outbox));
    }
    for planned in planned_for_action(action) {
        jobs::plan(tx, &planned)?;
    }
    Ok(())
}

/// Returns an action, or `None` if there is none with this id.
pub(crate) fn get(connection: &Connection, id: &ActionId) -> Result<Option<PendingAction>> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM actions WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()?)
}

/// Returns the actions in a state, or all if `state` is `None`, latest first.
pub(crate) fn list(
    connection: &Connection,
    state: Option<ActionState>,
    limit: Option<usize>,
) -> Result<Vec<PendingAction>> {
    let condition = if state.is_some() {
        "state = ?1"
    } else {
        "?1 IS NULL"
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM actions WHERE {condition} ORDER BY n DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(
        params![state.map(ActionState::as_str), super::limit(limit)],
        read,
    )?;
    Ok(readable(rows)?)
}

/// Returns the actions pending in a conversation, oldest first.
pub(crate) fn pending(connection: &Connection, id: &ConversationId) -> Result<Vec<PendingAction>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM actions WHERE state = 'pending' AND conversation = ?1 ORDER BY n"
    ))?;
    let rows = statement.query_map([id.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Highest number of pending actions read from other conversations to find an identical one there; any further ones
/// are ignored.
const ELSEWHERE_MAX: usize = 200;

/// Returns the actions pending in other conversations, latest first.
pub(crate) fn pending_elsewhere(
    connection: &Connection,
    id: &ConversationId,
) -> Result<Vec<PendingAction>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM actions WHERE state = 'pending' AND conversation <> ?1 ORDER BY n DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(
        params![id.as_str(), super::limit(Some(ELSEWHERE_MAX))],
        read,
    )?;
    Ok(readable(rows)?)
}

/// Returns the number of actions pending anywhere.
pub(crate) fn pending_count(connection: &Connection) -> Result<usize> {
    let count: i64 = connection
        .prepare_cached("SELECT count(*) FROM actions WHERE state = 'pending'")?
        .query_row([], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Moves exactly one action from one state to another, only along the transitions of the gate.
pub(crate) fn step(
    tx: &Tx<'_>,
    id: &ActionId,
    from: ActionState,
    to: ActionState,
    channel: Option<Channel>,
) -> Result<()> {
    if !from.may_become(to) {
        return Err(Fault::other(format!(
            "an action cannot go from {} to {}",
            from.as_str(),
            to.as_str()
        )));
    }
    let rows = tx
        .prepare_cached(
            "UPDATE actions SET state = ?3, channel = coalesce(?4, channel) WHERE id = ?1 AND state = ?2",
        )?
        .execute(params![
            id.as_str(),
            from.as_str(),
            to.as_str(),
            channel.as_ref().map(name_of).transpose()?
        ])?;
    tx.touch(Topic::Actions);
    match get(tx, id)? {
        Some(action) if rows == 1 => plan(tx, &action),
        Some(_) => Err(conflict(id)),
        None => Err(Fault::missing(format!("the action {id}"))),
    }
}

/// Stores the person's approval with its hold.
pub(crate) fn approve(
    tx: &Tx<'_>,
    id: &ActionId,
    channel: Channel,
    hold: Option<Hold>,
) -> Result<()> {
    tx.execute(
        "UPDATE actions SET not_before = ?2, waits_until = ?3 WHERE id = ?1 AND state = 'pending'",
        params![
            id.as_str(),
            optional(hold.map(|hold| micros(hold.not_before))),
            optional(hold.map(|hold| micros(hold.waits_until)))
        ],
    )?;
    let (from, to) = (ActionState::Pending, ActionState::Approved);
    step(tx, id, from, to, Some(channel))
}

/// Returns a claimed approval to waiting, because there was no way to reach the provider. Ends its hold, if it had
/// one.
pub(crate) fn wait(tx: &Tx<'_>, id: &ActionId, until: Timestamp) -> Result<()> {
    tx.execute(
        "UPDATE actions SET waits_until = coalesce(waits_until, ?2), not_before = NULL
            WHERE id = ?1 AND state = 'executing'",
        params![id.as_str(), micros(until)],
    )?;
    step(tx, id, ActionState::Executing, ActionState::Approved, None)
}

/// Returns the approved actions that wait, latest first.
pub(crate) fn waiting(connection: &Connection) -> Result<Vec<PendingAction>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM actions WHERE state = 'approved' AND waits_until IS NOT NULL ORDER BY n DESC"
    ))?;
    let rows = statement.query_map([], read)?;
    Ok(readable(rows)?)
}

/// Returns the outbox entry of an action that waits, or `None` if the identifier does not name one.
pub(crate) fn outbox_entry(connection: &Connection, id: &RecordId) -> Result<Option<OutboxItem>> {
    if !id.as_str().starts_with(ActionId::PREFIX) {
        return Ok(None);
    }
    let action = get(connection, &ActionId(id.0.clone()))?;
    Ok(action.and_then(|action| action.outbox_entry()))
}

/// Moves the actions at the end of a turn, and records the replacement of a superseded one if it is unambiguous.
pub(crate) fn step_all(tx: &Tx<'_>, end: &TurnEnd) -> Result<()> {
    for (id, from, to) in &end.actions {
        step(tx, id, *from, *to, None)?;
        if *to != ActionState::Superseded {
            continue;
        }
        let old = get(tx, id)?;
        let same_step = end.pending.iter().find(|new| {
            old.as_ref()
                .is_some_and(|old| old.tool == new.tool && old.step == new.step)
        });
        let same_tool = || {
            let old = old.as_ref()?;
            end.pending.iter().find(|new| new.tool == old.tool)
        };
        let successor = same_step
            .or_else(same_tool)
            .or(match end.pending.as_slice() {
                [only] => Some(only),
                _ => None,
            });
        if let Some(new) = successor {
            tx.execute(
                "UPDATE actions SET superseded_by = ?2 WHERE id = ?1",
                [id.as_str(), new.id.as_str()],
            )?;
        }
    }
    link_after_question(tx, end)
}

/// Links a change that first led to a question: the action made from the answer replaces the one of the turn before.
fn link_after_question(tx: &Tx<'_>, end: &TurnEnd) -> Result<()> {
    let asked = end.sets_aside.as_ref().unwrap_or(&end.turn);
    for new in &end.pending {
        tx.prepare_cached(
            "UPDATE actions SET superseded_by = ?1
             WHERE state = 'superseded' AND superseded_by IS NULL AND tool = ?2 AND conversation = ?3 AND turn =
                (SELECT id FROM turns WHERE conversation = ?3 AND n < (SELECT n FROM turns WHERE id = ?4)
                 ORDER BY n DESC LIMIT 1)",
        )?
        .execute(params![
            new.id.as_str(),
            new.tool,
            end.conversation.as_str(),
            asked.as_str()
        ])?;
    }
    Ok(())
}

/// Returns the rejected actions of a conversation that are not in the activity log yet, oldest first.
pub(crate) fn denied_without_effect(
    tx: &Tx<'_>,
    conversation: &ConversationId,
) -> Result<Vec<PendingAction>> {
    let mut statement = tx.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM actions WHERE state = 'denied' AND conversation = ?1
            AND NOT EXISTS (SELECT 1 FROM effects WHERE effects.action = actions.id) ORDER BY n"
    ))?;
    let rows = statement.query_map([conversation.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Expires the pending actions that waited too long and, with `approved`, also approved ones that were not claimed.
/// Returns those that expired.
pub(crate) fn expire(tx: &Tx<'_>, now: Timestamp, approved: bool) -> Result<Vec<PendingAction>> {
    let mut statement = tx.prepare_cached(&format!(
        "UPDATE actions SET state = 'expired' WHERE (state = 'pending' OR (?2 AND state = 'approved'))
            AND coalesce(waits_until, expires) <= ?1
            RETURNING {COLUMNS}"
    ))?;
    let rows = statement.query_map(params![micros(now), approved], read)?;
    let expired: Vec<PendingAction> = readable(rows)?;
    for action in &expired {
        plan(tx, action)?;
    }
    if !expired.is_empty() {
        tx.touch(Topic::Actions);
    }
    Ok(expired)
}

/// Cancels the actions that wait in a conversation that is being deleted, because nobody could answer them any more.
/// Returns those that had been approved.
pub(crate) fn cancel_in(tx: &Tx<'_>, conversation: &ConversationId) -> Result<Vec<PendingAction>> {
    let mut approved = Vec::new();
    for from in [ActionState::Pending, ActionState::Approved] {
        let mut statement = tx.prepare_cached(&format!(
            "UPDATE actions SET state = 'cancelled' WHERE state = ?2 AND conversation = ?1 RETURNING {COLUMNS}"
        ))?;
        let rows = statement.query_map([conversation.as_str(), from.as_str()], read)?;
        let cancelled: Vec<PendingAction> = readable(rows)?;
        for action in &cancelled {
            plan(tx, action)?;
        }
        if from == ActionState::Approved {
            approved = cancelled;
        }
    }
    tx.touch(Topic::Actions);
    Ok(approved)
}

fn conflict(id: &ActionId) -> Fault {
    Fault::conflict(format!("the action {id}"))
}
