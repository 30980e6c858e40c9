//! Tests of editing a waiting plan by hand: leaving out or moving steps, and changing one item of a card.

use adjutant_domain::canonical::Digest;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::ids::{ActionId, TurnId};
use adjutant_domain::plan::{Reference, StepDraft};
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::{Op, PlanEdit};
use serde_json::json;

use crate::world::{Script, Turn, World, delete, needing, step};

/// Returns a world with two unrelated deletions and a third step that needs the second.
fn three() -> World {
    Script::new()
        .tasks(&["Milk", "Tax"])
        .plan(
            "clean up",
            vec![
                delete("s1", 1),
                delete("s2", 2),
                needing(
                    step("s3", "task.create", json!({"title": "Cleaned"})),
                    &["s2"],
                ),
            ],
        )
        .world()
}

fn cards(turn: &Turn) -> Vec<(String, ActionId, Digest)> {
    turn.0
        .iter()
        .filter_map(|one| match &one.event {
            TurnEvent::ApprovalNeeded {
                id, digest, step, ..
            } => Some((step.0.clone(), id.clone(), Digest(digest.clone()))),
            _ => None,
        })
        .collect()
}

fn order(turn: &Turn) -> Vec<String> {
    let plans = turn.0.iter().filter_map(|one| match &one.event {
        TurnEvent::Plan { steps, .. } => Some(steps),
        _ => None,
    });
    let last = plans.collect::<Vec<_>>().pop().expect("a plan");
    last.iter().map(|line| line.key.0.clone()).collect()
}

fn leave_out(turn: &TurnId, step: &str) -> Op {
    Op::EditPlan {
        turn: turn.clone(),
        edit: PlanEdit::LeaveOut { step: step.into() },
    }
}

fn put(turn: &TurnId, step: &str, before: Option<&str>) -> Op {
    Op::EditPlan {
        turn: turn.clone(),
        edit: PlanEdit::Move {
            step: step.into(),
            before: before.map(Into::into),
        },
    }
}

fn approve(id: &ActionId, digest: &Digest) -> Op {
    Op::Approve {
        id: id.clone(),
        digest: digest.clone(),
        channel: Channel::Window,
    }
}

#[tokio::test]
async fn leaving_out_a_step_shows_the_rest_again() {
    let world = three();
    let asked = world.ask("clean up").await;
    let turn = asked.0[0].turn.clone();
    let old = cards(&asked);
    assert_eq!(old.len(), 2);
    let edited = world.run(leave_out(&turn, "s1")).await;
    assert_eq!(edited.end().0, "waiting");
    let [(step, id, digest)] = &cards(&edited)[..] else {
        panic!("one card: {edited:?}");
    };
    assert_eq!(step, "s2");
    assert!(*id != old[1].1 && *digest != old[1].2, "a card of its own");
    assert_eq!(world.state(&old[0].1).await, ActionState::Cancelled);
    assert_eq!(world.state(&old[1].1).await, ActionState::Superseded);
    assert_eq!(edited.results()[0], ("s1".into(), "cancelled".into()));
    // The cards shown before no longer approve anything.
    for (_, id, digest) in &old {
        assert_eq!(world.run(approve(id, digest)).await.end().0, "error");
    }
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    assert_eq!(world.run(approve(id, digest)).await.end().0, "done");
    assert_eq!(world.tasks().await, ["Cleaned", "Milk"]);
}

#[tokio::test]
async fn needed_finished_and_unknown_steps_cannot_be_left_out() {
    let world = three();
    let asked = world.ask("clean up").await;
    let turn = asked.0[0].turn.clone();
    let before = world.log.turn(&turn).await.unwrap();
    for (op, code) in [
        (leave_out(&turn, "s2"), "needed"),
        (leave_out(&turn, "s9"), "not_found"),
        (put(&turn, "s3", Some("s2")), "needed"),
        (put(&turn, "s2", None), "needed"),
        (put(&turn, "s3", None), "same"),
        (put(&turn, "s1", Some("s1")), "same"),
        (put(&turn, "s1", Some("s9")), "not_found"),
    ] {
        let refused = world.run(op.clone()).await;
        assert_eq!(refused.end(), ("error", code.to_owned()), "{op:?}");
    }
    assert_eq!(world.log.turn(&turn).await.unwrap(), before);
    for (_, id, _) in cards(&asked) {
        assert_eq!(world.state(&id).await, ActionState::Pending);
    }
    world.run(leave_out(&turn, "s1")).await;
    let again = world.run(leave_out(&turn, "s1")).await;
    assert_eq!(again.end(), ("error", "over".to_owned()));
}

#[tokio::test]
async fn leaving_out_the_last_steps_ends_the_turn() {
    let world = three();
    let turn = world.ask("clean up").await.0[0].turn.clone();
    world.run(leave_out(&turn, "s1")).await;
    world.run(leave_out(&turn, "s3")).await;
    let end = world.run(leave_out(&turn, "s2")).await;
    assert_eq!(end.end().0, "done");
    assert!(world.pending().await.is_empty());
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    assert_eq!(
        world.run(leave_out(&turn, "s2")).await.end(),
        ("error", "not_found".to_owned()),
        "a turn that ended has no plan that waits"
    );
}

#[tokio::test]
async fn reorders_steps() {
    let world = three();
    let asked = world.ask("clean up").await;
    let turn = asked.0[0].turn.clone();
    assert_eq!(order(&asked), ["s1", "s2", "s3"]);
    let edited = world.run(put(&turn, "s1", None)).await;
    assert_eq!(edited.end().0, "waiting");
    assert_eq!(order(&edited), ["s2", "s3", "s1"]);
    let fresh = cards(&edited);
    let steps: Vec<&str> = fresh.iter().map(|(step, ..)| step.as_str()).collect();
    assert_eq!(steps, ["s2", "s1"]);
    let back = world.run(put(&turn, "s1", Some("s2"))).await;
    assert_eq!(order(&back), ["s1", "s2", "s3"]);
    for (_, id, digest) in cards(&back) {
        world.run(approve(&id, &digest)).await;
    }
    assert_eq!(world.tasks().await, ["Cleaned"]);
}

/// Returns a world whose plan deletes everything listed, with one card.
fn batch() -> World {
    let each = StepDraft {
        needs: vec!["s1".into()],
        each: Some(Reference {
            from: "s1".into(),
            path: "/tasks".into(),
        }),
        ..step("s2", "task.delete", json!({"id": {"$item": "/id"}}))
    };
    Script::new()
        .tasks(&["Milk", "Tax", "Keep"])
        .plan("delete all", vec![step("s1", "task.list", json!({})), each])
        .world()
}

fn change(id: &ActionId, number: usize, call: Option<usize>) -> Op {
    Op::Edit {
        id: id.clone(),
        args: json!({"id": crate::world::task_id(number)}),
        call,
    }
}

#[tokio::test]
async fn changes_one_of_several_calls_on_a_card() {
    let world = batch();
    world.log.commits();
    let (id, old) = world.ask("delete all").await.card();
    for (op, code) in [
        (change(&id, 1, None), "batch"),
        (change(&id, 1, Some(3)), "not_found"),
        (change(&id, 1, Some(1)), "same"),
    ] {
        let refused = world.run(op.clone()).await;
        assert_eq!(refused.end(), ("error", code.to_owned()), "{op:?}");
    }
    let edited = world.run(change(&id, 4, Some(0))).await;
    assert_eq!(edited.end().0, "error", "there is no such task: {edited:?}");
    assert_eq!(world.state(&id).await, ActionState::Pending);

    // A task added later takes the place of the first one.
    let late = adjutant_testkit::make::task(&crate::world::task_id(4), "Late", None);
    world
        .records
        .put(adjutant_domain::record::Record::Task(late));
    let edited = world.run(change(&id, 4, Some(0))).await;
    let (new, digest) = edited.card();
    assert_eq!(world.state(&id).await, ActionState::Superseded);
    assert_eq!(world.run(approve(&id, &old)).await.end().0, "error");
    // The edit survives a change of the plan around it.
    let turn = edited.0[0].turn.clone();
    let refused = world.run(put(&turn, "s2", None)).await;
    assert_eq!(refused.end(), ("error", "same".to_owned()));
    assert_eq!(world.run(approve(&new, &digest)).await.end().0, "done");
    assert_eq!(world.tasks().await, ["Milk"]);
}

#[tokio::test]
async fn steps_report_their_duration() {
    let world = batch();
    let turn = world.ask("delete all").await;
    let took = turn.0.iter().find_map(|one| match &one.event {
        TurnEvent::ToolResult { step, ms, .. } if step.0 == "s1" => Some(*ms),
        _ => None,
    });
    assert!(matches!(took, Some(Some(_))), "{took:?}");
}
