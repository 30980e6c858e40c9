//! Search results and pages: foreign text.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Where it leads: an address, or the name of a record of this computer.
    pub address: String,
    /// Its title; text of others.
    pub title: String,
    /// What the engine shows of it; text of others.
    pub snippet: String,
}

/// A page that was opened: the snapshot claims are checked against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// Its title; text of others.
    pub title: String,
    /// Its text; text of others.
    pub text: String,
    /// SHA-256 of the snapshot, in hexadecimal.
    pub sha256: String,
    /// When it was fetched, in UTC.
    #[schemars(with = "String")]
    pub fetched_at: Timestamp,
    /// Whether the text is only the beginning of the page.
    #[serde(default)]
    pub cut: bool,
}

/// An opened page as the brain document keeps it; its text lies with the snapshots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageRef {
    /// The address that was asked for.
    pub address: String,
    /// Its title; text of others.
    pub title: String,
    /// SHA-256 of the snapshot, in hexadecimal.
    pub sha256: String,
    /// When it was fetched, in UTC.
    #[schemars(with = "String")]
    pub fetched_at: Timestamp,
}
