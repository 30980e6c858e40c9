//! Closes a turn that nothing works on any more, from what it published, what its effects prove, and what still waits.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::conversation::{Effect, JournalEntry, Past, Turn, TurnEnd, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::{ActionId, ConversationId, StepKey};
use adjutant_domain::operation::{Attempts, Ended, Tried};
use adjutant_domain::plan::{Plan, StepState};
use adjutant_domain::source::Taint;

use super::outside::is_done;
use super::{Since, lost_words};
use crate::engine::Engine;
use crate::feed::LiveEvent;
use crate::respond;
use crate::retrieval::tool_use;

/// Why a turn is closed.
pub(super) enum Cut<'a> {
    /// It was running.
    Off {
        since: Since,
        effects: &'a [Effect],
        /// Whether the action it approved continued in the turn that had asked.
        carried_on: bool,
    },
    /// It waited for an approved action that will not be carried out.
    Lost {
        action: &'a PendingAction,
        /// The action's new state, stored together with the end; `None` if it is stored already.
        to: Option<ActionState>,
        why: &'static str,
    },
}

impl Cut<'_> {
    fn answer(&self, plan: Option<&Plan>, begun: &BTreeSet<StepKey>) -> String {
        match self {
            // An interrupted "yes": the action it approved continued in the turn that had asked.
            Self::Off {
                effects,
                carried_on: true,
                ..
            } if plan.is_none() && effects.is_empty() => {
                "Adjutant stopped before this was finished. It picked up what you had approved after the restart; the answer above says what became of it."
                    .to_owned()
            }
            Self::Off { since, effects, .. } => cut_off(*since, plan, effects, begun),
            Self::Lost { action, why, .. } => lost_words(action, why).to_string(),
        }
    }

    /// Returns why unfinished steps will never be done.
    fn reason(&self) -> String {
        match self {
            Self::Off {
                since: Since::Start,
                ..
            } => "Adjutant stopped before this.".to_owned(),
            Self::Off {
                since: Since::Failure,
                ..
            } => "Storage could not save it.".to_owned(),
            Self::Lost { why, .. } => format!("Not done because {why}."),
        }
    }

    fn moves(&self) -> Vec<(ActionId, ActionState, ActionState)> {
        match self {
            Self::Lost {
                action,
                to: Some(to),
                ..
            } => vec![(action.id.clone(), ActionState::Approved, *to)],
            _ => Vec::new(),
        }
    }

    /// Whether the person may have read or asked something else since. If so, this turn's card is not the latest one
    /// shown, and a bare "yes" must not approve it.
    async fn is_late(&self, engine: &Engine, turn: &Turn) -> Result<bool, StoreFault> {
        let Self::Off {
            since: Since::Start,
            ..
        } = self
        else {
            return Ok(true);
        };
        let log = &engine.core.parts.log;
        let newest = log.turns(Some(&turn.conversation), Some(1)).await?;
        Ok(newest.first().is_some_and(|newest| newest.id != turn.id))
    }
}

impl Engine {
    /// Closes a turn, stores that, and publishes it.
    pub(super) async fn close_cut_off(&self, turn: &Turn, cut: &Cut<'_>) -> Result<(), StoreFault> {
        let parts = &self.core.parts;
        let (past, seq) = parts.log.past(&turn.conversation).await?;
        let told = self.told(turn, seq).await?;
        let mut plan = turn.plan.clone();
        let begun = self.mark_carried(turn, plan.as_mut()).await?;
        let plan_taint = plan.as_ref().map_or(Taint::Clean, taint);
        let mut answer = cut.answer(plan.as_ref(), &begun);
        if !told.text.is_empty() {
            answer = format!("{} …\n\n{answer}", told.text.trim_end());
        }
        let approvals = settle_steps(plan.as_mut(), &past, &cut.reason());
        let results = plan.as_ref().map(respond::outcomes).unwrap_or_default();
        let (state, event) = if approvals.is_empty() {
            (TurnState::Interrupted, TurnEvent::Interrupted { results })
        } else {
            answer.push_str("\n\nWhat was waiting for you in Approvals is still waiting.");
            let event = TurnEvent::Waiting {
                answer: answer.clone(),
                approvals,
                questions: Vec::new(),
                results,
            };
            // A turn that is set aside can be answered only by the buttons of its cards.
            let state = if cut.is_late(self, turn).await? {
                TurnState::SetAside
            } else {
                TurnState::Waiting
            };
            (state, event)
        };
        // The stored answer is the text already published plus what is said about the end; publish only the latter.
        let rest = (!told.text.is_empty())
            .then(|| answer.strip_prefix(told.text.trim_end()))
            .flatten()
            .map(TurnEvent::token);
        let events = (seq..)
            .zip(rest.into_iter().chain([event]))
            .map(|(seq, event)| {
                Arc::new(LiveEvent {
                    conversation: turn.conversation.clone(),
                    turn: turn.id.clone(),
                    seq,
                    event,
                })
            });
        let events: Vec<Arc<LiveEvent>> = events.collect();
        let end = TurnEnd {
            turn: turn.id.clone(),
            conversation: turn.conversation.clone(),
            state,
            route: turn.route.clone(),
            plan,
            answer: Some(answer),
            pending: Vec::new(),
            actions: cut.moves(),
            sets_aside: same_plan_waits(&past, turn),
            focus: past.focus,
            taint: told.taint().join(plan_taint).join(past.taint),
            private: false,
            at: parts.clock.now().timestamp(),
            journal: events.iter().filter_map(|live| entry(live)).collect(),
            tools: tool_use(&[], turn.plan.as_ref(), &BTreeSet::new()),
        };
        parts.log.close_turn(&end).await?;
        self.tell_stored(&turn.conversation, &events);
        Ok(())
    }

    /// Updates the steps whose operations left storage from the outcome of those operations. Returns all steps that
    /// were, or may have been, carried out in part; the answer quotes what Activity says about them.
    async fn mark_carried(
        &self,
        turn: &Turn,
        plan: Option<&mut Plan>,
    ) -> Result<BTreeSet<StepKey>, StoreFault> {
        let log = &self.core.parts.log;
        let tried = log.attempts(&Attempts::Turn(turn.id.clone())).await?;
        let begun = tried.iter().map(|one| one.begun.step.clone()).collect();
        for step in plan.into_iter().flat_map(|plan| &mut plan.steps) {
            let own: Vec<&Tried> = tried
                .iter()
                .filter(|one| one.begun.step == step.draft.key)
                .collect();
            if let Some(first) = own.first() {
                if step.state.is_over() {
                    continue;
                }
                let unknown = |one: &&Tried| {
                    matches!(one.attempt.outcome, None | Some(Ended::Unknown { .. }))
                };
                if own.iter().any(unknown) {
                    step.state = StepState::Unknown;
                } else if own.len() >= first.begun.of && own.iter().all(|one| is_done(one)) {
                    step.state = StepState::Done;
                }
                continue;
            }
            // Older versions recorded no attempts.
            let StepState::NeedsApproval { action } = &step.state else {
                continue;
            };
            let action = log.action(action).await?;
            if action.is_some_and(|action| action.state == ActionState::Unknown) {
                step.state = StepState::Unknown;
            }
        }
        Ok(begun)
    }

    /// Publishes the end of a turn at once, so that subscribers need not wait for their next look at the journal.
    fn tell_stored(&self, conversation: &ConversationId, events: &[Arc<LiveEvent>]) {
        let feed = self.actors.feed(conversation);
        for event in events {
            feed.publish(event);
            // Having no watcher is not a fault.
            let _ = self.core.watchers.send(event.clone());
        }
        if let Some(last) = events.last() {
            feed.saved(last.seq);
        }
    }

    /// Collects the answer that an interrupted turn had published. `next` is the number after the last journal entry.
    async fn told(&self, turn: &Turn, next: i64) -> Result<CutOffAnswer, StoreFault> {
        let log = &self.core.parts.log;
        let mut told = CutOffAnswer::default();
        let mut from = next.saturating_sub(TURN_ENTRIES_MAX).max(0);
        loop {
            let page = log.journal(&turn.conversation, from, JOURNAL_PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(told);
            };
            from = last.seq + 1;
            for entry in page.into_iter().filter(|entry| entry.turn == turn.id) {
                told.take(entry);
            }
        }
    }
}

/// Cancels steps that will not be done. Returns the actions that still wait; while there are any, later steps may still
/// run.
fn settle_steps(plan: Option<&mut Plan>, past: &Past, reason: &str) -> Vec<ActionId> {
    let Some(plan) = plan else {
        return Vec::new();
    };
    let waits = |action: &ActionId| past.pending.iter().any(|one| one.id == *action);
    // It is carried out once its hold is over or there is a connection.
    let later = |state: &StepState| matches!(state, StepState::NeedsApproval { action } if past.approved.iter().any(|one| one.id == *action));
    let approvals: Vec<ActionId> = plan
        .steps
        .iter()
        .filter_map(|step| match &step.state {
            StepState::NeedsApproval { action } if waits(action) => Some(action.clone()),
            _ => None,
        })
        .collect();
    for step in &mut plan.steps {
        let cancelled = || StepState::Cancelled {
            reason: reason.to_owned(),
        };
        step.state = match &step.state {
            state if state.is_over() || later(state) => continue,
            _ if approvals.is_empty() => cancelled(),
            StepState::NeedsApproval { action } if !waits(action) => cancelled(),
            // Nothing of it has happened.
            StepState::Running => StepState::Next,
            _ => continue,
        };
    }
    approvals
}

/// Returns another waiting turn with the plan of this one, which must be set aside: only one turn may wait with a plan.
fn same_plan_waits(past: &Past, turn: &Turn) -> Option<adjutant_domain::ids::TurnId> {
    let plan = turn.plan.as_ref()?;
    let other = past.waiting.as_ref().filter(|other| other.id != turn.id)?;
    let same = other.plan.as_ref()?.id == plan.id;
    same.then(|| other.id.clone())
}

fn entry(live: &LiveEvent) -> Option<JournalEntry> {
    match serde_json::to_value(&live.event) {
        Ok(body) => Some(JournalEntry {
            seq: live.seq,
            turn: live.turn.clone(),
            body,
        }),
        Err(error) => {
            tracing::error!(%error, "an event cannot be written as JSON");
            None
        }
    }
}

/// Maximum number of journal entries of one turn: an answer makes some hundreds, plus the steps.
const TURN_ENTRIES_MAX: i64 = 8_192;
/// Journal entries to read at a time.
const JOURNAL_PAGE: usize = 512;

/// What is known of an interrupted answer.
#[derive(Debug, Default)]
struct CutOffAnswer {
    text: String,
    /// Taint of the contexts that models were shown.
    taint: Taint,
    /// Whether any tool returned results.
    results: bool,
}

impl CutOffAnswer {
    /// Whether the retained part of the answer may contain foreign text.
    fn taint(&self) -> Taint {
        if self.results && !self.text.is_empty() {
            Taint::Tainted
        } else {
            self.taint
        }
    }

    fn take(&mut self, entry: JournalEntry) {
        match serde_json::from_value(entry.body) {
            Ok(TurnEvent::Token { text, restart }) => {
                if restart {
                    self.text.clear();
                }
                self.text.push_str(&text);
            }
            Ok(TurnEvent::ToolResult { .. }) => self.results = true,
            Ok(TurnEvent::Context { taint, .. }) => self.taint = self.taint.join(taint),
            // A waiting turn ended its answer here; what follows belongs to a new answer.
            Ok(event) if event.is_last() => *self = Self::default(),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(seq = entry.seq, %error, "an entry of the journal is not readable");
            }
        }
    }
}

/// Returns the taint of a plan including all results, which the plan's own taint may not cover yet.
fn taint(plan: &Plan) -> Taint {
    let results = plan.steps.iter().filter_map(|step| step.result.as_ref());
    results.fold(plan.taint, |taint, result| taint.join(result.taint))
}

/// Returns what to say about an interrupted turn. Only effects count as done. `begun` are steps whose operations left
/// storage; `effects` has a line for each of them.
fn cut_off(
    since: Since,
    plan: Option<&Plan>,
    effects: &[Effect],
    begun: &BTreeSet<StepKey>,
) -> String {
    let why = match since {
        Since::Start => "Adjutant stopped before this was finished.",
        Since::Failure => "How this ended could not be saved at the time.",
    };
    let said = |outcome: &str| -> Vec<&str> {
        let fitting = effects.iter().filter(|effect| effect.outcome == outcome);
        fitting.map(|effect| effect.say.as_str()).collect()
    };
    let (done, unsure) = (
        said("succeeded"),
        [said("unknown"), said("failed")].concat(),
    );
    let steps = |wanted: &dyn Fn(&StepState, &StepKey) -> bool| -> Vec<&str> {
        plan.iter()
            .flat_map(|plan| &plan.steps)
            .filter(|step| wanted(&step.state, &step.draft.key))
            .map(|step| step.draft.say.trim_end_matches('.'))
            .collect()
    };
    let unknown = steps(&|state, key| *state == StepState::Unknown && !begun.contains(key));
    let part = steps(&|state, key| !state.is_over() && begun.contains(key));
    let open = steps(&|state, key| !state.is_over() && !begun.contains(key));
    let mut text = why.to_owned();
    if !done.is_empty() {
        text.push_str(&format!(" Done: {}", done.join(" ")));
    } else if unknown.is_empty() && unsure.is_empty() {
        text.push_str(" Nothing was done.");
    }
    for sentence in unsure {
        text.push(' ');
        text.push_str(sentence);
    }
    for (head, steps) in [
        ("May have happened, please check", unknown),
        ("Not finished", part),
        ("Not done", open),
    ] {
        if !steps.is_empty() {
            text.push_str(&format!(" {head}: {}.", steps.join("; ")));
        }
    }
    text.push_str(" Ask again to continue.");
    text
}
