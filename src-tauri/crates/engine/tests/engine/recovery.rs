//! Tests of recovery from a kill: the state of the log, and what becomes of it.

use adjutant_domain::canonical::Digest;
use adjutant_domain::conversation::{JournalEntry, Turn, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::ids::{ActionId, TurnId};
use adjutant_domain::plan::{Plan, StepState};
use adjutant_domain::ports::{Clock as _, TurnLog as _};
use adjutant_domain::record::Record;
use adjutant_domain::source::Taint;
use adjutant_engine::Op;
use adjutant_testkit::make;
use serde_json::json;

use crate::world::{Script, World, delete, needing, step, task_id};

pub fn approve(id: &ActionId, digest: &Digest) -> Op {
    Op::Approve {
        id: id.clone(),
        digest: digest.clone(),
        channel: Channel::Window,
    }
}

pub fn script() -> Script {
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

pub async fn approved_then_killed() -> (World, ActionId) {
    let world = script().world();
    let (id, _) = world.ask("delete milk").await.card();
    let (from, to) = (ActionState::Pending, ActionState::Approved);
    let moved = world.log.move_action(
        &id,
        from,
        to,
        Some(Channel::Window),
        jiff::Timestamp::UNIX_EPOCH,
    );
    moved.await.unwrap();
    (world, id)
}

/// Returns a world with a plan of two effects that was killed after the first one.
async fn killed_between(change: impl FnOnce(&mut Plan)) -> (World, TurnId) {
    let world = script().world();
    let turn = world.ask("add two").await.0[0].turn.clone();
    world.log.rewind(&turn, |turn| {
        turn.state = TurnState::Open;
        turn.answer = None;
        let plan = turn.plan.as_mut().unwrap();
        plan.steps[1].state = StepState::Next;
        plan.steps[1].result = None;
        change(plan);
    });
    (world, turn)
}

#[tokio::test]
async fn an_interrupted_turn_reports_its_effects() {
    let (world, turn) = killed_between(|_| {}).await;
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.closed, std::slice::from_ref(&turn));
    let stored = world.log.turn(&turn).await.unwrap().unwrap();
    assert_eq!(stored.state, TurnState::Interrupted);
    let answer = stored.answer.unwrap();
    assert!(answer.starts_with("Adjutant stopped before this was finished. Done: Added “One”."));
    assert!(answer.contains("Not done: task.create s2."), "{answer}");
    assert!(answer.ends_with("Ask again to continue."), "{answer}");
    assert_eq!(world.engine.recover().await.unwrap(), Default::default());
}

/// Returns a world with a turn that was running when its process was killed, with these events in the journal.
async fn killed_after(events: Vec<TurnEvent>) -> (World, TurnId) {
    let world = script().world();
    let turn = Turn {
        id: "turn_killed".into(),
        conversation: "main".into(),
        text: "tell me a story".into(),
        at: world.clock.now().timestamp(),
        instead_of: None,
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    };
    let (_, next) = world.log.open_turn(&turn).await.unwrap();
    let entries: Vec<JournalEntry> = (next..)
        .zip(&events)
        .map(|(seq, event)| JournalEntry {
            seq,
            turn: turn.id.clone(),
            body: serde_json::to_value(event).unwrap(),
        })
        .collect();
    world
        .log
        .keep_journal(&turn.conversation, &entries)
        .await
        .unwrap();
    world.engine.recover().await.unwrap();
    (world, turn.id)
}

fn token(text: &str, restart: bool) -> TurnEvent {
    TurnEvent::Token {
        text: text.into(),
        restart,
    }
}

#[tokio::test]
async fn keeps_an_interrupted_answer_and_says_it_was_cut_off() {
    let (world, turn) = killed_after(vec![
        token("It was", false),
        token("Once upon", true),
        token(" a time", false),
    ])
    .await;
    let stored = world.log.turn(&turn).await.unwrap().unwrap();
    assert_eq!(stored.state, TurnState::Interrupted);
    let answer = stored.answer.unwrap();
    assert!(
        answer.starts_with("Once upon a time …\n\nAdjutant stopped before"),
        "{answer}"
    );
    // A reader of the journal sees the same.
    let journal = world.log.journal(&"main".into(), 0, 100).await.unwrap();
    let mut read = String::new();
    for entry in &journal {
        if let Ok(TurnEvent::Token { text, restart }) = serde_json::from_value(entry.body.clone()) {
            if restart {
                read.clear();
            }
            read.push_str(&text);
        }
    }
    assert_eq!(read, answer);
    assert_eq!(journal.last().unwrap().body["event"], "interrupted");
    let (past, _) = world.log.past(&"main".into()).await.unwrap();
    assert_eq!(
        (past.messages.last().unwrap().text.as_str(), past.taint),
        (answer.as_str(), Taint::Clean)
    );
}

#[tokio::test]
async fn an_interrupted_answer_about_results_counts_as_foreign() {
    let (world, _) = killed_after(vec![
        TurnEvent::ToolResult {
            step: "s1".into(),
            ok: true,
            result: None,
            error: None,
            receipt: None,
            ms: None,
        },
        token("Kim writes that", false),
    ])
    .await;
    let (past, _) = world.log.past(&"main".into()).await.unwrap();
    assert_eq!(past.taint, Taint::Tainted);
}

#[tokio::test]
async fn carries_out_an_unclaimed_approval_once() {
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
async fn does_not_carry_out_an_expired_approval() {
    let (world, id) = approved_then_killed().await;
    world.later(16);
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.expired, std::slice::from_ref(&id));
    assert_eq!(world.state(&id).await, ActionState::Expired);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn asks_again_if_the_target_of_an_approval_changed() {
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
async fn continues_a_yes_interrupted_after_the_approval() {
    let (world, id) = approved_then_killed().await;
    // The turn of the "yes" had been opened and had stored nothing else.
    let yes = adjutant_domain::conversation::Turn {
        id: "turn_yes".into(),
        conversation: "main".into(),
        text: "yes".into(),
        at: world.pending().await.first().map_or_else(
            || "2026-01-12T14:00:00Z".parse().unwrap(),
            |action| action.created,
        ),
        instead_of: None,
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
    assert!(
        answer.contains("picked up what you had approved"),
        "{answer}"
    );
    assert!(!answer.contains("Nothing was done"), "{answer}");
}

#[tokio::test]
async fn waiting_actions_still_wait_after_a_restart() {
    let world = script().world();
    let (id, _) = world.ask("delete milk").await.card();
    assert_eq!(world.engine.recover().await.unwrap(), Default::default());
    assert_eq!(world.state(&id).await, ActionState::Pending);
    // The process was killed after a button had reopened the turn.
    let turn = world.log.turns(None, None).await.unwrap()[0].id.clone();
    world.log.reopen_turn(&turn).await.unwrap();
    world.engine.recover().await.unwrap();
    let stored = world.log.turn(&turn).await.unwrap().unwrap();
    assert_eq!(stored.state, TurnState::Waiting);
    assert_eq!(world.state(&id).await, ActionState::Pending);
}

#[tokio::test]
async fn a_claim_without_outcome_stays_unknown_and_is_not_repeated() {
    let (world, id) = approved_then_killed().await;
    let (from, to) = (ActionState::Approved, ActionState::Executing);
    world
        .log
        .move_action(&id, from, to, None, jiff::Timestamp::UNIX_EPOCH)
        .await
        .unwrap();
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.unknown, std::slice::from_ref(&id));
    assert_eq!(world.state(&id).await, ActionState::Unknown);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn an_answer_from_foreign_text_counts_as_foreign_after_a_kill() {
    for taint in [Taint::Clean, Taint::Tainted] {
        let shown = TurnEvent::Context {
            sections: Vec::new(),
            taint,
        };
        let (world, _) = killed_after(vec![shown, token("Kim wrote", false)]).await;
        let (past, _) = world.log.past(&"main".into()).await.unwrap();
        assert_eq!(past.taint, taint);
    }
}

#[tokio::test]
async fn reports_and_retries_failed_commits() {
    let world = script().world();
    let turn = Turn {
        id: "turn_killed".into(),
        conversation: "main".into(),
        text: "delete milk".into(),
        at: world.clock.now().timestamp(),
        instead_of: None,
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    };
    world.log.open_turn(&turn).await.unwrap();
    world.log.break_at(Some("close_turn"));
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.problem.unwrap().code, "disk_full");
    assert_eq!(found.closed, Vec::new());
    let report = world.engine.run_due().await;
    assert_eq!(report.problems.len(), 1, "still: {report:?}");
    world.log.break_at(None);
    // The profile is usable before recovery, and running turns are not taken for interrupted ones.
    assert_eq!(world.ask("add two").await.end().0, "done");
    assert!(world.engine.run_due().await.problems.is_empty());
    let stored = world.log.turn(&turn.id).await.unwrap().unwrap();
    assert_eq!(stored.state, TurnState::Interrupted);
    assert!(world.engine.run_due().await.is_empty());
}

#[tokio::test]
async fn an_action_reported_as_failed_does_not_run_later() {
    // If the end cannot be stored, the change itself is not stored either.
    for broken in [
        &[("reopen_turn", 0)][..],
        &[("commit_effect", 0), ("close_turn", 0)],
    ] {
        let world = script().world();
        let (id, digest) = world.ask("delete milk").await.card();
        world.log.break_after(broken);
        let turn = world.run(approve(&id, &digest)).await;
        assert_eq!(turn.end(), ("error", "disk_full".into()), "{broken:?}");
        world.log.break_at(None);
        assert_ne!(world.state(&id).await, ActionState::Approved, "{broken:?}");
        assert!(
            world.engine.run_due().await.problems.is_empty(),
            "{broken:?}"
        );
        world.engine.recover().await.unwrap();
        assert_eq!(world.tasks().await, ["Milk", "Tax"], "{broken:?}");
        let state = world.state(&id).await;
        let over = [ActionState::Cancelled, ActionState::Failed];
        assert!(over.contains(&state), "{broken:?}: {state:?}");
        assert_eq!(world.pending().await, [], "{broken:?}");
        let turns = world.log.turns(None, None).await.unwrap();
        assert!(
            turns.iter().all(|turn| turn.state != TurnState::Open),
            "{broken:?}: {turns:?}"
        );
    }
}

#[tokio::test]
async fn reports_a_failed_cancellation_and_retries_it() {
    let world = script().world();
    let (id, digest) = world.ask("delete milk").await.card();
    // The approval is stored, but nothing after it.
    world
        .log
        .break_after(&[("move_action", 1), ("reopen_turn", 0)]);
    let turn = world.run(approve(&id, &digest)).await;
    let TurnEvent::Error { fault } = turn.last() else {
        panic!("{turn:?}");
    };
    assert!(fault.what.contains("could not be taken back"), "{fault}");
    assert_eq!(world.state(&id).await, ActionState::Approved);
    assert!(world.engine.recovery_pending());
    world.log.break_at(None);
    // The person was told that it may still be done; now they are told that it is not.
    let problems = world.engine.run_due().await.problems;
    let codes: Vec<&str> = problems.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["not_done"]);
    assert_eq!(world.state(&id).await, ActionState::Cancelled);
    assert!(!world.engine.recovery_pending());
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn foreign_text_in_the_last_result_counts_as_foreign_after_a_kill() {
    let (world, _) = killed_between(|plan| {
        plan.taint = Taint::Clean;
        plan.steps[0].result.as_mut().unwrap().taint = Taint::Tainted;
    })
    .await;
    world.engine.recover().await.unwrap();
    let (past, _) = world.log.past(&"main".into()).await.unwrap();
    assert_eq!(past.taint, Taint::Tainted);
}
