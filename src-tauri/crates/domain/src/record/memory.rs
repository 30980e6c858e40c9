//! What Adjutant remembers, and why.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;

/// One remembered fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Identifier.
    pub id: RecordId,
    /// Kind of fact: `fact`, `preference`, `person`, `place`, …
    pub category: String,
    /// What it is about, normalised (`wifi password`, `mom's birthday`).
    pub key: String,
    /// The fact itself, in the person's words.
    pub value: String,
    /// Where it comes from.
    pub source: MemorySource,
    /// The exact words, or the place it was read.
    pub origin: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Since when it holds.
    pub valid_from: Timestamp,
    /// Until when it held; `None` while it holds.
    pub valid_to: Option<Timestamp>,
    /// How often it was used in an answer.
    pub uses: i64,
    /// When it was last used.
    pub last_used: Option<Timestamp>,
    /// First written.
    pub created: Timestamp,
    /// Last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

/// Who a memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemorySource {
    /// Said by the person.
    Said,
    /// Worked out from what the person did or said.
    Inferred,
    /// Read in text of others: set aside, not used until the person keeps it.
    Read,
}

impl MemorySource {
    /// The name in `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Inferred => "inferred",
            Self::Read => "read",
        }
    }
}
