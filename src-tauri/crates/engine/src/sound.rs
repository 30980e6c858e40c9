//! Checks whether a proposed plan is sound, and orders its steps so that one pass can carry them out.

use std::collections::BTreeSet;

use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::{PlanId, StepKey};
use adjutant_domain::plan::reference::uses;
use adjutant_domain::plan::{Plan, PlanDraft, STEPS_MAX, Step, StepDraft};
use adjutant_domain::source::Taint;

/// Turns a draft into a plan.
///
/// A step needs every step that its references, condition or repetition read. Each step is placed after those it needs,
/// otherwise in the proposed order.
pub(crate) fn plan(draft: PlanDraft, id: PlanId) -> Result<Plan, UserFault> {
    if draft.steps.is_empty() {
        return Err(unsound("it has no steps"));
    }
    if draft.steps.len() > STEPS_MAX {
        return Err(UserFault::new(
            "too_much",
            format!(
                "This takes {} steps; one request can have at most {STEPS_MAX}.",
                draft.steps.len()
            ),
            "Ask for it in parts.",
        ));
    }
    let keys: BTreeSet<StepKey> = draft.steps.iter().map(|step| step.key.clone()).collect();
    if keys.len() < draft.steps.len() {
        return Err(unsound("two steps have the same name"));
    }
    let mut left = Vec::with_capacity(draft.steps.len());
    for mut step in draft.steps {
        add_needs(&mut step);
        if let Some(unknown) = step.needs.iter().find(|key| !keys.contains(key)) {
            return Err(unsound(&format!(
                "a step needs {unknown}, which is not there"
            )));
        }
        let item = uses(&step.args).1;
        if item && step.each.is_none() {
            return Err(unsound("a step refers to an item but repeats over nothing"));
        }
        left.push(step);
    }
    Ok(Plan {
        id,
        request: draft.request,
        asked: None,
        asked_tools: BTreeSet::new(),
        steps: in_order(left)?.into_iter().map(Step::new).collect(),
        taint: Taint::Clean,
        planner: Taint::Clean,
    })
}

/// Checks whether a proposed plan is sound.
///
/// # Errors
/// Returns the reason, worded so that a model can correct it.
pub(crate) fn check(draft: &PlanDraft) -> Result<(), String> {
    plan(draft.clone(), PlanId::from_bits(0))
        .map(drop)
        .map_err(|fault| fault.what)
}

fn add_needs(step: &mut StepDraft) {
    let mut read = uses(&step.args).0;
    read.extend(step.when.iter().flat_map(|when| when.uses()));
    read.extend(step.each.iter().map(|each| each.from.clone()));
    for key in read {
        if !step.needs.contains(&key) {
            step.needs.push(key);
        }
    }
}

/// Orders the steps so that each follows those it needs, keeping the proposed order where possible.
fn in_order(mut left: Vec<StepDraft>) -> Result<Vec<StepDraft>, UserFault> {
    let mut placed: BTreeSet<StepKey> = BTreeSet::new();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let next = left
            .iter()
            .position(|step| step.needs.iter().all(|key| placed.contains(key)))
            .ok_or_else(|| unsound("its steps wait for each other"))?;
        let step = left.remove(next);
        placed.insert(step.key.clone());
        ordered.push(step);
    }
    Ok(ordered)
}

fn unsound(why: &str) -> UserFault {
    UserFault::new(
        "unsound_plan",
        format!("Adjutant could not make a plan that works from this: {why}. Nothing was done."),
        "Say it another way, or in smaller parts.",
    )
}
