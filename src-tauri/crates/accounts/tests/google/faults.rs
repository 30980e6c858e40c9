//! Tests every status that Google answers with, for every request.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::{
    CalendarOp, Ended, Etag, Key, Participation, RemoteFault, RemoteId, RemoteOp, TaskOp, Why,
};
use adjutant_domain::ports::{PullFault, RemoteExecutor as _};
use adjutant_testkit::make;
use adjutant_testkit::remote::Rig as _;
use serde_json::json;

use crate::rig::{GoogleRig, event};
use crate::stub::{Answer, PERSON, lock, ok, refusal};

const ID: &str = "0123456789abcdef0123456789abcdef";

/// Outcome of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    SignedOut,
    Limited,
    Refused,
    Gone,
    Conflict,
    TimedOut,
    Unknown,
    Done,
}

fn of(fault: &RemoteFault) -> Is {
    match fault {
        RemoteFault::NotSignedIn { .. } => Is::SignedOut,
        RemoteFault::Limited { .. } => Is::Limited,
        RemoteFault::Refused { .. } | RemoteFault::Untrusted { .. } => Is::Refused,
        RemoteFault::Gone => Is::Gone,
        RemoteFault::Conflict { .. } => Is::Conflict,
        RemoteFault::TimedOut => Is::TimedOut,
        RemoteFault::Unreachable | RemoteFault::Failed { .. } => Is::Unknown,
    }
}

fn ended(ended: &Ended) -> Is {
    match ended {
        Ended::Done { .. } => Is::Done,
        Ended::Refused { fault } => of(fault),
        Ended::Unknown { why } => {
            assert_eq!(*why, Why::NoReply);
            Is::Unknown
        }
    }
}

fn operations(rig: &GoogleRig) -> Vec<(&'static str, RemoteOp)> {
    let row = make::event(
        "old",
        "old",
        "2026-01-15T10:00:00Z",
        "2026-01-15T11:00:00Z",
        &[PERSON],
    );
    let task = make::task("task-old", "old", None);
    let (etag, source) = {
        let mut state = lock(&rig.stub.state);
        state.tasks.put("t1", json!({"title": "before"}));
        let etag = Etag(state.events.put(PERSON, ID, event(&row)));
        let source = json!([state.events.get(PERSON, ID)]).to_string();
        (Some(etag), source)
    };
    let calendar = rig.place(CollectionKind::Calendar);
    let list = rig.place(CollectionKind::TaskList);
    let id = RemoteId(ID.into());
    let mut new = row.clone();
    new.summary = "new".into();
    let of_calendar = [
        (
            "create",
            CalendarOp::Create {
                collection: calendar.clone(),
                remote_id: RemoteId("abcde12345".into()),
                rows: vec![row.clone()],
                notify: false,
                source: None,
            },
        ),
        (
            "update",
            CalendarOp::Update {
                collection: calendar.clone(),
                moves_to: None,
                remote_id: id.clone(),
                etag: etag.clone(),
                uid: "old".into(),
                sequence: 0,
                rows: vec![new],
                reverted: Vec::new(),
                source: Some(source),
                notify: false,
            },
        ),
        (
            "delete",
            CalendarOp::Delete {
                collection: calendar.clone(),
                remote_id: id.clone(),
                etag,
                uid: "old".into(),
                sequence: 0,
                notify: false,
            },
        ),
        (
            "respond",
            CalendarOp::Respond {
                collection: calendar,
                remote_id: id,
                etag: None,
                uid: "old".into(),
                sequence: 0,
                instance: None,
                participation: Participation::Accepted,
                notify: true,
            },
        ),
    ];
    let of_tasks = [
        (
            "add task",
            TaskOp::Create {
                collection: list.clone(),
                remote_id: RemoteId("x".into()),
                task: Box::new(task.clone()),
                source: None,
            },
        ),
        (
            "change task",
            TaskOp::Update {
                collection: list.clone(),
                remote_id: RemoteId("t1".into()),
                etag: None,
                source: None,
                task: Box::new(task),
            },
        ),
        (
            "delete task",
            TaskOp::Delete {
                collection: list,
                remote_id: RemoteId("t1".into()),
                etag: None,
            },
        ),
    ];
    let of_calendar = of_calendar
        .into_iter()
        .map(|(name, op)| (name, RemoteOp::Calendar(op)));
    let of_tasks = of_tasks
        .into_iter()
        .map(|(name, op)| (name, RemoteOp::Task(op)));
    of_calendar.chain(of_tasks).collect()
}

/// Status and reason, with the outcome of a request that writes at once and of one that reads first.
const TABLE: [(u16, &str, Is, Is); 14] = [
    (400, "invalid", Is::Refused, Is::Refused),
    (403, "insufficientPermissions", Is::Refused, Is::Refused),
    (403, "rateLimitExceeded", Is::Limited, Is::Limited),
    (403, "quotaExceeded", Is::Limited, Is::Limited),
    (403, "forbiddenForNonOrganizer", Is::Refused, Is::Refused),
    (404, "notFound", Is::Gone, Is::Gone),
    (408, "timeout", Is::TimedOut, Is::TimedOut),
    (410, "deleted", Is::Gone, Is::Gone),
    (429, "rateLimitExceeded", Is::Limited, Is::Limited),
    (500, "backendError", Is::Unknown, Is::Refused),
    (502, "backendError", Is::Unknown, Is::Refused),
    (503, "backendError", Is::Unknown, Is::Limited),
    (504, "backendError", Is::Unknown, Is::Refused),
    (418, "teapot", Is::Refused, Is::Refused),
];

#[tokio::test]
async fn maps_every_status_of_every_operation_to_an_outcome() {
    let reads_first = ["respond", "change task", "delete task"];
    for (status, reason, writes, reads) in TABLE {
        let rig = GoogleRig::new().await;
        for (name, op) in operations(&rig) {
            lock(&rig.stub.state)
                .scripted
                .push_back(refusal(status, reason));
            let before = rig.carried_out();
            let is = ended(
                &rig.backends
                    .apply(&op, &Key(format!("{name} {status} {reason}")))
                    .await,
            );
            let meant = if reads_first.contains(&name) {
                reads
            } else {
                writes
            };
            assert_eq!(is, meant, "{name}: {status} {reason}");
            assert_eq!(rig.carried_out(), before, "{name}: {status} {reason}");
        }
        for kind in [CollectionKind::Calendar, CollectionKind::TaskList] {
            lock(&rig.stub.state)
                .scripted
                .push_back(refusal(status, reason));
            let (_, read) = rig.pull(kind, None).await;
            let Err(PullFault::Remote(fault)) = read else {
                panic!("{kind:?}: {status}: {read:?}");
            };
            assert_eq!(of(&fault), reads, "{kind:?}: {status} {reason}");
        }
    }
}

#[tokio::test]
async fn renews_a_refused_token_once_then_reports_it() {
    let rig = GoogleRig::new().await;
    for (name, op) in operations(&rig) {
        lock(&rig.stub.state)
            .scripted
            .extend([refusal(401, "authError"), refusal(401, "authError")]);
        let is = ended(&rig.backends.apply(&op, &Key(name.into())).await);
        assert_eq!(is, Is::SignedOut, "{name}");
        assert!(
            lock(&rig.stub.state).scripted.is_empty(),
            "{name}: asked once more, not twice"
        );
    }
}

#[tokio::test]
async fn a_malformed_answer_is_not_a_success() {
    for body in [
        "",
        "<html>Sign in to the hotel's network</html>",
        "[]",
        "{\"items\": 7}",
    ] {
        let rig = GoogleRig::new().await;
        let answer = || Answer {
            status: 200,
            headers: Vec::new(),
            body: body.to_owned(),
        };
        for kind in [CollectionKind::Calendar, CollectionKind::TaskList] {
            lock(&rig.stub.state).scripted.push_back(answer());
            let (pulled, read) = rig.pull(kind, None).await;
            assert!(pulled.is_empty(), "{body}");
            assert!(
                matches!(read, Err(PullFault::Remote(RemoteFault::Refused { .. }))),
                "{body}: {read:?}"
            );
        }
    }
}

/// An account without calendars means that its calendars are gone, so only Google itself may say so.
#[tokio::test]
async fn an_empty_list_does_not_empty_the_account() {
    for body in ["{}", "{\"kind\": \"calendar#events\", \"items\": []}"] {
        let rig = GoogleRig::new().await;
        let answer = || ok(serde_json::from_str(body).unwrap());
        lock(&rig.stub.state).scripted.extend([answer(), answer()]);
        let listing = rig.backends.list().await.unwrap();
        let unlisted: Vec<CollectionKind> = listing.unlisted.iter().map(|one| one.0).collect();
        assert_eq!(
            unlisted,
            [CollectionKind::Calendar, CollectionKind::TaskList]
        );
    }
}

/// Nothing listens at Google's address. Nothing was sent, so the operation certainly did not happen.
#[tokio::test]
async fn an_unreachable_server_means_nothing_was_done() {
    let all = operations(&GoogleRig::new().await);
    let backends = GoogleRig::nowhere().await;
    for (name, op) in all {
        let ended = backends.apply(&op, &Key(name.into())).await;
        let fault = RemoteFault::Unreachable;
        assert_eq!(ended, Ended::Refused { fault }, "{name}");
    }
}
