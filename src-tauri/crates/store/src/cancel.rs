//! Ends an approval in storage that was not carried out: the activity log says so, and the mails written for it stay as
//! drafts.

use adjutant_domain::change::{Change, RowOp};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::ActionId;
use adjutant_domain::provenance::{Author, Provenance};
use jiff::Timestamp;

use crate::effect::apply;
use crate::fault::{Fault, Result};
use crate::tables::{actions, effects, provenance};
use crate::tx::Tx;

/// Follows a move of an action. If it ended an approval without carrying it out, the activity log says so once; if its
/// mails would be lost by that, they stay as drafts.
pub(crate) fn moved(
    tx: &Tx<'_>,
    (id, from, to): (&ActionId, ActionState, ActionState),
    at: Timestamp,
) -> Result<()> {
    let Some(why) = not_carried_out(from, to) else {
        return Ok(());
    };
    match actions::get(tx, id)? {
        Some(action) => ended(tx, &action, why, at),
        None => Ok(()),
    }
}

/// Notes that an approved action has ended without being carried out.
pub(crate) fn ended(tx: &Tx<'_>, action: &PendingAction, why: &str, at: Timestamp) -> Result<()> {
    let say = format!("{why}: {}", action.card.title);
    effects::add_not_done(tx, action, "failed", &say, at)?;
    match action.state {
        ActionState::Cancelled | ActionState::Expired => keep_drafts(tx, action),
        _ => Ok(()),
    }
}

/// What the activity log says of an approval that was not used.
pub(crate) const CANCELLED: &str = "Approved, but cancelled before it was done";

/// Returns what the activity log says of a move that ends an approval without carrying it out. `None` for all others.
fn not_carried_out(from: ActionState, to: ActionState) -> Option<&'static str> {
    use ActionState::{Approved, Cancelled, Executing, Expired, Failed, Superseded};
    match (from, to) {
        (Approved, Cancelled) => Some(CANCELLED),
        (Approved, Expired) => Some("Approved, but it could not be done in time"),
        (Approved, Superseded) => {
            Some("Approved, but not done because what it concerns changed before")
        }
        (Executing, Failed) => Some("Approved, but not done"),
        _ => None,
    }
}

/// Stores each new mail that an approval would have sent as a draft, unless it is stored already.
fn keep_drafts(tx: &Tx<'_>, action: &PendingAction) -> Result<()> {
    let of = Provenance {
        author: Author::Adjutant {
            turn: action.turn.clone(),
        },
        taint: action.taint,
    };
    for op in action.drafts() {
        let RowOp::Put { record, .. } = &op else {
            continue;
        };
        let id = record.id().clone();
        match apply(
            tx,
            &Change {
                ops: vec![op],
                ..Change::default()
            },
        ) {
            Ok(_) => provenance::note(tx, &id, &of)?,
            Err(Fault::Store(StoreFault::Conflict { .. })) => {
                tracing::debug!(%id, "a draft of a cancelled approval is there already");
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}
