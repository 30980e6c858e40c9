//! After a kill: what the log looks like then, and what becomes of it.

use adjutant_domain::conversation::TurnState;
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::plan::StepState;
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::record::Record;
use adjutant_testkit::make;
use serde_json::json;

use crate::world::{Script, World, delete, needing, step, task_id};

fn script() -> Script {
    Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete milk", vec![delete("s1", 1)])
        .plan(
            "add two",
            vec![
                step("s1", "task.create", json!({"title": "One"})),
                needing(step("s2", "task.create", json!({"title": "Two"})), &["s1"]),
            ],
        )
}

async fn approved_then_killed() -> (World, adjutant_domain::ids::ActionId) {
    let world = script().world();
    let (id, _) = world.ask("delete milk").await.card();
    let (from, to) = (ActionState::Pending, ActionState::Approved);
    let moved = world.log.move_action(&id, from, to, Some(Channel::Window));
    moved.await.unwrap();
    (world, id)
}

#[tokio::test]
async fn a_turn_that_was_cut_off_says_what_was_done() {
    let world = script().world();
    let turn = world.ask("add two").await.0[0].turn.clone();
    // As it was left by a kill after the first effect.
    world.log.rewind(&turn, |turn| {
        turn.state = TurnState::Open;
        turn.answer = None;
        let plan = turn.plan.as_mut().unwrap();
        plan.steps[1].state = StepState::Next;
        plan.steps[1].result = None;
    });
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.closed, std::slice::from_ref(&turn));
    let stored = world.log.turn(&turn).await.unwrap().unwrap();
    assert_eq!(stored.state, TurnState::Interrupted);
    let answer = stored.answer.unwrap();
    assert!(answer.starts_with("Adjutant stopped before this was finished. Done: Added “One”."));
    assert!(answer.contains("Not done: task.create s2."), "{answer}");
    assert!(answer.ends_with("Ask again to go on."), "{answer}");
    assert_eq!(world.engine.recover().await.unwrap(), Default::default());
}

#[tokio::test]
async fn an_approval_that_nothing_claimed_is_carried_out_once() {
    let (world, id) = approved_then_killed().await;
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.reclaimed, std::slice::from_ref(&id));
    assert_eq!(world.tasks().await, ["Tax"]);
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
    let turns = world.log.turns(None, None).await.unwrap();
    assert_eq!(turns[0].state, TurnState::Done);
    assert_eq!(turns[0].answer.as_deref(), Some("Deleted “Milk”."));
    assert_eq!(world.engine.recover().await.unwrap(), Default::default());
}

#[tokio::test]
async fn an_approval_that_ran_out_is_not_carried_out() {
    let (world, id) = approved_then_killed().await;
    world.later(16);
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.expired, std::slice::from_ref(&id));
    assert_eq!(world.state(&id).await, ActionState::Expired);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn an_approval_whose_target_changed_is_asked_again() {
    let (world, id) = approved_then_killed().await;
    let mut task = make::task(&task_id(1), "Milk!", None);
    task.version = 2;
    world.records.put(Record::Task(task));
    world.engine.recover().await.unwrap();
    assert_eq!(world.state(&id).await, ActionState::Superseded);
    assert_eq!(world.pending().await.len(), 1);
    assert_eq!(world.tasks().await, ["Milk!", "Tax"]);
    world.ask("yes").await;
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn a_yes_that_was_cut_off_after_the_approval_is_carried_on() {
    let (world, id) = approved_then_killed().await;
    // The turn of the "yes" itself had been opened and stored nothing else.
    let yes = adjutant_domain::conversation::Turn {
        id: "turn_yes".into(),
        conversation: "main".into(),
        text: "yes".into(),
        at: world.pending().await.first().map_or_else(
            || "2026-01-12T14:00:00Z".parse().unwrap(),
            |action| action.created,
        ),
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    };
    world.log.open_turn(&yes).await.unwrap();
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.reclaimed, [id]);
    assert_eq!(found.closed, ["turn_yes".into()]);
    assert_eq!(world.tasks().await, ["Tax"]);
    assert_eq!(world.log.effects(None).await.unwrap().len(), 1);
    let yes = world.log.turn(&"turn_yes".into()).await.unwrap().unwrap();
    let answer = yes.answer.unwrap();
    assert!(answer.contains("taken up again"), "{answer}");
    assert!(!answer.contains("Nothing was done"), "{answer}");
}

#[tokio::test]
async fn what_waits_still_waits() {
    let world = script().world();
    let (id, _) = world.ask("delete milk").await.card();
    assert_eq!(world.engine.recover().await.unwrap(), Default::default());
    assert_eq!(world.state(&id).await, ActionState::Pending);
    // Killed while a button had opened the turn again.
    let turn = world.log.turns(None, None).await.unwrap()[0].id.clone();
    world.log.reopen_turn(&turn).await.unwrap();
    world.engine.recover().await.unwrap();
    let stored = world.log.turn(&turn).await.unwrap().unwrap();
    assert_eq!(stored.state, TurnState::Waiting);
    assert_eq!(world.state(&id).await, ActionState::Pending);
}

#[tokio::test]
async fn a_claim_without_outcome_is_unknown_and_never_repeated() {
    let (world, id) = approved_then_killed().await;
    let (from, to) = (ActionState::Approved, ActionState::Executing);
    world.log.move_action(&id, from, to, None).await.unwrap();
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.unknown, std::slice::from_ref(&id));
    assert_eq!(world.state(&id).await, ActionState::Unknown);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}
