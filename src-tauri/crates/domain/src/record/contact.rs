//! The address book.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;

/// A person or organisation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Identifier.
    pub id: RecordId,
    /// vCard UID, or one derived from the first address.
    pub uid: String,
    /// Full name.
    pub name: String,
    /// Other names people use.
    pub nicknames: Vec<String>,
    /// Mail addresses, preferred first.
    pub emails: Vec<String>,
    /// Telephone numbers as written.
    pub phones: Vec<String>,
    /// Organisation and role, on one line.
    pub organisation: String,
    /// Relation to the person in their own words ("my sister"); may be empty.
    pub relation: String,
    /// Birthday as `1984-04-15`, or its known part: `--04-15`, `1984-04`, `1984`; otherwise as written. May be empty.
    #[serde(default)]
    pub birthday: String,
    /// Further text.
    pub notes: String,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}
