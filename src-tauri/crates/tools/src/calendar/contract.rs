//! What the tools for the calendar promise.

mod accounts;
pub(crate) mod invitations;
mod people;
mod series;

use adjutant_domain::filter::{Filter, Time, Window};
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Event, Record};
use adjutant_testkit::{World, make};
use serde_json::{Value, json};

use crate::testing::{check, observe, question, run, say};

fn berlin(day: &str, time: &str) -> String {
    format!("2026-01-{day}T{time}:00+01:00[Europe/Berlin]")
}

/// Wednesday, 14 January 2026, 10:00 in Berlin.
fn world() -> World {
    let event = |id: &str, title: &str, day: &str, from: &str, to: &str, who: &[&str]| {
        make::event(id, title, &berlin(day, from), &berlin(day, to), who)
    };
    let mut standup = event(
        "ev_stand",
        "Standup",
        "12",
        "09:00",
        "09:15",
        &["Kofi Mensah <kofi@work.example>"],
    );
    standup.rrule = Some("FREQ=WEEKLY;BYDAY=MO,WE,FR".into());
    let mut room = event(
        "ev_plan",
        "Planning",
        "15",
        "14:00",
        "15:30",
        &[
            "Ana Lopez <ana@work.example>",
            "Kofi Mensah <kofi@work.example>",
        ],
    );
    room.location = "Room 4".into();
    let mut sister = make::contact("who_mara", "Mara Stein", &["mara@home.example"]);
    sister.relation = "my sister".into();
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(standup)
        .with(room)
        .with(event(
            "ev_past",
            "Budget review",
            "13",
            "11:00",
            "12:00",
            &["ana@work.example"],
        ))
        .with(event("ev_bud", "Budget", "16", "10:00", "11:00", &[]))
        .with(event(
            "ev_bud2",
            "Budget follow-up",
            "19",
            "10:00",
            "12:00",
            &[],
        ))
        .with(make::event(
            "ev_trip",
            "Lisbon",
            "2026-01-24",
            "2026-01-27",
            &["mara@home.example"],
        ))
        .with(make::contact("who_ana", "Ana Lopez", &["ana@work.example"]))
        .with(make::contact(
            "who_kofi",
            "Kofi Mensah",
            &["kofi@work.example"],
        ))
        .with(sister)
}

#[tokio::test]
async fn questions_are_answered() {
    let day = json!({"from": "2026-01-15", "to": "2026-01-16"});
    let with = |mut base: Value, more: Value| {
        for (key, value) in more.as_object().expect("an object") {
            base[key] = value.clone();
        }
        base
    };
    check(
        world,
        &[
            (
                "calendar.list",
                day.clone(),
                "Planning, Thu 15 Jan, 14:00–15:30 · with Ana Lopez and Kofi Mensah · Room 4.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-14", "to": "2026-01-17"}),
                "4 events.\n\n**Today, Wed 14 Jan**\n\n- 09:00–09:15 Standup · with Kofi Mensah\n\n**Tomorrow, Thu 15 Jan**\n\n- 14:00–15:30 Planning · with Ana Lopez and Kofi Mensah · Room 4\n\n**Fri 16 Jan**\n\n- 09:00–09:15 Standup · with Kofi Mensah\n- 10:00–11:00 Budget",
            ),
            (
                "calendar.list",
                with(day.clone(), json!({"ask": "who"})),
                "“Planning”, Thu 15 Jan, 14:00–15:30: Ana Lopez (ana@work.example) and Kofi Mensah (kofi@work.example).",
            ),
            (
                "calendar.list",
                with(day.clone(), json!({"ask": "where"})),
                "“Planning”, Thu 15 Jan, 14:00–15:30: Room 4.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-14", "to": "2026-01-20", "ask": "longest"}),
                "Longest: Budget follow-up, Mon 19 Jan, 10:00–12:00, 2 h.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-15", "to": "2026-01-17", "text": "budget", "ask": "total"}),
                "1 h in 1 event.\n\n**Fri 16 Jan**\n\n- 10:00–11:00 Budget",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-14T10:00:00+01:00[Europe/Berlin]", "starts_from": true, "person": "kofi", "pick": "first", "ask": "when"}),
                "Planning, Thu 15 Jan, 14:00–15:30 · with Ana Lopez and Kofi Mensah · Room 4.",
            ),
            (
                "calendar.list",
                json!({"to": "2026-01-14T10:00:00+01:00[Europe/Berlin]", "person": ["ana"], "order": "-start", "pick": "first"}),
                "Budget review, Tue 13 Jan, 11:00–12:00 · with ana@work.example.",
            ),
            (
                "calendar.list",
                json!({"person": "my sister"}),
                "Lisbon, Sat 24 Jan to Mon 26 Jan · with mara@home.example.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-17", "to": "2026-01-18", "ask": "any"}),
                "No, there are no events on Sat 17 Jan.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-12", "to": "2026-01-19", "part_of_day": "afternoon", "ask": "count"}),
                "1 event.\n\n**Tomorrow, Thu 15 Jan**\n\n- 14:00–15:30 Planning · with Ana Lopez and Kofi Mensah · Room 4",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-12", "to": "2026-01-19", "person": ["ana", "kofi"], "everyone": true}),
                "Planning, Thu 15 Jan, 14:00–15:30 · with Ana Lopez and Kofi Mensah · Room 4.",
            ),
            (
                "calendar.list",
                json!({"from": "2026-01-19", "to": "2026-01-12"}),
                "! The range ends (Mon 12 Jan, 00:00) before it starts (Mon 19 Jan, 00:00).",
            ),
            (
                "calendar.read",
                json!({"target": {"text": "planning"}}),
                "**Planning**, Thu 15 Jan, 14:00–15:30\n\n- Where: Room 4\n- Guests: Ana Lopez (ana@work.example), accepted; Kofi Mensah (kofi@work.example), accepted\n- Calendar: Home",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn free_time_is_what_is_left_of_working_hours() {
    check(
        world,
        &[
            (
                "calendar.free",
                json!({"from": "2026-01-15", "to": "2026-01-16"}),
                "2 free slots.\n\n- Thu 15 Jan, 09:00–14:00, 5 h\n- Thu 15 Jan, 15:30–18:00, 2 h 30 min",
            ),
            (
                "calendar.free",
                json!({"from": "2026-01-14", "to": "2026-01-26", "ask": "weekends"}),
                "Free weekend from Wed 14 Jan to Sun 25 Jan: Sat 17 Jan and Sun 18 Jan.",
            ),
            (
                "calendar.free",
                json!({"from": "2026-01-15", "to": "2026-01-16", "duration_minutes": 180, "pick": "first"}),
                "Free of at least 3 h: Thu 15 Jan, 09:00–14:00, 5 h.",
            ),
            (
                "calendar.free",
                json!({"from": berlin("15", "14:30"), "to": berlin("15", "15:00"), "ask": "free"}),
                "No: Planning, Thu 15 Jan, 14:00–15:30 · with Ana Lopez and Kofi Mensah · Room 4.",
            ),
            (
                "calendar.free",
                json!({"from": berlin("15", "20:00"), "to": berlin("15", "21:00"), "ask": "free"}),
                "Yes, you are free on Thu 15 Jan between 20:00 and 21:00.",
            ),
            (
                "calendar.free",
                json!({"from": "2026-01-17", "to": "2026-01-18"}),
                "Free: Sat 17 Jan, 09:00–18:00, 9 h.",
            ),
            (
                "calendar.free",
                json!({"from": "2026-01-15", "to": "2026-01-16", "part_of_day": "afternoon", "duration_minutes": 120}),
                "Free of at least 2 h: Thu 15 Jan, 12:00–14:00, 2 h.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn events_are_made_and_nobody_is_told() {
    check(
        world,
        &[
            (
                "calendar.create",
                json!({"summary": "Lunch", "start": berlin("16", "10:30"), "people": ["Ana"], "location": "Canteen"}),
                "Added “Lunch”, Fri 16 Jan, 10:30–11:00, with Ana Lopez, Canteen. It overlaps “Budget” (Fri 16 Jan, 10:00–11:00). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.create",
                json!({"summary": "Holiday", "start": "2026-02-02", "end": "2026-02-04"}),
                "Added “Holiday”, Mon 2 Feb to Wed 4 Feb.",
            ),
            (
                "calendar.create",
                json!({"summary": "Call", "start": "2026-01-16T09:00:00-05:00[America/New_York]", "duration_minutes": 45}),
                "Added “Call”, Fri 16 Jan, 15:00–15:45 (09:00 in New York).",
            ),
            (
                "calendar.create",
                json!({"summary": "Call with Zed", "start": berlin("16", "08:00"), "people": ["Zed"]}),
                "Added “Call with Zed”, Fri 16 Jan, 08:00–08:30. Zed is not in your address book, so only the title names them.",
            ),
            (
                "calendar.create",
                json!({"summary": "Lunch", "start": berlin("17", "12:00"), "people": ["Ana", "my boss", "tom"]}),
                "Added “Lunch”, Sat 17 Jan, 12:00–12:30, with Ana Lopez. Nobody is told: this calendar is only on this computer. Your boss and Tom are not in your address book, so they are not on the guest list.",
            ),
            (
                "calendar.update",
                json!({"id": "ev_bud", "changes": {"add_people": ["Zed"]}}),
                "? What is the address of Zed?",
            ),
            (
                "calendar.create",
                json!({"summary": "Call", "start": berlin("16", "09:00"), "end": berlin("15", "09:00")}),
                "! The event would end (Thu 15 Jan, 09:00) before it starts (Fri 16 Jan, 09:00).",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn events_are_changed_as_shown() {
    check(
        world,
        &[
            (
                "calendar.update",
                json!({"target": {"text": "planning"}, "changes": {"shift_minutes": 90}}),
                "“Planning” is now Thu 15 Jan, 15:30–17:00 (was Thu 15 Jan, 14:00–15:30). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"target": {"text": "planning"}, "changes": {"shift_months": 2}}),
                "“Planning” is now Sun 15 Mar, 14:00–15:30 (was Thu 15 Jan, 14:00–15:30). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"target": {"from": "2026-01-16", "to": "2026-01-17", "pick": "last"}, "changes": {"summary": "Money"}}),
                "“Budget” is now “Money”.",
            ),
            (
                "calendar.update",
                json!({"id": "ev_plan", "changes": {"start": "2026-01-17", "duration_minutes": 60}}),
                "“Planning” is now Sat 17 Jan, 14:00–15:00 (was Thu 15 Jan, 14:00–15:30). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"id": "ev_plan", "changes": {"remove_people": ["Kofi"], "add_people": ["my sister"]}}),
                "“Planning” now has the guests Ana Lopez (ana@work.example) and Mara Stein (mara@home.example). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"target": {"text": "budget"}, "changes": {"extend_minutes": 30}}),
                "“Budget” is now Fri 16 Jan, 10:00–11:30 (was Fri 16 Jan, 10:00–11:00).",
            ),
            (
                "calendar.update",
                json!({"target": {"text": "budget"}, "changes": {"time": "16:00"}}),
                "“Budget” is now Fri 16 Jan, 16:00–17:00 (was Fri 16 Jan, 10:00–11:00).",
            ),
            (
                "calendar.update",
                json!({"id": "ev_bud", "changes": {"time": "15:00", "end": berlin("14", "17:30")}}),
                "“Budget” is now Fri 16 Jan, 15:00–17:30 (was Fri 16 Jan, 10:00–11:00).",
            ),
            (
                "calendar.update",
                json!({"id": "ev_bud", "changes": {"time": "23:00", "end": berlin("14", "01:00")}}),
                "“Budget” is now Fri 16 Jan, 23:00 to Sat 17 Jan, 01:00 (was Fri 16 Jan, 10:00–11:00).",
            ),
            (
                "calendar.update",
                json!({"id": "ev_trip", "changes": {"time": "09:00"}}),
                "“Lisbon” is now Sat 24 Jan, 09:00–09:30 (was Sat 24 Jan to Mon 26 Jan). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"target": {"text": "standup", "from": "2026-01-16", "to": "2026-01-17"}, "changes": {"time": "11:00"}}),
                "“Standup” is now Fri 16 Jan, 11:00–11:15 (was Fri 16 Jan, 09:00–09:15). Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"id": "ev_bud", "changes": {"end": berlin("16", "09:00")}}),
                "! “Budget” would end (Fri 16 Jan, 09:00) before it starts (Fri 16 Jan, 10:00).",
            ),
            (
                "calendar.update",
                json!({"id": "ev_bud", "changes": {"summary": "Budget"}}),
                "! It already is that way; there is nothing to change.",
            ),
            (
                "calendar.respond",
                json!({"id": "ev_plan", "response": "declined"}),
                "Declined: Planning, Thu 15 Jan, 14:00–15:30 · with Ana Lopez and Kofi Mensah · Room 4. The organizer is not told: this calendar is only on this computer.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn several_events_are_asked_about_or_all_listed() {
    let world = world();
    let asked = question(
        &world,
        "calendar.delete",
        json!({"target": {"person": "ana", "from": "2026-01-12", "to": "2026-01-17"}}),
    )
    .await;
    assert_eq!((asked.slot.as_str(), asked.choices.len()), ("/id", 2));
    let args = json!({"target": {"person": "ana", "from": "2026-01-12", "to": "2026-01-17", "pick": "all"}});
    let observed = observe(&world, "calendar.delete", args)
        .await
        .expect("a look");
    let card = serde_json::to_string(&observed.card).expect("a card");
    for shown in [
        "Budget review",
        "Planning",
        "ana@work.example",
        "kofi@work.example",
        "Delete 2 events",
    ] {
        assert!(card.contains(shown), "{shown} is missing in {card}");
    }
}

#[tokio::test]
async fn an_event_keeps_its_own_zone_when_moved() {
    let world = world().with(make::event(
        "ev_ny",
        "New York call",
        "2026-01-15T09:00:00-05:00[America/New_York]",
        "2026-01-15T10:00:00-05:00[America/New_York]",
        &[],
    ));
    let args = json!({"id": "ev_ny", "changes": {"start": berlin("16", "17:00")}});
    let ran = run(&world, "calendar.update", args).await.expect("moved");
    let fact = ran
        .observed
        .card
        .facts
        .iter()
        .find(|fact| fact.label == "When")
        .expect("when");
    assert_eq!(
        fact.before.as_deref(),
        Some("Thu 15 Jan, 15:00–16:00 (09:00 in New York)")
    );
    assert_eq!(fact.value, "Fri 16 Jan, 17:00–18:00 (11:00 in New York)");
    let moved: Vec<Event> = world
        .records
        .all()
        .into_iter()
        .filter_map(|row| match row {
            Record::Event(event) if event.id.0 == "ev_ny" => Some(event),
            _ => None,
        })
        .collect();
    assert_eq!(
        moved[0].start.to_string(),
        "2026-01-16T11:00:00-05:00[America/New_York]"
    );
    assert_eq!((moved[0].sequence, moved[0].version), (1, 2));
}

#[tokio::test]
async fn a_clock_time_is_meant_where_the_person_is_and_the_event_keeps_its_zone() {
    let world = world().with(make::event(
        "ev_ny",
        "Call",
        "2026-01-15T20:00:00-05:00[America/New_York]",
        "2026-01-15T21:00:00-05:00[America/New_York]",
        &[],
    ));
    // 20:00 in New York is Friday, 2:00, for the person.
    let ran = run(
        &world,
        "calendar.update",
        json!({"id": "ev_ny", "changes": {"time": "15:00"}}),
    )
    .await
    .expect("moved");
    assert!(ran.asked);
    assert_eq!(
        ran.answer.output["items"][0]["start"],
        "2026-01-16T09:00:00-05:00[America/New_York]"
    );
    assert_eq!(ran.answer.output["items"][0]["minutes"], 60);
}

#[tokio::test]
async fn an_event_that_was_changed_as_often_as_can_be_counted_can_be_changed() {
    let mut event = make::event(
        "ev_far",
        "Far",
        &berlin("20", "10:00"),
        &berlin("20", "11:00"),
        &[],
    );
    event.sequence = i64::MAX;
    let world = world().with(event);
    let args = json!({"id": "ev_far", "changes": {"location": "Room 1"}});
    let ran = run(&world, "calendar.update", args).await.expect("changed");
    assert_eq!(ran.answer.output["count"], 1);
}
