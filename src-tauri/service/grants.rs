//! Standing grants: given on a card, listed and revoked.

use adjutant_api::convert::turns;
use adjutant_api::rows::{GrantRow, GrantState, Rows};
use adjutant_api::{Fault, Reply};
use adjutant_domain::canonical::Digest;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{Channel, Decision, Grant};
use adjutant_domain::ids::{ActionId, GrantId};
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::{Grants as _, TurnLog as _};
use jiff::Timestamp;

use super::{Service, missing, store_fault};

/// Gives the grant that a waiting card offers.
pub(super) async fn give(
    service: &Service,
    (id, digest): (String, String),
    until: &str,
    channel: Channel,
) -> Result<Reply, Fault> {
    let action = service.store.action(&ActionId(id.clone())).await;
    let action = action.map_err(store_fault)?.ok_or_else(|| missing(&id))?;
    let decision = Decision {
        id: action.id.clone(),
        digest: Digest(digest),
        channel,
    };
    let now = service.now().timestamp();
    let until = instant(service, until)?;
    let grant = Grant::on(
        &action,
        &decision,
        GrantId::from_bits(service.entropy.bits()),
        (now, until),
    );
    let grant = grant.map_err(|why| Fault {
        code: "not_granted".into(),
        message: format!("Not allowed: {why}."),
        hint: "Nothing was changed, and the card still waits. Look at it again in Approvals (`adjutant show approvals`)."
            .into(),
    })?;
    // The tool must still have the definition that the card was made from.
    let state = state(service, &grant, now);
    if state != GrantState::Holds {
        return Err(Fault {
            code: "not_granted".into(),
            message: format!("Not allowed: the permission would be {}.", state.words()),
            hint: "Ask again to see it as it is now.".into(),
        });
    }
    service.store.add_grant(&grant).await.map_err(store_fault)?;
    one(service, &grant.id).await
}

/// Revokes a grant.
pub(super) async fn revoke(service: &Service, id: String) -> Result<Reply, Fault> {
    let id = GrantId(id);
    let now = service.now().timestamp();
    let revoked = service.store.revoke_grant(&id, now).await;
    revoked.map_err(store_fault)?;
    one(service, &id).await
}

/// Restores a grant that was revoked a moment ago.
pub(super) async fn restore(service: &Service, id: String) -> Result<Reply, Fault> {
    let id = GrantId(id);
    let now = service.now().timestamp();
    let restored = service.store.restore_grant(&id, now).await;
    restored.map_err(|fault| match fault {
        StoreFault::Conflict { .. } => Fault {
            code: "not_granted".into(),
            message: "This permission can no longer be restored.".into(),
            hint: "Nothing was changed. The next card of this kind offers it again.".into(),
        },
        fault => store_fault(fault),
    })?;
    one(service, &id).await
}

/// Returns all grants, latest first.
pub(super) async fn rows(service: &Service) -> Result<Vec<GrantRow>, Fault> {
    let (now, zone) = (service.now().timestamp(), service.zone());
    let all = service.store.grants().await.map_err(store_fault)?;
    let row = |grant: &Grant| turns::grant(grant, state(service, grant, now), &zone);
    Ok(all.iter().map(row).collect())
}

async fn one(service: &Service, id: &GrantId) -> Result<Reply, Fault> {
    let mut rows = rows(service).await?;
    rows.retain(|row| row.id == id.0);
    Ok(Reply::Rows {
        rows: Rows::Grants(rows),
        total: None,
    })
}

/// Returns the state of a grant at this moment.
fn state(service: &Service, grant: &Grant, now: Timestamp) -> GrantState {
    if grant.revoked.is_some() {
        return GrantState::Revoked;
    }
    if !grant.holds(now) {
        return GrantState::Expired;
    }
    let catalog = service.engine.toolbox().catalog();
    let spec = catalog.get(&grant.scope.tool);
    match spec.and_then(|spec| spec.definition().ok()) {
        None => GrantState::ToolGone,
        Some(now) if now == grant.scope.definition => GrantState::Holds,
        Some(_) => GrantState::ToolChanged,
    }
}

/// Parses a date or an instant; a date means its midnight in the person's zone.
fn instant(service: &Service, text: &str) -> Result<Timestamp, Fault> {
    let bad = || Fault {
        code: "bad_request".into(),
        message: format!("“{text}” is not a date."),
        hint: "Give a date such as 2026-02-01, or a date and time with its offset.".into(),
    };
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let moment: Moment = text.parse().map_err(|_| bad())?;
    Ok(moment.starts(&service.zone()))
}
