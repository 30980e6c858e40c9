//! Tests of a candidate next to the live model: it gets the same request, has no effect, and nobody waits for it.

use std::sync::{Arc, Mutex};

use adjutant_domain::model::{ChatModel, Purpose, Stage};
use adjutant_domain::reading::{Router, Utterance};
use adjutant_domain::route::{Route, RouteKind};
use adjutant_engine::shadow::{Candidate, Compared, RouterTried, Shadow, ShadowLog};
use adjutant_prompts::Texts;
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{ScriptedAct, says, says_json};
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

fn add(title: &str) -> Vec<ScriptedAct> {
    plan(
        json!([{"key": "s1", "say": "Add", "why": "", "tool": "task.create", "args": {"title": title}}]),
    )
}

fn model(candidate: &Arc<ScriptedModel>) -> Candidate {
    Candidate {
        model: Some(candidate.clone() as Arc<dyn ChatModel>),
        ..Candidate::default()
    }
}

#[tokio::test]
async fn compares_a_candidate_without_effects() {
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
        model(&candidate),
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
    // It got the same request in the background, and nothing in its reply was carried out.
    let asked = candidate.sent();
    assert_eq!(candidate.stages(), ["plan"], "answers are not compared");
    assert_eq!(asked[0].purpose, Purpose::Background);
    assert_eq!(asked[0].system, world.sent("plan").system);
    assert_eq!(world.task_titles().await, ["Live"]);
    assert!(!turn.names().contains(&"approval_needed".to_owned()));
}

#[tokio::test]
async fn a_hanging_candidate_delays_nobody() {
    let live = ScriptedModel::default()
        .on(Stage::Plan, add("One"))
        .on(Stage::Respond, says("Done."))
        .on(Stage::Plan, add("Two"))
        .on(Stage::Respond, says("Done again."));
    let candidate =
        Arc::new(ScriptedModel::named("candidate").on(Stage::Plan, vec![ScriptedAct::Hang]));
    let world = World::new(live).await;
    world.engine.set_shadow(Some(Shadow::new(
        model(&candidate),
        [Stage::Plan],
        Arc::new(Notes::default()),
    )));
    assert_eq!(world.ask(world::says::TASKS).await.end().1, "Done.");
    assert_eq!(world.ask(world::says::MAIL).await.end().1, "Done again.");
    assert_eq!(candidate.sent().len(), 1, "one at a time");
    world.engine.close().await;
}

/// Also tries another wording of the planner's prompt.
fn try_wording(world: &World, wording: &str) -> Arc<Notes> {
    let notes = Arc::new(Notes::default());
    let texts = Texts::with([("plan/plan.v1".to_owned(), wording.to_owned())]).unwrap();
    world.engine.set_shadow(Some(Shadow::new(
        Candidate {
            texts: Some(texts),
            ..Candidate::default()
        },
        Stage::ALL,
        notes.clone(),
    )));
    notes
}

#[tokio::test]
async fn tries_another_wording_with_the_answering_model() {
    let live = ScriptedModel::default()
        .on(Stage::Plan, add("Live"))
        .on(Stage::Respond, says("Done."))
        .on(Stage::Plan, add("Live"));
    let world = World::new(live).await;
    let notes = try_wording(&world, "Plan, please.{% if false %}{{ pack }}{% endif %}");
    let turn = world.ask(world::says::TASKS).await;
    assert_eq!(turn.end(), ("done", "Done.".into()));
    notes.more.notified().await;
    let compared = notes.all.lock().unwrap().clone();
    assert_eq!(compared.len(), 1);
    assert!(compared[0].same, "{compared:?}");
    let asked: Vec<_> = world
        .model
        .sent()
        .into_iter()
        .filter(|request| request.stage == Stage::Plan)
        .collect();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1].system.text, "Plan, please.");
    assert_eq!(asked[1].purpose, Purpose::Background);
    assert_eq!(asked[1].messages, asked[0].messages);
    // The name identifies the wording.
    let revision = &asked[1].system.revision;
    assert_ne!(*revision, asked[0].system.revision);
    assert!(compared[0].candidate.model.ends_with(revision.as_str()));
    assert_eq!(world.task_titles().await, ["Live"]);
}

#[tokio::test]
async fn reports_a_wording_that_cannot_be_rendered() {
    let live = ScriptedModel::default()
        .on(Stage::Plan, add("Live"))
        .on(Stage::Respond, says("Done."));
    let world = World::new(live).await;
    let notes = try_wording(&world, "Plan for {{ the_weather }}.");
    assert_eq!(world.ask(world::says::TASKS).await.end().1, "Done.");
    notes.more.notified().await;
    let compared = notes.all.lock().unwrap().clone();
    assert_eq!(compared[0].candidate.gist, json!("not rendered"));
    assert_eq!(world.model.stages(), ["plan", "respond"]);
}

/// A router that takes everything for conversation.
struct Talkative;

impl Router for Talkative {
    fn route(&self, _: &Utterance<'_>) -> Route {
        Route {
            kind: RouteKind::Chat,
            domains: Vec::new(),
            confidence: 1.0,
            is_followup: false,
            by: "talkative".into(),
        }
    }
}

async fn routed(tried: RouterTried, model: ScriptedModel) -> (World, Vec<Compared>) {
    let world = World::new(model).await;
    let notes = Arc::new(Notes::default());
    world.engine.set_shadow(Some(Shadow::new(
        Candidate {
            router: Some(tried),
            ..Candidate::default()
        },
        [Stage::Route],
        notes.clone(),
    )));
    let turn = world.ask("add a task to buy milk").await;
    assert_eq!(turn.end().0, "done");
    notes.more.notified().await;
    let compared = notes.all.lock().unwrap().clone();
    assert_eq!(world.task_titles().await, ["Buy milk"]);
    (world, compared)
}

#[tokio::test]
async fn compares_another_router_with_the_embedded_one() {
    let tried = RouterTried::Embedded {
        name: "talkative".into(),
        router: Arc::new(Talkative),
    };
    let (world, compared) = routed(tried, ScriptedModel::default()).await;
    assert_eq!(compared.len(), 1);
    assert!(!compared[0].same);
    assert_eq!(compared[0].live.gist["domains"], json!(["task"]));
    assert_eq!(compared[0].candidate.model, "talkative");
    assert_eq!(compared[0].candidate.gist["kind"], json!("chat"));
    assert!(world.model.stages().is_empty(), "no model was asked");
}

#[tokio::test]
async fn compares_a_model_with_a_confident_embedded_router() {
    let says = says_json(
        &json!({"type": "action", "domains": ["task"], "is_followup": false, "confidence": 0.9}),
    );
    let model = ScriptedModel::default().on(Stage::Route, says);
    let (world, compared) = routed(RouterTried::Model, model).await;
    assert_eq!(compared.len(), 1);
    assert!(compared[0].same, "{compared:?}");
    assert_eq!(world.model.stages(), ["route"]);
    assert_eq!(world.model.sent()[0].purpose, Purpose::Background);
}
