//! An approval that is cancelled in storage: what was written for it is kept.

use adjutant_domain::change::{Change, RowOp};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, Channel, PendingAction};
use adjutant_domain::ids::ActionId;
use adjutant_domain::provenance::{Author, Provenance};

use crate::effect::apply;
use crate::fault::{Fault, Result};
use crate::tables::{actions, provenance};
use crate::tx::Tx;

/// Moves an action from a state to another. Where that cancels an approval, its drafts are kept.
pub(crate) fn step(
    tx: &Tx<'_>,
    id: &ActionId,
    from: ActionState,
    to: ActionState,
    channel: Option<Channel>,
) -> Result<()> {
    actions::step(tx, id, from, to, channel)?;
    moved(tx, (id, from, to))
}

/// Keeps the drafts of an action that has moved, where that cancelled an approval.
pub(crate) fn moved(
    tx: &Tx<'_>,
    (id, from, to): (&ActionId, ActionState, ActionState),
) -> Result<()> {
    if (from, to) != (ActionState::Approved, ActionState::Cancelled) {
        return Ok(());
    }
    match actions::get(tx, id)? {
        Some(action) => keep_drafts(tx, &action),
        None => Ok(()),
    }
}

/// Keeps the new mails that an approval would have sent as drafts, each once.
pub(crate) fn keep_drafts(tx: &Tx<'_>, action: &PendingAction) -> Result<()> {
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
        match apply(tx, &Change { ops: vec![op] }) {
            Ok(_) => provenance::note(tx, &id, &of)?,
            Err(Fault::Store(StoreFault::Conflict { .. })) => {
                tracing::debug!(%id, "a draft of a cancelled approval is there already");
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}
