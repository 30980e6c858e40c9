//! What a tool returns, whether it only read or prepared an effect.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::focus::Referent;
use crate::source::Taint;

/// A tool's output and the words for the person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Typed output that later steps refer to.
    pub output: Value,
    /// What happened or was found, in words for the person. May contain Markdown.
    pub say: String,
    /// Records that "it" or "the second one" may refer to later, in the order shown.
    pub referents: Vec<Referent>,
    /// Whether the output contains foreign text.
    pub taint: Taint,
    /// Ids of the memories used.
    pub used_memories: Vec<String>,
}
