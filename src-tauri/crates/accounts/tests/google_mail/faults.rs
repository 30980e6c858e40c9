//! Tests every status for every operation: a refusal has the right reason, and an operation that may have happened is
//! never reported as undone.

use adjutant_accounts::Provider as _;
use adjutant_domain::operation::{
    Attempt, CollectionRef, ContactOp, Ended, MailOp, Reconciled, RemoteFault, RemoteId, RemoteOp,
    Why,
};
use adjutant_domain::ports::{PullFault, RemoteExecutor as _};
use adjutant_domain::record::{Address, Contact, Folder};
use adjutant_net::StatusCode;
use jiff::Timestamp;
use serde_json::json;
use tokio::net::TcpListener;

use crate::rig::{CollectingSink, GoogleRig, key};
use crate::stub::Answer;

/// What a status means.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Means {
    SignedOut,
    Gone,
    Conflict,
    Limited,
    Refused,
    TimedOut,
    /// Refused for requests that only read; otherwise the outcome is unknown.
    Broken,
    /// The same, with a request from Google to retry later.
    Busy,
}

const TABLE: &[(u16, &str, Means)] = &[
    (400, "badRequest", Means::Refused),
    (401, "authError", Means::SignedOut),
    (403, "insufficientPermissions", Means::Refused),
    (403, "rateLimitExceeded", Means::Limited),
    (403, "userRateLimitExceeded", Means::Limited),
    (403, "quotaExceeded", Means::Limited),
    (403, "forbidden", Means::Refused),
    (404, "notFound", Means::Gone),
    (408, "timeout", Means::TimedOut),
    (409, "aborted", Means::Refused),
    (410, "gone", Means::Gone),
    (412, "conditionNotMet", Means::Conflict),
    (429, "rateLimitExceeded", Means::Limited),
    (500, "backendError", Means::Broken),
    (502, "badGateway", Means::Broken),
    (503, "backendError", Means::Busy),
    (504, "timeout", Means::Broken),
];

/// Returns whether the fault of a reading request is correct.
fn fits(means: Means, fault: &RemoteFault) -> bool {
    match fault {
        RemoteFault::NotSignedIn { .. } => means == Means::SignedOut,
        RemoteFault::Gone => means == Means::Gone,
        RemoteFault::Conflict { .. } => means == Means::Conflict,
        RemoteFault::Limited { .. } => matches!(means, Means::Limited | Means::Busy),
        RemoteFault::TimedOut => means == Means::TimedOut,
        RemoteFault::Refused { .. } => matches!(means, Means::Refused | Means::Broken),
        RemoteFault::Unreachable | RemoteFault::Untrusted { .. } | RemoteFault::Failed { .. } => {
            false
        }
    }
}

/// Returns whether a change ended as it should.
fn ended_right(means: Means, ended: &Ended) -> bool {
    match ended {
        Ended::Unknown { why: Why::NoReply } => matches!(means, Means::Broken | Means::Busy),
        Ended::Refused { fault } => {
            !matches!(means, Means::Broken | Means::Busy) && fits(means, fault)
        }
        _ => false,
    }
}

fn answer(status: u16, reason: &str) -> Answer {
    assert!(StatusCode::from_u16(status).is_ok());
    Answer::error(status, reason)
}

const MIME: &str = "From: me@home.example\r\nTo: bob@work.example\r\nMessage-ID: <new@home.example>\r\nSubject: Hello\r\n\r\nHello.\r\n";

fn contact() -> Contact {
    Contact {
        id: "who-1".into(),
        uid: "uid-1".into(),
        name: "Ana".into(),
        nicknames: Vec::new(),
        emails: vec!["ana@work.example".into()],
        phones: Vec::new(),
        birthday: String::new(),
        organisation: String::new(),
        relation: String::new(),
        notes: String::new(),
        created: Timestamp::UNIX_EPOCH,
        updated: Timestamp::UNIX_EPOCH,
        version: 1,
    }
}

/// Returns every operation, with the end of the path of the request that carries it out.
fn operations(rig: &GoogleRig) -> Vec<(&'static str, RemoteOp)> {
    let mut google = rig.google();
    let id = google.mail.add(
        MIME.replace("new@", "old@").as_bytes(),
        1_000,
        &["INBOX", "UNREAD"],
    );
    google.people.put(
        "people/c1",
        &json!({"names": [{"unstructuredName": "Bob"}]}),
    );
    drop(google);
    let mails = || vec![rig.seen(&id, "old@home.example")];
    let address = |email: &str| Address {
        name: String::new(),
        email: email.into(),
    };
    let collection = || CollectionRef {
        id: "col_2".into(),
        remote_id: RemoteId("people/me/connections".into()),
    };
    let remote_id = || RemoteId("people/c1".into());
    vec![
        (
            "/send",
            RemoteOp::Mail(MailOp::Send {
                message_id: "new@home.example".into(),
                from: address("me@home.example"),
                recipients: vec![address("bob@work.example")],
                mime: MIME.into(),
            }),
        ),
        (
            "/modify",
            RemoteOp::Mail(MailOp::Move {
                mails: mails(),
                to: Folder::Archive,
                into: None,
                leaves: Vec::new(),
            }),
        ),
        (
            "/batchModify",
            RemoteOp::Mail(MailOp::Move {
                mails: [mails(), mails()].concat(),
                to: Folder::Archive,
                into: None,
                leaves: Vec::new(),
            }),
        ),
        ("/modify", RemoteOp::Mail(MailOp::Delete { mails: mails() })),
        (
            "/modify",
            RemoteOp::Mail(MailOp::Flag {
                mails: mails(),
                read: Some(true),
                starred: None,
                add_labels: Vec::new(),
                remove_labels: Vec::new(),
            }),
        ),
        (
            ":createContact",
            RemoteOp::Contact(ContactOp::Create {
                collection: collection(),
                remote_id: RemoteId("0123456789abcdef".into()),
                contact: Box::new(contact()),
                source: None,
            }),
        ),
        (
            ":updateContact",
            RemoteOp::Contact(ContactOp::Update {
                collection: collection(),
                remote_id: remote_id(),
                etag: None,
                source: None,
                contact: Box::new(contact()),
            }),
        ),
        (
            ":deleteContact",
            RemoteOp::Contact(ContactOp::Delete {
                collection: collection(),
                remote_id: remote_id(),
                etag: None,
            }),
        ),
    ]
}

#[tokio::test]
async fn maps_every_status_of_every_change() {
    for (status, reason, means) in TABLE {
        let rig = GoogleRig::new();
        for (path, op) in operations(&rig) {
            rig.google().says = vec![(path.into(), answer(*status, reason))];
            let ended = rig.apply(op.clone()).await;
            assert!(
                ended_right(*means, &ended),
                "{status} {reason} {path}: {ended:?}"
            );
            assert_eq!(rig.google().carried_out, 0, "{status} {path}");
        }
        rig.google().says.clear();
        for (path, op) in operations(&rig) {
            if path == "/send" {
                // A mail that may have been sent is searched for before it is sent again.
                let attempt = Attempt {
                    key: key(&op),
                    number: 1,
                    started: Timestamp::UNIX_EPOCH,
                    ended: None,
                    outcome: None,
                };
                let seen = rig.backends.reconcile(&op, &attempt).await;
                assert_eq!(seen, Reconciled::NotDone, "{path} after {status}");
            }
            let ended = rig.apply(op).await;
            assert!(
                matches!(ended, Ended::Done { .. }),
                "{path} after {status}: {ended:?}"
            );
        }
    }
}

#[tokio::test]
async fn maps_every_status_of_every_read() {
    for (status, reason, means) in TABLE {
        let rig = GoogleRig::new();
        operations(&rig);
        let id = rig.google().mail.messages.keys().next().unwrap().clone();
        let mail = rig.backends.mail.clone().unwrap();
        let named = rig.seen(&id, "old@home.example");
        for path in ["/profile", "/messages", "/labels"] {
            rig.google().says = vec![(path.into(), answer(*status, reason))];
            let mut kept = CollectingSink::default();
            let read = rig.backends.pull(&rig.all_mail(None), &mut kept).await;
            let fault = match read {
                Err(PullFault::Remote(fault)) => fault,
                other => panic!("{status} {path}: {other:?}"),
            };
            assert!(fits(*means, &fault), "{status} {reason} {path}: {fault:?}");
            assert!(kept.0.is_empty(), "{status} {path}");
        }
        rig.google().says = vec![("/connections".into(), answer(*status, reason))];
        let read = rig.read(&rig.contacts(None)).await.0;
        assert!(
            matches!(&read, Err(PullFault::Remote(fault)) if fits(*means, fault)),
            "{status}: {read:?}"
        );
        rig.google().says = vec![(id, answer(*status, reason))];
        for fault in [
            mail.body(&named).await.err(),
            mail.attachment(&named, 0).await.err(),
        ] {
            assert!(
                fault.as_ref().is_some_and(|fault| fits(*means, fault)),
                "{status}: {fault:?}"
            );
        }
        rig.google().says = vec![("/messages".into(), answer(*status, reason))];
        let found = mail.search("hello", 3).await.err();
        assert!(
            found.as_ref().is_some_and(|fault| fits(*means, fault)),
            "{status}: {found:?}"
        );
    }
}

/// Once a first reading has delivered something, it waits for the quota instead of losing what it has.
#[tokio::test]
async fn waits_for_the_quota_in_the_middle_of_a_reading() {
    let rig = GoogleRig::new();
    for at in 0..401 {
        let mime = MIME.replace("new@", &format!("{at}@"));
        rig.google().mail.add(mime.as_bytes(), at, &["INBOX"]);
    }
    rig.google().limits_after = Some(300);
    let (_, pulled) = rig.pull(None).await;
    assert_eq!(pulled.len(), 401);
    assert_eq!(rig.google().limits_after, None, "it was met");
}

#[tokio::test]
async fn an_unreachable_server_means_nothing_was_sent() {
    let rig = GoogleRig::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let access = crate::rig::access(port, &rig.ledger);
    let nowhere = adjutant_accounts::google::Google.connect(access).unwrap();
    for (path, op) in operations(&rig) {
        let ended = nowhere.apply(&op, &key(&op)).await;
        let fault = RemoteFault::Unreachable;
        assert_eq!(ended, Ended::Refused { fault }, "{path}");
    }
}
