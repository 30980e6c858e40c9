//! What is sent: fixed when it is proposed, asked about where it is unclear, threaded, held, kept when rejected.

use adjutant_domain::account::{Account, AccountState, Collection, CollectionKind};
use adjutant_domain::gate::{NoteKind, Risk};
use adjutant_domain::operation::RemoteId;
use adjutant_domain::record::OutboxState;
use adjutant_testkit::make;
use mail_parser::MessageParser;
use serde_json::json;

use super::{outbox, world};
use crate::testing::{fault, observe, permit, question, run, say};

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
    let adjutant_domain::outcome::Outcome::Effects {
        operations, answer, ..
    } = ran
    else {
        panic!("a mail is an effect");
    };
    let [adjutant_domain::operation::Operation::Local { change }] = operations.as_slice() else {
        panic!("a mail is one row");
    };
    world.records.apply(change).expect("stored");
    assert_eq!(
        answer.say,
        "Saved: “Größe” to Nadia Ali and new@x.example. No account can send it yet. Once one is connected, make it a draft again in the outbox and send that."
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

#[tokio::test]
async fn an_answer_leaves_from_the_address_that_got_the_mail() {
    let mut mail = make::mail(
        "mail_9",
        "Kim Ode <kim@else.example>",
        "Offer",
        "2026-01-13T08:00:00Z",
        "?",
    );
    mail.to = vec![make::address("Me@Shop.example")];
    let world = world()
        .with(mail)
        .with_settings(|settings| settings.owner.emails.push("me@shop.example".into()));
    let from = async |tool: &str, args| {
        let ran = run(&world, tool, args).await.expect("sent");
        let mut facts = ran.observed.card.facts.into_iter();
        facts
            .find(|fact| fact.label == "From")
            .map(|fact| fact.value)
    };
    for (tool, args) in [
        ("email.reply", json!({"id": "mail_9", "body": "Fine."})),
        (
            "email.forward",
            json!({"id": "mail_9", "to": ["ana@work.example"]}),
        ),
    ] {
        assert_eq!(
            from(tool, args).await.as_deref(),
            Some("Me (me@shop.example)")
        );
    }
    let usual = json!({"id": "mail_1", "body": "Fine."});
    assert_eq!(
        from("email.reply", usual).await.as_deref(),
        Some("Me (me@home.example)")
    );
}

/// The settings keep the addresses of accounts that were removed.
#[tokio::test]
async fn a_mail_leaves_from_an_address_that_an_account_sends_from() {
    let world =
        world().with_settings(|settings| settings.owner.emails.push("me@shop.example".into()));
    let account = Account {
        id: "shop".into(),
        kind: "google".into(),
        label: "Shop".into(),
        addresses: vec!["me@shop.example".into()],
        state: AccountState::Ready,
    };
    let inbox = Collection {
        id: "col_inbox".into(),
        account: "shop".into(),
        kind: CollectionKind::Mailbox,
        remote_id: Some(RemoteId("INBOX".into())),
        name: "Inbox".into(),
        colour: None,
        writable: true,
        preferred: false,
        cursor: None,
    };
    world.records.connect(account, [inbox]);
    for (tool, args) in [
        ("email.send", json!({"to": "nadia", "body": "I am back"})),
        // It came to an address that nothing sends from any more.
        ("email.reply", json!({"id": "mail_1", "body": "Fine."})),
    ] {
        let card = observe(&world, tool, args).await.expect("proposed").card;
        assert_eq!(card.account.as_deref(), Some("Shop"));
        let from = card.facts.iter().find(|fact| fact.label == "From");
        assert_eq!(
            from.map(|fact| fact.value.as_str()),
            Some("Me (me@shop.example)")
        );
        let mut notes = card.notes.iter();
        assert!(notes.all(|note| !note.text.contains("No account can send")));
    }
}

#[tokio::test]
async fn an_answer_takes_the_place_of_its_draft() {
    for (tool, args) in [
        ("email.reply", json!({"id": "mail_1", "body": "Fine."})),
        (
            "email.forward",
            json!({"id": "mail_1", "to": ["nadia"], "note": "Fine."}),
        ),
    ] {
        let world = world();
        let args_of_draft = json!({"to": "nadia", "body": "Fin"});
        say(&world, "email.draft", args_of_draft).await;
        let before = outbox(&world).await;
        let draft = before.iter().find(|item| item.body == "Fin").unwrap();
        let mut args = args;
        args["draft"] = json!(draft.id);
        run(&world, tool, args).await.expect("sent");
        let after = outbox(&world).await;
        assert_eq!(after.len(), before.len());
        let sent = after.iter().find(|item| item.id == draft.id).unwrap();
        assert!(sent.body.starts_with("Fine."));
        assert_eq!(sent.state, OutboxState::Queued);
    }
}

#[tokio::test]
async fn the_signature_of_its_address_stands_on_the_card_and_in_the_mail() {
    let world = world().with_settings(|settings| {
        let signatures = json!({"ME@home.example": "Me\nHome Ltd"}).to_string();
        settings.signatures = signatures.try_into().unwrap();
    });
    let args = json!({"to": "nadia", "subject": "Lunch", "body": "Yes."});
    let ran = run(&world, "email.send", args).await.expect("sent");
    let signed = "Yes.\n\n-- \nMe\nHome Ltd";
    assert_eq!(ran.observed.card.body.as_deref(), Some(signed));
    let all = outbox(&world).await;
    let item = all.iter().find(|item| item.subject == "Lunch").unwrap();
    assert_eq!(item.body, signed);
    let mime = item.mime.as_deref().unwrap();
    let mail = MessageParser::new().parse(mime).unwrap();
    assert_eq!(mail.body_text(0).unwrap().trim().replace('\r', ""), signed);
}

#[tokio::test]
async fn a_draft_is_sent_in_its_place() {
    let world = world();
    say(
        &world,
        "email.draft",
        json!({"to": "nadia", "body": "Yes."}),
    )
    .await;
    let draft = outbox(&world)
        .await
        .into_iter()
        .find(|item| item.body == "Yes.")
        .expect("a draft");
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
}

#[tokio::test]
async fn a_hold_is_fixed_with_the_mail_and_shown() {
    let world = world().with_settings(|settings| settings.hold_seconds = Some(20));
    let observed = observe(&world, "email.send", json!({"to": "nadia", "body": "Hi"}))
        .await
        .expect("proposed");
    let frozen = observed.before.frozen.expect("fixed");
    assert_eq!(frozen.hold_seconds, 20);
    assert!(
        observed.card.undo.contains("20 s"),
        "{}",
        observed.card.undo
    );
}

#[tokio::test]
async fn a_draft_is_found_by_its_recipient_and_chosen_among_several() {
    let world = world();
    for (to, body) in [
        ("nadia", "Fin"),
        ("new@x.example", "Neu"),
        ("new@x.example", "Neuer"),
    ] {
        say(&world, "email.draft", json!({"to": to, "body": body})).await;
    }
    let to = |to: &str| json!({"drafted": {"to": to}});
    let one = observe(&world, "email.send", to("nadia")).await;
    assert_eq!(one.expect("proposed").card.body.as_deref(), Some("Fin"));
    let which = question(&world, "email.send", to("new@x.example")).await;
    assert_eq!((which.slot.as_str(), which.choices.len()), ("/draft", 2));
    let mut chosen = to("new@x.example");
    chosen["draft"] = which.choices[0].value.clone();
    let chosen = observe(&world, "email.send", chosen).await;
    assert!(chosen.is_ok(), "{chosen:?}");
    let none = fault(&world, "email.send", to("ruiz")).await;
    assert!(none.to_string().contains("no drafts"), "{none}");
}
