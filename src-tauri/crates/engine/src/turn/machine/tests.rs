//! Tests of the transitions as data: given inputs, they check the order of effects. No runtime is involved.

mod models;
mod plans;
mod replies;

use std::collections::VecDeque;
use std::sync::Arc;

use adjutant_domain::catalog::Catalog;
use adjutant_domain::change::Change;
use adjutant_domain::conversation::Receipt;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, ToolFault};
use adjutant_domain::gate::{Assessment, Card, Observed, PendingAction, PlannedCall, Policy, Risk};
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::{AnswerKind, PlanDraft, Question, StepDraft};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Sources;
use adjutant_domain::tool::{Before, Definition, Icon, ToolSpec};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::*;
use crate::tools::Tools;

/// Simulates the world. The name of a tool decides how it behaves: `read.x`, `write.x`, `send.x`, `bad.x`, `sum.x`,
/// `ask.x`, `lost.x`.
struct World {
    machine: Machine,
    todo: VecDeque<Effect>,
    trace: Vec<String>,
    number: u64,
    closed: Option<adjutant_domain::conversation::TurnEnd>,
    events: Vec<TurnEvent>,
    pending: Vec<PendingAction>,
}

fn reader(name: &str, domain: Domain) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        domain,
        server: None,
        description: String::new(),
        risk: Risk::Read,
        schema: Default::default(),
        phrases: Vec::new(),
        participle: "done".into(),
        kept_by: None,
        icon: Icon::Usual,
        judges: false,
        glances: false,
    }
}

fn world() -> World {
    let specs = ["read.a", "read.b", "bad.read", "ask.read"]
        .map(|name| reader(name, Domain::Memory))
        .to_vec();
    World {
        machine: Machine::new(Frame {
            conversation: "c".into(),
            turn: "turn_1".into(),
            text: "do it".into(),
            instead_of: None,
            now: Timestamp::UNIX_EPOCH,
            policy: Policy::default(),
            tools: Arc::new(Tools::of(Arc::new(Catalog::new(1, specs)), false)),
            model: None,
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
            looked_up: Vec::new(),
            carries_out: None,
            target: None,
            guessed: false,
        },
        "sum" => {
            return Err(Stop::Fault(ToolFault::BadArguments {
                reason: "this is no sum".into(),
            }));
        }
        "bad" => {
            return Err(Stop::Fault(ToolFault::NotFound {
                what: if tool == "bad.named" {
                    "“Buy now” is not there".into()
                } else {
                    "it is not there".into()
                },
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
        call: PlannedCall::parsed(
            tool.into(),
            args.clone(),
            Sources::new(),
            Definition(String::new()),
        ),
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

    /// Starts with this plan, skipping routing and context.
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

    /// Performs effects one at a time, oldest first, until none is left.
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
            Effect::Run { step, calls, .. } => {
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
                            Outcome::Effects {
                                operations: vec![Operation::Local { change }],
                                answer,
                                undoes: None,
                            }
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
                        proof: None,
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
