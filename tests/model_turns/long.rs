//! Tests of long conversations: what no longer fits is summarised in the background, and no turn waits for that.

use adjutant_domain::event::{DropReason, TurnEvent};
use adjutant_domain::model::{Purpose, Stage};
use adjutant_domain::ports::TurnLog as _;
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::{ScriptedAct, says};

use crate::world::{self, Turn, World};

/// Number of turns after which a conversation is longer than what a request shows.
const MANY: usize = 9;

/// Scripts one answer more than there are turns.
fn answers(mut model: ScriptedModel) -> ScriptedModel {
    for number in 0..=MANY {
        model = model.on(Stage::Respond, says(&format!("Story number {number}.")));
    }
    model
}

async fn talk(world: &World) {
    for _ in 0..MANY {
        let turn = world.ask(world::says::CHAT).await;
        assert_eq!(turn.end().0, "done");
    }
}

/// Returns the instructions of the last request for an answer.
fn instructions(world: &World) -> String {
    let sent = world.model.sent();
    let last = sent.iter().rev().find(|one| one.stage == Stage::Respond);
    last.map(|one| one.system.text.clone()).unwrap_or_default()
}

fn left_out(turn: &Turn) -> Vec<(u64, DropReason)> {
    let sections = turn.0.iter().filter_map(|one| match &one.event {
        TurnEvent::Context { sections, .. } => Some(sections),
        _ => None,
    });
    sections
        .flatten()
        .filter(|section| section.name == "messages")
        .flat_map(|section| &section.dropped)
        .map(|dropped| (dropped.items, dropped.why))
        .collect()
}

#[tokio::test]
async fn summarises_a_long_conversation_in_the_background() {
    let summary = "The person wants stories about dragons; eight were told.";
    let model = answers(ScriptedModel::default()).on(Stage::Summarise, says(summary));
    let world = World::new(model).await;
    talk(&world).await;
    world.model.sent_count(MANY + 1).await;
    let request = world.sent("summarise");
    assert_eq!(
        (request.purpose, request.tier.name(), request.turn),
        (Purpose::Background, "fast", None)
    );
    let asked = &request.messages.last().unwrap().text;
    assert!(asked.contains("Story number 0."), "{asked}");
    assert!(asked.contains(world::says::CHAT), "{asked}");

    let mut changed = world.store.past(&"main".into()).await.unwrap().0;
    while changed.summary.is_none() {
        tokio::task::yield_now().await;
        changed = world.store.past(&"main".into()).await.unwrap().0;
    }
    let covered = changed.summary.unwrap().messages;
    let turn = world.ask(world::says::CHAT).await;
    assert!(instructions(&world).contains(summary));
    let dropped = left_out(&turn);
    assert!(
        dropped
            .iter()
            .any(|(items, why)| *why == DropReason::Summarised && *items > 0 && *items <= covered),
        "{dropped:?}"
    );
}

#[tokio::test]
async fn a_missing_summary_delays_nothing() {
    let model = answers(ScriptedModel::default()).on(Stage::Summarise, vec![ScriptedAct::Hang]);
    let world = World::new(model).await;
    talk(&world).await;
    let turn = world.ask(world::says::CHAT).await;
    assert_eq!(turn.end().1, format!("Story number {MANY}."));
    let dropped = left_out(&turn);
    assert!(
        dropped
            .iter()
            .all(|(_, why)| *why != DropReason::Summarised)
    );
    assert!(
        dropped.iter().any(|(_, why)| *why == DropReason::Older),
        "{dropped:?}"
    );
    let summaries = world
        .model
        .stages()
        .into_iter()
        .filter(|one| *one == "summarise");
    assert!(summaries.count() <= 1, "one at a time");
}

#[tokio::test]
async fn does_not_summarise_a_short_conversation() {
    let model = ScriptedModel::default()
        .on(Stage::Respond, says("One."))
        .on(Stage::Respond, says("Two."));
    let world = World::new(model).await;
    world.ask(world::says::CHAT).await;
    world.ask(world::says::CHAT).await;
    world.engine.close().await;
    assert_eq!(world.model.stages(), ["respond", "respond"]);
}
