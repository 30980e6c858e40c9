//! Tests of drafts that also exist in an account.

use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ids::{AccountId, RecordId, RemoteId};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, OutboxItem, OutboxState, Record};

use super::accounts::account;
use super::{draft, fresh};
use crate::{DraftHere, DraftLink, Store};

fn link(remote: &str, record: Option<&str>) -> DraftLink {
    DraftLink {
        remote: RemoteId(remote.into()),
        message_id: format!("{remote}@x"),
        record: record.map(|id| RecordId(id.into())),
        base: "text".into(),
    }
}

async fn connected() -> (tempfile::TempDir, Arc<Store>) {
    let (folder, store) = fresh();
    for id in ["one", "two"] {
        let account = account(id, &format!("me@{id}.example"));
        store.put_account(account).await.expect("an account");
    }
    (folder, store)
}

async fn put(store: &Store, item: OutboxItem) {
    let change = Change::add(Record::Outbox(item));
    let put = store.write("apply", move |tx| {
        crate::effect::apply(tx, &change).map(drop)
    });
    put.await.expect("a draft");
}

async fn here(store: &Store, account: &str) -> (Vec<(String, i64)>, Vec<DraftLink>) {
    let (here, links) = store.drafts_of(account.into()).await.expect("drafts");
    let named = |one: DraftHere| (one.item.id.0, one.item.version);
    (here.into_iter().map(named).collect(), links)
}

fn one() -> AccountId {
    "one".into()
}

#[tokio::test]
async fn a_draft_belongs_to_one_account() {
    let (_folder, store) = connected().await;
    put(&store, draft("out_a", "ana@x.example", "A")).await;
    store
        .link_draft(one(), link("1", Some("out_a")), None)
        .await
        .expect("linked");
    assert_eq!(here(&store, "one").await.0, [("out_a".to_owned(), 1)]);
    assert_eq!(here(&store, "two").await, (Vec::new(), Vec::new()));
    let next = link("2", Some("out_a"));
    store
        .link_draft(one(), next.clone(), None)
        .await
        .expect("linked");
    assert_eq!(here(&store, "one").await.1, [next], "a row has one name");
    store
        .unlink_draft(one(), RemoteId("2".into()))
        .await
        .expect("unlinked");
    assert_eq!(here(&store, "two").await.0, [("out_a".to_owned(), 1)]);
}

#[tokio::test]
async fn does_not_replace_or_remove_a_changed_or_sent_draft() {
    let (_folder, store) = connected().await;
    put(&store, draft("out_a", "ana@x.example", "A")).await;
    let mut theirs = draft("out_a", "ana@x.example", "Theirs");
    theirs.version = 7;
    let taken = store
        .take_draft(one(), theirs.clone(), link("1", None))
        .await;
    assert!(
        matches!(taken, Err(StoreFault::Conflict { .. })),
        "{taken:?}"
    );
    let removed = store
        .remove_draft(one(), "out_a".into(), 7, RemoteId("1".into()))
        .await;
    assert!(
        matches!(removed, Err(StoreFault::Conflict { .. })),
        "{removed:?}"
    );
    theirs.version = 1;
    store
        .take_draft(one(), theirs, link("1", None))
        .await
        .expect("taken");
    let (rows, links) = here(&store, "one").await;
    assert_eq!(rows, [("out_a".to_owned(), 2)]);
    assert_eq!(links[0].record, Some(RecordId("out_a".into())));
    let sent = OutboxItem {
        state: OutboxState::Sent,
        version: 2,
        ..draft("out_a", "ana@x.example", "Theirs")
    };
    let change = Change::replace(Record::Outbox(sent));
    let put = store.write("apply", move |tx| {
        crate::effect::apply(tx, &change).map(drop)
    });
    put.await.expect("sent");
    let removed = store
        .remove_draft(one(), "out_a".into(), 3, RemoteId("1".into()))
        .await;
    assert!(
        matches!(removed, Err(StoreFault::Conflict { .. })),
        "{removed:?}"
    );
    assert!(here(&store, "one").await.0.is_empty());
}

#[tokio::test]
async fn removing_an_account_removes_only_its_own_drafts() {
    let (_folder, store) = connected().await;
    put(&store, draft("out_a", "ana@x.example", "Mine")).await;
    store
        .link_draft(one(), link("1", Some("out_a")), None)
        .await
        .expect("linked");
    let theirs = draft("", "ana@x.example", "Theirs");
    store
        .take_draft(one(), theirs, link("2", None))
        .await
        .expect("taken");
    let (rows, _) = here(&store, "one").await;
    assert_eq!(rows.len(), 2);
    let foreign = store
        .foreign(Kind::Outbox, &[RecordId(rows[1].0.clone())])
        .await;
    assert_eq!(foreign.expect("provenance").len(), 1, "text of others");
    store.remove_account(one()).await.expect("removed");
    let left = store
        .list(Kind::Outbox, &Filter::all())
        .await
        .expect("rows");
    let left: Vec<&str> = left.iter().map(Record::label).collect();
    assert_eq!(left, ["Mine"]);
    assert_eq!(here(&store, "two").await.0.len(), 1);
}
