//! Applies the person's changes to a waiting plan: leaving out or moving steps. What has run stays as it is. What was
//! shown is shown again, because an approval belongs to a step of the plan as it stands.

use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Plan, Step, StepState};

use super::{Effect, Machine, Proposed};
use crate::op::PlanEdit;

/// Reason given for a step that was left out.
const LEFT_OUT: &str = "Left out by you.";

/// Returns the plan after an edit.
///
/// # Errors
/// Returns a fault if the step does not exist or is over, if leaving it out would break another step that needs it, or
/// if the move changes nothing or puts a step before one that it needs.
pub(crate) fn edited(mut plan: Plan, edit: &PlanEdit) -> Result<Plan, UserFault> {
    match edit {
        PlanEdit::LeaveOut { step } => {
            let at = open(&plan, step)?;
            if let Some(other) = plan
                .steps
                .iter()
                .find(|other| !other.state.is_over() && other.draft.needs.contains(step))
            {
                return Err(UserFault::new(
                    "needed",
                    format!(
                        "“{}” needs this step, so it cannot be left out alone.",
                        said(other)
                    ),
                    "Leave out the step that needs it first.",
                ));
            }
            plan.steps[at].state = StepState::Cancelled {
                reason: LEFT_OUT.to_owned(),
            };
        }
        PlanEdit::Move { step, before } => {
            let from = open(&plan, step)?;
            if before.as_ref() == Some(step) {
                return Err(same());
            }
            if let Some(before) = before {
                open(&plan, before)?;
            }
            let moved = plan.steps.remove(from);
            let to = before.as_ref().map_or(plan.steps.len(), |before| {
                let place = plan.steps.iter().position(|one| one.draft.key == *before);
                place.unwrap_or(plan.steps.len())
            });
            plan.steps.insert(to, moved);
            if to == from {
                return Err(same());
            }
            in_order(&plan)?;
        }
    }
    Ok(plan)
}

/// Returns the index of a step that has not ended.
fn open(plan: &Plan, key: &StepKey) -> Result<usize, UserFault> {
    let at = plan.steps.iter().position(|step| step.draft.key == *key);
    match at {
        Some(at) if !plan.steps[at].state.is_over() => Ok(at),
        Some(_) => Err(UserFault::new(
            "over",
            "This step is over; nothing was changed.",
            "Look at the plan as it is now.",
        )),
        None => Err(UserFault::new(
            "not_found",
            "There is no such step in this plan; nothing was changed.",
            "Look at the plan as it is now.",
        )),
    }
}

/// Returns a fault if a step comes before one that it needs.
fn in_order(plan: &Plan) -> Result<(), UserFault> {
    for (at, step) in plan.steps.iter().enumerate() {
        let late = plan.steps[at..]
            .iter()
            .find(|later| step.draft.needs.contains(&later.draft.key));
        if let Some(later) = late {
            return Err(UserFault::new(
                "needed",
                format!(
                    "“{}” needs what “{}” finds out, so it has to come after it.",
                    said(step),
                    said(later)
                ),
                "Choose another place for it.",
            ));
        }
    }
    Ok(())
}

fn said(step: &Step) -> &str {
    step.draft.say.trim_end_matches('.')
}

fn same() -> UserFault {
    UserFault::new(
        "same",
        "The step is there already; nothing was changed.",
        "",
    )
}

impl Machine {
    /// Applies an edit to the plan: observes and shows again what waits for approval, then continues.
    pub(super) fn replanned_by_hand(&mut self, edit: &PlanEdit, out: &mut Vec<Effect>) {
        self.drop_expired();
        let Some(plan) = self.plan.clone() else {
            return;
        };
        let shown = self.shown(&plan);
        match edited(plan, edit) {
            Ok(plan) => self.plan = Some(plan),
            Err(fault) => {
                self.remarks.push(fault.to_string());
                return self.advance(out);
            }
        }
        if let PlanEdit::LeaveOut { step } = edit {
            self.fresh.push(step.clone());
        }
        for action in shown {
            self.was_asked(&action.step);
            let left_out = StepState::Cancelled {
                reason: LEFT_OUT.to_owned(),
            };
            let to = match self.step_at(&action.step) {
                Some(step) if step.state != left_out => {
                    step.state = StepState::Running;
                    out.push(Effect::Observe {
                        step: action.step.clone(),
                        // As they were shown, since the person may have changed one of them.
                        calls: Proposed::of(&action),
                    });
                    ActionState::Superseded
                }
                _ => ActionState::Cancelled,
            };
            self.moves.push((action.id, ActionState::Pending, to));
        }
        self.emit_plan(out);
        self.advance(out);
    }

    /// Returns the actions that steps of the plan wait for, in step order.
    fn shown(&self, plan: &Plan) -> Vec<PendingAction> {
        let waiting = plan.steps.iter().filter_map(|step| match &step.state {
            StepState::NeedsApproval { action } => {
                self.past.pending.iter().find(|one| one.id == *action)
            }
            _ => None,
        });
        waiting
            .filter(|action| self.is_live(action))
            .cloned()
            .collect()
    }
}
