//! Whole replies from the bytes of a stream, each within limits, and what breaks a conversation.

use std::time::Duration;

use adjutant_domain::operation::{RemoteFault, Why};
use adjutant_net::{NetFault, NetStream};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

/// Bytes of one reply without its literals: the numbers of a million mails.
const LINE_BYTES_MAX: usize = 12 * 1024 * 1024;
/// Literals of one reply.
const LITERALS_MAX: usize = 1_000;

/// Why a conversation cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The connection is gone.
    Closed,
    /// The server was silent for too long.
    TimedOut,
    /// What the server said has no meaning, or is larger than anything that has one.
    Nonsense,
}

impl Broken {
    /// What it means for a request that only reads, or before anything was asked for.
    pub(crate) fn unread(self) -> RemoteFault {
        match self {
            Self::Closed => RemoteFault::Unreachable,
            Self::TimedOut => RemoteFault::TimedOut,
            Self::Nonsense => RemoteFault::Refused {
                what: "what the mail server answered has no meaning".into(),
            },
        }
    }

    /// What it means for a request that changes something and was sent.
    pub(crate) fn unknown(self) -> Why {
        match self {
            Self::Closed | Self::TimedOut => Why::NoReply,
            Self::Nonsense => Why::Unreadable,
        }
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::TimedOut => Self::TimedOut,
            // A limit of the stream.
            std::io::ErrorKind::Other => Self::Nonsense,
            _ => Self::Closed,
        }
    }
}

/// What it means that a stream was not opened.
pub(crate) fn unopened(fault: &NetFault) -> RemoteFault {
    match fault {
        NetFault::Offline { .. } | NetFault::Unreachable { .. } | NetFault::Cut { .. } => {
            RemoteFault::Unreachable
        }
        NetFault::TimedOut { .. } => RemoteFault::TimedOut,
        NetFault::Untrusted { fingerprint, .. } => RemoteFault::Refused {
            what: format!(
                "{fault}. If that is its certificate all the same, sign in again and trust it (SHA-256 {fingerprint})"
            ),
        },
        other => RemoteFault::Refused {
            what: other.to_string(),
        },
    }
}

/// A stream of lines.
pub(crate) struct Wire {
    stream: BufReader<NetStream>,
}

impl Wire {
    pub(crate) fn new(stream: NetStream) -> Self {
        Self {
            stream: BufReader::with_capacity(32 * 1024, stream),
        }
    }

    /// Encrypts the stream. What was read ahead came unencrypted and is given up.
    pub(crate) async fn start_tls(self) -> Result<Self, NetFault> {
        Ok(Self::new(self.stream.into_inner().start_tls().await?))
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.stream.get_ref().is_encrypted()
    }

    /// Waits until something was said; nothing of it is taken.
    pub(super) async fn heard(&mut self) -> Result<(), Broken> {
        match self.stream.fill_buf().await?.is_empty() {
            true => Err(Broken::Closed),
            false => Ok(()),
        }
    }

    /// How long the server may be silent from now on.
    pub(super) fn set_silent(&mut self, most: Duration) {
        self.stream.get_mut().set_idle(most);
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.stream.write_all(bytes).await?;
        Ok(self.stream.flush().await?)
    }

    /// One line without its end, at most `most` bytes long.
    pub(crate) async fn line(&mut self, most: usize) -> Result<Vec<u8>, Broken> {
        let mut line = Vec::new();
        self.line_into(&mut line, most).await?;
        Ok(line)
    }

    async fn line_into(&mut self, line: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        let read = (&mut self.stream)
            .take(most.saturating_add(2))
            .read_until(b'\n', line)
            .await?;
        if line.last() != Some(&b'\n') {
            return Err(match read as u64 > most {
                true => Broken::Nonsense,
                false => Broken::Closed,
            });
        }
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(())
    }

    /// One reply of an IMAP server: a line, with the literals in it, at most `most` bytes of them. The line end behind
    /// each literal's length stays in it.
    pub(super) async fn reply(&mut self, most: usize) -> Result<Vec<u8>, Broken> {
        let mut reply = Vec::new();
        let (mut left, mut line_bytes) = (most, LINE_BYTES_MAX);
        for _ in 0..=LITERALS_MAX {
            let before = reply.len();
            self.line_into(&mut reply, line_bytes).await?;
            line_bytes -= reply.len().saturating_sub(before).min(line_bytes);
            let Some(length) = literal_length(&reply[before..]) else {
                return Ok(reply);
            };
            left = left.checked_sub(length).ok_or(Broken::Nonsense)?;
            reply.extend_from_slice(b"\r\n");
            let want = length as u64;
            // Grows with what arrives, not with what is announced.
            let got = (&mut self.stream)
                .take(want)
                .read_to_end(&mut reply)
                .await?;
            if got != length {
                return Err(Broken::Closed);
            }
        }
        Err(Broken::Nonsense)
    }
}

/// The length of the literal that a line announces at its end.
fn literal_length(line: &[u8]) -> Option<usize> {
    let inside = line.strip_suffix(b"}")?;
    let open = inside.iter().rposition(|byte| *byte == b'{')?;
    let digits = std::str::from_utf8(&inside[open + 1..]).ok()?;
    let digits = digits.strip_suffix('+').unwrap_or(digits);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number that is too large for anything is one all the same, and breaks the limit.
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::literal_length;

    #[test]
    fn a_literal_is_announced_at_the_end_of_a_line() {
        assert_eq!(literal_length(b"* 1 FETCH (BODY[] {12}"), Some(12));
        assert_eq!(literal_length(b"a {0}"), Some(0));
        assert_eq!(
            literal_length(b"a {99999999999999999999999}"),
            Some(usize::MAX)
        );
        for none in ["a {12} b", "a {}", "a {-1}", "a {x}", "12}", ""] {
            assert_eq!(literal_length(none.as_bytes()), None, "{none}");
        }
    }
}
