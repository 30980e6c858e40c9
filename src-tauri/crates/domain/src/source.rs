//! Where a value came from. Every argument of an effect carries its source to the card.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::StepKey;

/// The origin of one value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Words of the person, literally or resolved from them ("tomorrow at 5").
    Person {
        /// The words themselves, where known.
        words: Option<String>,
    },
    /// The person's own records (calendar, tasks, notes, memory said by the person).
    OwnData {
        /// What kind of data, for example "calendar".
        what: String,
    },
    /// The person's address book.
    AddressBook,
    /// The result of an earlier step.
    Step {
        /// Which step.
        key: StepKey,
    },
    /// Worked out by the embedded engine or a model.
    Derived,
    /// A setting.
    Settings,
    /// Text that somebody else wrote: mail, page, file, tool result. Always shown as such.
    Untrusted {
        /// Where it was found, for example "mail from kim@example.org, 12 January".
        origin: String,
    },
}

impl Source {
    /// Whether text of others had a hand in this value.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        matches!(self, Self::Untrusted { .. })
    }

    /// Words of the person with no quotation.
    #[must_use]
    pub fn person() -> Self {
        Self::Person { words: None }
    }
}

/// Sources of the arguments of a call: JSON pointer into the arguments (`/to/0`) to source.
pub type Sources = BTreeMap<String, Source>;

/// The source that applies to `pointer`: its own, or that of the nearest enclosing value.
#[must_use]
pub fn source_at<'a>(sources: &'a Sources, pointer: &str) -> Option<&'a Source> {
    let mut at = pointer;
    loop {
        if let Some(source) = sources.get(at) {
            return Some(source);
        }
        match at.rfind('/') {
            Some(cut) => at = &at[..cut],
            None => return None,
        }
    }
}

/// Whether untrusted text has reached a conversation, a plan or a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taint {
    /// Only the person's words and own data so far.
    #[default]
    Clean,
    /// Text of others has been read.
    Tainted,
}

impl Taint {
    /// Whether only the person's words and own data had a hand in it.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::Clean
    }

    /// The stronger of the two.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self == Self::Tainted || other == Self::Tainted {
            Self::Tainted
        } else {
            Self::Clean
        }
    }
}
