//! Tests of marking, moving and deleting mail.

use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, Reconciled, RemoteFault, RemoteOp, Why,
};
use adjutant_domain::ports::RemoteExecutor as _;
use adjutant_domain::record::Folder;
use adjutant_testkit::remote::Trouble;
use adjutant_testkit::remote::suite::Rig as _;
use jiff::Timestamp;

use crate::rig::GoogleRig;

fn added(rig: &GoogleRig, labels: &[&str]) -> String {
    let mime =
        "From: a@work.example\r\nSubject: x\r\nMessage-ID: <x@work.example>\r\n\r\nHello.\r\n";
    rig.google().mail.add(mime.as_bytes(), 1_000, labels)
}

fn labels(rig: &GoogleRig, id: &str) -> Vec<String> {
    rig.google().mail.messages[id]
        .labels
        .iter()
        .cloned()
        .collect()
}

fn is_done(ended: &Ended) -> bool {
    matches!(ended, Ended::Done { .. })
}

#[tokio::test]
async fn archives_deletes_and_restores_mail() {
    let rig = GoogleRig::new();
    let id = added(&rig, &["INBOX", "STARRED"]);
    let mails = || vec![rig.seen(&id, "x@work.example")];
    let steps = [
        (
            MailOp::Move {
                mails: mails(),
                to: Folder::Archive,
                into: None,
                leaves: Vec::new(),
            },
            &["STARRED"][..],
        ),
        (
            MailOp::Move {
                mails: mails(),
                to: Folder::Inbox,
                into: None,
                leaves: Vec::new(),
            },
            &["INBOX", "STARRED"],
        ),
        (MailOp::Delete { mails: mails() }, &["STARRED", "TRASH"]),
        (MailOp::Delete { mails: mails() }, &["STARRED", "TRASH"]),
        (
            MailOp::Move {
                mails: mails(),
                to: Folder::Inbox,
                into: None,
                leaves: Vec::new(),
            },
            &["INBOX", "STARRED"],
        ),
        (
            MailOp::Move {
                mails: mails(),
                to: Folder::Junk,
                into: None,
                leaves: Vec::new(),
            },
            &["SPAM", "STARRED"],
        ),
    ];
    for (op, expected) in steps {
        assert!(is_done(&rig.apply_mail(op.clone()).await), "{op:?}");
        assert_eq!(labels(&rig, &id), expected, "{op:?}");
    }
}

#[tokio::test]
async fn files_mail_under_a_label_of_ones_own_and_back() {
    let rig = GoogleRig::new();
    let id = added(&rig, &["INBOX", "STARRED"]);
    let moved = |to, into: Option<&str>, leaves: &[&str]| MailOp::Move {
        mails: vec![rig.seen(&id, "x@work.example")],
        to,
        into: into.map(str::to_owned),
        leaves: leaves.iter().map(ToString::to_string).collect(),
    };
    let filed = moved(Folder::Archive, Some("Travel"), &[]);
    assert!(is_done(&rig.apply_mail(filed.clone()).await));
    assert_eq!(labels(&rig, &id), ["Label_1", "STARRED"]);
    assert_eq!(rig.google().mail.labels["Label_1"], "Travel");
    assert!(is_done(&rig.apply_mail(filed).await));
    assert_eq!(rig.google().mail.labels.len(), 1, "made once");
    let back = moved(Folder::Inbox, None, &["travel"]);
    assert!(is_done(&rig.apply_mail(back).await));
    assert_eq!(labels(&rig, &id), ["INBOX", "STARRED"]);
}

#[tokio::test]
async fn finds_labels_by_name_and_creates_missing_ones() {
    let rig = GoogleRig::new();
    rig.google()
        .mail
        .labels
        .insert("Label_1".into(), "Travel".into());
    let id = added(&rig, &["INBOX", "UNREAD", "Label_1"]);
    let op = MailOp::Flag {
        mails: vec![rig.seen(&id, "x@work.example")],
        read: Some(true),
        starred: Some(true),
        add_labels: vec!["Later".into()],
        remove_labels: vec!["travel".into(), "unknown".into()],
    };
    assert!(is_done(&rig.apply_mail(op.clone()).await));
    assert_eq!(labels(&rig, &id), ["INBOX", "Label_2", "STARRED"]);
    assert_eq!(rig.google().mail.labels["Label_2"], "Later");
    assert!(is_done(&rig.apply_mail(op).await));
    assert_eq!(rig.google().mail.labels.len(), 2, "made once");
}

/// 2,500 mails take three requests. The second one is refused after the first has succeeded, so the outcome must not be
/// "not done".
#[tokio::test]
async fn a_batch_refused_half_way_has_an_unknown_outcome() {
    let rig = GoogleRig::new();
    let all: Vec<String> = (0..2_500).map(|_| added(&rig, &["INBOX"])).collect();
    let op = MailOp::Move {
        mails: all
            .iter()
            .map(|id| rig.seen(id, "x@work.example"))
            .collect(),
        to: Folder::Archive,
        into: None,
        leaves: Vec::new(),
    };
    rig.meet(Trouble::LostReply);
    let ended = rig.apply_mail(op.clone()).await;
    assert_eq!(ended, Ended::Unknown { why: Why::NoReply });
    let attempt = Attempt {
        key: Key("key".into()),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: None,
        outcome: Some(ended),
    };
    let seen = rig
        .backends
        .reconcile(&RemoteOp::Mail(op.clone()), &attempt)
        .await;
    assert_eq!(seen, Reconciled::NotDone, "1,000 of 2,500");
    assert!(is_done(&rig.apply_mail(op.clone()).await));
    assert_eq!(
        rig.carried_out(),
        3,
        "what was archived is not archived again"
    );
    let seen = rig.backends.reconcile(&RemoteOp::Mail(op), &attempt).await;
    assert!(matches!(seen, Reconciled::Done { .. }), "{seen:?}");
}

#[tokio::test]
async fn an_id_unknown_to_google_counts_as_gone() {
    let rig = GoogleRig::new();
    added(&rig, &["INBOX"]);
    for id in ["", "..", "a/b", "../profile", "a?x=y", "%2e", "é"] {
        let op = MailOp::Delete {
            mails: vec![rig.seen(id, "x@work.example")],
        };
        let fault = RemoteFault::Gone;
        assert_eq!(rig.apply_mail(op).await, Ended::Refused { fault }, "{id}");
    }
    assert_eq!(rig.carried_out(), 0);
}
