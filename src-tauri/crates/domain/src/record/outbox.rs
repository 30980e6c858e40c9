//! Drafts and outgoing mail.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::record::mail::Address;

/// A draft, or an approved mail that waits to be sent.
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
    /// Message-ID of the mail it answers.
    pub in_reply_to: Option<String>,
    /// Message-ID of the mail it forwards.
    pub forward_of: Option<String>,
    /// Its state.
    pub state: OutboxState,
    /// Exact MIME source that was approved; `None` for a draft.
    pub mime: Option<String>,
    /// When a held mail is sent; until then the person can revoke it.
    pub not_before: Option<Timestamp>,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

impl OutboxItem {
    /// Creates an entry with only a title.
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

    /// Turns it into a draft with the same text, which must be approved again before it can be sent.
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

/// State of an outgoing mail. It is for display and permits nothing: only an approved action
/// ([`crate::gate::Approved`]) sends. Storage refuses a row that becomes [`Self::Held`] or [`Self::Queued`] without
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
    /// Written but not approved.
    Draft,
    /// Approved, to be sent at `not_before`. Only the listing of a held action has this state, never a row.
    Held,
    /// Approved, but there was no account or connection to send it.
    Queued,
    /// Accepted by a server.
    Sent,
    /// Refused by a server.
    Failed,
    /// May have been sent.
    Unknown,
}

impl OutboxState {
    /// Returns whether the state means approved but not yet sent.
    #[must_use]
    pub fn says_approved(self) -> bool {
        matches!(self, Self::Held | Self::Queued)
    }

    /// Returns the name used by `show` and in storage.
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
