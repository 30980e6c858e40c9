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

/// Characters of the person's words that are shown in place of key and value: more than a fact is a story.
const OWN_WORDS_CHARS_MAX: usize = 160;

impl Memory {
    /// The fact as the person said it, where those words are kept and still hold.
    #[must_use]
    pub fn own_words(&self) -> Option<&str> {
        let words = self.origin.trim().trim_end_matches(['.', '!']);
        let short = words.chars().count() <= OWN_WORDS_CHARS_MAX && !words.contains('\n');
        let holds = words.to_lowercase().contains(&self.value.to_lowercase());
        let whole = words.chars().count() > self.value.chars().count();
        (self.source == MemorySource::Said && short && holds && whole).then_some(words)
    }

    /// The fact as a person reads it: in the person's own words, else the value with what it is about.
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
