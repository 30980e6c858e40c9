//! Drafts and mail on its way out.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::record::mail::Address;

/// A draft, or an approved mail that waits to leave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutboxItem {
    /// Identifier.
    pub id: RecordId,
    /// Message-ID without angle brackets, fixed when the mail was proposed; empty for a draft.
    pub message_id: String,
    /// Recipients.
    pub to: Vec<Address>,
    /// Carbon copies.
    pub cc: Vec<Address>,
    /// Blind copies.
    pub bcc: Vec<Address>,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub body: String,
    /// Message-ID this answers.
    pub in_reply_to: Option<String>,
    /// Message-ID this forwards.
    pub forward_of: Option<String>,
    /// How far it is.
    pub state: OutboxState,
    /// The exact MIME source that was approved; `None` for a draft.
    pub mime: Option<String>,
    /// A held mail leaves at this instant and can be taken back until then.
    pub not_before: Option<Timestamp>,
    /// First written.
    pub created: Timestamp,
    /// Last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

impl OutboxItem {
    /// An entry that says nothing but what it is about.
    #[must_use]
    pub fn titled(title: &str, at: Timestamp) -> Self {
        Self {
            id: RecordId(String::new()),
            message_id: String::new(),
            to: Vec::new(),
            cc: Vec::new(),
            bcc: Vec::new(),
            subject: title.to_owned(),
            body: String::new(),
            in_reply_to: None,
            forward_of: None,
            state: OutboxState::Draft,
            mime: None,
            not_before: None,
            created: at,
            updated: at,
            version: 0,
        }
    }

    /// The same text as a draft, which sends nothing and has to be approved anew.
    #[must_use]
    pub fn into_draft(self) -> Self {
        Self {
            state: OutboxState::Draft,
            message_id: String::new(),
            mime: None,
            not_before: None,
            ..self
        }
    }
}

/// How far an outgoing mail is. This is shown, and permits nothing: only an approved action sends
/// ([`crate::gate::Approved`]). Storage refuses a row that becomes [`Self::Held`] or [`Self::Queued`] without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
    /// Written, not approved.
    Draft,
    /// Approved, leaves at `not_before`: how an action with a hold is listed. No row has this state.
    Held,
    /// Approved, and there was no account or no connection to send it.
    Queued,
    /// Accepted by a server.
    Sent,
    /// Refused.
    Failed,
    /// May have left.
    Unknown,
}

impl OutboxState {
    /// Whether it says that the person approved the mail and that it has not left.
    #[must_use]
    pub fn says_approved(self) -> bool {
        matches!(self, Self::Held | Self::Queued)
    }

    /// The name in `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Held => "held",
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}
