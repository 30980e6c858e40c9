//! Looks again at an approved action when its permit is used: at the very records that its card showed. The words that
//! chose them are not read again, because by then they may fit others.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::gate::{Call, Observed, PendingAction, Present, changed};
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Operation, RemoteFault};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::{Cx, Records};
use adjutant_domain::record::{Event, Kind, Record};
use adjutant_domain::tool::{Before, Target};
use jiff::Timestamp;

use super::machine::Proposed;
use super::perform::{STEP_DEADLINE, look};
use crate::core::Core;

/// What has become of the things that an action concerns.
#[derive(Debug)]
pub(crate) struct Again {
    /// Tools and records as they are now, one entry per call; fewer if a tool is gone.
    pub(crate) present: Vec<Present>,
    /// What the same calls would show now. Empty unless something has changed.
    pub(crate) looks: Vec<Result<Observed, Stop>>,
}

/// Looks again at what an approved action concerns. It first checks the account: if something there has changed, it
/// reads the account anew, so that the look sees the present state.
///
/// # Errors
/// Returns a fault if storage cannot be read. The action stays as it is then.
pub(crate) async fn look_again(
    core: Arc<Core>,
    action: &PendingAction,
    cx: Cx,
) -> Result<Again, StoreFault> {
    for account in changed_elsewhere(&core, action).await {
        let reading = core.parts.executors.refresh(&account);
        match tokio::time::timeout(STEP_DEADLINE, reading).await {
            Ok(Ok(())) => {}
            // Nothing can be overwritten: the provider refuses operations that expect another state.
            Ok(Err(fault)) => tracing::warn!(%account, %fault, "an account could not be read anew"),
            Err(_) => tracing::warn!(%account, "reading an account anew took too long"),
        }
    }
    let present = present(&core, action, &*cx.records).await?;
    let looks = match changed(action, &present) {
        Some(_) => look(core, Proposed::of(action), cx).await,
        None => Vec::new(),
    };
    Ok(Again { present, looks })
}

/// Returns the accounts in which something has changed since the action was shown.
async fn changed_elsewhere(core: &Core, action: &PendingAction) -> BTreeSet<AccountId> {
    let frozen = action
        .calls
        .iter()
        .filter_map(|call| call.before.frozen.as_ref());
    let mut changed = BTreeSet::new();
    for operation in frozen.flat_map(|frozen| &frozen.operations) {
        let Operation::Remote { account, op, .. } = operation else {
            continue;
        };
        if changed.contains(account) {
            continue;
        }
        let Some(executor) = core.parts.executors.of(account) else {
            continue;
        };
        let checked = tokio::time::timeout(STEP_DEADLINE, executor.check(op)).await;
        if let Ok(Err(RemoteFault::Conflict { .. } | RemoteFault::Gone)) = checked {
            changed.insert(account.clone());
        }
    }
    changed
}

/// Returns the present state of the tools and records of an action.
async fn present(
    core: &Core,
    action: &PendingAction,
    records: &dyn Records,
) -> Result<Vec<Present>, StoreFault> {
    let mut all = Vec::with_capacity(action.calls.len());
    for call in &action.calls {
        let (args, sources) = (call.args.clone(), call.sources.clone());
        // Without the tool, or with one that takes other arguments now, there is nothing to compare.
        let Ok(planned) = core.parts.toolbox.plan(&call.tool, args, sources) else {
            break;
        };
        all.push(Present {
            definition: planned.definition().clone(),
            account: call.account.clone(),
            before: Before {
                targets: targets(call, action.created, records).await?,
                ..Before::default()
            },
        });
    }
    Ok(all)
}

/// Returns the targets of a call as they are now, without those that are gone, and the instances that its series got
/// since the card was shown.
async fn targets(
    call: &Call,
    shown: Timestamp,
    records: &dyn Records,
) -> Result<Vec<Target>, StoreFault> {
    let mut now = Vec::with_capacity(call.before.targets.len());
    let mut added = Vec::new();
    for target in &call.before.targets {
        let Some(record) = records.get(target.kind, &target.id).await? else {
            continue;
        };
        if let Record::Event(event) = &record {
            added.extend(added_instances(event, shown, records).await?);
        }
        now.push(Target {
            version: record.version(),
            ..target.clone()
        });
    }
    added.retain(|one: &Target| now.iter().all(|known| known.id != one.id));
    now.extend(added);
    Ok(now)
}

/// Returns the changed instances that a series got since an instant.
async fn added_instances(
    series: &Event,
    since: Timestamp,
    records: &dyn Records,
) -> Result<Vec<Target>, StoreFault> {
    let repeats = series.rrule.is_some() || !series.rdates.is_empty();
    if !repeats || series.uid.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Filter::all().and(Test::Uid(series.uid.clone()));
    let rows = records.events(&rows).await?;
    let added = rows.into_iter().filter(|row| row.created > since);
    let target = |row: Event| Target {
        kind: Kind::Event,
        id: row.id,
        version: row.version,
        label: row.summary,
    };
    Ok(added.map(target).collect())
}
