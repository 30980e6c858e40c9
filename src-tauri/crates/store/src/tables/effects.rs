//! Effects: the activity log with receipts and inverses. Rows change in only two ways after they are added: an
//! unknown outcome becomes certain, and an effect is undone, all at once or part by part.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::conversation::{Effect, EffectCommit, Receipt};
use adjutant_domain::gate::{PendingAction, Unasked};
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, GrantId, StepKey, TurnId};
use adjutant_domain::operation::Beginning;
use adjutant_domain::operation::ReceiptRow;
use adjutant_domain::record::{Mail, Record};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, readable};
use crate::fault::{Fault, Result};
use crate::tables::{Migration, actions};
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
    format: 1,
    sql: "
    CREATE TABLE effects (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        conversation TEXT NOT NULL,
        turn TEXT NOT NULL,
        step TEXT NOT NULL,
        tool TEXT NOT NULL,
        args TEXT NOT NULL CHECK (json_valid(args)),
        outcome TEXT NOT NULL CHECK (outcome IN ('succeeded', 'failed', 'unknown', 'denied')),
        say TEXT NOT NULL,
        receipt TEXT CHECK (receipt IS NULL OR json_valid(receipt)),
        inverse TEXT CHECK (inverse IS NULL OR json_valid(inverse)),
        action TEXT,
        undone_by TEXT,
        undoes TEXT UNIQUE
    ) STRICT;
    CREATE INDEX effects_turn ON effects (turn);
    CREATE INDEX effects_action ON effects (action) WHERE action IS NOT NULL;
    ",
    },
    Migration {
        format: 14,
        // Allows several effects to undo parts of one.
        sql: "
    CREATE TABLE effects_now (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        conversation TEXT NOT NULL,
        turn TEXT NOT NULL,
        step TEXT NOT NULL,
        tool TEXT NOT NULL,
        args TEXT NOT NULL CHECK (json_valid(args)),
        outcome TEXT NOT NULL CHECK (outcome IN ('succeeded', 'failed', 'unknown', 'denied')),
        say TEXT NOT NULL,
        receipt TEXT CHECK (receipt IS NULL OR json_valid(receipt)),
        inverse TEXT CHECK (inverse IS NULL OR json_valid(inverse)),
        action TEXT,
        undone_by TEXT,
        undoes TEXT
    ) STRICT;
    INSERT INTO effects_now (n, id, at, conversation, turn, step, tool, args, outcome, say, receipt, inverse, action,
            undone_by, undoes)
        SELECT n, id, at, conversation, turn, step, tool, args, outcome, say, receipt, inverse, action, undone_by, undoes
        FROM effects;
    DROP TABLE effects;
    ALTER TABLE effects_now RENAME TO effects;
    CREATE INDEX effects_turn ON effects (turn);
    CREATE INDEX effects_action ON effects (action) WHERE action IS NOT NULL;
    CREATE INDEX effects_undoes ON effects (undoes) WHERE undoes IS NOT NULL;
    ",
    },
    Migration {
        format: 22,
        sql: "ALTER TABLE effects ADD COLUMN grant_id TEXT;",
    },
];

/// The columns of an effect. It is partly undone if it is not undone, and part of what its step did is.
const COLUMNS: &str = "id, at, conversation, turn, step, tool, args, outcome, say, receipt, inverse, action, undone_by, undoes,
    grant_id, undone_by IS NULL AND EXISTS (SELECT 1 FROM effects AS other JOIN effects AS part ON part.undoes = other.id
        WHERE other.turn = effects.turn AND other.step = effects.step)";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Effect> {
    let mut cells = Cells::new(row);
    let mut effect = Effect {
        id: cells.id()?,
        at: cells.time()?,
        conversation: cells.id()?,
        turn: cells.id()?,
        step: cells.id()?,
        tool: cells.take()?,
        args: cells.json()?,
        outcome: cells.take()?,
        say: cells.take()?,
        receipt: cells.lenient_json()?,
        inverse: cells.lenient_json()?,
        action: cells.optional_id()?,
        undone_by: cells.optional_id()?,
        undoes: cells.optional_id()?,
        grant: cells.optional_id()?,
        partly_undone: cells.take()?,
    };
    // Older versions recorded inverses that would queue an approved mail again.
    effect.inverse = effect
        .inverse
        .filter(|_| effect.undone_by.is_none())
        .and_then(without_approvals);
    Ok(effect)
}

/// Adds the effect carried out in this transaction.
pub(crate) fn add(
    tx: &Tx<'_>,
    commit: &EffectCommit,
    receipt: &Receipt,
    inverse: Option<&Change>,
) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO effects (id, at, conversation, turn, step, tool, args, outcome, say, receipt, inverse,
                action, undoes, grant_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'succeeded', ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            commit.id.as_str(),
            micros(commit.at),
            commit.conversation.as_str(),
            commit.turn.as_str(),
            commit.step.as_str(),
            commit.tool,
            json(&commit.args)?,
            commit.say,
            json(receipt)?,
            inverse.map(json).transpose()?,
            commit.claim.as_ref().map(|action| action.0.as_str()),
            commit.undoes.as_ref().map(EffectId::as_str),
            commit.unasked.iter().find_map(granted)
        ])?;
    tx.touch(Topic::Effects);
    if rows == 1 {
        Ok(())
    } else {
        Err(Fault::conflict(format!("the effect {}", commit.id)))
    }
}

fn granted(run: &Unasked) -> Option<&str> {
    run.grant.as_ref().map(GrantId::as_str)
}

/// How an operation outside storage ended, as the activity log stores it, apart from the text it shows.
pub(crate) struct Settled {
    /// `succeeded`, `failed` or `unknown`.
    pub(crate) outcome: &'static str,
    pub(crate) receipt: Option<Receipt>,
    pub(crate) inverse: Option<Change>,
    /// The effect it has undone.
    pub(crate) undoes: Option<EffectId>,
}

impl Settled {
    pub(crate) fn without_proof(outcome: &'static str) -> Self {
        Self {
            outcome,
            receipt: None,
            inverse: None,
            undoes: None,
        }
    }
}

/// Stores how an operation outside storage ended; an outcome that was unknown before becomes certain.
pub(crate) fn settle(
    tx: &Tx<'_>,
    begun: &Beginning,
    say: &str,
    settled: &Settled,
    at: Timestamp,
) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "INSERT INTO effects (id, at, conversation, turn, step, tool, args, outcome, say, receipt, action, inverse,
                undoes, grant_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
                ON CONFLICT (id) DO UPDATE SET at = ?2, outcome = ?8, say = ?9, receipt = ?10, inverse = ?12, undoes = ?13
                    WHERE effects.outcome = 'unknown'",
        )?
        .execute(params![
            begun.key.as_str(),
            micros(at),
            begun.conversation.as_str(),
            begun.turn.as_str(),
            begun.step.as_str(),
            begun.tool,
            json(&begun.args)?,
            settled.outcome,
            say,
            settled.receipt.as_ref().map(json).transpose()?,
            begun.claim.as_ref().map(|action| action.0.as_str()),
            settled.inverse.as_ref().map(json).transpose()?,
            settled.undoes.as_ref().map(EffectId::as_str),
            begun.unasked.as_ref().and_then(granted)
        ])?;
    tx.touch(Topic::Effects);
    if rows == 1 {
        Ok(())
    } else {
        Err(Fault::conflict(format!(
            "the effect {}",
            begun.key.as_str()
        )))
    }
}

/// Adds each rejected action of a conversation to the activity log, once.
pub(crate) fn add_denied(tx: &Tx<'_>, conversation: &ConversationId, at: Timestamp) -> Result<()> {
    for action in actions::denied_without_effect(tx, conversation)? {
        let say = format!("Rejected, nothing done: {}", action.card.title);
        add_not_done(tx, &action, "denied", &say, at)?;
    }
    Ok(())
}

/// Adds an action that was not carried out to the activity log, unless its operations have an entry there.
pub(crate) fn add_not_done(
    tx: &Tx<'_>,
    action: &PendingAction,
    outcome: &str,
    say: &str,
    at: Timestamp,
) -> Result<()> {
    // Reuse the characters of the action's id: randomly drawn effect ids never collide with it, and the action cannot
    // be added twice.
    let letters = action.id.as_str().trim_start_matches(ActionId::PREFIX);
    let id = format!("{}{letters}", EffectId::PREFIX);
    let args = match action.calls.as_slice() {
        [call] => call.args.clone(),
        calls => calls.iter().map(|call| call.args.clone()).collect(),
    };
    tx.prepare_cached(
        "INSERT OR IGNORE INTO effects (id, at, conversation, turn, step, tool, args, outcome, say, action)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
            WHERE NOT EXISTS (SELECT 1 FROM effects WHERE action = ?10)",
    )?
    .execute(params![
        id,
        micros(at),
        action.conversation.as_str(),
        action.turn.as_str(),
        action.step.as_str(),
        action.tool,
        json(&args)?,
        outcome,
        say,
        action.id.as_str()
    ])?;
    tx.touch(Topic::Effects);
    Ok(())
}

/// Returns an effect, or `None` if there is none with this id.
pub(crate) fn get(connection: &Connection, id: &EffectId) -> Result<Option<Effect>> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM effects WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()?)
}

/// Returns the latest effect of a conversation that can be undone and is not itself an undo.
pub(crate) fn latest_undoable(
    connection: &Connection,
    conversation: &ConversationId,
) -> Result<Option<Effect>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM effects WHERE conversation = ?1 AND inverse IS NOT NULL AND undoes IS NULL
                AND undone_by IS NULL AND tool NOT IN ('undo', 'outbox.draft') ORDER BY n DESC LIMIT 1"
        ))?
        .query_row([conversation.as_str()], read)
        .optional()?)
}

/// Returns effects, latest first.
pub(crate) fn list(connection: &Connection, limit: Option<usize>) -> Result<Vec<Effect>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM effects ORDER BY n DESC LIMIT ?1"
    ))?;
    let rows = statement.query_map([super::limit(limit)], read)?;
    Ok(readable(rows)?)
}

/// Returns the effects of a turn except rejected ones, oldest first.
pub(crate) fn of_turn(connection: &Connection, turn: &TurnId) -> Result<Vec<Effect>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM effects WHERE turn = ?1 AND outcome <> 'denied' ORDER BY n"
    ))?;
    let rows = statement.query_map([turn.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Returns the effects of a step except rejected ones, latest first.
pub(crate) fn of_step(
    connection: &Connection,
    turn: &TurnId,
    step: &StepKey,
) -> Result<Vec<Effect>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM effects WHERE turn = ?1 AND step = ?2 AND outcome <> 'denied' ORDER BY n DESC"
    ))?;
    let rows = statement.query_map([turn.as_str(), step.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Uses up the part that a change carries out of the inverses of a step's effects; after its last part an effect is
/// undone. Returns `false` if that part is already used, or if the change carries out no part of them. `left` are the
/// rows as the change has left them.
pub(crate) fn use_inverse(
    tx: &Tx<'_>,
    undone: &EffectId,
    by: &EffectId,
    (done, left): (&Change, &[ReceiptRow]),
) -> Result<bool> {
    let Some(effect) = get(tx, undone)? else {
        return Err(Fault::missing(format!("the effect {undone}")));
    };
    let mut inverses: Vec<(EffectId, Change)> = of_step(tx, &effect.turn, &effect.step)?
        .into_iter()
        .filter_map(|effect| Some((effect.id, effect.inverse?)))
        .collect();
    let wanted = |op: &RowOp| {
        let mut all = inverses.iter().flat_map(|(_, inverse)| &inverse.ops);
        all.any(|one| is_same_row(one, op))
    };
    if done.ops.is_empty() || !done.ops.iter().all(wanted) {
        return Ok(false);
    }
    for (id, rest) in &mut inverses {
        use_part(tx, (id, rest), by, (done, left))?;
    }
    tx.touch(Topic::Effects);
    Ok(true)
}

/// Takes what a change carries out from the inverse of one effect.
fn use_part(
    tx: &Tx<'_>,
    (undone, rest): (&EffectId, &mut Change),
    by: &EffectId,
    (done, left): (&Change, &[ReceiptRow]),
) -> Result<()> {
    let before = rest.clone();
    for op in &done.ops {
        rest.ops
            .retain(|wanted| !(is_same_row(wanted, op) && completes(op, wanted)));
        for wanted in rest.ops.iter_mut().filter(|one| is_same_row(one, op)) {
            let now = left.iter().find(|row| row.id == op.id().0);
            expect_as_left(wanted, now);
        }
    }
    if rest.ops.is_empty() {
        tx.prepare_cached("UPDATE effects SET undone_by = ?2 WHERE id = ?1")?
            .execute([undone.as_str(), by.as_str()])?;
    } else if *rest != before {
        tx.prepare_cached("UPDATE effects SET inverse = ?2 WHERE id = ?1")?
            .execute([undone.as_str(), &json(rest)?])?;
    }
    Ok(())
}

fn is_same_row(one: &RowOp, other: &RowOp) -> bool {
    one.kind() == other.kind() && one.id() == other.id()
}

/// Whether an operation leaves a row the way the inverse wants it, or the way an earlier effect of the step found it. A
/// mail is marked first and moved afterwards, so that takes two operations on one row.
fn completes(op: &RowOp, wanted: &RowOp) -> bool {
    match (op, mail_of(op), mail_of(wanted)) {
        (_, Some(now), Some(then)) => now.folder == then.folder,
        (RowOp::Delete { .. }, ..) => true,
        _ => !matches!(wanted, RowOp::Delete { .. }),
    }
}

fn mail_of(op: &RowOp) -> Option<&Mail> {
    match op {
        RowOp::Put { record, .. } => match record.as_ref() {
            Record::Mail(mail) => Some(mail),
            _ => None,
        },
        RowOp::Delete { .. } | RowOp::Mark { .. } => None,
    }
}

/// Makes the rest of an inverse expect the version that the part already carried out has left.
fn expect_as_left(wanted: &mut RowOp, now: Option<&ReceiptRow>) {
    let version = now.and_then(|row| row.version);
    if let (RowOp::Put { expect, .. }, Some(version)) = (wanted, version) {
        *expect = Expect::Version(version);
    }
}

/// Returns the inverse without approvals. A mail that was on its way comes back as a draft if its row is gone; if the
/// row still exists, the whole inverse is dropped.
pub(crate) fn without_approvals(inverse: Change) -> Option<Change> {
    let mut ops = Vec::with_capacity(inverse.ops.len());
    for op in inverse.ops {
        ops.push(match op {
            RowOp::Put { record, expect } => match (*record, expect) {
                (Record::Outbox(item), Expect::Version(_)) if item.state.says_approved() => {
                    return None;
                }
                (Record::Outbox(item), expect) if item.state.says_approved() => RowOp::Put {
                    record: Box::new(Record::Outbox(item.into_draft())),
                    expect,
                },
                (record, expect) => RowOp::Put {
                    record: Box::new(record),
                    expect,
                },
            },
            RowOp::Delete { .. } | RowOp::Mark { .. } => op,
        });
    }
    let homes = inverse.homes;
    (!ops.is_empty()).then_some(Change { ops, homes })
}
