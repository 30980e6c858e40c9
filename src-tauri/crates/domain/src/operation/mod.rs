//! Operations: the parts of an effect. A tool prepares them before the gate decides; they are frozen with the call,
//! shown, hashed, and carried out unchanged. Each operation has its own attempts, outcome and receipt.

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
    SignedOut, TaskOp, ToolOp,
};

use crate::change::{Change, RowOp};
use crate::ids::{AccountId, RecordId};
pub use crate::ids::{CollectionRef, Etag, RemoteId};
use crate::risk::Risk;

/// Maximum number of operations in one call.
pub const OPERATIONS_MAX: usize = 64;

/// One operation of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum Operation {
    /// Changes rows on this computer. In one transaction, storage claims the approval, applies the change, records its
    /// inverse and reads back the receipt, so the outcome is never unknown.
    Local {
        /// The change.
        change: Change,
    },
    /// Writes bytes to a new file in an allowed folder.
    File {
        /// The attachment to save and the path.
        file: SaveFile,
    },
    /// Asks an account's provider to do something.
    Remote {
        /// Account to act for.
        account: AccountId,
        /// The request to the provider.
        op: Box<RemoteOp>,
        /// Names of the rows concerned, for the person: “Lunch”, or “Lunch” and 2 more. Empty if they have no name, or
        /// if an earlier version of Adjutant prepared the operation.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
        /// Local rows to write once the provider has confirmed, in the transaction that stores the receipt.
        then: Change,
    },
}

impl Operation {
    /// Returns whether it does something a storage transaction cannot roll back. An attempt is then recorded before it
    /// begins.
    #[must_use]
    pub fn leaves_storage(&self) -> bool {
        !matches!(self, Self::Local { .. })
    }

    /// Describes it to the person as a phrase: "save /home/kim/report.pdf", "delete the event “Lunch”".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Local { .. } => "change what is stored here".into(),
            Self::File { file } => format!("save {}", file.path),
            Self::Remote { op, about, .. } if about.is_empty() => op.words().into(),
            Self::Remote { op, about, .. } => format!("{} {about}", op.words()),
        }
    }

    /// Returns the account it acts for; `local` for rows and files.
    #[must_use]
    pub fn account(&self) -> AccountId {
        match self {
            Self::Local { .. } | Self::File { .. } => AccountId::local(),
            Self::Remote { account, .. } => account.clone(),
        }
    }

    /// Returns the local rows it changes, at once or after the provider has confirmed.
    #[must_use]
    pub fn change(&self) -> Option<&Change> {
        match self {
            Self::Local { change } => Some(change),
            Self::Remote { then, .. } => Some(then),
            Self::File { .. } => None,
        }
    }

    /// Returns the risk that comes with the place where it happens. For what happens only on this computer, the tool
    /// assesses the risk.
    #[must_use]
    pub fn risk(&self) -> Risk {
        match self {
            Self::Local { .. } | Self::File { .. } => Risk::Read,
            Self::Remote { op, .. } if op.reaches_people() => Risk::ReachesPeople,
            // Adjutant cannot know what a foreign tool does.
            Self::Remote { op, .. } if matches!(**op, RemoteOp::Tool(_)) => Risk::Spends,
            Self::Remote { .. } => Risk::RemoteReversible,
        }
    }

    /// Returns its turn among the requests of the same call; `None` if it depends on no other.
    #[must_use]
    pub fn stage(&self) -> Option<Stage> {
        let Self::Remote { op, .. } = self else {
            return None;
        };
        match op.as_ref() {
            RemoteOp::Calendar(CalendarOp::Create { .. }) => Some(Stage::Adds),
            RemoteOp::Calendar(CalendarOp::Update { .. } | CalendarOp::Respond { .. }) => {
                Some(Stage::Changes)
            }
            RemoteOp::Calendar(CalendarOp::Delete { .. }) => Some(Stage::Removes),
            RemoteOp::Mail(_)
            | RemoteOp::Task(_)
            | RemoteOp::Contact(_)
            | RemoteOp::LeaveList(_)
            | RemoteOp::Tool(_) => None,
        }
    }

    /// Returns whether it can be undone, for a remote operation by asking the provider to restore the earlier rows.
    /// That is impossible for what has reached others and for what is deleted permanently.
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

/// The turn of a request about events among those of the same call. A later one begins only once all earlier ones are
/// done, so that nothing is taken away before what replaces it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It adds an event.
    Adds,
    /// It changes an event, or answers an invitation.
    Changes,
    /// It removes an event.
    Removes,
}

/// An attached file to save to disk. The bytes are not frozen, since the mail keeps them; their digest is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveFile {
    /// Mail with the attachment.
    pub mail: RecordId,
    /// Index of the attachment, from 0.
    pub index: usize,
    /// SHA-256 of the bytes shown, hexadecimal.
    pub sha256: String,
    /// Number of those bytes.
    pub bytes: u64,
    /// Absolute path of the new file.
    pub path: String,
}
