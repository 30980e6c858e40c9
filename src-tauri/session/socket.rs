//! The private socket of a profile: a file only its user can open, or a named pipe. One JSON object a line.

use std::path::{Path, PathBuf};

use adjutant_api::{Fault, Request};
use interprocess::local_socket::tokio::{Listener, Stream};
use interprocess::local_socket::traits::tokio::Stream as _;
use interprocess::local_socket::{GenericFilePath, ListenerOptions, Name, ToFsName as _};
use serde::{Deserialize, Serialize};

use crate::service::Frame;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Version of what is spoken on the socket.
pub const PROTOCOL: u32 = 4;
/// Longest line in bytes; a longer one ends the connection.
pub const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Longest path of a socket that every system takes (Linux allows 107 bytes, macOS 103).
const PATH_BYTES_MAX: usize = 100;

/// The first line of a client: what it counts on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The fixed time, if one was asked for.
    pub now: Option<String>,
    /// The zone, if one was asked for.
    pub tz: Option<String>,
    /// Whether nothing but loopback may be reached.
    pub offline: bool,
}

/// A request with its number, or the wish to drop one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Number, chosen by the client.
    pub id: u64,
    /// The request; nothing drops the one with this number.
    pub request: Option<Request>,
}

/// The holder's answer to a [`Hello`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Welcome {
    /// Calls are taken.
    Ready,
    /// The client counts on something the holder does not have.
    Refused(Fault),
    /// The holder ends and takes no calls. The profile is free soon after it has closed the connection.
    Ending,
}

/// One answer of the holder to a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Number of the call; 0 concerns all calls without an end.
    pub id: u64,
    /// What it says.
    pub body: Body,
}

/// What an [`Answer`] says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A piece of the answer.
    Frame(Frame),
    /// The holder ends. It did not take the call, or no longer serves one that lasts (a subscription): the next holder may.
    HandedBack,
}

/// The path of a profile's socket. Where the profile's own path is too long, it lies in the folder for temporary
/// files, in a folder only this user can open, under a name made from the profile's path.
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

/// Listens on the socket of a profile. Only the holder calls this: a socket file that is there is a dead one.
///
/// # Errors
/// When the socket cannot be made.
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
    // Elsewhere the folder, which only the user can enter, is what protects the socket.
    #[cfg(target_os = "linux")]
    let options = interprocess::os::unix::local_socket::ListenerOptionsExt::mode(options, 0o600);
    options.create_tokio()
}

/// Connects to the holder of a profile.
///
/// # Errors
/// When nobody listens (yet).
pub async fn connect(dir: &Path) -> std::io::Result<Stream> {
    let path = path(dir);
    Stream::connect(name(&path)?).await
}

/// Writes one line.
///
/// # Errors
/// When the other side is gone.
pub async fn send<T: Serialize>(
    out: &mut (impl AsyncWrite + Unpin),
    message: &T,
) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(std::io::Error::other)?;
    line.push(b'\n');
    out.write_all(&line).await?;
    out.flush().await
}

/// Reads one line; `None` at the end. Not safe to cancel in the middle of a line: give it a task of its own.
///
/// # Errors
/// When the line is too long, is not of the expected form, or the connection breaks.
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
