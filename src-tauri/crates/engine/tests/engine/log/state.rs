//! The stored state and its transitions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{
    Effect, JournalEntry, Message, Past, Summary, ToolUse, Turn, TurnState,
};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::focus::Focus;
use adjutant_domain::gate::{ActionState, Grant, PendingAction, Rates, Unasked};
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, JobId, TurnId};
use adjutant_domain::job::Job;
use adjutant_domain::operation::Tried;
use adjutant_domain::source::Taint;
use jiff::Timestamp;
use tokio::sync::Semaphore;

use super::{Stored, conflict};

/// Number of past messages that a turn sees, as in storage.
const PAST_MESSAGES_MAX: usize = 20;

#[derive(Default)]
pub(super) struct State {
    pub(super) turns: Vec<Turn>,
    pub(super) messages: Vec<(ConversationId, Message)>,
    pub(super) journal: BTreeMap<ConversationId, Vec<JournalEntry>>,
    pub(super) actions: Vec<PendingAction>,
    pub(super) effects: Vec<Effect>,
    pub(super) attempts: Vec<Tried>,
    pub(super) kept: BTreeMap<ConversationId, (Focus, Taint, Option<ActionId>)>,
    pub(super) private: BTreeSet<ConversationId>,
    pub(super) grants: Vec<Grant>,
    pub(super) unasked: Vec<(Unasked, Timestamp)>,
    pub(super) jobs: BTreeMap<JobId, Job>,
    pub(super) commits: Vec<&'static str>,
    /// Commits that fail, each with the number of times it first succeeds.
    pub(super) broken: Vec<(&'static str, usize)>,
    pub(super) held: Option<Arc<Semaphore>>,
    /// Number of possible points after which the process dies.
    pub(super) dies: Option<usize>,
    pub(super) summaries: BTreeMap<ConversationId, Summary>,
    pub(super) tools: Vec<(String, ToolUse)>,
}

impl State {
    pub(super) fn commit(&mut self, name: &'static str) -> Stored<()> {
        if self.refuses(name) {
            return Err(StoreFault::DiskFull);
        }
        self.commits.push(name);
        Ok(())
    }

    pub(super) fn refuses(&mut self, name: &str) -> bool {
        match self.broken.iter_mut().find(|(one, _)| *one == name) {
            Some((_, 0)) => true,
            Some((_, left)) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }

    pub(super) fn step(&mut self, id: &ActionId, from: ActionState, to: ActionState) -> Stored<()> {
        let action = self.actions.iter_mut().find(|one| one.id == *id);
        match action {
            Some(action) if action.state == from && from.may_become(to) => {
                action.state = to;
                Ok(())
            }
            _ => Err(conflict(&id.0)),
        }
    }

    /// Marks the effects of a step as undone whose rows a change has restored.
    pub(super) fn use_inverse(
        &mut self,
        undone: Option<&EffectId>,
        change: &Change,
        by: &EffectId,
    ) {
        let of = |one: &&Effect| Some(&one.id) == undone;
        let Some((turn, step)) = self
            .effects
            .iter()
            .find(of)
            .map(|one| (one.turn.clone(), one.step.clone()))
        else {
            return;
        };
        let rows: Vec<_> = change.ops.iter().map(|op| op.id()).collect();
        for effect in &mut self.effects {
            let inverse = effect.inverse.iter().flat_map(|inverse| &inverse.ops);
            let restored = inverse.map(|op| op.id()).any(|id| rows.contains(&id));
            if (&effect.turn, &effect.step) == (&turn, &step) && restored {
                effect.undone_by.get_or_insert_with(|| by.clone());
            }
        }
    }

    pub(super) fn append(
        &mut self,
        conversation: &ConversationId,
        entries: &[JournalEntry],
    ) -> Stored<()> {
        let journal = self.journal.entry(conversation.clone()).or_default();
        for entry in entries {
            let next = journal.last().map_or(1, |last| last.seq + 1);
            if entry.seq != next {
                return Err(StoreFault::Other(format!(
                    "the journal goes on with {next}, not {}",
                    entry.seq
                )));
            }
            journal.push(entry.clone());
        }
        Ok(())
    }

    pub(super) fn turn_step(
        &mut self,
        id: &TurnId,
        from: &[TurnState],
        to: TurnState,
    ) -> Stored<&mut Turn> {
        let turn = self
            .turns
            .iter_mut()
            .find(|turn| turn.id == *id && from.contains(&turn.state))
            .ok_or_else(|| conflict(&id.0))?;
        turn.state = to;
        Ok(turn)
    }

    /// Returns whether a later turn replaced this one.
    fn is_replaced(&self, id: &TurnId) -> bool {
        let place = |wanted: &TurnId| self.turns.iter().position(|turn| turn.id == *wanted);
        self.turns.iter().enumerate().any(|(at, turn)| {
            let first = turn.instead_of.as_ref().and_then(&place);
            first.is_some_and(|first| place(id).is_some_and(|old| (first..at).contains(&old)))
        })
    }

    pub(super) fn past(&self, id: &ConversationId) -> (Past, i64) {
        let (focus, taint, shown_last) = self.kept.get(id).cloned().unwrap_or_default();
        let here: Vec<Message> = self
            .messages
            .iter()
            .filter(|(conversation, message)| {
                conversation == id && !self.is_replaced(&message.turn)
            })
            .map(|(_, message)| message.clone())
            .collect();
        let waiting = self
            .turns
            .iter()
            .rfind(|turn| turn.conversation == *id && turn.state == TurnState::Waiting);
        let pending = |action: &&PendingAction| action.state == ActionState::Pending;
        let ran = self
            .unasked
            .iter()
            .map(|(run, at)| (run.tool.clone(), run.account.clone(), *at));
        let older = here.len().saturating_sub(PAST_MESSAGES_MAX);
        let past = Past {
            messages: here[older..].to_vec(),
            older: older as u64,
            summary: self.summaries.get(id).cloned(),
            focus,
            taint,
            waiting: waiting.cloned(),
            waiting_replaced: waiting.is_some_and(|turn| self.is_replaced(&turn.id)),
            pending: self
                .actions
                .iter()
                .filter(pending)
                .filter(|action| action.conversation == *id)
                .cloned()
                .collect(),
            approved: self
                .actions
                .iter()
                .filter(|action| action.waits())
                .cloned()
                .collect(),
            elsewhere: self
                .actions
                .iter()
                .filter(pending)
                .filter(|action| action.conversation != *id)
                .cloned()
                .collect(),
            pending_everywhere: self.actions.iter().filter(pending).count(),
            shown_last,
            private: self.private.contains(id),
            grants: self.grants.clone(),
            rates: Rates {
                ran: ran.collect(),
                ..Rates::default()
            },
        };
        let last = self.journal.get(id).and_then(|entries| entries.last());
        (past, last.map_or(1, |entry| entry.seq + 1))
    }
}
