//! Conversations, their messages and turns as stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::change::Change;
use crate::focus::Focus;
use crate::gate::{Grant, PendingAction, Rates, Unasked};
use crate::ids::{ActionId, ConversationId, EffectId, GrantId, StepKey, TurnId};
use crate::plan::Plan;
use crate::route::Route;
use crate::source::Taint;

/// Conversation that records actions taken on a surface (ticking a task, undoing in Activity) rather than in words. The
/// list of conversations leaves it out.
pub const DIRECT: &str = "direct";

/// Conversation for jobs that became due on their own. The list of conversations leaves it out too.
pub const BACKGROUND: &str = "background";

/// Author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// Adjutant.
    Assistant,
}

/// A stored message of the person or of Adjutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The turn it belongs to.
    pub turn: TurnId,
    /// Author of the message.
    pub role: Role,
    /// Text of the message.
    pub text: String,
    /// When it was said.
    pub at: Timestamp,
}

/// A conversation as listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// Identifier.
    pub id: ConversationId,
    /// Title: derived from the first request, or given by the person.
    pub title: String,
    /// Time of the first message.
    pub created: Timestamp,
    /// Time of the latest message.
    pub updated: Timestamp,
    /// Number of messages.
    pub messages: i64,
    /// Whether the person pinned it to the top of the list.
    pub pinned: bool,
    /// Whether the person archived it. The next message brings it back.
    pub archived: bool,
    /// When listing by words: an excerpt of the latest message that contains them.
    pub found: Option<String>,
}

/// Selects the conversations to list. Deleted ones and those of surfaces, other programs and due jobs are never listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// `true` for archived ones only, `false` for the others only, `None` for both.
    pub archived: Option<bool>,
    /// Lists only conversations whose title or one message contains all these words or word prefixes.
    pub words: Option<String>,
    /// Maximum number of conversations; `None` for no limit.
    pub limit: Option<usize>,
    /// Number of matching conversations to skip.
    pub offset: usize,
}

/// State of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Running, or cut off because the process was killed.
    Open,
    /// Waits for an approval or an answer.
    Waiting,
    /// Completed.
    Done,
    /// Stopped by the person.
    Interrupted,
    /// Failed with an error.
    Failed,
    /// Was waiting until another request set it aside.
    SetAside,
}

/// A turn as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Identifier.
    pub id: TurnId,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// What the person said.
    pub text: String,
    /// When it began.
    pub at: Timestamp,
    /// Earlier turn of the conversation that this one replaces, along with everything after it.
    pub instead_of: Option<TurnId>,
    /// Current state.
    pub state: TurnState,
    /// The route, once the message is routed.
    pub route: Option<Route>,
    /// The plan, once made.
    pub plan: Option<Plan>,
    /// The answer, once given.
    pub answer: Option<String>,
}

/// Everything a turn needs to know about its conversation, read at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// The latest messages, oldest first, without the one being answered.
    pub messages: Vec<Message>,
    /// Records that "it" and the like may refer to.
    pub focus: Focus,
    /// Whether foreign text has reached the conversation.
    pub taint: Taint,
    /// Whether private records have reached the conversation. If so, the person sees what a read would send out of it
    /// first.
    pub private: bool,
    /// Standing grants that may apply.
    pub grants: Vec<Grant>,
    /// How often each tool ran unasked in the last hour.
    pub rates: Rates,
    /// The turn that waits for the person, with its plan.
    pub waiting: Option<Turn>,
    /// Whether the waiting turn is among those the new turn replaces.
    pub waiting_replaced: bool,
    /// Actions pending in this conversation, oldest first.
    pub pending: Vec<PendingAction>,
    /// Approved actions of all conversations that wait for their hold to end, for a connection or for a sign-in.
    pub approved: Vec<PendingAction>,
    /// Actions pending in other conversations, latest first, up to the number storage reads at once.
    pub elsewhere: Vec<PendingAction>,
    /// Total number of pending actions across all conversations.
    pub pending_everywhere: usize,
    /// The action or question shown last in this conversation, unless a message followed it.
    pub shown_last: Option<ActionId>,
    /// Number of messages older than those in `messages`.
    pub older: u64,
    /// Summary of the older part of the conversation, if a model has made one.
    pub summary: Option<Summary>,
}

/// Summary of the beginning of a conversation, written by a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The text.
    pub text: String,
    /// Number of messages it covers, counted from the first.
    pub messages: u64,
}

/// What became of each tool in one turn, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolUse {
    /// Suggested to a planning model, best first.
    pub suggested: Vec<String>,
    /// Named by a step of the plan.
    pub approved: Vec<String>,
    /// Suggested but not planned, or refused by the person.
    pub rejected: Vec<String>,
    /// Actually ran, successfully or not.
    pub used: Vec<String>,
}

/// A journalled event: its number in the conversation and its body as the engine wrote it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Sequence number within the conversation, without gaps.
    pub seq: i64,
    /// Turn it belongs to.
    pub turn: TurnId,
    /// The event ([`crate::event::TurnEvent`] as JSON).
    pub body: serde_json::Value,
}

/// An effect that storage carries out and records in one transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectCommit {
    /// Identifier of the effect.
    pub id: EffectId,
    /// Turn that caused it.
    pub turn: TurnId,
    /// Step that caused it.
    pub step: StepKey,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// Tool that ran.
    pub tool: String,
    /// Arguments the tool ran with.
    pub args: serde_json::Value,
    /// What happened, in words.
    pub say: String,
    /// The rows to write.
    pub change: Change,
    /// Approval that the effect claims (compare-and-set `approved → executing → succeeded`); `None` if no approval was
    /// needed. A batch of local changes is one effect with one claim.
    pub claim: Option<ActionId>,
    /// Whether this effect alone settles the approval; `false` if operations outside storage use it too.
    pub settles_claim: bool,
    /// Calls that ran without asking the person, checked against limits and counted in the same transaction. Empty for
    /// effects the person approved or caused by hand.
    pub unasked: Vec<Unasked>,
    /// The effect that this one undoes, together with the others of its step.
    pub undoes: Option<EffectId>,
    /// When it happened.
    pub at: Timestamp,
    /// The plan as it stands after this effect.
    pub plan: Option<Plan>,
    /// Journal entries to write in the same transaction.
    pub journal: Vec<JournalEntry>,
}

/// A recorded effect: an entry of the activity log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Identifier.
    pub id: EffectId,
    /// When it happened.
    pub at: Timestamp,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// Turn it belongs to.
    pub turn: TurnId,
    /// Step that caused it. A step may have several effects; they are undone together.
    pub step: StepKey,
    /// Tool that ran.
    pub tool: String,
    /// Arguments the tool ran with.
    pub args: serde_json::Value,
    /// `succeeded`, `failed`, `unknown` or `denied`.
    pub outcome: String,
    /// What happened, in words.
    pub say: String,
    /// Proof: the rows written, with the versions and digests read back.
    pub receipt: Option<Receipt>,
    /// Recorded inverse, or its remaining part after a partial undo; `None` if there is none or it was used.
    pub inverse: Option<Change>,
    /// The approval it claimed.
    pub action: Option<ActionId>,
    /// The standing grant that allowed it.
    pub grant: Option<GrantId>,
    /// The effect that undid it; the last one if several did.
    pub undone_by: Option<EffectId>,
    /// Whether only part of what its step did was undone, and this or some of this was not.
    pub partly_undone: bool,
    /// The effect that this one undid, wholly or in part.
    pub undoes: Option<EffectId>,
}

/// Proof of an effect: rows read back within the transaction that wrote them, and confirmation from outside storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Id of the effect.
    pub id: EffectId,
    /// One entry per row.
    pub rows: Vec<crate::operation::ReceiptRow>,
    /// Proof from outside storage: the file written or the provider's confirmation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<crate::operation::Receipt>,
    /// When it was made.
    pub at: Timestamp,
}

/// Everything storage writes, in one transaction, when a turn pauses or ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnEnd {
    /// Turn it belongs to.
    pub turn: TurnId,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// The turn's new state.
    pub state: TurnState,
    /// The route, once known.
    pub route: Option<Route>,
    /// The plan, once made.
    pub plan: Option<Plan>,
    /// Answer, stored as the assistant's message when not empty.
    pub answer: Option<String>,
    /// Actions that now wait for the person.
    pub pending: Vec<PendingAction>,
    /// State changes of actions as (id, from, to). Either all are applied or none.
    pub actions: Vec<(ActionId, crate::gate::ActionState, crate::gate::ActionState)>,
    /// Another turn that this one sets aside.
    pub sets_aside: Option<TurnId>,
    /// Records that "it" and the like may refer to.
    pub focus: Focus,
    /// Taint of the conversation.
    pub taint: Taint,
    /// Whether private records have reached the conversation.
    pub private: bool,
    /// When it happened.
    pub at: Timestamp,
    /// Journal entries to write in the same transaction.
    pub journal: Vec<JournalEntry>,
    /// What became of the tools of the turn.
    pub tools: ToolUse,
}

/// A call that nobody was asked about, as it is stored when it has to wait for a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Standby {
    /// The approved action that waits in place of the call.
    pub action: PendingAction,
    /// The plan, in which the step of the call waits for that action.
    pub plan: Option<Plan>,
}
