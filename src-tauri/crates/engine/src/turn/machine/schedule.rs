//! Decides which steps can start: needs, conditions, repetition, questions. Reads run in parallel, writes in order.

use std::collections::BTreeSet;

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{UserFault, sentence};
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::reference::{Outputs, resolve};
use adjutant_domain::plan::{EACH_MAX, Plan, Step, StepDraft, StepState};
use serde_json::Value;

use super::{Effect, Machine, Proposed, flow};
use crate::stages::extract::{self, ExtractRequest};
use crate::stages::{StageRequest, plan};

/// Whether a step that has not begun can start.
enum Readiness {
    /// Everything it needs succeeded.
    Ready,
    /// Something it needs is still running.
    LaterByWork,
    /// Something it needs waits for the person.
    LaterByPerson,
    /// It will never run; this is its final state.
    Never(StepState),
}

impl Machine {
    /// Starts every step that can start. Once nothing is running any more, ends or pauses the turn.
    pub(super) fn advance(&mut self, out: &mut Vec<Effect>) {
        if self.closed {
            return;
        }
        let Some(mut plan) = self.plan.take() else {
            return;
        };
        let outputs = outputs(&plan);
        let mut reading = false;
        let mut writing = false;
        let mut held: BTreeSet<StepKey> = BTreeSet::new();
        for index in 0..plan.steps.len() {
            let reads = self.frame.tools.reads(&plan.steps[index].draft.tool);
            let mut busy = plan.steps[index].state == StepState::Running;
            if plan.steps[index].state == StepState::Next {
                match readiness(&plan, &plan.steps[index], &held) {
                    Readiness::Never(state) => {
                        plan.steps[index].state = state;
                        self.fresh.push(plan.steps[index].draft.key.clone());
                    }
                    Readiness::LaterByPerson => {
                        held.insert(plan.steps[index].draft.key.clone());
                    }
                    Readiness::LaterByWork => busy = true,
                    // A read may overtake reads but never a write; a write overtakes nothing.
                    Readiness::Ready if writing || (reading && !reads) => busy = true,
                    Readiness::Ready => {
                        let state = self.begin_step(&plan, index, &outputs, out);
                        busy = state == StepState::Running;
                        plan.steps[index].state = state;
                    }
                }
            }
            if busy && reads {
                reading = true;
            } else if busy {
                writing = true;
            }
        }
        self.plan = Some(plan);
        if !reading && !writing {
            self.finish(out);
        }
    }

    /// Evaluates the condition, question, repetition and references of a step, and requests a look at its calls.
    fn begin_step(
        &mut self,
        plan: &Plan,
        index: usize,
        outputs: &Outputs,
        out: &mut Vec<Effect>,
    ) -> StepState {
        let draft = &plan.steps[index].draft;
        let state = match calls(draft, plan, outputs) {
            Ok(Calls::Ask) => match draft.question.clone() {
                Some(question) => StepState::NeedsAnswer { question },
                None => StepState::Running,
            },
            Ok(Calls::LeftOut(reason)) => StepState::LeftOut { reason },
            Ok(Calls::Replan) => self.replan(plan, draft, out),
            Ok(Calls::Extract(wanted)) => {
                out.push(Effect::Emit(TurnEvent::Status {
                    text: draft.say.clone(),
                }));
                out.push(Effect::AskModel(Box::new(StageRequest::Extract(Box::new(
                    wanted,
                )))));
                StepState::Running
            }
            Ok(Calls::Look(calls)) => {
                out.push(Effect::Emit(TurnEvent::Status {
                    text: draft.say.clone(),
                }));
                out.push(Effect::Observe {
                    step: draft.key.clone(),
                    calls,
                });
                StepState::Running
            }
            Err(fault) => {
                out.push(Effect::Emit(TurnEvent::ToolResult {
                    step: draft.key.clone(),
                    ok: false,
                    result: None,
                    error: Some(fault.clone()),
                    receipt: None,
                    ms: None,
                }));
                StepState::Failed { fault }
            }
        };
        if state.is_over() {
            self.fresh.push(draft.key.clone());
        }
        state
    }
}

/// What a step that can start does.
enum Calls {
    /// It must ask its question first.
    Ask,
    /// It does not run, for this reason.
    LeftOut(String),
    /// It looks at these calls.
    Look(Vec<Proposed>),
    /// It lets a model extract values from a text.
    Extract(ExtractRequest),
    /// It makes the plan again, because the person answered a question of the planner.
    Replan,
}

fn calls(draft: &StepDraft, whole: &Plan, outputs: &Outputs) -> Result<Calls, UserFault> {
    if let Some(condition) = &draft.when {
        if flow::reads_free_text(condition, whole, outputs) {
            return Err(UserFault::new(
                "not_allowed",
                "What somebody else wrote may not decide whether a step runs.",
                "Ask for the step itself.",
            ));
        }
        let holds = condition
            .holds(outputs)
            .map_err(|bad| UserFault::new("condition", sentence(&bad.to_string()), ""))?;
        if !holds {
            return Ok(Calls::LeftOut(format!(
                "Left out, because the condition is not met: {}",
                lower(&draft.say)
            )));
        }
    }
    if draft.question.is_some() {
        return Ok(Calls::Ask);
    }
    if draft.tool == plan::CLARIFY {
        return Ok(Calls::Replan);
    }
    if draft.tool == extract::TOOL {
        return wanted(draft, whole, outputs).map(Calls::Extract);
    }
    let Some(each) = &draft.each else {
        return Ok(Calls::Look(vec![call(draft, None, whole, outputs)?]));
    };
    let list = resolve(&each.to_value(), outputs, None).map_err(|lost| lost_reference(&lost))?;
    let Value::Array(items) = list else {
        return Err(UserFault::new(
            "bad_arguments",
            "A step repeats over something that is not a list.",
            "Say it another way.",
        ));
    };
    if items.is_empty() {
        return Ok(Calls::LeftOut(format!(
            "Nothing to do: {}",
            lower(&draft.say)
        )));
    }
    if items.len() > EACH_MAX {
        return Err(UserFault::new(
            "too_much",
            format!(
                "This would be done {} times; one step can do it at most {EACH_MAX} times. Nothing was done.",
                items.len()
            ),
            "Narrow it down, for example by date.",
        ));
    }
    let mut calls: Vec<Proposed> = Vec::with_capacity(items.len());
    for item in &items {
        let call = call(draft, Some(item), whole, outputs)?;
        // Do the same thing only once.
        if !calls.iter().any(|earlier| earlier.args == call.args) {
            calls.push(call);
        }
    }
    Ok(Calls::Look(calls))
}

/// Returns the request to extract values. Its fields come from the plan, never from a result.
fn wanted(draft: &StepDraft, plan: &Plan, outputs: &Outputs) -> Result<ExtractRequest, UserFault> {
    let args = resolve(&draft.args, outputs, None).map_err(|lost| lost_reference(&lost))?;
    let from = plan
        .steps
        .iter()
        .find(|step| draft.needs.contains(&step.draft.key))
        .map_or_else(|| draft.say.clone(), |step| step.draft.say.clone());
    extract::wanted(&draft.key, &from, &args)
        .map_err(|why| UserFault::new("bad_arguments", sentence(&why), "Say it another way."))
}

fn call(
    draft: &StepDraft,
    item: Option<&Value>,
    plan: &Plan,
    outputs: &Outputs,
) -> Result<Proposed, UserFault> {
    Ok(Proposed {
        tool: draft.tool.clone(),
        args: resolve(&draft.args, outputs, item).map_err(|lost| lost_reference(&lost))?,
        sources: flow::sources(draft, item, plan, outputs),
    })
}

fn lost_reference(lost: &adjutant_domain::plan::UnresolvedReference) -> UserFault {
    UserFault::new(
        "not_found",
        format!("The step before found nothing that this one could use ({lost})."),
        "Name it in the request.",
    )
}

fn readiness(plan: &Plan, step: &Step, held: &BTreeSet<StepKey>) -> Readiness {
    let mut by_work = false;
    let mut by_person = false;
    for key in &step.draft.needs {
        let Some(need) = plan.steps.iter().find(|other| other.draft.key == *key) else {
            return Readiness::Never(StepState::Blocked { by: key.clone() });
        };
        match &need.state {
            StepState::Done => {}
            StepState::Running => by_work = true,
            StepState::NeedsApproval { .. } | StepState::NeedsAnswer { .. } => by_person = true,
            StepState::Next if held.contains(key) => by_person = true,
            StepState::Next => by_work = true,
            StepState::LeftOut { .. } => {
                return Readiness::Never(StepState::LeftOut {
                    reason: String::new(),
                });
            }
            StepState::Failed { .. }
            | StepState::Blocked { .. }
            | StepState::Cancelled { .. }
            | StepState::Unknown => {
                return Readiness::Never(StepState::Blocked { by: key.clone() });
            }
        }
    }
    if by_person {
        Readiness::LaterByPerson
    } else if by_work {
        Readiness::LaterByWork
    } else {
        Readiness::Ready
    }
}

fn outputs(plan: &Plan) -> Outputs {
    plan.steps
        .iter()
        .filter(|step| step.state == StepState::Done)
        .filter_map(|step| {
            let result = step.result.as_ref()?;
            Some((step.draft.key.clone(), result.output.clone()))
        })
        .collect()
}

/// Lowers the first letter and removes the full stop, for use inside a sentence.
pub(super) fn lower(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
