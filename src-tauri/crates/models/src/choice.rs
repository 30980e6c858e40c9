//! One of a provider's models, as the person chose it.

use serde::{Deserialize, Serialize};

/// Context window, in tokens, assumed for a model of which nothing is known. Small enough for the default settings of
/// local servers.
pub const CONTEXT_TOKENS_UNKNOWN: u32 = 8_192;

/// One of a provider's models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelChoice {
    /// Name of the model at the provider.
    pub id: String,
    /// Size of the context window, in tokens: input and output together.
    #[serde(default = "unknown_context")]
    pub context_tokens: u32,
    /// Whether it accepts tool definitions.
    #[serde(default = "yes")]
    pub tools: bool,
    /// Whether it can be made to follow a schema.
    #[serde(default = "yes")]
    pub structure: bool,
    /// Whether the person said that this remote model costs nothing; prices are then ignored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// Price of a million input tokens, in micro-units of the person's currency; `None` if unknown (see `price.rs`).
    #[serde(default)]
    pub input_micros_per_million: Option<u64>,
    /// Price of a million output tokens, likewise.
    #[serde(default)]
    pub output_micros_per_million: Option<u64>,
}

impl ModelChoice {
    /// Describes a model of which only the name is known. Features it turns out not to support are dropped later
    /// (`wire::call`).
    #[must_use]
    pub fn named(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            context_tokens: CONTEXT_TOKENS_UNKNOWN,
            tools: true,
            structure: true,
            free: false,
            input_micros_per_million: None,
            output_micros_per_million: None,
        }
    }
}

const fn unknown_context() -> u32 {
    CONTEXT_TOKENS_UNKNOWN
}

const fn yes() -> bool {
    true
}
