//! Attempts, stored in memory.

use adjutant_domain::conversation::{Effect, Receipt, Standby, TurnState};
use adjutant_domain::gate::ActionState;
use adjutant_domain::operation::{Attempt, Attempts, Beginning, Ended, Ending, Operation, Tried};

use super::{MemoryLog, Stored, conflict};

impl MemoryLog {
    pub(super) fn put_on_record(&self, begin: &Beginning) -> Stored<()> {
        let mut state = self.state();
        let open = |turn: &adjutant_domain::conversation::Turn| {
            turn.id == begin.turn && turn.state == TurnState::Open
        };
        if !state.turns.iter().any(open) {
            return Err(conflict(&begin.turn.0));
        }
        state.commit("begin_attempt")?;
        if let Some(id) = &begin.claim {
            let executing = |one: &adjutant_domain::gate::PendingAction| {
                one.id == *id && one.state == ActionState::Executing
            };
            if !state.actions.iter().any(executing) {
                state.step(id, ActionState::Approved, ActionState::Executing)?;
            }
        }
        if let Some(run) = begin.unasked.as_ref().filter(|_| begin.number == 1) {
            state.note(run, begin.at)?;
        }
        state.attempts.push(Tried {
            attempt: Attempt {
                key: begin.key.clone(),
                number: begin.number,
                started: begin.at,
                ended: None,
                outcome: None,
            },
            begun: begin.clone(),
            open: true,
        });
        Ok(())
    }

    pub(super) fn settle_attempt(
        &self,
        end: &Ending,
        standby: Option<&Standby>,
    ) -> Stored<Option<Receipt>> {
        let mut state = self.state();
        state.commit("end_attempt")?;
        let open = state
            .attempts
            .iter_mut()
            .find(|one| one.begun.key == end.key && one.begun.number == end.number && one.open);
        let tried = open.ok_or_else(|| conflict(end.key.as_str()))?;
        tried.attempt.ended = Some(end.at);
        tried.attempt.outcome = Some(end.ended.clone());
        tried.open = matches!(end.ended, Ended::Unknown { .. }) && !end.needs_person;
        let begun = tried.begun.clone();
        if let (Some(until), Some(id)) = (end.waits_until, &begun.claim) {
            state.step(id, ActionState::Executing, ActionState::Approved)?;
            let action = state.actions.iter_mut().find(|one| one.id == *id);
            if let Some(action) = action {
                action.waits_until.get_or_insert(until);
                action.not_before = None;
            }
        }
        if let (Some(until), None, Some(standby)) = (end.waits_until, &begun.claim, standby) {
            state.actions.push(adjutant_domain::gate::PendingAction {
                waits_until: Some(until),
                ..standby.action.clone()
            });
            let turn = state.turns.iter_mut().find(|one| one.id == begun.turn);
            if let Some(turn) = turn {
                turn.plan.clone_from(&standby.plan);
            }
        }
        let Some(say) = end.say.clone() else {
            return Ok(None);
        };
        let id: adjutant_domain::ids::EffectId = begun.key.0.clone().into();
        let (outcome, proof) = match &end.ended {
            Ended::Done { receipt } => ("succeeded", Some(receipt.clone())),
            Ended::Refused { .. } => ("failed", None),
            Ended::Unknown { .. } => ("unknown", None),
        };
        let inverse = match &begun.operation {
            Operation::Remote { then, .. }
                if begun.operation.is_reversible() && proof.is_some() =>
            {
                Some(self.inverse(then)).filter(|inverse| !inverse.ops.is_empty())
            }
            _ => None,
        };
        let undoes = begun.undoes.clone().filter(|_| proof.is_some());
        let then = begun.operation.change().cloned().unwrap_or_default();
        state.use_inverse(undoes.as_ref(), &then, &id);
        let receipt = proof.map(|proof| {
            let rows = match &begun.operation {
                Operation::Remote { then, .. } if self.records.apply(then).is_ok() => {
                    self.read_back(then)
                }
                _ => Vec::new(),
            };
            Receipt {
                id: id.clone(),
                rows,
                proof: Some(proof),
                at: end.at,
            }
        });
        state.effects.retain(|one| one.id != id);
        state.effects.push(Effect {
            id,
            at: end.at,
            conversation: begun.conversation,
            turn: begun.turn,
            step: begun.step,
            tool: begun.tool,
            args: begun.args,
            outcome: outcome.into(),
            say,
            receipt: receipt.clone(),
            inverse,
            action: begun.claim,
            grant: begun.unasked.and_then(|run| run.grant),
            undone_by: None,
            partly_undone: false,
            undoes,
        });
        Ok(receipt)
    }

    pub(super) fn tried(&self, which: &Attempts) -> Vec<Tried> {
        let state = self.state();
        let last = |one: &&Tried| {
            !state.attempts.iter().any(|other| {
                other.begun.key == one.begun.key && other.begun.number > one.begun.number
            })
        };
        let wanted = |one: &&Tried| match which {
            Attempts::Open => one.open,
            Attempts::Turn(turn) => one.begun.turn == *turn,
            Attempts::Action(action) => one.begun.claim.as_ref() == Some(action),
        };
        let all = state.attempts.iter().filter(last);
        all.filter(wanted).cloned().collect()
    }
}
