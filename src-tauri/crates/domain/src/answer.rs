//! What a tool says, whether it only read or what it wants is done.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::focus::Referent;
use crate::source::Taint;

/// Output and words of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Typed output; later steps refer into it.
    pub output: Value,
    /// What happened or was found, in words a person reads. Markdown allowed.
    pub say: String,
    /// Things to remember for "it" and "the second one", in the order shown.
    pub referents: Vec<Referent>,
    /// Whether the output holds text of others.
    pub taint: Taint,
    /// Memories used (their ids).
    pub used_memories: Vec<String>,
}
