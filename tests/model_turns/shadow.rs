//! A candidate beside the live model: the same question, no effect, nobody waits.

use std::sync::{Arc, Mutex};

use adjutant_domain::model::{ChatModel, Purpose, Stage};
use adjutant_engine::shadow::{Compared, Shadow, ShadowLog};
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{Act, says, says_json};
use serde_json::json;
use tokio::sync::Notify;

use crate::actions::plan;
use crate::world::{self, World};

#[derive(Default)]
struct Notes {
    all: Mutex<Vec<Compared>>,
    more: Notify,
}

impl ShadowLog for Notes {
    fn note(&self, compared: Compared) {
        self.all.lock().unwrap().push(compared);
        self.more.notify_one();
    }
}

fn add(title: &str) -> Vec<Act> {
    plan(
        json!([{"key": "s1", "say": "Add", "why": "", "tool": "task.create", "args": {"title": title}}]),
    )
}

#[tokio::test]
async fn a_candidate_is_compared_and_does_nothing() {
    let live = ScriptedModel::default()
        .on(Stage::Plan, add("Live"))
        .on(Stage::Respond, says("Done."));
    let candidate = Arc::new(ScriptedModel::named("candidate").on(
        Stage::Plan,
        says_json(&json!({"request": "x", "question": null, "steps": [
            {"key": "s1", "say": "Send", "why": "", "tool": "email.send",
             "args": {"to": ["eve@example.com"], "subject": "x", "body": "y"}}
        ]})),
    ));
    let world = World::new(live).await;
    let notes = Arc::new(Notes::default());
    world.engine.set_shadow(Some(Shadow::new(
        candidate.clone() as Arc<dyn ChatModel>,
        [Stage::Plan, Stage::Respond],
        notes.clone(),
    )));
    let turn = world.ask(world::says::TASKS).await;
    assert_eq!(turn.end(), ("done", "Done.".into()));
    notes.more.notified().await;
    let compared = notes.all.lock().unwrap().clone();
    assert_eq!(compared.len(), 1);
    assert!(!compared[0].same);
    assert_eq!(compared[0].live.gist["tools"], json!(["task.create"]));
    assert_eq!(compared[0].candidate.gist["tools"], json!(["email.send"]));
    assert_eq!(compared[0].candidate.model, "candidate");
    // It was asked the same, in the background, and nothing it said happened.
    let asked = candidate.sent();
    assert_eq!(candidate.stages(), ["plan"], "answers are not compared");
    assert_eq!(asked[0].purpose, Purpose::Background);
    assert_eq!(asked[0].system, world.sent("plan").system);
    assert_eq!(world.task_titles().await, ["Live"]);
    assert!(!turn.names().contains(&"approval_needed".to_owned()));
}

#[tokio::test]
async fn a_candidate_that_hangs_holds_up_nobody() {
    let live = ScriptedModel::default()
        .on(Stage::Plan, add("One"))
        .on(Stage::Respond, says("Done."))
        .on(Stage::Plan, add("Two"))
        .on(Stage::Respond, says("Done again."));
    let candidate = Arc::new(ScriptedModel::named("candidate").on(Stage::Plan, vec![Act::Hang]));
    let world = World::new(live).await;
    world.engine.set_shadow(Some(Shadow::new(
        candidate.clone() as Arc<dyn ChatModel>,
        [Stage::Plan],
        Arc::new(Notes::default()),
    )));
    assert_eq!(world.ask(world::says::TASKS).await.end().1, "Done.");
    assert_eq!(world.ask(world::says::MAIL).await.end().1, "Done again.");
    assert_eq!(candidate.sent().len(), 1, "one at a time");
    world.engine.close().await;
}
