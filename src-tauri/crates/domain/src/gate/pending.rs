//! Actions that wait for the person's approval.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Call, Card, GrantScope, Risk, Why};
use crate::canonical::Digest;
use crate::change::{Expect, RowOp};
use crate::ids::{AccountId, ActionId, ConversationId, GrantId, RecordId, StepKey, TurnId};
use crate::record::{OutboxItem, OutboxState, Record};
use crate::source::Taint;

/// How long an action may wait, in seconds (15 minutes by GATE).
pub const EXPIRY_SECONDS: i64 = 15 * 60;

/// A stored action: exactly what the card showed, and its state.
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
    /// Calls to run, in order. Only a step with `each` has more than one.
    pub calls: Vec<Call>,
    /// The card shown.
    pub card: Card,
    /// The highest risk among the calls.
    pub risk: Risk,
    /// Whether foreign text had reached the plan.
    pub taint: Taint,
    /// Why the gate asks; `None` if an earlier version of Adjutant proposed the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Scope of the standing grant the card offers, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantScope>,
    /// What permits it, if the person was not asked and it waits for a connection; `None` if they decide on its card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unasked: Option<PermittedBy>,
    /// Random text that makes the digest unique.
    pub nonce: String,
    /// Digest over the fields above and the instants of creation and expiry.
    pub digest: Digest,
    /// When it was proposed.
    pub created: Timestamp,
    /// Instant from which it can no longer be answered.
    pub expires: Timestamp,
    /// Its state.
    pub state: ActionState,
    /// Channel through which it was answered.
    #[serde(default)]
    pub channel: Option<Channel>,
    /// End of the hold after approval: the action does not run before this instant and can be revoked until then.
    /// `None` once the hold is over. This field and the next are set on approval, so the digest does not cover them.
    #[serde(default)]
    pub not_before: Option<Timestamp>,
    /// Deadline for an approved action that waits for its hold to end or for a connection to the provider. It does not
    /// run after this instant.
    #[serde(default)]
    pub waits_until: Option<Timestamp>,
    /// The action that replaced it.
    #[serde(default)]
    pub superseded_by: Option<ActionId>,
}

/// What permits an action that the person was not asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum PermittedBy {
    /// The person did it by hand, on a surface.
    Hand,
    /// Standing grants, which must still hold when it runs.
    Grants {
        /// One for each call.
        ids: Vec<GrantId>,
    },
}

/// Time limits of an approved action that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The action does not run before this instant.
    pub not_before: Timestamp,
    /// The action does not run after this instant, even if nothing could run it in time.
    pub waits_until: Timestamp,
}

impl PendingAction {
    /// Returns the account of the first call; `local` if there are no calls.
    #[must_use]
    pub fn account(&self) -> &AccountId {
        static LOCAL: LazyLock<AccountId> = LazyLock::new(AccountId::local);
        self.calls.first().map_or(&LOCAL, |call| &call.account)
    }

    /// Returns whether it would make the same calls as `other` on the same targets in the same versions.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let calls = || self.calls.iter().zip(&other.calls);
        self.tool == other.tool
            && self.calls.len() == other.calls.len()
            && calls().all(|(a, b)| {
                a.account == b.account && a.args == b.args && a.before.targets == b.before.targets
            })
    }

    /// Returns whether it is approved and waits for its hold to end or for a connection to the provider.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.state == ActionState::Approved && self.waits_until.is_some()
    }

    /// Returns whether its hold has not ended yet.
    #[must_use]
    pub fn is_held(&self, now: Timestamp) -> bool {
        self.not_before.is_some_and(|end| now < end)
    }

    /// Returns the length of its hold after approval, in seconds: the longest of its calls.
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

    /// Returns the instant before which it does not run, as the card showed it.
    #[must_use]
    pub fn shown_not_before(&self) -> Option<Timestamp> {
        let frozen = self
            .calls
            .iter()
            .filter_map(|call| call.before.frozen.as_ref());
        frozen.filter_map(|frozen| frozen.not_before).max()
    }

    /// Returns an outbox entry for an action that waits, under the action's id: its mail, or just its title. Deleting
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

    /// Returns operations that keep the action's new mails as drafts when the person revokes the approval. A draft that
    /// the action would have sent still exists and needs none.
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

/// Row version of an action's outbox entry, constant because nobody edits the entry.
const ENTRY_VERSION: i64 = 1;

/// States of an action, as defined by GATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionState {
    /// Waits for the person.
    Pending,
    /// Approved but not yet claimed.
    Approved,
    /// Claimed by the executor, so the approval is used up.
    Executing,
    /// Done, with a receipt.
    Succeeded,
    /// Certainly failed.
    Failed,
    /// May or may not have happened.
    Unknown,
    /// Unknown, and only the person can find out.
    NeedsPerson,
    /// Rejected.
    Denied,
    /// Not answered in time.
    Expired,
    /// Replaced by another action.
    Superseded,
    /// Stopped, or cancelled because its plan was set aside.
    Cancelled,
}

impl ActionState {
    /// Returns the name used on the wire and in storage.
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

    /// Returns whether GATE allows the transition `self → next`.
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
                // Executing → Approved: the provider could not be reached, so nothing can have happened.
                | (Executing, Approved | Succeeded | Failed | Unknown)
                | (Unknown, Succeeded | Failed | NeedsPerson)
        )
    }
}

/// Channel through which an answer came.
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
