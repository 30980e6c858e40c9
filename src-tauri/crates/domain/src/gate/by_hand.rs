//! What a press on a surface decides by itself.

use super::{AskReason, Observed, Risk};
use crate::operation::{MailOp, Operation, RemoteOp};

/// Whether a press decides it: a change or a deletion of rows of this computer alone, whose inverse storage records, or
/// that a mail is filed or marked, in its account too.
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

/// Whether it only moves or marks mail, and can be taken back.
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
