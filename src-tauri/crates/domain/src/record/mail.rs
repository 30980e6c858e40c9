//! Received and sent mail. Storage keeps the unmodified source beside the row.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;

/// A mail that was received, sent or imported. An outgoing mail is an `OutboxItem` until it has been sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mail {
    /// Identifier.
    pub id: RecordId,
    /// Message-ID without angle brackets; if missing, one derived from a hash of the source.
    pub message_id: String,
    /// Folder.
    pub folder: Folder,
    /// Sender.
    pub from: Address,
    /// Recipients.
    pub to: Vec<Address>,
    /// Carbon copies.
    pub cc: Vec<Address>,
    /// Addresses for replies, if not the sender.
    pub reply_to: Vec<Address>,
    /// Subject, decoded.
    pub subject: String,
    /// Date header, or the time of import if it is unreadable.
    pub date: Timestamp,
    /// Plain text of the body, converted from HTML if there is no plain part.
    pub text: String,
    /// Message-ID of the mail it answers.
    pub in_reply_to: Option<String>,
    /// Message-IDs of the References header, oldest first.
    pub references: Vec<String>,
    /// Attached files, without their bytes.
    pub attachments: Vec<Attachment>,
    /// Labels.
    pub labels: Vec<String>,
    /// Whether it was read.
    pub read: bool,
    /// Whether it is starred.
    pub starred: bool,
    /// Size of the source in bytes.
    pub size: u64,
    /// When it last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

impl Mail {
    /// Returns the beginning of what the sender wrote, on one line and at most `chars` characters long. Quoted lines
    /// are left out.
    #[must_use]
    pub fn excerpt(&self, chars: usize) -> String {
        let own = self
            .text
            .lines()
            .filter(|line| !line.trim_start().starts_with('>'));
        let mut excerpt = String::new();
        let mut left = chars;
        for word in own.flat_map(str::split_whitespace) {
            let gap = usize::from(!excerpt.is_empty());
            if left <= gap {
                break;
            }
            excerpt.push_str(&" "[..gap]);
            left -= gap;
            let taken = excerpt.len();
            excerpt.extend(word.chars().take(left));
            left -= excerpt[taken..].chars().count();
        }
        excerpt
    }
}

/// A mail address with its display name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Address {
    /// Display name; may be empty.
    #[serde(default)]
    pub name: String,
    /// The address.
    pub email: String,
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.name.is_empty() {
            f.write_str(&self.email)
        } else {
            write!(f, "{} <{}>", self.name, self.email)
        }
    }
}

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// File name as given by the sender, control characters removed.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the decoded bytes, hexadecimal.
    pub sha256: String,
}

/// Where a mail lies. Deleted mail lies in the trash.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Folder {
    /// Received, not filed.
    #[default]
    Inbox,
    /// Sent by the person.
    Sent,
    /// Filed away.
    Archive,
    /// Deleted.
    Trash,
    /// Unwanted.
    Junk,
}

impl Folder {
    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Sent => "sent",
            Self::Archive => "archive",
            Self::Trash => "trash",
            Self::Junk => "junk",
        }
    }
}
