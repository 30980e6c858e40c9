//! The built-in language model: a GGUF file, run by candle in a process of its own, `adjutant-local`.
//!
//! It is a separate process so that a file which crashes it takes nothing else down. [`wire`] defines their messages,
//! one JSON object per line, and is all the app needs. The feature `engine` adds what the process does:
//! [`LocalModel`] reads a prompt and writes an answer, constrained to a JSON schema token by token if one is given,
//! and [`serve`] answers one request after another.

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
