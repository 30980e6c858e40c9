//! Tests of models together with slow sources: gathering context never delays a request.

use std::sync::Arc;

use adjutant_domain::event::TurnEvent;
use adjutant_domain::model::Stage;
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::stages::ModelPreferences;
use adjutant_engine::{EventStream, Models, Op};
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{ScriptedAct, says};

use crate::asks::Slow;
use crate::world::{Script, Turn, World};

#[tokio::test]
async fn a_hanging_source_delays_no_request() {
    let world = Script::new()
        .records(|records| Arc::new(Slow(records, true)))
        .world();
    let model = Arc::new(ScriptedModel::default().on(Stage::Respond, says("An answer.")));
    world.engine.set_models(Some(Models {
        chat: model.clone(),
        manner: ModelPreferences::default(),
    }));
    let turn = world.ask("hello").await;
    assert_eq!(turn.end(), ("done", "An answer.".into()));
    let sections = turn.0.iter().find_map(|one| match &one.event {
        TurnEvent::Context { sections, .. } => Some(sections),
        _ => None,
    });
    let memories = sections.and_then(|all| all.iter().find(|one| one.name == "memories"));
    // Had the request waited for the source, the section would report that it took too long.
    assert_eq!(memories.expect("the section is listed").problem, None);
}

#[tokio::test]
async fn sends_nothing_until_the_secrets_are_known() {
    let world = Script::new()
        .records(|records| Arc::new(Slow(records, false)))
        .world();
    let model = Arc::new(ScriptedModel::default().on(Stage::Respond, says("An answer.")));
    world.engine.set_models(with(&model));
    let turn = world.ask("hello").await;
    let (kind, answer) = turn.end();
    assert_eq!(kind, "done");
    assert!(
        answer.contains("which of your memories to keep"),
        "{answer}"
    );
    assert!(model.stages().is_empty(), "{:?}", model.stages());
}

fn with(model: &Arc<ScriptedModel>) -> Option<Models> {
    Some(Models {
        chat: model.clone(),
        manner: ModelPreferences::default(),
    })
}

/// Returns a turn whose model has sent the first half of its answer and needs a permit to continue.
async fn halfway(world: &World) -> (Arc<ScriptedModel>, EventStream) {
    let acts = vec![
        ScriptedAct::Say("Once upon".into()),
        ScriptedAct::Wait,
        ScriptedAct::Say(" a time.".into()),
    ];
    let model = Arc::new(ScriptedModel::default().on(Stage::Respond, acts));
    world.engine.set_models(with(&model));
    let op = Op::Ask {
        conversation: "main".into(),
        text: "hello".into(),
        tier: None,
    };
    let stream = world.engine.submit(op).await.unwrap();
    (model, stream)
}

async fn to_its_end(model: &ScriptedModel, stream: EventStream) -> Turn {
    model.gate.add_permits(1);
    let turn = Turn(stream.collect().await);
    assert_eq!(turn.end(), ("done", "Once upon a time.".into()));
    turn
}

#[tokio::test]
async fn stores_parts_of_an_answer_while_it_streams() {
    let world = Script::new().world();
    let (model, stream) = halfway(&world).await;
    world.log.kept.acquire().await.unwrap().forget();
    // The model has not sent the rest, and only the message is committed.
    let kept = world.log.journal(&"main".into(), 0, 100).await.unwrap();
    assert_eq!(kept.last().unwrap().body["text"], "Once upon");
    let turn = to_its_end(&model, stream).await;
    let journal = world.log.journal(&"main".into(), 0, 100).await.unwrap();
    let numbers: Vec<i64> = journal.iter().map(|entry| entry.seq).collect();
    let told: Vec<i64> = turn.0.iter().map(|one| one.seq).collect();
    assert_eq!(numbers, told, "every event once");
}

#[tokio::test]
async fn stores_a_failed_part_with_the_end() {
    let world = Script::new().world();
    world.log.break_at(Some("keep_journal"));
    let (model, stream) = halfway(&world).await;
    world.log.refused.acquire().await.unwrap().forget();
    let turn = to_its_end(&model, stream).await;
    let journal = world.log.journal(&"main".into(), 0, 100).await.unwrap();
    assert_eq!(journal.len(), turn.0.len());
}

#[tokio::test]
async fn text_before_a_stop_is_the_same_live_and_stored() {
    let world = Script::new().world();
    let (_model, mut stream) = halfway(&world).await;
    let mut told = String::new();
    while let Some(one) = stream.next().await {
        match &one.event {
            TurnEvent::Token { text, restart } => {
                assert!(!restart);
                told.push_str(text);
                let all = adjutant_engine::Target::All;
                world.engine.submit(Op::Interrupt(all)).await.unwrap();
            }
            TurnEvent::Interrupted { .. } => break,
            _ => {}
        }
    }
    assert_eq!(told, "Once upon\n\nStopped here by you.");
    let (_, kept) = world.log.messages("main").pop().unwrap();
    assert_eq!(kept, told);
}

#[tokio::test]
async fn asks_no_background_model_while_quiescent() {
    let world = Script::new().world();
    let model = Arc::new(ScriptedModel::default().on(Stage::Route, says("nothing usable")));
    world.engine.set_models(with(&model));
    let rest = world.engine.quiesce().await;
    let fault = world.engine.route_by_model("hello", Vec::new()).await;
    assert_eq!(fault.unwrap_err().code, "resting");
    assert!(model.stages().is_empty(), "{:?}", model.stages());
    drop(rest);
    let fault = world.engine.route_by_model("hello", Vec::new()).await;
    assert_eq!(fault.unwrap_err().code, "model");
    assert!(!model.stages().is_empty());
}
