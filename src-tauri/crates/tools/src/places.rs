//! Where a prepared change happens: what lives in an account is asked of its provider. Tools know none of this.

use std::collections::BTreeSet;

use adjutant_domain::faults::{ToolFault, sentence};
use adjutant_domain::gate::Risk;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    CalendarOp, MailOp, NotPossible, Operation, RemoteOp, operations,
};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;

use crate::effect::{Prepared, failed};

/// Turns changes of rows that live in an account into what its provider is asked for, and says so on the card. Gives the
/// account the call acts for: the first, where it acts for several.
///
/// # Errors
/// When a change cannot be made where its rows live.
pub(crate) async fn settle(prepared: &mut Prepared, cx: &Cx) -> Result<AccountId, Stop> {
    let mut all = Vec::with_capacity(prepared.operations.len());
    let mut labels = BTreeSet::new();
    for operation in std::mem::take(&mut prepared.operations) {
        let Operation::Local { change } = operation else {
            all.push(operation);
            continue;
        };
        let origins = cx.records.origins(&change).await.map_err(failed)?;
        let placed = operations(&change, &origins).map_err(not_possible)?;
        let accounts = placed
            .iter()
            .filter_map(|one| origins.account(&one.account()));
        labels.extend(accounts.map(|account| account.label.clone()));
        all.extend(placed);
    }
    prepared.operations = all;
    let remote = || {
        let all = prepared.operations.iter();
        all.filter(|one| matches!(one, Operation::Remote { .. }))
    };
    let risk = match (remote().next(), remote().any(reaches_people)) {
        (None, _) => return Ok(AccountId::local()),
        (Some(_), false) => Risk::RemoteReversible,
        (Some(_), true) => Risk::ReachesPeople,
    };
    let account = remote().next().map(Operation::account).unwrap_or_default();
    prepared.assessment.risk = prepared.assessment.risk.max(risk);
    let labels: Vec<String> = labels.into_iter().collect();
    prepared.sketch.account = Some(labels.join(", "));
    Ok(account)
}

/// Whether somebody else hears of it.
pub(crate) fn reaches_people(operation: &Operation) -> bool {
    let Operation::Remote { op, .. } = operation else {
        return false;
    };
    match op.as_ref() {
        RemoteOp::Calendar(
            CalendarOp::Create { notify, .. }
            | CalendarOp::Update { notify, .. }
            | CalendarOp::Delete { notify, .. },
        ) => *notify,
        RemoteOp::Calendar(CalendarOp::Respond { .. }) | RemoteOp::Mail(MailOp::Send { .. }) => {
            true
        }
        _ => false,
    }
}

/// Why a change cannot be made where its rows live, with what to do instead.
pub(crate) fn not_possible(fault: NotPossible) -> Stop {
    let hint = match &fault {
        NotPossible::ReadOnly { .. } => "Ask whoever owns it, or use a calendar of your own.",
        NotPossible::AcrossAccounts { .. } => "Add it there anew, and delete it here.",
        NotPossible::NotConnected { .. } => "Connect the account again in Settings, Accounts.",
        NotPossible::TooMany { .. } => "Do it in several parts.",
    };
    ToolFault::NotAllowed {
        what: sentence(&fault.to_string()),
        hint: hint.into(),
    }
    .into()
}
