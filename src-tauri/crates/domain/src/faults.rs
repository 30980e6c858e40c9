//! Faults: typed enums inside Adjutant, a stable code and advice for the person outside.

use serde::{Deserialize, Serialize};

/// What the person is told when something fails: what happened and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserFault {
    /// Stable code for programs, for example `not_found`.
    pub code: String,
    /// What happened, in plain words.
    pub what: String,
    /// What to do next; empty if there is nothing to do.
    pub hint: String,
}

impl UserFault {
    /// Creates a fault from its three parts.
    #[must_use]
    pub fn new(code: &str, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            what: what.into(),
            hint: hint.into(),
        }
    }
}

impl std::fmt::Display for UserFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.hint.is_empty() {
            f.write_str(&self.what)
        } else {
            write!(f, "{} {}", self.what, self.hint)
        }
    }
}

impl std::error::Error for UserFault {}

/// Why a tool could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum ToolFault {
    /// No tool has this name.
    #[error("there is no tool called {name}")]
    UnknownTool {
        /// The name asked for.
        name: String,
    },
    /// The arguments do not fit the tool's schema.
    #[error("{reason}")]
    BadArguments {
        /// What does not fit.
        reason: String,
    },
    /// Nothing matches.
    #[error("{what}")]
    NotFound {
        /// What was looked for, as a sentence.
        what: String,
    },
    /// The target changed after it was looked at.
    #[error("{what} changed in the meantime")]
    Changed {
        /// Description of the target.
        what: String,
    },
    /// Not allowed, for example access to a folder the person has not opened.
    #[error("{what}")]
    NotAllowed {
        /// What is not allowed.
        what: String,
        /// How to allow it.
        hint: String,
    },
    /// A limit was reached.
    #[error("{what}")]
    TooMuch {
        /// The limit that was reached, as a sentence.
        what: String,
        /// How to stay under it.
        hint: String,
    },
    /// Refused in the current state, with a fault code of its own.
    #[error("{why}")]
    Refused {
        /// What the person is told.
        why: UserFault,
    },
    /// Storage or the system failed.
    #[error("{what}")]
    Failed {
        /// What failed.
        what: String,
        /// What to do next.
        hint: String,
    },
}

impl From<&ToolFault> for UserFault {
    fn from(fault: &ToolFault) -> Self {
        let (code, hint) = match fault {
            ToolFault::Refused { why } => return why.clone(),
            ToolFault::UnknownTool { .. } => (
                "unknown_tool",
                "Say it another way (`adjutant tools` lists what there is).",
            ),
            ToolFault::BadArguments { .. } => (
                "bad_arguments",
                "Say it another way, or give the missing detail.",
            ),
            ToolFault::NotFound { .. } => ("not_found", ""),
            ToolFault::Changed { .. } => ("changed", "Ask again to see it as it is now."),
            ToolFault::NotAllowed { hint, .. } => ("not_allowed", hint.as_str()),
            ToolFault::TooMuch { hint, .. } => ("too_much", hint.as_str()),
            ToolFault::Failed { hint, .. } => ("failed", hint.as_str()),
        };
        Self::new(code, sentence(&fault.to_string()), hint)
    }
}

/// Describes an I/O error in words for the person, without its number, to end a sentence such as "notes.md cannot be
/// read: …".
#[must_use]
pub fn io_reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    let known = match error.kind() {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::NotADirectory => "a part of its path is a file and not a folder",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::AlreadyExists => "something with that name is already there",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "there is no space left",
        ErrorKind::ReadOnlyFilesystem => "that place is read-only",
        ErrorKind::InvalidFilename => "its name is too long, or not allowed here",
        _ => {
            let told = error.to_string();
            let end = told.rfind(" (os error ").unwrap_or(told.len());
            return told[..end].trim_end_matches('.').to_owned();
        }
    };
    known.to_owned()
}

/// Why storage could not carry out a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFault {
    /// A row is not in the state the caller expected (lost compare-and-set).
    #[error("{what} is no longer as it was")]
    Conflict {
        /// Description of the row.
        what: String,
    },
    /// The row does not exist.
    #[error("{what} does not exist")]
    Missing {
        /// Description of the row.
        what: String,
    },
    /// A tool has used up the runs it may make unasked within an hour.
    #[error("{tool} ran {most} times in an hour without asking, which is the limit")]
    TooOften {
        /// Name of the tool.
        tool: String,
        /// Maximum number of unasked runs per hour.
        most: u32,
    },
    /// The disk is full.
    #[error("the disk is full")]
    DiskFull,
    /// The file system does not allow writing.
    #[error("the profile cannot be written")]
    ReadOnly,
    /// A newer version of Adjutant wrote the database.
    #[error("the profile was written by a newer Adjutant (format {found}, this one knows {known})")]
    Newer {
        /// Format version of the database.
        found: i64,
        /// Newest format version known here.
        known: i64,
    },
    /// The database file is damaged.
    #[error("the profile's database is damaged ({0})")]
    Damaged(String),
    /// Anything else the database reports.
    #[error("storage failed: {0}")]
    Other(String),
}

impl From<&StoreFault> for UserFault {
    fn from(fault: &StoreFault) -> Self {
        let (code, hint) = match fault {
            StoreFault::Conflict { .. } => ("conflict", "Look at it again and repeat the action."),
            StoreFault::Missing { .. } => ("not_found", ""),
            StoreFault::TooOften { .. } => (
                "too_often",
                "Ask again: it is then shown to you before it runs.",
            ),
            StoreFault::DiskFull => (
                "disk_full",
                "Free some space; nothing that was stored is lost.",
            ),
            StoreFault::ReadOnly => (
                "read_only",
                "Make the profile's folder writable and start Adjutant again.",
            ),
            StoreFault::Newer { .. } => (
                "newer_profile",
                "Install the newer Adjutant, or open another profile (`--profile`).",
            ),
            StoreFault::Damaged(_) => (
                "damaged_profile",
                "Settings, Check says more (`adjutant doctor`); then import your last export into a new profile (`--profile`).",
            ),
            StoreFault::Other(_) => (
                "storage",
                "Settings, Check says what is wrong (`adjutant doctor`).",
            ),
        };
        Self::new(code, sentence(&fault.to_string()), hint)
    }
}

impl From<StoreFault> for ToolFault {
    fn from(fault: StoreFault) -> Self {
        match &fault {
            StoreFault::Conflict { what } => Self::Changed { what: what.clone() },
            StoreFault::Missing { .. } => Self::NotFound {
                what: fault.to_string(),
            },
            _ => {
                let shown = UserFault::from(&fault);
                Self::Failed {
                    what: shown.what,
                    hint: shown.hint,
                }
            }
        }
    }
}

/// Turns a message into a sentence: capitalises the first letter and adds a full stop unless one of `.?!…”` ends it. A
/// server, mail address or file at the beginning keeps its spelling: `localhost:993`, `kim@example.org`, `notes.md`.
#[must_use]
pub fn sentence(text: &str) -> String {
    let first_word = text.split_whitespace().next().unwrap_or_default();
    let is_spelled = first_word == "localhost"
        || first_word
            .trim_end_matches(|c: char| c.is_ascii_punctuation())
            .contains(['.', ':', '@']);
    let mut chars = text.chars();
    let mut out: String = match chars.next() {
        Some(_) if is_spelled => text.to_owned(),
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => return String::new(),
    };
    if !out.ends_with(['.', '?', '!', '…', '”']) {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_at_the_beginning_of_a_sentence_keeps_its_spelling() {
        for (text, told) in [
            ("it was refused: no", "It was refused: no."),
            ("done.", "Done."),
            (
                "localhost:11993 took longer than 20 s",
                "localhost:11993 took longer than 20 s.",
            ),
            ("localhost took long", "localhost took long."),
            (
                "dana@whitfield.example is already connected",
                "dana@whitfield.example is already connected.",
            ),
            ("town is already connected", "Town is already connected."),
            ("", ""),
        ] {
            assert_eq!(sentence(text), told);
        }
    }
}
