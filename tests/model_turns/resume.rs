//! Tests of messages while something waits: a model may classify the message, but can never approve.

use adjutant_domain::model::Stage;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{ScriptedAct, says, says_json};
use serde_json::json;

use crate::actions::plan;
use crate::world::{self, World};

fn mail(body: &str) -> Vec<ScriptedAct> {
    plan(json!([{
        "key": "s1", "say": "Send the mail to Bob", "why": "", "tool": "email.send",
        "args": {"to": ["bob@example.org"], "subject": "Norway", "body": body}
    }]))
}

/// A message that the grammar reads neither as yes or no nor as a change.
const VAGUE: &str = "hmm, perhaps make the whole thing sound a bit more cheerful and less stiff";

async fn with_a_card(model: ScriptedModel) -> World {
    let world = World::new(model.on(Stage::Plan, mail("Dear Bob."))).await;
    assert_eq!(world.ask(world::says::MAIL).await.end().0, "waiting");
    world
}

#[tokio::test]
async fn a_change_replaces_the_card() {
    let world = with_a_card(ScriptedModel::default()).await;
    world.model.then(
        Stage::Resume,
        says_json(&json!({"kind": "modify", "text": "Write Bob a long cheerful mail about our trip to Norway last summer"})),
    );
    world.model.then(Stage::Plan, mail("Hey Bob!"));
    let turn = world.ask(VAGUE).await;
    assert_eq!(turn.end().0, "waiting");
    assert_eq!(world.model.stages(), ["plan", "resume", "plan"]);
    let pending = world
        .store
        .actions(Some(adjutant_domain::gate::ActionState::Pending), None)
        .await
        .unwrap();
    assert_eq!(pending.len(), 1, "the card before is superseded");
    assert_eq!(pending[0].calls[0].args["body"], "Hey Bob!");
}

#[tokio::test]
async fn no_reply_of_a_model_is_an_approval() {
    for kind in [
        "yes", "approve", "approved", "confirm", "continue", "answer", "new",
    ] {
        let world = with_a_card(ScriptedModel::default()).await;
        world.model.then(
            Stage::Resume,
            says_json(&json!({"kind": kind, "text": "yes", "approved": true})),
        );
        for stage in [Stage::Route, Stage::Plan, Stage::Respond] {
            world
                .model
                .then(stage, says("The person approved. Approved."));
        }
        let turn = world.ask(VAGUE).await;
        assert_ne!(turn.end().0, "error", "{kind}");
        assert!(
            world
                .store
                .outbox(&Default::default())
                .await
                .unwrap()
                .is_empty(),
            "{kind}"
        );
        assert!(
            world.store.effects(None).await.unwrap().is_empty(),
            "{kind}"
        );
    }
}

#[tokio::test]
async fn a_clear_yes_or_no_asks_no_model() {
    for (text, sent) in [("yes", 1), ("no", 0)] {
        let world = with_a_card(ScriptedModel::default()).await;
        let turn = world.ask(text).await;
        assert_eq!(turn.end().0, "done");
        assert_eq!(world.model.stages(), ["plan"]);
        let outbox = world.store.outbox(&Default::default()).await.unwrap();
        let gone = outbox
            .iter()
            .filter(|one| one.state != adjutant_domain::record::OutboxState::Draft)
            .count();
        assert_eq!(gone, sent, "{text}");
    }
}

#[tokio::test]
async fn cancels_a_request_dropped_in_other_words() {
    let world = with_a_card(ScriptedModel::default()).await;
    world.model.then(
        Stage::Resume,
        says_json(&json!({"kind": "abandon", "text": null})),
    );
    let turn = world.ask(VAGUE).await;
    assert!(turn.end().1.starts_with("Dropped."), "{:?}", turn.end());
    let pending = world
        .store
        .actions(Some(adjutant_domain::gate::ActionState::Pending), None)
        .await
        .unwrap();
    assert!(pending.is_empty());
}

#[tokio::test]
async fn ignores_an_answer_the_person_did_not_give() {
    let model = ScriptedModel::default().on(
        Stage::Plan,
        plan(json!([{
            "key": "s1", "say": "Send a mail", "why": "", "tool": "email.send",
            "args": {"to": [], "subject": "Norway", "body": "Hi."}
        }])),
    );
    let world = World::new(model).await;
    let turn = world.ask(world::says::MAIL).await;
    assert_eq!(turn.end().0, "waiting", "{:?}", turn.end());
    world.model.then(
        Stage::Resume,
        says_json(&json!({"kind": "answer", "text": "eve@example.com"})),
    );
    for stage in [Stage::Route, Stage::Plan, Stage::Respond] {
        world.model.then(stage, says("Whom do you mean?"));
        world.model.then(stage, says("Whom do you mean?"));
    }
    world.ask(VAGUE).await;
    let actions = world.store.actions(None, None).await.unwrap();
    assert!(
        !serde_json::to_string(&actions)
            .unwrap()
            .contains("eve@example.com"),
        "an address that nobody said is on no card"
    );
}

#[tokio::test]
async fn a_change_with_a_question_does_not_repeat_earlier_steps() {
    let create = json!({"key": "s1", "say": "Add the task Tea", "why": "", "tool": "task.create", "args": {"title": "Tea"}});
    let send = |body: &str| {
        json!({"key": "s2", "say": "Send the mail to Bob", "why": "", "tool": "email.send",
               "args": {"to": ["bob@example.org"], "subject": "Norway", "body": body}})
    };
    let restated = "Write Bob a long cheerful mail about our trip to Norway last summer";
    let model = ScriptedModel::default()
        .on(
            Stage::Plan,
            plan(json!([create.clone(), send("Dear Bob.")])),
        )
        .on(
            Stage::Resume,
            says_json(&json!({"kind": "modify", "text": restated})),
        )
        .on(
            Stage::Plan,
            says_json(&json!({"request": "Mail Bob", "steps": [], "question": "Which summer?"})),
        )
        .on(Stage::Plan, plan(json!([create, send("Hey Bob!")])));
    let world = World::new(model).await;
    assert_eq!(world.ask(world::says::MAIL).await.end().0, "waiting");
    let (kind, answer) = world.ask(VAGUE).await.end();
    assert_eq!((kind, answer.contains("Which summer?")), ("waiting", true));
    let (kind, answer) = world.ask("the summer of 2025").await.end();
    assert_eq!(kind, "waiting", "{answer}");
    assert!(answer.contains("Done before, not done again: "), "{answer}");
    assert_eq!(world.task_titles().await, ["Tea"], "once");
}

#[tokio::test]
async fn a_question_does_not_repeat_dependent_steps() {
    let find =
        json!({"key": "s1", "say": "Look for tasks", "why": "", "tool": "task.list", "args": {}});
    let create = json!({"key": "s2", "say": "Add the task Trip", "why": "", "tool": "task.create",
                        "args": {"title": "Trip"}, "needs": ["s1"],
                        "when": {"$op": "ge", "args": [{"$from": "s1", "path": "/count"}, 0]}});
    let send = |body: &str| {
        json!({"key": "s3", "say": "Send the mail to Bob", "why": "", "tool": "email.send",
               "args": {"to": ["bob@example.org"], "subject": "Norway", "body": body}})
    };
    let restated = "Write Bob a long cheerful mail about our trip to Norway last summer";
    let model = ScriptedModel::default()
        .on(
            Stage::Plan,
            plan(json!([find.clone(), create.clone(), send("Dear Bob.")])),
        )
        .on(
            Stage::Resume,
            says_json(&json!({"kind": "modify", "text": restated})),
        )
        .on(
            Stage::Plan,
            says_json(&json!({"request": "Mail Bob", "steps": [], "question": "Which summer?"})),
        )
        .on(Stage::Plan, plan(json!([find, create, send("Hey Bob!")])));
    let world = World::new(model).await;
    assert_eq!(world.ask(world::says::MAIL).await.end().0, "waiting");
    assert_eq!(world.task_titles().await, ["Trip"]);
    let (kind, answer) = world.ask(VAGUE).await.end();
    assert_eq!((kind, answer.contains("Which summer?")), ("waiting", true));
    let (kind, answer) = world.ask("the summer of 2025").await.end();
    assert_eq!(kind, "waiting", "{answer}");
    assert_eq!(world.task_titles().await, ["Trip"], "once: {answer}");
    assert!(answer.contains("Done before, not done again: "), "{answer}");
}
