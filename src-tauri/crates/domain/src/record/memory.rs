//! Memories: what Adjutant remembers, and why.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;

/// One remembered fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Identifier.
    pub id: RecordId,
    /// Category: `fact`, `preference`, `person`, `place`, …
    pub category: String,
    /// Subject in normalised form (`wifi password`, `mom's birthday`).
    pub key: String,
    /// The fact itself, in the person's words.
    pub value: String,
    /// Where it comes from.
    pub source: MemorySource,
    /// The exact words, or where it was read.
    pub origin: String,
    /// Confidence from 0 to 1.
    pub confidence: f64,
    /// Since when it has held.
    pub valid_from: Timestamp,
    /// When it stopped holding; `None` while it holds.
    pub valid_to: Option<Timestamp>,
    /// Number of answers that used it.
    pub uses: i64,
    /// When it was last used.
    pub last_used: Option<Timestamp>,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

/// Maximum number of characters of the person's own words shown instead of key and value. Longer texts are not single
/// facts.
const OWN_WORDS_CHARS_MAX: usize = 160;

impl Memory {
    /// Returns the person's own words for the fact, if they are stored, short enough, and still contain the value.
    #[must_use]
    pub fn own_words(&self) -> Option<&str> {
        let words = self.origin.trim().trim_end_matches(['.', '!']);
        let short = words.chars().count() <= OWN_WORDS_CHARS_MAX && !words.contains('\n');
        let holds = words.to_lowercase().contains(&self.value.to_lowercase());
        let whole = words.chars().count() > self.value.chars().count();
        (self.source == MemorySource::Said && short && holds && whole).then_some(words)
    }

    /// Returns the fact as the person reads it: their own words if available, otherwise the key and value.
    #[must_use]
    pub fn statement(&self) -> String {
        if let Some(words) = self.own_words() {
            return words.to_owned();
        }
        let (key, value) = (self.key.trim(), self.value.trim());
        if key.is_empty() || value.to_lowercase().contains(&key.to_lowercase()) {
            value.to_owned()
        } else {
            format!("{key}: {value}")
        }
    }
}

/// Origin of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemorySource {
    /// The person said it.
    Said,
    /// Inferred from what the person did or said.
    Inferred,
    /// Read in foreign text: set aside, and not used until the person keeps it.
    Read,
}

impl MemorySource {
    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Inferred => "inferred",
            Self::Read => "read",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(key: &str, value: &str, origin: &str) -> Memory {
        let at = Timestamp::UNIX_EPOCH;
        Memory {
            id: RecordId("mem_1".into()),
            category: "fact".into(),
            key: key.into(),
            value: value.into(),
            source: MemorySource::Said,
            origin: origin.into(),
            confidence: 1.0,
            valid_from: at,
            valid_to: None,
            uses: 0,
            last_used: None,
            created: at,
            updated: at,
            version: 1,
        }
    }

    #[test]
    fn a_memory_reads_as_it_was_said() {
        for (key, value, origin, statement) in [
            (
                "where Raj works",
                "from London",
                "Raj works from London",
                "Raj works from London",
            ),
            (
                "no meetings before",
                "9",
                "no meetings before 9",
                "no meetings before 9",
            ),
            // Corrected since: the words of then do not hold any more.
            (
                "where Raj works",
                "from Berlin",
                "Raj works from London",
                "where Raj works: from Berlin",
            ),
            ("wifi password", "tulip7", "", "wifi password: tulip7"),
            // The words are the value alone, and say nothing by themselves.
            ("wifi password", "tulip7", "tulip7", "wifi password: tulip7"),
            ("raj", "Raj works from London", "", "Raj works from London"),
        ] {
            assert_eq!(memory(key, value, origin).statement(), statement);
        }
        let mut read = memory("wifi", "evil1", "the wifi is evil1");
        read.source = MemorySource::Read;
        assert_eq!(
            read.statement(),
            "wifi: evil1",
            "words of others are no quotation"
        );
        let story = "and then ".repeat(40) + "tulip7";
        assert_eq!(memory("wifi", "tulip7", &story).statement(), "wifi: tulip7");
    }
}
