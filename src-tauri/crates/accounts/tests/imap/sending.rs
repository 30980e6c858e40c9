//! Tests of sending: every way in which it can end, and what is known afterwards.

use std::sync::Arc;

use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, Receipt, Reconciled, RemoteFault, RemoteOp, SignedOut, Why,
};
use adjutant_domain::ports::RemoteExecutor as _;
use adjutant_domain::record::Address;
use adjutant_testkit::remote::{Rig as _, Trouble};
use jiff::Timestamp;

use crate::dovecot::Dovecot;
use crate::rig::MailRig;

fn send(name: &str, to: &[&str]) -> MailOp {
    let address = |email: &str| Address {
        name: String::new(),
        email: email.into(),
    };
    MailOp::Send {
        message_id: format!("{name}@home.example"),
        from: address("me@home.example"),
        recipients: to.iter().map(|email| address(email)).collect(),
        mime: format!(
            "From: me@home.example\r\nSubject: {name}\r\nMessage-ID: <{name}@home.example>\r\n\r\n.hidden\nline\n.\nGrüße\r\n"
        ),
    }
}

fn attempt(outcome: Ended) -> Attempt {
    Attempt {
        key: Key("key".into()),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: Some(Timestamp::UNIX_EPOCH),
        outcome: Some(outcome),
    }
}

fn refused(what: &str) -> Ended {
    let what = what.into();
    Ended::Refused {
        fault: RemoteFault::Refused { what },
    }
}

const LIMITED: Ended = Ended::Refused {
    fault: RemoteFault::Limited {
        retry_after_seconds: None,
    },
};
const UNREACHABLE: Ended = Ended::Refused {
    fault: RemoteFault::Unreachable,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn understands_every_reply_to_every_line() {
    let server = Arc::new(Dovecot::start());
    let not_signed_in = |why| Ended::Refused {
        fault: RemoteFault::NotSignedIn {
            account: "acc_mail".into(),
            why,
        },
    };
    let nonsense = refused("the answer of the mail server makes no sense");
    let unknown = |why| Ended::Unknown { why };
    let table = [
        (
            "greeting",
            "554 no",
            refused("the mail server is refusing connections (“554 no”)"),
        ),
        ("greeting", "421 busy", LIMITED),
        ("greeting", "", UNREACHABLE),
        ("greeting", "SSH-2.0", nonsense.clone()),
        (
            "EHLO",
            "550 no",
            refused("the mail server did not greet back (“550 no”)"),
        ),
        ("AUTH", "535 5.7.8 wrong", not_signed_in(SignedOut::Unsaid)),
        (
            "AUTH",
            "534 5.7.9 app password",
            not_signed_in(SignedOut::AppPassword),
        ),
        ("AUTH", "454 later", LIMITED),
        (
            "AUTH",
            "504 what",
            refused("the mail server did not let you sign in (“504 what”)"),
        ),
        ("AUTH", "", UNREACHABLE),
        (
            "MAIL",
            "550 5.7.1 not you",
            refused("the mail server does not accept mail from this address (“550 5.7.1 not you”)"),
        ),
        ("MAIL", "451 later", LIMITED),
        ("RCPT", "450 4.2.0 greylisted", LIMITED),
        (
            "RCPT",
            "550 5.1.1 nobody",
            refused("the mail server accepts mail for none of the recipients (“550 5.1.1 nobody”)"),
        ),
        ("RCPT", "", UNREACHABLE),
        (
            "DATA",
            "554 no",
            refused("the mail server did not accept the mail (“554 no”)"),
        ),
        ("DATA", "452 full", LIMITED),
        ("DATA", "", UNREACHABLE),
        (
            "end",
            "552 5.2.2 over quota",
            refused("the mail server did not accept the mail (“552 5.2.2 over quota”)"),
        ),
        ("end", "451 greylisted", LIMITED),
    ];
    for (line, says, expected) in table {
        let rig = MailRig::new(&server, false).await;
        rig.letter_box.says(line, says);
        let op = send("hello", &["bob@work.example"]);
        assert_eq!(rig.apply(op.clone()).await, expected, "{line}: {says}");
        assert!(
            rig.letter_box.taken().is_empty(),
            "{line}: {says}: refused and sent"
        );
        rig.letter_box.habits.lock().unwrap().says.clear();
        let again = rig.apply(op).await;
        assert!(
            matches!(again, Ended::Done { .. }),
            "{line}: {says}: {again:?}"
        );
        assert_eq!(rig.letter_box.taken().len(), 1, "{line}: {says}");
    }
    for (trouble, why) in [
        (Trouble::LostReply, Why::NoReply),
        (Trouble::Unreadable, Why::Unreadable),
    ] {
        let rig = MailRig::new(&server, false).await;
        rig.meet(trouble.clone());
        let op = send("hello", &["bob@work.example"]);
        let ended = rig.apply(op.clone()).await;
        assert_eq!(ended, unknown(why), "{trouble:?}");
        // Nothing at this server shows whether the mail was sent; only the person can find out.
        let op = RemoteOp::Mail(op);
        let seen = rig.backends.reconcile(&op, &attempt(ended)).await;
        assert_eq!(seen, Reconciled::CannotTell, "{trouble:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_mail_arrives_as_approved_and_one_copy_is_stored() {
    let server = Arc::new(Dovecot::start());
    for server_files in [false, true] {
        let rig = MailRig::new(&server, server_files).await;
        rig.refuse_recipient("gone@work.example");
        let op = send(
            "hello",
            &["bob@work.example", "gone@work.example", "a b@work.example"],
        );
        let ended = rig.apply(op.clone()).await;
        let Ended::Done {
            receipt: Receipt::Remote {
                accepted, refused, ..
            },
        } = &ended
        else {
            panic!("{ended:?}");
        };
        let accepted: Vec<&str> = accepted.iter().map(|one| one.email.as_str()).collect();
        let refused: Vec<&str> = refused.iter().map(|one| one.reason.as_str()).collect();
        assert_eq!(accepted, ["bob@work.example"]);
        assert_eq!(
            refused,
            ["550 5.1.1 no such mailbox", "that is not a mail address"]
        );
        let taken = rig.letter_box.taken();
        assert_eq!(taken.len(), 1);
        assert_eq!(taken[0].from, "MAIL FROM:<me@home.example> BODY=8BITMIME");
        assert_eq!(taken[0].to, ["bob@work.example"]);
        assert!(
            taken[0]
                .mime
                .ends_with("\r\n\r\n.hidden\r\nline\r\n.\r\nGrüße\r\n"),
            "{:?}",
            taken[0].mime
        );
        let sent = rig.other().mails("Sent");
        assert_eq!(
            sent,
            [("hello".to_owned(), "\\Seen".to_owned())],
            "{server_files}"
        );
        // A second request does not send it again.
        let again = rig.apply(op).await;
        assert!(matches!(again, Ended::Done { .. }), "{again:?}");
        assert_eq!(
            (
                rig.letter_box.taken().len(),
                rig.other().mails("Sent").len()
            ),
            (1, 1)
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn respects_the_extensions_a_server_offers() {
    let server = Arc::new(Dovecot::start());
    let op = || send("hello", &["bob@work.example", "bø@work.example"]);
    for (offers, expected) in [
        (
            vec![],
            Some("the mail server for sending does not accept this kind of sign-in"),
        ),
        (
            vec!["AUTH XOAUTH2 GSSAPI"],
            Some("the mail server for sending does not accept this kind of sign-in"),
        ),
        (
            vec!["AUTH PLAIN", "SIZE 20"],
            Some("the mail is larger than the mail server accepts (20 bytes)"),
        ),
        (vec!["AUTH PLAIN", "SIZE 0"], None),
        (vec!["AUTH PLAIN", "SMTPUTF8"], None),
    ] {
        let rig = MailRig::new(&server, false).await;
        rig.letter_box
            .habits
            .lock()
            .unwrap()
            .offers
            .clone_from(&offers);
        let ended = rig.apply(op()).await;
        match expected {
            Some(what) => assert_eq!(ended, refused(what), "{offers:?}"),
            None => assert!(matches!(ended, Ended::Done { .. }), "{offers:?}: {ended:?}"),
        }
        let taken = rig.letter_box.taken();
        let reached: Vec<&str> = taken
            .iter()
            .flat_map(|one| &one.to)
            .map(String::as_str)
            .collect();
        let all = match (expected, offers.contains(&"SMTPUTF8")) {
            (Some(_), _) => vec![],
            (None, false) => vec!["bob@work.example"],
            (None, true) => vec!["bob@work.example", "bø@work.example"],
        };
        assert_eq!(reached, all, "{offers:?}");
    }
    let rig = MailRig::new(&server, false).await;
    for hostile in [
        "x@y>\r\nRCPT TO:<z@work.example",
        "",
        "a@",
        "<bob@work.example>",
    ] {
        let ended = rig.apply(send("hello", &[hostile])).await;
        assert_eq!(ended, refused("that is not a mail address"), "{hostile:?}");
    }
    assert!(rig.letter_box.taken().is_empty());
}
