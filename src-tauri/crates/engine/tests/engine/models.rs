//! Models beside slow sources: nothing that is gathered holds up a request.

use std::sync::Arc;

use adjutant_domain::event::TurnEvent;
use adjutant_domain::model::Stage;
use adjutant_engine::Models;
use adjutant_engine::stages::Manner;
use adjutant_testkit::ScriptedModel;
use adjutant_testkit::model::says;

use crate::asks::Slow;
use crate::world::Script;

#[tokio::test]
async fn a_source_that_hangs_holds_up_no_request() {
    let world = Script::new()
        .records(|records| Arc::new(Slow(records)))
        .world();
    let model = Arc::new(ScriptedModel::default().on(Stage::Respond, says("An answer.")));
    world.engine.set_models(Some(Models {
        chat: model.clone(),
        manner: Manner::default(),
    }));
    let turn = world.ask("hello").await;
    assert_eq!(turn.end(), ("done", "An answer.".into()));
    let sections = turn.0.iter().find_map(|one| match &one.event {
        TurnEvent::Context { sections } => Some(sections),
        _ => None,
    });
    let memories = sections.and_then(|all| all.iter().find(|one| one.name == "memories"));
    // A request that had waited for the source would know that it took too long.
    assert_eq!(memories.expect("the section is listed").problem, None);
}
