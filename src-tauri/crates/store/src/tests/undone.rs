//! Tests of effects that are undone part by part.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::conversation::Effect;
use adjutant_domain::operation::{
    Beginning, Ended, Ending, Key, MailOp, Operation, Receipt, RemoteFault, RemoteOp,
};
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::record::{Folder, Mail, Record};
use serde_json::json;

use super::{effect, fresh, mail, noon, turn, who};
use crate::Store;

fn put(mail: &Mail, version: i64) -> RowOp {
    RowOp::Put {
        record: Box::new(Record::Mail(mail.clone())),
        expect: Expect::Version(version),
    }
}

/// Carries out one request of an undo of `e1`, which leaves the row as given.
async fn part(store: &Store, key: &str, row: RowOp, done: bool) {
    let operation = Operation::Remote {
        account: "work".into(),
        op: Box::new(RemoteOp::Mail(MailOp::Delete { mails: Vec::new() })),
        about: String::new(),
        then: Change {
            ops: vec![row],
            ..Change::default()
        },
    };
    let begin = Beginning {
        key: Key(key.into()),
        number: 1,
        conversation: "direct".into(),
        turn: "b".into(),
        step: "s1".into(),
        tool: "undo".into(),
        of: 2,
        args: json!({}),
        claim: None,
        unasked: None,
        operation,
        undoes: Some("e1".into()),
        say: "Undone.".into(),
        at: noon(),
    };
    store.begin_attempt(&begin).await.expect("begun");
    let ended = if done {
        let receipt = Receipt::Remote {
            account: "work".into(),
            remote_id: None,
            etag: None,
            accepted: Vec::new(),
            refused: Vec::new(),
            at: noon(),
        };
        Ended::Done { receipt }
    } else {
        let fault = RemoteFault::Gone;
        Ended::Refused { fault }
    };
    let end = Ending {
        key: Key(key.into()),
        number: 1,
        ended,
        say: Some("x".into()),
        waits_until: None,
        needs_person: false,
        at: noon(),
    };
    store.end_attempt(&end, None).await.expect("ended");
}

async fn first(store: &Store) -> Effect {
    let first = store.effect(&"e1".into()).await.expect("read");
    first.expect("there")
}

#[tokio::test]
async fn a_partly_undone_mail_is_moved_back_later() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    store.open_turn(&turn("b", "x")).await.expect("opened");
    let letter = mail(
        "m1",
        who("Nadia", "nadia@work.example"),
        "Lunch?",
        "Friday?",
    );
    let added = store.apply(Change::add(Record::Mail(letter.clone()))).await;
    added.expect("stored");
    let filed = Mail {
        folder: Folder::Archive,
        read: !letter.read,
        ..letter.clone()
    };
    let change = Change {
        ops: vec![put(&filed, 1)],
        ..Change::default()
    };
    let stored = store.commit_effect(&effect("e1", "a", change)).await;
    stored.expect("committed");
    let marked = Mail {
        folder: Folder::Archive,
        ..letter.clone()
    };
    part(&store, "p1", put(&marked, 2), true).await;
    part(&store, "p2", put(&letter, 3), false).await;
    let partly = first(&store).await;
    assert!(partly.partly_undone);
    assert_eq!(partly.undone_by, None);
    let rest = partly.inverse.expect("what is left");
    assert_eq!(rest.ops.len(), 1);
    assert_eq!(rest.ops[0].expect(), Expect::Version(3), "as it was left");
    part(&store, "p3", put(&letter, 3), true).await;
    let whole = first(&store).await;
    assert_eq!(whole.undone_by, Some("p3".into()));
    assert!(!whole.partly_undone);
}
