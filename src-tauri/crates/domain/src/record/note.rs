//! Notes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;

/// A note in Markdown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Identifier.
    pub id: RecordId,
    /// Title; the first line of the body if the person gave none.
    pub title: String,
    /// Markdown text.
    pub body: String,
    /// Labels.
    pub tags: Vec<String>,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}
