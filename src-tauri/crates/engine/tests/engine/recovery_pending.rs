//! Tests of failed commits: the person is told, the work resumes when storage works again, and nothing happens behind
//! the person's back.

use std::sync::Arc;

use adjutant_domain::conversation::TurnState;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::ids::ActionId;
use adjutant_domain::operation::Receipt;
use adjutant_domain::plan::StepState;
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::Op;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::recovery::{approve, approved_then_killed, script};
use crate::world::{Script, Turn, World, delete, step, task_id};

fn both() -> Script {
    Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete both", vec![delete("s1", 1), delete("s2", 2)])
        .plan(
            "add one",
            vec![step("s1", "task.create", json!({"title": "One"}))],
        )
        .plan(
            "break",
            vec![step("s1", "task.create", json!({"title": "Two"}))],
        )
        .say("and now", "Done. Shall I also look for a hotel?")
}

async fn cards(world: &World) -> Vec<ActionId> {
    let pending = world.pending().await;
    pending.into_iter().map(|action| action.id).collect()
}

/// Approves by button while these commits fail. Storage works again afterwards.
async fn approve_refused(world: &World, id: &ActionId, broken: &[(&'static str, usize)]) -> Turn {
    let action = world.log.action(id).await.unwrap().unwrap();
    world.log.break_after(broken);
    let turn = world.run(approve(id, &action.digest)).await;
    world.log.break_at(None);
    turn
}

fn fault_of(turn: &Turn) -> UserFault {
    match turn.last() {
        TurnEvent::Error { fault } => fault.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_yes_does_not_approve_a_card_not_shown_again() {
    for between in [true, false] {
        let world = both().world();
        world.ask("delete both").await;
        let ids = cards(&world).await;
        let turn = approve_refused(&world, &ids[0], &[("close_turn", 0)]).await;
        assert_eq!(turn.end().0, "error");
        assert_eq!(
            world.tasks().await,
            ["Tax"],
            "it was done, the end was not stored"
        );
        if between {
            assert_eq!(world.ask("and now").await.end().0, "done");
        }
        assert!(world.engine.run_due().await.problems.is_empty());
        assert!(!world.engine.recovery_pending());
        let turn = world.ask("yes").await;
        assert_eq!(turn.end().0, "done");
        assert_eq!(
            world.tasks().await,
            ["Tax"],
            "a yes to something else: {between}"
        );
        assert_eq!(world.state(&ids[1]).await, ActionState::Pending);
        // The button still approves it.
        let turn = approve_refused(&world, &ids[1], &[]).await;
        assert_eq!(turn.end(), ("done", "Deleted “Tax”.".into()));
        assert_eq!(world.tasks().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn reports_a_late_close_to_followers() {
    let world = both().world();
    let asked = world.ask("delete both").await;
    let ids = cards(&world).await;
    approve_refused(&world, &ids[0], &[("close_turn", 0)]).await;
    let last = world.log.journal(&"main".into(), 0, 100).await.unwrap();
    let next = last.last().unwrap().seq + 1;
    let mut follow = world.engine.subscribe(&"main".into(), next);
    let mut watch = world.engine.watch();
    world.engine.run_due().await;
    let told = watch.try_recv().expect("those who watch all hear of it");
    assert_eq!(follow.next().await.unwrap(), told);
    assert_eq!((&told.turn, told.seq), (&asked.0[0].turn, next));
    let TurnEvent::Waiting {
        answer, approvals, ..
    } = &told.event
    else {
        panic!("{told:?}");
    };
    assert!(answer.contains("Done: Deleted “Milk”."), "{answer}");
    assert_eq!(*approvals, ids[1..]);
    let journal = world.log.journal(&"main".into(), next, 100).await.unwrap();
    assert_eq!(journal.len(), 1, "told as it is stored");
}

#[tokio::test]
async fn a_yes_after_a_kill_does_not_approve_an_earlier_card() {
    let world = both().world();
    let asked = world.ask("delete both").await;
    let ids = cards(&world).await;
    approve_refused(&world, &ids[0], &[]).await;
    assert_eq!(world.ask("and now").await.end().0, "done");
    // The process was killed after a button had reopened the turn.
    let turn = asked.0[0].turn.clone();
    world.log.reopen_turn(&turn).await.unwrap();
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.closed, [turn]);
    assert_eq!(world.ask("yes").await.end().0, "done");
    assert_eq!(world.state(&ids[1]).await, ActionState::Pending);
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn work_a_start_cannot_finish_stays_pending() {
    let (world, id) = approved_then_killed().await;
    world.log.break_at(Some("close_turn"));
    let found = world.engine.recover().await.unwrap();
    assert_eq!(
        found.problem.map(|fault| fault.code),
        Some("disk_full".into())
    );
    assert_eq!(found.reclaimed, []);
    assert!(world.engine.recovery_pending());
    // The effect itself was stored.
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
    world.log.break_at(None);
    let report = world.engine.run_due().await;
    assert!(report.is_empty(), "{report:?}");
    assert!(!world.engine.recovery_pending());
    let turn = world.log.turns(None, None).await.unwrap().remove(0);
    assert_eq!(turn.state, TurnState::Interrupted);
    let answer = turn.answer.unwrap();
    assert!(answer.contains("Done: Deleted “Milk”."), "{answer}");
}

#[tokio::test]
async fn reports_the_loss_of_an_approval_from_before_a_kill() {
    for broken in [
        &[("reopen_turn", 0)][..],
        &[("commit_effect", 0), ("close_turn", 0)],
    ] {
        let (world, id) = approved_then_killed().await;
        world.log.break_after(broken);
        let found = world.engine.recover().await.unwrap();
        assert!(found.problem.is_some(), "{broken:?}");
        assert_eq!(found.reclaimed, [], "{broken:?}");
        world.log.break_at(None);
        let report = world.engine.run_due().await;
        let told: Vec<&str> = report
            .problems
            .iter()
            .map(|one| one.code.as_str())
            .collect();
        assert_eq!(told, ["not_done"], "{broken:?}");
        let words = report.problems[0].to_string();
        assert!(
            words.starts_with("Approved, but not done because storage could not save it: Delete"),
            "{words}"
        );
        assert!(world.engine.run_due().await.is_empty(), "told once");
        assert!(!world.engine.recovery_pending());
        let state = world.state(&id).await;
        let over = [ActionState::Cancelled, ActionState::Failed];
        assert!(over.contains(&state), "{state:?}");
        assert_eq!(world.tasks().await, ["Milk", "Tax"]);
        // Its turn does not wait for anything.
        let turn = world.log.turns(None, None).await.unwrap().remove(0);
        assert_eq!(turn.state, TurnState::Interrupted, "{broken:?}");
        let state = &turn.plan.unwrap().steps[0].state;
        assert!(matches!(state, StepState::Cancelled { .. }), "{state:?}");
    }
}

#[tokio::test]
async fn reports_both_approvals_that_are_cancelled_together() {
    let world = both().world();
    world.ask("delete both").await;
    let ids = cards(&world).await;
    for id in &ids {
        let (from, to) = (ActionState::Pending, ActionState::Approved);
        world
            .log
            .move_action(id, from, to, None, jiff::Timestamp::UNIX_EPOCH)
            .await
            .unwrap();
    }
    world
        .log
        .break_after(&[("commit_effect", 0), ("close_turn", 0)]);
    world.engine.recover().await.unwrap();
    world.log.break_at(None);
    let report = world.engine.run_due().await;
    assert_eq!(report.problems.len(), 2, "{report:?}");
    for id in &ids {
        let state = world.state(id).await;
        let over = [ActionState::Cancelled, ActionState::Failed];
        assert!(over.contains(&state), "{state:?}");
    }
    let turn = world.log.turns(None, None).await.unwrap().remove(0);
    assert_eq!(turn.state, TurnState::Interrupted);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn a_panic_ends_only_its_turn_and_keeps_pending_work() {
    let world = both().world();
    world.log.break_at(Some("close_turn"));
    let owed = world.ask("add one").await.0[0].turn.clone();
    world.log.break_at(Some("break off"));
    let broken = world.ask("break").await;
    world.log.break_at(None);
    assert_eq!(broken.end(), ("error", "internal".into()));
    assert!(broken.0.iter().all(|one| one.turn != owed), "{broken:?}");
    let turns = world.log.turns(None, None).await.unwrap();
    let states: Vec<TurnState> = turns.iter().map(|turn| turn.state).collect();
    assert_eq!(states, [TurnState::Failed, TurnState::Open]);
    assert!(world.engine.run_due().await.problems.is_empty());
    let turn = world.log.turn(&owed).await.unwrap().unwrap();
    let answer = turn.answer.unwrap();
    assert!(answer.contains("Done: Added “One”."), "{answer}");
}

#[tokio::test]
async fn a_card_stays_if_its_replacement_cannot_be_stored() {
    let world = script().world();
    let (id, _) = world.ask("delete milk").await.card();
    world.log.break_at(Some("close_turn"));
    let turn = world
        .run(Op::Edit {
            id: id.clone(),
            args: json!({"id": task_id(2)}),
            call: None,
        })
        .await;
    assert_eq!(turn.end(), ("error", "disk_full".into()));
    world.log.break_at(None);
    assert_eq!(world.state(&id).await, ActionState::Pending);
    assert!(world.engine.run_due().await.problems.is_empty());
    let turn = approve_refused(&world, &id, &[]).await;
    assert_eq!(turn.end(), ("done", "Deleted “Milk”.".into()));
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn a_reopened_turn_that_cannot_continue_is_closed_soon() {
    let world = script().world();
    let (id, _) = world.ask("delete milk").await.card();
    world.log.break_at(Some("past"));
    let reject = Op::Reject {
        id,
        channel: Channel::Window,
    };
    assert_eq!(world.run(reject).await.end(), ("error", "disk_full".into()));
    world.log.break_at(None);
    assert!(world.engine.recovery_pending());
    assert!(world.engine.run_due().await.problems.is_empty());
    let turns = world.log.turns(None, None).await.unwrap();
    assert_eq!(turns[0].state, TurnState::Interrupted);
}

#[tokio::test]
async fn does_not_report_an_approval_that_was_never_stored() {
    let world = both().world();
    world.log.break_after(&[("close_turn", 0), ("actions", 0)]);
    let fault = fault_of(&world.ask("and now").await);
    assert!(!fault.what.contains("could not be taken back"), "{fault}");
    assert!(fault.what.contains("could not check whether"), "{fault}");
    assert!(world.engine.recovery_pending());
}

#[tokio::test]
async fn accepts_messages_while_pending_work_is_retried() {
    let world = both().world();
    world.log.break_at(Some("close_turn"));
    world.ask("add one").await;
    world.log.break_at(None);
    let held = Arc::new(Semaphore::new(0));
    world.log.hold(&held);
    let (report, turn) = tokio::join!(world.engine.run_due(), async {
        world.log.looked.acquire().await.unwrap().forget();
        let op = Op::Ask {
            conversation: "main".into(),
            text: "and now".into(),
            tier: None,
        };
        let events = world.engine.submit(op).await;
        held.add_permits(Semaphore::MAX_PERMITS);
        Turn(events.expect("it is taken in").collect().await)
    });
    assert!(report.problems.is_empty());
    assert_eq!(turn.end().0, "done");
    let turns = world.log.turns(None, None).await.unwrap();
    assert!(turns.iter().all(|turn| turn.state != TurnState::Open));
}

#[tokio::test]
async fn an_effect_outside_storage_counts_as_done() {
    let world = Script::new()
        .plan("save it", vec![step("s1", "file.save", json!({"id": "a"}))])
        .world();
    world.log.break_at(Some("close_turn"));
    world.ask("save it").await;
    world.log.break_at(None);
    assert!(world.engine.run_due().await.problems.is_empty());
    let turn = world.log.turns(None, None).await.unwrap().remove(0);
    let answer = turn.answer.unwrap();
    assert!(answer.contains("Done: Saved “a.pdf”."), "{answer}");
    let effects = world.log.effects(None).await.unwrap();
    assert_eq!(effects.len(), 1);
    let receipt = effects[0].receipt.as_ref().expect("a receipt");
    let proof = receipt.proof.as_ref().expect("proof");
    assert!(
        matches!(proof, Receipt::File { path, .. } if path == "/tmp/a.pdf"),
        "{proof:?}"
    );
    assert_eq!(
        effects[0].inverse, None,
        "nobody is told that it can be taken back"
    );
}

/// Returns a world with a card for an effect outside storage.
async fn save_asked() -> (World, ActionId) {
    let world = Script::new()
        .ask_always()
        .plan("save it", vec![step("s1", "file.save", json!({"id": "a"}))])
        .world();
    let (id, _) = world.ask("save it").await.card();
    world.log.commits();
    (world, id)
}

#[tokio::test]
async fn an_approval_is_claimed_before_an_outside_effect_begins() {
    let (world, id) = save_asked().await;
    let turn = approve_refused(&world, &id, &[]).await;
    assert_eq!(turn.end(), ("done", "Saved “a.pdf”.".into()));
    assert_eq!(
        world.log.commits(),
        [
            "move_action",
            "reopen_turn",
            "begin_attempt",
            "end_attempt",
            "close_turn"
        ]
    );
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
    let effects = world.log.effects(None).await.unwrap();
    assert_eq!(effects[0].action, Some(id));
    // An action that cannot be claimed does not begin.
    let (world, id) = save_asked().await;
    approve_refused(&world, &id, &[("begin_attempt", 0)]).await;
    assert_eq!(world.backend.begun.available_permits(), 0);
    assert_eq!(world.log.effects(None).await.unwrap(), []);
    assert_eq!(world.state(&id).await, ActionState::Failed, "nor later");
}

#[tokio::test]
async fn an_unrecorded_outside_effect_is_not_reported_as_not_done() {
    let (world, id) = save_asked().await;
    let broken = [("end_attempt", 0), ("close_turn", 0)];
    approve_refused(&world, &id, &broken).await;
    assert_eq!(world.backend.begun.available_permits(), 1);
    assert_eq!(world.state(&id).await, ActionState::Unknown);
    world.engine.recover().await.unwrap();
    assert_eq!(world.backend.begun.available_permits(), 1, "once");
    // Recovery looked for the file and found it.
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
    assert_eq!(world.log.effects(None).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_interrupted_outside_effect_may_have_happened() {
    let (world, id) = save_asked().await;
    let turn = world.log.turns(None, None).await.unwrap().remove(0).id;
    use ActionState::{Approved, Executing, Pending};
    for (from, to) in [(Pending, Approved), (Approved, Executing)] {
        world
            .log
            .move_action(&id, from, to, None, jiff::Timestamp::UNIX_EPOCH)
            .await
            .unwrap();
    }
    world.log.reopen_turn(&turn).await.unwrap();
    let found = world.engine.recover().await.unwrap();
    assert_eq!(found.unknown, std::slice::from_ref(&id));
    let turn = world.log.turn(&turn).await.unwrap().unwrap();
    assert_eq!(turn.plan.unwrap().steps[0].state, StepState::Unknown);
    let answer = turn.answer.unwrap();
    assert!(
        answer.contains("May have happened, please check: file.save s1."),
        "{answer}"
    );
    assert!(!answer.contains("Nothing was done"), "{answer}");
    assert_eq!(
        world.backend.begun.available_permits(),
        0,
        "not begun again"
    );
}
