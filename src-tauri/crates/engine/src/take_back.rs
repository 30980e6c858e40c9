//! Takes back approved actions that wait for the end of their hold or for a connection.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::PendingAction;
use adjutant_domain::ids::{ActionId, RecordId};
use adjutant_domain::ports::TurnLog;
use adjutant_domain::record::Kind;

use crate::prepared::Prepared;

/// Returns the approved action that waits under an outbox id. `None` if the id is not that of such an action.
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

/// Prepares to cancel an approved action that waits. New mails it would have sent become drafts; a draft it would have
/// sent still exists.
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
        change: Change {
            ops,
            ..Change::default()
        },
        undoes: None,
    }
}
