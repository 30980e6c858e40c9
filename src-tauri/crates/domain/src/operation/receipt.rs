//! Proof of what was done.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{AccountId, Etag, RemoteId};
use crate::record::Address;

/// Proof that one operation was carried out: read back, or given by whoever did it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Receipt {
    /// Rows, read back inside the transaction that wrote them.
    Rows {
        /// One line each.
        rows: Vec<ReceiptRow>,
    },
    /// A file, read back from the disk.
    File {
        /// Where it is.
        path: String,
        /// Its size.
        bytes: u64,
        /// SHA-256 of what lies there, hexadecimal.
        sha256: String,
    },
    /// What the provider confirmed.
    Remote {
        /// The account.
        account: AccountId,
        /// What the provider calls it.
        remote_id: Option<RemoteId>,
        /// The state it is in now.
        etag: Option<Etag>,
        /// Recipients a server accepted; mail only.
        #[serde(default)]
        accepted: Vec<Address>,
        /// Recipients a server refused, with its words; mail only.
        #[serde(default)]
        refused: Vec<Delivery>,
        /// When the provider confirmed.
        at: Timestamp,
    },
}

/// What became of a mail for one recipient who did not get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The recipient.
    pub address: Address,
    /// The server's words, cleaned.
    pub reason: String,
}

/// What a receipt proves of one record: how it was left, read back after the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReceiptRow {
    /// Kind of record.
    pub kind: crate::record::Kind,
    /// Which record.
    pub id: String,
    /// What a person calls it.
    pub label: String,
    /// Row version read back; `None` when it is gone.
    pub version: Option<i64>,
    /// Digest of the row read back; `None` when it is gone.
    pub digest: Option<String>,
}
