//! Tests of standing grants, and of cards in other conversations.

use adjutant_domain::canonical::Digest;
use adjutant_domain::conversation::TurnState;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::grant::RESTORABLE;
use adjutant_domain::gate::{ActionState, Channel, Grant, GrantScope};
use adjutant_domain::ports::{Grants as _, TurnLog as _};
use adjutant_domain::tool::Definition;
use jiff::{SignedDuration, Timestamp};

use super::{action, end, fresh, noon, turn};
use crate::Store;

/// Adds a waiting card.
async fn with_card(store: &Store) {
    store
        .open_turn(&turn("a", "move it"))
        .await
        .expect("opened");
    let mut waits = end("a", TurnState::Waiting, "Waiting.");
    waits.pending = vec![action("act_1", "a", ActionState::Pending)];
    store.close_turn(&waits).await.expect("closed");
}

fn grant(id: &str) -> Grant {
    Grant {
        id: id.into(),
        scope: GrantScope {
            tool: "event.move".into(),
            account: Default::default(),
            definition: Definition("schema".into()),
            target: Digest("0".repeat(64)),
            words: "Rowing".into(),
        },
        action: "act_1".into(),
        channel: Channel::Window,
        created: noon(),
        expires: noon() + SignedDuration::from_hours(24),
        uses: 0,
        last_used: None,
        revoked: None,
    }
}

async fn holding(store: &Store, now: Timestamp) -> Vec<String> {
    let all = store.grants().await.expect("grants");
    let holding = all.into_iter().filter(|one| one.holds(now));
    holding.map(|one| one.id.0).collect()
}

#[tokio::test]
async fn a_revoked_grant_can_be_restored_once_for_a_short_time() {
    let (_folder, store) = fresh();
    with_card(&store).await;
    let first = "grant_1".into();
    store.add_grant(&grant("grant_1")).await.expect("given");
    let conflict = |done| matches!(done, Err(StoreFault::Conflict { .. }));
    assert!(
        conflict(store.restore_grant(&first, noon()).await),
        "it was not taken back"
    );
    store
        .revoke_grant(&first, noon())
        .await
        .expect("taken back");
    assert!(holding(&store, noon()).await.is_empty());
    let soon = noon() + RESTORABLE;
    let late = soon + SignedDuration::from_secs(1);
    let before = noon() - SignedDuration::from_secs(1);
    for at in [late, before] {
        assert!(conflict(store.restore_grant(&first, at).await), "{at}");
    }
    store.restore_grant(&first, soon).await.expect("given back");
    assert_eq!(holding(&store, soon).await, ["grant_1"]);

    // A new grant for the same scope replaces the older one.
    store.add_grant(&grant("grant_2")).await.expect("given");
    assert!(conflict(store.restore_grant(&first, noon()).await));
    assert_eq!(holding(&store, noon()).await, ["grant_2"]);
    let unknown = store.restore_grant(&"grant_9".into(), noon()).await;
    assert!(matches!(unknown, Err(StoreFault::Missing { .. })));
}

#[tokio::test]
async fn a_turn_sees_actions_waiting_in_other_conversations() {
    let (_folder, store) = fresh();
    with_card(&store).await;
    let elsewhere = |past: adjutant_domain::conversation::Past| past.elsewhere;
    let (here, _) = store.past(&"main".into()).await.expect("past");
    assert!(elsewhere(here).is_empty());
    for other in ["work", "never opened"] {
        let (past, _) = store.past(&other.into()).await.expect("past");
        let ids: Vec<String> = elsewhere(past).into_iter().map(|one| one.id.0).collect();
        assert_eq!(ids, ["act_1"], "{other}");
    }
}
