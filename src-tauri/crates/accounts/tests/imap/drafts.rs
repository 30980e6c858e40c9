//! Tests of drafts in a Dovecot mailbox, as another mail client sees them.

use std::sync::Arc;

use adjutant_domain::operation::{RemoteFault, RemoteId};

use crate::dovecot::Dovecot;
use crate::rig::MailRig;

fn draft(subject: &str, text: &str) -> String {
    format!(
        "From: me@home.example\r\nSubject: {subject}\r\nMessage-ID: <draft.out_1.1@home.example>\r\n\r\n{text}\r\n"
    )
}

fn subjects(rig: &MailRig) -> Vec<(String, String)> {
    rig.other().mails("Drafts")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stores_replaces_and_removes_a_draft() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let mail = rig.backends.mail.clone().unwrap();
    let drafts = mail.drafts().unwrap();
    assert_eq!(drafts.drafts().await, Ok(Some(Vec::new())));
    let foreign = rig
        .other()
        .append("Drafts", "\\Draft", &draft("Other", "x"));

    let first = drafts.put_draft(&draft("One", "a"), None).await.unwrap();
    let second = drafts
        .put_draft(&draft("Two", "b"), Some(&first))
        .await
        .unwrap();
    assert_ne!(first, second);
    let names = drafts.drafts().await.unwrap().unwrap();
    assert_eq!(names.len(), 2);
    assert_eq!(names.last(), Some(&second), "oldest first");
    assert!(names[0].0.ends_with(&format!(".{foreign}")), "{names:?}");
    let flags = "\\Seen \\Draft".to_owned();
    assert_eq!(
        subjects(&rig),
        [
            ("Other".to_owned(), "\\Draft".to_owned()),
            ("Two".to_owned(), flags)
        ]
    );
    let source = drafts.draft(&second).await.unwrap();
    assert_eq!(String::from_utf8(source).unwrap(), draft("Two", "b"));
    assert_eq!(drafts.draft(&first).await, Err(RemoteFault::Gone));

    // The replaced draft is already gone, and a UID of another mailbox refers to nothing.
    drafts
        .put_draft(&draft("Three", "c"), Some(&first))
        .await
        .unwrap();
    let other = RemoteId(format!("7.{foreign}"));
    assert_eq!(drafts.drop_draft(&other).await, Ok(()));
    assert_eq!(subjects(&rig).len(), 3);
    assert_eq!(drafts.drop_draft(&second).await, Ok(()));
    assert_eq!(drafts.drop_draft(&second).await, Ok(()));
    let left: Vec<String> = subjects(&rig)
        .into_iter()
        .map(|(subject, _)| subject)
        .collect();
    assert_eq!(left, ["Other", "Three"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn creates_a_missing_drafts_mailbox() {
    let server = Arc::new(Dovecot::start_with(
        "namespace inbox {\n mailbox Drafts {\n auto = no\n }\n}",
    ));
    let rig = MailRig::new(&server, true).await;
    let mail = rig.backends.mail.clone().unwrap();
    let drafts = mail.drafts().unwrap();
    assert_eq!(drafts.drafts().await, Ok(None));
    let put = drafts.put_draft(&draft("One", "a"), None).await.unwrap();
    assert_eq!(drafts.drafts().await, Ok(Some(vec![put])));
}
