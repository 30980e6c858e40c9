//! A step whose operations left storage: each has its own outcome, and the answer lists them separately.

use std::collections::BTreeSet;

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::StepKey;
use adjutant_domain::operation::{Ended, Receipt, RemoteFault};
use adjutant_domain::outcome::Answer;
use adjutant_domain::plan::StepState;
use adjutant_domain::source::Taint;

use super::batch::merge;
use super::run::shown_taint;
use super::{Carried, Effect, Machine, Waits};

/// Fault code of a step that was done in part.
pub(crate) const PARTLY: &str = "partly";

impl Machine {
    /// Handles the outcomes of a step's operations.
    pub(super) fn carried_out(
        &mut self,
        step: &StepKey,
        carried: &[Carried],
        out: &mut Vec<Effect>,
    ) {
        if !self.is_running(step) {
            return;
        }
        let mut answers = self.leaving.remove(step).unwrap_or_default();
        if let Some(waits) = carried.iter().find_map(|one| one.waits.as_ref()) {
            return self.wait(step, carried, waits);
        }
        self.standby.remove(step);
        take_in_answers(&mut answers, carried);
        let (not_done, unknown) = (not_done(carried), unknown(carried));
        let failed: BTreeSet<usize> = carried
            .iter()
            .filter(|one| !is_done(one))
            .map(|one| one.call)
            .collect();
        // Failures are reported by the names of rows, which others may have chosen.
        let named = answers.iter().map(|answer| answer.taint);
        self.reach(named.fold(Taint::Clean, Taint::join));
        let done: Vec<Answer> = answers
            .into_iter()
            .enumerate()
            .filter(|(call, _)| !failed.contains(call))
            .map(|(_, answer)| answer)
            .collect();
        if let Some(id) = self.approved.remove(step) {
            let to = match (unknown.is_empty(), not_done.is_empty()) {
                (false, _) => ActionState::Unknown,
                (true, true) => ActionState::Succeeded,
                (true, false) => ActionState::Failed,
            };
            // The first operation that begins claims the approval.
            if carried.iter().all(|one| one.effect.is_none()) {
                self.moves
                    .push((id.clone(), ActionState::Approved, ActionState::Executing));
            }
            self.moves.push((id, ActionState::Executing, to));
        }
        // A call with several operations may have been carried out in part.
        let done_in_part: Vec<String> = carried
            .iter()
            .filter(|one| failed.contains(&one.call) && is_done(one))
            .map(|one| one.words.clone())
            .collect();
        let nothing = done.is_empty() && done_in_part.is_empty();
        let mut result = self.result_of(step, merge(done));
        result.effects = carried
            .iter()
            .filter(|one| is_done(one))
            .filter_map(|one| one.effect.clone())
            .collect();
        if failed.is_empty() {
            let receipt = carried.last().and_then(|one| one.receipt.clone());
            return self.done(step, result, receipt, out);
        }
        if nothing && not_done.is_empty() {
            self.set(step, StepState::Unknown);
            return;
        }
        let code = if nothing { "not_done" } else { PARTLY };
        let fault = UserFault::new(code, told(&done_in_part, &not_done, &unknown), "");
        if nothing {
            return self.fail(step, fault, out);
        }
        out.push(Effect::Emit(TurnEvent::ToolResult {
            step: step.clone(),
            ok: false,
            result: None,
            error: Some(fault.clone()),
            receipt: None,
            ms: None,
        }));
        if let Some(one) = self.step_at(step) {
            one.result = Some(result);
            let tool = one.draft.tool.clone();
            self.used_tools.insert(tool);
        }
        self.set(step, StepState::Failed { fault });
    }
}

impl Machine {
    /// Nothing has left. The approval stays, or an action is approved now that nobody was asked about, and the step
    /// continues once what it waits for is there.
    fn wait(&mut self, step: &StepKey, carried: &[Carried], waits: &Waits) {
        let standby = self.standby.remove(step);
        let (action, begin) = match (self.approved.remove(step), standby) {
            (Some(action), _) => (action, "Approved, but not done yet"),
            (None, Some(standby)) => {
                self.reach(shown_taint(&standby));
                (standby.id, "Not done yet")
            }
            (None, None) => return,
        };
        let words: Vec<&str> = carried.iter().map(|one| one.words.as_str()).collect();
        let words = words.join("; ");
        self.remarks.push(match waits {
            Waits::Connection => format!(
                "{begin} because there is no connection: {words}. Adjutant keeps trying until this expires, and shows it in the outbox until then; you can take it back there."
            ),
            Waits::SignIn { account, name } => format!(
                "{begin}; it waits for you to sign in to {name} again: {words}. Sign in under Settings › Accounts (`adjutant accounts sign-in {account}`), and it is done. The outbox shows it until then."
            ),
        });
        self.set(
            step,
            StepState::NeedsApproval {
                action: action.clone(),
            },
        );
        self.waits_for_time(action);
    }
}

/// Puts the answers of servers' tools into the results of their calls, as foreign text. The message by which a server
/// reports a failure is foreign text too.
fn take_in_answers(answers: &mut [Answer], carried: &[Carried]) {
    for one in carried {
        let Some(answer) = answers.get_mut(one.call) else {
            continue;
        };
        match &one.ended {
            Some(Ended::Done {
                receipt: Receipt::Tool { answer: given, .. },
            }) => {
                answer.output = given.output();
                answer.say = format!("{} {}", answer.say, given.said());
                answer.taint = Taint::Tainted;
            }
            Some(Ended::Refused {
                fault:
                    RemoteFault::Failed { .. }
                    | RemoteFault::Refused { .. }
                    | RemoteFault::Untrusted { .. },
            }) => answer.taint = Taint::Tainted,
            _ => {}
        }
    }
}

fn is_done(one: &Carried) -> bool {
    matches!(one.ended, Some(Ended::Done { .. }))
}

/// Returns what was certainly not done, with the reasons.
fn not_done(carried: &[Carried]) -> Vec<String> {
    let mut all = Vec::new();
    for one in carried {
        match &one.ended {
            Some(Ended::Refused { fault }) => {
                let told = one.reason.clone().unwrap_or_else(|| fault.to_string());
                all.push(format!("{} ({told})", one.words));
            }
            None => all.push(one.words.clone()),
            Some(Ended::Done { .. } | Ended::Unknown { .. }) => {}
        }
    }
    all
}

/// Returns what may have been done.
fn unknown(carried: &[Carried]) -> Vec<String> {
    carried
        .iter()
        .filter(|one| matches!(one.ended, Some(Ended::Unknown { .. })))
        .map(|one| one.words.clone())
        .collect()
}

fn told(done: &[String], not_done: &[String], unknown: &[String]) -> String {
    [
        ("Done", done),
        ("Not done", not_done),
        ("This may have happened, please check", unknown),
    ]
    .into_iter()
    .filter(|(_, all)| !all.is_empty())
    .map(|(head, all)| format!("{head}: {}.", all.join("; ")))
    .collect::<Vec<_>>()
    .join(" ")
}
