//! Mail.

use super::super::operations;
use super::{asked, lives, mail, note, only, origins, outgoing, stays};
use crate::change::{Change, Expect, MailMarks, RowOp};
use crate::operation::{MailOp, Operation, RemoteOp};
use crate::record::{Folder, Mail, OutboxState, Record};

#[test]
fn mails_with_the_same_change_become_one_operation() {
    let ids = ["a", "b", "c"];
    let places = [
        ("work", "work-box"),
        ("work", "work-box"),
        ("home", "home-box"),
    ];
    let origins = origins(
        ids.iter()
            .zip(places)
            .map(|(id, (account, at))| lives(Record::Mail(mail(id)), account, at))
            .collect(),
    );
    let archived = ids.iter().fold(Change::default(), |change, id| {
        let mut moved = mail(id);
        moved.folder = Folder::Archive;
        change.and_replace(Record::Mail(moved))
    });
    // A record that is only on this computer is changed along with it, and first.
    let change = archived.and_replace(note());
    let all = operations(&change, &origins).expect("possible");
    assert!(matches!(all[0], Operation::Local { .. }));
    let moves: Vec<(&str, usize, usize)> = all[1..]
        .iter()
        .map(|one| match asked(one) {
            (
                account,
                RemoteOp::Mail(MailOp::Move {
                    mails,
                    to: Folder::Archive,
                    ..
                }),
                then,
            ) => (account, mails.len(), then.ops.len()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(moves, [("work", 2, 2), ("home", 1, 1)]);
}

#[test]
fn marks_come_before_moves() {
    let origins = origins(vec![lives(Record::Mail(mail("a")), "work", "work-box")]);
    let mut after = mail("a");
    after.read = true;
    after.labels = vec!["new".into()];
    after.folder = Folder::Archive;
    let all = operations(&Change::replace(Record::Mail(after.clone())), &origins);
    let all = all.expect("possible");
    let [mark, moved] = all.as_slice() else {
        panic!("{all:?}");
    };
    let (_, op, then) = asked(mark);
    assert!(matches!(
        op,
        RemoteOp::Mail(MailOp::Flag { read: Some(true), starred: None, add_labels, remove_labels, .. })
            if *add_labels == ["new"] && remove_labels.is_empty()
    ));
    let mut marked = after.clone();
    marked.folder = Folder::Inbox;
    marked.labels.push("old".into());
    assert_eq!(*then, Change::replace(Record::Mail(marked)));
    let (_, op, then) = asked(moved);
    assert!(
        matches!(op, RemoteOp::Mail(MailOp::Move { into: None, leaves, .. }) if *leaves == ["old"])
    );
    after.version = 6;
    assert_eq!(
        *then,
        Change::replace(Record::Mail(after)),
        "it was written once by then"
    );
}

/// Returns where the only operation of a change moves the mail: the folder, the mailbox, and what it leaves.
fn moved(change: &Change, before: &Mail) -> (Folder, Option<String>, Vec<String>, Vec<String>) {
    let origins = origins(vec![lives(
        Record::Mail(before.clone()),
        "work",
        "work-box",
    )]);
    let all = operations(change, &origins).expect("possible");
    let [one] = all.as_slice() else {
        panic!("{all:?}");
    };
    let (_, op, then) = asked(one);
    let RemoteOp::Mail(MailOp::Move {
        to, into, leaves, ..
    }) = op
    else {
        panic!("{op:?}");
    };
    let RowOp::Put { record, .. } = &then.ops[0] else {
        panic!("{then:?}");
    };
    let Record::Mail(after) = record.as_ref() else {
        panic!("{record:?}");
    };
    (*to, into.clone(), leaves.clone(), after.labels.clone())
}

#[test]
fn filing_under_a_name_is_one_move_there_and_back() {
    let inbox = mail("a");
    let mut filed = inbox.clone();
    filed.folder = Folder::Archive;
    filed.labels.push("work-box".into());
    let texts = |all: &[&str]| -> Vec<String> { all.iter().map(ToString::to_string).collect() };
    let marks = MailMarks {
        folder: Some(Folder::Archive),
        labels: Some(filed.labels.clone()),
        mailbox: Some("work-box".into()),
        ..MailMarks::default()
    };
    let there = (
        Folder::Archive,
        Some("work-box".to_owned()),
        texts(&[]),
        texts(&["old", "work-box"]),
    );
    for before in [
        inbox.clone(),
        Mail {
            folder: Folder::Archive,
            ..inbox.clone()
        },
    ] {
        let change = Change::default().and_mark(&before, marks.clone());
        assert_eq!(moved(&change, &before), there, "{:?}", before.folder);
        // Undoing writes the earlier row, and doing it again the later one.
        let back = Change::replace(Record::Mail(before.clone()));
        let left = (before.folder, None, texts(&["work-box"]), texts(&["old"]));
        assert_eq!(moved(&back, &filed), left, "{:?}", before.folder);
        let again = Change::replace(Record::Mail(filed.clone()));
        assert_eq!(moved(&again, &before), there, "{:?}", before.folder);
    }
}

#[test]
fn a_mail_that_leaves_a_mailbox_loses_its_label() {
    let mut filed = mail("a");
    (filed.folder, filed.labels) = (Folder::Archive, vec!["Work-Box".into(), "old".into()]);
    let marks = |folder, labels: Option<&[&str]>, mailbox: Option<&str>| MailMarks {
        folder,
        labels: labels.map(|all| all.iter().map(ToString::to_string).collect()),
        mailbox: mailbox.map(str::to_owned),
        ..MailMarks::default()
    };
    for (marks, to, into, left) in [
        (
            marks(Some(Folder::Inbox), None, None),
            Folder::Inbox,
            None,
            &["old"][..],
        ),
        (
            marks(None, Some(&["old"]), None),
            Folder::Archive,
            None,
            &["old"],
        ),
        (
            marks(
                Some(Folder::Archive),
                Some(&["Work-Box", "old", "New"]),
                Some("New"),
            ),
            Folder::Archive,
            Some("New".to_owned()),
            &["old", "New"],
        ),
    ] {
        let found = moved(&Change::default().and_mark(&filed, marks), &filed);
        let left = left.iter().map(ToString::to_string).collect();
        assert_eq!(found, (to, into, vec!["Work-Box".into()], left));
    }
}

#[test]
fn deleting_a_mail_differs_from_moving_it() {
    let origins = origins(vec![lives(Record::Mail(mail("a")), "work", "work-box")]);
    let mut trashed = mail("a");
    trashed.folder = Folder::Trash;
    for change in [
        Change::replace(Record::Mail(trashed)),
        Change::remove(&Record::Mail(mail("a"))),
    ] {
        let op = only(&change, &origins).1;
        let RemoteOp::Mail(MailOp::Delete { mails }) = op else {
            panic!("{op:?}");
        };
        assert_eq!(mails[0].uid_validity, Some(7));
        assert_eq!(mails[0].message_id, "a@x");
    }
    // Fields that the provider does not store change only on this computer.
    let mut read_again = mail("a");
    read_again.text = "again".into();
    stays(&Change::replace(Record::Mail(read_again)), &origins);
}

#[test]
fn sends_an_approved_mail_from_its_senders_account() {
    let origins = origins(Vec::new());
    let item = outgoing("Me <me@home>", OutboxState::Queued);
    let all = operations(&Change::add(Record::Outbox(item.clone())), &origins).expect("possible");
    let (account, op, then) = asked(&all[0]);
    assert_eq!(account, "home");
    let RemoteOp::Mail(MailOp::Send {
        from,
        recipients,
        mime,
        ..
    }) = op
    else {
        panic!("{op:?}");
    };
    assert_eq!(from.email, "me@home");
    let to: Vec<&str> = recipients.iter().map(|one| one.email.as_str()).collect();
    assert_eq!(to, ["bob@x", "eve@x"], "blind copies are in the envelope");
    assert_eq!(Some(mime), item.mime.as_ref());
    let RowOp::Put { record, expect } = &then.ops[0] else {
        panic!();
    };
    assert_eq!(*expect, Expect::Absent);
    assert!(matches!(record.as_ref(), Record::Outbox(row) if row.state == OutboxState::Sent));
    // No account sends mail from a stranger's address, or mail that is not queued.
    for (from, state) in [
        ("me@elsewhere", OutboxState::Queued),
        ("Me <me@home>", OutboxState::Draft),
        ("Me <me@home>", OutboxState::Held),
        ("Me <me@home>", OutboxState::Unknown),
    ] {
        let item = outgoing(from, state);
        stays(&Change::add(Record::Outbox(item)), &origins);
    }
}
