//! Tests that a tool used for a message is offered for the next similar one, even if neither its domain nor its words
//! match.

use adjutant_domain::model::Stage;
use adjutant_domain::ports::TurnLog as _;
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{says, says_json};
use serde_json::json;

use crate::world::{self, World};

/// A tool that has nothing to do with the message.
const TOOL: &str = "contact.find";
/// Maximum number of tries until what is read alongside the first turns is available.
const TRIES_MAX: usize = 50;

fn scripted(model: ScriptedModel) -> ScriptedModel {
    let plan = json!({"request": "Sort", "question": null, "steps": [
        {"key": "s1", "say": "Look somebody up", "why": "", "tool": TOOL, "args": {"name": "Bob"}}
    ]});
    model
        .on(Stage::Plan, says_json(&plan))
        .on(Stage::Respond, says("Done."))
}

/// Returns whether the planner was offered the tool.
async fn shown(world: &World) -> bool {
    world.ask(world::says::TASKS).await;
    let sent = world.model.sent();
    let plan = sent.iter().rev().find(|one| one.stage == Stage::Plan);
    let Some(plan) = plan else {
        panic!("no plan was asked for");
    };
    plan.system.text.contains(TOOL)
}

#[tokio::test]
async fn offers_a_used_tool_again_even_after_a_restart() {
    let model = (0..=TRIES_MAX).fold(ScriptedModel::default(), |model, _| scripted(model));
    let mut world = World::new(model).await;
    assert!(!shown(&world).await, "its words and its domain do not fit");
    let stored = world.store.tool_uses(10).await.unwrap();
    assert_eq!(stored[0].1.used, [TOOL]);
    assert!(!stored[0].1.suggested.is_empty() && !stored[0].1.rejected.is_empty());

    // The next process on this profile reads which tools were used.
    world.engine.close().await;
    let models = adjutant_engine::Models {
        chat: world.model.clone(),
        manner: adjutant_engine::stages::ModelPreferences::default(),
    };
    world.engine = world::engine(&world.store, Some(models));
    world.engine.recover().await.unwrap();
    for _ in 0..TRIES_MAX {
        if shown(&world).await {
            return;
        }
    }
    panic!("it was never shown");
}
