//! The private socket of a profile: a file that only its user can open, or a named pipe on Windows. Messages are JSON
//! objects, one per line.

use std::path::{Path, PathBuf};

use adjutant_api::{Fault, Request};
use interprocess::local_socket::tokio::{Listener, Stream};
use interprocess::local_socket::traits::tokio::Stream as _;
use interprocess::local_socket::{GenericFilePath, ListenerOptions, Name, ToFsName as _};
use serde::{Deserialize, Serialize};

use crate::service::Frame;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Version of the socket protocol.
pub const PROTOCOL: u32 = 4;
/// Maximum line length in bytes; a longer line ends the connection.
pub const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Longest socket path that every system accepts (Linux allows 107 bytes, macOS 103).
const PATH_BYTES_MAX: usize = 100;

/// The first line of a client: the conditions it expects of the holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The client's [`PROTOCOL`].
    pub protocol: u32,
    /// The fixed time (`--now`), if given.
    pub now: Option<String>,
    /// The time zone (`--tz`), if given.
    pub tz: Option<String>,
    /// Whether only loopback may be reached (`--offline`).
    pub offline: bool,
}

/// A numbered request, or the notice that the client drops one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Number that the client chose for the call.
    pub id: u64,
    /// The request. `None` drops the call with this number.
    pub request: Option<Request>,
}

/// The holder's answer to a [`Hello`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Welcome {
    /// The holder accepts calls.
    Ready,
    /// The client's hello does not match the holder's.
    Refused(Fault),
    /// The holder is ending and accepts no calls. The profile becomes free soon after the holder closes the connection.
    Ending,
}

/// One answer of the holder to a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Number of the call; 0 stands for every call without an end.
    pub id: u64,
    /// Content of the answer.
    pub body: Body,
}

/// Content of an [`Answer`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The next frame of the answer.
    Frame(Frame),
    /// The holder is ending. It did not take the call, or no longer serves a lasting one (a subscription); the next
    /// holder may.
    HandedBack,
}

/// Returns the path of a profile's socket. On Unix, if the path inside the profile folder would be too long, the socket
/// is in a private folder below the temporary folder, named after a digest of the profile's path.
#[must_use]
pub fn path(dir: &Path) -> PathBuf {
    #[cfg(windows)]
    {
        let digest = adjutant_domain::canonical::sha256(dir.to_string_lossy().as_bytes()).0;
        return PathBuf::from(format!(r"\\.\pipe\adjutant-{}", &digest[..32]));
    }
    #[cfg(not(windows))]
    {
        let own = dir.join("socket");
        if own.as_os_str().len() <= PATH_BYTES_MAX {
            return own;
        }
        let digest = adjutant_domain::canonical::sha256(dir.to_string_lossy().as_bytes()).0;
        let short: String = digest.chars().take(24).collect();
        std::env::temp_dir()
            .join(format!("adjutant-{short}"))
            .join("socket")
    }
}

fn name(path: &Path) -> std::io::Result<Name<'_>> {
    path.to_fs_name::<GenericFilePath>()
}

/// Listens on a profile's socket. Only the holder may call this: it removes an existing socket file as stale.
///
/// # Errors
/// Returns an error if the socket cannot be created.
pub fn listen(dir: &Path) -> std::io::Result<Listener> {
    let path = path(dir);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
        if let Some(parent) = path.parent().filter(|parent| *parent != dir) {
            let made = std::fs::DirBuilder::new().mode(0o700).create(parent);
            let own = std::fs::symlink_metadata(parent)?;
            let mine = std::fs::metadata(dir)?.uid();
            if made.is_err() && (!own.is_dir() || own.uid() != mine || own.mode() & 0o077 != 0) {
                return Err(std::io::Error::other(
                    "the folder of the socket belongs to somebody else",
                ));
            }
        }
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let options = ListenerOptions::new().name(name(&path)?);
    // On other systems the folder protects the socket: only the user can enter it.
    #[cfg(target_os = "linux")]
    let options = interprocess::os::unix::local_socket::ListenerOptionsExt::mode(options, 0o600);
    options.create_tokio()
}

/// Connects to a profile's holder.
///
/// # Errors
/// Returns an error if no process listens (yet).
pub async fn connect(dir: &Path) -> std::io::Result<Stream> {
    let path = path(dir);
    Stream::connect(name(&path)?).await
}

/// Writes one message as a line.
///
/// # Errors
/// Returns an error if the message cannot be serialised or the other side is gone.
pub async fn send<T: Serialize>(
    out: &mut (impl AsyncWrite + Unpin),
    message: &T,
) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(std::io::Error::other)?;
    line.push(b'\n');
    out.write_all(&line).await?;
    out.flush().await
}

/// Reads one message; `None` at the end of the stream. Cancelling it in the middle of a line loses data, so run it in
/// its own task.
///
/// # Errors
/// Returns an error if the line is too long, does not have the expected form, or the connection breaks.
pub async fn receive<T: for<'de> Deserialize<'de>>(
    reader: &mut (impl AsyncBufRead + Unpin),
) -> std::io::Result<Option<T>> {
    let mut line = Vec::new();
    loop {
        let piece = reader.fill_buf().await?;
        if piece.is_empty() {
            return Ok(None);
        }
        let end = piece.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(piece.len(), |end| end + 1);
        line.extend_from_slice(&piece[..taken]);
        reader.consume(taken);
        if line.len() > LINE_BYTES_MAX {
            return Err(std::io::Error::other("a line on the socket is too long"));
        }
        if end.is_some() {
            return serde_json::from_slice(&line)
                .map(Some)
                .map_err(std::io::Error::other);
        }
    }
}
