//! Tests with tools from servers, which the embedded engine does not know.

use adjutant_domain::server::ServerName;

use super::*;

/// Returns the stages that run when the router takes a message for conversation and the embedded planner chooses this
/// tool.
fn stages_behind(tool: &str, judges: bool, server: Option<&str>) -> Vec<&'static str> {
    let mut world = world();
    world.machine.frame.model = Some(ModelPreferences::default());
    let mut tools = vec![reader(tool, Domain::Data), reader("read.a", Domain::Task)];
    tools[0].judges = judges;
    tools[1].server = server.and_then(ServerName::near);
    world.machine.frame.tools = Arc::new(Tools::of(Arc::new(Catalog::new(1, tools)), false));
    world.feed(Input::Stored {
        past: Box::default(),
        elsewhere: Vec::new(),
    });
    world.feed(Input::Routed(route(RouteKind::Chat, &[], 0.9)));
    let draw = world.draw();
    let plan = PlanDraft {
        request: "do it".into(),
        steps: vec![step("s1", tool, &[])],
    };
    world.feed(Input::Planned {
        reading: Reading::Plan {
            plan,
            trace: Vec::new(),
        },
        draw,
    });
    world.stages(|ask| match ask {
        StageRequest::Route { .. } => Ok(StageReply::Route(route(
            RouteKind::Action,
            &[Domain::Task],
            0.9,
        ))),
        StageRequest::Plan { .. } => planned(vec![step("a", "read.a", &[])]),
        _ => text("Hello."),
    })
}

#[test]
fn a_message_that_is_no_sum_may_be_for_a_servers_tool() {
    assert_eq!(stages_behind("sum.of", true, None), ["respond"]);
    assert_eq!(
        stages_behind("sum.of", true, Some("desk")),
        ["route", "plan", "respond"]
    );
}

#[test]
fn router_and_planner_disagreeing_may_mean_a_servers_tool() {
    let behind = |server| stages_behind("read.b", false, server);
    assert_eq!(behind(None), [""; 0]);
    assert_eq!(behind(Some("desk")), ["plan", "respond"]);
}
