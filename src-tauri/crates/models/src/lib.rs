//! Language models behind the domain's port `ChatModel`: the clients that ask providers, and the layers in front of
//! them. Every layer is a `ChatModel` around a `ChatModel`, so callers cannot tell them apart.
//!
//! A [`Connection`] is what the person sets up; [`Providers::connect`] makes models of it, using [`Keys`] for keys
//! and the `NetClient` for every request. [`discover`] finds servers on this computer, [`probe`] is the test button.
//! See `providers/mod.rs` for how to add a provider.

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
