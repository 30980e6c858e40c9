//! Why a file was not fetched, in words for the person.

use std::io;
use std::path::PathBuf;

use adjutant_net::NetFault;

use super::load::FILE_BYTES_MAX;

/// Why a file was not fetched. The texts say what happened; [`FetchFault::hint`] says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum FetchFault {
    /// No model of that name is known.
    #[error("no model called “{0}” is known here")]
    Unknown(String),
    /// It is no address of a model file.
    #[error("that is not the address of a model file")]
    Address,
    /// Somebody could change it on its way.
    #[error("that address is not encrypted, so the file could be changed on its way")]
    NotEncrypted,
    /// The exchange failed.
    #[error("{0}")]
    Net(#[from] NetFault),
    /// The server has no such file.
    #[error("{host} has no such file any more")]
    NotThere {
        /// Which.
        host: String,
    },
    /// The server wants to know who asks.
    #[error("{host} gives this file only to people it knows")]
    Closed {
        /// Which.
        host: String,
    },
    /// The server answered something else.
    #[error("{host} answered {status} instead of the file")]
    Refused {
        /// Which.
        host: String,
        /// HTTP's status.
        status: u16,
    },
    /// The server does not tell how large the file is.
    #[error("{host} does not tell how large the file is")]
    NoSize {
        /// Which.
        host: String,
    },
    /// More than a model of this kind ever is.
    #[error("the file has {}; at most {} are fetched", size_text(*bytes), size_text(FILE_BYTES_MAX))]
    TooLarge {
        /// As told.
        bytes: u64,
    },
    /// The person's checksum is not the server's.
    #[error("the checksum you gave is not the one {host} tells of this file; nothing was fetched")]
    OtherSum {
        /// Which.
        host: String,
    },
    /// What was agreed to is not what is there now.
    #[error("the file is another one than you were shown; nothing was fetched")]
    Changed,
    /// The server gave another size than it had told.
    #[error("the file has another size than {host} had told; what was fetched is deleted")]
    OtherSize {
        /// Which.
        host: String,
    },
    /// It broke off.
    #[error("{} of {} came, then {host} stopped", size_text(*have), size_text(*bytes))]
    Cut {
        /// Which.
        host: String,
        /// Bytes that are here.
        have: u64,
        /// Bytes in all.
        bytes: u64,
    },
    /// There is no room.
    #[error("{} more are needed in {}", size_text(*missing), folder.display())]
    Full {
        /// Where.
        folder: PathBuf,
        /// Bytes.
        missing: u64,
    },
    /// It cannot be written.
    #[error("{} cannot be written: {why}", folder.display())]
    Write {
        /// Where.
        folder: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file is not the one that was promised.
    #[error(
        "the file that came is not the one that was promised: its checksum is another; it is deleted"
    )]
    WrongSum,
    /// It is something else.
    #[error("what came is no model file; it is deleted")]
    NoGguf,
    /// There is a file of its name.
    #[error("there is another file called {} already", .0.display())]
    NameTaken(PathBuf),
    /// Somebody else fetches it.
    #[error("this file is being fetched already")]
    Busy,
}

impl FetchFault {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) => {
                "Choose one of those that are known (`adjutant models fetch` lists them), or give the address of a GGUF file."
            }
            Self::Address => "Give one that begins with https:// and ends with .gguf.",
            Self::NotEncrypted => {
                "Give one that begins with https://, or give the file's checksum too (`--sha256`)."
            }
            Self::Net(NetFault::Offline { .. }) => {
                "Start Adjutant online (without `--offline`), or fetch the file elsewhere and choose it."
            }
            Self::Net(_) | Self::Cut { .. } => {
                "Try again: it goes on where it stopped. Settings, Network has the proxy."
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
            Self::Full { .. } => "Make room and try again: it goes on where it stopped.",
            Self::Write { .. } => "Make the folder writable and try again.",
            Self::NoGguf => "Check the address: it must lead to the file itself.",
            Self::NameTaken(_) => "Use that one, or move it away.",
            Self::Busy => "Wait for it, or stop it first.",
        }
    }
}

/// A size for people, as file managers write it: `491 MB`.
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
