//! Storage of turns. Each writing method is one transaction.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::conversation::{
    Effect, EffectCommit, JournalEntry, Message, Past, Receipt, Standby, Summary, ToolUse, Turn,
    TurnEnd,
};
use crate::faults::StoreFault;
use crate::gate::{ActionState, Channel, Hold, PendingAction};
use crate::ids::{ActionId, ConversationId, EffectId, StepKey, TurnId};
use crate::operation::{Attempts, Beginning, Ending, Tried};

/// A turn that a killed process left open.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// The turn as it was.
    pub turn: Turn,
    /// Effects it carried out.
    pub effects: Vec<Effect>,
}

/// Storage of turns, their actions, attempts and effects.
#[async_trait]
pub trait TurnLog: super::Grants {
    /// Stores the person's message and opens its turn before anything else happens; creates the conversation if it is
    /// new. Returns what the turn needs to know about the conversation, and the next journal number.
    async fn open_turn(&self, turn: &Turn) -> Result<(Past, i64), StoreFault>;

    /// Returns what a turn needs to know about its conversation, and the next journal number, without writing.
    async fn past(&self, conversation: &ConversationId) -> Result<(Past, i64), StoreFault>;

    /// Reopens a waiting turn for an approval or answer given by button: `Waiting → Open`, nothing else changes.
    ///
    /// # Errors
    /// Returns [`StoreFault::Conflict`] if the turn no longer waits.
    async fn reopen_turn(&self, turn: &TurnId) -> Result<Turn, StoreFault>;

    /// Carries out one effect: claims its approval, applies the change, records inverse and receipt, and stores the
    /// plan and the journal so far. If any expectation fails, none of it happens.
    async fn commit_effect(&self, effect: &EffectCommit) -> Result<Receipt, StoreFault>;

    /// Records an attempt before its operation begins, and claims its approval unless that has happened already.
    ///
    /// # Errors
    /// Returns [`StoreFault::Conflict`] if the turn is over or the approval no longer holds. The operation must then
    /// not begin.
    async fn begin_attempt(&self, begin: &Beginning) -> Result<(), StoreFault>;

    /// Stores the outcome of an attempt, its entry in the activity log and the rows that follow from it. Returns the
    /// receipt if the operation was done.
    ///
    /// Rows that changed meanwhile stay as they are; what happened outside is recorded regardless. If the attempt used no
    /// approval and has to wait, it waits as `standby`.
    ///
    /// # Errors
    /// Returns [`StoreFault::Conflict`] if the outcome is already known.
    async fn end_attempt(
        &self,
        end: &Ending,
        standby: Option<&Standby>,
    ) -> Result<Option<Receipt>, StoreFault>;

    /// Returns the last attempt of each operation, oldest first.
    async fn attempts(&self, which: &Attempts) -> Result<Vec<Tried>, StoreFault>;

    /// Stores the plan of a running turn, with journal entries. Used before the first effect of a plan with several.
    async fn save_plan(
        &self,
        turn: &TurnId,
        plan: &crate::plan::Plan,
        journal: &[JournalEntry],
    ) -> Result<(), StoreFault>;

    /// Appends journal entries of a running turn, so that the part of the answer already told survives if the process
    /// is killed. The entries may be lost in a power failure.
    async fn keep_journal(
        &self,
        conversation: &ConversationId,
        entries: &[JournalEntry],
    ) -> Result<(), StoreFault>;

    /// Pauses or ends a turn.
    async fn close_turn(&self, end: &TurnEnd) -> Result<(), StoreFault>;

    /// Stores the person's approval (`pending → approved`, compare-and-set) with its hold.
    ///
    /// # Errors
    /// Returns [`StoreFault::Conflict`] if the action is not pending.
    async fn approve_action(
        &self,
        id: &ActionId,
        channel: Channel,
        hold: Option<Hold>,
    ) -> Result<(), StoreFault>;

    /// Moves an action from one state to another (compare-and-set). If an approved action ends so without being carried
    /// out, the activity log says so.
    ///
    /// # Errors
    /// Returns [`StoreFault::Conflict`] if the action is not in state `from`.
    async fn move_action(
        &self,
        id: &ActionId,
        from: ActionState,
        to: ActionState,
        channel: Option<Channel>,
        at: Timestamp,
    ) -> Result<(), StoreFault>;

    /// Expires actions whose time is over, in one transaction, and returns them in their new state.
    ///
    /// Affects pending actions and, if `approved` is set, approved ones that nothing has claimed. Set it only if
    /// nothing can be about to claim one.
    async fn expire_actions(
        &self,
        now: Timestamp,
        approved: bool,
    ) -> Result<Vec<PendingAction>, StoreFault>;

    /// Returns the action with this identifier in any state, or `None` if there is none.
    async fn action(&self, id: &ActionId) -> Result<Option<PendingAction>, StoreFault>;

    /// Returns the actions in a state (`None` for all), latest first.
    async fn actions(
        &self,
        state: Option<ActionState>,
        limit: Option<usize>,
    ) -> Result<Vec<PendingAction>, StoreFault>;

    /// Returns the turn with this identifier, finished or not, or `None` if there is none.
    async fn turn(&self, id: &TurnId) -> Result<Option<Turn>, StoreFault>;

    /// Returns the turns of a conversation (`None` for all not deleted), latest first.
    async fn turns(
        &self,
        conversation: Option<&ConversationId>,
        limit: Option<usize>,
    ) -> Result<Vec<Turn>, StoreFault>;

    /// Returns up to `limit` journal entries of a conversation from a number on, oldest first.
    async fn journal(
        &self,
        conversation: &ConversationId,
        from: i64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>, StoreFault>;

    /// Returns up to `limit` messages of a conversation after the first `skip`, oldest first.
    async fn messages_from(
        &self,
        conversation: &ConversationId,
        skip: u64,
        limit: usize,
    ) -> Result<Vec<Message>, StoreFault>;

    /// Stores the summary of a conversation, replacing the previous one. It may be lost in a power failure, because it
    /// can be made again.
    ///
    /// # Errors
    /// Returns [`StoreFault::Missing`] if the conversation no longer exists.
    async fn keep_summary(
        &self,
        conversation: &ConversationId,
        summary: &Summary,
    ) -> Result<(), StoreFault>;

    /// Returns what the person asked and what became of the tools for it, latest first. Turns without tools are left
    /// out.
    async fn tool_uses(&self, limit: usize) -> Result<Vec<(String, ToolUse)>, StoreFault>;

    /// Returns the effect with this identifier, with receipt and inverse, or `None` if there is none.
    async fn effect(&self, id: &EffectId) -> Result<Option<Effect>, StoreFault>;

    /// Returns the latest effect of a conversation that can be undone: its inverse is known and unused, and it is not
    /// an undo itself. Taking a mail back that waited counts as an undo: without it, the next "undo" would remove the
    /// draft with its text.
    async fn latest_undoable(
        &self,
        conversation: &ConversationId,
    ) -> Result<Option<Effect>, StoreFault>;

    /// Returns the effects of one step of a turn, latest first, without what was rejected.
    async fn effects_of(&self, turn: &TurnId, step: &StepKey) -> Result<Vec<Effect>, StoreFault>;

    /// Returns effects, latest first.
    async fn effects(&self, limit: Option<usize>) -> Result<Vec<Effect>, StoreFault>;

    /// Returns the turns left open by a killed process. The holder of a profile calls it once, before anything else.
    async fn unfinished(&self) -> Result<Vec<Recovered>, StoreFault>;
}
