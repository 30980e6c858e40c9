//! What the tools for mail promise.

use adjutant_domain::gate::{NoteKind, Risk};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Attachment, Folder, Kind, OutboxItem, OutboxState, Record};
use adjutant_domain::source::Taint;
use adjutant_testkit::{World, make};
use mail_parser::MessageParser;
use serde_json::json;

use crate::draft_from;
use crate::testing::{check, fault, observe, permit, question, run, say};

/// Wednesday, 14 January 2026, 10:00 in Berlin.
fn world() -> World {
    let mut unread = make::mail(
        "mail_2",
        "Nadia Ali <nadia@work.example>",
        "Invoice",
        "2026-01-13T08:00:00Z",
        "Please pay.",
    );
    unread.read = false;
    let mut sent = make::mail(
        "mail_4",
        "me@home.example",
        "Re: Plans",
        "2026-01-12T12:00:00Z",
        "Fine.",
    );
    sent.folder = Folder::Sent;
    sent.to = vec![make::address("Kim Ode <kim@else.example>")];
    sent.in_reply_to = Some("mail_3@test".into());
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(make::mail(
            "mail_1",
            "Nadia Ali <nadia@work.example>",
            "Lunch?",
            "2026-01-10T08:00:00Z",
            "Friday?",
        ))
        .with(unread)
        .with(make::mail(
            "mail_3",
            "Kim Ode <kim@else.example>",
            "Plans",
            "2026-01-12T08:00:00Z",
            "What about June?",
        ))
        .with(sent)
        .with(make::contact(
            "who_nadia",
            "Nadia Ali",
            &["nadia@work.example"],
        ))
        .with(make::contact("who_ana", "Ana Lopez", &["ana@work.example"]))
        .with(make::contact(
            "who_ana2",
            "Ana Ruiz",
            &["ruiz@work.example"],
        ))
        .with(make::draft(
            "out_1",
            "ana@work.example",
            "Report",
            "Here it is.",
        ))
}

async fn outbox(world: &World) -> Vec<OutboxItem> {
    world
        .records
        .outbox(&Default::default())
        .await
        .expect("rows")
}

#[tokio::test]
async fn questions_are_answered() {
    check(
        world,
        &[
            (
                "email.search",
                json!({}),
                "3 mails, 1 unread.\n\n- Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread\n- Kim Ode: Plans · Mon 12 Jan, 09:00\n- Nadia Ali: Lunch? · Sat 10 Jan, 09:00",
            ),
            (
                "email.search",
                json!({"from": "nadia", "pick": "first"}),
                "Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread.",
            ),
            (
                "email.search",
                json!({"from": ["nadia"], "since": "2026-01-12", "ask": "count"}),
                "1 mail, all unread.\n\n- Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread",
            ),
            (
                "email.search",
                json!({"ask": "who"}),
                "- Nadia Ali (nadia@work.example), 2 mails\n- Kim Ode (kim@else.example), 1 mail",
            ),
            ("email.search", json!({"from": "zed", "ask": "any"}), "No, there are no mails from Zed."),
            (
                "email.search",
                json!({"answered": false, "from": "kim"}),
                "No mails from Kim.",
            ),
            (
                "email.search",
                json!({"folder": "drafts"}),
                "Draft to ana@work.example: Report · Thu 1 Jan 1970, 01:00.",
            ),
            (
                "email.search",
                json!({"to": "kim"}),
                "to Kim Ode: Re: Plans · Mon 12 Jan, 13:00.",
            ),
            (
                "email.read",
                json!({"target": {"subject": "lunch"}}),
                "**Lunch?**\n\nFrom Nadia Ali (nadia@work.example) to me@home.example, Sat 10 Jan, 09:00.\n\n> Friday?",
            ),
            (
                "email.search",
                json!({"subject_is": "plans", "folder": "any", "ask": "count"}),
                "2 mails.\n\n- to Kim Ode: Re: Plans · Mon 12 Jan, 13:00\n- Kim Ode: Plans · Mon 12 Jan, 09:00",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn filing_runs_at_once_and_deleting_asks() {
    check(
        world,
        &[
            ("email.archive", json!({"id": "mail_1"}), "Archived “Lunch?” from Nadia Ali."),
            (
                "email.mark",
                json!({"target": {"unread": true, "pick": "all"}, "read": true}),
                "Marked “Invoice” from Nadia Ali as read.",
            ),
            (
                "email.label",
                json!({"target": {"from": "nadia", "pick": "all"}, "add": ["work"]}),
                "Labelled 2 mails “work”.\n\n- Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread\n- Nadia Ali: Lunch? · Sat 10 Jan, 09:00",
            ),
            (
                "email.delete",
                json!({"target": {"from": "nadia", "order": "-date", "pick": "first"}}),
                "Moved “Invoice” from Nadia Ali to the trash.",
            ),
            ("email.delete", json!({"target": {"folder": "drafts"}}), "Removed “Report”."),
            ("email.delete", json!({"target": {"from": "nadia"}}), "? Which mail?"),
            (
                "email.delete",
                json!({"target": {"from": "nadia", "until": "2026-01-01", "pick": "all"}}),
                "! There are no mails from Nadia before Thu 1 Jan.",
            ),
        ],
    )
    .await;
    let world = world();
    assert!(
        !run(&world, "email.archive", json!({"id": "mail_1"}))
            .await
            .expect("filed")
            .asked
    );
    assert!(
        run(&world, "email.delete", json!({"id": "mail_1"}))
            .await
            .expect("deleted")
            .asked
    );
    let Some(Record::Mail(mail)) = world
        .records
        .get(Kind::Mail, &"mail_1".into())
        .await
        .expect("a look")
    else {
        panic!("a deleted mail lies in the trash");
    };
    assert_eq!(mail.folder, Folder::Trash);
}

#[tokio::test]
async fn a_mail_is_fixed_when_it_is_proposed() {
    let world = world();
    let args = json!({"to": ["Nadia", "new@x.example"], "bcc": "ruiz@work.example", "subject": "Größe", "body": "Line one.\n\nLine two — ünïcode."});
    let observed = observe(&world, "email.send", args).await.expect("proposed");
    assert_eq!(observed.assessment.risk, Risk::ReachesPeople);
    assert_eq!(observed.assessment.reaching, ["/to/0", "/to/1", "/bcc"]);
    let card = &observed.card;
    assert_eq!(
        (card.title.as_str(), card.verb.as_str()),
        ("Send a mail to 3 people", "Send")
    );
    let facts: Vec<(&str, &str)> = card
        .facts
        .iter()
        .map(|fact| (fact.label.as_str(), fact.value.as_str()))
        .collect();
    assert_eq!(
        facts,
        [
            ("From", "Me (me@home.example)"),
            ("To", "Nadia Ali (nadia@work.example)"),
            ("To", "new@x.example"),
            ("Cc", "Nobody"),
            ("Bcc", "Ana Ruiz (ruiz@work.example)"),
            ("Subject", "Größe"),
        ]
    );
    assert_eq!(
        card.body.as_deref(),
        Some("Line one.\n\nLine two — ünïcode.")
    );
    assert_eq!(card.digest_line, "What you see is exactly what is sent.");
    let frozen = serde_json::to_string(&observed.before.frozen).expect("frozen");
    let ran = {
        let (asked, calls) = permit(&world, observed);
        assert!(asked);
        let registry = crate::testing::registry();
        use adjutant_domain::ports::Toolbox as _;
        registry.run(&calls[0], &world.cx).await.expect("run")
    };
    let adjutant_domain::outcome::Outcome::Change { change, answer } = ran else {
        panic!("a mail is a change");
    };
    world.records.apply(&change).expect("stored");
    assert_eq!(
        answer.say,
        "Saved: “Größe” to Nadia Ali and new@x.example. No account can send it yet; it goes out once one is connected."
    );
    let item = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.subject == "Größe")
        .expect("in the outbox");
    assert_eq!(item.state, OutboxState::Queued);
    let mime = item.mime.expect("the bytes");
    assert!(
        frozen.contains(&serde_json::to_string(&mime).expect("json")),
        "the bytes are those that were shown"
    );
    assert!(
        !mime.contains("ruiz"),
        "blind copies stay out of the header"
    );
    let parsed = MessageParser::default()
        .parse(mime.as_bytes())
        .expect("a mail");
    assert_eq!(parsed.subject(), Some("Größe"));
    assert_eq!(parsed.message_id(), Some(item.message_id.as_str()));
    assert_eq!(
        parsed
            .body_text(0)
            .as_deref()
            .map(|text| text.replace("\r\n", "\n").trim_end().to_owned()),
        Some("Line one.\n\nLine two — ünïcode.".into())
    );
    assert_eq!(
        parsed.date().map(|date| date.to_timestamp()),
        Some(world.cx.now.timestamp().as_second())
    );
}

#[tokio::test]
async fn what_is_missing_or_unclear_is_asked() {
    let world = world();
    for (tool, args, text, slot) in [
        ("email.send", json!({"body": "Hi"}), "To whom?", "/to"),
        (
            "email.send",
            json!({"to": "nadia"}),
            "What should it say?",
            "/body",
        ),
        (
            "email.send",
            json!({"to": "zed", "body": "Hi"}),
            "What is the address of Zed?",
            "/to",
        ),
        (
            "email.send",
            json!({"to": ["nadia", "ana"], "body": "Hi"}),
            "Which Ana?",
            "/to/1",
        ),
        (
            "email.reply",
            json!({"id": "mail_1"}),
            "What should it say?",
            "/body",
        ),
        ("email.forward", json!({"id": "mail_1"}), "To whom?", "/to"),
    ] {
        let asked = question(&world, tool, args).await;
        assert_eq!(
            (asked.text.as_str(), asked.slot.as_str()),
            (text, slot),
            "{tool}"
        );
    }
    // An answer may arrive as a list inside the list.
    let ran = observe(
        &world,
        "email.send",
        json!({"to": ["nadia", ["ruiz@work.example"]], "body": "Hi"}),
    )
    .await;
    assert_eq!(ran.expect("proposed").card.title, "Send a mail to 2 people");
    assert_eq!(
        fault(&world, "email.send", json!({"to": "a@b@c", "body": "Hi"}))
            .await
            .to_string(),
        "“a@b@c” is not a mail address."
    );
}

#[tokio::test]
async fn somebody_known_only_from_mail_is_marked_as_found() {
    let observed = observe(
        &world(),
        "email.send",
        json!({"to": "kim", "body": "Hi there. More."}),
    )
    .await
    .expect("proposed");
    let to = observed
        .card
        .facts
        .iter()
        .find(|fact| fact.label == "To")
        .expect("to");
    assert_eq!(to.value, "Kim Ode (kim@else.example)");
    assert_eq!(
        to.source.as_ref().map(|source| source.kind.as_str()),
        Some("found")
    );
    assert!(
        observed
            .card
            .notes
            .iter()
            .any(|note| note.kind == NoteKind::Untrusted)
    );
    let subject = observed
        .card
        .facts
        .iter()
        .find(|fact| fact.label == "Subject")
        .expect("subject");
    assert_eq!(
        (
            subject.value.as_str(),
            subject.source.as_ref().map(|one| one.kind.as_str())
        ),
        ("Hi there", Some("derived"))
    );
}

#[tokio::test]
async fn answers_are_threaded_and_a_diverted_one_is_pointed_out() {
    let mut mail = make::mail(
        "mail_9",
        "Kim Ode <kim@else.example>",
        "Re: Plans",
        "2026-01-13T08:00:00Z",
        "?",
    );
    mail.references = vec!["mail_3@test".into()];
    mail.reply_to = vec![make::address("other@else.example")];
    mail.cc = vec![
        make::address("me@home.example"),
        make::address("ana@work.example"),
    ];
    let world = world().with(mail);
    let args = json!({"id": "mail_9", "body": "Fine.", "all": true});
    let ran = run(&world, "email.reply", args).await.expect("answered");
    let card = &ran.observed.card;
    assert!(card.notes.iter().any(|note| note.text
        == "The answer goes to other@else.example, not to the sender kim@else.example."));
    let item = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.body == "Fine.")
        .expect("in the outbox");
    assert_eq!(item.subject, "Re: Plans");
    assert_eq!(item.in_reply_to.as_deref(), Some("mail_9@test"));
    assert_eq!(
        item.to
            .iter()
            .map(|who| who.email.as_str())
            .collect::<Vec<_>>(),
        ["other@else.example"]
    );
    assert_eq!(
        item.cc
            .iter()
            .map(|who| who.email.as_str())
            .collect::<Vec<_>>(),
        ["ana@work.example"]
    );
    let mime = item.mime.expect("the bytes");
    assert!(mime.contains("In-Reply-To: <mail_9@test>"), "{mime}");
    assert!(mime.contains("<mail_3@test>") && mime.contains("<mail_9@test>"));
}

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

#[tokio::test]
async fn a_rejected_mail_can_stay_as_a_draft() {
    let world = world();
    let observed = observe(
        &world,
        "email.reply",
        json!({"id": "mail_1", "body": "Yes."}),
    )
    .await
    .expect("proposed");
    let args = draft_from(&observed.into()).expect("arguments");
    say(&world, "email.draft", args).await;
    let draft = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.body == "Yes.")
        .expect("a draft");
    assert_eq!(
        (draft.state, draft.mime.is_none()),
        (OutboxState::Draft, true)
    );
    assert_eq!(draft.in_reply_to.as_deref(), Some("mail_1@test"));
    let sent = run(&world, "email.send", json!({"draft": draft.id}))
        .await
        .expect("sent");
    assert!(sent.asked);
    let after = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.id == draft.id)
        .expect("the same row");
    assert_eq!((after.state, after.version), (OutboxState::Queued, 2));
    let call = observe(&world, "email.send", json!({"draft": "out_1"}))
        .await
        .expect("proposed")
        .into();
    assert_eq!(draft_from(&call), None, "the draft is still there");
}

#[tokio::test]
async fn a_held_mail_waits_from_its_approval() {
    let world = world().with_settings(|settings| settings.hold_seconds = 20);
    let said = say(&world, "email.send", json!({"to": "nadia", "body": "Hi"})).await;
    assert_eq!(
        said,
        "Saved: “Hi” to Nadia Ali. It is held for 20 s and can be taken back until then. No account can send it yet; it goes out once one is connected."
    );
    let item = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.body == "Hi")
        .expect("held");
    assert_eq!(item.state, OutboxState::Held);
    assert_eq!(
        item.not_before,
        Some("2026-01-14T09:00:20Z".parse().expect("an instant"))
    );
}

#[tokio::test]
async fn text_of_others_taints_and_own_text_does_not() {
    let world = world();
    for (tool, args, taint) in [
        ("email.search", json!({"from": "nadia"}), Taint::Tainted),
        ("email.read", json!({"id": "mail_1"}), Taint::Tainted),
        ("email.search", json!({"folder": "sent"}), Taint::Clean),
        ("email.search", json!({"folder": "drafts"}), Taint::Clean),
    ] {
        let ran = run(&world, tool, args.clone()).await.expect("read");
        assert_eq!(ran.answer.taint, taint, "{tool} {args}");
    }
}
