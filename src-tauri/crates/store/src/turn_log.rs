//! The durable side of turns. Each method that writes is one transaction with its own crash points.

use adjutant_domain::conversation::{
    Effect, EffectCommit, JournalEntry, Message, Past, Receipt, Role, Standby, Summary, ToolUse,
    Turn, TurnEnd, TurnState,
};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, Channel, Hold, PendingAction};
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, StepKey, TurnId};
use adjutant_domain::operation::{Attempts, Beginning, Ending, Tried};
use adjutant_domain::plan::{Plan, StepState};
use adjutant_domain::ports::{Recovered, TurnLog};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::fault::{Fault, Result};
use crate::tables::{
    actions, attempts, conversations, effects, journal, messages, summaries, tool_uses, turns,
};
use crate::tx::Tx;
use crate::{Store, cancel, effect, past};

type Stored<T> = std::result::Result<T, StoreFault>;

#[async_trait]
impl TurnLog for Store {
    async fn open_turn(&self, turn: &Turn) -> Stored<(Past, i64)> {
        let turn = turn.clone();
        // Every later action on this message is itself written, and that write waits until this one is on the disk.
        // That includes asking a model, and a file saved right after. Reading does not wait.
        self.write_first("open_turn", move |tx| open(tx, &turn))
            .await
    }

    async fn past(&self, conversation: &ConversationId) -> Stored<(Past, i64)> {
        let id = conversation.clone();
        self.read(move |connection| past::read(connection, &id))
            .await
    }

    async fn reopen_turn(&self, turn: &TurnId) -> Stored<Turn> {
        let id = turn.clone();
        self.write("reopen_turn", move |tx| {
            turns::step(tx, &id, &[TurnState::Waiting], TurnState::Open)?;
            turns::get(tx, &id)?.ok_or_else(|| Fault::missing(format!("the turn {id}")))
        })
        .await
    }

    async fn commit_effect(&self, effect: &EffectCommit) -> Stored<Receipt> {
        let effect = effect.clone();
        self.write("commit_effect", move |tx| effect::commit(tx, &effect))
            .await
    }

    async fn begin_attempt(&self, begin: &Beginning) -> Stored<()> {
        let begin = begin.clone();
        self.write("begin_attempt", move |tx| effect::begin(tx, &begin))
            .await
    }

    async fn end_attempt(
        &self,
        end: &Ending,
        standby: Option<&Standby>,
    ) -> Stored<Option<Receipt>> {
        let (end, standby) = (end.clone(), standby.cloned());
        self.write("end_attempt", move |tx| {
            effect::end(tx, &end, standby.as_ref())
        })
        .await
    }

    async fn attempts(&self, which: &Attempts) -> Stored<Vec<Tried>> {
        let which = which.clone();
        self.read(move |connection| attempts::list(connection, &which))
            .await
    }

    async fn save_plan(&self, turn: &TurnId, plan: &Plan, journal: &[JournalEntry]) -> Stored<()> {
        let (id, plan, entries) = (turn.clone(), plan.clone(), journal.to_vec());
        self.write("save_plan", move |tx| {
            turns::fill(tx, &id, None, Some(&plan), None)?;
            let turn = turns::get(tx, &id)?;
            let turn = turn.ok_or_else(|| Fault::missing(format!("the turn {id}")))?;
            journal::append(tx, &turn.conversation, &entries)
        })
        .await
    }

    async fn keep_journal(
        &self,
        conversation: &ConversationId,
        entries: &[JournalEntry],
    ) -> Stored<()> {
        let (id, entries) = (conversation.clone(), entries.to_vec());
        self.write_light("keep_journal", move |tx| journal::append(tx, &id, &entries))
            .await
    }

    async fn close_turn(&self, end: &TurnEnd) -> Stored<()> {
        let end = end.clone();
        self.write("close_turn", move |tx| close(tx, &end)).await
    }

    async fn approve_action(
        &self,
        id: &ActionId,
        channel: Channel,
        hold: Option<Hold>,
    ) -> Stored<()> {
        let id = id.clone();
        self.write("approve_action", move |tx| {
            actions::approve(tx, &id, channel, hold)
        })
        .await
    }

    async fn move_action(
        &self,
        id: &ActionId,
        from: ActionState,
        to: ActionState,
        channel: Option<Channel>,
        at: Timestamp,
    ) -> Stored<()> {
        let id = id.clone();
        self.write("move_action", move |tx| {
            actions::step(tx, &id, from, to, channel)?;
            cancel::moved(tx, (&id, from, to), at)
        })
        .await
    }

    async fn expire_actions(&self, now: Timestamp, approved: bool) -> Stored<Vec<PendingAction>> {
        self.write("expire_actions", move |tx| {
            actions::expire(tx, now, approved)
        })
        .await
    }

    async fn action(&self, id: &ActionId) -> Stored<Option<PendingAction>> {
        let id = id.clone();
        self.read(move |connection| actions::get(connection, &id))
            .await
    }

    async fn actions(
        &self,
        state: Option<ActionState>,
        limit: Option<usize>,
    ) -> Stored<Vec<PendingAction>> {
        self.read(move |connection| actions::list(connection, state, limit))
            .await
    }

    async fn turn(&self, id: &TurnId) -> Stored<Option<Turn>> {
        let id = id.clone();
        self.read(move |connection| turns::get(connection, &id))
            .await
    }

    async fn turns(
        &self,
        conversation: Option<&ConversationId>,
        limit: Option<usize>,
    ) -> Stored<Vec<Turn>> {
        let id = conversation.cloned();
        self.read(move |connection| turns::list(connection, id.as_ref(), limit))
            .await
    }

    async fn journal(
        &self,
        conversation: &ConversationId,
        from: i64,
        limit: usize,
    ) -> Stored<Vec<JournalEntry>> {
        let id = conversation.clone();
        self.read(move |connection| journal::list(connection, &id, from, limit))
            .await
    }

    async fn messages_from(
        &self,
        conversation: &ConversationId,
        skip: u64,
        limit: usize,
    ) -> Stored<Vec<Message>> {
        let id = conversation.clone();
        self.read(move |connection| messages::from(connection, &id, skip, limit))
            .await
    }

    async fn keep_summary(&self, conversation: &ConversationId, summary: &Summary) -> Stored<()> {
        let (id, summary) = (conversation.clone(), summary.clone());
        self.write_light("keep_summary", move |tx| summaries::keep(tx, &id, &summary))
            .await
    }

    async fn tool_uses(&self, limit: usize) -> Stored<Vec<(String, ToolUse)>> {
        self.read(move |connection| tool_uses::latest(connection, limit))
            .await
    }

    async fn effect(&self, id: &EffectId) -> Stored<Option<Effect>> {
        let id = id.clone();
        self.read(move |connection| effects::get(connection, &id))
            .await
    }

    async fn latest_undoable(&self, conversation: &ConversationId) -> Stored<Option<Effect>> {
        let conversation = conversation.clone();
        self.read(move |connection| effects::latest_undoable(connection, &conversation))
            .await
    }

    async fn effects_of(&self, turn: &TurnId, step: &StepKey) -> Stored<Vec<Effect>> {
        let (turn, step) = (turn.clone(), step.clone());
        self.read(move |connection| effects::of_step(connection, &turn, &step))
            .await
    }

    async fn effects(&self, limit: Option<usize>) -> Stored<Vec<Effect>> {
        self.read(move |connection| effects::list(connection, limit))
            .await
    }

    async fn unfinished(&self) -> Stored<Vec<Recovered>> {
        self.read(move |connection| {
            let found = turns::open(connection)?.into_iter().map(|turn| {
                let effects = effects::of_turn(connection, &turn.id)?;
                Ok(Recovered { turn, effects })
            });
            found.collect()
        })
        .await
    }
}

impl Store {
    /// Returns the messages of a conversation, oldest first; only the latest `limit` if it is given.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn messages(
        &self,
        conversation: &ConversationId,
        limit: Option<usize>,
    ) -> Stored<Vec<Message>> {
        let id = conversation.clone();
        self.read(move |connection| messages::latest(connection, &id, limit))
            .await
    }
}

/// Reads the past first, so that it does not contain the message being answered; then stores message and turn.
fn open(tx: &Tx<'_>, turn: &Turn) -> Result<(Past, i64)> {
    conversations::begin_anew(tx, &turn.conversation)?;
    conversations::ensure(tx, &turn.conversation, &turn.text, turn.at)?;
    turns::add(tx, turn)?;
    if let Some(first) = &turn.instead_of {
        // The summary would show models what they must no longer see; it is made again when needed.
        let kept = messages::standing_before(tx, &turn.conversation, first)?;
        summaries::keep_up_to(tx, &turn.conversation, kept)?;
    }
    // Read before the message is stored: a message is not part of its own past.
    let read = past::read(tx, &turn.conversation)?;
    let message = Message {
        turn: turn.id.clone(),
        role: Role::User,
        text: turn.text.clone(),
        at: turn.at,
    };
    messages::add(tx, &turn.conversation, &message)?;
    Ok(read)
}

fn close(tx: &Tx<'_>, end: &TurnEnd) -> Result<()> {
    let from = [TurnState::Open, TurnState::Waiting];
    turns::step(tx, &end.turn, &from, end.state)?;
    let answer = end.answer.as_deref();
    turns::fill(tx, &end.turn, end.route.as_ref(), end.plan.as_ref(), answer)?;
    if let Some(text) = answer.filter(|text| !text.is_empty()) {
        let message = Message {
            turn: end.turn.clone(),
            role: Role::Assistant,
            text: text.to_owned(),
            at: end.at,
        };
        messages::add(tx, &end.conversation, &message)?;
    }
    for action in &end.pending {
        actions::add(tx, action)?;
    }
    actions::step_all(tx, end)?;
    for (id, from, to) in &end.actions {
        cancel::moved(tx, (id, *from, *to), end.at)?;
    }
    effects::add_denied(tx, &end.conversation, end.at)?;
    if let Some(other) = &end.sets_aside {
        turns::step(tx, other, &[TurnState::Waiting], TurnState::SetAside)?;
    }
    let kept = conversations::ConversationState {
        focus: end.focus.clone(),
        taint: end.taint,
        private: end.private,
        shown_last: shown_last(end),
    };
    conversations::keep(tx, &end.conversation, &kept)?;
    tool_uses::keep(tx, &end.turn, &end.tools)?;
    journal::append(tx, &end.conversation, &end.journal)
}

/// Returns the action that a waiting turn showed last: the last new one, otherwise the last one its plan still waits
/// for.
fn shown_last(end: &TurnEnd) -> Option<ActionId> {
    if end.state != TurnState::Waiting {
        return None;
    }
    if let Some(new) = end.pending.last() {
        return Some(new.id.clone());
    }
    let steps = &end.plan.as_ref()?.steps;
    steps.iter().rev().find_map(|step| match &step.state {
        StepState::NeedsApproval { action } => Some(action.clone()),
        _ => None,
    })
}
