//! What is promised about people: who is meant, who is invited, and whose words an event holds.

use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::Attendee;
use adjutant_domain::source::Taint;
use adjutant_testkit::make;
use serde_json::json;

use super::{berlin, world};
use crate::testing::{observe, question, run, say};

#[tokio::test]
async fn two_people_of_one_name_are_asked_about() {
    let world = world()
        .with(make::contact(
            "who_ana2",
            "Ana Ruiz",
            &["ruiz@work.example"],
        ))
        .with(make::event(
            "ev_ruiz",
            "Coffee",
            &berlin("15", "09:00"),
            &berlin("15", "09:30"),
            &["ruiz@work.example"],
        ));
    let made_of_a_mail = Provenance {
        author: Author::Person,
        taint: Taint::Tainted,
    };
    world.records.written(&"who_ana2".into(), made_of_a_mail);
    let args = json!({"target": {"person": "ana", "from": berlin("14", "10:00"), "starts_from": true, "pick": "first"}});
    let asked = question(&world, "calendar.delete", args.clone()).await;
    let marks: Vec<Taint> = asked.choices.iter().map(|one| one.taint).collect();
    assert_eq!(marks, [Taint::Clean, Taint::Tainted]);
    assert_eq!(
        (asked.text.as_str(), asked.slot.as_str()),
        ("Which Ana?", "/target/person")
    );
    let mut answered = args;
    answered["target"]["person"] = asked.choices[0].value.clone();
    assert_eq!(asked.choices[0].line(), "Ana Lopez, ana@work.example");
    assert!(
        say(&world, "calendar.delete", answered)
            .await
            .starts_with("Deleted “Planning”, Thu 15 Jan, 14:00–15:30.")
    );
}

#[tokio::test]
async fn free_time_of_several_people_is_free_for_all_whose_time_is_told() {
    let world = world()
        .with(make::contact("who_kim", "Kim Ode", &["kim@else.example"]))
        .with(make::contact("who_eli", "Eli Roth", &["eli@else.example"]));
    let args = |people: &[&str], ask: &str| json!({"from": berlin("16", "12:00"), "to": berlin("16", "15:00"), "people": people, "ask": ask});
    let both = "Times when Kim Ode is busy are left out.";
    let slots = say(&world, "calendar.free", args(&["Kim Ode"], "slots")).await;
    assert!(
        slots.contains("12:00–13:00") && slots.contains("14:00–15:00"),
        "{slots}"
    );
    assert!(slots.ends_with(both), "{slots}");
    let is_free = say(&world, "calendar.free", args(&["Kim Ode"], "free")).await;
    assert!(
        is_free.starts_with("No: Kim Ode is busy Fri 16 Jan, 13:00–14:00."),
        "{is_free}"
    );
    let unknown = say(
        &world,
        "calendar.free",
        args(&["Eli Roth", "Sarah"], "free"),
    )
    .await;
    assert!(unknown.starts_with("Yes, you are free"), "{unknown}");
    assert!(
        unknown.ends_with(
            "Only your own calendar was looked at: no account tells when Eli Roth and Sarah are busy."
        ),
        "{unknown}"
    );
    let mixed = say(
        &world,
        "calendar.free",
        args(&["Kim Ode", "Eli Roth"], "slots"),
    )
    .await;
    assert!(
        mixed.ends_with(&format!("{both} No account tells when Eli Roth is busy.")),
        "{mixed}"
    );
}

#[tokio::test]
async fn whether_others_are_free_is_told_by_accounts_and_by_what_one_does_together() {
    let world = world()
        .with(make::contact("who_kim", "Kim Ode", &["kim@else.example"]))
        .with(make::contact("who_eli", "Eli Roth", &["eli@else.example"]));
    let ask = async |people: &[&str], from: &str, to: &str| {
        let args = json!({"from": berlin("16", from), "to": berlin("16", to), "people": people, "ask": "others"});
        say(&world, "calendar.free", args).await
    };
    assert_eq!(
        ask(&["Kim Ode"], "12:00", "15:00").await,
        "Kim Ode is busy Fri 16 Jan, 13:00–14:00."
    );
    assert_eq!(
        ask(&["Kim Ode"], "15:00", "16:00").await,
        "Kim Ode is free on Fri 16 Jan between 15:00 and 16:00."
    );
    assert_eq!(
        ask(&["Eli Roth"], "15:00", "16:00").await,
        "No account tells when Eli Roth is busy. Your calendar has nothing with Eli Roth on Fri 16 Jan between 15:00 and 16:00."
    );
}

#[tokio::test]
async fn somebody_unknown_is_noted_on_the_card_and_is_no_guest() {
    let args = json!({"summary": "Meeting with Sarah", "start": berlin("16", "15:00"), "people": ["Sarah"]});
    let ran = run(&world(), "calendar.create", args).await.expect("made");
    assert!(!ran.asked);
    assert_eq!(ran.answer.output["items"][0]["people"], json!([]));
    let notes: Vec<&str> = ran
        .observed
        .card
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert_eq!(
        notes,
        ["Sarah is not in your address book, so only the title names them."]
    );
}

#[tokio::test]
async fn a_guest_whose_address_was_found_in_a_mail_is_asked_for() {
    let mail = make::mail(
        "mail_dana",
        "Dana Wells <dana@stranger.example>",
        "Hello",
        "2026-01-13T09:00:00Z",
        "Lunch?",
    );
    let lunch =
        |who: &str| json!({"summary": "Lunch", "start": berlin("16", "12:00"), "people": [who]});
    let met = world().with(mail);
    let dana = run(&met, "calendar.create", lunch("Dana Wells")).await;
    let dana = dana.expect("approved");
    assert!(dana.asked, "nobody said that address");
    let card = &dana.observed.card;
    let guest = card.facts.iter().find(|fact| fact.label == "Guest");
    let source = guest.and_then(|fact| fact.source.as_ref());
    assert_eq!(source.map(|source| source.kind.as_str()), Some("found"));
    // Said, or in the address book: not asked for.
    for who in ["dana@stranger.example", "Mara Stein"] {
        let known = run(&world(), "calendar.create", lunch(who)).await;
        assert!(!known.expect("allowed").asked, "{who}");
    }
}

#[tokio::test]
async fn an_event_from_outside_is_text_of_others_whoever_it_names() {
    let event = |id: &str| {
        make::event(
            id,
            "Review",
            &berlin("20", "09:00"),
            &berlin("20", "10:00"),
            &[],
        )
    };
    let list = json!({"from": "2026-01-20", "to": "2026-01-21"});
    let mut forged = event("ev_1");
    // It says that the owner called it.
    forged.organizer = Some(Attendee {
        name: "Me".into(),
        email: "me@home.example".into(),
        status: "accepted".into(),
    });
    for (world, taint) in [
        (world().with(event("ev_1")), Taint::Tainted),
        (world().with(forged), Taint::Tainted),
        (world().with_own(event("ev_1")), Taint::Clean),
    ] {
        let ran = run(&world, "calendar.list", list.clone()).await;
        assert_eq!(ran.expect("read").answer.taint, taint);
    }
}

#[tokio::test]
async fn a_card_says_that_an_event_of_others_was_found() {
    let imported = Author::Import {
        file: "team.ics".to_owned(),
    };
    for (world, of, kind) in [
        (world(), Provenance::clean(imported.clone()), "found"),
        (world(), Provenance::clean(Author::Person), "data"),
        (
            world(),
            Provenance {
                author: Author::Person,
                taint: Taint::Tainted,
            },
            "found",
        ),
    ] {
        world.records.written(&"ev_bud".into(), of);
        let moved = json!({"id": "ev_bud", "changes": {"shift_minutes": 60}});
        let card = observe(&world, "calendar.update", moved).await;
        let facts = card.expect("a card").card.facts;
        let event = facts.iter().find(|fact| fact.label == "Event");
        let source = event.and_then(|fact| fact.source.as_ref()).expect("one");
        assert_eq!(source.kind, kind, "{source:?}");
    }
}

#[tokio::test]
async fn a_card_says_in_its_title_what_changes() {
    for (target, changes, title, verb) in [
        (
            "ev_bud",
            json!({"add_people": ["Ana Lopez"]}),
            "Invite Ana Lopez to “Budget”",
            "Invite",
        ),
        (
            "ev_plan",
            json!({"remove_people": ["Kofi Mensah"]}),
            "Remove Kofi Mensah from “Planning”",
            "Remove",
        ),
        (
            "ev_bud",
            json!({"add_people": ["Ana Lopez"], "time": "15:00"}),
            "Move “Budget” and invite Ana Lopez",
            "Move",
        ),
        ("ev_bud", json!({"time": "15:00"}), "Move “Budget”", "Move"),
        (
            "ev_bud",
            json!({"extend_minutes": 30}),
            "Change “Budget”",
            "Change",
        ),
        (
            "ev_bud",
            json!({"summary": "Money"}),
            "Rename “Budget” to “Money”",
            "Rename",
        ),
    ] {
        let args = json!({"id": target, "changes": changes});
        let card = observe(&world(), "calendar.update", args).await;
        let card = card.expect("proposed").card;
        assert_eq!((card.title.as_str(), card.verb.as_str()), (title, verb));
    }
}
