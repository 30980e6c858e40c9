//! Taking back what was approved and waits: for the end of its hold, or for a connection.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::PendingAction;
use adjutant_domain::ids::{ActionId, RecordId};
use adjutant_domain::ports::TurnLog;
use adjutant_domain::record::Kind;

use crate::prepared::Prepared;

/// The approved action that waits under an identifier of the outbox.
pub(crate) async fn waiting(
    log: &dyn TurnLog,
    id: &RecordId,
) -> Result<Option<PendingAction>, UserFault> {
    if !id.as_str().starts_with(ActionId::PREFIX) {
        return Ok(None);
    }
    let action = log.action(&ActionId(id.0.clone())).await;
    let action = action.map_err(|fault| UserFault::from(&fault))?;
    Ok(action.filter(PendingAction::waits))
}

/// Cancels an approved action that waits. New mails it would have sent are kept as drafts; a draft it would have sent is
/// still there.
pub(crate) fn take_back(action: &PendingAction) -> Prepared {
    let entry = action.outbox_entry();
    let mut ops: Vec<RowOp> = entry
        .into_iter()
        .map(|entry| RowOp::Delete {
            kind: Kind::Outbox,
            id: entry.id,
            expect: Expect::Version(entry.version),
        })
        .collect();
    ops.extend(action.drafts());
    let kept = match ops.len() {
        0 | 1 => "",
        2 => " It is a draft again.",
        _ => " They are drafts again.",
    };
    let title = &action.card.title;
    Prepared {
        title: format!("Take back: {title}"),
        verb: "Take back",
        say: format!("Taken back, nothing was sent: {title}.{kept}"),
        change: Change { ops },
        undoes: None,
    }
}
