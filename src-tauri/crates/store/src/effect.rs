//! Commits one effect in one transaction: claim, change, inverse, receipt, plan, journal.

use adjutant_domain::account::Origin;
use adjutant_domain::change::{Change, Expect, Home, RowOp};
use adjutant_domain::conversation::{EffectCommit, Receipt, Standby, TurnState};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::{ActionId, EffectId, RecordId, TurnId};
use adjutant_domain::operation::ReceiptRow;
use adjutant_domain::operation::{self, Beginning, Ended, Ending, Operation};
use adjutant_domain::record::{Kind, OutboxItem, Record};
use jiff::Timestamp;

use crate::fault::{Fault, Result};
use crate::tables::effects::{Settled, without_approvals};
use crate::tables::{actions, attempts, effects, grants, journal, origins, turns};
use crate::tx::Tx;
use crate::{authors, places, row, rows};

/// Highest number of rows one change may touch: a step with `each` of the largest size, with room for dependent rows.
pub const CHANGE_ROWS_MAX: usize = 2_000;

/// Commits an effect and returns its receipt.
pub(crate) fn commit(tx: &Tx<'_>, effect: &EffectCommit) -> Result<Receipt> {
    is_open(tx, &effect.turn)?;
    if let Some(action) = &effect.claim {
        claim(tx, action)?;
    }
    for run in &effect.unasked {
        grants::note(tx, run, effect.at)?;
    }
    if effect.claim.is_none() {
        refuse_new_approval(tx, &effect.change)?;
    }
    let applied = apply(tx, &effect.change)?;
    authors::note(tx, effect)?;
    let receipt = Receipt {
        id: effect.id.clone(),
        rows: applied.receipt(tx)?,
        proof: None,
        at: effect.at,
    };
    let inverse = applied.inverse();
    let inverse = inverse.as_ref();
    if let Some(undone) = &effect.undoes
        && !effects::use_inverse(tx, undone, &effect.id, (&effect.change, &receipt.rows))?
    {
        return Err(Fault::conflict(format!("what is to be undone ({undone})")));
    }
    effects::add(tx, effect, &receipt, inverse)?;
    if let Some(action) = effect.claim.as_ref().filter(|_| effect.settles_claim) {
        let (through, to) = (ActionState::Executing, ActionState::Succeeded);
        actions::step(tx, action, through, to, None)?;
    }
    if let Some(plan) = &effect.plan {
        turns::fill(tx, &effect.turn, None, Some(plan), None)?;
    }
    journal::append(tx, &effect.conversation, &effect.journal)?;
    Ok(receipt)
}

/// Records an attempt and uses up its approval, before its operation begins.
pub(crate) fn begin(tx: &Tx<'_>, begin: &Beginning) -> Result<()> {
    is_open(tx, &begin.turn)?;
    if let Some(action) = &begin.claim {
        claim(tx, action)?;
    }
    if let Some(run) = begin.unasked.as_ref().filter(|_| begin.number == 1) {
        grants::note(tx, run, begin.at)?;
    }
    attempts::add(tx, begin)
}

/// Stores how an attempt ended. Returns the receipt if the operation was done.
pub(crate) fn end(tx: &Tx<'_>, end: &Ending, standby: Option<&Standby>) -> Result<Option<Receipt>> {
    let begun = attempts::end(tx, end)?;
    if let Some(until) = end.waits_until {
        match (&begun.claim, standby) {
            (Some(action), _) => actions::wait(tx, action, until)?,
            (None, Some(standby)) => stand_by(tx, &begun, standby, until)?,
            (None, None) => {}
        }
    }
    let Some(say) = &end.say else {
        return Ok(None);
    };
    let settled = match &end.ended {
        Ended::Done { receipt } => done(tx, &begun, receipt, end)?,
        Ended::Refused { .. } => Settled::without_proof("failed"),
        Ended::Unknown { .. } => Settled::without_proof("unknown"),
    };
    effects::settle(tx, &begun, say, &settled, end.at)?;
    Ok(settled.receipt)
}

/// Stores the action as which a call waits that nobody was asked about, and the plan that waits for it. Its first
/// attempt then counts as one of that action.
fn stand_by(tx: &Tx<'_>, begun: &Beginning, standby: &Standby, until: Timestamp) -> Result<()> {
    is_open(tx, &begun.turn)?;
    let action = PendingAction {
        waits_until: Some(until),
        ..standby.action.clone()
    };
    actions::add(tx, &action)?;
    attempts::belongs_to(tx, &begun.key, &action.id)?;
    turns::fill(tx, &begun.turn, None, standby.plan.as_ref(), None)
}

/// Applies the rows that follow from what the provider confirmed, with an inverse if the other side supports one.
fn done(
    tx: &Tx<'_>,
    begun: &Beginning,
    receipt: &operation::Receipt,
    end: &Ending,
) -> Result<Settled> {
    let id: EffectId = begun.key.0.clone().into();
    let (rows, inverse) = follow(tx, &begun.operation)?;
    if let Operation::Remote {
        account, op, then, ..
    } = &begun.operation
    {
        places::confirmed(tx, account, op, then, receipt)?;
        authors::note_confirmed(tx, begun, then)?;
    }
    // What has happened there is recorded even if something else has taken the effect back. An undo of several
    // operations takes it back part by part.
    let undoes = match (&begun.undoes, begun.operation.change()) {
        (Some(undone), Some(change)) => {
            effects::use_inverse(tx, undone, &id, (change, &rows))?.then(|| undone.clone())
        }
        _ => None,
    };
    let is_rest = begun.undoes.is_some() && undoes.is_none();
    Ok(Settled {
        outcome: "succeeded",
        receipt: Some(Receipt {
            id,
            rows,
            proof: Some(receipt.clone()),
            at: end.at,
        }),
        inverse: inverse.filter(|_| begun.operation.is_reversible() && !is_rest),
        undoes,
    })
}

/// Applies the rows that follow from what a provider confirmed, and returns them with their inverse. If the rows were
/// changed meanwhile they stay as they are: what was done at the provider is recorded anyway, and arrives with the
/// next sync.
fn follow(tx: &Tx<'_>, operation: &Operation) -> Result<(Vec<ReceiptRow>, Option<Change>)> {
    let Operation::Remote { then, .. } = operation else {
        return Ok((Vec::new(), None));
    };
    tx.execute_batch("SAVEPOINT follow")?;
    match apply(tx, then).and_then(|applied| Ok((applied.receipt(tx)?, applied.inverse()))) {
        Ok(followed) => {
            tx.execute_batch("RELEASE follow")?;
            Ok(followed)
        }
        Err(Fault::Store(fault @ StoreFault::Conflict { .. })) => {
            tracing::warn!(%fault, "what a provider confirmed was changed here meanwhile");
            tx.execute_batch("ROLLBACK TO follow; RELEASE follow")?;
            Ok((Vec::new(), None))
        }
        Err(fault) => Err(fault),
    }
}

/// Refuses anything for a turn that was stopped and has answered: late work must not take effect afterwards.
fn is_open(tx: &Tx<'_>, turn: &TurnId) -> Result<()> {
    match turns::state(tx, turn)? {
        Some(state) if state != TurnState::Open => Err(Fault::conflict(format!("the turn {turn}"))),
        _ => Ok(()),
    }
}

/// Claims an approval, unless another operation of the same call has done so.
fn claim(tx: &Tx<'_>, action: &ActionId) -> Result<()> {
    let claimed = actions::get(tx, action)?.map(|action| action.state);
    if claimed == Some(ActionState::Executing) {
        return Ok(());
    }
    let (from, through) = (ActionState::Approved, ActionState::Executing);
    actions::step(tx, action, from, through, None)
}

/// Refuses a change that makes a mail look approved, because without a claim nothing was approved. A mail that was
/// approved before may go from held to queued, byte for byte unchanged.
fn refuse_new_approval(tx: &Tx<'_>, change: &Change) -> Result<()> {
    for op in &change.ops {
        let RowOp::Put { record, .. } = op else {
            continue;
        };
        let Record::Outbox(item) = record.as_ref() else {
            continue;
        };
        if !item.state.says_approved() {
            continue;
        }
        let before = row::get::<OutboxItem>(tx, &item.id)?;
        let approved = before.is_some_and(|before| {
            before.state.says_approved()
                && (&before.message_id, &before.mime) == (&item.message_id, &item.mime)
        });
        if !approved {
            return Err(Fault::other(format!(
                "the mail “{}” cannot be sent without an approval",
                item.subject
            )));
        }
    }
    Ok(())
}

/// The rows a change touched, each once, with their state before and the versions they have now.
pub(crate) struct Applied {
    rows: Vec<Touched>,
}

struct Touched {
    kind: Kind,
    id: RecordId,
    before: Option<Record>,
    /// The label a person knows the row by, for a row that is gone.
    label: String,
    /// Its version after the change; `None` if the row is gone.
    left: Option<i64>,
    /// Where it lived, for a row of an account that is gone.
    home: Option<Origin>,
}

/// Applies a change: either every operation finds the state it expects, or none of them takes effect.
pub(crate) fn apply(tx: &Tx<'_>, change: &Change) -> Result<Applied> {
    if change.ops.len() > CHANGE_ROWS_MAX {
        return Err(Fault::other(format!(
            "one change may touch {CHANGE_ROWS_MAX} rows at most"
        )));
    }
    let mut applied = Applied { rows: Vec::new() };
    for op in &change.ops {
        match op {
            RowOp::Put { record, expect } => {
                let (kind, id) = (record.kind(), record.id());
                let before = expected(tx, kind, id, *expect, record.label())?;
                // A row that comes back after a deletion continues its version number, so that no version is ever
                // used twice.
                let version = before.as_ref().map_or(record.version(), Record::version) + 1;
                rows::put_record(tx, record, version)?;
                applied.note(kind, id, before, record.label(), Some(version));
            }
            RowOp::Mark { id, expect, marks } => {
                let before = expected(tx, Kind::Mail, id, *expect, "")?;
                let Some(Record::Mail(mut mail)) = before.clone() else {
                    return Err(Fault::conflict(format!("the mail {id}")));
                };
                marks.apply(&mut mail);
                let (version, label) = (mail.version + 1, mail.subject.clone());
                rows::put_record(tx, &Record::Mail(mail), version)?;
                applied.note(Kind::Mail, id, before, &label, Some(version));
            }
            RowOp::Delete { kind, id, expect } => {
                if *kind == Kind::Outbox && cancelled(tx, id, *expect)? {
                    applied.note(*kind, id, None, "", None);
                    continue;
                }
                let before = expected(tx, *kind, id, *expect, "")?;
                if let Some(before) = before {
                    let home = origins::shown(tx, id)?;
                    rows::delete_record(tx, *kind, id)?;
                    let label = before.label().to_owned();
                    applied.note(*kind, id, Some(before), &label, None);
                    applied.lived(id, home);
                }
            }
        }
    }
    Ok(applied)
}

/// Cancels an approved action that waits, if `id` is its entry in the outbox. This cannot be undone.
fn cancelled(tx: &Tx<'_>, id: &RecordId, expect: Expect) -> Result<bool> {
    let Some(entry) = actions::outbox_entry(tx, id)? else {
        return Ok(false);
    };
    if expect != Expect::Version(entry.version) {
        return Err(Fault::conflict(format!("the mail “{}”", entry.subject)));
    }
    let id = ActionId(id.0.clone());
    let (from, to) = (ActionState::Approved, ActionState::Cancelled);
    actions::step(tx, &id, from, to, None)?;
    Ok(true)
}

/// Returns the row as it is now, or a conflict if it is not in the expected state.
fn expected(
    tx: &Tx<'_>,
    kind: Kind,
    id: &RecordId,
    expect: Expect,
    label: &str,
) -> Result<Option<Record>> {
    let before = rows::get_record(tx, kind, id)?;
    let holds = match (expect, &before) {
        (Expect::Absent, None) => true,
        (Expect::Version(version), Some(before)) => before.version() == version,
        _ => false,
    };
    if holds {
        return Ok(before);
    }
    let label = before.as_ref().map_or(label, |before| before.label());
    let named = if label.is_empty() {
        format!("the {} {id}", kind.word())
    } else {
        format!("the {} “{label}”", kind.word())
    };
    Err(Fault::conflict(named))
}

impl Applied {
    fn note(
        &mut self,
        kind: Kind,
        id: &RecordId,
        before: Option<Record>,
        label: &str,
        left: Option<i64>,
    ) {
        let known = self
            .rows
            .iter_mut()
            .find(|row| row.kind == kind && row.id == *id);
        match known {
            Some(row) => row.left = left,
            None => self.rows.push(Touched {
                kind,
                id: id.clone(),
                before,
                label: label.to_owned(),
                left,
                home: None,
            }),
        }
    }

    /// Notes where a removed row lived.
    fn lived(&mut self, id: &RecordId, home: Option<Origin>) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.id == *id) {
            row.home = home;
        }
    }

    /// Reads every row back inside the transaction and returns one receipt line for each.
    pub(crate) fn receipt(&self, tx: &Tx<'_>) -> Result<Vec<ReceiptRow>> {
        self.rows
            .iter()
            .map(|row| rows::read_back(tx, row.kind, &row.id, &row.label))
            .collect()
    }

    /// Returns the change that undoes this one, last row first, or `None` if it cannot be undone. It expects the
    /// versions this change left.
    pub(crate) fn inverse(&self) -> Option<Change> {
        let ops = self.rows.iter().rev().filter_map(|row| {
            let expect = row.left.map_or(Expect::Absent, Expect::Version);
            match (&row.before, row.left) {
                (Some(before), _) => Some(RowOp::Put {
                    record: Box::new(before.clone()),
                    expect,
                }),
                (None, Some(_)) => Some(RowOp::Delete {
                    kind: row.kind,
                    id: row.id.clone(),
                    expect,
                }),
                // Made and removed within the same change: nothing remains to undo.
                (None, None) => None,
            }
        });
        let homes = self.rows.iter().filter_map(|row| {
            Some(Home {
                record: row.id.clone(),
                origin: row.home.clone()?,
            })
        });
        without_approvals(Change {
            ops: ops.collect(),
            homes: homes.collect(),
        })
    }
}
