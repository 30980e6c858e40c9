//! The index of documents in opened folders. Everything in it can be rebuilt from the files.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::faults::StoreFault;

/// State of a file when it was read. An unchanged file is not read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in microseconds since 1970.
    pub modified: i64,
    /// SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
}

/// A document to add to the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Absolute path.
    pub path: String,
    /// State of the file when it was read.
    pub state: FileState,
    /// Title, or the name of the file.
    pub title: String,
    /// Passages of its text, verbatim and in order; empty if it could not be read.
    pub passages: Vec<String>,
    /// Why it could not be read, as the end of a sentence; `None` if it was read.
    pub unread: Option<String>,
}

/// A passage found by a search.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentHit {
    /// Path of its document.
    pub path: String,
    /// Title of its document.
    pub title: String,
    /// The passage, verbatim.
    pub passage: String,
    /// Relevance; higher is better.
    pub score: f64,
}

/// Number of documents in the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentCounts {
    /// Documents that can be searched.
    pub read: u64,
    /// Documents that could not be read.
    pub unread: u64,
}

/// The index of documents.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Returns the recorded state of every document, by path.
    async fn known(&self) -> Result<BTreeMap<String, FileState>, StoreFault>;
    /// Adds a document, replacing the one with the same path.
    async fn put(&self, document: Document) -> Result<(), StoreFault>;
    /// Updates the recorded state of a file whose content has not changed.
    async fn touch(&self, path: &str, state: FileState) -> Result<(), StoreFault>;
    /// Removes documents. Paths not in the index are ignored.
    async fn remove(&self, paths: Vec<String>) -> Result<(), StoreFault>;
    /// Returns the best passage of each matching document, best first, at most `limit`.
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<DocumentHit>, StoreFault>;
    /// Returns the number of documents.
    async fn counts(&self) -> Result<DocumentCounts, StoreFault>;
}
