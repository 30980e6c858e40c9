//! Faults of a model file and its answers.

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalFault {
    /// The file cannot be read.
    #[error("the model file cannot be read: {0}")]
    Unreadable(String),
    /// It is not a GGUF file, or is damaged.
    #[error("this is not a whole GGUF file: {0}")]
    NotAModel(String),
    /// The architecture of the model is not supported.
    #[error("models of the kind {0} are not supported; llama, qwen2 and qwen3 are")]
    Unsupported(String),
    /// There is not enough memory.
    #[error("the model takes about {} MB of memory, and {} MB are free", needed / 1_000_000, free / 1_000_000)]
    NoMemory {
        /// Number of bytes it takes.
        needed: u64,
        /// Number of bytes that are free.
        free: u64,
    },
    /// The prompt is longer than the context window.
    #[error("the prompt has {tokens} tokens; {window} fit, the answer included")]
    TooLong {
        /// Number of tokens of the prompt.
        tokens: usize,
        /// Size of the context window, in tokens.
        window: usize,
    },
    /// Answers cannot be constrained to the schema.
    #[error("the model cannot be held to this schema: {0}")]
    Schema(String),
    /// The computation failed.
    #[error("the model failed: {0}")]
    Failed(String),
}

impl LocalFault {
    /// Returns a stable name for the fault.
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

/// Returns a library's message without the trace it may add.
pub(crate) fn first_line(why: impl std::fmt::Display) -> String {
    let why = why.to_string();
    why.lines().next().unwrap_or_default().to_owned()
}
