//! Language models behind the port `ChatModel` of the domain: what asks providers, and what stands in front of them.
//! Every layer is a `ChatModel` around a `ChatModel`, so that whoever asks cannot tell them apart.
//!
//! A [`Connection`] is what a person sets up; [`Providers::connect`] makes models of it, with [`Keys`] for the keys and
//! the `NetClient` that everything goes through. [`discover`] finds servers on this machine, [`probe`] is the test button.
//! How a provider is added is told in `providers/mod.rs`.

mod choice;
mod connect;
mod connection;
pub mod discover;
mod embed;
pub mod fetch;
pub mod file;
mod gguf;
pub mod govern;
#[cfg(feature = "local-model")]
pub mod local;
mod price;
pub mod probe;
mod providers;
mod strict;
mod ticks;
pub mod tiers;
mod whole;
mod wire;

pub use choice::{CONTEXT_TOKENS_UNKNOWN, ModelChoice};
pub use connect::{Providers, connect, embedder};
pub use connection::{Connection, Key, Keys, ProviderKind, QUICK_NAME, Unencrypted, WrongAddress};
pub use file::LOCAL_MODEL;
pub use price::{INPUT_PRICE_ASSUMED, OUTPUT_PRICE_ASSUMED};
