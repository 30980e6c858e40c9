//! One file a provider: what it wants to be asked and how it answers.
//!
//! # Adding a provider
//!
//! 1. Does it speak as OpenAI does? Then it is a `Connection` of kind `Compatible`, and nothing is added.
//! 2. Otherwise write `providers/<name>.rs` with a type that is a `Dialect`: `prepare` says where a request goes and what
//!    it says, `reader` turns the frames of a reply into pieces. Everything else (faults, limits, stalls, usage, keys) is
//!    in `wire` and holds for it without a line more.
//! 3. Add it to [`ProviderKind`](crate::ProviderKind), to `dialect` below, to `Access::of` if its key has a header of its
//!    own, and to `embed.rs` if it has vectors.
//! 4. Add it to the table of `tests/conformance.rs`. It is done when every case passes.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

pub(crate) use gemini::bare;

use std::sync::Arc;

use crate::connection::ProviderKind;
use crate::wire::Dialect;

/// How to speak to a provider.
pub(crate) fn dialect(kind: ProviderKind) -> Arc<dyn Dialect> {
    match kind {
        ProviderKind::Compatible => Arc::new(openai::OpenAi::compatible()),
        ProviderKind::OpenAi => Arc::new(openai::OpenAi::own()),
        ProviderKind::Anthropic => Arc::new(anthropic::Anthropic),
        ProviderKind::Gemini => Arc::new(gemini::Gemini),
        ProviderKind::Ollama => Arc::new(ollama::Ollama),
    }
}

/// Where the model ids of a provider are listed, and at which path in the answer.
pub(crate) const fn model_list(kind: ProviderKind) -> (&'static [&'static str], &'static str) {
    match kind {
        ProviderKind::Compatible | ProviderKind::OpenAi | ProviderKind::Anthropic => {
            (&["models"], "data")
        }
        ProviderKind::Gemini => (&["models"], "models"),
        ProviderKind::Ollama => (&["api", "tags"], "models"),
    }
}
