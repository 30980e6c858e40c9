//! Tests of a server's notifications, and of marking a mail as answered.

use std::sync::Arc;
use std::time::Duration;

use adjutant_accounts::{Access, Provider as _};
use adjutant_domain::operation::{Ended, MailOp};
use adjutant_domain::ports::{MailBackend, News};
use adjutant_domain::record::Address;

use crate::door::lock;
use crate::dovecot::Dovecot;
use crate::rig::{MailRig, SHORT};

fn text(name: &str) -> String {
    format!(
        "From: a@work.example\r\nSubject: {name}\r\nMessage-ID: <{name}@work.example>\r\n\r\nHello\r\n"
    )
}

/// Waits for news while another client repeats an action, because changes made before the server is listened to are not
/// reported.
async fn news_while(backend: &Arc<dyn MailBackend>, mut happens: impl FnMut()) -> News {
    let mut waiting = std::pin::pin!(backend.until_news());
    for _ in 0..100 {
        tokio::select! {
            told = &mut waiting => return told.unwrap(),
            () = tokio::time::sleep(Duration::from_millis(200)) => happens(),
        }
    }
    panic!("20 seconds and no news");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn listens_to_servers_that_send_notifications() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    rig.other().append("INBOX", "", &text("first"));
    let mut settings = rig.access.settings.clone();
    settings.insert("server".into(), format!("imaps://localhost:{}", server.tls));
    let access = Access {
        settings,
        ..rig.access.clone()
    };
    let backend = SHORT.connect(access).unwrap().mail.unwrap();
    let mail = || {
        rig.other().append("INBOX", "", &text("more"));
    };
    assert_eq!(news_while(&backend, mail).await, News::Came);
    let mut is_starred = false;
    let star = || {
        is_starred = !is_starred;
        let sign = if is_starred { '+' } else { '-' };
        rig.other()
            .store("INBOX", 1, &format!("{sign}FLAGS (\\Flagged)"));
    };
    assert_eq!(news_while(&backend, star).await, News::Came);
    // Deletions are reported too, and nothing is reported if nothing happens.
    let mut last = false;
    let gone = || {
        if !std::mem::replace(&mut last, true) {
            rig.other().expunge("INBOX", 1);
        }
    };
    assert_eq!(news_while(&backend, gone).await, News::Came);

    lock(&rig.course).hidden = vec!["IDLE"];
    let backend = rig.backends.mail.clone().unwrap();
    assert_eq!(backend.until_news().await, Ok(News::NeverTold));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn marks_mails_as_answered_or_forwarded() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    for (mailbox, name) in [("INBOX", "asked"), ("Archive", "news"), ("INBOX", "other")] {
        rig.other().append(mailbox, "\\Seen", &text(name));
    }
    for (name, refers) in [
        (
            "reply",
            "In-Reply-To: <asked@work.example>\r\nReferences: <asked@work.example>\r\n",
        ),
        ("forward", "References: <news@work.example>\r\n"),
        ("lost", "In-Reply-To: <nowhere@work.example>\r\n"),
        ("new", ""),
    ] {
        let address = Address {
            name: String::new(),
            email: "kim@work.example".into(),
        };
        let sent = rig
            .apply(MailOp::Send {
                message_id: format!("{name}@home.example"),
                from: address.clone(),
                recipients: vec![address],
                mime: format!(
                    "Subject: {name}\r\nMessage-ID: <{name}@home.example>\r\n{refers}\r\nHello\r\n"
                ),
            })
            .await;
        assert!(matches!(sent, Ended::Done { .. }), "{name}: {sent:?}");
    }
    let mut inbox = rig.other().mails("INBOX");
    inbox.sort();
    assert_eq!(
        inbox,
        [
            ("asked".into(), "\\Answered \\Seen".to_owned()),
            ("other".into(), "\\Seen".to_owned())
        ]
    );
    let archive = rig.other().mails("Archive");
    assert!(archive[0].1.contains("$Forwarded"), "{archive:?}");
}
