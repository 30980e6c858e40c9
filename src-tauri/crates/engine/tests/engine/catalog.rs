//! Tests of tools that appear and disappear while the engine runs.

use std::sync::Arc;

use adjutant_domain::canonical::Digest;
use adjutant_domain::catalog::Catalog;
use adjutant_domain::gate::{ActionState, Channel, Risk};
use adjutant_domain::ids::ActionId;
use adjutant_domain::tool::ToolSpec;
use adjutant_engine::Op;
use serde_json::json;

use crate::script::{Tools, spec};
use crate::world::{Script, Turn, World, step};

impl Tools {
    /// Adds a tool of a server.
    pub fn appear(&self, name: &str, risk: Risk) {
        self.change(|specs| specs.push(spec(name, risk)));
    }

    /// Removes the tool, as when its server is closed.
    fn vanish(&self, name: &str) {
        self.change(|specs| specs.retain(|spec| spec.name != name));
    }

    /// Changes the tool's description, as its server could.
    fn describe(&self, name: &str, describe: impl FnOnce(&mut ToolSpec)) {
        self.change(|specs| {
            let spec = specs.iter_mut().find(|spec| spec.name == name);
            describe(spec.expect("it is there"));
        });
    }

    /// Returns how often a tool ran.
    fn runs_of(&self, tool: &str) -> usize {
        let ran = self.ran.lock().expect("not poisoned");
        ran.iter().filter(|(_, call)| call.tool == tool).count()
    }

    fn change(&self, change: impl FnOnce(&mut Vec<ToolSpec>)) {
        let mut catalog = self.catalog.write().expect("not poisoned");
        let mut specs = catalog.specs().to_vec();
        change(&mut specs);
        *catalog = Arc::new(Catalog::new(catalog.version() + 1, specs));
    }
}

const TOOL: &str = "mcp.board.move";

fn script() -> Script {
    Script::new().plan(
        "move the card",
        vec![step("s1", TOOL, json!({ "title": "Milk" }))],
    )
}

async fn approve(world: &World, (id, digest): (ActionId, Digest)) -> Turn {
    let op = Op::Approve {
        id,
        digest,
        channel: Channel::Window,
    };
    Turn(world.engine.submit(op).await.unwrap().collect().await)
}

#[tokio::test]
async fn the_next_turn_uses_a_new_tool() {
    let world = script().world();
    let (end, text) = world.ask("move the card").await.end();
    assert!(text.contains("no tool called"), "{end} {text}");
    world.tools.appear(TOOL, Risk::ReachesPeople);
    let turn = world.ask("move the card").await;
    let (end, _) = turn.end();
    assert_eq!(end, "waiting");
    assert_eq!(approve(&world, turn.card()).await.end().0, "done");
    assert_eq!(world.tools.runs_of(TOOL), 1);
}

#[tokio::test]
async fn a_card_with_a_removed_tool_says_so_and_never_runs() {
    let world = script().world();
    world.tools.appear(TOOL, Risk::ReachesPeople);
    let card = world.ask("move the card").await.card();
    world.tools.vanish(TOOL);
    let answered = approve(&world, card.clone()).await;
    let said = serde_json::to_string(&answered.0.last().unwrap().event).unwrap();
    assert!(said.contains("mcp.board.move is no longer there"), "{said}");
    assert_eq!(world.tools.runs_of(TOOL), 0);
    assert_ne!(world.state(&card.0).await, ActionState::Succeeded);
    // Its return does not restore the approval.
    world.tools.appear(TOOL, Risk::ReachesPeople);
    let op = Op::Approve {
        id: card.0.clone(),
        digest: card.1,
        channel: Channel::Window,
    };
    if let Ok(events) = world.engine.submit(op).await {
        events.collect().await;
    }
    assert_eq!(world.tools.runs_of(TOOL), 0);
}

#[tokio::test]
async fn an_earlier_approval_does_not_run_without_its_tool() {
    let world = script().world();
    world.tools.appear(TOOL, Risk::ReachesPeople);
    let (id, _) = world.ask("move the card").await.card();
    world
        .log
        .tamper(&id, |action| action.state = ActionState::Approved);
    world.tools.vanish(TOOL);
    world.engine.recover().await.unwrap();
    assert_eq!(world.tools.runs_of(TOOL), 0);
    assert_ne!(world.state(&id).await, ActionState::Approved);
}

type Describe = fn(&mut ToolSpec);

/// Changes that a server may make to a tool's description.
const DESCRIBED_ANEW: [(&str, Describe); 2] = [
    ("schema", |spec| {
        spec.schema = json!({"properties": {"title": {}, "board": {}}}).into();
    }),
    ("description", |spec| {
        spec.description = "Deletes the card.".into();
    }),
];

#[tokio::test]
async fn a_changed_description_asks_again() {
    for (what, describe) in DESCRIBED_ANEW {
        let world = script().world();
        world.tools.appear(TOOL, Risk::ReachesPeople);
        let shown = world.ask("move the card").await.card();
        world.tools.describe(TOOL, describe);
        let turn = approve(&world, shown.clone()).await;
        assert_eq!(turn.end().0, "waiting", "{what}: shown anew");
        assert_eq!(world.tools.runs_of(TOOL), 0, "{what}");
        assert_eq!(
            world.state(&shown.0).await,
            ActionState::Superseded,
            "{what}"
        );
        let anew = turn.card();
        assert_ne!(
            anew.1, shown.1,
            "{what}: what was shown first permits nothing"
        );
        assert_eq!(approve(&world, anew).await.end().0, "done", "{what}");
        assert_eq!(world.tools.runs_of(TOOL), 1, "{what}");
    }
}

#[tokio::test]
async fn a_changed_description_after_a_restart_asks_again() {
    for (what, describe) in DESCRIBED_ANEW {
        let world = script().world();
        world.tools.appear(TOOL, Risk::ReachesPeople);
        let (id, _) = world.ask("move the card").await.card();
        world
            .log
            .tamper(&id, |action| action.state = ActionState::Approved);
        world.tools.describe(TOOL, describe);
        world.engine.recover().await.unwrap();
        assert_eq!(world.tools.runs_of(TOOL), 0, "{what}");
        assert_ne!(world.state(&id).await, ActionState::Approved, "{what}");
    }
}

#[tokio::test]
async fn changed_search_words_of_a_tool_change_nothing() {
    let world = script().world();
    world.tools.appear(TOOL, Risk::ReachesPeople);
    let card = world.ask("move the card").await.card();
    world
        .tools
        .describe(TOOL, |spec| spec.phrases.push("shift".into()));
    assert_eq!(approve(&world, card).await.end().0, "done");
    assert_eq!(world.tools.runs_of(TOOL), 1);
}
