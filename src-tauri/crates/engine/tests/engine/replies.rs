//! Tests of what the next message means for waiting actions and questions.

use adjutant_domain::conversation::TurnState;
use adjutant_domain::gate::ActionState;
use adjutant_domain::plan::{AnswerKind, Question, StepDraft};
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::reading::Resume;
use adjutant_domain::record::OutboxState;
use serde_json::json;

use crate::world::{Script, World, delete, needing, send, step, task_id};

fn deletion() -> Script {
    Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete milk", vec![delete("s1", 1)])
        .plan("delete tax", vec![delete("s1", 2)])
        .plan("my tasks", vec![step("s1", "task.list", json!({}))])
}

async fn states(world: &World) -> Vec<TurnState> {
    let mut turns = world.log.turns(Some(&"main".into()), None).await.unwrap();
    turns.reverse();
    turns.iter().map(|turn| turn.state).collect()
}

#[tokio::test]
async fn a_yes_runs_the_card_shown_last() {
    let world = deletion().world();
    let turn = world.ask("delete milk").await;
    assert_eq!(
        turn.end(),
        (
            "waiting",
            "Waiting for you: Delete “Milk”. Nothing has been deleted.".into()
        )
    );
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    let (id, _) = turn.card();
    let turn = world.ask("yes").await;
    assert_eq!(turn.end(), ("done", "Deleted “Milk”.".into()));
    assert_eq!(world.tasks().await, ["Tax"]);
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
    assert_eq!(states(&world).await, [TurnState::SetAside, TurnState::Done]);
    let again = world.ask("yes").await;
    assert_eq!(again.end().1, "That was not understood.", "used once");
}

#[tokio::test]
async fn a_no_does_nothing_and_says_so() {
    let world = deletion().world();
    let (id, _) = world.ask("delete milk").await.card();
    let turn = world.ask("no").await;
    assert_eq!(turn.end(), ("done", "Nothing was deleted.".into()));
    assert_eq!(world.state(&id).await, ActionState::Denied);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn a_rejected_mail_becomes_a_draft() {
    let world = Script::new().plan("mail bob", vec![send("s1")]).world();
    let turn = world.ask("mail bob").await;
    assert!(turn.end().1.ends_with("Nothing has been sent."));
    let turn = world.ask("no").await;
    assert_eq!(
        turn.end().1,
        "Nothing was sent.\nThe mail is kept as a draft."
    );
    let outbox = world.outbox().await;
    assert_eq!(outbox.len(), 1);
    assert_eq!(outbox[0].state, OutboxState::Draft);
    assert_eq!(outbox[0].to[0].email, "bob@example.org");
    assert_eq!(outbox[0].body, "I am late.");
}

#[tokio::test]
async fn a_change_replaces_the_card_and_runs_nothing() {
    let world = deletion()
        .resume(
            "yes, but tax",
            Resume::Modify {
                text: "delete tax".into(),
            },
        )
        .resume(
            "yes, but differently",
            Resume::Modify {
                text: "nobody understands this".into(),
            },
        )
        .world();
    let (first, _) = world.ask("delete milk").await.card();
    let turn = world.ask("yes, but differently").await;
    assert!(turn.end().1.contains("still waiting"), "{:?}", turn.end());
    assert_eq!(world.state(&first).await, ActionState::Pending);
    let turn = world.ask("yes, but tax").await;
    let (second, _) = turn.card();
    assert_eq!(turn.end().0, "waiting");
    assert_eq!(world.state(&first).await, ActionState::Superseded);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    world.ask("yes").await;
    assert_eq!(world.state(&second).await, ActionState::Succeeded);
    assert_eq!(world.tasks().await, ["Milk"]);
}

#[tokio::test]
async fn a_second_change_applies_to_the_changed_text() {
    let modify = |text: &str| Resume::Modify { text: text.into() };
    let world = deletion()
        .resume("delete milk > rather tax", modify("delete tax"))
        .resume("rather tax > no, milk", modify("my tasks"))
        .resume("delete tax > no, milk", modify("delete milk"))
        .world();
    let (first, _) = world.ask("delete milk").await.card();
    let (second, _) = world.ask("rather tax").await.card();
    let (third, _) = world.ask("no, milk").await.card();
    for old in [&first, &second] {
        assert_eq!(world.state(old).await, ActionState::Superseded);
    }
    assert_eq!(world.state(&third).await, ActionState::Pending);
    world.ask("yes").await;
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn dropping_a_request_cancels_it() {
    let world = deletion().world();
    let (id, _) = world.ask("delete milk").await.card();
    let turn = world.ask("never mind").await;
    assert_eq!(turn.end(), ("done", "Dropped. Nothing was done.".into()));
    assert_eq!(world.state(&id).await, ActionState::Cancelled);
    assert_eq!(states(&world).await, [TurnState::SetAside, TurnState::Done]);
}

#[tokio::test]
async fn another_request_leaves_cards_waiting() {
    let world = deletion().world();
    let (id, digest) = world.ask("delete milk").await.card();
    let turn = world.ask("my tasks").await;
    assert_eq!(
        turn.end().1,
        "Open: Milk, Tax.\n\nStill waiting for you in Approvals: Delete “Milk”."
    );
    assert_eq!(states(&world).await, [TurnState::SetAside, TurnState::Done]);
    let turn = world.ask("yes").await;
    assert!(
        turn.end().1.contains("Nothing was approved"),
        "{:?}",
        turn.end()
    );
    assert_eq!(world.state(&id).await, ActionState::Pending);
    let turn = world
        .run(adjutant_engine::Op::Approve {
            id: id.clone(),
            digest,
            channel: adjutant_domain::gate::Channel::Window,
        })
        .await;
    assert_eq!(turn.end(), ("done", "Deleted “Milk”.".into()));
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
}

#[tokio::test]
async fn with_two_waiting_a_yes_approves_nothing() {
    let world = deletion()
        .plan("delete both", vec![delete("s1", 1), delete("s2", 2)])
        .world();
    let turn = world.ask("delete both").await;
    assert_eq!(world.pending().await.len(), 2, "both are proposed");
    assert!(
        turn.end()
            .1
            .starts_with("Waiting for you. Nothing has been deleted.")
    );
    let turn = world.ask("yes").await;
    assert!(
        turn.end().1.contains("Nothing was approved"),
        "{:?}",
        turn.end()
    );
    assert_eq!(world.pending().await.len(), 2);
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    world.ask("no").await;
    assert_eq!(world.pending().await.len(), 0);
}

#[tokio::test]
async fn one_that_waits_elsewhere_counts_too() {
    let world = deletion().world();
    world.ask_in("other", "delete tax").await;
    world.ask("delete milk").await;
    let turn = world.ask("yes").await;
    assert!(
        turn.end().1.contains("2 actions are waiting"),
        "{:?}",
        turn.end()
    );
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
}

#[tokio::test]
async fn the_same_request_twice_makes_one_card() {
    let world = deletion().world();
    let (first, _) = world.ask("delete milk").await.card();
    let (second, _) = world.ask("delete milk").await.card();
    assert_eq!(world.state(&first).await, ActionState::Superseded);
    world.ask("yes").await;
    assert_eq!(world.state(&second).await, ActionState::Succeeded);
}

#[tokio::test]
async fn an_expired_action_does_not_run() {
    let world = deletion().world();
    let (id, _) = world.ask("delete milk").await.card();
    world.later(16);
    let turn = world.ask("yes").await;
    assert!(turn.end().1.contains("expired"), "{:?}", turn.end());
    assert_eq!(world.tasks().await, ["Milk", "Tax"]);
    assert_ne!(world.state(&id).await, ActionState::Succeeded);
    let turn = world.ask("my tasks").await;
    assert_eq!(turn.end().1, "Open: Milk, Tax.");
}

#[tokio::test]
async fn a_changed_target_is_shown_again_before_it_runs() {
    let world = deletion().world();
    let (first, _) = world.ask("delete milk").await.card();
    let mut task = adjutant_testkit::make::task(&task_id(1), "Milk and bread", None);
    task.version = 2;
    world
        .records
        .put(adjutant_domain::record::Record::Task(task));
    let turn = world.ask("yes").await;
    let (end, answer) = turn.end();
    assert_eq!(end, "waiting");
    assert!(answer.contains("changed after this was shown"), "{answer}");
    assert_eq!(world.state(&first).await, ActionState::Superseded);
    assert_eq!(world.tasks().await, ["Milk and bread", "Tax"]);
    world.ask("yes").await;
    assert_eq!(world.tasks().await, ["Tax"]);
}

#[tokio::test]
async fn dependent_steps_run_after_an_approved_one() {
    let world = deletion()
        .plan(
            "delete then add",
            vec![
                delete("s1", 1),
                needing(step("s2", "task.create", json!({"title": "Tea"})), &["s1"]),
                step("s3", "task.create", json!({"title": "Now"})),
            ],
        )
        .world();
    let turn = world.ask("delete then add").await;
    assert_eq!(
        turn.end().1,
        "Added “Now”.\nWaiting for you: Delete “Milk”. This has not been deleted yet."
    );
    assert_eq!(world.tasks().await, ["Milk", "Now", "Tax"]);
    let turn = world.ask("yes").await;
    assert_eq!(
        turn.end(),
        ("done", "Deleted “Milk”.\nAdded “Tea”.".into()),
        "what was told before is not told again"
    );
    assert_eq!(world.tasks().await, ["Now", "Tax", "Tea"]);
    assert_eq!(
        world.log.effects(None).await.unwrap().len(),
        3,
        "nothing ran twice"
    );
}

#[tokio::test]
async fn a_tool_may_ask_which_one_is_meant() {
    let world = deletion()
        .plan("delete one", vec![step("s1", "task.delete", json!({}))])
        .world();
    let turn = world.ask("delete one").await;
    assert_eq!(
        turn.end(),
        ("waiting", "Which one?\n\n1. Milk\n2. Tax".into())
    );
    let turn = world.ask("Tax").await;
    assert_eq!(turn.end().0, "waiting", "the answer leads to the card");
    assert_eq!(world.pending().await[0].card.title, "Delete “Tax”");
    world.ask("yes").await;
    assert_eq!(world.tasks().await, ["Milk"]);
}

fn asked() -> StepDraft {
    StepDraft {
        question: Some(Question {
            text: "What shall it be called?".into(),
            choices: Vec::new(),
            slot: "/title".into(),
            answer: AnswerKind::Text,
        }),
        ..step("s1", "task.create", json!({}))
    }
}

#[tokio::test]
async fn an_exact_answer_reruns_the_step() {
    let world = deletion().plan("add something", vec![asked()]).world();
    let turn = world.ask("add something").await;
    assert_eq!(turn.end(), ("waiting", "What shall it be called?".into()));
    let turn = world.ask("Bread").await;
    assert_eq!(turn.end(), ("done", "Added “Bread”.".into()));
}

#[tokio::test]
async fn another_request_sets_the_question_aside() {
    let world = deletion()
        .plan("add something", vec![asked()])
        .say("hello", "Hi.")
        .resume("hello", Resume::New)
        .world();
    world.ask("add something").await;
    let turn = world.ask("hello").await;
    assert_eq!(
        turn.end().1,
        "Hi.",
        "a greeting leaves the question waiting"
    );
    assert_eq!(states(&world).await, [TurnState::Waiting, TurnState::Done]);
    let turn = world.ask("my tasks").await;
    assert_eq!(
        turn.end().1,
        "Open: Milk, Tax.\n\nSet aside: “add something”. Ask again to take it up."
    );
    assert_eq!(states(&world).await[0], TurnState::SetAside);
}

#[tokio::test]
async fn a_change_does_not_repeat_completed_steps() {
    let now = || step("s1", "task.create", json!({"title": "Now"}));
    let world = deletion()
        .plan("add and delete milk", vec![now(), delete("s2", 1)])
        .plan("add and delete tax", vec![now(), delete("s2", 2)])
        .resume(
            "yes, but tax",
            Resume::Modify {
                text: "add and delete tax".into(),
            },
        )
        .world();
    world.ask("add and delete milk").await;
    let turn = world.ask("yes, but tax").await;
    assert_eq!(turn.end().0, "waiting");
    world.ask("yes").await;
    assert_eq!(world.tasks().await, ["Milk", "Now"]);
    assert_eq!(world.log.effects(None).await.unwrap().len(), 2);
}

#[tokio::test]
async fn reruns_steps_that_depend_on_a_changed_one() {
    let draft = || {
        step(
            "s2",
            "email.draft",
            json!({"to": ["bob@example.org"], "subject": {"$from": "s1", "path": "/count"}}),
        )
    };
    let steps = |of: &str, task: usize| {
        vec![
            step("s1", "task.list", json!({ "of": of })),
            draft(),
            delete("s3", task),
        ]
    };
    let modify = |text: &str| Resume::Modify { text: text.into() };
    let world = deletion()
        .plan("mail the lunch", steps("lunch", 1))
        .plan("mail the lunch, delete tax", steps("lunch", 2))
        .plan("mail the dinner", steps("dinner", 2))
        .resume("rather tax", modify("mail the lunch, delete tax"))
        .resume("no, the dinner", modify("mail the dinner"))
        .world();
    world.ask("mail the lunch").await;
    assert_eq!(world.outbox().await.len(), 1);
    let (_, answer) = world.ask("rather tax").await.end();
    assert_eq!(world.outbox().await.len(), 1, "its list is the same");
    assert!(
        answer.starts_with("Done before, not done again: The mail is kept as a draft."),
        "{answer}"
    );
    let (_, answer) = world.ask("no, the dinner").await.end();
    assert_eq!(world.outbox().await.len(), 2, "another list, another mail");
    assert!(
        answer.starts_with("Done before, left as it is: The mail is kept as a draft."),
        "{answer}"
    );
}

#[tokio::test]
async fn a_step_added_by_a_change_reads_earlier_results() {
    let create = || step("s1", "task.create", json!({"title": "Lunch"}));
    let mail = json!({"to": ["bob@example.org"], "subject": {"$from": "s1", "path": "/id"}});
    let world = deletion()
        .plan("lunch, delete milk", vec![create(), delete("s2", 1)])
        .plan(
            "lunch, mail it, delete tax",
            vec![create(), step("s2", "email.draft", mail), delete("s3", 2)],
        )
        .resume(
            "mail it, and rather tax",
            Resume::Modify {
                text: "lunch, mail it, delete tax".into(),
            },
        )
        .world();
    world.ask("lunch, delete milk").await;
    let (kind, answer) = world.ask("mail it, and rather tax").await.end();
    assert_eq!(kind, "waiting", "{answer}");
    assert_eq!(world.outbox().await.len(), 1, "{answer}");
    let lunch = world
        .records
        .all()
        .into_iter()
        .find_map(|record| match record {
            adjutant_domain::record::Record::Task(task) if task.title == "Lunch" => Some(task.id.0),
            _ => None,
        });
    assert_eq!(Some(&world.outbox().await[0].subject), lunch.as_ref());
    assert_eq!(world.tasks().await, ["Lunch", "Milk", "Tax"]);
}
