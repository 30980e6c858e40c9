//! Replies of a model.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ModelRequest, OverLimit, Tier};
use crate::ids::TurnId;

impl Usage {
    /// Adds the usage of another call.
    pub fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cost_micros = self.cost_micros.saturating_add(other.cost_micros);
        self.estimated |= other.estimated;
    }
}

/// Capabilities and prices of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelProfile {
    /// Identifier as shown in events, such as `ollama/qwen3:8b`.
    pub id: String,
    /// The tier it serves.
    pub tier: Tier,
    /// Context window in tokens, for input and output together.
    pub context_tokens: u32,
    /// Whether it accepts tool definitions.
    pub tools: bool,
    /// Whether it can be forced to follow a schema. If not, the prompt contains the schema.
    pub structure: bool,
    /// Price of a million input tokens, in micro-units of the person's currency; 0 for local models.
    pub input_micros_per_million: u64,
    /// Price of a million output tokens, in micro-units of the person's currency; 0 for local models.
    pub output_micros_per_million: u64,
    /// Whether the price is known. If not, it is assumed and the cost of a call is an estimate.
    pub price_known: bool,
    /// Whether it runs on this machine, so that nothing leaves it.
    pub local: bool,
}

/// A piece of a reply. A stream that ends without [`ModelEvent::End`] or a fault was cut off, which is a fault too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ModelEvent {
    /// A model starts to answer. Everything received before this event is void.
    Answering {
        /// Identifier of the model.
        model: String,
        /// Why it is not the first choice, for the person; `None` if it is.
        why: Option<String>,
    },
    /// A piece of the answer.
    Token {
        /// The next piece.
        text: String,
    },
    /// A piece of the model's reasoning.
    Thinking {
        /// The next piece.
        text: String,
    },
    /// A complete tool call; the provider's adapter assembles its pieces.
    ToolCall {
        /// Tool name, as in the request.
        name: String,
        /// Arguments as received: JSON, or plain text if they are not valid JSON.
        args: Value,
    },
    /// The reply is complete.
    End {
        /// Why it ended.
        stop: StopReason,
        /// Tokens and cost.
        usage: Usage,
    },
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model finished.
    Complete,
    /// It reached the token limit, so the text is cut off.
    Length,
    /// The model wants to call tools.
    Tools,
    /// The provider refused to continue.
    Refused,
}

/// Tokens and cost of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Number of tokens sent.
    pub input: u64,
    /// Number of tokens received.
    pub output: u64,
    /// Cost in micro-units of the person's currency.
    pub cost_micros: u64,
    /// Whether the figures are our estimate because the provider gave none.
    pub estimated: bool,
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum ModelFault {
    /// No connection was established.
    #[error("{model} could not be reached")]
    Unreachable {
        /// The model.
        model: String,
        /// The system's error, without secrets.
        why: String,
    },
    /// The model sent nothing for too long, at the start or during the reply.
    #[error("{model} sent nothing for {} s", waited.as_secs())]
    Stalled {
        /// The model.
        model: String,
        /// How long Adjutant waited.
        waited: Duration,
    },
    /// The stream ended before the reply was complete.
    #[error("the answer of {model} was cut off")]
    Cut {
        /// The model.
        model: String,
    },
    /// The model rejects further requests for now.
    #[error("{model} is not taking more requests right now")]
    Busy {
        /// The model.
        model: String,
        /// When to try again, if the provider says so.
        retry_after: Option<Duration>,
    },
    /// The request did not get its turn early enough for an answer, because others came first or the model was loading.
    /// This does not count against the model.
    #[error(
        "{model} could not begin within {} s: it was still loading, or was answering something else",
        waited.as_secs()
    )]
    Occupied {
        /// The model.
        model: String,
        /// How long it waited, from the request on.
        waited: Duration,
    },
    /// The key is missing or wrong.
    #[error("{model} does not accept the key")]
    Key {
        /// The model.
        model: String,
    },
    /// The address or the model's name is wrong.
    #[error("there is no model {model} at that address")]
    NoSuchModel {
        /// The model.
        model: String,
    },
    /// The request is longer than the model's window.
    #[error("the request is too long for {model}")]
    TooLong {
        /// The model.
        model: String,
    },
    /// The provider failed (5xx) or sent something unreadable.
    #[error("{model} failed: {why}")]
    Broken {
        /// The model.
        model: String,
        /// What failed, without secrets.
        why: String,
    },
    /// The provider rejected the request (4xx).
    #[error("{model} refused the request: {why}")]
    Refused {
        /// The model.
        model: String,
        /// Why, without secrets.
        why: String,
    },
    /// The reply did not have the requested shape.
    #[error("the reply of {model} could not be read: {why}")]
    Unreadable {
        /// The model.
        model: String,
        /// What is wrong with it.
        why: String,
    },
    /// The model failed too often and gets no requests for a while.
    #[error("{model} failed several times, so it is not asked again for {} s", rest.as_secs())]
    Resting {
        /// The model.
        model: String,
        /// How much longer.
        rest: Duration,
    },
    /// The call would exceed a spending limit.
    #[error("{0}")]
    OverLimit(OverLimit),
    /// All models of a chain failed.
    #[error("no model answered: {}", listed(tried))]
    AllFailed {
        /// Fault of each model, in the order they were tried.
        tried: Vec<ModelFault>,
    },
    /// No model is set up, or none may be used (`--offline`).
    #[error("no model is connected")]
    None,
    /// Something failed inside Adjutant.
    #[error("{why}")]
    Internal {
        /// What failed.
        why: String,
    },
}

impl ModelFault {
    /// Returns whether the fault counts against the model in the circuit breaker. Our own faults and spending limits do
    /// not.
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

/// Returns the distinct faults, joined into one line.
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
    /// Returns the profile of the model behind it; for a chain, that of its first choice.
    fn profile(&self) -> ModelProfile;

    /// Sends a request and streams the reply. The first item names the model that answers; the last is `End` or a
    /// fault.
    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>>;

    /// Returns whether requests queue here for one another or for the model to load. The first item then arrives when
    /// the request's turn comes, and the time before it does not count as the model's.
    fn takes_turns(&self) -> bool {
        false
    }

    /// Returns what a turn has used so far, including failed and cancelled calls, or `None` if nobody counts.
    fn used_by(&self, turn: &TurnId) -> Option<Usage> {
        let _ = turn;
        None
    }
}

/// A model that converts texts into embedding vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Returns the identifier of the model. Only vectors of the same model are comparable.
    fn id(&self) -> String;

    /// Returns one vector per text, in order.
    ///
    /// # Errors
    /// Returns a [`ModelFault`] if the call fails.
    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault>;
}
