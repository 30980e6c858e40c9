//! Files that come with mails.

use adjutant_domain::record::Attachment;
use adjutant_testkit::{World, make};
use mail_parser::MessageParser;
use serde_json::json;

use super::{outbox, world};
use crate::testing::{fault, run};

fn with_file(world: World) -> World {
    let source = b"From: a@b.example\r\nSubject: File\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSee file.\r\n--x\r\nContent-Type: text/csv; name=\"../data.csv\"\r\nContent-Disposition: attachment; filename=\"../data.csv\"\r\n\r\na,b\r\n--x--\r\n";
    let mut mail = make::mail(
        "mail_f",
        "Nadia Ali <nadia@work.example>",
        "File",
        "2026-01-13T10:00:00Z",
        "See file.",
    );
    mail.attachments = vec![Attachment {
        name: "data.csv".into(),
        media_type: "text/csv".into(),
        size: 3,
        sha256: String::new(),
    }];
    let world = world.with(mail);
    world.records.put_source(&"mail_f".into(), source.to_vec());
    world
}

#[tokio::test]
async fn a_forwarded_mail_takes_its_files_along() {
    let world = with_file(world());
    let args = json!({"target": {"subject": "file"}, "to": "nadia", "note": "FYI"});
    let ran = run(&world, "email.forward", args).await.expect("passed on");
    let card = &ran.observed.card;
    assert_eq!(card.title, "Forward a mail to Nadia Ali");
    assert_eq!(card.attachments.len(), 1);
    assert_eq!(card.attachments[0].sha256.len(), 64);
    let body = card.body.as_deref().expect("the text");
    assert!(
        body.starts_with(
            "FYI\n\n---------- Forwarded message ----------\nFrom: Nadia Ali <nadia@work.example>\n"
        ),
        "{body}"
    );
    let item = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.forward_of.is_some())
        .expect("in the outbox");
    assert_eq!(item.forward_of.as_deref(), Some("mail_f@test"));
    let mime = item.mime.expect("the bytes");
    let parsed = MessageParser::default()
        .parse(mime.as_bytes())
        .expect("a mail");
    assert_eq!(
        parsed.attachment(0).map(|part| part.contents().to_vec()),
        Some(b"a,b".to_vec())
    );
}

#[tokio::test]
async fn an_attached_file_is_saved_once_and_never_over_another() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().canonicalize().expect("a path");
    let world = with_file(world())
        .with_settings(|settings| settings.folders = vec![path.display().to_string()]);
    for _ in 0..2 {
        let ran = run(&world, "email.attachment", json!({"id": "mail_f"}))
            .await
            .expect("saved");
        assert!(!ran.asked);
        assert_eq!(
            ran.answer.output["path"],
            json!(path.join("data.csv").display().to_string())
        );
    }
    std::fs::write(path.join("data.csv"), "mine").expect("written");
    let ran = run(&world, "email.attachment", json!({"id": "mail_f"}))
        .await
        .expect("saved");
    assert_eq!(
        ran.answer.output["path"],
        json!(path.join("data (2).csv").display().to_string())
    );
    assert_eq!(
        std::fs::read_to_string(path.join("data.csv")).expect("read"),
        "mine"
    );
    let outside = json!({"id": "mail_f", "folder": "/"});
    assert!(
        fault(&world, "email.attachment", outside)
            .await
            .to_string()
            .contains("not in an open folder")
    );
}
