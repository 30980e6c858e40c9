//! Stores and publishes what a turn does: journal, effects and the end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use adjutant_domain::conversation::{EffectCommit, JournalEntry, Receipt, TurnEnd, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::ActionId;

use super::Driver;
use crate::feed::LiveEvent;
use crate::settle::{LeftApprovals, settle};
use crate::stopwatch::Stopwatch;
use crate::summary;

/// An action with its present and its new state.
type Move = (ActionId, ActionState, ActionState);

impl Driver {
    /// Commits one change together with the journal so far.
    pub(crate) async fn commit(&mut self, mut commit: EffectCommit) -> Result<Receipt, StoreFault> {
        self.kept_all().await;
        commit.journal = std::mem::take(&mut self.unsaved);
        let watch = Stopwatch::start();
        let receipt = self.core.parts.log.commit_effect(&commit).await;
        watch.stage("commit");
        if receipt.is_ok() {
            self.feed.saved(self.seq - 1);
            self.core.stored(&commit.change);
        } else {
            self.unsaved = commit.journal;
        }
        receipt
    }

    /// Settles operations outside storage that the end of the turn interrupts; their outcome is not known yet. Returns
    /// the moves of their approvals.
    async fn cut_off_carrying(&mut self) -> Vec<Move> {
        use ActionState::{Approved, Cancelled, Executing, Unknown};
        let carrying = std::mem::take(&mut self.carrying);
        if carrying.is_empty() {
            return Vec::new();
        }
        // They are reconciled as soon as nothing is running.
        self.core.recovery_pending.store(true, Ordering::SeqCst);
        let mut moves = Vec::new();
        for id in carrying.into_values().flatten() {
            match self.core.parts.log.action(&id).await {
                Ok(Some(action)) if action.state == Approved => {
                    moves.push((id, Approved, Cancelled));
                }
                Ok(Some(action)) if action.state == Executing => {
                    moves.push((id, Executing, Unknown));
                }
                Ok(_) => {}
                Err(fault) => {
                    tracing::warn!(%id, %fault, "an action could not be read; its state is left as it is");
                }
            }
        }
        moves
    }

    /// Stores the end of the turn, then publishes it.
    pub(crate) async fn close(&mut self, mut end: TurnEnd, events: Vec<TurnEvent>) {
        let events: Vec<Arc<LiveEvent>> = events
            .into_iter()
            .map(|event| {
                let event = self.timed(event);
                self.number(event)
            })
            .collect();
        self.kept_all().await;
        end.at = self.core.parts.clock.now().timestamp();
        end.journal = std::mem::take(&mut self.unsaved);
        end.actions.extend(self.cut_off_carrying().await);
        let watch = Stopwatch::start();
        let mut stored = self.core.parts.log.close_turn(&end).await;
        if matches!(stored, Err(StoreFault::Conflict { .. })) {
            // An action expired or was answered through another channel meanwhile: drop the moves that no longer apply
            // and store the rest.
            self.drop_lost_moves(&mut end).await;
            stored = self.core.parts.log.close_turn(&end).await;
        }
        watch.stage("close");
        match stored {
            Ok(()) => {
                for event in &events {
                    self.publish(event);
                }
                self.feed.saved(self.seq - 1);
                self.core.changed.notify_one();
                let asked = if self.asked.is_empty() {
                    &self.text
                } else {
                    &self.asked
                };
                self.core.note_tools(asked, &end.tools);
                summary::after_turn(&self.core, &self.conversation, &self.past);
            }
            Err(fault) => {
                tracing::error!(turn = %self.turn, %fault, "the end of a turn could not be stored");
                self.feed.forget_unsaved();
                self.core.recovery_pending.store(true, Ordering::SeqCst);
                let left = self.settle(&end).await;
                self.publish(&Arc::new(LiveEvent {
                    conversation: self.conversation.clone(),
                    turn: self.turn.clone(),
                    seq: 0,
                    event: TurnEvent::Error {
                        fault: left.told(UserFault::from(&fault)),
                    },
                }));
            }
        }
    }

    /// After an end that could not be stored, stores the moves of approvals one by one, which needs less space, and
    /// takes back approvals that can no longer run. What waits keeps waiting as shown, because its replacement was not
    /// stored.
    async fn settle(&self, end: &TurnEnd) -> LeftApprovals {
        let claimed = [ActionState::Approved, ActionState::Executing];
        let moves = end.actions.iter();
        for (id, from, to) in moves.filter(|(_, from, _)| claimed.contains(from)) {
            let log = &self.core.parts.log;
            let moved = log.move_action(id, *from, *to, None, end.at).await;
            if let Err(fault) = moved {
                tracing::warn!(%id, %fault, "what became of an action could not be stored");
            }
        }
        settle(&self.core, &self.conversation).await
    }

    async fn drop_lost_moves(&self, end: &mut TurnEnd) {
        let mut kept = Vec::with_capacity(end.actions.len());
        let mut known: Vec<(ActionId, ActionState)> = Vec::new();
        for (id, from, to) in std::mem::take(&mut end.actions) {
            let state = match known.iter().find(|(one, _)| *one == id) {
                Some((_, state)) => Some(*state),
                None => match self.core.parts.log.action(&id).await {
                    Ok(action) => action.map(|action| action.state),
                    Err(fault) => {
                        tracing::warn!(%id, %fault, "an action could not be read; its state is left as it is");
                        None
                    }
                },
            };
            if state == Some(from) {
                known.retain(|(one, _)| *one != id);
                known.push((id.clone(), to));
                kept.push((id, from, to));
            }
        }
        end.actions = kept;
        if let Some(other) = &end.sets_aside {
            let waits = self.core.parts.log.turn(other).await;
            if !waits.is_ok_and(|turn| turn.is_some_and(|turn| turn.state == TurnState::Waiting)) {
                end.sets_aside = None;
            }
        }
    }

    /// Fills in measured durations and usage.
    fn timed(&mut self, mut event: TurnEvent) -> TurnEvent {
        match &mut event {
            TurnEvent::Done { ms, usage, .. } => {
                *ms = self.watch.ms();
                // Failed requests cost something too. The model's own accounting includes them, if it has any.
                let models = self.core.models();
                let counted = models.and_then(|models| models.chat.used_by(&self.turn));
                *usage = counted.unwrap_or(self.usage);
            }
            TurnEvent::ToolResult { step, ms, .. } => {
                *ms = self.steps.remove(step).map(Stopwatch::ms);
            }
            _ => {}
        }
        event
    }

    /// Publishes an event at once; it reaches the journal with the next commit.
    pub(crate) fn tell(&mut self, event: TurnEvent) {
        let event = self.timed(event);
        if matches!(event, TurnEvent::Token { .. } | TurnEvent::Thinking { .. }) {
            self.told_text();
        }
        let event = self.number(event);
        self.publish(&event);
    }

    fn number(&mut self, event: TurnEvent) -> Arc<LiveEvent> {
        let seq = self.seq;
        self.seq += 1;
        match serde_json::to_value(&event) {
            Ok(body) => self.unsaved.push(JournalEntry {
                seq,
                turn: self.turn.clone(),
                body,
            }),
            Err(error) => tracing::error!(%error, "an event cannot be written as JSON"),
        }
        Arc::new(LiveEvent {
            conversation: self.conversation.clone(),
            turn: self.turn.clone(),
            seq,
            event,
        })
    }

    fn publish(&self, event: &Arc<LiveEvent>) {
        self.feed.publish(event);
        self.sink.send(event);
        // Having no watcher is not a fault.
        let _ = self.core.watchers.send(event.clone());
    }
}
