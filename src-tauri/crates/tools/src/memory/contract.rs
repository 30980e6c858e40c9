//! What the tools for memory promise.

use adjutant_domain::record::{Memory, MemorySource, Record};
use adjutant_domain::source::{Source, Sources, Taint};
use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, run, run_from, say};

fn world() -> World {
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(make::memory("mem_wifi", "wifi password", "tulip7"))
        .with(make::memory("mem_mom", "mom's birthday", "3 June"))
        .with(make::memory("mem_seat", "seat on trains", "window"))
}

fn memories(world: &World) -> Vec<Memory> {
    world
        .records
        .all()
        .into_iter()
        .filter_map(|row| match row {
            Record::Memory(memory) => Some(memory),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn facts_are_kept_said_and_forgotten() {
    check(
        world,
        &[
            (
                "memory.store",
                json!({"key": "My locker code", "value": "8812"}),
                "Remembered: locker code is 8812.",
            ),
            (
                "memory.store",
                json!({"key": "wifi password", "value": "rose9"}),
                "Remembered: wifi password is rose9. It was tulip7.",
            ),
            (
                "memory.store",
                json!({"key": "wifi password", "value": "tulip7"}),
                "Already known: wifi password is tulip7.",
            ),
            (
                "memory.store",
                json!({"key": "x", "value": " "}),
                "! Say what to remember.",
            ),
            (
                "memory.search",
                json!({"text": "wifi password", "ask": "value"}),
                "wifi password: tulip7.",
            ),
            (
                "memory.search",
                json!({"text": "shoe size"}),
                "Nothing is remembered about “shoe size”.",
            ),
            (
                "memory.update",
                json!({"target": {"text": "seat"}, "value": "aisle"}),
                "Remembered: seat on trains is aisle. It was window.",
            ),
            (
                "memory.forget",
                json!({"target": {"text": "mom's birthday"}}),
                "Forgotten: “mom's birthday”.",
            ),
            (
                "memory.forget",
                json!({"target": {"text": "shoe size"}}),
                "! There are no memories about “shoe size”.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_new_value_supersedes_the_old_one_and_forgetting_takes_both() {
    let world = world();
    say(
        &world,
        "memory.store",
        json!({"key": "wifi password", "value": "rose9"}),
    )
    .await;
    let wifi: Vec<_> = memories(&world)
        .into_iter()
        .filter(|row| row.key == "wifi password")
        .collect();
    assert_eq!(wifi.len(), 2);
    assert_eq!(wifi.iter().filter(|row| row.valid_to.is_none()).count(), 1);
    let ran = run(
        &world,
        "memory.forget",
        json!({"target": {"key": "wifi password"}}),
    )
    .await
    .expect("forgotten");
    assert!(ran.asked);
    assert_eq!(
        ran.observed.card.items.len(),
        2,
        "the past one is listed too"
    );
    assert!(
        memories(&world)
            .iter()
            .all(|row| row.key != "wifi password")
    );
}

#[tokio::test]
async fn what_is_added_stands_beside_what_was_known() {
    let world = world();
    for value in ["tea", "jazz", "tea"] {
        let args = json!({"key": "what Tom likes", "value": value, "adds": true});
        say(&world, "memory.store", args).await;
    }
    let told = say(&world, "memory.search", json!({"text": "Tom likes"})).await;
    assert!(told.contains("tea") && told.contains("jazz"), "{told}");
    let held = memories(&world).into_iter();
    let held = held.filter(|row| row.key == "what Tom likes" && row.valid_to.is_none());
    assert_eq!(held.count(), 2, "nothing is kept twice");
}

#[tokio::test]
async fn what_the_person_said_and_others_repeat_is_known_already() {
    let world = world();
    let before = memories(&world);
    let origin = "mail from kim@else.example, 12 Jan".to_owned();
    let sources = Sources::from([("/value".to_owned(), Source::Untrusted { origin })]);
    let args = json!({"key": "wifi password", "value": "tulip7"});
    let ran = run_from(&world, "memory.store", args, sources).await;
    let answer = ran.expect("known").answer;
    assert_eq!(answer.say, "Already known: wifi password is tulip7.");
    assert_eq!(answer.taint, Taint::Tainted);
    assert_eq!(memories(&world), before, "nothing is set aside");
}

#[tokio::test]
async fn what_others_wrote_is_set_aside_and_replaces_nothing() {
    let world = world();
    let sources = Sources::from([(
        "/value".to_owned(),
        Source::Untrusted {
            origin: "mail from kim@else.example, 12 Jan".into(),
        },
    )]);
    let ran = run_from(
        &world,
        "memory.store",
        json!({"key": "wifi password", "value": "evil1"}),
        sources,
    )
    .await
    .expect("set aside");
    assert!(ran.answer.say.starts_with("Set aside until you decide"));
    assert_eq!(ran.answer.taint, Taint::Tainted);
    let rows = memories(&world);
    let aside = rows
        .iter()
        .find(|row| row.value == "evil1")
        .expect("the row");
    assert_eq!(aside.source, MemorySource::Read);
    assert_eq!(aside.origin, "mail from kim@else.example, 12 Jan");
    let kept = rows
        .iter()
        .find(|row| row.value == "tulip7")
        .expect("the old one");
    assert_eq!(kept.valid_to, None);
    assert_eq!(
        say(
            &world,
            "memory.search",
            json!({"text": "wifi password", "ask": "value"})
        )
        .await,
        "wifi password: tulip7."
    );
}

#[tokio::test]
async fn what_the_person_said_is_kept_and_said_in_their_words() {
    let world = world();
    let said = "Raj works from London";
    let words = Some(said.to_owned());
    let sources = Sources::from([("/value".to_owned(), Source::Person { words })]);
    let args = json!({"key": "where Raj works", "value": "from London"});
    let ran = run_from(&world, "memory.store", args, sources).await;
    let answer = ran.expect("kept").answer;
    assert_eq!(answer.say, "Remembered: Raj works from London.");
    let rows = memories(&world);
    let row = rows.iter().find(|row| row.value == "from London");
    assert_eq!(row.expect("the row").statement(), said);
    assert_eq!(
        say(&world, "memory.search", json!({"text": "Raj works"})).await,
        "Raj works from London."
    );
}

#[tokio::test]
async fn people_preferences_and_routines_are_told_apart() {
    let world = world().with(make::contact("who_raj", "Raj Patel", &["raj@x.example"]));
    for (key, value, kind) in [
        ("where Raj works", "from London", "person"),
        ("my sister's flat", "Ferry Street 12", "person"),
        ("no meetings before", "9", "preference"),
        ("coffee", "I prefer it black", "preference"),
        ("bins", "out every Tuesday", "routine"),
        ("locker code", "8812", "fact"),
        // A capital is no name yet.
        ("Wifi", "rose9", "fact"),
    ] {
        say(&world, "memory.store", json!({"key": key, "value": value})).await;
        let rows = memories(&world);
        let row = rows.iter().find(|row| row.value == value).expect("the row");
        assert_eq!(row.category, kind, "{key}: {value}");
    }
    let given = json!({"key": "desk", "value": "every day by the window", "category": "place"});
    say(&world, "memory.store", given).await;
    let rows = memories(&world);
    assert!(
        rows.iter().any(|row| row.category == "place"),
        "what was said counts"
    );
}
