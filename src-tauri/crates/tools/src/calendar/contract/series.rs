//! What is promised about series: one instance, the rest, or all of it.

use adjutant_domain::record::Occurrence;

use super::*;
use crate::calendar::EventRow;

async fn standups(world: &World) -> Vec<Occurrence> {
    let at = |text: &str| Some(text.parse().expect("an instant"));
    let days = Window {
        from: at("2026-01-12T00:00:00+01:00"),
        to: at("2026-01-24T00:00:00+01:00"),
    };
    let standups = Filter::all()
        .within(Time::Happens, days)
        .words(Some("Standup"));
    world.records.occurrences(&standups).await.expect("rows")
}

/// Returns how many minutes each of them lasts.
async fn minutes(world: &World) -> Vec<i64> {
    let rows = standups(world).await.into_iter();
    rows.map(|row| EventRow(row).minutes(&world.cx)).collect()
}

async fn week(world: &World) -> Vec<String> {
    let rows = standups(world).await;
    rows.iter()
        .map(|row| match &row.start {
            Moment::At(at) => at.strftime("%d %H:%M").to_string(),
            Moment::Day(day) => day.to_string(),
        })
        .collect()
}

#[tokio::test]
async fn one_instance_or_the_rest_or_all() {
    let instance = berlin("16", "09:00");
    for (tool, args, left) in [
        (
            "calendar.delete",
            json!({"target": {"text": "standup", "from": "2026-01-16", "to": "2026-01-17"}}),
            vec!["12 09:00", "14 09:00", "19 09:00", "21 09:00", "23 09:00"],
        ),
        (
            "calendar.delete",
            json!({"id": "ev_stand", "instance": instance, "scope": "following"}),
            vec!["12 09:00", "14 09:00"],
        ),
        (
            "calendar.delete",
            json!({"target": {"text": "standup", "from": berlin("14", "10:00"), "starts_from": true, "pick": "all"}}),
            vec!["12 09:00", "14 09:00"],
        ),
        (
            "calendar.delete",
            json!({"target": {"text": "standup", "from": "2026-01-15", "to": "2026-01-22", "pick": "one"}}),
            vec!["12 09:00", "14 09:00", "23 09:00"],
        ),
        (
            "calendar.delete",
            json!({"id": "ev_stand", "scope": "series"}),
            vec![],
        ),
        (
            "calendar.update",
            json!({"id": format!("ev_stand@{instance}"), "changes": {"shift_minutes": 60}}),
            vec![
                "12 09:00", "14 09:00", "16 10:00", "19 09:00", "21 09:00", "23 09:00",
            ],
        ),
        (
            "calendar.update",
            json!({"target": {"text": "standup"}, "scope": "series", "changes": {"shift_minutes": 30}}),
            vec![
                "12 09:30", "14 09:30", "16 09:30", "19 09:30", "21 09:30", "23 09:30",
            ],
        ),
        (
            "calendar.update",
            json!({"id": format!("ev_stand@{instance}"), "scope": "following", "changes": {"shift_minutes": 30}}),
            vec![
                "12 09:00", "14 09:00", "16 09:30", "19 09:30", "21 09:30", "23 09:30",
            ],
        ),
    ] {
        let world = world();
        say(&world, tool, args.clone()).await;
        assert_eq!(week(&world).await, left, "{tool} {args}");
    }
}

#[tokio::test]
async fn a_moved_instance_can_be_moved_and_deleted_again() {
    let world = world();
    let id = format!("ev_stand@{}", berlin("16", "09:00"));
    for minutes in [60, 30] {
        say(
            &world,
            "calendar.update",
            json!({"id": id, "changes": {"shift_minutes": minutes}}),
        )
        .await;
    }
    assert!(week(&world).await.contains(&"16 10:30".to_owned()));
    say(&world, "calendar.delete", json!({"id": id})).await;
    assert_eq!(
        week(&world).await,
        ["12 09:00", "14 09:00", "19 09:00", "21 09:00", "23 09:00"]
    );
}

#[tokio::test]
async fn unclear_scope_is_asked_for() {
    let world = world();
    let asked = question(
        &world,
        "calendar.delete",
        json!({"target": {"text": "standup"}}),
    )
    .await;
    assert_eq!(asked.slot, "/scope");
    let labels: Vec<_> = asked.choices.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "Only Wed 14 Jan, 09:00–09:15",
            "This and all later ones",
            "The whole series"
        ]
    );
    let args = json!({"target": {"text": "standup"}, "scope": asked.choices[0].value});
    let ran = run(&world, "calendar.delete", args)
        .await
        .expect("it goes on");
    assert!(ran.asked);
    assert_eq!(week(&world).await.len(), 5);
}

#[tokio::test]
async fn a_series_on_fixed_days_is_not_broken() {
    check(
        world,
        &[(
            "calendar.update",
            json!({"id": "ev_stand", "scope": "series", "changes": {"shift_days": 1}}),
            "! “Standup” repeats every week on Mon, Wed and Fri; moved to Tue 13 Jan, 09:00, it no longer would.",
        )],
    )
    .await;
}

/// A world in which the standup is called “Late standup” and begins at 11:00 from the 16th on.
fn changed_from_the_sixteenth() -> World {
    let world = world();
    let mut later = make::event(
        "ev_late",
        "Late standup",
        &berlin("16", "11:00"),
        &berlin("16", "11:30"),
        &["Kofi Mensah <kofi@work.example>"],
    );
    later.uid = "ev_stand@test".into();
    later.recurrence_id = Some(berlin("16", "09:00").parse().expect("a moment"));
    later.following = true;
    world.with(later)
}

#[tokio::test]
async fn instances_that_share_a_change_are_changed_one_by_one() {
    let (first, later) = (berlin("16", "09:00"), berlin("21", "09:00"));
    let unchanged = vec![
        "12 09:00", "14 09:00", "16 11:00", "19 11:00", "21 11:00", "23 11:00",
    ];
    assert_eq!(week(&changed_from_the_sixteenth()).await, unchanged);
    for (tool, args, left) in [
        (
            "calendar.update",
            json!({"id": format!("ev_late@{later}"), "changes": {"shift_minutes": 60}}),
            vec![
                "12 09:00", "14 09:00", "16 11:00", "19 11:00", "21 12:00", "23 11:00",
            ],
        ),
        (
            "calendar.update",
            json!({"id": format!("ev_late@{first}"), "changes": {"shift_minutes": 60}}),
            vec![
                "12 09:00", "14 09:00", "16 12:00", "19 11:00", "21 11:00", "23 11:00",
            ],
        ),
        (
            "calendar.delete",
            json!({"id": format!("ev_late@{first}")}),
            vec!["12 09:00", "14 09:00", "19 11:00", "21 11:00", "23 11:00"],
        ),
        (
            "calendar.delete",
            json!({"id": format!("ev_stand@{later}")}),
            vec!["12 09:00", "14 09:00", "16 11:00", "19 11:00", "23 11:00"],
        ),
        (
            "calendar.delete",
            json!({"target": {"text": "standup", "from": "2026-01-16", "to": "2026-01-20", "pick": "all"}, "scope": "this"}),
            vec!["12 09:00", "14 09:00", "21 11:00", "23 11:00"],
        ),
        (
            "calendar.update",
            json!({"target": {"text": "standup", "from": "2026-01-16", "to": "2026-01-20", "pick": "all"}, "scope": "this", "changes": {"shift_minutes": 30}}),
            vec![
                "12 09:00", "14 09:00", "16 11:30", "19 11:30", "21 11:00", "23 11:00",
            ],
        ),
        (
            "calendar.update",
            json!({"id": format!("ev_late@{later}"), "scope": "following", "changes": {"shift_minutes": 30}}),
            vec![
                "12 09:00", "14 09:00", "16 11:00", "19 11:00", "21 11:30", "23 11:30",
            ],
        ),
        (
            "calendar.delete",
            json!({"id": format!("ev_late@{later}"), "scope": "following"}),
            vec!["12 09:00", "14 09:00", "16 11:00", "19 11:00"],
        ),
        (
            "calendar.update",
            json!({"id": format!("ev_late@{later}"), "scope": "series", "changes": {"shift_minutes": 30}}),
            vec![
                "12 09:30", "14 09:30", "16 11:30", "19 11:30", "21 11:30", "23 11:30",
            ],
        ),
    ] {
        let world = changed_from_the_sixteenth();
        say(&world, tool, args.clone()).await;
        assert_eq!(week(&world).await, left, "{tool} {args}");
    }
}

/// A world in which the standup of the 16th alone was moved to 11:00 and made longer, and that of the 19th has a room.
fn changed_by_themselves() -> World {
    let alone = |id: &str, day: &str, from: &str, to: &str| {
        let mut row = make::event(id, "Standup", &berlin(day, from), &berlin(day, to), &[]);
        row.uid = "ev_stand@test".into();
        row.recurrence_id = Some(berlin(day, "09:00").parse().expect("a moment"));
        row
    };
    let mut room = alone("ev_room", "19", "09:00", "09:15");
    room.location = "Room 4".into();
    world()
        .with(alone("ev_moved", "16", "11:00", "11:30"))
        .with(room)
}

#[tokio::test]
async fn a_series_moves_from_its_own_time_whatever_one_instance_has() {
    let moved = format!("ev_moved@{}", berlin("16", "09:00"));
    for (args, left) in [
        (
            json!({"id": moved, "scope": "series", "changes": {"time": "08:45"}}),
            [
                "12 08:45", "14 08:45", "16 11:00", "19 08:45", "21 08:45", "23 08:45",
            ],
        ),
        (
            json!({"target": {"text": "standup"}, "scope": "series", "changes": {"time": "08:45"}}),
            [
                "12 08:45", "14 08:45", "16 11:00", "19 08:45", "21 08:45", "23 08:45",
            ],
        ),
        (
            json!({"id": moved, "scope": "series", "changes": {"shift_minutes": 60}}),
            [
                "12 10:00", "14 10:00", "16 11:00", "19 10:00", "21 10:00", "23 10:00",
            ],
        ),
        (
            json!({"id": moved, "scope": "following", "changes": {"time": "08:45"}}),
            [
                "12 09:00", "14 09:00", "16 08:45", "19 08:45", "21 08:45", "23 08:45",
            ],
        ),
        (
            json!({"id": moved, "scope": "following", "changes": {"shift_minutes": 60}}),
            [
                "12 09:00", "14 09:00", "16 10:00", "19 10:00", "21 10:00", "23 10:00",
            ],
        ),
        (
            json!({"id": format!("ev_stand@{}", berlin("14", "09:00")), "scope": "following", "changes": {"shift_minutes": 60}}),
            [
                "12 09:00", "14 10:00", "16 11:00", "19 10:00", "21 10:00", "23 10:00",
            ],
        ),
    ] {
        let world = changed_by_themselves();
        say(&world, "calendar.update", args.clone()).await;
        assert_eq!(week(&world).await, left, "{args}");
    }
}

#[tokio::test]
async fn a_series_becomes_longer_than_it_is_whatever_one_instance_lasts() {
    for (scope, changes, lasts) in [
        (
            "series",
            json!({"extend_minutes": 15}),
            [30, 30, 30, 30, 30, 30],
        ),
        (
            "series",
            json!({"duration_minutes": 45}),
            [45, 45, 30, 45, 45, 45],
        ),
        (
            "following",
            json!({"extend_minutes": 15}),
            [15, 15, 30, 30, 30, 30],
        ),
    ] {
        let world = changed_by_themselves();
        let moved = format!("ev_moved@{}", berlin("16", "09:00"));
        let args = json!({"id": moved, "scope": scope, "changes": changes});
        say(&world, "calendar.update", args.clone()).await;
        assert_eq!(minutes(&world).await, lasts, "{args}");
    }
}

#[tokio::test]
async fn what_stays_behind_when_a_series_moves_is_said() {
    let moved = format!("ev_moved@{}", berlin("16", "09:00"));
    check(
        changed_by_themselves,
        &[
            (
                "calendar.update",
                json!({"id": moved, "scope": "series", "changes": {"time": "08:45"}}),
                "“Standup” is now Fri 16 Jan, 08:45–09:00 and so on (was Fri 16 Jan, 09:00–09:15 and so on). Fri 16 Jan, 11:00–11:30 was moved by itself and stays. Nobody is told: this calendar is only on this computer.",
            ),
            (
                "calendar.update",
                json!({"id": moved, "scope": "following", "changes": {"shift_minutes": 10}}),
                "“Standup” is now Fri 16 Jan, 09:10–09:25 and so on (was Fri 16 Jan, 09:00–09:15 and so on). Nobody is told: this calendar is only on this computer.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_time_of_day_is_the_same_for_all_of_a_series() {
    let world = changed_from_the_sixteenth();
    let id = format!("ev_late@{}", berlin("21", "09:00"));
    let args = json!({"id": id, "scope": "series", "changes": {"time": "08:45"}});
    say(&world, "calendar.update", args).await;
    assert_eq!(
        week(&world).await,
        [
            "12 08:45", "14 08:45", "16 08:45", "19 08:45", "21 08:45", "23 08:45"
        ]
    );
}

#[tokio::test]
async fn the_rest_of_a_series_can_repeat_otherwise() {
    for (changes, left) in [
        (
            json!({"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"}),
            vec!["12 09:00", "14 09:00", "16 09:00"],
        ),
        (
            json!({"rrule": "FREQ=WEEKLY;BYDAY=TH"}),
            vec!["12 09:00", "14 09:00", "22 09:00"],
        ),
        (
            json!({"rrule": "FREQ=WEEKLY;BYDAY=FR", "time": "10:00"}),
            vec!["12 09:00", "14 09:00", "16 10:00", "23 10:00"],
        ),
        (
            json!({"clear_rrule": true}),
            vec!["12 09:00", "14 09:00", "16 09:00"],
        ),
    ] {
        let world = changed_by_themselves();
        let id = format!("ev_stand@{}", berlin("16", "09:00"));
        let args = json!({"id": id, "scope": "following", "changes": changes});
        say(&world, "calendar.update", args.clone()).await;
        assert_eq!(week(&world).await, left, "{args}");
    }
}
