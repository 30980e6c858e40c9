//! Attempts: recorded before anything leaves this computer, and given an outcome afterwards.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Operation;
use super::receipt::Receipt;
use super::remote::RemoteFault;
use crate::ids::{ActionId, ConversationId, EffectId, StepKey, TurnId};
use crate::rate::Unasked;

/// Idempotency key of an operation, the same for every attempt: a provider that receives it twice acts once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(pub String);

impl Key {
    /// Returns the key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One try at an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Key of the operation.
    pub key: Key,
    /// Number of the attempt, from 1.
    pub number: u32,
    /// When storage committed its row, before the first byte left.
    pub started: Timestamp,
    /// When storage recorded the outcome; `None` until then.
    pub ended: Option<Timestamp>,
    /// Its outcome; `None` while it runs, or if the process was killed meanwhile.
    pub outcome: Option<Ended>,
}

/// An operation about to begin, as recorded before its first byte leaves, whoever permitted it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beginning {
    /// Key of the operation. Its entry in the activity log has the same identifier.
    pub key: Key,
    /// Number of the attempt, from 1.
    pub number: u32,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// Turn that carries it out.
    pub turn: TurnId,
    /// Step of its plan.
    pub step: StepKey,
    /// Tool that prepared it.
    pub tool: String,
    /// Number of operations in its step.
    pub of: usize,
    /// Arguments of the call it belongs to.
    pub args: Value,
    /// Approval it uses, if the person was asked. The first attempt of the step's first operation claims it.
    pub claim: Option<ActionId>,
    /// The call, if it runs unasked. The first attempt of the step's first operation checks limits and counts it in the
    /// same transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unasked: Option<Unasked>,
    /// The operation itself.
    pub operation: Operation,
    /// The effect that it undoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<EffectId>,
    /// What will be true once it is done, in words.
    pub say: String,
    /// When it begins.
    pub at: Timestamp,
}

/// End of an attempt, stored together with its entry in the activity log and the rows that follow from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// Key of the operation.
    pub key: Key,
    /// Number of the attempt.
    pub number: u32,
    /// The outcome.
    pub ended: Ended,
    /// Entry for the activity log; `None` if another attempt follows.
    pub say: Option<String>,
    /// Deadline for another attempt if the provider could not be reached. The approval is then not used up.
    pub waits_until: Option<Timestamp>,
    /// Whether only the person can find out what happened, so that Adjutant does not reconcile again.
    pub needs_person: bool,
    /// When it ended.
    pub at: Timestamp,
}

/// An attempt on record.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// What it was to do.
    pub begun: Beginning,
    /// The attempt and its outcome.
    pub attempt: Attempt,
    /// Whether reconciling may still find out what happened.
    pub open: bool,
}

/// Selects attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// Attempts without a certain outcome that can still be reconciled.
    Open,
    /// Attempts of a turn.
    Turn(TurnId),
    /// Attempts that used an approval.
    Action(ActionId),
}

/// Outcome of one attempt at an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum Ended {
    /// It was carried out, with proof.
    Done {
        /// The proof.
        receipt: Receipt,
    },
    /// It was certainly not carried out.
    Refused {
        /// Why it was not carried out.
        fault: RemoteFault,
    },
    /// It may have been carried out.
    Unknown {
        /// Why the outcome is unknown.
        why: Why,
    },
}

/// Why it is unknown whether an operation was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The process ended while it ran.
    Killed,
    /// The person stopped it while it ran.
    Stopped,
    /// The request was sent, but no reply came.
    NoReply,
    /// The reply was unreadable.
    Unreadable,
    /// It was carried out, but storage could not record that.
    NotRecorded,
}

/// Result of reconciling an attempt whose outcome is unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reconciled", rename_all = "snake_case")]
pub enum Reconciled {
    /// The operation happened.
    Done {
        /// The proof.
        receipt: Receipt,
    },
    /// The operation did not happen; it may be tried again with the same key.
    NotDone,
    /// The provider cannot tell, so only the person can.
    CannotTell,
    /// The provider could not be asked now; ask again later.
    NotNow {
        /// Why the provider could not be asked.
        fault: RemoteFault,
    },
}
