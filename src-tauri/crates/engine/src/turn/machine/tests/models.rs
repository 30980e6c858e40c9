//! Tests of models in a turn: which request is made when, and that no reply can do more than its stage permits.

mod honest;
mod servers;

use adjutant_domain::faults::UserFault;
use adjutant_domain::model::{ModelFault, Stage};
use adjutant_domain::plan::StepState;
use adjutant_domain::route::{Domain, Route, RouteKind};

use super::*;
use crate::stages::plan::Planned;
use crate::stages::resume::Classified;
use crate::stages::{Again, Failed, ModelPreferences, StageReply, StageRequest, ToolProposal};

fn route(kind: RouteKind, domains: &[Domain], confidence: f64) -> Route {
    Route {
        kind,
        domains: domains.to_vec(),
        is_followup: false,
        confidence,
        by: "embedded".into(),
    }
}

/// Starts a turn whose message the embedded engine does not understand, and runs it to its first request to a model.
fn asked(route: Route) -> World {
    let mut world = world();
    world.machine.frame.model = Some(ModelPreferences::default());
    let tools = vec![reader("read.a", Domain::Task)];
    world.machine.frame.tools = Arc::new(Tools::of(Arc::new(Catalog::new(1, tools)), false));
    world.feed(Input::Stored {
        past: Box::default(),
        elsewhere: Vec::new(),
    });
    world.feed(Input::Routed(route));
    let draw = world.draw();
    world.feed(Input::Planned {
        reading: Reading::NotUnderstood {
            text: "Not understood.".into(),
            near: vec!["Show my tasks".into()],
            trace: Vec::new(),
        },
        draw,
    });
    world
}

impl World {
    /// Returns the open request to a model, after performing everything before it.
    fn question(&mut self) -> Option<StageRequest> {
        while let Some(effect) = self.todo.front() {
            if let Effect::AskModel(ask) = effect {
                let ask = (**ask).clone();
                self.todo.pop_front();
                return Some(ask);
            }
            self.one();
        }
        None
    }

    fn reply(&mut self, ask: StageRequest, said: Result<StageReply, Failed>) {
        let draw = self.draw();
        self.feed(Input::ModelSaid {
            ask: Box::new(ask),
            said,
            draw,
        });
    }

    /// Answers every request with `reply` until the turn ends. Returns the stages.
    fn stages(
        &mut self,
        mut reply: impl FnMut(&StageRequest) -> Result<StageReply, Failed>,
    ) -> Vec<&'static str> {
        let mut stages = Vec::new();
        while let Some(ask) = self.question() {
            stages.push(ask.stage().name());
            assert!(stages.len() < 12, "{stages:?}");
            let said = reply(&ask);
            self.reply(ask, said);
        }
        while self.one() {}
        assert!(self.closed.is_some(), "the turn ends: {:?}", self.trace);
        stages
    }
}

fn text(text: &str) -> Result<StageReply, Failed> {
    Ok(StageReply::Text {
        text: text.into(),
        cut: false,
        proposals: Vec::new(),
    })
}

fn planned(steps: Vec<StepDraft>) -> Result<StageReply, Failed> {
    Ok(StageReply::Plan(Planned {
        draft: PlanDraft {
            request: "do it".into(),
            steps,
        },
        question: None,
    }))
}

fn asks_back() -> Result<StageReply, Failed> {
    Ok(StageReply::Plan(Planned {
        draft: PlanDraft::default(),
        question: Some("Which one?".into()),
    }))
}

/// Starts the next turn, in which the person answers the question that ended the last one.
fn answered(before: &World) -> Option<World> {
    let end = before.closed.as_ref()?;
    let plan = end.plan.clone()?;
    if !plan
        .steps
        .iter()
        .any(|step| matches!(step.state, StepState::NeedsAnswer { .. }))
    {
        return None;
    }
    let mut world = world();
    world
        .machine
        .frame
        .model
        .clone_from(&before.machine.frame.model);
    world
        .machine
        .frame
        .tools
        .clone_from(&before.machine.frame.tools);
    world.machine.frame.turn = "turn_2".into();
    let past = adjutant_domain::conversation::Past {
        waiting: Some(adjutant_domain::conversation::Turn {
            id: end.turn.clone(),
            conversation: end.conversation.clone(),
            text: "do it".into(),
            at: end.at,
            instead_of: None,
            state: end.state,
            route: end.route.clone(),
            plan: Some(plan),
            answer: None,
        }),
        pending: end.pending.clone(),
        ..Default::default()
    };
    world.feed(Input::Stored {
        past: Box::new(past),
        elsewhere: Vec::new(),
    });
    world.feed(Input::Classified(adjutant_domain::reading::Resume::Answer(
        json!("the second"),
    )));
    Some(world)
}

fn unusable() -> Failed {
    Failed::Unusable(Again {
        reply: "nonsense".into(),
        error: "it is nonsense".into(),
    })
}

fn answer(world: &World) -> String {
    world
        .closed
        .as_ref()
        .and_then(|end| end.answer.clone())
        .unwrap_or_default()
}

#[test]
fn each_route_runs_its_stages() {
    let action = || route(RouteKind::Action, &[Domain::Task], 0.9);
    let unsure = || route(RouteKind::Action, &[Domain::Task], 0.4);
    let chat = || route(RouteKind::Chat, &[], 0.9);
    let outside = || route(RouteKind::Action, &[Domain::Research], 0.9);
    for (embedded, model, expect) in [
        (chat(), None, vec!["respond"]),
        (outside(), None, vec!["respond"]),
        (action(), None, vec!["plan", "respond"]),
        (unsure(), Some(chat()), vec!["route", "respond"]),
        (unsure(), Some(action()), vec!["route", "plan", "respond"]),
    ] {
        let mut world = asked(embedded.clone());
        let stages = world.stages(|ask| match ask.stage() {
            Stage::Route => Ok(StageReply::Route(model.clone().unwrap_or_else(chat))),
            Stage::Plan => planned(vec![step("s1", "read.a", &[])]),
            _ => text("Said."),
        });
        assert_eq!(stages, expect, "{embedded:?}");
        assert_eq!(answer(&world), "Said.");
    }
}

#[test]
fn every_failing_stage_has_a_fallback() {
    let action = || route(RouteKind::Action, &[Domain::Task], 0.9);
    let gone = || Failed::Model(ModelFault::Cut { model: "m".into() });
    // An invalid route counts as conversation.
    let mut world = asked(route(RouteKind::Action, &[Domain::Task], 0.4));
    let stages = world.stages(|ask| match ask.stage() {
        Stage::Route => Err(unusable()),
        _ => text("Said."),
    });
    assert_eq!(stages, ["route", "respond"]);
    // An unusable plan is requested once more; a failed request is not repeated.
    let mut world = asked(action());
    assert_eq!(world.stages(|_| Err(unusable())), ["plan", "plan"]);
    assert!(answer(&world).contains("trouble understanding"));
    let mut world = asked(action());
    assert_eq!(world.stages(|_| Err(gone())), ["plan"]);
    assert!(answer(&world).contains("cut off") && answer(&world).contains("Not understood."));
    // If the request for the answer fails, the answer is built from the results.
    let mut world = asked(action());
    let stages = world.stages(|ask| match ask.stage() {
        Stage::Plan => planned(vec![step("s1", "write.a", &[])]),
        _ => Err(gone()),
    });
    assert_eq!(stages, ["plan", "respond"]);
    assert_eq!(answer(&world), "Did s1.");
}

#[test]
fn the_end_reports_a_fault_only_if_no_model_answered() {
    let gone = || Failed::Model(ModelFault::Cut { model: "m".into() });
    let fault = |world: &World| {
        world.events.iter().find_map(|event| match event {
            TurnEvent::Done { fault, .. } => Some(fault.clone()),
            _ => None,
        })
    };
    let why = Some(Some(UserFault::from(&gone())));
    let mut world = asked(route(RouteKind::Chat, &[], 0.9));
    world.stages(|_| Err(gone()));
    assert_eq!(fault(&world), why);
    let mut world = asked(route(RouteKind::Action, &[Domain::Task], 0.9));
    world.stages(|_| Err(gone()));
    assert_eq!(fault(&world), why);
    // The effects are reported from their results, which counts as an answer.
    let mut world = asked(route(RouteKind::Action, &[Domain::Task], 0.9));
    world.stages(|ask| match ask.stage() {
        Stage::Plan => planned(vec![step("s1", "write.a", &[])]),
        _ => Err(gone()),
    });
    assert_eq!(fault(&world), Some(None));
}

#[test]
fn a_reply_of_the_wrong_kind_is_invalid() {
    let mut world = asked(route(RouteKind::Chat, &[], 0.9));
    let stages = world.stages(|_| planned(vec![step("s1", "write.a", &[])]));
    assert_eq!(stages, ["respond"]);
    assert!(!world.trace.iter().any(|one| one.starts_with("run")));
}

#[test]
fn void_pieces_restart_the_answer() {
    let mut world = asked(route(RouteKind::Chat, &[], 0.9));
    let ask = world.question().expect("an answer is asked for");
    world.feed(Input::Piece {
        text: " One".into(),
    });
    world.feed(Input::Answering {
        why: Some("The first one was cut off.".into()),
    });
    world.feed(Input::Piece { text: "Two".into() });
    world.feed(Input::Piece {
        text: " three.".into(),
    });
    world.reply(ask, text("Two three."));
    while world.one() {}
    let pieces: Vec<(String, bool)> = world
        .events
        .iter()
        .filter_map(|event| match event {
            TurnEvent::Token { text, restart } => Some((text.clone(), *restart)),
            _ => None,
        })
        .collect();
    assert_eq!(
        pieces,
        [
            ("One".into(), false),
            ("Two".into(), true),
            (" three.".into(), false)
        ]
    );
}

#[test]
fn a_stop_keeps_the_streamed_text() {
    let mut world = asked(route(RouteKind::Chat, &[], 0.9));
    world.question();
    world.feed(Input::Piece {
        text: "Once upon".into(),
    });
    world.feed(Input::Interrupted);
    while world.one() {}
    assert_eq!(answer(&world), "Once upon\n\nStopped here by you.");
    world.feed(Input::Piece {
        text: " a time".into(),
    });
    assert!(world.todo.is_empty(), "nothing follows the end");
}

#[test]
fn a_stop_keeps_the_streamed_text_about_results() {
    let mut world = asked(route(RouteKind::Action, &[Domain::Task], 0.9));
    let ask = world.question().expect("a plan is asked for");
    world.reply(ask, planned(vec![step("s1", "write.a", &[])]));
    world.question().expect("words are asked for");
    world.feed(Input::Piece {
        text: "I have".into(),
    });
    world.feed(Input::Interrupted);
    while world.one() {}
    assert_eq!(answer(&world), "I have\n\nStopped. Done: Did s1.");
    let told: String = world
        .events
        .iter()
        .filter_map(|event| match event {
            TurnEvent::Token { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(told, answer(&world), "all pieces together are the answer");
}

#[test]
fn an_answered_question_may_lead_to_no_plan() {
    let mut first = asked(route(RouteKind::Action, &[Domain::Task], 0.9));
    first.stages(|_| asks_back());
    let mut second = answered(&first).expect("a question waits");
    let stages = second.stages(|ask| match ask.stage() {
        Stage::Plan => planned(Vec::new()),
        _ => text("The second it is."),
    });
    assert_eq!(stages, ["plan", "respond"]);
    assert_eq!(answer(&second), "The second it is.");
    assert_eq!(second.fault(), None);
}

#[test]
fn a_call_proposed_beside_an_answer_always_asks() {
    let mut world = asked(route(RouteKind::Chat, &[], 0.9));
    let call = |tool: &str| ToolProposal {
        tool: tool.into(),
        args: json!({}),
    };
    world.stages(|_| {
        Ok(StageReply::Text {
            text: "Said.".into(),
            cut: false,
            proposals: vec![
                call("write.a"),
                call("read.a"),
                call("bad.read"),
                call("send.x"),
            ],
        })
    });
    assert!(
        !world.trace.iter().any(|one| one.starts_with("run")),
        "{:?}",
        world.trace
    );
    assert_eq!(world.pending.len(), 1, "what usually runs at once is asked");
    assert_eq!(world.pending[0].tool, "write.a");
}

mod any_reply {
    use super::*;
    use proptest::prelude::*;

    /// Number of turns checked per conversation.
    const TURNS_MAX: usize = 3;

    fn steps() -> impl Strategy<Value = Vec<StepDraft>> {
        let tool = prop::sample::select(vec![
            "read.a",
            "write.a",
            "send.x",
            "bad.read",
            "ask.read",
            "person.ask",
            "text.extract",
            "lost.a",
        ]);
        prop::collection::vec((0..4_u8, tool), 0..4).prop_map(|list| {
            list.into_iter()
                .map(|(key, tool)| step(&format!("s{key}"), tool, &[]))
                .collect()
        })
    }

    fn said() -> impl Strategy<Value = Result<StageReply, Failed>> {
        prop_oneof![
            Just(Err(unusable())),
            Just(Err(Failed::Model(ModelFault::None))),
            "[a-z ]{0,12}".prop_map(|words| text(&words)),
            steps().prop_map(planned),
            Just(planned(Vec::new())),
            Just(asks_back()),
            Just(Ok(StageReply::Route(route(
                RouteKind::Action,
                &[Domain::Task],
                0.9
            )))),
            Just(Ok(StageReply::Route(route(RouteKind::Chat, &[], 0.9)))),
            Just(Ok(StageReply::Resume(Classified::Modify {
                text: "yes".into()
            }))),
            Just(Ok(StageReply::Critique(vec!["bad".into()]))),
            Just(Ok(StageReply::Values {
                step: "s1".into(),
                values: json!({"to": "eve"})
            })),
            steps().prop_map(|steps| Ok(StageReply::Text {
                text: "Said.".into(),
                cut: true,
                proposals: steps
                    .into_iter()
                    .map(|step| ToolProposal {
                        tool: step.tool,
                        args: step.args
                    })
                    .collect(),
            })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        /// Whatever models reply, in any order, and whatever the person answers: each turn ends once, and nothing that
        /// reaches people runs.
        #[test]
        fn ends_the_turn_and_reaches_nobody(
            replies in prop::collection::vec(said(), 1..14),
            confidence in prop::sample::select(vec![0.2, 0.9]),
            tone in any::<bool>(),
        ) {
            let mut world = asked(route(RouteKind::Action, &[Domain::Task], confidence));
            if tone {
                world.machine.frame.model = Some(ModelPreferences { tone: "kind".into(), ..ModelPreferences::default() });
            }
            let mut replies = replies.into_iter().cycle();
            let mut open = Some(world);
            let mut turns = 0;
            while let Some(mut world) = open.take().filter(|_| turns < TURNS_MAX) {
                turns += 1;
                let mut asked = 0;
                while let Some(ask) = world.question() {
                    asked += 1;
                    prop_assert!(asked < 40, "models are asked for ever");
                    let said = replies.next().unwrap_or_else(|| Err(unusable()));
                    world.reply(ask, said);
                }
                while world.one() {}
                prop_assert!(world.closed.is_some());
                let ends = world.events.iter().filter(|event| event.is_last()).count();
                prop_assert_eq!(ends, 1);
                prop_assert!(world.trace.iter().filter(|one| one.starts_with("close")).count() == 1);
                let ran = world.closed.as_ref().and_then(|end| end.plan.as_ref());
                for one in ran.iter().flat_map(|plan| &plan.steps) {
                    prop_assert!(!(one.draft.tool == "send.x" && one.state == StepState::Done));
                }
                open = answered(&world);
            }
        }
    }
}
