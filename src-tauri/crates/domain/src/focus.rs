//! Records that "it", "that meeting", "him" and "the second one" may refer to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::RecordId;
use crate::record::Kind;

/// Maximum number of referents a conversation remembers.
pub const REFERENTS_MAX: usize = 40;

/// A record the conversation mentioned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Referent {
    /// Kind of record.
    pub kind: Kind,
    /// Id of the record.
    pub id: RecordId,
    /// Original start, as stored, of one instance of a recurring event; `None` for any other record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Title, subject or name.
    pub label: String,
    /// People involved: (name, address).
    #[serde(default)]
    pub people: Vec<(String, String)>,
}

/// What one answer showed or changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The records, in the order shown.
    pub items: Vec<Referent>,
    /// Whether the step acted on them rather than only listing them.
    pub acted: bool,
}

/// The remainder of a list of which an answer showed only the beginning, as the call that lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// Tool that made the list.
    pub tool: String,
    /// Arguments of the call; `ids` names the rows not yet shown.
    pub args: Value,
}

/// The referents of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Focus {
    /// Groups of referents, newest first.
    pub shown: Vec<Shown>,
    /// Lists that "more" continues: those of the latest turn that listed something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<Rest>,
    /// Whether the latest turn that ran a step changed something. "At five instead" then refers to that change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
}

impl Focus {
    /// Puts a group in front and drops the oldest referents beyond [`REFERENTS_MAX`].
    pub fn push(&mut self, shown: Shown) {
        if shown.items.is_empty() {
            return;
        }
        self.shown.insert(0, shown);
        let mut left = REFERENTS_MAX;
        self.shown.retain_mut(|group| {
            group.items.truncate(left);
            left -= group.items.len();
            !group.items.is_empty()
        });
    }

    /// Returns the only referent of a kind (or of any kind) in the latest group that has one; `None` if that group has
    /// several.
    #[must_use]
    pub fn latest_one(&self, kind: Option<Kind>) -> Option<&Referent> {
        for group in &self.shown {
            let mut fitting = group
                .items
                .iter()
                .filter(|item| kind.is_none_or(|kind| item.kind == kind));
            if let Some(first) = fitting.next() {
                return if fitting.next().is_none() {
                    Some(first)
                } else {
                    None
                };
            }
        }
        None
    }

    /// Returns the referents of a kind (or of any kind) in the latest group that has some, in the order shown.
    #[must_use]
    pub fn latest_list(&self, kind: Option<Kind>) -> Vec<&Referent> {
        for group in &self.shown {
            let fitting: Vec<_> = group
                .items
                .iter()
                .filter(|item| kind.is_none_or(|kind| item.kind == kind))
                .collect();
            if !fitting.is_empty() {
                return fitting;
            }
        }
        Vec::new()
    }
}
