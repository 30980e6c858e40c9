//! Decides where a prepared change happens: changes of rows in an account become requests to its provider. Tools know
//! nothing of this.

use std::collections::BTreeSet;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Operation, operations};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;

use crate::effect::{Prepared, failed};

/// Turns changes of rows in accounts into requests to their providers and names the accounts on the card. Returns the
/// first account the call acts for, or the local one.
///
/// # Errors
/// Returns a fault if a change cannot be made where its rows live, or storage fails.
pub(crate) async fn settle(prepared: &mut Prepared, cx: &Cx) -> Result<AccountId, Stop> {
    let mut all = Vec::with_capacity(prepared.operations.len());
    let mut labels = BTreeSet::new();
    for operation in std::mem::take(&mut prepared.operations) {
        let Operation::Local { change } = operation else {
            all.push(operation);
            continue;
        };
        let origins = cx.records.origins(&change).await.map_err(failed)?;
        let placed = operations(&change, &origins).map_err(ToolFault::from)?;
        let accounts = placed
            .iter()
            .filter_map(|one| origins.account(&one.account()));
        labels.extend(accounts.map(|account| account.label.clone()));
        all.extend(placed);
    }
    prepared.operations = all;
    let risks = prepared.operations.iter().map(Operation::risk);
    prepared.assessment.risk = risks.fold(prepared.assessment.risk, Risk::max);
    let mut accounts = prepared.operations.iter().map(Operation::account);
    let Some(account) = accounts.find(|account| !account.is_local()) else {
        return Ok(AccountId::local());
    };
    let labels: Vec<String> = labels.into_iter().collect();
    prepared.sketch.account = Some(labels.join(", "));
    Ok(account)
}
