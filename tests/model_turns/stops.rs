//! Tests of stopping, reloading, and being killed in the middle of a stream.

use std::time::Duration;

use adjutant_domain::event::TurnEvent;
use adjutant_domain::model::Stage;
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::{Op, Target};
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{ScriptedAct, says};
use serde_json::json;

use crate::actions::plan;
use crate::world::{self, Turn, World};

/// Maximum time in which a stop must end a turn.
const STOP_MS_MAX: u64 = 200;

fn ask(text: &str) -> Op {
    Op::Ask {
        conversation: "main".into(),
        text: text.into(),
        tier: None,
    }
}

async fn until(
    events: &mut adjutant_engine::EventStream,
    found: impl Fn(&TurnEvent) -> bool,
) -> Vec<std::sync::Arc<adjutant_engine::LiveEvent>> {
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        let hit = found(&event.event);
        seen.push(event);
        if hit {
            break;
        }
    }
    seen
}

#[tokio::test]
async fn a_stop_drops_the_stream_and_keeps_its_text() {
    let model = ScriptedModel::default().on(
        Stage::Respond,
        vec![
            ScriptedAct::Say("Once upon a time".into()),
            ScriptedAct::Hang,
        ],
    );
    let world = World::new(model).await;
    let mut events = world.engine.submit(ask(world::says::CHAT)).await.unwrap();
    until(&mut events, |event| {
        matches!(event, TurnEvent::Token { .. })
    })
    .await;
    world.engine.interrupt(&Target::All).await.unwrap();
    let rest = tokio::time::timeout(Duration::from_millis(STOP_MS_MAX), events.collect())
        .await
        .expect("a stop ends the turn at once");
    assert!(matches!(
        rest.last().unwrap().event,
        TurnEvent::Interrupted { .. }
    ));
    // Dropping the stream cancels the call.
    assert_eq!(world.model.dropped.available_permits(), 1);
    let kept = world.kept("main").await;
    assert_eq!(kept[0], world::says::CHAT);
    assert!(kept[1].starts_with("Once upon a time"), "{kept:?}");
}

#[tokio::test]
async fn every_stage_can_be_stopped() {
    let read =
        json!([{"key": "s1", "say": "List the tasks", "why": "", "tool": "task.list", "args": {}}]);
    let cases = [
        (Stage::Route, world::says::UNSURE, vec![]),
        (Stage::Plan, world::says::TASKS, vec![]),
        (
            Stage::Respond,
            world::says::TASKS,
            vec![(Stage::Plan, plan(read))],
        ),
        (
            Stage::Critique,
            world::says::HARD,
            vec![(Stage::Respond, says("A draft."))],
        ),
    ];
    for (stage, text, before) in cases {
        let mut model = ScriptedModel::default();
        for (stage, acts) in before {
            model = model.on(stage, acts);
        }
        let world = World::new(model.on(stage, vec![ScriptedAct::Hang])).await;
        let events = world.engine.submit(ask(text)).await.unwrap();
        loop {
            world.model.sent_count(1).await;
            if world.model.stages().last() == Some(&stage.name()) {
                break;
            }
            tokio::task::yield_now().await;
        }
        world.engine.interrupt(&Target::All).await.unwrap();
        let told = tokio::time::timeout(Duration::from_millis(STOP_MS_MAX), events.collect())
            .await
            .unwrap_or_else(|_| panic!("{} did not stop", stage.name()));
        assert!(matches!(
            told.last().unwrap().event,
            TurnEvent::Interrupted { .. }
        ));
        assert_eq!(
            world.model.dropped.available_permits(),
            1,
            "{}",
            stage.name()
        );
    }
}

#[tokio::test]
async fn a_reloaded_window_sees_the_whole_turn() {
    let model = ScriptedModel::default().on(
        Stage::Respond,
        vec![
            ScriptedAct::Say("Once".into()),
            ScriptedAct::Wait,
            ScriptedAct::Say(" upon a time.".into()),
        ],
    );
    let world = World::new(model).await;
    let mut events = world.engine.submit(ask(world::says::CHAT)).await.unwrap();
    until(&mut events, |event| {
        matches!(event, TurnEvent::Token { .. })
    })
    .await;
    // The window closes, and another one joins in the middle of the stream.
    drop(events);
    let mut second = world.engine.subscribe(&"main".into(), 1);
    let before = until(&mut second, |event| {
        matches!(event, TurnEvent::Token { .. })
    })
    .await;
    world.model.gate.add_permits(1);
    let mut all = before;
    all.extend(until(&mut second, TurnEvent::is_last).await);
    let turn = Turn(all);
    assert_eq!(turn.end().1, "Once upon a time.");
    assert_eq!(turn.pieced(), "Once upon a time.");
    // A window that joins afterwards reads the same from the journal.
    let mut third = world.engine.subscribe(&"main".into(), 1);
    let late = Turn(until(&mut third, TurnEvent::is_last).await);
    assert_eq!(late.0, turn.0);
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_stream_loses_neither_message_nor_effects() {
    let model = ScriptedModel::default()
        .on(
            Stage::Plan,
            plan(json!([{"key": "s1", "say": "Add a task", "why": "", "tool": "task.create", "args": {"title": "Rest"}}])),
        )
        .on(Stage::Respond, vec![ScriptedAct::Say("I have".into()), ScriptedAct::Hang]);
    let World {
        engine,
        store,
        home,
        ..
    } = World::new(model).await;
    let mut events = engine.submit(ask(world::says::TASKS)).await.unwrap();
    until(&mut events, |event| {
        matches!(event, TurnEvent::Token { .. })
    })
    .await;
    // A kill leaves what is on disk now.
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
    }
    drop(events);
    engine.close().await;
    drop((engine, store));
    let store = world::open(copy.path());
    let engine = world::engine(&store, None);
    engine.recover().await.unwrap();
    let (past, _) = store.past(&"main".into()).await.unwrap();
    assert_eq!(past.messages[0].text, world::says::TASKS);
    assert!(
        past.messages[1].text.contains("Done:"),
        "{:?}",
        past.messages
    );
    assert_eq!(store.effects(None).await.unwrap().len(), 1);
    let turns = store.turns(None, None).await.unwrap();
    assert!(
        turns
            .iter()
            .all(|turn| turn.state != adjutant_domain::conversation::TurnState::Open)
    );
}

#[tokio::test]
async fn answers_a_message_after_a_stopped_one() {
    let model = ScriptedModel::default()
        .on(Stage::Respond, vec![ScriptedAct::Hang])
        .on(Stage::Respond, says("Here I am."));
    let world = World::new(model).await;
    let first = world.engine.submit(ask(world::says::CHAT)).await.unwrap();
    world.model.sent_count(1).await;
    world.engine.interrupt(&Target::All).await.unwrap();
    first.collect().await;
    assert_eq!(world.ask(world::says::WORLD).await.end().1, "Here I am.");
}
