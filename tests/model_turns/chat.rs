//! Tests of conversation: one streamed request, or none where the embedded engine knows the answer.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::model::{ReplyShape, Stage, Tier};
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::route::RouteKind;
use adjutant_engine::stages::{ModelPreferences, route};
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{ScriptedAct, says, says_json};
use serde_json::json;

use crate::world::{self, World};

#[tokio::test]
async fn the_messages_are_read_as_expected() {
    let world = World::new(ScriptedModel::default()).await;
    let read = async |text: &str| world.engine.explain(&"main".into(), text).await.unwrap();
    for (text, sure) in [
        (world::says::CHAT, true),
        (world::says::WORLD, true),
        (world::says::UNSURE, false),
        (world::says::TASKS, true),
        (world::says::MAIL, true),
        (world::says::HARD, true),
    ] {
        let (found, reading) = read(text).await;
        assert_eq!(
            route::is_sure(&found, text, false),
            sure,
            "{text}: {found:?}"
        );
        let reading = serde_json::to_value(&reading).unwrap();
        assert_eq!(reading["reading"], "not_understood", "{text}");
    }
    let (foreign, _) = read(world::says::GERMAN).await;
    assert!(route::is_foreign(&foreign), "{foreign:?}");
    let (_, reading) = read(world::says::KNOWN).await;
    assert_eq!(serde_json::to_value(&reading).unwrap()["reading"], "plan");
}

#[tokio::test]
async fn conversation_is_one_request_and_streams() {
    let model = ScriptedModel::default().on(
        Stage::Respond,
        vec![
            ScriptedAct::Think("dragons".into()),
            ScriptedAct::Say("Once upon".into()),
            ScriptedAct::Say(" a time.".into()),
        ],
    );
    let world = World::new(model).await;
    let turn = world.ask(world::says::CHAT).await;
    assert_eq!(turn.end(), ("done", "Once upon a time.".into()));
    assert_eq!(turn.pieced(), "Once upon a time.");
    assert_eq!(world.model.stages(), ["respond"]);
    assert_eq!(turn.usage(), (100, 10, 7));
    assert_eq!(turn.routed_by(), ["embedded"]);
    assert!(
        turn.names().contains(&"thinking".to_owned()),
        "{:?}",
        turn.names()
    );
    let request = world.sent("respond");
    assert_eq!(request.reply, ReplyShape::Text);
    // The only tool offered in conversation asks for the message to be planned after all.
    let offered: Vec<&str> = request
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(offered, ["plan.needed"]);
    assert_eq!(request.messages.last().unwrap().text, world::says::CHAT);
    assert!(request.system.revision.starts_with("respond/respond.v1@"));
}

#[tokio::test]
async fn answers_a_question_without_a_tool_in_one_request() {
    let model = ScriptedModel::default().on(Stage::Respond, says("Because of scattering."));
    let world = World::new(model).await;
    let turn = world.ask(world::says::WORLD).await;
    assert_eq!(turn.end().1, "Because of scattering.");
    assert_eq!(world.model.stages(), ["respond"]);
}

#[tokio::test]
async fn sends_nothing_for_what_the_embedded_engine_knows() {
    let world = World::new(ScriptedModel::default()).await;
    for text in [
        "hello",
        "thanks",
        "what is 17 * 23?",
        world::says::KNOWN,
        "what are my tasks?",
    ] {
        let turn = world.ask(text).await;
        assert_eq!(turn.end().0, "done", "{text}: {:?}", turn.end());
        assert_eq!(turn.usage(), (0, 0, 0), "{text}");
    }
    assert_eq!(world.model.stages(), Vec::<&str>::new());
    assert_eq!(world.task_titles().await, ["Call mom"]);
}

#[tokio::test]
async fn an_unsure_route_asks_the_fast_model_with_the_last_three_messages() {
    let model = ScriptedModel::default()
        .on(
            Stage::Route,
            says_json(
                &json!({"type": "chat", "domains": [], "is_followup": false, "confidence": 0.9}),
            ),
        )
        .on(Stage::Respond, says("I am sorry to hear that."));
    let world = World::new(model).await;
    for text in ["hello", "thanks", "good morning"] {
        world.ask(text).await;
    }
    let turn = world.ask(world::says::UNSURE).await;
    assert_eq!(turn.end().1, "I am sorry to hear that.");
    assert_eq!(world.model.stages(), ["route", "respond"]);
    assert_eq!(turn.routed_by(), ["scripted"]);
    let request = world.sent("route");
    assert_eq!(request.tier.name(), "fast");
    assert!(matches!(request.reply, ReplyShape::Json { .. }));
    assert!(request.messages.len() <= 4, "{:?}", request.messages);
    assert_eq!(request.messages.last().unwrap().text, world::says::UNSURE);
    let chars: usize = request.messages.iter().map(|one| one.text.len()).sum();
    assert!(
        chars + request.system.text.len() < 3_000,
        "the route stays small"
    );
}

#[tokio::test]
async fn another_language_goes_to_the_model() {
    let model = ScriptedModel::default()
        .on(
            Stage::Route,
            says_json(
                &json!({"type": "chat", "domains": [], "is_followup": false, "confidence": 0.9}),
            ),
        )
        .on(Stage::Respond, says("Köln wurde von den Römern gegründet."));
    let world = World::new(model).await;
    let turn = world.ask(world::says::GERMAN).await;
    assert_eq!(turn.end().1, "Köln wurde von den Römern gegründet.");
}

#[tokio::test]
async fn the_whole_conversation_reaches_the_answer() {
    let model = ScriptedModel::default()
        .on(Stage::Respond, says("First answer."))
        .on(Stage::Respond, says("Second answer."));
    let world = World::new(model).await;
    world.ask(world::says::CHAT).await;
    world.ask(world::says::WORLD).await;
    let sent = world.model.sent();
    let texts: Vec<&str> = sent[1]
        .messages
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    assert_eq!(
        texts,
        [world::says::CHAT, "First answer.", world::says::WORLD]
    );
}

#[tokio::test]
async fn another_model_taking_over_restarts_the_answer() {
    let model = ScriptedModel::default().on(
        Stage::Respond,
        vec![
            ScriptedAct::Say("Once".into()),
            ScriptedAct::Wait,
            ScriptedAct::TakeOver(
                "second".into(),
                Some("The first one was cut off; another one answers.".into()),
            ),
            ScriptedAct::Say("There was a dragon.".into()),
        ],
    );
    let world = World::new(model).await;
    world.model.gate.add_permits(1);
    let turn = world.ask(world::says::CHAT).await;
    assert_eq!(turn.end().1, "There was a dragon.");
    assert_eq!(turn.pieced(), "There was a dragon.");
    assert!(
        turn.statuses()
            .iter()
            .any(|text| text.contains("another one answers"))
    );
}

#[tokio::test]
async fn criticises_and_refines_a_hard_request_once() {
    let model = ScriptedModel::default()
        .on(Stage::Respond, says("A draft."))
        .on(
            Stage::Critique,
            says_json(&json!({"good": false, "problems": [{"kind": "unsupported", "what": "No source for the costs."}]})),
        )
        .on(Stage::Refine, says("A better text."));
    let world = World::new(model).await;
    let turn = world.ask(world::says::HARD).await;
    assert_eq!(turn.end().1, "A better text.");
    assert_eq!(turn.pieced(), "A better text.", "the draft is held back");
    assert_eq!(world.model.stages(), ["respond", "critique", "refine"]);
    assert!(turn.statuses().contains(&"Checking the answer".to_owned()));
    assert!(
        world
            .sent("refine")
            .messages
            .last()
            .unwrap()
            .text
            .contains("No source for the costs.")
    );
    assert_eq!(turn.usage(), (300, 30, 21));
}

#[tokio::test]
async fn shows_a_good_draft_unchanged() {
    let model = ScriptedModel::default()
        .on(Stage::Respond, says("A draft."))
        .on(
            Stage::Critique,
            says_json(&json!({"good": true, "problems": []})),
        );
    let world = World::new(model).await;
    let turn = world.ask(world::says::HARD).await;
    assert_eq!(turn.end().1, "A draft.");
    assert_eq!(world.model.stages(), ["respond", "critique"]);
}

#[tokio::test]
async fn the_tone_comes_last_and_must_not_change_facts() {
    for (toned, shown) in [
        ("Ahoy! 42 dragons, matey.", "Ahoy! 42 dragons, matey."),
        ("Ahoy! 43 dragons, matey.", "There were 42 dragons."),
    ] {
        let model = ScriptedModel::default()
            .on(Stage::Respond, says("There were 42 dragons."))
            .on(Stage::Tone, says(toned));
        let manner = ModelPreferences {
            tone: "like a pirate".into(),
            ..ModelPreferences::default()
        };
        let world = World::with(model, manner).await;
        let turn = world.ask(world::says::CHAT).await;
        assert_eq!(turn.end().1, shown);
        assert_eq!(turn.pieced(), shown);
        assert_eq!(world.model.stages(), ["respond", "tone"]);
        assert!(world.sent("tone").system.text.contains("like a pirate"));
    }
}

#[tokio::test]
async fn sends_a_status_first() {
    let model = ScriptedModel::default().on(
        Stage::Respond,
        vec![ScriptedAct::Wait, ScriptedAct::Say("x".into())],
    );
    let world = World::new(model).await;
    let mut events = world
        .engine
        .submit(adjutant_engine::Op::Ask {
            conversation: "main".into(),
            text: world::says::CHAT.into(),
            tier: None,
        })
        .await
        .unwrap();
    let mut told = Vec::new();
    // The model has not sent anything yet.
    while let Some(event) = events.next().await {
        told.push(event.event.clone());
        if matches!(event.event, TurnEvent::Status { .. }) {
            break;
        }
    }
    assert!(matches!(told.first(), Some(TurnEvent::TurnStarted { .. })));
    assert!(
        matches!(told.last(), Some(TurnEvent::Status { text }) if text == "Writing the answer")
    );
    world.model.gate.add_permits(1);
    while events.next().await.is_some() {}
}

#[tokio::test]
async fn bounds_the_number_of_events_per_answer() {
    let acts = (0..20_000)
        .map(|_| ScriptedAct::Say("word ".into()))
        .collect();
    let world = World::new(ScriptedModel::default().on(Stage::Respond, acts)).await;
    let turn = world.ask(world::says::CHAT).await;
    assert_eq!(turn.end().1.len(), 20_000 * 5 - 1);
    assert_eq!(turn.pieced().trim_end(), turn.end().1);
    assert!(turn.0.len() < 700, "{}", turn.0.len());
}

#[tokio::test]
async fn does_not_send_the_model_a_rephrased_message_twice() {
    let model = ScriptedModel::default().on(Stage::Respond, says("Once upon a time."));
    let world = World::new(model).await;
    let first = world.ask(world::says::CHAT).await;
    let other = "Tell me a story about a knight";
    let again = adjutant_engine::Op::Retry {
        turn: first.0[0].turn.clone(),
        text: Some(other.into()),
        tier: Some(Tier::Deep),
    };
    assert_eq!(world.run(again).await.end().0, "done");
    let sent = world.model.sent();
    let last = serde_json::to_string(sent.last().unwrap()).unwrap();
    assert!(last.contains(other), "{last}");
    assert!(!last.contains(world::says::CHAT), "{last}");
    assert!(!last.contains("Once upon"), "{last}");
    // The chosen tier applies to this message; the next one uses the usual tier.
    assert_eq!(sent.last().unwrap().tier, Tier::Deep);
    world.ask(world::says::CHAT).await;
    assert_eq!(world.model.sent().last().unwrap().tier, Tier::Standard);
}

#[tokio::test]
async fn models_can_be_removed_and_restored() {
    let model = ScriptedModel::default().on(Stage::Respond, says("With a model."));
    let world = World::new(model).await;
    let with = adjutant_engine::Models {
        chat: world.model.clone(),
        manner: ModelPreferences::default(),
    };
    world.engine.set_models(None);
    let alone = world.ask(world::says::CHAT).await;
    assert!(
        alone.end().1.contains("that needs a model"),
        "{:?}",
        alone.end()
    );
    assert!(world.model.stages().is_empty());
    world.engine.set_models(Some(with));
    assert_eq!(world.ask(world::says::CHAT).await.end().1, "With a model.");
}

#[tokio::test]
async fn a_models_route_with_tools_leads_to_a_plan() {
    let model = ScriptedModel::default()
        .on(
            Stage::Route,
            says_json(&json!({"type": "action", "domains": ["task"], "is_followup": false, "confidence": 0.8})),
        )
        .on(
            Stage::Plan,
            says_json(&json!({"request": "Rest", "question": null, "steps": [
                {"key": "s1", "say": "Add a task", "why": "", "tool": "task.create", "args": {"title": "Rest"}}
            ]})),
        )
        .on(Stage::Respond, says("I put a rest on your list."));
    let world = World::new(model).await;
    let turn = world.ask(world::says::UNSURE).await;
    assert_eq!(world.model.stages(), ["route", "plan", "respond"]);
    assert_eq!(turn.end().1, "I put a rest on your list.");
    assert_eq!(world.task_titles().await, ["Rest"]);
    let kind = turn.0.iter().find_map(|one| match &one.event {
        TurnEvent::Routed { route } => Some(route.kind),
        _ => None,
    });
    assert_eq!(kind, Some(RouteKind::Action));
}

#[tokio::test]
async fn the_model_answers_a_sum_the_calculator_cannot_do() {
    let text = "calculate how many tennis balls fit into a bus";
    let model = ScriptedModel::default().on(Stage::Respond, says("Some 300,000."));
    let world = World::new(model).await;
    let (route, reading) = world.engine.explain(&"main".into(), text).await.unwrap();
    let reading = serde_json::to_value(&reading).unwrap();
    let turn = world.ask(text).await;
    assert_eq!(
        turn.end(),
        ("done", "Some 300,000.".into()),
        "{route:?} {reading}"
    );
    assert_eq!(world.model.stages(), ["respond"], "{route:?} {reading}");
}

#[tokio::test]
async fn a_glance_answers_free_time_and_sums_without_traces() {
    let world = World::new(ScriptedModel::default()).await;
    let sum = world.engine.glance("what is 18 % of 2450?").await.unwrap();
    assert!(sum.unwrap().say.contains("441"));
    let free = world.engine.glance("when am I free tomorrow?").await;
    let free = free.unwrap().expect("an answer");
    assert_eq!(free.output["total"], 1, "{}", free.say);
    // Neither requests that change something, nor those that read something else, nor those that only a model can
    // answer.
    for other in [world::says::KNOWN, "show my tasks", world::says::CHAT] {
        assert!(
            world.engine.glance(other).await.unwrap().is_none(),
            "{other}"
        );
    }
    assert!(world.store.turns(None, None).await.unwrap().is_empty());
    assert!(world.store.effects(None).await.unwrap().is_empty());
    assert!(world.model.sent().is_empty());
}
