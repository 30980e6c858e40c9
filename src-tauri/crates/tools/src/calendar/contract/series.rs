//! What is promised about series: one instance, the rest, or all of it.

use super::*;

async fn week(world: &World) -> Vec<String> {
    let at = |text: &str| Some(text.parse().expect("an instant"));
    let days = Window {
        from: at("2026-01-12T00:00:00+01:00"),
        to: at("2026-01-24T00:00:00+01:00"),
    };
    let standups = Filter::all()
        .within(Time::Happens, days)
        .words(Some("Standup"));
    let rows = world.records.occurrences(&standups).await.expect("rows");
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
