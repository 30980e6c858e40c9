//! What a change does if nothing fits its description: the closest thing on a card, a question, or an honest no.

use adjutant_domain::outcome::Stop;
use adjutant_testkit::{World, make};
use serde_json::{Value, json};

use crate::testing::{check, observe, question, run};

/// Wednesday, 14 January 2026, 10:00 in Berlin.
fn world() -> World {
    let mail = |id: &str, from: &str, subject: &str, date: &str, text: &str| {
        make::mail(
            id,
            from,
            subject,
            &format!("2026-01-{date}T08:00:00Z"),
            text,
        )
    };
    let gazette = "Harbour Gazette <news@gazette.example>";
    let omar = "Omar Haddad <omar@work.example>";
    let at = |day: &str, time: &str| format!("2026-01-{day}T{time}:00+01:00[Europe/Berlin]");
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(make::event(
            "ev_boiler",
            "Boiler service",
            &at("20", "09:00"),
            &at("20", "10:00"),
            &[],
        ))
        .with(make::event(
            "ev_choir",
            "Choir rehearsal",
            &at("15", "19:00"),
            &at("15", "21:00"),
            &[],
        ))
        .with(make::task(
            "task_shed",
            "Repaint the shed",
            Some("2026-01-20"),
        ))
        .with(make::task("task_milk", "Buy milk", None))
        .with(make::task("task_ines", "Send the report to Ines", None))
        .with(make::task("task_omar", "Review the report by Omar", None))
        .with(make::note("note_garden", "Garden", "Roses along the wall"))
        .with(make::contact(
            "who_omar",
            "Omar Haddad",
            &["omar@work.example"],
        ))
        .with(make::contact("who_kim", "Kim Ode", &["kim@home.example"]))
        .with(mail(
            "mail_1",
            gazette,
            "Tides of January",
            "10",
            "All tides.",
        ))
        .with(mail("mail_2", gazette, "Regatta results", "11", "Who won."))
        .with(mail(
            "mail_3",
            omar,
            "Printer jams again",
            "12",
            "It jammed.",
        ))
        .with(mail(
            "mail_4",
            omar,
            "Re: Printer jams again",
            "13",
            "Now it works.",
        ))
        .with(mail("mail_5", omar, "Canteen menu", "13", "Soup."))
        .with(mail(
            "mail_6",
            "Stadtwerke <post@stadtwerke.example>",
            "Your invoice",
            "09",
            "For the water used in 2025.",
        ))
}

#[tokio::test]
async fn the_closest_thing_is_shown_on_a_card() {
    for (tool, target, done, note) in [
        (
            "task.complete",
            json!({"text": "shed painting"}),
            "Done: “Repaint the shed”.",
            "There are no open tasks about “shed painting”; the closest is “Repaint the shed”.",
        ),
        // Another word and another place for the same thing.
        (
            "calendar.delete",
            json!({"text": "boiler checkup"}),
            "Deleted “Boiler service”, Tue 20 Jan, 09:00–10:00.",
            "There are no events called “boiler checkup”; the closest is “Boiler service”.",
        ),
        // The day on which it was done is not the day on which it is due.
        (
            "task.complete",
            json!({"text": "shed", "due_from": "2026-01-13", "due_to": "2026-01-14"}),
            "Done: “Repaint the shed”.",
            "There are no open tasks about “shed” due on Tue 13 Jan; the closest is “Repaint the shed”.",
        ),
        // All mails of the sender whom the words name.
        (
            "email.archive",
            json!({"from": ["Harbour Gazette issues"], "pick": "all"}),
            "Archived 2 mails.\n\n- Harbour Gazette: Regatta results · Sun 11 Jan, 09:00\n- Harbour Gazette: Tides of January · Sat 10 Jan, 09:00",
            "There are no mails from Harbour Gazette issues; the closest are 2 mails.",
        ),
        // The mails that answer each other.
        (
            "email.archive",
            json!({"from": ["Omar"], "subject": "printer jamming back forth"}),
            "Archived 2 mails.\n\n- Omar Haddad: Re: Printer jams again · Tue 13 Jan, 09:00\n- Omar Haddad: Printer jams again · Mon 12 Jan, 09:00",
            "There are no mails from Omar with the subject “printer jamming back forth”; the closest are 2 mails.",
        ),
        // Only its text says the word.
        (
            "email.archive",
            json!({"text": "water bill"}),
            "Archived “Your invoice” from Stadtwerke.",
            "There are no mails about “water bill”; the closest is “Your invoice”.",
        ),
    ] {
        let ran = run(&world(), tool, json!({ "target": target })).await;
        let ran = ran.unwrap_or_else(|stop| panic!("{tool} {target}: {stop:?}"));
        assert!(ran.asked, "{tool} {target} was done unasked");
        assert!(ran.observed.assessment.guessed, "{tool} {target}");
        assert!(ran.answer.say.starts_with(done), "{}", ran.answer.say);
        let notes = &ran.observed.card.notes;
        assert_eq!(notes[0].text, note, "{tool} {target}");
    }
}

#[tokio::test]
async fn what_is_not_clearly_ahead_is_asked_about() {
    let report = json!({"target": {"text": "quarterly report"}});
    let asked = question(&world(), "task.complete", report.clone()).await;
    assert_eq!(
        asked.text,
        "There are no open tasks about “quarterly report”. Do you mean one of these?"
    );
    let labels: Vec<&str> = asked.choices.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels.contains(&"Send the report to Ines"), "{labels:?}");
    // The answer goes into the slot of the question, and settles it.
    let chosen = labels.iter().position(|label| label.contains("Ines"));
    let mut args = report;
    args["target"] = asked.choices[chosen.expect("a choice")].value.clone();
    assert_eq!(asked.slot, "/target");
    let ran = run(&world(), "task.complete", args).await.expect("done");
    assert_eq!(ran.answer.say, "Done: “Send the report to Ines”.");
    assert!(!ran.asked && !ran.observed.assessment.guessed);
}

#[tokio::test]
async fn another_name_is_another_person_and_a_note_is_not_read_as_another() {
    let other = json!({"target": {"name": "Kim Olsen"}, "changes": {"phone": "030 12345"}});
    let asked = question(&world(), "contact.update", other).await;
    assert_eq!(asked.choices.len(), 1, "{asked:?}");
    assert!(
        asked.text.ends_with("Do you mean this one?"),
        "{}",
        asked.text
    );
    let plan = json!({"target": {"title": "garden plans"}});
    let asked = question(&world(), "note.read", plan).await;
    assert_eq!(
        asked.text,
        "There are no notes called “garden plans”; the closest is “Garden”. Do you mean that?"
    );
}

#[tokio::test]
async fn words_that_say_nothing_find_nothing() {
    let refused = |tool: &'static str, target: Value, said: &'static str| {
        (tool, json!({ "target": target }), said)
    };
    check(
        world,
        &[
            refused(
                "task.complete",
                json!({"text": "buy cheese"}),
                "! There are no open tasks about “buy cheese”.",
            ),
            refused(
                "task.delete",
                json!({"text": "unicorn"}),
                "! There are no open tasks about “unicorn”.",
            ),
            // The person and the day were said surely.
            refused(
                "email.archive",
                json!({"from": ["Kim"], "subject": "printer jams"}),
                "! There are no mails from Kim with the subject “printer jams”.",
            ),
            refused(
                "calendar.delete",
                json!({"text": "boiler checkup", "from": "2026-01-15", "to": "2026-01-16"}),
                "! There are no events called “boiler checkup” on Thu 15 Jan.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn foreign_titles_on_offer_are_marked() {
    let target = json!({"target": {"from": ["Omar"], "subject": "printer delivery"}});
    let Err(Stop::Ask(asked)) = observe(&world(), "email.archive", target).await else {
        panic!("nothing is clearly ahead");
    };
    assert!(asked.choices.len() > 1, "{asked:?}");
    assert_eq!(asked.taint(), adjutant_domain::source::Taint::Tainted);
}
