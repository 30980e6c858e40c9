//! Cancels an approval in storage, keeping as drafts the mails written for it.

use adjutant_domain::change::{Change, RowOp};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, Channel, PendingAction};
use adjutant_domain::ids::ActionId;
use adjutant_domain::provenance::{Author, Provenance};

use crate::effect::apply;
use crate::fault::{Fault, Result};
use crate::tables::{actions, provenance};
use crate::tx::Tx;

/// Moves an action from one state to another. If that cancels an approval, keeps its mails as
/// drafts.
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

/// Keeps the mails of an action as drafts if its move from `from` to `to` cancelled an approval.
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

/// Stores each new mail that an approval would have sent as a draft, unless it is stored already.
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
