//! Transitions as data: a plan in, the order of effects out. No runtime.

use std::collections::VecDeque;

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{Past, Receipt, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, ToolFault};
use adjutant_domain::gate::{
    ActionState, Assessment, Card, Observed, PendingAction, PlannedCall, Policy, Risk,
};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::{AnswerKind, PlanDraft, Question, StepDraft};
use adjutant_domain::reading::{Reading, Resume};
use adjutant_domain::source::Sources;
use adjutant_domain::tool::Before;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::*;

/// Plays the world: what a tool is follows from its name (`read.x`, `write.x`, `send.x`, `bad.x`, `ask.x`, `lost.x`).
struct World {
    machine: Machine,
    todo: VecDeque<Effect>,
    trace: Vec<String>,
    number: u64,
    closed: Option<adjutant_domain::conversation::TurnEnd>,
    events: Vec<TurnEvent>,
    pending: Vec<PendingAction>,
}

fn world() -> World {
    let tools = ["read.a", "read.b", "bad.read", "ask.read"];
    World {
        machine: Machine::new(Frame {
            conversation: "c".into(),
            turn: "turn_1".into(),
            text: "do it".into(),
            now: Timestamp::UNIX_EPOCH,
            policy: Policy::default(),
            readers: tools.into_iter().map(str::to_owned).collect(),
            draft_fields: Vec::new(),
        }),
        todo: VecDeque::new(),
        trace: Vec::new(),
        number: 0,
        closed: None,
        events: Vec::new(),
        pending: Vec::new(),
    }
}

fn step(key: &str, tool: &str, needs: &[&str]) -> StepDraft {
    StepDraft {
        key: key.into(),
        say: format!("Do {key}"),
        tool: tool.into(),
        args: json!({ "key": key }),
        needs: needs.iter().map(|key| (*key).into()).collect(),
        ..StepDraft::default()
    }
}

fn look(tool: &str, args: &Value) -> Result<Observed, Stop> {
    let kind = tool.split('.').next().unwrap_or_default();
    let assessment = match kind {
        "send" => Assessment {
            risk: Risk::ReachesPeople,
            ask: None,
            count: 1,
            reaching: Vec::new(),
        },
        "bad" => {
            return Err(Stop::Fault(ToolFault::NotFound {
                what: "it is not there".into(),
            }));
        }
        "ask" => {
            return Err(Stop::Ask(Question {
                text: "Which?".into(),
                choices: Vec::new(),
                slot: "/which".into(),
                answer: AnswerKind::Text,
            }));
        }
        "read" => Assessment::read(),
        _ => Assessment::reversible(),
    };
    Ok(Observed {
        call: PlannedCall::parsed(tool.into(), args.clone(), Sources::new(), String::new()),
        before: Before::default(),
        assessment,
        card: Card {
            title: format!("{tool} {args}"),
            ..Card::default()
        },
    })
}

impl World {
    fn draw(&mut self) -> Draw {
        self.number += 1;
        Draw {
            action: format!("act_{}", self.number).into(),
            nonce: self.number.to_string(),
            plan: "plan_1".into(),
            effect: format!("eff_{}", self.number).into(),
        }
    }

    fn feed(&mut self, input: Input) {
        let effects = self.machine.step(input);
        self.todo.extend(effects);
    }

    /// Starts with this plan, past routing and context.
    fn plan(mut self, steps: Vec<StepDraft>) -> Self {
        let draw = self.draw();
        self.feed(Input::Direct {
            past: Box::default(),
            draft: PlanDraft {
                request: "do it".into(),
                steps,
            },
            draw,
        });
        self
    }

    /// Performs effects one after the other, oldest first, until nothing is left.
    fn play(mut self) -> Self {
        while self.one() {}
        self
    }

    /// Performs one effect.
    fn one(&mut self) -> bool {
        let Some(effect) = self.todo.pop_front() else {
            return false;
        };
        match effect {
            Effect::Emit(event) => self.events.push(event),
            Effect::SavePlan(_) => self.trace.push("save".into()),
            Effect::Observe { step, calls } => {
                self.trace.push(format!("look {step}"));
                let looks = calls.iter().map(|one| look(&one.tool, &one.args)).collect();
                let draw = self.draw();
                self.feed(Input::Observed { step, looks, draw });
            }
            Effect::Run { step, calls } => {
                self.trace.push(format!("run {step}"));
                let args = calls.iter().map(|call| call.get().args.clone()).collect();
                let outcomes = calls
                    .iter()
                    .map(|call| {
                        let answer = Answer {
                            output: json!({"list": [{"id": 1}, {"id": 2}, {"id": 1}], "none": []}),
                            say: format!("Did {step}."),
                            ..Answer::default()
                        };
                        Ok(if call.get().tool.starts_with("read") {
                            Outcome::Read(answer)
                        } else {
                            let task = adjutant_testkit::make::task("task_1", "x", None);
                            let change = Change::add(adjutant_domain::record::Record::Task(task));
                            Outcome::Change { change, answer }
                        })
                    })
                    .collect();
                let draw = self.draw();
                self.feed(Input::Ran {
                    step,
                    args,
                    outcomes,
                    draw,
                    at: Timestamp::UNIX_EPOCH,
                });
            }
            Effect::Commit(commit) => {
                self.trace.push(format!("commit {}", commit.step));
                let receipt = if commit.tool.starts_with("lost") {
                    Err(StoreFault::Conflict { what: "it".into() })
                } else {
                    Ok(Receipt {
                        id: commit.id,
                        rows: Vec::new(),
                        at: commit.at,
                    })
                };
                self.feed(Input::Committed {
                    step: commit.step,
                    receipt,
                });
            }
            Effect::Close { end, events } => {
                self.trace
                    .push(format!("close {:?}", end.state).to_lowercase());
                self.pending.clone_from(&end.pending);
                self.closed = Some(*end);
                self.events.extend(events);
            }
            other => self.trace.push(format!("{other:?}")),
        }
        true
    }

    fn states(&self) -> Vec<String> {
        let plan = self.closed.as_ref().and_then(|end| end.plan.as_ref());
        plan.iter()
            .flat_map(|plan| &plan.steps)
            .map(|step| format!("{} {}", step.draft.key, step.state.word()))
            .collect()
    }

    fn fault(&self) -> Option<&str> {
        self.events.iter().find_map(|event| match event {
            TurnEvent::Error { fault } => Some(fault.code.as_str()),
            _ => None,
        })
    }
}

fn check(steps: Vec<StepDraft>, expect: &[&str]) -> World {
    let world = world().plan(steps).play();
    assert_eq!(world.trace, expect);
    world
}

#[test]
fn reads_go_side_by_side() {
    check(
        vec![step("s1", "read.a", &[]), step("s2", "read.b", &[])],
        &["look s1", "look s2", "run s1", "run s2", "close done"],
    );
}

#[test]
fn writes_go_in_order_and_reads_do_not_overtake_them() {
    check(
        vec![
            step("s1", "write.a", &[]),
            step("s2", "read.a", &[]),
            step("s3", "write.b", &[]),
        ],
        &[
            "save",
            "look s1",
            "run s1",
            "commit s1",
            "look s2",
            "run s2",
            "look s3",
            "run s3",
            "commit s3",
            "close done",
        ],
    );
}

#[test]
fn steps_come_after_those_they_need_wherever_they_stand() {
    check(
        vec![
            step("s1", "read.a", &["s3"]),
            step("s2", "read.b", &[]),
            step("s3", "read.a", &[]),
        ],
        &[
            "look s2",
            "look s3",
            "run s2",
            "run s3",
            "look s1",
            "run s1",
            "close done",
        ],
    );
}

#[test]
fn a_fault_blocks_only_what_needs_it() {
    let world = check(
        vec![
            step("s1", "bad.read", &[]),
            step("s2", "read.a", &["s1"]),
            step("s3", "read.b", &["s2"]),
            step("s4", "read.a", &[]),
        ],
        &["look s1", "look s4", "run s4", "close done"],
    );
    assert_eq!(
        world.states(),
        ["s1 failed", "s2 blocked", "s3 blocked", "s4 done"]
    );
}

#[test]
fn what_waits_for_the_person_holds_up_only_what_needs_it() {
    let world = check(
        vec![
            step("s1", "send.a", &[]),
            step("s2", "write.a", &["s1"]),
            step("s3", "write.b", &[]),
            step("s4", "ask.read", &[]),
            step("s5", "send.b", &[]),
        ],
        &[
            "save",
            "look s1",
            "look s3",
            "run s3",
            "commit s3",
            "look s4",
            "look s5",
            "close waiting",
        ],
    );
    assert_eq!(
        world.states(),
        [
            "s1 waiting",
            "s2 next",
            "s3 done",
            "s4 needs_answer",
            "s5 waiting"
        ]
    );
    assert_eq!(world.pending.len(), 2);
}

#[test]
fn a_change_that_storage_refuses_is_a_failed_step() {
    let world = check(
        vec![step("s1", "lost.a", &[]), step("s2", "write.a", &["s1"])],
        &["save", "look s1", "run s1", "commit s1", "close done"],
    );
    assert_eq!(world.states(), ["s1 failed", "s2 blocked"]);
}

#[test]
fn each_is_expanded_once_for_equal_items() {
    let each = |path: &str| StepDraft {
        args: json!({"id": {"$item": "/id"}}),
        each: Some(adjutant_domain::plan::Reference {
            from: "s1".into(),
            path: path.into(),
        }),
        ..step("s2", "send.a", &[])
    };
    let world = check(
        vec![step("s1", "read.a", &[]), each("/list")],
        &["look s1", "run s1", "look s2", "close waiting"],
    );
    assert_eq!(world.pending.len(), 1);
    assert_eq!(world.pending[0].calls.len(), 2);
    for (path, state) in [("/none", "left_out"), ("/gone", "failed"), ("", "failed")] {
        let world = check(
            vec![step("s1", "read.a", &[]), each(path)],
            &["look s1", "run s1", "close done"],
        );
        assert_eq!(world.states()[1], format!("s2 {state}"), "{path}");
    }
}

#[test]
fn equal_actions_are_asked_once_and_floods_are_capped() {
    let same = |key: &str| StepDraft {
        args: json!({"to": "bob"}),
        ..step(key, "send.a", &[])
    };
    let world = world().plan(vec![same("s1"), same("s2")]).play();
    assert_eq!(world.states(), ["s1 waiting", "s2 left_out"]);

    let many: Vec<StepDraft> = (0..WAITING_MAX + 2)
        .map(|number| step(&format!("s{number}"), "send.a", &[]))
        .collect();
    let world = super::tests::world().plan(many).play();
    assert_eq!(world.pending.len(), WAITING_MAX);
    let failed = world
        .states()
        .iter()
        .filter(|one| one.ends_with("failed"))
        .count();
    assert_eq!(failed, 2);
}

#[test]
fn unsound_plans_are_refused_before_anything_runs() {
    let item = StepDraft {
        args: json!({"id": {"$item": "/id"}}),
        ..step("s1", "write.a", &[])
    };
    let reference = StepDraft {
        args: json!({"id": {"$from": "s9"}}),
        ..step("s1", "write.a", &[])
    };
    let many = (0..=adjutant_domain::plan::STEPS_MAX)
        .map(|number| step(&format!("s{number}"), "read.a", &[]))
        .collect();
    for (steps, code) in [
        (Vec::new(), "unsound_plan"),
        (vec![item], "unsound_plan"),
        (vec![reference], "unsound_plan"),
        (many, "too_much"),
        (
            vec![step("s1", "read.a", &[]), step("s1", "read.b", &[])],
            "unsound_plan",
        ),
        (
            vec![step("s1", "read.a", &["s2"]), step("s2", "read.b", &["s1"])],
            "unsound_plan",
        ),
    ] {
        let world = world().plan(steps).play();
        assert_eq!(world.trace, ["close failed"]);
        assert_eq!(world.fault(), Some(code));
    }
}

#[test]
fn stopping_ends_the_turn_at_any_point_and_nothing_follows() {
    let steps = || {
        vec![
            step("s1", "write.a", &[]),
            step("s2", "send.a", &[]),
            step("s3", "write.b", &["s1"]),
        ]
    };
    let whole = world().plan(steps()).play().trace.len();
    for stop_after in 0..40 {
        let mut world = world().plan(steps());
        for _ in 0..stop_after {
            world.one();
        }
        let was_closed = world.machine.closed;
        let closing = world.machine.step(Input::Interrupted);
        if was_closed {
            assert!(closing.is_empty());
            continue;
        }
        let Some(Effect::Close { end, .. }) = closing.last() else {
            panic!("a close");
        };
        assert_eq!(end.state, TurnState::Interrupted);
        assert!(end.pending.is_empty(), "nothing new waits after a stop");
        let plan = end.plan.as_ref().expect("the plan");
        assert!(plan.steps.iter().all(|step| step.state.is_over()));
        // What comes late does not wake it up.
        let draw = world.draw();
        let late = Input::Observed {
            step: "s1".into(),
            looks: Vec::new(),
            draw,
        };
        assert!(world.machine.step(late).is_empty());
    }
    assert!(whole < 40, "every point was tried");
}

#[test]
fn routing_and_context_start_together_and_chat_leaves_early() {
    let mut machine = world().machine;
    let begun = machine.step(Input::Stored {
        past: Box::default(),
        elsewhere: 0,
    });
    assert_eq!(begun[1], Effect::GatherContext);
    assert!(matches!(begun[2], Effect::Route { .. }));
    let route = |kind, domains| Route {
        kind,
        domains,
        is_followup: false,
        confidence: 1.0,
        by: "embedded".into(),
    };
    let action = route(
        RouteKind::Action,
        vec![adjutant_domain::route::Domain::Task],
    );
    assert_eq!(
        machine.step(Input::Routed(action)).len(),
        1,
        "waits for context"
    );
    let planning = machine.step(Input::ContextReady(Vec::new()));
    assert!(matches!(planning[1], Effect::MakePlan { .. }));

    let mut machine = world().machine;
    machine.step(Input::Stored {
        past: Box::default(),
        elsewhere: 0,
    });
    let leaving = machine.step(Input::Routed(route(RouteKind::Chat, Vec::new())));
    assert_eq!(leaving[1], Effect::DropContext);
    assert!(matches!(leaving[2], Effect::MakePlan { .. }));
    let late = machine.step(Input::ContextReady(Vec::new()));
    assert!(late.is_empty());
}

/// A conversation in which one action waits, and a machine that reads the next message in it.
fn waiting(change: impl FnOnce(&mut Past)) -> (Machine, PendingAction) {
    let world = world().plan(vec![step("s1", "send.a", &[])]).play();
    let end = world.closed.expect("a close");
    let action = end.pending[0].clone();
    let mut past = Past {
        waiting: Some(adjutant_domain::conversation::Turn {
            id: end.turn.clone(),
            conversation: end.conversation.clone(),
            text: "do it".into(),
            at: end.at,
            state: end.state,
            route: None,
            plan: end.plan.clone(),
            answer: None,
        }),
        pending: vec![action.clone()],
        pending_everywhere: 1,
        shown_last: Some(action.id.clone()),
        ..Past::default()
    };
    change(&mut past);
    let mut machine = super::tests::world().machine;
    machine.frame.turn = "turn_2".into();
    machine.step(Input::Stored {
        past: Box::new(past),
        elsewhere: 0,
    });
    (machine, action)
}

#[test]
fn a_yes_resolves_only_what_was_shown_last_and_alone() {
    let (mut machine, action) = waiting(|_| {});
    let effects = machine.step(Input::Classified(Resume::Yes));
    assert_eq!(effects.last(), Some(&Effect::Resolve(Box::new(action))));

    let changes: [fn(&mut Past); 3] = [
        |past| past.shown_last = None,
        |past| past.shown_last = Some("act_other".into()),
        |past| {
            let mut second = past.pending[0].clone();
            second.id = "act_second".into();
            past.pending.push(second);
        },
    ];
    for change in changes {
        let (mut machine, _) = waiting(change);
        let effects = machine.step(Input::Classified(Resume::Yes));
        let Some(Effect::Close { end, .. }) = effects.last() else {
            panic!("{effects:?}");
        };
        assert!(end.actions.is_empty() && end.sets_aside.is_none());
        assert!(
            end.answer
                .as_ref()
                .is_some_and(|text| text.contains("Nothing was approved"))
        );
    }
}

#[test]
fn replies_move_what_waits_as_the_gate_allows() {
    let cases: [(Resume, Option<ActionState>); 2] = [
        (Resume::Abandon, Some(ActionState::Cancelled)),
        (
            Resume::Modify {
                text: "do it later".into(),
            },
            Some(ActionState::Superseded),
        ),
    ];
    for (resume, expect) in cases.into_iter().chain([(Resume::New, None)]) {
        let (mut machine, action) = waiting(|_| {});
        let mut effects = machine.step(Input::Classified(resume.clone()));
        if effects.first() == Some(&Effect::GatherContext) {
            machine.step(Input::ContextReady(Vec::new()));
            machine.route = Some(Route {
                kind: RouteKind::Action,
                domains: Vec::new(),
                is_followup: false,
                confidence: 1.0,
                by: "embedded".into(),
            });
            let draft = PlanDraft {
                request: "something".into(),
                steps: vec![step("s1", "bad.read", &[])],
            };
            machine.step(Input::Planned {
                reading: Reading::Plan {
                    plan: draft,
                    trace: Vec::new(),
                },
                draw: super::tests::world().draw(),
            });
            effects = machine.step(Input::Observed {
                step: "s1".into(),
                looks: vec![look("bad.read", &json!({}))],
                draw: super::tests::world().draw(),
            });
        }
        let Some(Effect::Close { end, .. }) = effects.last() else {
            panic!("{resume:?}: {effects:?}");
        };
        let moves: Vec<_> = expect
            .map(|to| (action.id.clone(), ActionState::Pending, to))
            .into_iter()
            .collect();
        assert_eq!(end.actions, moves, "{resume:?}");
        assert_eq!(end.sets_aside, Some("turn_1".into()), "{resume:?}");
        assert!(
            moves.iter().all(|(_, from, to)| from.may_become(*to)),
            "{resume:?}"
        );
    }
}
