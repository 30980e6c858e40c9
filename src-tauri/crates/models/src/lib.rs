//! Language models behind the port `ChatModel` of the domain: what asks providers, and what stands in front of them.
//! Every layer is a `ChatModel` around a `ChatModel`, so that whoever asks cannot tell them apart.

mod connect;
mod connection;
pub mod discover;
mod embed;
pub mod govern;
pub mod probe;
mod providers;
mod strict;
pub mod tiers;
pub mod tokens;
mod wire;

pub use connect::{Providers, connect, embedder};
pub use connection::{
    CONTEXT_TOKENS_UNKNOWN, Connection, Headers, Key, Keys, ModelChoice, ProviderKind,
};
