//! The built-in language model: a GGUF file, run by candle in a process of its own, `adjutant-local`.
//!
//! The process is told apart from the app so that a file that makes it fall over takes nothing else with it. [`wire`] is
//! what the two say to each other, a JSON object a line; it is all that the app needs. With the feature `engine` there is
//! what the process does: [`LocalModel`] reads a prompt and writes an answer, held to a JSON schema token by token where
//! one is given, and [`serve`] does so for one request after the other.

pub mod wire;

#[cfg(feature = "engine")]
mod fault;
#[cfg(feature = "engine")]
mod format;
#[cfg(feature = "engine")]
mod head;
#[cfg(feature = "engine")]
mod model;
#[cfg(feature = "engine")]
mod serve;
#[cfg(feature = "engine")]
mod vocabulary;
#[cfg(feature = "engine")]
mod weights;

#[cfg(feature = "engine")]
pub use fault::LocalFault;
#[cfg(feature = "engine")]
pub use model::{Answered, LocalModel};
#[cfg(feature = "engine")]
pub use serve::{look, serve};

#[cfg(test)]
#[cfg(feature = "engine")]
#[path = "../tests/tiny/mod.rs"]
mod tiny;
