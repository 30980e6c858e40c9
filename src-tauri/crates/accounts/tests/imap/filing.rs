//! Tests of marking, moving and deleting mail, as another mail client sees it.

use std::sync::Arc;

use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, MailRef, Reconciled, RemoteFault, RemoteOp,
};
use adjutant_domain::ports::RemoteExecutor as _;
use adjutant_domain::record::Folder;
use jiff::Timestamp;

use crate::door::lock;
use crate::dovecot::Dovecot;
use crate::rig::MailRig;

fn mail(subject: &str) -> String {
    format!(
        "From: n@work.example\r\nSubject: {subject}\r\nMessage-ID: <{subject}@work.example>\r\n\r\nText.\r\n"
    )
}

fn add(rig: &MailRig, mailbox: &str, flags: &str, subject: &str) -> MailRef {
    let uid = rig.other().append(mailbox, flags, &mail(subject));
    rig.seen(mailbox, uid, &format!("{subject}@work.example"))
}

fn is_done(ended: &Ended) -> bool {
    matches!(ended, Ended::Done { .. })
}

fn subjects(rig: &MailRig, mailbox: &str) -> Vec<String> {
    let all = rig.other().mails(mailbox).into_iter();
    all.map(|(subject, _)| subject).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sets_and_clears_flags_without_other_changes() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let named = add(&rig, "INBOX", "\\Seen \\Answered old", "a");
    add(&rig, "INBOX", "\\Seen", "b");
    let flag = |read, starred, add: &[&str], remove: &[&str]| MailOp::Flag {
        mails: vec![named.clone()],
        read,
        starred,
        add_labels: add.iter().map(ToString::to_string).collect(),
        remove_labels: remove.iter().map(ToString::to_string).collect(),
    };
    let ended = rig
        .apply(flag(Some(false), Some(true), &["Budget 2026"], &["old"]))
        .await;
    assert!(is_done(&ended), "{ended:?}");
    let (pulled, _) = rig.pull("INBOX", None).await;
    let marks: Vec<String> = pulled.iter().map(|one| format!("{:?}", one.what)).collect();
    assert!(
        marks[1].contains("labels: [\"Budget 2026\"]"),
        "{}",
        marks[1]
    );
    let seen = rig.other().mails("INBOX");
    let flags: Vec<&str> = seen[0].1.split_whitespace().collect();
    assert!(
        flags.contains(&"\\Answered") && flags.contains(&"\\Flagged"),
        "{flags:?}"
    );
    assert!(
        !flags.contains(&"\\Seen") && !flags.contains(&"old"),
        "{flags:?}"
    );
    assert_eq!(seen[1].1, "\\Seen");
    let before = lock(&rig.course).changed;
    let again = rig
        .apply(flag(Some(false), Some(true), &["Budget 2026"], &["old"]))
        .await;
    assert!(is_done(&again), "{again:?}");
    assert_eq!(
        lock(&rig.course).changed,
        before,
        "what is marked already is not marked again"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn moves_a_mail_with_or_without_server_extensions() {
    let server = Arc::new(Dovecot::start());
    for hidden in [vec![], vec!["MOVE"], vec!["MOVE", "UIDPLUS"]] {
        let rig = MailRig::new(&server, true).await;
        lock(&rig.course).hidden.clone_from(&hidden);
        let mails = vec![
            add(&rig, "INBOX", "", "a"),
            add(&rig, "INBOX", "\\Flagged", "b"),
        ];
        add(&rig, "INBOX", "\\Deleted", "theirs");
        add(&rig, "INBOX", "", "c");
        let to = Folder::Archive;
        let op = MailOp::Move {
            mails,
            to,
            into: None,
            leaves: Vec::new(),
        };
        for _ in 0..2 {
            let ended = rig.apply(op.clone()).await;
            assert!(is_done(&ended), "{hidden:?}: {ended:?}");
        }
        assert_eq!(subjects(&rig, "Archive"), ["a", "b"], "{hidden:?}");
        assert!(
            subjects(&rig, "INBOX").contains(&"theirs".to_owned()),
            "{hidden:?}: what others deleted is theirs to expunge"
        );
        let (pulled, _) = rig.pull("INBOX", None).await;
        assert_eq!(pulled.len(), 1, "{hidden:?}: {pulled:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn undoes_a_move_although_the_uid_has_changed() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let named = add(&rig, "INBOX", "", "a");
    let moved = |to| MailOp::Move {
        mails: vec![named.clone()],
        to,
        into: None,
        leaves: Vec::new(),
    };
    assert!(is_done(&rig.apply(moved(Folder::Archive)).await));
    assert!(is_done(&rig.apply(moved(Folder::Inbox)).await));
    assert_eq!(subjects(&rig, "INBOX"), ["a"]);
    assert_eq!(subjects(&rig, "Archive"), Vec::<String>::new());
}

/// Files a mail under a name and takes it back, with the reference as it was before.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn files_mail_in_a_mailbox_of_ones_own_and_back() {
    let server = Arc::new(Dovecot::start());
    for hidden in [vec![], vec!["MOVE"]] {
        let rig = MailRig::new(&server, true).await;
        lock(&rig.course).hidden.clone_from(&hidden);
        let named = add(&rig, "INBOX", "Reise", "a");
        add(&rig, "INBOX", "", "b");
        let moved = |to, into: Option<&str>, leaves: &[&str]| MailOp::Move {
            mails: vec![named.clone()],
            to,
            into: into.map(str::to_owned),
            leaves: leaves.iter().map(ToString::to_string).collect(),
        };
        let filed = moved(Folder::Archive, Some("Reisen & Käse"), &[]);
        for _ in 0..2 {
            let ended = rig.apply(filed.clone()).await;
            assert!(is_done(&ended), "{hidden:?}: {ended:?}");
        }
        assert_eq!(subjects(&rig, "INBOX"), ["b"], "{hidden:?}");
        assert_eq!(subjects(&rig, "Reisen &- K&AOQ-se"), ["a"], "{hidden:?}");
        let subscribed = rig.other().ask("LSUB \"\" \"*\"").join("\n");
        assert!(subscribed.contains("K&AOQ-se"), "{subscribed}");
        let (pulled, _) = rig.pull("Reisen &- K&AOQ-se", None).await;
        let read = format!("{pulled:?}");
        assert!(
            read.contains("labels: [\"Reise\", \"Reisen & Käse\"]"),
            "{read}"
        );
        let back = moved(Folder::Inbox, None, &["Reisen & Käse", "Reise"]);
        let attempt = Attempt {
            key: Key("key".into()),
            number: 1,
            started: Timestamp::UNIX_EPOCH,
            ended: None,
            outcome: None,
        };
        let op = RemoteOp::Mail(back.clone());
        let seen = rig.backends.reconcile(&op, &attempt).await;
        assert_eq!(seen, Reconciled::NotDone, "{hidden:?}");
        assert!(is_done(&rig.apply(back).await));
        let seen = rig.backends.reconcile(&op, &attempt).await;
        assert!(matches!(seen, Reconciled::Done { .. }), "{seen:?}");
        assert_eq!(subjects(&rig, "INBOX"), ["b", "a"], "{hidden:?}");
        let flags = rig.other().mails("INBOX").pop().unwrap().1;
        assert_eq!(flags, "", "{hidden:?}: the label went with the place");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn deletes_mail_in_the_trash_for_good() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let named = add(&rig, "Trash", "", "a");
    add(&rig, "Trash", "", "b");
    let op = MailOp::Delete { mails: vec![named] };
    let attempt = Attempt {
        key: Key("key".into()),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: None,
        outcome: None,
    };
    let remote = RemoteOp::Mail(op.clone());
    assert_eq!(
        rig.backends.reconcile(&remote, &attempt).await,
        Reconciled::NotDone
    );
    assert_eq!(rig.backends.check(&remote).await, Ok(()));
    assert!(is_done(&rig.apply(op.clone()).await));
    assert_eq!(subjects(&rig, "Trash"), ["b"]);
    let seen = rig.backends.reconcile(&remote, &attempt).await;
    assert!(matches!(seen, Reconciled::Done { .. }), "{seen:?}");
    assert_eq!(rig.backends.check(&remote).await, Err(RemoteFault::Gone));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn moves_all_mails_or_none() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let there = add(&rig, "INBOX", "", "a");
    let gone = add(&rig, "INBOX", "", "b");
    rig.other()
        .expunge("INBOX", gone.remote_id.0.parse().unwrap());
    let op = MailOp::Move {
        mails: vec![there, gone],
        to: Folder::Archive,
        into: None,
        leaves: Vec::new(),
    };
    let fault = RemoteFault::Gone;
    assert_eq!(rig.apply(op).await, Ended::Refused { fault });
    assert_eq!(subjects(&rig, "INBOX"), ["a"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reports_a_full_mailbox() {
    let quota = "mail_plugins = quota\nprotocol imap {\n mail_plugins = quota imap_quota\n}\nplugin {\n quota = maildir:User\n quota_rule = *:messages=1\n}";
    let server = Arc::new(Dovecot::start_with(quota));
    let rig = MailRig::new(&server, false).await;
    lock(&rig.course).hidden = vec!["MOVE"];
    let named = add(&rig, "INBOX", "", "a");
    let op = MailOp::Move {
        mails: vec![named],
        to: Folder::Archive,
        into: None,
        leaves: Vec::new(),
    };
    let ended = rig.apply(op).await;
    let is_full = matches!(&ended, Ended::Refused { fault: RemoteFault::Refused { what } } if what.contains("full"));
    assert!(is_full, "{ended:?}");
    assert_eq!(subjects(&rig, "INBOX"), ["a"]);
}
