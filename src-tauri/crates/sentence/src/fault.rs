//! What can go wrong with a model on this machine.

/// Why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SentenceFault {
    /// A file is not there.
    #[error("{file} of the sentence model is missing. Run make run again to fetch it")]
    Missing {
        /// Name of the file.
        file: String,
    },
    /// A file is not the one that was published: cut off, or changed.
    #[error("{file} of the sentence model is damaged. Delete it and run make run again")]
    Damaged {
        /// Name of the file.
        file: String,
    },
    /// The system does not let us read a file.
    #[error("{file} of the sentence model cannot be read: {why}")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// What the system says.
        why: String,
    },
    /// The files do not make a model.
    #[error("the sentence model cannot be loaded: {why}")]
    NotAModel {
        /// What the library says.
        why: String,
    },
    /// More texts at once than are taken.
    #[error("{asked} texts at once are too many; send at most {at_most}")]
    TooMany {
        /// How many came.
        asked: usize,
        /// How many are taken.
        at_most: usize,
    },
    /// More requests wait than are kept.
    #[error("the sentence model has too much to do; ask again later")]
    Busy,
    /// Nobody wanted the answer any more.
    #[error("the sentence model was stopped")]
    Stopped,
    /// Computing failed.
    #[error("the sentence model failed: {why}")]
    Failed {
        /// What the library says.
        why: String,
    },
}
