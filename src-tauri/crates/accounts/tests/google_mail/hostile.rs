//! Tests of answers that no honest server gives.

use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::PullFault;
use adjutant_testkit::remote::suite::Rig as _;
use serde_json::json;

use crate::rig::{GoogleRig, mails};
use crate::stub::Answer;

fn plain(subject: &str) -> String {
    format!(
        "From: a@work.example\r\nSubject: {subject}\r\nMessage-ID: <{subject}@work.example>\r\n\r\nHello.\r\n"
    )
}

fn with_mails(count: i64) -> (GoogleRig, Vec<String>) {
    let rig = GoogleRig::new();
    let add = |at: i64| {
        rig.google()
            .mail
            .add(plain(&format!("m{at}")).as_bytes(), at, &["INBOX"])
    };
    let ids = (1..=count).map(add).collect();
    (rig, ids)
}

fn is_refused(read: &Result<impl std::fmt::Debug, PullFault>) -> bool {
    matches!(read, Err(PullFault::Remote(RemoteFault::Refused { .. })))
}

#[tokio::test]
async fn stops_reading_a_list_whose_pages_loop() {
    let (rig, _) = with_mails(3);
    rig.google().mail.turns_in_a_circle = true;
    let (read, pulled) = rig.read(&rig.all_mail(None)).await;
    assert!(is_refused(&read), "{read:?}");
    assert!(pulled.len() <= 9, "it was left soon");
}

#[tokio::test]
async fn refuses_malformed_answers_with_a_sentence() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for says in [
        "",
        "null",
        "[]",
        "7",
        "%%",
        "{\"historyId\": 7}",
        "{\"historyId\": \"\"}",
        &deep,
    ] {
        let (rig, _) = with_mails(1);
        let answer = Answer::Says(200, says.as_bytes().to_vec(), None);
        rig.google().says.push(("/profile".into(), answer));
        let (read, pulled) = rig.read(&rig.all_mail(None)).await;
        assert!(
            is_refused(&read),
            "{}: {read:?}",
            &says[..says.len().min(20)]
        );
        assert!(pulled.is_empty());
    }
}

/// A malformed mail does not block the others.
#[tokio::test]
async fn skips_malformed_mails() {
    for says in [
        "{\"id\": 7}",
        "{\"labelIds\": null}",
        "[]",
        "{}",
        "{\"payload\": {\"headers\": [{\"name\": \"\\r\\nX\", \"value\": \"y\"}]}}",
        "not json",
    ] {
        let (rig, ids) = with_mails(3);
        let answer = Answer::Says(200, says.as_bytes().to_vec(), None);
        rig.google().says.push((ids[1].clone(), answer));
        let (_, pulled) = rig.pull(None).await;
        let subjects: Vec<String> = mails(&pulled)
            .into_iter()
            .map(|mail| mail.subject)
            .collect();
        assert_eq!(subjects, ["m3", "m1"], "{says}");
    }
}

/// A part's own description cannot become a header or another part.
#[tokio::test]
async fn a_part_cannot_add_headers_or_other_parts() {
    let (rig, ids) = with_mails(1);
    let part = |text: &[u8]| {
        use base64::Engine as _;
        json!({
            "mimeType": "text/plain",
            "headers": [{"name": "Content-Type", "value": "text/plain; charset=\"x\"\r\nX: y"}],
            "body": {"data": base64::engine::general_purpose::URL_SAFE.encode(text)},
        })
    };
    let says = json!({
        "id": ids[0],
        "labelIds": ["INBOX"],
        "internalDate": "99999999999999999999",
        "snippet": "</html>",
        "payload": {
            "mimeType": "multipart/mixed",
            "headers": [
                {"name": "Subject", "value": "one\r\nFrom: boss@work.example\r\n\r\nbody"},
                {"name": "From", "value": "a@work.example"},
                {"name": "X\r\nBcc", "value": "x"},
                {"name": "Content-Type", "value": "multipart/mixed; boundary=\"=_1\""},
            ],
            "parts": [part(b"first\n--=_1--\nstill first"), part(b"\xff\xfe second"), json!({"mimeType": "text/html", "body": {"data": "@@@"}})],
        },
    });
    rig.google()
        .says
        .push((ids[0].clone(), Answer::json(&says)));
    let (_, pulled) = rig.pull(None).await;
    let [mail] = mails(&pulled).try_into().unwrap();
    assert_eq!(mail.from.email, "a@work.example");
    assert!(
        mail.subject.starts_with("one") && !mail.subject.contains('\n'),
        "{}",
        mail.subject
    );
    assert!(mail.text.contains("--=_1--\nstill first"), "{}", mail.text);
    assert!(mail.text.contains("second"), "{}", mail.text);
    assert!(mail.message_id.ends_with("@no-message-id.invalid"));
}

#[tokio::test]
async fn refuses_sources_that_are_not_base64_or_too_large() {
    let (rig, ids) = with_mails(1);
    let backend = rig.backends.mail.clone().unwrap();
    let named = rig.seen(&ids[0], "m1@work.example");
    let sixty = "QUFB".repeat(20 * 1024 * 1024);
    for raw in ["@@@@", "Ä", &sixty] {
        rig.google().says.clear();
        let answer = Answer::json(&json!({"id": ids[0], "raw": raw}));
        rig.google().says.push((ids[0].clone(), answer));
        let body = backend.body(&named).await;
        assert!(
            matches!(body, Err(RemoteFault::Refused { .. })),
            "{} bytes",
            raw.len()
        );
    }
    rig.google().says.clear();
    assert!(backend.body(&named).await.is_ok());
}

/// A mail whose description is too large is read with its headers only.
#[tokio::test]
async fn reads_only_the_headers_of_a_sixty_megabyte_mail() {
    let rig = GoogleRig::new();
    let large = format!("{}{}", plain("large"), "x".repeat(60 * 1024 * 1024));
    rig.google().mail.add(large.as_bytes(), 1_000, &["INBOX"]);
    let (_, pulled) = rig.pull(None).await;
    let [mail] = mails(&pulled).try_into().unwrap();
    assert_eq!(
        (mail.subject.as_str(), mail.text.trim()),
        ("large", "The beginning & no more")
    );
    assert_eq!(mail.size, large.len() as u64);
}

#[tokio::test]
async fn skips_malformed_contacts() {
    let rig = GoogleRig::new();
    let says = json!({
        "connections": [
            7,
            {"resourceName": "people/../me"},
            {"resourceName": "people/c1", "names": "none", "emailAddresses": [7, {"value": null}], "metadata": {"deleted": "no"}},
            {"resourceName": "people/c2", "birthdays": [{"date": {"month": 99_999, "day": -1}, "text": "soon"}]},
        ],
        "nextSyncToken": "t",
    });
    rig.google()
        .says
        .push(("/connections".into(), Answer::json(&says)));
    let (read, pulled) = rig.read(&rig.contacts(None)).await;
    assert!(read.is_ok(), "{read:?}");
    let names: Vec<&str> = pulled.iter().map(|one| one.remote_id.0.as_str()).collect();
    assert_eq!(names, ["people/c1", "people/c2"]);
    let circle = json!({"connections": [], "nextPageToken": "again"});
    rig.google().says = vec![("/connections".into(), Answer::json(&circle))];
    let (read, _) = rig.read(&rig.contacts(None)).await;
    assert!(is_refused(&read), "{read:?}");
    assert_eq!(rig.carried_out(), 0);
}
