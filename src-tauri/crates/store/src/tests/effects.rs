//! Tests of effects: claim, change, receipt, inverse.

use adjutant_domain::canonical;
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::conversation::TurnState;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::ActionState;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Folder, Kind, Record};

use super::{
    action, contact, draft, effect, end, event, fresh, mail, memory, noon, note, task, turn, who,
};
use crate::Store;

async fn stored(store: &Store, kind: Kind, id: &str) -> Option<Record> {
    store.get(kind, &id.into()).await.expect("read")
}

async fn approved(store: &Store, id: &str) {
    store.open_turn(&turn("w", "x")).await.expect("opened");
    let mut waiting = end("w", TurnState::Waiting, "May I?");
    waiting.pending = vec![action(id, "w", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    let (from, to) = (ActionState::Pending, ActionState::Approved);
    store
        .move_action(&id.into(), from, to, None, noon())
        .await
        .expect("approved");
}

#[tokio::test]
async fn every_kind_of_record_survives_a_round_trip() {
    let (_folder, store) = fresh();
    let mut full = event(
        "e1",
        "Café",
        "2026-01-12T09:00:00-05:00[America/New_York]",
        "2026-01-12T10:00:00-05:00[America/New_York]",
    );
    full.rrule = Some("FREQ=DAILY".into());
    full.recurrence_id = None;
    full.exdates = vec![full.start.clone()];
    let records = [
        Record::Task(task("t1", "Milk")),
        Record::Event(full),
        Record::Event(event("e2", "Day", "2026-01-12", "2026-01-13")),
        Record::Note(note("n1", "Title", "Body")),
        Record::Contact(contact("c1", "Zoë", "zoe@example.org")),
        Record::Mail(mail("m1", who("Ana", "ana@example.org"), "Hi", "text")),
        Record::Outbox(draft("o1", "ana@example.org", "Hi")),
        Record::Memory(memory("k1", "wifi", "secret")),
    ];
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let change = records
        .iter()
        .cloned()
        .fold(Change::default(), Change::and_add);
    let receipt = store
        .commit_effect(&effect("f1", "a", change))
        .await
        .expect("done");
    assert_eq!(receipt.rows.len(), records.len());
    for (mut record, line) in records.into_iter().zip(&receipt.rows) {
        record.set_version(1);
        assert_eq!(
            stored(&store, record.kind(), line.id.as_str())
                .await
                .as_ref(),
            Some(&record)
        );
        assert_eq!(line.version, Some(1));
        let digest = canonical::digest(&record).expect("a digest").0;
        assert_eq!(line.digest.as_deref(), Some(digest.as_str()));
    }
    let logged = store
        .effect(&"f1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(
        (logged.outcome.as_str(), logged.receipt),
        ("succeeded", Some(receipt))
    );
}

#[tokio::test]
async fn undoes_a_change_only_once() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let old = Record::Task(task("t1", "Milk"));
    store
        .commit_effect(&effect("f1", "a", Change::add(old)))
        .await
        .expect("added");
    let mut done = task("t1", "Oat milk");
    done.version = 1;
    let kept = stored(&store, Kind::Task, "t1").await.expect("there");
    let change = Change::replace(Record::Task(done)).and_add(Record::Note(note("n1", "a", "b")));
    store
        .commit_effect(&effect("f2", "a", change))
        .await
        .expect("changed");
    let inverse = store
        .effect(&"f2".into())
        .await
        .expect("read")
        .and_then(|e| e.inverse)
        .expect("an inverse");
    let mut undo = effect("f3", "a", inverse);
    undo.undoes = Some("f2".into());
    store.commit_effect(&undo).await.expect("undone");
    let mut back = kept;
    back.set_version(3);
    assert_eq!(stored(&store, Kind::Task, "t1").await, Some(back));
    assert_eq!(stored(&store, Kind::Note, "n1").await, None);
    let undone = store
        .effect(&"f2".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(
        (undone.undone_by, undone.inverse),
        (Some("f3".into()), None)
    );
    undo.id = "f4".into();
    let again = store.commit_effect(&undo).await;
    assert!(
        matches!(again, Err(StoreFault::Conflict { .. })),
        "{again:?}"
    );
    // An undo can itself be undone.
    let inverse = store
        .effect(&"f3".into())
        .await
        .expect("read")
        .and_then(|e| e.inverse)
        .expect("an inverse");
    let mut redo = effect("f5", "a", inverse);
    redo.undoes = Some("f3".into());
    store.commit_effect(&redo).await.expect("redone");
    assert_eq!(
        stored(&store, Kind::Task, "t1")
            .await
            .map(|r| r.label().to_owned()),
        Some("Oat milk".into())
    );
}

#[tokio::test]
async fn finds_the_latest_undoable_effect_among_many() {
    let (_folder, store) = fresh();
    let latest = async |conversation: &str| {
        let found = store.latest_undoable(&conversation.into()).await;
        found.expect("read").map(|effect| effect.id.0)
    };
    assert_eq!(latest("main").await, None);
    store.open_turn(&turn("a", "x")).await.expect("opened");
    for (id, conversation) in [("f1", "main"), ("f2", "main"), ("f3", "other")] {
        let mut done = effect(id, "a", Change::add(Record::Note(note(id, "a", "b"))));
        done.conversation = conversation.into();
        store.commit_effect(&done).await.expect("done");
    }
    assert_eq!(latest("main").await.as_deref(), Some("f2"));
    assert_eq!(latest("other").await.as_deref(), Some("f3"));
    let found = store.effect(&"f2".into()).await.expect("read");
    let inverse = found.and_then(|one| one.inverse).expect("an inverse");
    let mut undo = effect("f4", "a", inverse);
    undo.undoes = Some("f2".into());
    store.commit_effect(&undo).await.expect("undone");
    assert_eq!(
        latest("main").await.as_deref(),
        Some("f1"),
        "neither the undone one nor the undo"
    );
}

#[tokio::test]
async fn an_unclaimed_approval_expires_only_if_nothing_can_claim_it() {
    let (_folder, store) = fresh();
    approved(&store, "act1").await;
    let late = super::at("2026-01-12T12:15:00Z");
    let running = store.expire_actions(late, false).await.expect("ran");
    assert_eq!(running, Vec::new());
    let expired = store.expire_actions(late, true).await.expect("ran");
    assert_eq!(expired[0].state, ActionState::Expired);
}

#[tokio::test]
async fn restores_a_deleted_row_with_an_unused_version() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let one = event(
        "e1",
        "Lunch",
        "2026-01-12T12:00:00Z",
        "2026-01-12T13:00:00Z",
    );
    store
        .commit_effect(&effect("f1", "a", Change::add(Record::Event(one))))
        .await
        .expect("added");
    let before = stored(&store, Kind::Event, "e1").await.expect("there");
    let receipt = store
        .commit_effect(&effect("f2", "a", Change::remove(&before)))
        .await
        .expect("removed");
    assert_eq!(
        (receipt.rows[0].version, receipt.rows[0].label.as_str()),
        (None, "Lunch")
    );
    assert_eq!(stored(&store, Kind::Event, "e1").await, None);
    let inverse = store
        .effect(&"f2".into())
        .await
        .expect("read")
        .and_then(|e| e.inverse)
        .expect("an inverse");
    let mut undo = effect("f3", "a", inverse);
    undo.undoes = Some("f2".into());
    store.commit_effect(&undo).await.expect("undone");
    let back = stored(&store, Kind::Event, "e1").await.expect("there");
    assert_eq!((back.label(), back.version()), ("Lunch", 2));
    // The version shown before the deletion is no longer valid.
    let stale = store
        .commit_effect(&effect("f4", "a", Change::remove(&before)))
        .await;
    assert!(matches!(stale, Err(StoreFault::Conflict { .. })));
}

#[tokio::test]
async fn a_row_changed_since_then_stops_the_undo() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let change = Change::add(Record::Task(task("t1", "Milk")));
    store
        .commit_effect(&effect("f1", "a", change))
        .await
        .expect("added");
    let mut newer = task("t1", "Bread");
    newer.version = 1;
    store
        .commit_effect(&effect("f2", "a", Change::replace(Record::Task(newer))))
        .await
        .expect("changed");
    let inverse = store
        .effect(&"f1".into())
        .await
        .expect("read")
        .and_then(|e| e.inverse)
        .expect("an inverse");
    let mut undo = effect("f3", "a", inverse);
    undo.undoes = Some("f1".into());
    let refused = store.commit_effect(&undo).await;
    assert_eq!(
        refused,
        Err(StoreFault::Conflict {
            what: "the task “Bread”".into()
        })
    );
    let first = store
        .effect(&"f1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(first.undone_by, None);
    // An undo that differs from the recorded inverse is refused.
    let mut wrong = effect("f4", "a", Change::default());
    wrong.undoes = Some("f1".into());
    assert!(matches!(
        store.commit_effect(&wrong).await,
        Err(StoreFault::Conflict { .. })
    ));
}

#[tokio::test]
async fn one_failed_expectation_rolls_everything_back() {
    let (_folder, store) = fresh();
    approved(&store, "act1").await;
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut commit = effect("f1", "a", Change::add(Record::Task(task("t1", "Milk"))));
    commit.change.ops.push(RowOp::Delete {
        kind: Kind::Event,
        id: "nope".into(),
        expect: Expect::Version(1),
    });
    commit.claim = Some("act1".into());
    let refused = store.commit_effect(&commit).await;
    assert!(matches!(refused, Err(StoreFault::Conflict { .. })));
    assert_eq!(stored(&store, Kind::Task, "t1").await, None);
    assert_eq!(store.effects(None).await, Ok(Vec::new()));
    let still = store
        .action(&"act1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(still.state, ActionState::Approved);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_effect_uses_up_an_approval() {
    let (_folder, store) = fresh();
    approved(&store, "act1").await;
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = store.clone();
        tries.spawn(async move {
            let id = format!("t{number}");
            let change = Change::add(Record::Task(task(&id, "Milk")));
            let mut commit = effect(&format!("f{number}"), "a", change);
            commit.claim = Some("act1".into());
            store.commit_effect(&commit).await
        });
    }
    let results = tries.join_all().await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(store.count(Kind::Task).await, Ok(1));
    let used = store
        .action(&"act1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(used.state, ActionState::Succeeded);
}

#[tokio::test]
async fn records_an_effect_claimed_in_advance_once() {
    let (_folder, store) = fresh();
    approved(&store, "act1").await;
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let (from, to) = (ActionState::Approved, ActionState::Executing);
    let claimed = store
        .move_action(&"act1".into(), from, to, None, noon())
        .await;
    claimed.expect("claimed");
    let mut commit = effect("f1", "a", Change::default());
    commit.claim = Some("act1".into());
    let receipt = store.commit_effect(&commit).await.expect("recorded");
    assert_eq!(receipt.rows, []);
    let stored = store.effect(&"f1".into()).await.expect("read");
    let stored = stored.expect("there");
    assert_eq!((stored.action, stored.inverse), (Some("act1".into()), None));
    commit.id = "f2".into();
    let again = store.commit_effect(&commit).await;
    assert!(matches!(again, Err(StoreFault::Conflict { .. })));
}

#[tokio::test]
async fn a_stopped_turn_has_no_further_effects() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    store
        .close_turn(&end("a", TurnState::Interrupted, ""))
        .await
        .expect("stopped");
    let change = Change::add(Record::Task(task("t1", "Milk")));
    let late = store.commit_effect(&effect("f1", "a", change)).await;
    assert!(matches!(late, Err(StoreFault::Conflict { .. })));
    assert_eq!(stored(&store, Kind::Task, "t1").await, None);
}

#[tokio::test]
async fn undoes_two_changes_of_a_row_in_one_step() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let first = mail("m1", who("Ana", "ana@example.org"), "Hi", "text");
    store
        .apply(Change::add(Record::Mail(first.clone())))
        .await
        .expect("stored");
    let mut archived = first.clone();
    archived.folder = Folder::Archive;
    archived.version = 1;
    let mut labelled = archived.clone();
    labelled.labels = vec!["done".into()];
    labelled.version = 2;
    let change = Change::replace(Record::Mail(archived)).and_replace(Record::Mail(labelled));
    let receipt = store
        .commit_effect(&effect("f1", "a", change))
        .await
        .expect("done");
    assert_eq!((receipt.rows.len(), receipt.rows[0].version), (1, Some(3)));
    let inverse = store
        .effect(&"f1".into())
        .await
        .expect("read")
        .and_then(|e| e.inverse)
        .expect("an inverse");
    assert_eq!(inverse.ops.len(), 1);
    let mut undo = effect("f2", "a", inverse);
    undo.undoes = Some("f1".into());
    store.commit_effect(&undo).await.expect("undone");
    let Some(Record::Mail(back)) = stored(&store, Kind::Mail, "m1").await else {
        panic!("gone");
    };
    assert_eq!(
        (back.folder, back.labels.len(), back.version),
        (Folder::Inbox, 0, 4)
    );
}

#[tokio::test]
async fn refuses_two_rows_with_the_same_natural_key() {
    let (_folder, store) = fresh();
    let one = event(
        "e1",
        "Lunch",
        "2026-01-12T12:00:00Z",
        "2026-01-12T13:00:00Z",
    );
    let mut two = one.clone();
    two.id = "e2".into();
    let change = Change::add(Record::Event(one)).and_add(Record::Event(two));
    let refused = store.apply(change).await;
    assert_eq!(
        refused,
        Err(StoreFault::Conflict {
            what: "the event “Lunch”".into()
        })
    );
    assert_eq!(store.count(Kind::Event).await, Ok(0));
}
