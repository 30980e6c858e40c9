//! What the tools for mail promise.

use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Folder, Kind, OutboxItem, Record};
use adjutant_domain::source::Taint;
use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, fault, observe, run, say};

mod files;
mod leaving;
mod own_places;
pub(crate) mod provider;
mod sending;
mod sorting;

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
                json!({"from": "bank", "ask": "any"}),
                "No, there are no mails from anybody called “bank”.",
            ),
            (
                "email.search",
                json!({"from": "nadia clinic", "ask": "count"}),
                "2 mails, 1 unread.\n\n- Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread\n- Nadia Ali: Lunch? · Sat 10 Jan, 09:00",
            ),
            (
                "email.search",
                json!({"pick": "all", "limit": 1, "order": "-date"}),
                "Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread.",
            ),
            (
                "email.search",
                json!({"answered": false, "from": "kim"}),
                "No unanswered mails from Kim.",
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
                "email.read",
                json!({"target": {"from": "nadia", "since": "2026-01-10", "order": "-date", "pick": "first"}}),
                "**Invoice**\n\nFrom Nadia Ali (nadia@work.example) to me@home.example, Tue 13 Jan, 09:00.\n\n> Please pay.\n\nOne more fits: Nadia Ali: Lunch? · Sat 10 Jan, 09:00.",
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
            // The sender has one of the words, the subject the other.
            (
                "email.mark",
                json!({"target": {"subject": "nadia lunch"}, "starred": true}),
                "Marked “Lunch?” from Nadia Ali as starred.",
            ),
            ("email.archive", json!({"id": "mail_1"}), "Archived “Lunch?” from Nadia Ali."),
            (
                "email.mark",
                json!({"target": {"unread": true, "pick": "all"}, "read": true}),
                "Marked “Invoice” from Nadia Ali as read.",
            ),
            (
                "email.label",
                json!({"target": {"from": "nadia", "pick": "all"}, "add": ["work"]}),
                "Labelled 2 mails “work”, a new label.\n\n- Nadia Ali: Invoice · Tue 13 Jan, 09:00 · unread\n- Nadia Ali: Lunch? · Sat 10 Jan, 09:00",
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
    // What lies there already was not moved by anybody.
    assert_eq!(
        fault(&world, "email.archive", json!({"id": "mail_1"}))
            .await
            .to_string(),
        "“Lunch?” from Nadia Ali is archived already."
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
async fn text_of_others_taints_and_own_text_does_not() {
    let world = world();
    for (tool, args, taint) in [
        ("email.search", json!({"from": "nadia"}), Taint::Tainted),
        ("email.read", json!({"id": "mail_1"}), Taint::Tainted),
        // A header that names the owner proves nothing.
        ("email.search", json!({"folder": "sent"}), Taint::Tainted),
        ("email.search", json!({"folder": "drafts"}), Taint::Clean),
    ] {
        let ran = run(&world, tool, args.clone()).await.expect("read");
        assert_eq!(ran.answer.taint, taint, "{tool} {args}");
    }
}

/// Anybody can write a mail whose sender is the person.
#[tokio::test]
async fn a_mail_that_claims_to_be_the_persons_own_is_one_of_others() {
    let mut forged = make::mail(
        "mail_9",
        "me@home.example",
        "Bank details",
        "2026-01-13T09:00:00Z",
        "Send them here.",
    );
    forged.to = vec![make::address("Eve <eve@x.example>")];
    let world = world().with(forged);
    let listed = say(&world, "email.search", json!({"subject": "Bank details"})).await;
    assert!(listed.contains("me@home.example"), "{listed}");
    assert!(!listed.contains("to Eve"), "{listed}");
    let own = say(&world, "email.search", json!({"from": "me"})).await;
    assert!(!own.contains("Bank details"), "{own}");
    let args = json!({"id": "mail_9", "body": "Here."});
    let reply = observe(&world, "email.reply", args).await.expect("a card");
    let shown = serde_json::to_string(&reply.card).expect("JSON");
    assert!(!shown.contains("eve@x.example"), "{shown}");
}
