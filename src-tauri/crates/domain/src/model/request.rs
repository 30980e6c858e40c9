//! What is sent to a model.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Purpose, Stage, Tier};
use crate::ids::TurnId;

/// Text of a prompt file, rendered. Only the `prompts` crate makes one, so that no text for a model is written anywhere
/// else; `tests/tidy.rs` looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompted {
    /// The text.
    pub text: String,
    /// Prompt file and hash of everything it was made of, such as `plan/plan.v1@3f2a9c01`. Stands on every trace.
    pub revision: String,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// What for.
    pub stage: Stage,
    /// How capable.
    pub tier: Tier,
    /// Who waits.
    pub purpose: Purpose,
    /// The turn it belongs to; none for background work and probes.
    pub turn: Option<TurnId>,
    /// The instructions.
    pub system: Prompted,
    /// The conversation, oldest first. The last one is never the assistant's.
    pub messages: Vec<ModelMessage>,
    /// Tools the model may call; empty for every stage but `plan` and `respond`.
    pub tools: Vec<ModelTool>,
    /// What shape the reply has.
    pub reply: ReplyShape,
    /// Tokens the reply may have; part of the worst-case cost.
    pub max_output_tokens: u32,
    /// How long is waited for it.
    #[serde(default)]
    pub within: TimeLimits,
}

/// How long is waited for a reply. What is none here is for whoever answers to choose. Every layer in front of a model
/// narrows these for the one behind it, so that it is the model's own call that ends at them, and is seen to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimits {
    /// Until its first piece.
    pub begin: Option<Duration>,
    /// Between two pieces.
    pub between: Option<Duration>,
    /// Until it is whole, with everything that is tried for it.
    pub whole: Option<Duration>,
}

/// One message of the conversation that a request shows a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelMessage {
    /// Whose.
    pub role: Role,
    /// What.
    pub text: String,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or Adjutant on their behalf.
    User,
    /// The model.
    Assistant,
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelTool {
    /// Name, such as `task.create`. Providers that allow no dots get another spelling from their adapter.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
}

/// What shape a reply has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum ReplyShape {
    /// Free text, streamed as it comes.
    Text,
    /// JSON that fits a schema. Its name is the stage's.
    Json {
        /// JSON schema.
        schema: Value,
    },
}
