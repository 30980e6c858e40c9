//! Tests of finding out how operations with a lost reply ended, while other clients make changes.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::{
    Attempt, CalendarOp, Ended, Key, Receipt, Reconciled, RemoteFault, RemoteId, RemoteOp, TaskOp,
    Why,
};
use adjutant_domain::ports::RemoteExecutor as _;
use adjutant_testkit::make;
use adjutant_testkit::remote::{Rig as _, Trouble};
use jiff::Timestamp;
use serde_json::json;

use crate::rig::{GoogleRig, event};
use crate::stub::{PERSON, lock, ok, refusal};

const LOST: Ended = Ended::Unknown { why: Why::NoReply };

fn key() -> Key {
    Key("key-1".into())
}

fn attempt(started: &str) -> Attempt {
    Attempt {
        key: key(),
        number: 1,
        started: started.parse::<Timestamp>().unwrap(),
        ended: None,
        outcome: None,
    }
}

fn remote_id(ended: &Ended) -> Option<&RemoteId> {
    match ended {
        Ended::Done {
            receipt: Receipt::Remote { remote_id, .. },
        } => remote_id.as_ref(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_event_keeps_the_mark_of_its_operation_after_later_changes() {
    let rig = GoogleRig::new().await;
    let lunch = make::event(
        "lunch",
        "Lunch",
        "2026-01-15T12:00:00+01:00[Europe/Paris]",
        "2026-01-15T13:00:00+01:00[Europe/Paris]",
        &[],
    );
    let etag = {
        let mut state = lock(&rig.stub.state);
        state.events.put(PERSON, "lunch", event(&lunch))
    };
    let mut later = lunch;
    later.summary = "Late lunch".into();
    let op = RemoteOp::Calendar(CalendarOp::Update {
        collection: rig.place(CollectionKind::Calendar),
        moves_to: None,
        remote_id: RemoteId("lunch".into()),
        uid: later.uid.clone(),
        sequence: 0,
        etag: Some(adjutant_domain::operation::Etag(etag)),
        rows: vec![later],
        reverted: Vec::new(),
        source: None,
        notify: false,
    });
    rig.meet(Trouble::LostReply);
    assert_eq!(rig.backends.apply(&op, &key()).await, LOST);
    {
        let mut state = lock(&rig.stub.state);
        let mut theirs = state.events.get(PERSON, "lunch").cloned().unwrap();
        assert_eq!(theirs["summary"], "Late lunch");
        theirs["summary"] = json!("Dinner");
        state.events.put(PERSON, "lunch", theirs);
    }
    let seen = rig
        .backends
        .reconcile(&op, &attempt("2026-01-12T11:00:00Z"))
        .await;
    assert!(matches!(seen, Reconciled::Done { .. }), "{seen:?}");
    let again = rig.backends.apply(&op, &key()).await;
    assert!(matches!(again, Ended::Done { .. }), "{again:?}");
    let other = rig.backends.apply(&op, &Key("key-2".into())).await;
    let conflict = |fault: &RemoteFault| matches!(fault, RemoteFault::Conflict { .. });
    assert!(
        matches!(&other, Ended::Refused { fault } if conflict(fault)),
        "another operation has not written it: {other:?}"
    );
    let state = lock(&rig.stub.state);
    let there = state.events.get(PERSON, "lunch").unwrap();
    assert_eq!(there["summary"], "Dinner", "theirs stays");
}

fn milk(rig: &GoogleRig) -> RemoteOp {
    RemoteOp::Task(TaskOp::Create {
        collection: rig.place(CollectionKind::TaskList),
        remote_id: RemoteId("0123456789abcdef".into()),
        task: Box::new(make::task("t", "Milk", None)),
        source: None,
    })
}

#[tokio::test]
async fn an_older_task_with_the_same_text_is_not_taken_for_the_new_one() {
    let rig = GoogleRig::at("2026-01-12T15:00:00+01:00[Europe/Paris]").await;
    let op = milk(&rig);
    // The record was written at eleven, and now it is two.
    lock(&rig.stub.state)
        .tasks
        .put("older", json!({ "title": "Milk" }));
    rig.meet(Trouble::LostRequest);
    assert_eq!(rig.backends.apply(&op, &key()).await, LOST);
    let ended = rig.backends.apply(&op, &key()).await;
    let made = remote_id(&ended).cloned().unwrap();
    assert_ne!(made.0, "older", "the person wanted another one");
    assert_eq!(rig.carried_out(), 1);
    let again = rig.backends.apply(&op, &key()).await;
    assert_eq!(remote_id(&again), Some(&made));
    assert_eq!(rig.carried_out(), 1, "done twice");
}

#[tokio::test]
async fn an_uncertain_task_stays_unknown_when_the_retry_is_refused() {
    let rig = GoogleRig::new().await;
    let op = milk(&rig);
    rig.meet(Trouble::LostReply);
    assert_eq!(rig.backends.apply(&op, &key()).await, LOST);
    // The list does not show it yet, so the retry creates a duplicate.
    let nothing_yet = ok(json!({ "kind": "tasks#tasks", "items": [] }));
    let too_many = refusal(403, "rateLimitExceeded");
    lock(&rig.stub.state)
        .scripted
        .extend([nothing_yet, too_many]);
    let refused = rig.backends.apply(&op, &key()).await;
    let fault = RemoteFault::Limited {
        retry_after_seconds: None,
    };
    assert_eq!(refused, Ended::Refused { fault });
    let ended = rig.backends.apply(&op, &key()).await;
    assert!(remote_id(&ended).is_some());
    assert_eq!(rig.carried_out(), 1, "added twice");
}
