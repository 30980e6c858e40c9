//! Tests of what a person does on the window's surfaces, with a real profile.

use adjutant_api::reply::Applied;
use adjutant_api::rows::{EventRow, Rows};
use adjutant_api::{Reply, Topic};
use adjutant_domain::gate::Channel;
use adjutant_domain::ids::EffectId;
use adjutant_engine::Op;
use serde_json::{Value, json};

use super::tests::profile;
use super::{Service, repeats, show, turns};

async fn apply(service: &Service, tool: &str, args: Value) -> Applied {
    let op = Op::Apply {
        tool: tool.into(),
        args,
    };
    match turns::apply(service, op).await.expect("answered") {
        Reply::Applied { outcome } => outcome,
        other => panic!("{other:?}"),
    }
}

async fn done(service: &Service, tool: &str, args: Value) -> EffectId {
    match apply(service, tool, args).await {
        Applied::Done {
            effect: Some(effect),
            ..
        } => EffectId(effect),
        other => panic!("{tool}: {other:?}"),
    }
}

/// Returns the events in a range, in order.
async fn events(service: &Service, from: &str, to: &str) -> Vec<EventRow> {
    let asked = show::ShowParams {
        from: Some(from.into()),
        to: Some(to.into()),
        ..show::ShowParams::default()
    };
    match show::reply(service, Topic::Events, &asked)
        .await
        .expect("rows")
    {
        Reply::Rows {
            rows: Rows::Events(rows),
            ..
        } => rows,
        other => panic!("{other:?}"),
    }
}

fn starts(rows: &[EventRow]) -> Vec<&str> {
    rows.iter().map(|row| &row.start[..16]).collect()
}

#[tokio::test]
async fn edits_and_restores_an_event_without_a_card() {
    let (_home, service) = profile().await;
    let event =
        json!({"summary": "Review", "start": "2030-03-05T10:00:00Z[UTC]", "duration_minutes": 60});
    done(&service, "calendar.create", event).await;
    let made = events(&service, "2030-03-05", "2030-03-06").await;
    assert_eq!(starts(&made), ["2030-03-05T10:00"]);
    let id = &made[0].id;
    let change = json!({"id": id, "changes": {"start": "2030-03-06T14:30:00Z[UTC]", "end": "2030-03-06T15:00:00Z[UTC]"}});
    done(&service, "calendar.update", change).await;
    let moved = events(&service, "2030-03-05", "2030-03-07").await;
    assert_eq!(starts(&moved), ["2030-03-06T14:30"]);
    assert_eq!(&moved[0].end[..16], "2030-03-06T15:00");
    let gone = done(&service, "calendar.delete", json!({"id": id})).await;
    assert!(
        events(&service, "2030-03-05", "2030-03-07")
            .await
            .is_empty()
    );
    turns::apply(&service, Op::Undo { effect: gone })
        .await
        .expect("undone");
    assert_eq!(
        starts(&events(&service, "2030-03-05", "2030-03-07").await),
        ["2030-03-06T14:30"]
    );
}

#[tokio::test]
async fn moves_one_the_rest_or_all_of_a_series() {
    let (_home, service) = profile().await;
    let event = json!({
        "summary": "Stand-up", "start": "2030-03-04T09:00:00Z[UTC]", "duration_minutes": 15,
        "rrule": "FREQ=DAILY;COUNT=5",
    });
    done(&service, "calendar.create", event).await;
    let made = events(&service, "2030-03-04", "2030-03-10").await;
    assert_eq!(made.len(), 5);
    assert_eq!(made[0].repeats.as_deref(), Some("every day, 5 times"));
    let which =
        |row: &EventRow| format!("{}@{}", row.id, row.instance.clone().expect("an instance"));
    let one = json!({"id": which(&made[1]), "scope": "this", "changes": {"time": "11:00:00"}});
    done(&service, "calendar.update", one).await;
    let rest =
        json!({"id": which(&made[3]), "scope": "following", "changes": {"shift_minutes": 30}});
    done(&service, "calendar.update", rest).await;
    assert_eq!(
        starts(&events(&service, "2030-03-04", "2030-03-10").await),
        [
            "2030-03-04T09:00",
            "2030-03-05T11:00",
            "2030-03-06T09:00",
            "2030-03-07T09:30",
            "2030-03-08T09:30"
        ]
    );
}

#[tokio::test]
async fn asks_about_rejected_and_too_large_direct_calls() {
    let (_home, service) = profile().await;
    let mut ids = Vec::new();
    for n in 0..21 {
        done(
            &service,
            "task.create",
            json!({"title": format!("Task {n}")}),
        )
        .await;
    }
    let asked = show::ShowParams::default();
    if let Reply::Rows {
        rows: Rows::Tasks(rows),
        ..
    } = show::reply(&service, Topic::Tasks, &asked)
        .await
        .expect("rows")
    {
        ids.extend(rows.into_iter().map(|row| row.id));
    }
    let many = apply(&service, "task.delete", json!({"ids": ids})).await;
    assert!(matches!(many, Applied::ApprovalNeeded { .. }), "{many:?}");
    done(&service, "task.delete", json!({"ids": ids[..20]})).await;
    let again = adjutant_api::Request::AskAgain {
        id: match many {
            Applied::ApprovalNeeded { id } => id,
            other => panic!("{other:?}"),
        },
    };
    let op = turns::operation(&service, again, Channel::Window)
        .await
        .expect("an operation");
    assert!(matches!(op, Op::Propose { .. }), "{op:?}");
}

#[test]
fn offers_rules_for_a_start() {
    let order = adjutant_domain::settings::DateOrder::DayFirst;
    let offered = repeats::offered("2030-03-05T10:00:00Z[UTC]", None, Some("2030-04-02"), order);
    let Ok(Reply::Repeats { rules }) = offered else {
        panic!("{offered:?}");
    };
    assert!(
        rules
            .iter()
            .any(|one| one.say == "every week on Tue, until Tue 2 Apr 2030"),
        "{rules:?}"
    );
    assert!(repeats::offered("soon", None, None, order).is_err());
    assert!(repeats::offered("2030-03-05", None, Some("x"), order).is_err());
}
