//! What the tools for the address book promise.

use adjutant_domain::source::{Source, Sources};
use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, run_from};

fn world() -> World {
    let mut mara = make::contact("who_mara", "Mara Stein", &["mara@home.example"]);
    mara.relation = "my sister".into();
    mara.nicknames = vec!["Maz".into()];
    mara.phones = vec!["+49 30 1234".into()];
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(mara)
        .with(make::contact("who_ana", "Ana Lopez", &["ana@work.example"]))
        .with(make::contact("who_anabel", "Anabel Diaz", &[]))
}

#[tokio::test]
async fn people_are_found_by_every_name() {
    let mara = "Mara Stein (my sister) · mara@home.example · +49 30 1234.";
    check(
        world,
        &[
            ("contact.find", json!({"name": "my sister"}), mara),
            ("contact.find", json!({"name": "maz"}), mara),
            ("contact.find", json!({"name": "mara@home.example"}), mara),
            ("contact.find", json!({"name": "ana"}), "Ana Lopez · ana@work.example."),
            ("contact.find", json!({"name": "anab"}), "Anabel Diaz."),
            (
                "contact.find",
                json!({"name": "sister", "ask": "phone"}),
                "Mara Stein: +49 30 1234.",
            ),
            (
                "contact.find",
                json!({"name": "anabel", "ask": "email"}),
                "Anabel Diaz: no mail address is noted.",
            ),
            ("contact.find", json!({"name": "zed"}), "No contacts called “zed”."),
            (
                "contact.create",
                json!({"name": "Zed Ode", "emails": ["zed@x.example"]}),
                "Added Zed Ode · zed@x.example.",
            ),
            (
                "contact.create",
                json!({"name": "Zed", "emails": ["not one"]}),
                "! “not one” is not a mail address.",
            ),
            (
                "contact.update",
                json!({"target": {"name": "ana"}, "changes": {"add_emails": ["lopez@new.example"], "relation": "boss"}}),
                "Changed: Ana Lopez (boss) · lopez@new.example · ana@work.example.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn birthdays_are_said_from_wherever_they_are_known() {
    let born = || {
        let mut mara = make::contact("who_mara", "Mara Stein", &[]);
        mara.birthday = "1990-01-20".into();
        mara.nicknames = vec!["Mum".into()];
        let mut ana = make::contact("who_ana", "Ana Lopez", &[]);
        ana.birthday = "--01-02".into();
        World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
            .with(mara)
            .with(ana)
            .with(make::contact("who_kim", "Kim Ode", &[]))
            .with(make::memory("mem_kim", "Kim's birthday", "3 June"))
    };
    check(
        born,
        &[
            (
                "contact.find",
                json!({"name": "mother", "ask": "birthday"}),
                "Mara Stein: Tue 20 Jan, turning 36.",
            ),
            (
                "contact.find",
                json!({"name": "Mara", "ask": "age"}),
                "Mara Stein is 35, born 20 Jan 1990.",
            ),
            (
                "contact.find",
                json!({"ask": "birthday", "pick": "first"}),
                "Mara Stein: Tue 20 Jan, turning 36.",
            ),
            (
                "contact.find",
                json!({"ask": "birthday", "birthday_from": "2026-01-01", "birthday_to": "2026-01-10"}),
                "Ana Lopez: Fri 2 Jan.",
            ),
            (
                "contact.find",
                json!({"name": "Kim", "ask": "birthday"}),
                "You told me: Kim's birthday: 3 June.",
            ),
            (
                "contact.find",
                json!({"name": "Zed", "ask": "birthday"}),
                "I found no birthday for “Zed”: nobody in the address book has that name, and neither the calendar nor your memories mention it.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_new_number_takes_the_place_of_the_only_one() {
    let phones = |phones: &'static [&'static str]| {
        move || {
            let mut mara = make::contact("who_mara", "Mara Stein", &[]);
            mara.phones = phones.iter().map(|&phone| phone.to_owned()).collect();
            World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").with(mara)
        }
    };
    let change = json!({"target": {"name": "Mara"}, "changes": {"phone": "555 0199"}});
    let said = "Changed: Mara Stein · 555 0199.";
    check(
        phones(&["555 0100"]),
        &[("contact.update", change.clone(), said)],
    )
    .await;
    check(phones(&[]), &[("contact.update", change.clone(), said)]).await;
    let stop = run_from(
        &phones(&["1 23", "4 56"])(),
        "contact.update",
        change,
        Sources::new(),
    )
    .await;
    let Err(adjutant_domain::outcome::Stop::Ask(question)) = stop.map(|ran| ran.answer) else {
        panic!("it asks which number goes");
    };
    assert_eq!(question.slot, "/changes/remove_phones");
}

#[tokio::test]
async fn an_address_found_in_a_message_is_not_filed_unasked() {
    let found = Source::Untrusted {
        origin: "mail".into(),
    };
    for (tool, args, place) in [
        (
            "contact.update",
            json!({"id": "who_ana", "changes": {"add_emails": ["evil@x.example"]}}),
            "/changes/add_emails",
        ),
        // As a reference marks it: the entry of the list, not the list.
        (
            "contact.create",
            json!({"name": "Eve", "emails": ["eve@x.example"]}),
            "/emails/0",
        ),
        (
            "contact.update",
            json!({"id": "who_ana", "changes": {"add_phones": ["+1 900"]}}),
            "/changes",
        ),
    ] {
        let sources = Sources::from([(place.to_owned(), found.clone())]);
        let ran = run_from(&world(), tool, args, sources).await;
        let ran = ran.expect("approved");
        assert!(ran.asked, "{tool} {place}");
        let facts = ran.observed.card.facts.iter();
        let marked = facts.filter(|fact| {
            let source = fact.source.as_ref();
            source.is_some_and(|source| source.kind == "found")
        });
        assert_eq!(marked.count(), 1, "{tool} {place}");
    }
}

#[tokio::test]
async fn a_title_means_its_only_holder() {
    let world = || {
        let worker = |id: &str, name: &str, address: &str, what: &str| {
            let mut one = make::contact(id, name, &[address]);
            one.organisation = what.into();
            one
        };
        World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
            .with(worker(
                "who_ana",
                "Ana Lopez",
                "ana@paint.example",
                "Paintworks, Sales Director",
            ))
            .with(worker(
                "who_bo",
                "Bo Ek",
                "bo@paint.example",
                "Paintworks, Mixer",
            ))
            .with(worker(
                "who_cy",
                "Cy Day",
                "cy@paint.example",
                "Paintworks, Mixer",
            ))
    };
    check(
        world,
        &[
            (
                "contact.find",
                json!({"name": "sales director", "ask": "email"}),
                "Ana Lopez: ana@paint.example.",
            ),
            (
                "contact.find",
                json!({"name": "paintworks director", "ask": "email"}),
                "Ana Lopez: ana@paint.example.",
            ),
            // Two people mix paint.
            (
                "contact.find",
                json!({"name": "mixer", "ask": "email"}),
                "- Bo Ek: bo@paint.example\n- Cy Day: cy@paint.example",
            ),
        ],
    )
    .await;
}
