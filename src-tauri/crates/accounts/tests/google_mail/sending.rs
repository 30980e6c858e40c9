//! Tests of sending mail, and of finding out whether it was sent.

use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, Receipt, Reconciled, RemoteFault, RemoteOp, Why,
};
use adjutant_domain::ports::RemoteExecutor as _;
use adjutant_domain::record::Address;
use adjutant_testkit::remote::Trouble;
use adjutant_testkit::remote::suite::Rig as _;
use jiff::Timestamp;

use crate::rig::{GoogleRig, NOW, key};
use crate::stub::Answer;

const MIME: &str = "From: me@home.example\r\nTo: bob@work.example\r\nMessage-ID: <new@home.example>\r\nSubject: Re: Lunch\r\nDate: Mon, 12 Jan 2026 12:00:00 +0100\r\nIn-Reply-To: <old@work.example>\r\n\r\nYes.\r\n";

fn letter(to: &[&str], mime: &str) -> MailOp {
    let address = |email: &str| Address {
        name: String::new(),
        email: email.into(),
    };
    MailOp::Send {
        message_id: "new@home.example".into(),
        from: address("me@home.example"),
        recipients: to.iter().map(|email| address(email)).collect(),
        mime: mime.into(),
    }
}

fn begun(seconds_ago: i64, outcome: Ended) -> Attempt {
    let now: jiff::Zoned = NOW.parse().unwrap();
    let started = now.timestamp().as_second() - seconds_ago;
    Attempt {
        key: Key("key".into()),
        number: 1,
        started: Timestamp::from_second(started).unwrap(),
        ended: None,
        outcome: Some(outcome),
    }
}

#[tokio::test]
async fn a_reply_joins_its_thread_and_only_google_sees_blind_copies() {
    let rig = GoogleRig::new();
    let first = "From: bob@work.example\r\nSubject: Lunch\r\nMessage-ID: <old@work.example>\r\n\r\nLunch?\r\n";
    let first = rig.google().mail.add(first.as_bytes(), 1_000, &["INBOX"]);
    let op = letter(&["bob@work.example", "boss@work.example"], MIME);
    let ended = rig.apply_mail(op).await;
    let Ended::Done {
        receipt:
            Receipt::Remote {
                accepted,
                remote_id,
                ..
            },
    } = ended
    else {
        panic!("{ended:?}");
    };
    assert_eq!(accepted.len(), 2);
    let google = rig.google();
    let sent = &google.mail.messages[&remote_id.unwrap().0];
    assert_eq!(sent.thread, first);
    let raw = String::from_utf8(sent.raw.clone()).unwrap();
    assert_eq!(raw, format!("Bcc: <boss@work.example>\r\n{MIME}"));
}

#[tokio::test]
async fn sends_only_to_approved_recipients() {
    let rig = GoogleRig::new();
    let ended = rig.apply_mail(letter(&["boss@work.example"], MIME)).await;
    assert!(
        matches!(
            ended,
            Ended::Refused {
                fault: RemoteFault::Refused { .. }
            }
        ),
        "{ended:?}"
    );
    assert_eq!(rig.carried_out(), 0);
}

#[tokio::test]
async fn refuses_ten_thousand_recipients_like_google() {
    let rig = GoogleRig::new();
    let all: Vec<String> = (0..10_000)
        .map(|at| format!("u{at}@work.example"))
        .collect();
    let mut all: Vec<&str> = all.iter().map(String::as_str).collect();
    all.push("bob@work.example");
    let ended = rig.apply_mail(letter(&all, MIME)).await;
    assert!(
        matches!(
            ended,
            Ended::Refused {
                fault: RemoteFault::Refused { .. }
            }
        ),
        "{ended:?}"
    );
    assert_eq!(rig.carried_out(), 0);
}

/// Google may replace the Message-ID with which a mail was sent.
#[tokio::test]
async fn finds_a_sent_mail_by_subject_and_date() {
    let rig = GoogleRig::new();
    rig.meet(Trouble::LostReply);
    let op = letter(&["bob@work.example"], MIME);
    let ended = rig.apply_mail(op.clone()).await;
    assert_eq!(ended, Ended::Unknown { why: Why::NoReply });
    {
        let mut google = rig.google();
        let sent = google.mail.messages.values_mut().next().unwrap();
        let raw = String::from_utf8(sent.raw.clone()).unwrap();
        sent.raw = raw
            .replace("<new@home.example>", "<CA+x@mail.gmail.com>")
            .into_bytes();
        sent.millis = 1_768_215_600_000;
    }
    let op = RemoteOp::Mail(op);
    let seen = rig
        .backends
        .reconcile(&op, &begun(600, ended.clone()))
        .await;
    assert!(matches!(seen, Reconciled::Done { .. }), "{seen:?}");
    let sent = rig.google().mail.messages.keys().next().unwrap().clone();
    rig.google().mail.remove(&sent);
    let seen = rig
        .backends
        .reconcile(&op, &begun(600, ended.clone()))
        .await;
    assert_eq!(seen, Reconciled::NotDone);
    let seen = rig.backends.reconcile(&op, &begun(5, ended)).await;
    let fault = RemoteFault::TimedOut;
    assert_eq!(
        seen,
        Reconciled::NotNow { fault },
        "it may still be on its way into the list"
    );
}

/// Google lists a mail only some time after it was sent.
#[tokio::test]
async fn does_not_resend_a_mail_that_is_not_listed_yet() {
    let rig = GoogleRig::new();
    rig.meet(Trouble::LostReply);
    let op = letter(&["bob@work.example"], MIME);
    let unknown = Ended::Unknown { why: Why::NoReply };
    assert_eq!(rig.apply_mail(op.clone()).await, unknown);
    let sent = rig.google().mail.messages.keys().next().unwrap().clone();
    rig.google().mail.remove(&sent);
    assert_eq!(rig.apply_mail(op.clone()).await, unknown);
    assert_eq!(rig.carried_out(), 1, "sent twice");
    // Much later it is certain that it was not sent.
    let op = RemoteOp::Mail(op);
    let attempt = Attempt {
        key: key(&op),
        ..begun(600, unknown)
    };
    let seen = rig.backends.reconcile(&op, &attempt).await;
    assert_eq!(seen, Reconciled::NotDone);
    let ended = rig.apply(op).await;
    assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
}

/// If more mails were sent since than are compared, the outcome stays unknown.
#[tokio::test]
async fn the_outcome_stays_unknown_among_too_many_sent_mails() {
    let rig = GoogleRig::new();
    for at in 0..150 {
        let mime = format!("Subject: {at}\r\nMessage-ID: <{at}@home.example>\r\n\r\nx\r\n");
        rig.google()
            .mail
            .add(mime.as_bytes(), 1_768_215_600_000 + at, &["SENT"]);
    }
    let op = RemoteOp::Mail(letter(&["bob@work.example"], MIME));
    let unknown = Ended::Unknown { why: Why::Killed };
    let seen = rig.backends.reconcile(&op, &begun(600, unknown)).await;
    assert_eq!(seen, Reconciled::CannotTell);
}

#[tokio::test]
async fn an_empty_reply_is_not_a_receipt() {
    let rig = GoogleRig::new();
    let nothing = Answer::Says(200, b"{}".to_vec(), None);
    rig.google().says.push(("/messages/send".into(), nothing));
    let ended = rig.apply_mail(letter(&["bob@work.example"], MIME)).await;
    assert_eq!(
        ended,
        Ended::Unknown {
            why: Why::Unreadable
        }
    );
}

/// Attachments make the mail too large for a JSON request.
#[tokio::test]
async fn uploads_a_large_mail() {
    let rig = GoogleRig::new();
    let mime = format!("{MIME}{}", "A line that is not short.\r\n".repeat(400_000));
    let ended = rig.apply_mail(letter(&["bob@work.example"], &mime)).await;
    assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
    let google = rig.google();
    assert!(
        google
            .asked
            .iter()
            .any(|one| one.ends_with("/upload/gmail/v1/users/me/messages/send"))
    );
    let sent = google.mail.with_id("new@home.example").unwrap();
    assert_eq!(sent.raw, mime.trim_end().as_bytes());
}
