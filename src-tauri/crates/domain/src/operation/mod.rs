//! What an effect consists of. A tool prepares operations before the gate decides; they are frozen with the call, shown,
//! hashed, and carried out unchanged. Each operation has its own attempts, its own outcome and its own receipt.

pub mod attempt;
mod from_change;
pub mod receipt;
pub mod remote;

use serde::{Deserialize, Serialize};

pub use attempt::{Attempt, Attempts, Beginning, Ended, Ending, Key, Reconciled, Tried, Why};
pub use from_change::{NotPossible, operations};
pub use receipt::{Delivery, Receipt, ReceiptRow, ToolAnswer};
pub use remote::{
    CalendarOp, ContactOp, LeaveList, MailOp, MailRef, Participation, RemoteFault, RemoteOp,
    TaskOp, ToolOp,
};

use crate::change::{Change, RowOp};
use crate::ids::{AccountId, RecordId};
pub use crate::ids::{CollectionRef, Etag, RemoteId};
use crate::risk::Risk;

/// Operations one call may consist of.
pub const OPERATIONS_MAX: usize = 64;

/// One thing an effect does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum Operation {
    /// Changes rows of this computer. Storage claims the approval, applies the change, records its inverse and reads the
    /// receipt back, all in one transaction: it is never unknown.
    Local {
        /// The change.
        change: Change,
    },
    /// Writes bytes into a new file of an allowed folder.
    File {
        /// What and where.
        file: SaveFile,
    },
    /// Asks the provider of an account to do something.
    Remote {
        /// The account it acts for.
        account: AccountId,
        /// What the provider is asked to do.
        op: Box<RemoteOp>,
        /// What people call the rows it is about: “Lunch”, or “Lunch” and 2 more. Empty where they have no name, and for
        /// operations that an earlier version of this program prepared.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
        /// Rows of this computer that follow once the provider has confirmed, in the transaction that stores the receipt.
        then: Change,
    },
}

impl Operation {
    /// Whether it does something that a transaction of storage cannot take back: an attempt is on record before it begins.
    #[must_use]
    pub fn leaves_storage(&self) -> bool {
        !matches!(self, Self::Local { .. })
    }

    /// What it does, as a phrase for people: "save /home/kim/report.pdf", "delete the event “Lunch”".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Local { .. } => "change what is stored here".into(),
            Self::File { file } => format!("save {}", file.path),
            Self::Remote { op, about, .. } if about.is_empty() => op.words().into(),
            Self::Remote { op, about, .. } => format!("{} {about}", op.words()),
        }
    }

    /// The account it acts for; `local` for rows and files.
    #[must_use]
    pub fn account(&self) -> AccountId {
        match self {
            Self::Local { .. } | Self::File { .. } => AccountId::local(),
            Self::Remote { account, .. } => account.clone(),
        }
    }

    /// The rows it changes here: at once, or once the provider has confirmed.
    #[must_use]
    pub fn change(&self) -> Option<&Change> {
        match self {
            Self::Local { change } => Some(change),
            Self::Remote { then, .. } => Some(then),
            Self::File { .. } => None,
        }
    }

    /// How much is at stake because of where it happens; what is done here alone is for its tool to say.
    #[must_use]
    pub fn risk(&self) -> Risk {
        match self {
            Self::Local { .. } | Self::File { .. } => Risk::Read,
            Self::Remote { op, .. } if op.reaches_people() => Risk::ReachesPeople,
            // Nobody here knows what a tool of others does.
            Self::Remote { op, .. } if matches!(**op, RemoteOp::Tool(_)) => Risk::Spends,
            Self::Remote { .. } => Risk::RemoteReversible,
        }
    }

    /// Whether the provider can be asked to take it back by asking it for the rows as they were. What has left for others,
    /// and what is deleted for good, cannot.
    #[must_use]
    pub fn is_reversible(&self) -> bool {
        let Self::Remote { op, then, .. } = self else {
            return matches!(self, Self::Local { .. });
        };
        let deletes = then.ops.iter().any(|op| matches!(op, RowOp::Delete { .. }));
        match op.as_ref() {
            RemoteOp::Mail(MailOp::Send { .. }) | RemoteOp::LeaveList(_) | RemoteOp::Tool(_) => {
                false
            }
            RemoteOp::Mail(_) => !deletes,
            RemoteOp::Calendar(_) | RemoteOp::Task(_) | RemoteOp::Contact(_) => true,
        }
    }
}

/// An attached file on its way to the disk. The bytes are not frozen (a mail keeps them); their digest is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveFile {
    /// The mail it is attached to.
    pub mail: RecordId,
    /// Which of its files, counted from 0.
    pub index: usize,
    /// SHA-256 of the bytes that were shown, hexadecimal.
    pub sha256: String,
    /// Size of those bytes.
    pub bytes: u64,
    /// The new file, absolute.
    pub path: String,
}
