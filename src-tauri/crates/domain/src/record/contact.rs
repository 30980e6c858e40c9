//! The address book.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;

/// A person or organisation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Identifier.
    pub id: RecordId,
    /// vCard UID, or made from the first address.
    pub uid: String,
    /// Full name.
    pub name: String,
    /// Other names people use.
    pub nicknames: Vec<String>,
    /// Mail addresses, preferred first.
    pub emails: Vec<String>,
    /// Telephone numbers as written.
    pub phones: Vec<String>,
    /// Organisation and role, one line.
    pub organisation: String,
    /// Relation to the owner in the person's words ("my sister"); may be empty.
    pub relation: String,
    /// `1984-04-15`, or what of it is known: `--04-15`, `1984-04`, `1984`; else as it was written. May be empty.
    #[serde(default)]
    pub birthday: String,
    /// Further text.
    pub notes: String,
    /// First written.
    pub created: Timestamp,
    /// Last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}
