//! Requests to a model.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Purpose, Stage, Tier};
use crate::ids::TurnId;

/// Rendered text of a prompt file. Only the `prompts` crate creates one, so that all text for models lives in prompt
/// files; `tests/tidy.rs` checks this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompted {
    /// The text.
    pub text: String,
    /// Prompt file and hash of everything it was rendered from, such as `plan/plan.v1@3f2a9c01`. Recorded with every
    /// trace.
    pub revision: String,
}

/// One request to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// Purpose of the request.
    pub stage: Stage,
    /// How capable the model must be.
    pub tier: Tier,
    /// Whether somebody waits for the reply.
    pub purpose: Purpose,
    /// The turn it belongs to; `None` for background work and probes.
    pub turn: Option<TurnId>,
    /// The instructions.
    pub system: Prompted,
    /// The conversation, oldest message first. The last message is never the assistant's.
    pub messages: Vec<ModelMessage>,
    /// Tools the model may call; empty for every stage but `plan` and `respond`.
    pub tools: Vec<ModelTool>,
    /// Shape of the reply.
    pub reply: ReplyShape,
    /// Maximum number of tokens in the reply. Enters the worst-case cost.
    pub max_output_tokens: u32,
    /// How long to wait for the reply.
    #[serde(default)]
    pub within: TimeLimits,
}

/// How long to wait for a reply. Where a limit is `None`, the model that answers chooses its own.
///
/// Each layer in front of a model narrows the limits for the layer behind it, so that the model's own call times out
/// first and the timeout is attributed to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimits {
    /// Time until the first piece.
    pub begin: Option<Duration>,
    /// Time between two pieces.
    pub between: Option<Duration>,
    /// Time until the reply is complete, including all retries and fallbacks.
    pub whole: Option<Duration>,
}

/// One message of the conversation in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelMessage {
    /// Author of the message.
    pub role: Role,
    /// Text of the message.
    pub text: String,
}

/// Author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or Adjutant on their behalf.
    User,
    /// The model.
    Assistant,
}

/// A tool as described to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelTool {
    /// Name, such as `task.create`. The adapter of a provider that forbids dots spells it differently.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
}

/// Shape of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum ReplyShape {
    /// Free text, streamed as it arrives.
    Text,
    /// JSON that matches a schema. The stage's name is the schema's name.
    Json {
        /// JSON schema.
        schema: Value,
    },
}
