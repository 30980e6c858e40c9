//! Actions that wait for the person.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Call, Card, GrantScope, Risk, Why};
use crate::canonical::Digest;
use crate::change::{Expect, RowOp};
use crate::ids::{AccountId, ActionId, ConversationId, RecordId, StepKey, TurnId};
use crate::record::{OutboxItem, OutboxState, Record};
use crate::source::Taint;

/// How long an action may wait, in seconds (GATE: 15 minutes).
pub const EXPIRY_SECONDS: i64 = 15 * 60;

/// A stored action: exactly what was shown, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingAction {
    /// Identifier.
    pub id: ActionId,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// Turn that proposed it.
    pub turn: TurnId,
    /// Step of the plan.
    pub step: StepKey,
    /// Tool, the same for all calls.
    pub tool: String,
    /// What runs, in order: more than one only for a step with `each`.
    pub calls: Vec<Call>,
    /// What is shown.
    pub card: Card,
    /// The highest risk among the calls.
    pub risk: Risk,
    /// Whether untrusted text had reached the plan.
    pub taint: Taint,
    /// Why it is asked; none for what an earlier version of this program proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// What the person may allow for good on its card, where they may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantScope>,
    /// Random text that makes the digest unique.
    pub nonce: String,
    /// Binds all of the above.
    pub digest: Digest,
    /// When it was proposed.
    pub created: Timestamp,
    /// When it stops being answerable.
    pub expires: Timestamp,
    /// How far it is.
    pub state: ActionState,
    /// How it was answered.
    #[serde(default)]
    pub channel: Option<Channel>,
    /// Approved with a hold: it is not carried out before this instant, and can be taken back until then. None once the
    /// hold is over. Like the next field not part of the digest, because it is decided with the approval.
    #[serde(default)]
    pub not_before: Option<Timestamp>,
    /// Approved and waiting, for the end of its hold or for a way to the provider: it is not carried out after this.
    #[serde(default)]
    pub waits_until: Option<Timestamp>,
    /// The action that replaced it.
    #[serde(default)]
    pub superseded_by: Option<ActionId>,
}

/// How an approval is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// It is not carried out before this instant.
    pub not_before: Timestamp,
    /// Nor after this one, if nothing could carry it out in time.
    pub waits_until: Timestamp,
}

impl PendingAction {
    /// The account that its calls, or the first of them, act for.
    #[must_use]
    pub fn account(&self) -> &AccountId {
        static LOCAL: LazyLock<AccountId> = LazyLock::new(AccountId::local);
        self.calls.first().map_or(&LOCAL, |call| &call.account)
    }

    /// Whether it would do just what `other` would, to the same things as they are.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let calls = || self.calls.iter().zip(&other.calls);
        self.tool == other.tool
            && self.calls.len() == other.calls.len()
            && calls().all(|(a, b)| {
                a.account == b.account && a.args == b.args && a.before.targets == b.before.targets
            })
    }

    /// Whether it is approved and waits: for the end of its hold, or for a way to the provider.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.state == ActionState::Approved && self.waits_until.is_some()
    }

    /// Whether its hold lasts.
    #[must_use]
    pub fn is_held(&self, now: Timestamp) -> bool {
        self.not_before.is_some_and(|end| now < end)
    }

    /// How long it is held after it was approved, in seconds.
    #[must_use]
    pub fn hold_seconds(&self) -> u32 {
        let frozen = self
            .calls
            .iter()
            .filter_map(|call| call.before.frozen.as_ref());
        frozen
            .map(|frozen| frozen.hold_seconds)
            .max()
            .unwrap_or_default()
    }

    /// The instant before which it is not carried out, as was shown.
    #[must_use]
    pub fn shown_not_before(&self) -> Option<Timestamp> {
        let frozen = self
            .calls
            .iter()
            .filter_map(|call| call.before.frozen.as_ref());
        frozen.filter_map(|frozen| frozen.not_before).max()
    }

    /// How an action that waits is listed in the outbox, under its own identifier: as its mail, or by its title. Deleting
    /// this entry cancels the action.
    #[must_use]
    pub fn outbox_entry(&self) -> Option<OutboxItem> {
        if !self.waits() {
            return None;
        }
        let mail = match self.calls.as_slice() {
            [call] => call.mail().map(|(mail, _)| mail.clone()),
            _ => None,
        };
        let mail = mail.unwrap_or_else(|| OutboxItem::titled(&self.card.title, self.created));
        Some(OutboxItem {
            id: RecordId(self.id.0.clone()),
            state: match self.not_before {
                Some(_) => OutboxState::Held,
                None => OutboxState::Queued,
            },
            not_before: self.not_before,
            created: self.created,
            updated: self.created,
            version: ENTRY_VERSION,
            ..mail
        })
    }

    /// What is kept when the approval is taken back: the new mails it would have sent, as drafts. A draft it would have
    /// sent is still there.
    #[must_use]
    pub fn drafts(&self) -> Vec<RowOp> {
        let mails = self.calls.iter().filter_map(Call::mail);
        let new = mails.filter(|(_, expect)| *expect == Expect::Absent);
        new.map(|(mail, expect)| RowOp::Put {
            record: Box::new(Record::Outbox(mail.clone().into_draft())),
            expect,
        })
        .collect()
    }
}

/// The row version of an action in the outbox: nobody changes it there.
const ENTRY_VERSION: i64 = 1;

/// The states of GATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionState {
    /// Waits for the person.
    Pending,
    /// Approved, not claimed yet.
    Approved,
    /// Claimed by the executor; the approval is used up.
    Executing,
    /// A receipt says so.
    Succeeded,
    /// Failed for certain.
    Failed,
    /// May have happened.
    Unknown,
    /// Unknown, and only the person can tell.
    NeedsPerson,
    /// Rejected.
    Denied,
    /// Not answered in time.
    Expired,
    /// Replaced by another action.
    Superseded,
    /// Stopped, or its plan was set aside.
    Cancelled,
}

impl ActionState {
    /// The name on the wire and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Executing => "executing",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::NeedsPerson => "needs_person",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether `self → next` is a transition of GATE.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use ActionState::{
            Approved, Cancelled, Denied, Executing, Expired, Failed, NeedsPerson, Pending,
            Succeeded, Superseded, Unknown,
        };
        matches!(
            (self, next),
            (
                Pending,
                Approved | Denied | Expired | Superseded | Cancelled
            ) | (Approved, Executing | Expired | Superseded | Cancelled)
                // There was no way to the provider, so that nothing can have happened.
                | (Executing, Approved | Succeeded | Failed | Unknown)
                | (Unknown, Succeeded | Failed | NeedsPerson)
        )
    }
}

/// Through which door an answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// A button in the window.
    Window,
    /// `adjutant approve` or `reject`.
    CommandLine,
    /// A clear yes or no in the conversation.
    Chat,
}
