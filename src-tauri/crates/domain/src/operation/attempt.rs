//! Attempts: on record before anything leaves, with an outcome afterwards.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::receipt::Receipt;
use super::remote::RemoteFault;

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
