//! Attempts: on record before anything leaves, with an outcome afterwards.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Operation;
use super::receipt::Receipt;
use super::remote::RemoteFault;
use crate::ids::{ActionId, ConversationId, EffectId, StepKey, TurnId};
use crate::rate::Unasked;

/// Names one operation for good: the provider, asked twice with one key, does it once. The same for every attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(pub String);

impl Key {
    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One try at an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Which operation.
    pub key: Key,
    /// Counts from 1.
    pub number: u32,
    /// When its row was committed: before the first byte left.
    pub started: Timestamp,
    /// When its outcome was stored.
    pub ended: Option<Timestamp>,
    /// What became of it; none while it is at work, or when the process was killed meanwhile.
    pub outcome: Option<Ended>,
}

/// An operation that is about to begin, as it is put on record: before its first byte leaves, whoever permitted it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beginning {
    /// Which operation. Its entry in the activity log has the same identifier.
    pub key: Key,
    /// Which attempt, from 1.
    pub number: u32,
    /// Conversation.
    pub conversation: ConversationId,
    /// Turn that carries it out.
    pub turn: TurnId,
    /// Step of its plan.
    pub step: StepKey,
    /// Tool that prepared it.
    pub tool: String,
    /// Operations its step consists of.
    pub of: usize,
    /// Arguments of the call it belongs to.
    pub args: Value,
    /// The approval it uses, if the person was asked: claimed with the first attempt of its first operation.
    pub claim: Option<ActionId>,
    /// The call, where nobody was asked about it: checked and counted in the same transaction, with the first attempt of
    /// its first operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unasked: Option<Unasked>,
    /// What is done.
    pub operation: Operation,
    /// The effect it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<EffectId>,
    /// What holds once it is done, in words.
    pub say: String,
    /// When.
    pub at: Timestamp,
}

/// How an attempt ended, to be stored together with its entry in the activity log and the rows that follow from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// Which operation.
    pub key: Key,
    /// Which attempt.
    pub number: u32,
    /// What became of it.
    pub ended: Ended,
    /// What the activity log says; none while another attempt follows.
    pub say: Option<String>,
    /// There was no way to the provider: the approval is not used up, and may be tried again until then.
    pub waits_until: Option<Timestamp>,
    /// Nobody but the person can tell what became of it: it is not looked for again.
    pub needs_person: bool,
    /// When.
    pub at: Timestamp,
}

/// An attempt on record.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// What was to be done.
    pub begun: Beginning,
    /// What became of it.
    pub attempt: Attempt,
    /// Whether a look at the other side may still say what became of it.
    pub open: bool,
}

/// Which attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// Those without a certain outcome that may still be looked for.
    Open,
    /// Those of a turn.
    Turn(TurnId),
    /// Those that used an approval.
    Action(ActionId),
}

/// What became of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum Ended {
    /// It was done, and this proves it.
    Done {
        /// Proof.
        receipt: Receipt,
    },
    /// It was not done, and that is certain.
    Refused {
        /// Why.
        fault: RemoteFault,
    },
    /// It may have been done.
    Unknown {
        /// Why that is not known.
        why: Why,
    },
}

/// Why it is not known whether an operation was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The process ended while it was at work.
    Killed,
    /// The person stopped it while it was at work.
    Stopped,
    /// It was asked for, and no reply came.
    NoReply,
    /// A reply came that cannot be read.
    Unreadable,
    /// It was carried out, and storage did not take that.
    NotRecorded,
}

/// What a look at the other side says about an attempt whose outcome is unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reconciled", rename_all = "snake_case")]
pub enum Reconciled {
    /// It is there.
    Done {
        /// Proof.
        receipt: Receipt,
    },
    /// It is not there: it may be tried again with the same key.
    NotDone,
    /// The other side cannot say; only the person can tell.
    CannotTell,
    /// The other side could not be asked now; it is asked again later.
    NotNow {
        /// Why.
        fault: RemoteFault,
    },
}
