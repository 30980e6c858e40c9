//! Statistics of approval cards: how many there were, how they were answered, and which waiting ones count as a flood.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_api::Fault;
use adjutant_api::rows::{ApprovalRow, QuestionsRow};
use adjutant_api::words::ApprovalState;
use adjutant_domain::conversation::Effect;
use adjutant_domain::filter::Window;
use adjutant_domain::gate::rate::floods;
use adjutant_domain::gate::{ActionState, PendingAction, Why};
use adjutant_domain::ids::ActionId;
use adjutant_domain::ports::TurnLog as _;
use jiff::{SignedDuration, Timestamp};

use super::{Service, store_fault};

/// A card approved as shown and carried out within this time apparently needed no thought.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(10);
/// Default length of the range.
const DAYS: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Returns the statistics of a time range, by tool.
pub(super) async fn rows(service: &Service, window: Window) -> Result<Vec<QuestionsRow>, Fault> {
    let now = service.now().timestamp();
    let from = window.from.or_else(|| now.checked_sub(DAYS).ok());
    let asked_then = |action: &PendingAction| {
        from.is_none_or(|from| from <= action.created)
            && window.to.is_none_or(|to| action.created < to)
    };
    let mut actions = service.store.actions(None, None).await;
    if let Ok(actions) = &mut actions {
        actions.retain(|action| action.unasked.is_none() && asked_then(action));
    }
    let effects = service.store.effects(None).await.map_err(store_fault)?;
    Ok(count(&actions.map_err(store_fault)?, &effects, now))
}

fn count(actions: &[PendingAction], effects: &[Effect], now: Timestamp) -> Vec<QuestionsRow> {
    // If one approval led to several effects, take the earliest.
    let mut done_at: BTreeMap<&ActionId, Timestamp> = BTreeMap::new();
    for effect in effects {
        if let Some(action) = &effect.action {
            let at = done_at.entry(action).or_insert(effect.at);
            *at = effect.at.min(*at);
        }
    }
    let anew: BTreeSet<&ActionId> = actions
        .iter()
        .filter_map(|action| action.superseded_by.as_ref())
        .collect();
    let mut rows: BTreeMap<&str, QuestionsRow> = BTreeMap::new();
    for action in actions {
        let row = rows.entry(&action.tool).or_default();
        row.asked += 1;
        row.needless += usize::from(action.why.as_ref().is_some_and(Why::is_needless));
        match action.state {
            ActionState::Pending => row.expired += usize::from(action.expires <= now),
            ActionState::Expired => row.expired += 1,
            ActionState::Denied => row.rejected += 1,
            ActionState::Superseded => row.changed += 1,
            ActionState::Cancelled => {}
            _ => {
                row.approved += 1;
                let quick = done_at
                    .get(&action.id)
                    .is_some_and(|at| at.duration_since(action.created) <= AT_ONCE);
                row.at_once += usize::from(quick && !anew.contains(&action.id));
            }
        }
    }
    let named = rows.into_iter().map(|(tool, row)| QuestionsRow {
        id: tool.to_owned(),
        ..row
    });
    named.collect()
}

/// Adds to each waiting card in a flood how many of its kind wait.
pub(super) async fn mark_floods(service: &Service, rows: &mut [ApprovalRow]) -> Result<(), Fault> {
    if !rows.iter().any(|row| row.state == ApprovalState::Pending) {
        return Ok(());
    }
    let now = service.now().timestamp();
    let pending = service.store.actions(Some(ActionState::Pending), None);
    let pending = pending.await.map_err(store_fault)?;
    let live = pending.iter().filter(|action| action.expires > now);
    let floods = floods(live.map(|action| (action.tool.as_str(), action.account())));
    for row in rows {
        let account = row.account.clone().into();
        let count = floods.get(&(row.tool.as_str(), &account)).copied();
        row.flood = count.filter(|_| row.state == ApprovalState::Pending);
    }
    Ok(())
}
