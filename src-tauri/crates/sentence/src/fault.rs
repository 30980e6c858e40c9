//! Faults of the sentence model on this computer.

/// The reason why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SentenceFault {
    /// A file is missing.
    #[error("{file} of the sentence model is missing. Run make run again to fetch it")]
    Missing {
        /// Name of the file.
        file: String,
    },
    /// A file is not the published one: it is cut off or changed.
    #[error("{file} of the sentence model is damaged. Delete it and run make run again")]
    Damaged {
        /// Name of the file.
        file: String,
    },
    /// The system does not allow reading a file.
    #[error("{file} of the sentence model cannot be read: {why}")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// Message of the system.
        why: String,
    },
    /// The files do not form a model.
    #[error("the sentence model cannot be loaded: {why}")]
    NotAModel {
        /// Message of the library.
        why: String,
    },
    /// More texts at once than are accepted.
    #[error("{asked} texts at once are too many; send at most {at_most}")]
    TooMany {
        /// Number of texts sent.
        asked: usize,
        /// Number of texts accepted.
        at_most: usize,
    },
    /// More requests are waiting than are accepted.
    #[error("the sentence model has too much to do; ask again later")]
    Busy,
    /// The answer was no longer wanted.
    #[error("the sentence model was stopped")]
    Stopped,
    /// The computation failed.
    #[error("the sentence model failed: {why}")]
    Failed {
        /// Message of the library.
        why: String,
    },
}
