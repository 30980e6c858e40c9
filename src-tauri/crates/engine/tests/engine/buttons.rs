//! Tests of approving, rejecting, editing, answering, undoing and retrying by button or from the command line.

use adjutant_domain::canonical::Digest;
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::ids::ActionId;
use adjutant_domain::plan::{AnswerKind, Question, StepDraft};
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::record::Record;
use adjutant_engine::{Answer, Op};
use adjutant_testkit::make;
use serde_json::json;

use crate::world::{Script, Turn, delete, needing, send, step, task_id};

fn approve(id: &ActionId, digest: &Digest) -> Op {
    Op::Approve {
        id: id.clone(),
        digest: digest.clone(),
        channel: Channel::CommandLine,
    }
}

fn deletion() -> Script {
    Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete milk", vec![delete("s1", 1)])
}

#[tokio::test]
async fn approving_continues_the_same_turn() {
    let world = deletion().world();
    let asked = world.ask("delete milk").await;
    let (id, digest) = asked.card();
    world.log.commits();
    let turn = world.run(approve(&id, &digest)).await;
    assert_eq!(turn.end(), ("done", "Deleted “Milk”.".into()));
    assert_eq!(turn.0[0].turn, asked.0[0].turn, "the same turn");
    assert_eq!(turn.0[0].seq, asked.0.last().unwrap().seq + 1);
    assert_eq!(
        world.log.commits(),
        ["move_action", "reopen_turn", "commit_effect", "close_turn"]
    );
    let action = world.log.action(&id).await.unwrap().unwrap();
    assert_eq!(action.channel, Some(Channel::CommandLine));
    let again = world.run(approve(&id, &digest)).await;
    assert_eq!(again.end(), ("error", "not_pending".into()), "used once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_presses_at_once_one_runs() {
    let world = deletion().world();
    let (id, digest) = world.ask("delete milk").await.card();
    world.log.commits();
    let presses = (0..64).map(|_| world.run(approve(&id, &digest)));
    let turns = futures::future::join_all(presses).await;
    let ends: Vec<_> = turns.iter().map(Turn::end).collect();
    let done = ends.iter().filter(|end| end.0 == "done").count();
    assert_eq!(done, 1, "{ends:?}");
    let refused = ("error", "not_pending".to_owned());
    assert_eq!(ends.iter().filter(|end| **end == refused).count(), 63);
    let effects = world.log.commits();
    let effects = effects.iter().filter(|commit| **commit == "commit_effect");
    assert_eq!(effects.count(), 1);
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn refusals_change_nothing() {
    let world = deletion().world();
    let (id, digest) = world.ask("delete milk").await.card();
    world.log.commits();
    let wrong = world.run(approve(&id, &Digest("0".repeat(64)))).await;
    assert_eq!(wrong.end(), ("error", "wrong_digest".into()));
    let unknown = world.run(approve(&"act_nothing".into(), &digest)).await;
    assert_eq!(unknown.end(), ("error", "not_found".into()));
    world.log.tamper(&id, |action| {
        action.calls[0].args = json!({"id": task_id(2)});
    });
    let altered = world.run(approve(&id, &digest)).await;
    assert_eq!(altered.end().0, "error", "{:?}", altered.end());
    assert_eq!(world.log.commits(), Vec::<&str>::new());
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    world.later(16);
    let late = world.run(approve(&id, &digest)).await;
    assert_eq!(late.end(), ("error", "expired".into()));
    assert_eq!(world.state(&id).await, ActionState::Expired);
}

#[tokio::test]
async fn a_changed_target_gets_a_new_card() {
    let world = deletion().world();
    let (id, digest) = world.ask("delete milk").await.card();
    let mut task = make::task(&task_id(1), "Milk!", None);
    task.version = 2;
    world.records.put(Record::Task(task));
    let turn = world.run(approve(&id, &digest)).await;
    let (new, digest) = turn.card();
    assert_eq!(turn.end().0, "waiting");
    assert_eq!(world.state(&id).await, ActionState::Superseded);
    assert_eq!(world.run(approve(&new, &digest)).await.end().0, "done");
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn answers_two_cards_separately() {
    let world = deletion()
        .plan(
            "delete both",
            vec![
                delete("s1", 1),
                delete("s2", 2),
                needing(
                    step("s3", "task.create", json!({"title": "Tea"})),
                    &["s1", "s2"],
                ),
            ],
        )
        .world();
    world.ask("delete both").await;
    let cards = world.pending().await;
    let first = world.run(approve(&cards[0].id, &cards[0].digest)).await;
    assert_eq!(first.end().0, "waiting");
    assert_eq!(world.tasks().await, ["Tax"]);
    let second = world.run(approve(&cards[1].id, &cards[1].digest)).await;
    assert_eq!(second.end().0, "done");
    assert_eq!(world.tasks().await, ["Tea"]);
}

#[tokio::test]
async fn rejecting_one_blocks_only_dependent_steps() {
    let world = deletion()
        .plan(
            "plan",
            vec![
                delete("s1", 1),
                needing(step("s2", "task.create", json!({"title": "Tea"})), &["s1"]),
            ],
        )
        .world();
    let (id, _) = world.ask("plan").await.card();
    let turn = world
        .run(Op::Reject {
            id: id.clone(),
            channel: Channel::Window,
        })
        .await;
    assert_eq!(turn.end(), ("done", "Nothing was deleted.".into()));
    assert_eq!(
        turn.results(),
        [
            ("s1".to_owned(), "cancelled".to_owned()),
            ("s2".into(), "blocked".into())
        ]
    );
    assert_eq!(world.state(&id).await, ActionState::Denied);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn an_edit_creates_a_new_card() {
    let world = Script::new().plan("mail bob", vec![send("s1")]).world();
    let (id, old) = world.ask("mail bob").await.card();
    let turn = world
        .run(Op::Edit {
            id: id.clone(),
            args: json!({"to": ["bob@example.org"], "subject": "Hi", "body": "I am very late."}),
            call: None,
        })
        .await;
    let (new, digest) = turn.card();
    assert_eq!(world.state(&id).await, ActionState::Superseded);
    assert_eq!(world.run(approve(&new, &old)).await.end().0, "error");
    assert_eq!(world.run(approve(&new, &digest)).await.end().0, "done");
    assert_eq!(world.outbox().await[0].body, "I am very late.");
}

#[tokio::test]
async fn a_button_answers_a_question() {
    let question = StepDraft {
        question: Some(Question {
            text: "What?".into(),
            choices: Vec::new(),
            slot: "/title".into(),
            answer: AnswerKind::Text,
        }),
        ..step("s1", "task.create", json!({}))
    };
    let world = Script::new().plan("add", vec![question]).world();
    let asked = world.ask("add").await;
    let id = adjutant_engine::question_id(&asked.0[0].turn, &"s1".into());
    let answer = |question: &str, text: &str| Op::Answer {
        question: question.into(),
        answer: Answer::Text(text.into()),
    };
    assert_eq!(world.run(answer("turn_x:s1", "Tea")).await.end().0, "error");
    let turn = world.run(answer(&id, "Tea")).await;
    assert_eq!(turn.end(), ("done", "Added “Tea”.".into()));
    assert_eq!(world.run(answer(&id, "Tea")).await.end().0, "error", "once");
}

#[tokio::test]
async fn undoes_an_effect_once_and_only_without_later_changes() {
    let world = Script::new()
        .plan(
            "add",
            vec![step("s1", "task.create", json!({"title": "Tea"}))],
        )
        .world();
    world.ask("add").await;
    let effect = world.log.effects(None).await.unwrap()[0].clone();
    let undo = || Op::Undo {
        effect: effect.id.clone(),
    };
    let turn = world.run(undo()).await;
    assert_eq!(turn.end(), ("done", "Undone: Added “Tea”.".into()));
    assert_eq!(world.tasks().await, Vec::<String>::new());
    assert_eq!(world.run(undo()).await.end(), ("error", "undone".into()));

    world.ask("add").await;
    let effect = world.log.effects(None).await.unwrap()[0].clone();
    let Some(Record::Task(mut task)) = world.records.all().pop() else {
        panic!("the task");
    };
    task.version = 5;
    world.records.put(Record::Task(task));
    let turn = world.run(Op::Undo { effect: effect.id }).await;
    assert_eq!(turn.end(), ("error", "conflict".into()));
    assert_eq!(world.tasks().await, ["Tea"]);
}

#[tokio::test]
async fn a_retry_asks_the_same_message_again() {
    let world = Script::new()
        .tasks(&["Milk"])
        .plan("my tasks", vec![step("s1", "task.list", json!({}))])
        .world();
    let turn = world.ask("my tasks").await;
    let again = world.run(retry(&turn, None)).await;
    assert_eq!(again.end(), ("done", "Open: Milk.".into()));
    let unknown = Op::Retry {
        turn: "turn_nothing".into(),
        text: None,
        tier: None,
    };
    assert_eq!(
        world.run(unknown).await.end(),
        ("error", "not_found".into())
    );
    let empty = world.run(retry(&turn, Some(" "))).await;
    assert_eq!(empty.end(), ("error", "empty".into()));
}

/// Returns the operation that asks the message of a turn again.
fn retry(turn: &Turn, text: Option<&str>) -> Op {
    Op::Retry {
        turn: turn.0[0].turn.clone(),
        text: text.map(str::to_owned),
        tier: None,
    }
}

#[tokio::test]
async fn rephrasing_replaces_waiting_actions_and_keeps_effects() {
    let world = Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("my tasks", vec![step("s1", "task.list", json!({}))])
        .plan("delete milk", vec![delete("s1", 1)])
        .plan("delete tax", vec![delete("s1", 2)])
        .world();
    let first = world.ask("delete milk").await;
    let (milk, digest) = first.card();
    let again = world.run(retry(&first, Some("delete tax"))).await;
    let (tax, _) = again.card();
    assert_eq!(
        again.0[0].event,
        adjutant_domain::event::TurnEvent::TurnStarted {
            text: "delete tax".into(),
            instead_of: Some(first.0[0].turn.clone()),
        }
    );
    let old = world.log.action(&milk).await.unwrap().unwrap();
    assert_eq!(old.state, ActionState::Superseded);
    let late = world.run(approve(&milk, &digest)).await;
    assert_eq!(late.end(), ("error", "not_pending".into()));

    let new = world.log.action(&tax).await.unwrap().unwrap();
    let done = world.run(approve(&new.id, &new.digest)).await;
    assert_eq!(done.end(), ("done", "Deleted “Tax”.".into()));
    let listed = world.run(retry(&first, Some("my tasks"))).await;
    assert_eq!(listed.end(), ("done", "Open: Milk.".into()), "Tax is gone");
}

#[tokio::test]
async fn a_retry_keeps_actions_of_earlier_turns() {
    let world = Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("my tasks", vec![step("s1", "task.list", json!({}))])
        .plan("delete milk", vec![delete("s1", 1)])
        .world();
    let (milk, digest) = world.ask("delete milk").await.card();
    let listed = world.ask("my tasks").await;
    world.run(retry(&listed, None)).await;
    let turn = world.run(approve(&milk, &digest)).await;
    assert_eq!(turn.end(), ("done", "Deleted “Milk”.".into()));
}

#[tokio::test]
async fn retrying_a_yes_approves_nothing() {
    let world = deletion().world();
    let asked = world.ask("delete milk").await;
    let (id, _) = asked.card();
    world.run(retry(&asked, Some("yes"))).await;
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    let action = world.log.action(&id).await.unwrap().unwrap();
    assert_eq!(
        action.state,
        ActionState::Pending,
        "it did not become a plan"
    );
}

#[tokio::test]
async fn reports_an_unstored_answer_and_keeps_the_card() {
    let world = deletion().world();
    let (id, digest) = world.ask("delete milk").await.card();
    world.log.break_at(Some("move_action"));
    for op in [
        approve(&id, &digest),
        Op::Reject {
            id: id.clone(),
            channel: Channel::Window,
        },
    ] {
        assert_eq!(world.run(op).await.end(), ("error", "disk_full".into()));
    }
    for reply in ["yes", "no"] {
        world.ask("delete milk").await;
        let (kind, answer) = world.ask(reply).await.end();
        assert_eq!(kind, "waiting", "{answer}");
        assert!(
            answer.contains("could not be stored, so nothing was done"),
            "{answer}"
        );
    }
    world.log.break_at(None);
    let waiting = world.pending().await.pop().unwrap();
    let turn = world.run(approve(&waiting.id, &waiting.digest)).await;
    assert_eq!(turn.end(), ("done", "Deleted “Milk”.".into()));
}

#[tokio::test]
async fn reports_a_stop_that_cannot_be_stored() {
    let world = deletion().world();
    let (id, _) = world.ask("delete milk").await.card();
    let (from, to) = (ActionState::Pending, ActionState::Approved);
    world
        .log
        .move_action(&id, from, to, None, jiff::Timestamp::UNIX_EPOCH)
        .await
        .unwrap();
    world.log.break_at(Some("move_action"));
    let all = adjutant_engine::Target::All;
    let fault = world.engine.interrupt(&all).await.unwrap_err();
    assert_eq!(fault.code, "disk_full");
    assert!(fault.what.contains("could not be cancelled"), "{fault}");
    world.log.break_at(None);
    world.engine.interrupt(&all).await.unwrap();
    assert_eq!(world.state(&id).await, ActionState::Cancelled);
}

#[tokio::test]
async fn approvals_of_an_interrupted_turn_do_not_run_later() {
    let world = deletion().world();
    let (id, digest) = world.ask("delete milk").await.card();
    world.log.break_at(Some("break off"));
    let turn = world.run(approve(&id, &digest)).await;
    assert_eq!(turn.end(), ("error", "internal".into()));
    world.log.break_at(None);
    assert_eq!(world.state(&id).await, ActionState::Cancelled);
    let answer = world.log.messages("main").pop().unwrap().1;
    assert!(answer.contains("not done yet is cancelled"), "{answer}");
    world.engine.recover().await.unwrap();
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn effects_in_other_conversations_do_not_hide_an_undo() {
    let steps = |title: &str| vec![step("s1", "task.create", json!({ "title": title }))];
    let world = Script::new()
        .plan("add tea", steps("Tea"))
        .plan("add more", steps("More"))
        .undo("undo")
        .world();
    world.ask("add tea").await;
    for _ in 0..201 {
        world.ask_in("other", "add more").await;
    }
    assert_eq!(world.ask("undo").await.end().1, "Undone: Added “Tea”.");
    let (_, answer) = world.ask("undo").await.end();
    assert!(
        answer.starts_with("Nothing was done in this conversation"),
        "{answer}"
    );
}
