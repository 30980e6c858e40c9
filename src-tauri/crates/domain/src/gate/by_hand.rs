//! Which effects a press on a surface approves without a card.

use super::{AskReason, Observed, Risk};
use crate::operation::{MailOp, Operation, RemoteOp};

/// Returns whether a press suffices as approval: for changing or deleting rows of this computer where storage records
/// the inverse, and for filing or marking mail, including in its account.
pub(super) fn decides(one: &Observed) -> bool {
    let all = |may: fn(&Operation) -> bool| {
        let frozen = one.before.frozen.as_ref();
        frozen.is_some_and(|frozen| {
            !frozen.operations.is_empty() && frozen.operations.iter().all(may)
        })
    };
    match (one.assessment.risk, one.assessment.ask) {
        (Risk::LocalReversible, Some(AskReason::ChangesEvent))
        | (Risk::Destroys, Some(AskReason::Deletes)) => {
            all(|one| matches!(one, Operation::Local { .. }))
        }
        (Risk::RemoteReversible, None) => all(files_mail),
        _ => false,
    }
}

/// Returns whether the operation only moves or marks mail (or changes local rows) and can be undone.
fn files_mail(operation: &Operation) -> bool {
    let files = match operation {
        Operation::Local { .. } => true,
        Operation::Remote { op, .. } => matches!(
            op.as_ref(),
            RemoteOp::Mail(MailOp::Move { .. } | MailOp::Flag { .. })
        ),
        Operation::File { .. } => false,
    };
    files && operation.is_reversible()
}
