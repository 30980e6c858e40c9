//! What can go wrong with a model file and its answers.

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalFault {
    /// The file cannot be read.
    #[error("the model file cannot be read: {0}")]
    Unreadable(String),
    /// It is no GGUF, or damaged.
    #[error("this is not a whole GGUF file: {0}")]
    NotAModel(String),
    /// A kind of model that is not known here.
    #[error("models of the kind {0} are not supported; llama, qwen2 and qwen3 are")]
    Unsupported(String),
    /// There is too little memory.
    #[error("the model takes about {} MB of memory, and {} MB are free", needed / 1_000_000, free / 1_000_000)]
    NoMemory {
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The prompt is longer than the window.
    #[error("the prompt has {tokens} tokens; {window} fit, the answer included")]
    TooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that fit.
        window: usize,
    },
    /// The schema cannot be held.
    #[error("the model cannot be held to this schema: {0}")]
    Schema(String),
    /// Computing failed.
    #[error("the model failed: {0}")]
    Failed(String),
}

impl LocalFault {
    /// A name for it that does not change.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::NotAModel(_) => "not_a_model",
            Self::Unsupported(_) => "unsupported",
            Self::NoMemory { .. } => "no_memory",
            Self::TooLong { .. } => "too_long",
            Self::Schema(_) => "schema",
            Self::Failed(_) => "failed",
        }
    }
}

/// What a library says, without the trace it may add.
pub(crate) fn first_line(why: impl std::fmt::Display) -> String {
    let why = why.to_string();
    why.lines().next().unwrap_or_default().to_owned()
}
