//! `probe`: tests what a connection can do, when the person asks for it.

use adjutant_domain::model::Stage;
use adjutant_prompts::Prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tests whether a model answers and streams: it must say `word`.
#[derive(Clone, Debug, Serialize)]
pub struct ChatProbe {
    /// A word of ours.
    pub word: String,
}

/// Tests whether a model keeps to a schema: it must return `word`.
#[derive(Clone, Debug, Serialize)]
pub struct StructureProbe {
    /// A word of ours.
    pub word: String,
}

/// Tests whether a model calls tools: it must call the tool in the request with `word`.
#[derive(Clone, Debug, Serialize)]
pub struct ToolsProbe {
    /// A word of ours.
    pub word: String,
}

/// The word, given back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Echo {
    /// The word.
    pub word: String,
}

/// Maximum tokens of a probe's reply; thinking models need some before the word.
const REPLY_TOKENS_MAX: u32 = 256;

impl Prompt for ChatProbe {
    const FILE: &'static str = "probe/chat.v1";
    const STAGE: Stage = Stage::Probe;
    const REPLY_TOKENS_MAX: u32 = REPLY_TOKENS_MAX;
    type Reply = String;
}

impl Prompt for StructureProbe {
    const FILE: &'static str = "probe/structure.v1";
    const STAGE: Stage = Stage::Probe;
    const REPLY_TOKENS_MAX: u32 = REPLY_TOKENS_MAX;
    type Reply = Echo;
}

impl Prompt for ToolsProbe {
    const FILE: &'static str = "probe/tools.v1";
    const STAGE: Stage = Stage::Probe;
    const REPLY_TOKENS_MAX: u32 = REPLY_TOKENS_MAX;
    type Reply = String;
}
