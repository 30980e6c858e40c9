//! What becomes due by itself.

use adjutant_domain::gate::ActionState;
use adjutant_domain::ports::{Clock as _, TurnLog as _};
use adjutant_domain::record::{OutboxItem, OutboxState, Record};
use adjutant_engine::{BACKGROUND, DueReport, Op};
use adjutant_testkit::make;
use jiff::ToSpan as _;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::world::{Script, World, delete, step, task_id};

fn remind(world: &World, number: usize, in_minutes: i64) {
    let mut task = make::task(&task_id(number), &format!("Task {number}"), None);
    let at = world.clock.now().checked_add(in_minutes.minutes()).unwrap();
    task.remind_at = Some(at.timestamp());
    world.records.put(Record::Task(task));
}

#[tokio::test]
async fn reminders_are_reported_once_and_missed_ones_are_listed() {
    let world = Script::new().world();
    remind(&world, 1, -90);
    remind(&world, 2, 0);
    remind(&world, 3, 5);
    let report = world.engine.run_due().await;
    let told: Vec<_> = report
        .reminders
        .iter()
        .map(|one| (one.task.title.as_str(), one.missed))
        .collect();
    assert_eq!(told, [("Task 1", true), ("Task 2", false)]);
    assert!(world.engine.run_due().await.is_empty(), "not twice");
    let next = world.engine.next_due().await.unwrap();
    assert_eq!(
        next,
        Some(
            world
                .clock
                .now()
                .checked_add(5.minutes())
                .unwrap()
                .timestamp()
        )
    );
    world.later(5);
    assert_eq!(world.engine.run_due().await.reminders.len(), 1);
}

#[tokio::test]
async fn a_held_mail_is_queued_when_its_time_has_come() {
    let world = Script::new().world();
    let at = world.clock.now().timestamp();
    world.records.put(Record::Outbox(OutboxItem {
        id: "out_000000000001".into(),
        message_id: "m@x".into(),
        to: Vec::new(),
        cc: Vec::new(),
        bcc: Vec::new(),
        subject: "Hi".into(),
        body: String::new(),
        in_reply_to: None,
        forward_of: None,
        state: OutboxState::Held,
        mime: Some("exact bytes".into()),
        not_before: Some(at + 60.seconds()),
        created: at,
        updated: at,
        version: 1,
    }));
    assert!(world.engine.run_due().await.is_empty());
    world.later(1);
    let report = world.engine.run_due().await;
    assert_eq!((report.released.len(), report.problems.len()), (1, 0));
    let item = world.outbox().await.remove(0);
    assert_eq!(item.state, OutboxState::Queued);
    assert_eq!(item.mime.as_deref(), Some("exact bytes"));
    let effects = world.log.effects(None).await.unwrap();
    assert_eq!(effects[0].conversation.0, BACKGROUND);
    assert!(world.engine.run_due().await.is_empty());
}

#[tokio::test]
async fn actions_run_out_by_themselves() {
    let world = Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete both", vec![delete("s1", 1), delete("s2", 2)])
        .world();
    world.ask("delete both").await;
    let ids: Vec<_> = world
        .pending()
        .await
        .into_iter()
        .map(|one| one.id)
        .collect();
    assert!(world.engine.run_due().await.is_empty());
    world.later(15);
    world.log.commits();
    assert_eq!(world.engine.run_due().await.expired, ids);
    assert_eq!(world.log.commits(), ["expire_actions"], "all at once");
    for id in &ids {
        assert_eq!(world.state(id).await, ActionState::Expired);
    }
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(world.log.commits(), Vec::<&str>::new(), "nothing to write");
}

/// Looks at what the waiting loop tells while `acting` goes on; it ends with it.
async fn while_waiting<F: Future<Output = ()>>(
    world: &World,
    acting: impl FnOnce(mpsc::UnboundedReceiver<DueReport>) -> F,
) {
    let stop = CancellationToken::new();
    let (told, reports) = mpsc::unbounded_channel();
    let looping = world
        .engine
        .watch_due(stop.clone(), move |report| drop(told.send(report)));
    tokio::join!(looping, async {
        acting(reports).await;
        stop.cancel();
    });
}

#[tokio::test]
async fn the_waiting_loop_wakes_up_for_changes() {
    let world = Script::new().world();
    while_waiting(&world, async |mut reports| {
        remind(&world, 1, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!(report.reminders.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_problem_that_stays_is_told_once() {
    let world = Script::new()
        .tasks(&["Milk"])
        .plan("delete milk", vec![delete("s1", 1)])
        .world();
    world.ask("delete milk").await.card();
    world.later(15);
    world.log.break_at(Some("expire_actions"));
    while_waiting(&world, async |mut reports| {
        let report = reports.recv().await.unwrap();
        assert_eq!(report.problems.len(), 1, "{report:?}");
        remind(&world, 7, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!((report.reminders.len(), report.problems.len()), (1, 0));
    })
    .await;
}

#[tokio::test]
async fn what_could_not_be_tried_is_no_news() {
    let world = Script::new()
        .plan("wait", vec![step("s1", "slow.read", json!({}))])
        .say("hello you", "Hello.")
        .world();
    world.log.break_at(Some("close_turn"));
    world.ask("hello you").await;
    while_waiting(&world, async |mut reports| {
        let report = reports.recv().await.unwrap();
        assert_eq!(report.problems.len(), 1, "{report:?}");
        // Something is at work, so what is owed waits.
        let op = Op::Ask {
            conversation: "other".into(),
            text: "wait".into(),
        };
        let events = world.engine.submit(op).await.unwrap();
        world.tools.begun.acquire().await.unwrap().forget();
        remind(&world, 7, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!((report.reminders.len(), report.problems.len()), (1, 0));
        world.tools.gate.add_permits(1);
        events.collect().await;
        remind(&world, 8, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!((report.reminders.len(), report.problems.len()), (1, 0));
    })
    .await;
}
