//! Reads whole replies from a stream, within limits, and classifies connection failures.

use std::time::Duration;

use adjutant_domain::operation::{RemoteFault, Why};
use adjutant_net::{NetFault, NetStream};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

/// Maximum size in bytes of one reply without its literals: the UIDs of a million mails.
const LINE_BYTES_MAX: usize = 12 * 1024 * 1024;
/// Maximum number of literals in one reply.
const LITERALS_MAX: usize = 1_000;

/// Why a session cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The connection closed.
    Closed,
    /// The server was silent for too long.
    TimedOut,
    /// The server's reply is malformed or exceeds a limit.
    Nonsense,
}

impl Broken {
    /// Maps the failure of a read-only request, or of one not sent yet, to a fault.
    pub(crate) fn unread(self) -> RemoteFault {
        match self {
            Self::Closed => RemoteFault::Unreachable,
            Self::TimedOut => RemoteFault::TimedOut,
            Self::Nonsense => RemoteFault::Refused {
                what: "the answer of the mail server makes no sense".into(),
            },
        }
    }

    /// Maps the failure of a change that was sent to an unknown outcome.
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
            // The stream's byte limit was exceeded.
            std::io::ErrorKind::Other => Self::Nonsense,
            _ => Self::Closed,
        }
    }
}

/// A line-based stream.
pub(crate) struct Wire {
    stream: BufReader<NetStream>,
}

impl Wire {
    pub(crate) fn new(stream: NetStream) -> Self {
        Self {
            stream: BufReader::with_capacity(32 * 1024, stream),
        }
    }

    /// Starts TLS. Discards data read ahead, since it arrived unencrypted.
    pub(crate) async fn start_tls(self) -> Result<Self, NetFault> {
        Ok(Self::new(self.stream.into_inner().start_tls().await?))
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.stream.get_ref().is_encrypted()
    }

    /// Waits for data from the server without consuming it.
    pub(super) async fn heard(&mut self) -> Result<(), Broken> {
        match self.stream.fill_buf().await?.is_empty() {
            true => Err(Broken::Closed),
            false => Ok(()),
        }
    }

    /// Sets how long the server may be silent.
    pub(super) fn set_silent(&mut self, most: Duration) {
        self.stream.get_mut().set_idle(most);
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.stream.write_all(bytes).await?;
        Ok(self.stream.flush().await?)
    }

    /// Reads one line of at most `most` bytes, without its line ending.
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

    /// Reads one IMAP reply: a line and its literals of at most `most` bytes in total. Keeps the line ending after each
    /// literal's length.
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
            // The buffer grows with the data that arrives, not with the announced length.
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

/// Returns the length of the literal announced at the end of a line.
fn literal_length(line: &[u8]) -> Option<usize> {
    let inside = line.strip_suffix(b"}")?;
    let open = inside.iter().rposition(|byte| *byte == b'{')?;
    let digits = std::str::from_utf8(&inside[open + 1..]).ok()?;
    let digits = digits.strip_suffix('+').unwrap_or(digits);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large to parse still counts as a number and then exceeds the limit.
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
