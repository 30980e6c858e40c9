//! `probe`: what a connection can do, tried on the person's click.

use adjutant_domain::model::Stage;
use adjutant_prompts::Prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Does it answer, and does it stream? It shall say `word`.
#[derive(Clone, Debug, Serialize)]
pub struct ChatProbe {
    /// A word of ours.
    pub word: String,
}

/// Does it keep to a schema? It shall give `word` back.
#[derive(Clone, Debug, Serialize)]
pub struct StructureProbe {
    /// A word of ours.
    pub word: String,
}

/// Does it call tools? It shall call the one in the request with `word`.
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

/// Tokens a probe may cost; models that think need some before the word.
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
