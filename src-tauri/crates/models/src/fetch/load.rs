//! Fetches a file that was offered and agreed to.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant_net::{
    Follow, HeaderMap, HeaderName, HeaderValue, Incoming, Method, NetClient, NetFault, Outgoing,
    StatusCode,
};
use tokio::io::{AsyncSeekExt as _, AsyncWriteExt as _};

use super::fault::FetchFault;
use super::offer::{Offer, check_status, number, text};
use super::sum::Sha256Sum;
use crate::gguf::MAGIC;

/// Largest file that is fetched, in bytes. To run here, a model must fit into memory anyway.
pub(super) const FILE_BYTES_MAX: u64 = 64_000_000_000;
/// Time without a byte after which a server counts as stopped.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// Number of bytes written at a time, after each of which progress is reported.
const WRITTEN_AT_ONCE: usize = 256 * 1024;
/// Number of bytes left free on the disk for everything else.
const LEFT_FREE: u64 = 64_000_000;
/// Highest number of connections for one file. A server may close one after a part, but each must deliver something.
const CONNECTIONS_MAX: usize = 200;

/// A fetched file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether it was compared with a checksum.
    pub checked: bool,
}

/// Fetches a file, continuing where an earlier attempt stopped, and reports after every piece how many bytes are
/// here. If this is dropped midway, the partial file stays for the next time. The file gets its final name once it is
/// complete and checked.
///
/// # Errors
/// When the file cannot be fetched or written, or is not the expected one. Data that can never become the file is
/// deleted.
pub async fn load(
    offer: &Offer,
    net: &NetClient,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Loaded, FetchFault> {
    load_with(offer, net, |folder| fs4::available_space(folder), progress).await
}

/// Like [`load`], with another function to measure the free space.
pub(super) async fn load_with(
    offer: &Offer,
    net: &NetClient,
    room: fn(&Path) -> io::Result<u64>,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Loaded, FetchFault> {
    let folder = offer.path.parent().unwrap_or(Path::new("")).to_path_buf();
    if offer.path.exists() {
        return here(offer, folder).await;
    }
    let mut part = PartialFile::open(offer, folder.clone()).await?;
    let missing = offer.bytes - part.have;
    let free = room(&folder).unwrap_or(u64::MAX);
    if free < missing.saturating_add(LEFT_FREE) {
        let missing = missing.saturating_add(LEFT_FREE) - free;
        return Err(FetchFault::Full { folder, missing });
    }
    progress(part.have);
    for _ in 0..CONNECTIONS_MAX {
        if part.have == offer.bytes {
            break;
        }
        let before = part.have;
        if let Err(fault) = part.fetch(offer, net, progress).await {
            let stopped = matches!(fault, FetchFault::Cut { .. });
            if !stopped || part.have == before {
                return Err(fault);
            }
        }
    }
    if part.have < offer.bytes {
        return Err(part.cut(offer));
    }
    part.finish(offer).await
}

/// Handles an existing file of that name: it is either the requested one or another.
async fn here(offer: &Offer, folder: PathBuf) -> Result<Loaded, FetchFault> {
    let path = offer.path.clone();
    let wanted = offer.sum;
    let bytes = offer.bytes;
    let same = blocking(folder, move || {
        let mut file = File::open(&path)?;
        if file.metadata()?.len() != bytes {
            return Ok(false);
        }
        match wanted {
            Some((sum, _)) => Ok(Sha256Sum::of(&mut file)? == sum),
            None => Ok(true),
        }
    })
    .await?;
    if !same {
        return Err(FetchFault::NameTaken(offer.path.clone()));
    }
    Ok(Loaded {
        path: offer.path.clone(),
        checked: offer.sum.is_some(),
    })
}

/// An incomplete file. Nobody else writes to it while this exists.
struct PartialFile {
    path: PathBuf,
    folder: PathBuf,
    file: tokio::fs::File,
    have: u64,
}

impl PartialFile {
    async fn open(offer: &Offer, folder: PathBuf) -> Result<Self, FetchFault> {
        let path = offer.part();
        let (name, at, whole) = (offer.wanted.file.clone(), path.clone(), offer.bytes);
        let goes_on = offer.can_go_on();
        let inside = folder.clone();
        let opened = blocking(folder.clone(), move || {
            fs::create_dir_all(&inside)?;
            let mut options = fs::OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let file = options.open(&at)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(why)) => return Err(why),
            }
            forget_others(&inside, &name, &at);
            let mut have = file.metadata()?.len();
            if have > 0 && (!goes_on || have > whole) {
                file.set_len(0)?;
                have = 0;
            }
            Ok(Some((file, have)))
        })
        .await?;
        let (file, have) = opened.ok_or(FetchFault::Busy)?;
        Ok(Self {
            path,
            folder,
            file: tokio::fs::File::from_std(file),
            have,
        })
    }

    /// Fetches the missing part over one connection, as far as it goes.
    async fn fetch(
        &mut self,
        offer: &Offer,
        net: &NetClient,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<(), FetchFault> {
        let mut reply = self.ask(offer, net).await?;
        if reply.status() == StatusCode::RANGE_NOT_SATISFIABLE && self.have > 0 {
            // The server's file does not extend to what is stored here, so that is not part of it any more.
            self.begin_at(0).await?;
            reply = self.ask(offer, net).await?;
        }
        check_status(&offer.wanted.url, reply.status())?;
        let from = match reply.status() {
            StatusCode::PARTIAL_CONTENT => range(reply.headers()),
            // A server that does not state the length of this reply has stated the size of the file before.
            _ => {
                let bytes = number(reply.headers(), "content-length");
                Some((0, bytes.unwrap_or(offer.bytes)))
            }
        };
        let Some((from, _)) = from
            .filter(|(from, bytes)| *bytes == offer.bytes && (*from == 0 || *from == self.have))
        else {
            self.delete().await;
            return Err(FetchFault::OtherSize {
                host: offer.host.clone(),
            });
        };
        self.begin_at(from).await?;
        self.take(offer, &mut reply, progress).await
    }

    async fn ask(&self, offer: &Offer, net: &NetClient) -> Result<Incoming, FetchFault> {
        let url = offer.wanted.url.clone();
        let why = format!("fetching the model file {}", offer.wanted.file);
        let mut request = Outgoing::new(Method::GET, url, why);
        request.follow = Follow::Anywhere;
        request.reply_bytes_max = offer.bytes;
        let mut set = |name: &'static str, value: String| {
            if let Ok(value) = HeaderValue::from_str(&value) {
                let name = HeaderName::from_static(name);
                request.headers.insert(name, value);
            }
        };
        set("accept-encoding", "identity".into());
        if self.have > 0 {
            set("range", format!("bytes={}-", self.have));
            // Without a checksum, the server must confirm that it is still the same file.
            if let (None, Some(version)) = (&offer.sum, &offer.version) {
                set("if-range", format!("\"{version}\""));
            }
        }
        net.send(request).await.map_err(|fault| match fault {
            NetFault::Cut { .. } | NetFault::TimedOut { .. } => self.cut(offer),
            fault => fault.into(),
        })
    }

    async fn take(
        &mut self,
        offer: &Offer,
        reply: &mut Incoming,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<(), FetchFault> {
        let mut waiting = Vec::with_capacity(WRITTEN_AT_ONCE);
        let ended = loop {
            let piece = match tokio::time::timeout(SILENCE_MAX, reply.chunk()).await {
                Ok(Ok(Some(piece))) => piece,
                Ok(Ok(None)) => break Ok(()),
                Ok(Err(fault)) => break Err(fault),
                Err(_) => {
                    break Err(NetFault::Cut {
                        host: offer.host.clone(),
                    });
                }
            };
            if self.have + (waiting.len() + piece.len()) as u64 > offer.bytes {
                self.delete().await;
                return Err(FetchFault::OtherSize {
                    host: offer.host.clone(),
                });
            }
            waiting.extend_from_slice(&piece);
            if waiting.len() >= WRITTEN_AT_ONCE {
                self.write(&mut waiting, offer).await?;
                progress(self.have);
            }
        };
        // Whatever the outcome, the bytes received are kept.
        self.write(&mut waiting, offer).await?;
        progress(self.have);
        match ended {
            Ok(()) if self.have == offer.bytes => Ok(()),
            Ok(()) | Err(NetFault::Cut { .. } | NetFault::TimedOut { .. }) => Err(self.cut(offer)),
            Err(fault) => Err(fault.into()),
        }
    }

    async fn write(&mut self, waiting: &mut Vec<u8>, offer: &Offer) -> Result<(), FetchFault> {
        let written = async {
            self.file.write_all(waiting).await?;
            self.file.flush().await
        };
        match written.await {
            Ok(()) => {
                self.have += waiting.len() as u64;
                waiting.clear();
                Ok(())
            }
            Err(why) if is_full(&why) => Err(FetchFault::Full {
                folder: self.folder.clone(),
                missing: offer.bytes - self.have,
            }),
            Err(why) => Err(self.unwritable(why)),
        }
    }

    /// Continues at this position, discarding everything after it.
    async fn begin_at(&mut self, at: u64) -> Result<(), FetchFault> {
        let placed = async {
            if self.have != at {
                self.file.set_len(at).await?;
            }
            self.file.seek(io::SeekFrom::Start(at)).await
        };
        placed.await.map_err(|why| self.unwritable(why))?;
        self.have = at;
        Ok(())
    }

    /// Checks the whole file and gives it its final name.
    async fn finish(self, offer: &Offer) -> Result<Loaded, FetchFault> {
        let (part, path, sum) = (self.path.clone(), offer.path.clone(), offer.sum);
        let file = self.file.into_std().await;
        blocking(self.folder, move || {
            let mut file = file;
            file.sync_all()?;
            file.rewind()?;
            let mut magic = [0; MAGIC.len()];
            let begins = file.read_exact(&mut magic).is_ok() && magic == MAGIC;
            file.rewind()?;
            let fault = match sum {
                Some((sum, _)) if Sha256Sum::of(&mut file)? != sum => Some(FetchFault::WrongSum),
                _ if !begins => Some(FetchFault::NoGguf),
                _ => None,
            };
            if let Some(fault) = fault {
                fs::remove_file(&part)?;
                return Ok(Err(fault));
            }
            drop(file);
            fs::rename(&part, &path)?;
            Ok(Ok(Loaded {
                path,
                checked: sum.is_some(),
            }))
        })
        .await?
    }

    /// Deletes data that can never become the file. If that fails, the next attempt starts over in any case.
    async fn delete(&mut self) {
        if let Err(why) = tokio::fs::remove_file(&self.path).await {
            tracing::debug!(%why, "an unfinished model file was not deleted");
        }
        self.have = 0;
    }

    fn cut(&self, offer: &Offer) -> FetchFault {
        FetchFault::Cut {
            host: offer.host.clone(),
            have: self.have,
            bytes: offer.bytes,
        }
    }

    fn unwritable(&self, why: io::Error) -> FetchFault {
        FetchFault::Write {
            folder: self.folder.clone(),
            why,
        }
    }
}

/// Parses `bytes 5-9/10` into the first position and the total size.
fn range(headers: &HeaderMap) -> Option<(u64, u64)> {
    let (bytes, all) = text(headers, "content-range")?
        .strip_prefix("bytes ")?
        .split_once('/')?;
    let (from, _) = bytes.split_once('-')?;
    Some((from.trim().parse().ok()?, all.trim().parse().ok()?))
}

/// Deletes incomplete files of other versions, which nobody would continue.
fn forget_others(folder: &Path, name: &str, keep: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let begins = format!("{name}.");
    for path in entries.flatten().map(|entry| entry.path()) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if path == keep || !file.starts_with(&begins) || !file.ends_with(".part") {
            continue;
        }
        let free = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if free && let Err(why) = fs::remove_file(&path) {
            tracing::debug!(%why, "an old unfinished model file was not deleted");
        }
    }
}

fn is_full(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// Runs file operations on a thread that may block.
async fn blocking<T: Send + 'static>(
    folder: PathBuf,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, FetchFault> {
    let done = tokio::task::spawn_blocking(work).await;
    match done.unwrap_or_else(|why| Err(io::Error::other(why))) {
        Ok(value) => Ok(value),
        Err(why) if is_full(&why) => Err(FetchFault::Full { folder, missing: 0 }),
        Err(why) => Err(FetchFault::Write { folder, why }),
    }
}
