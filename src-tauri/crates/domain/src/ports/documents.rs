//! The index of documents in opened folders. It holds nothing that cannot be read again from the files.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::faults::StoreFault;

/// A file as it was when it was read: one that is the same is not read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Size in bytes.
    pub size: u64,
    /// When it was last changed, in microseconds since 1970.
    pub modified: i64,
    /// SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
}

/// A document as it is put into the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Absolute path.
    pub path: String,
    /// The file when it was read.
    pub state: FileState,
    /// Title, or the name of the file.
    pub title: String,
    /// Pieces of its text, word for word and in their order; none where it could not be read.
    pub passages: Vec<String>,
    /// Why it could not be read, as the end of a sentence.
    pub unread: Option<String>,
}

/// A passage that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentHit {
    /// Path of its document.
    pub path: String,
    /// Title of its document.
    pub title: String,
    /// The passage, word for word.
    pub passage: String,
    /// Higher is better.
    pub score: f64,
}

/// What is in the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentCounts {
    /// Documents that can be searched.
    pub read: u64,
    /// Documents that could not be read.
    pub unread: u64,
}

/// The index.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Every document by its path.
    async fn known(&self) -> Result<BTreeMap<String, FileState>, StoreFault>;
    /// Adds a document, in place of the one of its path.
    async fn put(&self, document: Document) -> Result<(), StoreFault>;
    /// A file has other times and the same content.
    async fn touch(&self, path: &str, state: FileState) -> Result<(), StoreFault>;
    /// Takes documents out; those that are not there are out already.
    async fn remove(&self, paths: Vec<String>) -> Result<(), StoreFault>;
    /// The best passages for words, best first, one of each document, at most `limit`.
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<DocumentHit>, StoreFault>;
    /// How much there is.
    async fn counts(&self) -> Result<DocumentCounts, StoreFault>;
}
