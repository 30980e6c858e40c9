//! How a turn that nobody works on any more is closed: with what it told, what its effects prove, and what still waits.

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
    /// It was at work.
    Off {
        since: Since,
        effects: &'a [Effect],
        /// What it approved went on in the turn that had asked.
        carried_on: bool,
    },
    /// It waited for an action that was approved and will not be carried out.
    Lost {
        action: &'a PendingAction,
        /// What becomes of the action, stored together with the end; `None` when it is stored already.
        to: Option<ActionState>,
        why: &'static str,
    },
}

impl Cut<'_> {
    fn answer(&self, plan: Option<&Plan>, begun: &BTreeSet<StepKey>) -> String {
        match self {
            // A "yes" that was cut off: what it approved went on in the turn that had asked.
            Self::Off {
                effects,
                carried_on: true,
                ..
            } if plan.is_none() && effects.is_empty() => {
                "Adjutant stopped before this was finished. What you had approved was taken up again after the restart; the answer above says what became of it."
                    .to_owned()
            }
            Self::Off { since, effects, .. } => cut_off(*since, plan, effects, begun),
            Self::Lost { action, why, .. } => lost_words(action, why).to_string(),
        }
    }

    /// Why a step that had not come to its end never will.
    fn reason(&self) -> String {
        match self {
            Self::Off {
                since: Since::Start,
                ..
            } => "Adjutant stopped before this.".to_owned(),
            Self::Off {
                since: Since::Failure,
                ..
            } => "Storage did not take it.".to_owned(),
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

    /// Whether the person may have read, or asked, something else since: then nothing of this turn is what was shown
    /// last, and a plain yes must not reach it.
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
    /// Closes a turn, stores that and tells it.
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
            answer.push_str("\n\nWhat waits for you in Approvals still waits.");
            let event = TurnEvent::Waiting {
                answer: answer.clone(),
                approvals,
                questions: Vec::new(),
                results,
            };
            // Set aside, its cards can be answered by their buttons alone.
            let state = if cut.is_late(self, turn).await? {
                TurnState::SetAside
            } else {
                TurnState::Waiting
            };
            (state, event)
        };
        // What was told of the answer and what is said about its end are together the answer that is kept.
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

    /// Steps whose operations left storage are as those are. Gives those of which a part was done, or may have been: what
    /// Activity says of them is told.
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
            // An older program put no attempts on record.
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

    /// Whoever follows the conversation hears of its end now, and not with the next look at the journal.
    fn tell_stored(&self, conversation: &ConversationId, events: &[Arc<LiveEvent>]) {
        let feed = self.actors.feed(conversation);
        for event in events {
            feed.publish(event);
            // Nobody watching is no fault.
            let _ = self.core.watchers.send(event.clone());
        }
        if let Some(last) = events.last() {
            feed.saved(last.seq);
        }
    }

    /// What a turn that was cut off had told of its answer. `next` is the number after the last entry of the journal.
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

/// Steps that will not come to an end are cancelled. Gives the actions that still wait; while there are any, what comes
/// after them still may run.
fn settle_steps(plan: Option<&mut Plan>, past: &Past, reason: &str) -> Vec<ActionId> {
    let Some(plan) = plan else {
        return Vec::new();
    };
    let waits = |action: &ActionId| past.pending.iter().any(|one| one.id == *action);
    // It is carried out when its hold is over, or when there is a connection.
    let later = |state: &StepState| matches!(state, StepState::NeedsApproval { action } if past.approved.contains(action));
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

/// Another turn that waits with the plan of this one: a plan waits once.
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

/// Entries one turn has in the journal at most: an answer makes some hundreds, and there are the steps.
const TURN_ENTRIES_MAX: i64 = 8_192;
/// Entries read at a time.
const JOURNAL_PAGE: usize = 512;

/// What is known of an answer that was cut off.
#[derive(Debug, Default)]
struct CutOffAnswer {
    text: String,
    /// An answer holds what others wrote, or may: a request to a model did, or there were results.
    taint: Taint,
    /// There were results.
    results: bool,
}

impl CutOffAnswer {
    /// Whether what is kept of the answer may hold what others wrote.
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
            // A turn that waited has told its answer then; what comes after is another one.
            Ok(event) if event.is_last() => *self = Self::default(),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(seq = entry.seq, %error, "an entry of the journal is not readable");
            }
        }
    }
}

/// Of a plan and of all it has read: the result of the last effect may not have been added to the plan's yet.
fn taint(plan: &Plan) -> Taint {
    let results = plan.steps.iter().filter_map(|step| step.result.as_ref());
    results.fold(plan.taint, |taint, result| taint.join(result.taint))
}

/// What is said about a turn that was cut off. Only effects count as done; `begun` are steps whose operations left storage,
/// each of which has its own line in `effects`.
fn cut_off(
    since: Since,
    plan: Option<&Plan>,
    effects: &[Effect],
    begun: &BTreeSet<StepKey>,
) -> String {
    let why = match since {
        Since::Start => "Adjutant stopped before this was finished.",
        Since::Failure => "The end of this could not be stored when it was reached.",
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
    text.push_str(" Ask again to go on.");
    text
}
