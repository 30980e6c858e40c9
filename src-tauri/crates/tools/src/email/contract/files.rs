//! Files that come with mails.

use adjutant_domain::gate::Observed;
use std::sync::Arc;

use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::Operation;
use adjutant_domain::plan::AnswerKind;
use adjutant_domain::ports::{NotWhole, Records as _, WholeMails};
use adjutant_domain::record::{Attachment, Kind, Record};
use adjutant_testkit::{MemoryRecords, World, make};
use async_trait::async_trait;
use mail_parser::MessageParser;
use serde_json::json;

use super::{outbox, world};
use crate::testing::{fault, question, run};

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

/// Whether a call does something that storage does not do.
fn leaves(observed: &Observed) -> bool {
    let frozen = observed.before.frozen.as_ref().expect("an effect");
    frozen.operations.iter().any(Operation::leaves_storage)
}

#[tokio::test]
async fn a_forwarded_mail_takes_its_files_along() {
    let world = with_file(world());
    let args = json!({"target": {"subject": "file"}, "to": "nadia", "note": "FYI"});
    let ran = run(&world, "email.forward", args).await.expect("passed on");
    assert!(!leaves(&ran.observed), "that is rows alone");
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
        assert!(leaves(&ran.observed));
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

/// An account that has the rest of `mail_f`, or says why it does not give it.
struct Rest {
    records: Arc<MemoryRecords>,
    refuses: bool,
}

#[async_trait]
impl WholeMails for Rest {
    async fn complete(&self, mail: &RecordId) -> Result<bool, NotWhole> {
        if self.refuses {
            return Err(NotWhole {
                what: "Adjutant is offline.".into(),
                next: "Go online.".into(),
            });
        }
        let there = self.records.mail_source(mail).await;
        if there.is_ok_and(|source| source.is_some()) {
            return Ok(false);
        }
        let whole = with_file(World::at("2026-01-14T09:00:00Z[UTC]"));
        let source = whole.records.mail_source(mail).await.ok().flatten();
        let found = self.records.get(Kind::Mail, mail).await;
        if let Ok(Some(Record::Mail(mut row))) = found {
            row.text = "See file. And the end.".into();
            self.records.put(Record::Mail(row));
        }
        self.records.put_source(mail, source.unwrap_or_default());
        Ok(true)
    }
}

/// The world with a mail of which only the beginning is here.
async fn in_part(refuses: bool) -> World {
    let mut world = world();
    let whole = with_file(World::at("2026-01-14T09:00:00Z[UTC]"));
    let mail = whole.records.get(Kind::Mail, &"mail_f".into()).await;
    world.records.put(mail.expect("read").expect("a mail"));
    world.cx.mails = Arc::new(Rest {
        records: world.records.clone(),
        refuses,
    });
    world
}

#[tokio::test]
async fn the_rest_of_a_mail_is_fetched_when_it_is_read_or_its_files_are_wanted() {
    let args = json!({"id": "mail_f"});
    let read = |world: World| {
        let args = args.clone();
        async move { run(&world, "email.read", args).await.expect("read").answer }
    };
    let answer = read(in_part(false).await).await;
    assert!(answer.say.contains("And the end."), "{}", answer.say);
    assert!(!answer.say.contains("Only the beginning"));
    let answer = read(in_part(true).await).await;
    assert!(
        answer.say.contains("See file.")
            && answer.say.ends_with(
                "Only the beginning of this mail is here. Adjutant is offline. Go online."
            ),
        "{}",
        answer.say
    );
    let forward = json!({"id": "mail_f", "to": "nadia"});
    let ran = run(&in_part(false).await, "email.forward", forward.clone()).await;
    let ran = ran.expect("passed on");
    assert_eq!(ran.observed.card.attachments.len(), 1);
    let refused = fault(&in_part(true).await, "email.forward", forward).await;
    assert_eq!(refused.to_string(), "Adjutant is offline.");
}

/// A mail `mail_many` with PDF files of these names, each with its name inside, and an open folder to save them in.
fn with_files(names: &[String]) -> (World, tempfile::TempDir) {
    let world = world();
    let mut mail = make::mail(
        "mail_many",
        "Nadia Ali <nadia@work.example>",
        "Files",
        "2026-01-13T10:00:00Z",
        "See files.",
    );
    let mut source = String::from(
        "From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n",
    );
    for name in names {
        source.push_str(&format!(
            "--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\r\n{name}\r\n"
        ));
    }
    source.push_str("--x--\r\n");
    mail.attachments = vec![Attachment {
        name: "report 1.pdf".into(),
        media_type: "application/pdf".into(),
        size: 3,
        sha256: String::new(),
    }];
    let folder = tempfile::TempDir::new().expect("a folder");
    let open = folder.path().display().to_string();
    let world = world
        .with(mail)
        .with_settings(|settings| settings.folders = vec![open]);
    let id = "mail_many".into();
    world.records.put_source(&id, source.into_bytes());
    (world, folder)
}

#[tokio::test]
async fn names_that_differ_in_case_or_signs_alone_are_asked_about_and_then_told_apart() {
    let names = ["Report.pdf", "report.pdf", "Scan 1.pdf", "scan_1.pdf"].map(str::to_owned);
    let (world, _folder) = with_files(&names);
    let asked = question(&world, "email.attachment", json!({"id": "mail_many"})).await;
    assert_eq!(asked.choices.len(), 4);
    for (choice, name) in asked.choices.iter().zip(&names) {
        let args = json!({"id": "mail_many", "name": choice.value});
        let ran = run(&world, "email.attachment", args).await.expect("saved");
        let path = ran.answer.output["path"].as_str().expect("a path");
        assert_eq!(std::fs::read_to_string(path).expect("read").trim(), name);
    }
    let loose = json!({"id": "mail_many", "name": "REPORT.PDF"});
    let asked = question(&world, "email.attachment", loose).await;
    assert_eq!(asked.choices.len(), 2, "which of the two is not guessed");
}

#[tokio::test]
async fn which_of_several_files_is_asked_and_never_guessed() {
    let names = (1..=20).map(|n| format!("report {n}.pdf"));
    let names: Vec<String> = names.chain(["x".repeat(5_000)]).collect();
    let (world, _folder) = with_files(&names);
    for (name, offered) in [(None, 6), (Some("report"), 6), (Some("xxxx"), 0)] {
        let args = json!({"id": "mail_many", "name": name});
        if offered == 0 {
            run(&world, "email.attachment", args).await.expect("saved");
            continue;
        }
        let asked = question(&world, "email.attachment", args).await;
        assert_eq!(asked.choices.len(), offered, "{name:?}");
        assert_eq!(asked.answer, AnswerKind::Text, "the others can be named");
        let longest = asked.choices.iter().map(|one| one.label.chars().count());
        assert!(longest.max() <= Some(200));
    }
    let exact = json!({"id": "mail_many", "name": "report 2.pdf"});
    let ran = run(&world, "email.attachment", exact).await.expect("saved");
    assert_eq!(ran.answer.output["name"], "report 2.pdf");
}

#[tokio::test]
async fn files_that_are_too_much_together_are_not_all_read() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let open = folder.path().display().to_string();
    std::fs::write(folder.path().join("six.bin"), vec![0; 6_000_000]).expect("a file");
    let world = world().with_settings(|settings| settings.folders = vec![open]);
    let attach = json!(["six.bin", "six.bin", "the rest is not looked at"]);
    let args = json!({"to": "nadia", "body": "Hi", "attach": attach});
    let refused = fault(&world, "email.send", args).await;
    assert_eq!(
        refused.to_string(),
        "The attached files have 12.0 MB; the limit is 10.0 MB."
    );
}
