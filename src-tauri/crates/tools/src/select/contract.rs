//! What choosing promises in every family: exceptions are left out before anything is picked.

use adjutant_domain::ports::Toolbox as _;
use adjutant_domain::record::Record;
use adjutant_domain::source::Sources;
use adjutant_testkit::{World, make};
use serde_json::{Value, json};

use crate::testing::{check, registry, run, say};

fn berlin(day: &str, time: &str) -> String {
    format!("2026-01-{day}T{time}:00+01:00[Europe/Berlin]")
}

/// Wednesday, 14 January 2026, 10:00 in Berlin.
fn world() -> World {
    let event = |id: &str, title: &str, day: &str, from: &str, to: &str| {
        make::event(id, title, &berlin(day, from), &berlin(day, to), &[])
    };
    let mail = |id: &str, subject: &str, date: &str, text: &str| {
        let date = format!("2026-01-{date}T08:00:00Z");
        make::mail(id, "Nadia Ali <nadia@work.example>", subject, &date, text)
    };
    let mut standup = event("ev_stand", "Standup", "12", "09:00", "09:15");
    standup.rrule = Some("FREQ=WEEKLY;BYDAY=MO,WE,FR".into());
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(standup)
        .with(event("ev_plan", "Planning", "15", "14:00", "15:30"))
        .with(event("ev_demo", "Demo", "15", "15:00", "16:00"))
        .with(event("ev_gym", "Gym", "15", "16:00", "17:00"))
        .with(make::event(
            "ev_fair",
            "Fair",
            "2026-01-15",
            "2026-01-16",
            &[],
        ))
        .with(mail("mail_1", "Lunch", "10", "Friday?"))
        .with(mail("mail_2", "Numbers", "11", "The budget is done."))
        .with(mail("mail_3", "Minutes", "12", "As promised."))
        .with(make::task("task_milk", "Buy milk", Some("2026-01-15")))
        .with(make::task("task_bread", "Buy bread", None))
        .with(make::task(
            "task_call",
            "Call Kim",
            Some("2026-01-16T09:00:00+01:00[Europe/Berlin]"),
        ))
        .with(make::note("note_a", "Garden", "Roses"))
        .with(make::note("note_b", "Porto", "Sun cream"))
        .with(make::memory("mem_wifi", "wifi password", "tulip7"))
        .with(make::memory("mem_seat", "seat on trains", "window"))
        .with(make::contact("who_ana", "Ana Lopez", &["ana@work.example"]))
        .with(make::contact("who_kim", "Kim Ode", &[]))
}

#[tokio::test]
async fn exceptions_are_left_out_before_anything_is_picked() {
    check(
        world,
        &[
            (
                "email.delete",
                json!({"target": {"from": ["Nadia"], "pick": "all", "except": [{"text": "budget"}]}}),
                "Moved 2 mails to the trash.\n\n- Nadia Ali: Minutes · Mon 12 Jan, 09:00\n- Nadia Ali: Lunch · Sat 10 Jan, 09:00",
            ),
            (
                "email.search",
                json!({"except": {"order": "-date", "pick": "first"}, "pick": "first"}),
                "Nadia Ali: Numbers · Sun 11 Jan, 09:00.",
            ),
            (
                "email.search",
                json!({"ids": ["mail_1", "mail_2"], "text": "budget"}),
                "Nadia Ali: Numbers · Sun 11 Jan, 09:00.",
            ),
            (
                "email.search",
                json!({"subject": "lunch", "except": [{"from": "Nadia"}]}),
                "No mails with the subject “lunch” except mails from Nadia.",
            ),
            (
                "email.search",
                json!({"since": "2026-01-11", "except": [{"since": "2026-01-12"}]}),
                "Nadia Ali: Numbers · Sun 11 Jan, 09:00.",
            ),
            (
                "task.complete",
                json!({"target": {"pick": "all", "except": [{"text": "milk"}, {"due_from": "2026-01-16"}]}}),
                "Done: “Buy bread”.",
            ),
            (
                "task.list",
                json!({"limit": 1, "except": [{"order": "due", "limit": 1}]}),
                "Call Kim · due Fri 16 Jan, 09:00.",
            ),
            (
                "note.delete",
                json!({"target": {"pick": "all", "except": [{"title": "porto"}]}}),
                "Deleted the note “Garden”.",
            ),
            (
                "memory.forget",
                json!({"target": {"pick": "all", "except": [{"text": "wifi"}]}}),
                "Forgotten: “seat on trains”.",
            ),
            ("contact.find", json!({"except": [{"name": "ana"}]}), "Kim Ode."),
            (
                "calendar.delete",
                json!({"target": {"from": "2026-01-15", "to": "2026-01-16", "pick": "all", "except": [{"text": "gym"}, {"all_day": true}, {"order": "start", "pick": {"nth": 2}}]}}),
                "Deleted “Demo”, Thu 15 Jan, 15:00–16:00.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn an_exception_inside_a_series_is_never_touched() {
    let titles = |world: &World| -> Vec<String> {
        world
            .records
            .all()
            .into_iter()
            .filter_map(|row| match row {
                Record::Event(event) => Some(event.summary),
                _ => None,
            })
            .collect()
    };
    let friday = json!([{"from": "2026-01-16", "to": "2026-01-17"}]);
    let target = json!({"from": "2026-01-14", "to": "2026-01-20", "text": "standup", "pick": "all", "except": friday});
    let world = world();
    say(&world, "calendar.delete", json!({"target": target})).await;
    let left = say(
        &world,
        "calendar.list",
        json!({"from": "2026-01-14", "to": "2026-01-20", "text": "standup"}),
    )
    .await;
    assert_eq!(left, "Standup, Fri 16 Jan, 09:00–09:15.");
    // Where the whole series would go, it stays because of the one instance.
    let whole = json!({"target": {"from": "2026-01-14", "pick": "all", "text": "standup", "except": friday}, "scope": "series"});
    assert!(run(&world, "calendar.delete", whole).await.is_err());
    assert!(titles(&world).contains(&"Standup".to_owned()));
}

#[tokio::test]
async fn an_exception_that_leaves_a_series_alone_leaves_its_scope_alone() {
    let from = berlin("14", "10:00");
    let args =
        json!({"target": {"from": from, "pick": "all", "except": [{"from": from, "text": "gym"}]}});
    let world = world();
    let ran = run(&world, "calendar.delete", args).await.expect("deleted");
    let items = ran.observed.card.items.len();
    assert_eq!(items, 4, "Standup once, Planning, Demo, Fair");
}

#[tokio::test]
async fn a_number_that_was_said_must_be_the_number_found() {
    check(
        world,
        &[
            (
                "task.complete",
                json!({"target": {"text": "buy", "pick": {"exactly": 2}}}),
                "2 tasks done.\n\n- Buy milk\n- Buy bread",
            ),
            (
                "task.complete",
                json!({"target": {"pick": {"exactly": 2}}}),
                "! 3 tasks fit, not 2.",
            ),
            (
                "task.complete",
                json!({"target": {"text": "sell", "pick": {"exactly": 2}}}),
                "! There are no open tasks about “sell”.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn words_of_no_subject_may_name_the_sender() {
    check(
        world,
        &[(
            "email.archive",
            json!({"target": {"subject": "Nadia Ali", "pick": "all", "until": "2026-01-12"}}),
            "Archived 2 mails.\n\n- Nadia Ali: Numbers · Sun 11 Jan, 09:00\n- Nadia Ali: Lunch · Sat 10 Jan, 09:00",
        )],
    )
    .await;
}

#[tokio::test]
async fn overlapping_events_are_those_in_each_others_way() {
    let day = |more: Value| {
        let mut args = json!({"from": "2026-01-15", "to": "2026-01-16"});
        for (key, value) in more.as_object().expect("an object") {
            args[key] = value.clone();
        }
        args
    };
    check(
        world,
        &[
            (
                "calendar.list",
                day(json!({"overlapping": true})),
                "2 events.\n\n**Tomorrow, Thu 15 Jan**\n\n- 14:00–15:30 Planning\n- 15:00–16:00 Demo",
            ),
            (
                "calendar.list",
                day(json!({"overlapping": true, "text": "demo"})),
                "Demo, Thu 15 Jan, 15:00–16:00.",
            ),
            (
                "calendar.list",
                day(json!({"overlapping": false})),
                "Gym, Thu 15 Jan, 16:00–17:00.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-16", "to": "2026-01-17", "overlapping": true, "ask": "any"}),
                "No, there are no overlapping events on Fri 16 Jan.",
            ),
        ],
    )
    .await;
}

#[test]
fn exceptions_are_strict_and_their_schema_is_finite() {
    for tool in [
        "task.list",
        "calendar.list",
        "email.search",
        "note.list",
        "memory.search",
        "contact.find",
        "file.list",
    ] {
        let plan =
            |except: Value| registry().plan(tool, json!({ "except": except }), Sources::new());
        assert!(plan(json!([{"limit": 1}])).is_ok(), "{tool}");
        assert!(plan(json!({"limit": 1})).is_ok(), "{tool}");
        for wrong in [
            json!([{}]),
            json!([["x"]]),
            json!("x"),
            json!([{"surprise": 1}]),
            json!([{"limit": 1, "except": [{"limit": 2}]}]),
            Value::Array(vec![json!({"limit": 1}); 21]),
        ] {
            assert!(plan(wrong.clone()).is_err(), "{tool} takes {wrong}");
        }
        let catalog = registry().catalog();
        let spec = catalog.get(tool).expect("the tool");
        let items = &spec.schema["properties"]["except"]["items"];
        assert!(items["$ref"].is_string(), "{tool}: {items}");
    }
}

#[tokio::test]
async fn a_limit_of_none_shows_nothing_and_counts_what_fits() {
    for (tool, fits) in [("task.list", 3), ("note.list", 2), ("contact.find", 2)] {
        let ran = run(&world(), tool, json!({"limit": 0})).await;
        let output = ran.expect("an answer").answer.output;
        assert_eq!(output["count"], json!(0), "{tool}");
        assert_eq!(output["total"], json!(fits), "{tool}");
    }
}
