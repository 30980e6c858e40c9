//! What the turn driver stores. Each method that writes is one transaction.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::conversation::{
    Effect, EffectCommit, JournalEntry, Message, Past, Receipt, Summary, ToolUse, Turn, TurnEnd,
};
use crate::faults::StoreFault;
use crate::gate::{ActionState, Channel, Hold, PendingAction};
use crate::ids::{ActionId, ConversationId, EffectId, TurnId};
use crate::operation::{Attempts, Beginning, Ending, Tried};

/// What was found open after a restart and closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// The turn, as it was.
    pub turn: Turn,
    /// Effects it had carried out.
    pub effects: Vec<Effect>,
}

/// The durable side of turns.
#[async_trait]
pub trait TurnLog: super::Grants {
    /// Stores the person's message and opens its turn, before anything else happens. Creates the conversation
    /// when it is new. Returns what the turn needs to know of the conversation and the next journal number.
    async fn open_turn(&self, turn: &Turn) -> Result<(Past, i64), StoreFault>;

    /// What a turn needs to know of its conversation, without writing.
    async fn past(&self, conversation: &ConversationId) -> Result<(Past, i64), StoreFault>;

    /// Opens a waiting turn again (an approval or an answer by button): `Waiting → Open`, nothing else changes.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when it does not wait any more.
    async fn reopen_turn(&self, turn: &TurnId) -> Result<Turn, StoreFault>;

    /// Carries out one effect: claims its approval, applies the change, records inverse and receipt, stores the
    /// plan and the journal so far. One transaction; nothing of it happens when any expectation fails.
    async fn commit_effect(&self, effect: &EffectCommit) -> Result<Receipt, StoreFault>;

    /// Puts an attempt on record before its operation begins, and uses up its approval if that has not happened. One
    /// transaction.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when the turn is over or the approval does not hold any more: the operation must not begin.
    async fn begin_attempt(&self, begin: &Beginning) -> Result<(), StoreFault>;

    /// Stores what became of an attempt, its entry in the activity log and the rows that follow from it. One transaction.
    /// Gives the proof, where it was done. Rows that were changed meanwhile stay as they are: what was done outside is
    /// recorded all the same.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when its outcome is known already.
    async fn end_attempt(&self, end: &Ending) -> Result<Option<Receipt>, StoreFault>;

    /// The last attempt of each operation, oldest first.
    async fn attempts(&self, which: &Attempts) -> Result<Vec<Tried>, StoreFault>;

    /// Stores the plan of a running turn, with journal entries (used before the first effect of a plan with several).
    async fn save_plan(
        &self,
        turn: &TurnId,
        plan: &crate::plan::Plan,
        journal: &[JournalEntry],
    ) -> Result<(), StoreFault>;

    /// Adds entries to the journal of a running turn, so that what was told of an answer is there when the process is
    /// killed. It outlives the process, not necessarily the power.
    async fn keep_journal(
        &self,
        conversation: &ConversationId,
        entries: &[JournalEntry],
    ) -> Result<(), StoreFault>;

    /// Pauses or ends a turn.
    async fn close_turn(&self, end: &TurnEnd) -> Result<(), StoreFault>;

    /// Stores the person's approval (`pending → approved`, compare-and-set), with its hold.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when it is not pending.
    async fn approve_action(
        &self,
        id: &ActionId,
        channel: Channel,
        hold: Option<Hold>,
    ) -> Result<(), StoreFault>;

    /// Moves one action from a state to another (compare-and-set).
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when it is not in state `from`.
    async fn move_action(
        &self,
        id: &ActionId,
        from: ActionState,
        to: ActionState,
        channel: Option<Channel>,
    ) -> Result<(), StoreFault>;

    /// Lets actions expire whose time is over, all in one transaction: those that wait, and those that were approved and
    /// that nothing has claimed, if `approved` says that nothing can be about to. Gives what expired, as it is then.
    async fn expire_actions(
        &self,
        now: Timestamp,
        approved: bool,
    ) -> Result<Vec<PendingAction>, StoreFault>;

    /// The action with this identifier, whatever its state; `None` where there is none.
    async fn action(&self, id: &ActionId) -> Result<Option<PendingAction>, StoreFault>;

    /// Actions in a state (`None`: all), latest first.
    async fn actions(
        &self,
        state: Option<ActionState>,
        limit: Option<usize>,
    ) -> Result<Vec<PendingAction>, StoreFault>;

    /// The turn with this identifier, finished or not; `None` where there is none.
    async fn turn(&self, id: &TurnId) -> Result<Option<Turn>, StoreFault>;

    /// Turns of a conversation (`None`: all that was not deleted), latest first.
    async fn turns(
        &self,
        conversation: Option<&ConversationId>,
        limit: Option<usize>,
    ) -> Result<Vec<Turn>, StoreFault>;

    /// Journal of a conversation from a number on, oldest first.
    async fn journal(
        &self,
        conversation: &ConversationId,
        from: i64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>, StoreFault>;

    /// Messages of a conversation without its first `skip` ones, oldest first.
    async fn messages_from(
        &self,
        conversation: &ConversationId,
        skip: u64,
        limit: usize,
    ) -> Result<Vec<Message>, StoreFault>;

    /// Keeps the summary of a conversation in place of the one before. It can be made again, so it need not outlive the
    /// power.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when the conversation is gone.
    async fn keep_summary(
        &self,
        conversation: &ConversationId,
        summary: &Summary,
    ) -> Result<(), StoreFault>;

    /// What was asked and what became of the tools for it, latest first; turns without tools are left out.
    async fn tool_uses(&self, limit: usize) -> Result<Vec<(String, ToolUse)>, StoreFault>;

    /// The effect with this identifier, with its receipt and its way back; `None` where there is none.
    async fn effect(&self, id: &EffectId) -> Result<Option<Effect>, StoreFault>;

    /// The latest effect of a conversation that can be taken back: its way back is known and was not used, and it is not
    /// itself a way back.
    async fn latest_undoable(
        &self,
        conversation: &ConversationId,
    ) -> Result<Option<Effect>, StoreFault>;

    /// Effects, latest first.
    async fn effects(&self, limit: Option<usize>) -> Result<Vec<Effect>, StoreFault>;

    /// Finds turns left open by a killed process. Called once by the holder of a profile before anything else.
    async fn unfinished(&self) -> Result<Vec<Recovered>, StoreFault>;
}
