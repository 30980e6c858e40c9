//! Tests of finding tools by the meaning of a message, with a connected model for vectors.

use std::sync::{Arc, Mutex};

use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::Risk;
use adjutant_domain::model::{Embedder, ModelFault, Stage};
use adjutant_domain::record::Record;
use adjutant_engine::Models;
use adjutant_engine::stages::ModelPreferences;
use adjutant_testkit::model::says;
use adjutant_testkit::{ScriptedModel, make};
use async_trait::async_trait;

use crate::world::{Script, Turn, World};

const TEXT: &str = "keep in mind what tango-47 said";

/// Returns the same vector for every text, and records the texts.
#[derive(Default)]
struct OneWay {
    asked: Mutex<Vec<String>>,
    hangs: bool,
}

#[async_trait]
impl Embedder for OneWay {
    fn id(&self) -> String {
        "lab/vectors".into()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        let vectors = vec![vec![1.0, 0.0]; texts.len()];
        self.asked.lock().unwrap().extend(texts);
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Ok(vectors)
    }
}

fn world() -> World {
    let world = Script::new().world();
    let model = ScriptedModel::default()
        .on(Stage::Plan, says("no plan"))
        .on(Stage::Respond, says("An answer."));
    world.engine.set_models(Some(Models {
        chat: Arc::new(model),
        manner: ModelPreferences::default(),
    }));
    world
}

/// Returns vectors in which only this tool points in the direction of messages.
fn vectors(world: &World, tool: &str) -> Vec<Vec<f32>> {
    let texts = world.engine.tool_texts();
    texts
        .iter()
        .map(|text| {
            let points = text.starts_with(&format!("{tool}:"));
            vec![f32::from(u8::from(points)), f32::from(u8::from(!points))]
        })
        .collect()
}

fn suggested(turn: &Turn) -> Vec<String> {
    let sections = turn.0.iter().find_map(|one| match &one.event {
        TurnEvent::Context { sections, .. } => Some(sections),
        _ => None,
    });
    let tools = sections.and_then(|all| all.iter().find(|one| one.name == "tools"));
    tools.expect("tools are listed").names.clone()
}

#[tokio::test]
async fn suggests_the_meant_tool_first_without_sending_secrets() {
    let world = world();
    let mut memory = make::memory("memory_000000000001", "door code pin", "tango-47");
    memory.category = "secret".into();
    world.records.put(Record::Memory(memory));
    assert_ne!(suggested(&world.ask(TEXT).await)[0], "note.create");
    let embedder = Arc::new(OneWay::default());
    let rows = vectors(&world, "note.create");
    world
        .engine
        .set_tool_vectors(Some((embedder.clone(), rows)));
    assert_eq!(suggested(&world.ask(TEXT).await)[0], "note.create");
    let asked = embedder.asked.lock().unwrap().clone();
    assert_eq!(asked, ["keep in mind what [not shown to models] said"]);
    world.engine.set_tool_vectors(None);
    assert_ne!(suggested(&world.ask(TEXT).await)[0], "note.create");
}

#[tokio::test]
async fn missing_or_wrong_vectors_delay_nothing() {
    let world = world();
    let hanging = Arc::new(OneWay {
        hangs: true,
        ..OneWay::default()
    });
    let rows = vectors(&world, "note.create");
    world.engine.set_tool_vectors(Some((hanging.clone(), rows)));
    assert_ne!(suggested(&world.ask(TEXT).await)[0], "note.create");
    assert_eq!(hanging.asked.lock().unwrap().len(), 1);
    // With fewer vectors than tools, retrieval uses words only and requests no vector.
    let embedder = Arc::new(OneWay::default());
    world
        .engine
        .set_tool_vectors(Some((embedder.clone(), vec![vec![1.0, 0.0]])));
    assert_ne!(suggested(&world.ask(TEXT).await)[0], "note.create");
    assert!(embedder.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn vectors_follow_changes_of_the_tools() {
    let world = world();
    let embedder = Arc::new(OneWay::default());
    let mut newer = world.engine.newer_tools();
    let rows = vectors(&world, "note.create");
    world
        .engine
        .set_tool_vectors(Some((embedder.clone(), rows)));
    assert_eq!(suggested(&world.ask(TEXT).await)[0], "note.create");
    world.tools.appear("mcp.board.move", Risk::ReachesPeople);
    // The turn that first sees the change finds tools by words, and reports that there are newer ones.
    assert_ne!(suggested(&world.ask(TEXT).await)[0], "note.create");
    assert_eq!(newer.next().await, Some(()));
    let rows = vectors(&world, "mcp.board.move");
    world
        .engine
        .set_tool_vectors(Some((embedder.clone(), rows)));
    assert_eq!(suggested(&world.ask(TEXT).await)[0], "mcp.board.move");
}
