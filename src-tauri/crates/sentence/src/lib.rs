//! Sentence vectors computed on this computer: all-MiniLM-L6-v2, if its files are installed.
//!
//! [`SentenceModel`] is the model itself. [`LocalEmbedder`] is what a long-running process uses: it loads the model
//! at the first request, on a thread of its own, and frees it after a time without requests. Nothing here is
//! required: without the files, callers continue with words alone.

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
