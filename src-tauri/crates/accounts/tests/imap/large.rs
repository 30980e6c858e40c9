//! Tests of mails that are too large: the limit is reported, and everything else continues.

use std::sync::Arc;

use adjutant_domain::operation::{Ended, MailOp, RemoteFault};
use adjutant_domain::ports::PulledWhat;
use adjutant_domain::record::{Address, Record};

use crate::dovecot::Dovecot;
use crate::rig::MailRig;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn lists_a_60_megabyte_mail_without_fetching_it() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let mail = |subject: &str, text: &str| {
        format!(
            "From: n@work.example\r\nSubject: {subject}\r\nMessage-ID: <{subject}@work.example>\r\n\r\n{text}\r\n"
        )
    };
    let line = format!("{}\r\n", "x".repeat(998));
    let large = rig
        .other()
        .append("INBOX", "", &mail("large", &line.repeat(60_000)));
    rig.other().append("INBOX", "", &mail("small", "Text"));

    let (pulled, _) = rig.pull("INBOX", None).await;
    let heads: Vec<(String, u64, usize)> = pulled
        .iter()
        .filter_map(|one| match &one.what {
            PulledWhat::There { rows, .. } => Some(rows),
            PulledWhat::Gone => None,
        })
        .flatten()
        .filter_map(|row| match row {
            Record::Mail(mail) => Some((mail.subject.clone(), mail.size, mail.text.len())),
            _ => None,
        })
        .collect();
    let [small, (subject, size, text)] = heads.as_slice() else {
        panic!("{heads:?}");
    };
    assert_eq!((small.0.as_str(), subject.as_str()), ("small", "large"));
    assert!(*size > 60_000_000, "{size}");
    assert!(*text < 1024 * 1024, "the beginning alone: {text}");

    let backend = rig.backends.mail.clone().unwrap();
    let named = rig.seen("INBOX", large, "large@work.example");
    let whole = backend.body(&named).await;
    let Err(RemoteFault::Refused { what }) = whole else {
        panic!("{:?}", whole.map(|bytes| bytes.len()));
    };
    assert!(what.starts_with("the mail is larger than"), "{what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn refuses_ten_thousand_recipients_before_sending_anything() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let address = |email: String| Address {
        name: String::new(),
        email,
    };
    let ended = rig
        .apply(MailOp::Send {
            message_id: "all@home.example".into(),
            from: address("me@home.example".into()),
            recipients: (0..10_000)
                .map(|number| address(format!("p{number}@x.example")))
                .collect(),
            mime: "From: me@home.example\r\nSubject: All\r\nMessage-ID: <all@home.example>\r\n\r\nHi.\r\n".into(),
        })
        .await;
    let Ended::Refused {
        fault: RemoteFault::Refused { what },
    } = ended
    else {
        panic!("{ended:?}");
    };
    assert_eq!(what, "a mail can have at most 1000 recipients");
    assert!(rig.letter_box.taken().is_empty());
    assert!(rig.other().mails("Sent").is_empty());
}
