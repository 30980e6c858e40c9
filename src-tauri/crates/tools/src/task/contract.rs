//! What the tools for tasks promise.

use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, Priority, Record, Task, TaskStatus};
use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, fault, question, run, say};

/// Wednesday, 14 January 2026, 10:00 in Berlin.
fn world() -> World {
    let mut urgent = make::task("task_tax", "Tax return", Some("2026-01-10"));
    urgent.priority = Priority::High;
    let mut plants = make::task(
        "task_plants",
        "Water the plants",
        Some("2026-01-14T18:00:00+01:00[Europe/Berlin]"),
    );
    plants.rrule = Some("FREQ=WEEKLY".into());
    plants.remind_at = Some("2026-01-14T17:00:00Z".parse().expect("an instant"));
    let mut done = make::task("task_done", "Call the bank", None);
    done.status = TaskStatus::Done;
    done.completed_at = Some("2026-01-13T09:00:00Z".parse().expect("an instant"));
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(urgent)
        .with(plants)
        .with(make::task("task_milk", "Buy milk", Some("2026-01-15")))
        .with(make::task("task_bread", "Buy bread", None))
        .with(done)
}

#[tokio::test]
async fn questions_are_answered() {
    check(
        world,
        &[
            (
                "task.list",
                json!({}),
                "4 tasks, 1 overdue.\n\n- Tax return · overdue since Sat 10 Jan · high priority\n- Water the plants · due Wed 14 Jan, 18:00 · every week\n- Buy milk · due Thu 15 Jan\n- Buy bread",
            ),
            (
                "task.list",
                json!({"overdue": true, "ask": "count"}),
                "1 task.\n\n- Tax return · overdue since Sat 10 Jan · high priority",
            ),
            (
                "task.list",
                json!({"text": "plants", "ask": "when"}),
                "“Water the plants” is due Wed 14 Jan, 18:00.",
            ),
            (
                "task.list",
                json!({"due_from": "2026-01-16", "due_to": "2026-01-17", "ask": "any"}),
                "No, there are no open tasks due on Fri 16 Jan.",
            ),
            (
                "task.list",
                json!({"status": "done"}),
                "Call the bank · done Tue 13 Jan, 10:00.",
            ),
            (
                "task.list",
                json!({"order": "-priority", "limit": 1}),
                "Tax return · overdue since Sat 10 Jan · high priority.",
            ),
            ("task.list", json!({"text": "unicorn"}), "No open tasks about “unicorn”."),
        ],
    )
    .await;
}

#[tokio::test]
async fn tasks_are_written_changed_and_done() {
    check(
        world,
        &[
            (
                "task.create",
                json!({"title": "Pay rent", "due": "2026-02-01T09:00:00+01:00[Europe/Berlin]", "rrule": "RRULE:FREQ=MONTHLY", "priority": "high"}),
                "Added “Pay rent”, due Sun 1 Feb, 09:00, every month, high priority.",
            ),
            (
                "task.create",
                json!({"title": "Old", "due": "2026-01-01"}),
                "Added “Old”, due Thu 1 Jan. That date is already past.",
            ),
            ("task.create", json!({"title": "  "}), "! A task needs a title."),
            (
                "task.create",
                json!({"title": "x", "rrule": "sometimes"}),
                "! “sometimes” is not a repetition: it does not say how often",
            ),
            (
                "task.update",
                json!({"target": {"text": "milk"}, "changes": {"shift_days": 2}}),
                "“Buy milk” is due Sat 17 Jan.",
            ),
            (
                "task.update",
                json!({"target": {"text": "milk"}, "changes": {"shift_months": 1}}),
                "“Buy milk” is due Sun 15 Feb.",
            ),
            (
                "task.update",
                json!({"id": "task_plants", "changes": {"due": "2026-01-16"}}),
                "“Water the plants” is due Fri 16 Jan, 18:00.",
            ),
            (
                "task.update",
                json!({"id": "task_plants", "changes": {"due_time": "19:30"}}),
                "“Water the plants” is due Wed 14 Jan, 19:30.",
            ),
            (
                "task.update",
                json!({"id": "task_milk", "changes": {"due_time": "08:00"}}),
                "“Buy milk” is due Thu 15 Jan, 08:00.",
            ),
            (
                "task.update",
                json!({"id": "task_bread", "changes": {"due_time": "09:00"}}),
                "“Buy bread” is due Thu 15 Jan, 09:00.",
            ),
            (
                "task.update",
                json!({"target": {"text": "bank"}, "changes": {"reopen": true, "priority": "low"}}),
                "“Call the bank” has low priority and is open again.",
            ),
            (
                "task.update",
                json!({"id": "task_milk", "changes": {"start": "2026-01-14", "add_tags": [" home ", "Home", "shop"]}}),
                "“Buy milk” starts Wed 14 Jan and is labelled home, shop.",
            ),
            (
                "task.update",
                json!({"ids": ["task_milk", "task_bread"], "changes": {"add_tags": ["shop"]}}),
                "Changed 2 tasks.\n\n- Buy milk · due Thu 15 Jan · shop\n- Buy bread · shop",
            ),
            (
                "task.complete",
                json!({"target": {"text": "tax"}}),
                "Done: “Tax return”.",
            ),
            (
                "task.complete",
                json!({"id": "task_plants"}),
                "Done: “Water the plants”. Next Wed 21 Jan, 18:00.",
            ),
            ("task.complete", json!({"target": {"text": "buy"}}), "? Which task?"),
            (
                "task.complete",
                json!({"target": {"text": "buy", "pick": "all"}}),
                "2 tasks done.\n\n- Buy milk\n- Buy bread",
            ),
            (
                "task.delete",
                json!({"target": {"text": "unicorn"}}),
                "! There are no open tasks about “unicorn”.",
            ),
            (
                "task.delete",
                json!({"target": {"order": "due", "pick": {"nth": 2}}}),
                "Deleted the task “Water the plants”.",
            ),
            (
                "task.delete",
                json!({"target": {"pick": {"nth": -1}}}),
                "Deleted the task “Buy bread”.",
            ),
            ("task.delete", json!({"ids": []}), "! No task was found, so there is nothing to do."),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_reminder_follows_its_task() {
    let world = world();
    say(
        &world,
        "task.update",
        json!({"id": "task_plants", "changes": {"shift_minutes": 30}}),
    )
    .await;
    let Some(Record::Task(task)) = world
        .records
        .get(Kind::Task, &"task_plants".into())
        .await
        .expect("a look-up")
    else {
        panic!("the task is gone");
    };
    assert_eq!(
        task.remind_at,
        Some("2026-01-14T17:30:00Z".parse().expect("an instant"))
    );
    assert_eq!(task.version, 2);
}

#[tokio::test]
async fn choices_tell_tasks_apart_and_answer_into_id() {
    let world = world();
    let asked = question(&world, "task.delete", json!({"target": {"text": "buy"}})).await;
    assert_eq!(asked.slot, "/id");
    let first = &asked.choices[0];
    assert_eq!(first.label, "Buy milk");
    assert_eq!(first.detail.as_deref(), Some("due Thu 15 Jan"));
    let args = json!({"target": {"text": "buy"}, "id": asked.choices[1].value});
    let ran = run(&world, "task.delete", args).await.expect("it goes on");
    assert!(ran.asked, "a deletion asks");
    assert_eq!(ran.answer.say, "Deleted the task “Buy bread”.");
    fault(&world, "task.delete", json!({"id": "task_bread"})).await;
}

async fn stored(world: &World, id: &str) -> Task {
    match world.records.get(Kind::Task, &id.into()).await {
        Ok(Some(Record::Task(task))) => task,
        other => panic!("{id}: {other:?}"),
    }
}

#[tokio::test]
async fn tasks_keep_the_order_they_are_put_in_until_they_leave_their_day() {
    let world = world();
    let ids = json!(["task_bread", "task_milk"]);
    say(
        &world,
        "task.update",
        json!({"ids": ids, "changes": {"in_order": true}}),
    )
    .await;
    let places = [
        stored(&world, "task_bread").await.place,
        stored(&world, "task_milk").await.place,
    ];
    assert_eq!(places, [Some(1), Some(2)]);
    let renamed = json!({"id": "task_milk", "changes": {"title": "Buy oat milk"}});
    say(&world, "task.update", renamed).await;
    assert_eq!(stored(&world, "task_milk").await.place, Some(2));
    let moved = json!({"id": "task_milk", "changes": {"shift_days": 1}});
    say(&world, "task.update", moved).await;
    assert_eq!(stored(&world, "task_milk").await.place, None);
}

#[tokio::test]
async fn the_first_day_of_a_repeating_task_goes_along_when_it_is_done() {
    let world = world();
    let before = json!({"id": "task_plants", "changes": {"start": "2026-01-12"}});
    say(&world, "task.update", before).await;
    say(&world, "task.complete", json!({"id": "task_plants"})).await;
    let next = stored(&world, "task_plants").await;
    assert_eq!(next.start, Some("2026-01-19".parse().expect("a day")));
    let free = json!({"id": "task_plants", "changes": {"clear_start": true}});
    say(&world, "task.update", free).await;
    assert_eq!(stored(&world, "task_plants").await.start, None);
}
