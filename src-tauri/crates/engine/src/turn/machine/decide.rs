//! Handles what the person decided about something that waits: approved, rejected, changed, answered.

use std::collections::BTreeSet;

use adjutant_domain::faults::{ToolFault, UserFault};
use adjutant_domain::gate::{ActionState, Denial, Observed, PendingAction, Verdict};
use adjutant_domain::ids::{ActionId, RecordId, StepKey};
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{Step, StepDraft, StepState};
use adjutant_domain::source::Source;
use serde_json::Value;

use super::{Draw, Effect, Machine, kept_draft, refusal, slot};
use crate::respond;

impl Machine {
    /// Handles a weighed approval: runs it, asks again because the target changed, or refuses it.
    pub(super) fn resolved(
        &mut self,
        action: &PendingAction,
        verdict: Verdict,
        looks: Vec<Result<Observed, Stop>>,
        draw: &Draw,
        out: &mut Vec<Effect>,
    ) {
        let step = action.step.clone();
        if !self.waits_for(action) {
            // The plan continued without it, so nothing needs the approval any more.
            if matches!(verdict, Verdict::Allowed(_)) {
                let (from, to) = (ActionState::Approved, ActionState::Cancelled);
                self.moves.push((action.id.clone(), from, to));
            }
            self.remarks.push(
                "The request went on without this action, so nothing was done. Ask again if you still want it done."
                    .into(),
            );
            return;
        }
        match verdict {
            Verdict::Allowed(_) if self.is_permitted_no_more(action) => {
                let (from, to) = (ActionState::Approved, ActionState::Cancelled);
                self.moves.push((action.id.clone(), from, to));
                let reason = "You no longer allow it without asking; nothing was done.".into();
                self.set(&step, StepState::Cancelled { reason });
            }
            Verdict::Allowed(_) if action.is_held(self.frame.now) => self.hold(action),
            Verdict::Allowed(calls) => self.start(&step, calls, out),
            Verdict::Denied(Denial::TargetChanged { what }) => {
                self.moves
                    .push((action.id.clone(), action.state, ActionState::Superseded));
                let fresh: Result<Vec<Observed>, Stop> = looks.into_iter().collect();
                match fresh {
                    Ok(batch) if concerns_the_same(action, &batch) => {
                        self.remarks.push(format!(
                            "“{what}” changed after this was shown, so nothing was done. This is how it looks now."
                        ));
                        self.set(&step, StepState::Running);
                        self.was_asked(&step);
                        self.pass_gate(&step, batch, draw, out);
                    }
                    // The words fit something else now, which nobody has approved.
                    Ok(_) | Err(Stop::Ask(_) | Stop::Closest(_)) => {
                        self.fail(&step, conflict(&what), out)
                    }
                    Err(Stop::Fault(ToolFault::UnknownTool { name })) => {
                        self.fail(&step, tool_gone(&name), out);
                    }
                    Err(Stop::Fault(fault)) => {
                        self.remarks.push(conflict(&what).what);
                        self.fail(&step, (&fault).into(), out);
                    }
                }
            }
            Verdict::Denied(Denial::Expired) => {
                self.moves
                    .push((action.id.clone(), action.state, ActionState::Expired));
                self.set(&step, expired());
            }
            Verdict::Denied(denial) => {
                self.remarks.push(refusal(&denial).to_string());
            }
            Verdict::Ask(_) => {}
        }
    }

    /// Starts the hold of an approved action: its step keeps waiting, and nothing is claimed yet.
    fn hold(&mut self, action: &PendingAction) {
        let how_long = match action.shown_not_before() {
            Some(at) if at > self.frame.now => "until its time".to_owned(),
            _ => format!("for {} s", action.hold_seconds()),
        };
        self.remarks.push(format!(
            "Approved, and held {how_long}: {}. Until then you can take it back, in the outbox or with “undo”.",
            action.card.title
        ));
        self.waits_for_time(action.id.clone());
    }

    /// Marks an approved action as waiting for the end of its hold or for a connection, no longer for the person.
    pub(super) fn waits_for_time(&mut self, action: ActionId) {
        self.past.pending.retain(|one| one.id != action);
        self.later.insert(action);
    }

    fn waits_for(&self, action: &PendingAction) -> bool {
        self.plan.as_ref().is_some_and(|plan| {
            plan.steps.iter().any(|step| {
                step.draft.key == action.step
                    && matches!(&step.state, StepState::NeedsApproval { action: id } if *id == action.id)
            })
        })
    }

    /// Handles rejections. A rejected mail is kept as a draft.
    pub(super) fn denied(&mut self, ids: &[ActionId]) {
        let denied: Vec<PendingAction> = self
            .past
            .pending
            .iter()
            .filter(|action| ids.contains(&action.id))
            .cloned()
            .collect();
        for action in denied {
            self.past.pending.retain(|one| one.id != action.id);
            if !self.waits_for(&action) {
                continue;
            }
            self.refused.insert(action.tool.clone());
            self.set(
                &action.step,
                StepState::Cancelled {
                    reason: respond::not_done(&self.frame.tools, &action.tool),
                },
            );
            if let Some(draft) = self.kept_draft(&action)
                && let Some(plan) = &mut self.plan
            {
                plan.steps.push(Step::new(draft));
            }
        }
    }

    /// Returns the step that keeps the text of a rejected mail, if the action contains it.
    fn kept_draft(&mut self, action: &PendingAction) -> Option<StepDraft> {
        let (keeper, fields) = self.frame.tools.keeper(&action.tool)?;
        let keeper = keeper.to_owned();
        let [call] = action.calls.as_slice() else {
            return None;
        };
        let args = kept_draft::draft(call, &fields)?;
        Some(StepDraft {
            key: StepKey(format!("{}_draft", action.step)),
            say: "Keep the text as a draft".into(),
            tool: keeper,
            args: Value::Object(args),
            sources: call.sources.clone(),
            ..StepDraft::default()
        })
    }

    /// Replaces a waiting action whose arguments were changed by a new one.
    pub(super) fn edited(
        &mut self,
        action: &PendingAction,
        batch: Vec<Observed>,
        draw: &Draw,
        out: &mut Vec<Effect>,
    ) {
        if !self.waits_for(action) {
            self.remarks
                .push("The request went on without this action, so nothing was changed.".into());
            return;
        }
        self.moves
            .push((action.id.clone(), action.state, ActionState::Superseded));
        // The calls of a batch stay with its action: a step has only one set of arguments.
        if let [look] = batch.as_slice() {
            let (args, sources) = (look.call.args().clone(), look.call.sources().clone());
            if let Some(step) = self.step_at(&action.step) {
                step.draft.args = args;
                step.draft.sources = sources;
                step.draft.each = None;
            }
        }
        self.set(&action.step, StepState::Running);
        self.was_asked(&action.step);
        self.pass_gate(&action.step, batch, draw, out);
    }

    /// Puts an answer into the slot of its question, so that the step runs again.
    pub(super) fn answer(&mut self, key: &StepKey, value: Value, words: Option<String>) {
        let Some(step) = self.step_at(key) else {
            return;
        };
        let StepState::NeedsAnswer { question } = step.state.clone() else {
            return;
        };
        if slot::set(&mut step.draft.args, &question.slot, value) {
            // A choice from a list may be in the words of others.
            let typed = words.clone().filter(|_| question.choices.is_empty());
            step.draft
                .sources
                .insert(question.slot.clone(), Source::Person { words });
            step.draft.question = None;
            step.state = StepState::Next;
            self.answered.extend(typed);
        } else {
            self.remarks
                .push("The answer could not be used; please say the whole request again.".into());
        }
    }
}

/// Returns whether calls, as they look now, concern a record that the card showed, or whether it showed none.
fn concerns_the_same(action: &PendingAction, now: &[Observed]) -> bool {
    let shown = action.calls.iter().flat_map(|call| &call.before.targets);
    let shown: BTreeSet<&RecordId> = shown.map(|target| &target.id).collect();
    let mut now = now.iter().flat_map(|look| &look.before.targets);
    shown.is_empty() || now.any(|target| shown.contains(&target.id))
}

/// Returns the fault of an action whose subject changed so much that it cannot be shown again.
fn conflict(what: &str) -> UserFault {
    UserFault::new(
        "conflict",
        format!("“{what}” changed after this was shown, so nothing was done."),
        "Ask again if you still want it done.",
    )
}

/// Returns the fault of an approved call whose tool vanished while its card waited.
fn tool_gone(name: &str) -> UserFault {
    UserFault::new(
        "tool_gone",
        format!("The tool {name} is no longer there, so nothing was done."),
        "Connect its server again, then ask again.",
    )
}

/// Returns the state of a step whose approval expired.
pub(super) fn expired() -> StepState {
    StepState::Cancelled {
        reason: "It expired unanswered; nothing was done.".into(),
    }
}
