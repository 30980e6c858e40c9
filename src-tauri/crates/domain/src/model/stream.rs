//! What comes back from a model.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ModelRequest, OverLimit, Tier};
use crate::ids::TurnId;

impl Usage {
    /// Takes another call's in.
    pub fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cost_micros = self.cost_micros.saturating_add(other.cost_micros);
        self.estimated |= other.estimated;
    }
}

/// What a model can do and costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelProfile {
    /// Identifier as events show it, such as `ollama/qwen3:8b`.
    pub id: String,
    /// The tier it serves.
    pub tier: Tier,
    /// Input and output together, in tokens.
    pub context_tokens: u32,
    /// Whether it takes tool definitions.
    pub tools: bool,
    /// Whether it can be held to a schema; otherwise the schema goes into the prompt.
    pub structure: bool,
    /// Price in micro-units of the person's currency for a million input tokens; 0 for local models.
    pub input_micros_per_million: u64,
    /// The same for output tokens.
    pub output_micros_per_million: u64,
    /// The price was given; else it is assumed, and what a call cost is an estimate.
    pub price_known: bool,
    /// It runs on this machine: nothing leaves it.
    pub local: bool,
}

/// A piece of a reply. A stream that ends without [`ModelEvent::End`] or a fault was cut off, and that is a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ModelEvent {
    /// Another model, or none so far, now answers: what was told before is void. `why` is for the person.
    Answering {
        /// Identifier of the model.
        model: String,
        /// Why it is not the first choice; none when it is.
        why: Option<String>,
    },
    /// Text of the answer.
    Token {
        /// The next piece.
        text: String,
    },
    /// Text of the model's thinking.
    Thinking {
        /// The next piece.
        text: String,
    },
    /// A whole tool call; pieces are put together by the provider's adapter.
    ToolCall {
        /// Tool, as in the request.
        name: String,
        /// Arguments as they came: JSON, or text when they were none.
        args: Value,
    },
    /// The reply is whole.
    End {
        /// Why it ended.
        stop: StopReason,
        /// What it cost.
        usage: Usage,
    },
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was said.
    Complete,
    /// It reached the limit of tokens: the text is cut.
    Length,
    /// Tools are wanted.
    Tools,
    /// The provider would not go on.
    Refused,
}

/// Tokens and money of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent.
    pub input: u64,
    /// Tokens received.
    pub output: u64,
    /// Micro-units of the person's currency.
    pub cost_micros: u64,
    /// The provider did not say; the figures are our estimate.
    pub estimated: bool,
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum ModelFault {
    /// No connection could be made.
    #[error("{model} could not be reached")]
    Unreachable {
        /// Which model.
        model: String,
        /// What the system said, without secrets.
        why: String,
    },
    /// Nothing came for too long, at the start or in the middle.
    #[error("{model} sent nothing for {} s", waited.as_secs())]
    Stalled {
        /// Which model.
        model: String,
        /// How long.
        waited: Duration,
    },
    /// The stream ended before the reply was whole.
    #[error("the answer of {model} was cut off")]
    Cut {
        /// Which model.
        model: String,
    },
    /// Too many requests.
    #[error("{model} takes no more requests right now")]
    Busy {
        /// Which model.
        model: String,
        /// When to come back, if it said.
        retry_after: Option<Duration>,
    },
    /// The request's turn did not come in time, or too late for an answer: others were before it, or the model was being
    /// loaded. That says nothing against the model.
    #[error(
        "{model} could not begin within {} s: it was being loaded, or answered something else first",
        waited.as_secs()
    )]
    Occupied {
        /// Which model.
        model: String,
        /// How long, from the request on.
        waited: Duration,
    },
    /// The key is missing or wrong.
    #[error("{model} does not accept the key")]
    Key {
        /// Which model.
        model: String,
    },
    /// The address or the model's name is wrong.
    #[error("there is no model {model} at that address")]
    NoSuchModel {
        /// Which model.
        model: String,
    },
    /// The request is longer than the model's window.
    #[error("the request is too long for {model}")]
    TooLong {
        /// Which model.
        model: String,
    },
    /// The provider failed (5xx), or sent what nobody can read.
    #[error("{model} failed: {why}")]
    Broken {
        /// Which model.
        model: String,
        /// In words, without secrets.
        why: String,
    },
    /// The provider refused the request as such (4xx).
    #[error("{model} refused the request: {why}")]
    Refused {
        /// Which model.
        model: String,
        /// In words, without secrets.
        why: String,
    },
    /// The reply did not have the wanted shape.
    #[error("the reply of {model} could not be read: {why}")]
    Unreadable {
        /// Which model.
        model: String,
        /// What is wrong with it.
        why: String,
    },
    /// It failed too often; it is left alone for a while.
    #[error("{model} failed several times and is left alone for {} s", rest.as_secs())]
    Resting {
        /// Which model.
        model: String,
        /// For how long still.
        rest: Duration,
    },
    /// The money is spent.
    #[error("{0}")]
    OverLimit(OverLimit),
    /// Every model of a chain was tried.
    #[error("no model answered: {}", listed(tried))]
    AllFailed {
        /// What each ended with, in the order they were tried.
        tried: Vec<ModelFault>,
    },
    /// Nothing is set up, or nothing may be used (`--offline`).
    #[error("no model is connected")]
    None,
    /// Something failed inside Adjutant.
    #[error("{why}")]
    Internal {
        /// In words.
        why: String,
    },
}

impl ModelFault {
    /// Whether it counts against the model in the breaker: faults of ours and of our wallet do not.
    #[must_use]
    pub fn counts_against(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::Stalled { .. }
                | Self::Cut { .. }
                | Self::Busy { .. }
                | Self::Broken { .. }
        )
    }
}

/// Faults in one line, each once.
fn listed(tried: &[ModelFault]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for fault in tried {
        let line = fault.to_string();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("; ")
}

/// A model, or anything that behaves like one. Dropping the stream cancels the call.
pub trait ChatModel: Send + Sync {
    /// What stands behind it. For a chain: its first choice.
    fn profile(&self) -> ModelProfile;

    /// Sends a request. The first item says who answers; the last is `End` or a fault.
    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>>;

    /// Whether requests wait here for one another, or for the model to be loaded. Where they do, the first item comes when
    /// a request's turn has come, and the time before it is not counted as the model's.
    fn takes_turns(&self) -> bool {
        false
    }

    /// What a person's turn has used so far, calls that failed or were stopped included; none where nobody keeps count.
    fn used_by(&self, turn: &TurnId) -> Option<Usage> {
        let _ = turn;
        None
    }
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Identifier of the model; vectors of different models are not compared.
    fn id(&self) -> String;

    /// One vector a text, in their order.
    ///
    /// # Errors
    /// As for any call.
    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault>;
}
