//! What "it", "that meeting", "him" and "the second one" may refer to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::RecordId;
use crate::record::Kind;

/// How many things a conversation keeps in mind.
pub const REFERENTS_MAX: usize = 40;

/// Something the conversation spoke about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Referent {
    /// Kind of record.
    pub kind: Kind,
    /// Which record.
    pub id: RecordId,
    /// For one instance of a recurring event: its original start, as stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Title, subject or name.
    pub label: String,
    /// People involved: (name, address).
    #[serde(default)]
    pub people: Vec<(String, String)>,
}

/// What one answer showed or changed, newest first in [`Focus::shown`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The things, in the order they were shown.
    pub items: Vec<Referent>,
    /// Whether the step only read (a list) or acted on them.
    pub acted: bool,
}

/// A list of which an answer showed only the beginning: the call that lists what comes next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// The tool that made the list.
    pub tool: String,
    /// Its arguments; `ids` names the rows that were not shown.
    pub args: Value,
}

/// The referents of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Focus {
    /// Newest first.
    pub shown: Vec<Shown>,
    /// What "more" goes on with: the lists of the latest turn that listed something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<Rest>,
    /// Whether the latest turn that did something changed something: "at five instead" is said of that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
}

impl Focus {
    /// Puts what was just shown first and forgets what is beyond [`REFERENTS_MAX`].
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

    /// The latest single thing of a kind (or of any kind), if the latest group that has one has exactly one.
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

    /// The latest list that holds things of a kind (or of any kind), in the order shown.
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
