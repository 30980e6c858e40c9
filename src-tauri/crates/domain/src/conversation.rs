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

/// The conversation of what is done on a surface (a tick in the task list, an undo in Activity) instead of in words.
/// It is recorded like every other and left out of the list of conversations.
pub const DIRECT: &str = "direct";

/// The conversation of what became due by itself; left out of the list as well.
pub const BACKGROUND: &str = "background";

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// Adjutant.
    Assistant,
}

/// What the person or Adjutant said in a conversation, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The turn it belongs to.
    pub turn: TurnId,
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// Identifier.
    pub id: ConversationId,
    /// What its first request is about, or what the person called it.
    pub title: String,
    /// First message.
    pub created: Timestamp,
    /// Latest message.
    pub updated: Timestamp,
    /// Number of messages.
    pub messages: i64,
    /// The person keeps it at the top of the list.
    pub pinned: bool,
    /// The person put it away; the next message brings it back.
    pub archived: bool,
    /// Where words were looked for: a piece of the latest message that has them.
    pub found: Option<String>,
}

/// Which conversations are listed: never those of surfaces, of other programs and of what was due, nor deleted ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Only those put away, or only the others; all of them where it is not said.
    pub archived: Option<bool>,
    /// Only those that have all these words, or beginnings of words, in their title or in one message.
    pub words: Option<String>,
    /// At most so many.
    pub limit: Option<usize>,
    /// So many are passed over.
    pub offset: usize,
}

/// How a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// At work (or the process was killed while it was).
    Open,
    /// Waits for an approval or an answer.
    Waiting,
    /// Ended.
    Done,
    /// Stopped by the person.
    Interrupted,
    /// Ended with an error.
    Failed,
    /// Was waiting and was set aside by another request.
    SetAside,
}

/// A turn as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Identifier.
    pub id: TurnId,
    /// Conversation.
    pub conversation: ConversationId,
    /// What the person said.
    pub text: String,
    /// When it began.
    pub at: Timestamp,
    /// The earlier turn of the conversation whose place it takes, together with all that came after that one.
    pub instead_of: Option<TurnId>,
    /// How it stands.
    pub state: TurnState,
    /// The route, once known.
    pub route: Option<Route>,
    /// The plan, once made.
    pub plan: Option<Plan>,
    /// The answer, once given.
    pub answer: Option<String>,
}

/// What a turn needs to know of its conversation, read in one go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// The latest messages, oldest first, without the one being answered.
    pub messages: Vec<Message>,
    /// Referents.
    pub focus: Focus,
    /// Whether untrusted text has reached the conversation.
    pub taint: Taint,
    /// Whether private records have: what a read would carry out of it is then shown first.
    pub private: bool,
    /// Standing grants that may hold.
    pub grants: Vec<Grant>,
    /// How often tools ran unasked in the last hour.
    pub rates: Rates,
    /// The turn that waits for the person, with its plan.
    pub waiting: Option<Turn>,
    /// Whether the turn that waits is among those whose place the new one takes.
    pub waiting_replaced: bool,
    /// Actions pending in this conversation, oldest first.
    pub pending: Vec<PendingAction>,
    /// Approved actions of this conversation that wait for the end of their hold, or for a connection.
    pub approved: Vec<ActionId>,
    /// Actions pending in other conversations, latest first, as many as are read at once.
    pub elsewhere: Vec<PendingAction>,
    /// Number of actions pending in all conversations together.
    pub pending_everywhere: usize,
    /// The action or question that was shown last in this conversation, if nothing was said since.
    pub shown_last: Option<ActionId>,
    /// Messages of the conversation that are older than `messages`.
    pub older: u64,
    /// The older part of the conversation in fewer words, if there is such a thing.
    pub summary: Option<Summary>,
}

/// The beginning of a conversation in fewer words, made by a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The words.
    pub text: String,
    /// Messages it stands for, from the first one on.
    pub messages: u64,
}

/// What became of the tools of one turn. Names only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolUse {
    /// Shown to a model that plans, best first.
    pub suggested: Vec<String>,
    /// In the plan.
    pub approved: Vec<String>,
    /// Suggested and not in the plan, or refused by the person.
    pub rejected: Vec<String>,
    /// Really ran, well or not.
    pub used: Vec<String>,
}

/// A journalled event: its number in the conversation and its body, as the engine wrote it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Counts up inside a conversation, without gaps.
    pub seq: i64,
    /// Turn.
    pub turn: TurnId,
    /// The event ([`crate::event::TurnEvent`] as JSON).
    pub body: serde_json::Value,
}

/// One effect to be carried out and recorded, all in one transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectCommit {
    /// Identifier of the effect.
    pub id: EffectId,
    /// Turn and step.
    pub turn: TurnId,
    /// Step.
    pub step: StepKey,
    /// Conversation.
    pub conversation: ConversationId,
    /// Tool.
    pub tool: String,
    /// Arguments as they ran.
    pub args: serde_json::Value,
    /// What happened, in words.
    pub say: String,
    /// The change.
    pub change: Change,
    /// The approval that is used up by this effect (CAS `approved → executing → succeeded`), if one was needed.
    /// A batch of local changes is one effect with one claim.
    pub claim: Option<ActionId>,
    /// Whether the approval is settled by this alone; false where operations that leave storage use it too.
    pub settles_claim: bool,
    /// Calls that nobody was asked about, checked and counted in the same transaction. None for what the person approved
    /// or did by hand.
    pub unasked: Vec<Unasked>,
    /// The effect this one undoes.
    pub undoes: Option<EffectId>,
    /// When.
    pub at: Timestamp,
    /// The plan as it stands after this effect.
    pub plan: Option<Plan>,
    /// Journal entries that ride along.
    pub journal: Vec<JournalEntry>,
}

/// An effect as recorded: the activity log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Identifier.
    pub id: EffectId,
    /// When.
    pub at: Timestamp,
    /// Conversation.
    pub conversation: ConversationId,
    /// Turn.
    pub turn: TurnId,
    /// Tool.
    pub tool: String,
    /// Arguments as they ran.
    pub args: serde_json::Value,
    /// `succeeded`, `failed`, `unknown` or `denied`.
    pub outcome: String,
    /// What happened, in words.
    pub say: String,
    /// Proof: which rows were written, with the versions and digests read back.
    pub receipt: Option<Receipt>,
    /// The recorded inverse, or what is left of it where a part was taken back; `None` where there is none or it was used.
    pub inverse: Option<Change>,
    /// The approval it used.
    pub action: Option<ActionId>,
    /// The standing grant it ran by.
    pub grant: Option<GrantId>,
    /// The effect that undid it, or the last of several that did.
    pub undone_by: Option<EffectId>,
    /// A part of it was taken back, and not all.
    pub partly_undone: bool,
    /// The effect it undid, or a part of it.
    pub undoes: Option<EffectId>,
}

/// Proof of an effect: the rows, read back inside the transaction that wrote them, and what was confirmed outside of
/// storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Effect.
    pub id: EffectId,
    /// Rows, one line each.
    pub rows: Vec<crate::operation::ReceiptRow>,
    /// The file or what the provider confirmed, where it left storage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<crate::operation::Receipt>,
    /// When.
    pub at: Timestamp,
}

/// What is written when a turn pauses or ends: one transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnEnd {
    /// Turn.
    pub turn: TurnId,
    /// Conversation.
    pub conversation: ConversationId,
    /// How it stands now.
    pub state: TurnState,
    /// Route.
    pub route: Option<Route>,
    /// Plan.
    pub plan: Option<Plan>,
    /// Answer, stored as the assistant's message when not empty.
    pub answer: Option<String>,
    /// Actions that now wait.
    pub pending: Vec<PendingAction>,
    /// Actions that change state: (id, from, to). All or nothing.
    pub actions: Vec<(ActionId, crate::gate::ActionState, crate::gate::ActionState)>,
    /// Another turn that is set aside by this one.
    pub sets_aside: Option<TurnId>,
    /// Referents of the conversation.
    pub focus: Focus,
    /// Taint of the conversation.
    pub taint: Taint,
    /// Whether private records have reached it.
    pub private: bool,
    /// When.
    pub at: Timestamp,
    /// Journal entries.
    pub journal: Vec<JournalEntry>,
    /// What became of the tools.
    pub tools: ToolUse,
}
