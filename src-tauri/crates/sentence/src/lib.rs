//! Sentences as vectors, on this machine: all-MiniLM-L6-v2, where its files are there.
//!
//! [`SentenceModel`] is the model itself. [`LocalEmbedder`] is what a process that lives long holds: it loads the model
//! at the first request, on a thread of its own, and lets go of it when nothing was asked for a while. Nothing here
//! is needed: without the files, whoever asks goes on with words alone.

mod examples;
mod fault;
mod files;
mod lane;
mod model;
mod network;

pub use fault::SentenceFault;
pub use files::{FOLDER, PinnedFile, WEIGHTS, are_there};
pub use lane::{IDLE_DEFAULT, LocalEmbedder};
pub use model::{
    BATCH_MAX, DIMENSIONS, MODEL_ID, SentenceModel, TEXT_BYTES_MAX, TEXTS_MAX, TOKENS_MAX,
};

#[cfg(test)]
mod tests;
