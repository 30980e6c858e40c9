//! One of a provider's models, as a person chose it.

use serde::{Deserialize, Serialize};

/// Window of a model of which nothing is known, in tokens. Small enough for what local servers start with by default.
pub const CONTEXT_TOKENS_UNKNOWN: u32 = 8_192;

/// One of a provider's models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelChoice {
    /// Its name at the provider.
    pub id: String,
    /// Input and output together, in tokens.
    #[serde(default = "unknown_context")]
    pub context_tokens: u32,
    /// Whether it takes tool definitions.
    #[serde(default = "yes")]
    pub tools: bool,
    /// Whether it can be held to a schema.
    #[serde(default = "yes")]
    pub structure: bool,
    /// It costs nothing although it is in the world: the person said so. Then no price counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// Price in micro-units of the person's currency for a million input tokens; none where nobody said (see `price.rs`).
    #[serde(default)]
    pub input_micros_per_million: Option<u64>,
    /// The same for output tokens.
    #[serde(default)]
    pub output_micros_per_million: Option<u64>,
}

impl ModelChoice {
    /// A model of which only the name is known. What it turns out not to take is left out later (`wire::call`).
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
