//! Reasons why a file was not fetched, in words for the person.

use std::io;
use std::path::PathBuf;

use adjutant_net::NetFault;

use super::load::FILE_BYTES_MAX;

/// The reason why a file was not fetched. The text says what happened; [`FetchFault::hint`] says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum FetchFault {
    /// The catalogue has no model of that name.
    #[error("no model called “{0}” is known here")]
    Unknown(String),
    /// It is not the address of a model file.
    #[error("that is not the address of a model file")]
    Address,
    /// The address is not encrypted, so the file could be changed in transit.
    #[error("that address is not encrypted, so the file could be changed on its way")]
    NotEncrypted,
    /// The request failed.
    #[error("{0}")]
    Net(#[from] NetFault),
    /// The server has no such file.
    #[error("{host} no longer has this file")]
    NotThere {
        /// Host of the server.
        host: String,
    },
    /// The server requires a login.
    #[error("{host} gives this file only to people with access")]
    Closed {
        /// Host of the server.
        host: String,
    },
    /// The server answered with an unexpected status.
    #[error("{host} answered {status} instead of the file")]
    Refused {
        /// Host of the server.
        host: String,
        /// HTTP status code.
        status: u16,
    },
    /// The server does not state the size of the file.
    #[error("{host} does not say how large the file is")]
    NoSize {
        /// Host of the server.
        host: String,
    },
    /// The file is larger than any model that is fetched.
    #[error("the file has {}; the limit is {}", size_text(*bytes), size_text(FILE_BYTES_MAX))]
    TooLarge {
        /// Size stated by the server, in bytes.
        bytes: u64,
    },
    /// The person's checksum differs from the server's.
    #[error("the checksum you gave is not the one {host} gives for this file; nothing was fetched")]
    OtherSum {
        /// Host of the server.
        host: String,
    },
    /// The file is no longer the one that the person agreed to.
    #[error("the file is no longer the one you were shown; nothing was fetched")]
    Changed,
    /// The server sent a different size than it had stated.
    #[error("the file does not have the size that {host} had given; what was fetched is deleted")]
    OtherSize {
        /// Host of the server.
        host: String,
    },
    /// The transfer stopped before the end.
    #[error("{} of {} arrived, then {host} stopped", size_text(*have), size_text(*bytes))]
    Cut {
        /// Host of the server.
        host: String,
        /// Number of bytes received.
        have: u64,
        /// Size of the whole file, in bytes.
        bytes: u64,
    },
    /// The disk does not have enough space.
    #[error("{} more free space is needed in {}", size_text(*missing), folder.display())]
    Full {
        /// Folder that the file was to be stored in.
        folder: PathBuf,
        /// Number of bytes that are missing.
        missing: u64,
    },
    /// The folder cannot be written to.
    #[error("{} cannot be written: {why}", folder.display())]
    Write {
        /// The folder.
        folder: PathBuf,
        /// The error reported by the system.
        why: io::Error,
    },
    /// The checksum of the file differs from the expected one.
    #[error(
        "the file that arrived is not the one that was promised (its checksum differs), so it was deleted"
    )]
    WrongSum,
    /// The content is not a model file.
    #[error("the file that arrived is not a model file, so it was deleted")]
    NoGguf,
    /// Another file with that name exists.
    #[error("there is already another file called {}", .0.display())]
    NameTaken(PathBuf),
    /// The file is already being fetched.
    #[error("this file is already being fetched")]
    Busy,
}

impl FetchFault {
    /// Returns what the person can do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) => {
                "Choose a known one (`adjutant models fetch` lists them), or give the address of a GGUF file."
            }
            Self::Address => "Give one that begins with https:// and ends with .gguf.",
            Self::NotEncrypted => {
                "Give one that begins with https://, or give the file's checksum too (`--sha256`)."
            }
            Self::Net(NetFault::Offline { .. }) => {
                "Start Adjutant online (without `--offline`), or fetch the file elsewhere and choose it."
            }
            Self::Net(_) | Self::Cut { .. } => {
                "Try again: it continues where it stopped. A proxy is set in Settings, Network."
            }
            Self::NotThere { .. } => "Choose another model, or give the new address of this one.",
            Self::Closed { .. } | Self::NoSize { .. } | Self::TooLarge { .. } => {
                "Fetch it with a browser, then choose the file."
            }
            Self::Refused { .. } => "Try again later, or choose another model.",
            Self::OtherSum { .. } => "Copy the checksum again from where you trust it.",
            Self::Changed => "Look at the size and the licence once more.",
            Self::OtherSize { .. } | Self::WrongSum => {
                "Try again. If it happens twice, do not trust that server."
            }
            Self::Full { .. } => "Free some space and try again: it continues where it stopped.",
            Self::Write { .. } => "Make the folder writable and try again.",
            Self::NoGguf => "Check the address: it must lead to the file itself.",
            Self::NameTaken(_) => "Use that one, or move it away.",
            Self::Busy => "Wait for it, or stop it first.",
        }
    }
}

/// Formats a size the way file managers do: `491 MB`.
#[must_use]
pub fn size_text(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = bytes / (unit / 10);
            return match (tenths / 10, tenths % 10) {
                (whole, part) if whole < 10 && part > 0 => format!("{whole}.{part} {name}"),
                (whole, _) => format!("{whole} {name}"),
            };
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let sizes = [
            0,
            999,
            1_000,
            1_499,
            491_400_000,
            1_117_320_736,
            64_000_000_000,
        ];
        assert_eq!(
            sizes.map(size_text),
            [
                "0 bytes",
                "999 bytes",
                "1 kB",
                "1.4 kB",
                "491 MB",
                "1.1 GB",
                "64 GB"
            ]
        );
    }
}
