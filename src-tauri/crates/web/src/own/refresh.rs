//! Keeps the document index in step with the folders. Unchanged files are not read again, and an unreadable file does
//! not hold up others.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{Document, FileState};

use jiff::{SignedDuration, Timestamp};

use super::folders::{self, FileStamp, FolderListing, NotLoaded};
use super::{OwnPages, passages};
use crate::reading::NotRead;
use crate::text::{Media, NoText};

/// Maximum size in bytes of the text that one scan adds to the index.
const TEXT_BYTES_MAX: usize = 512 * 1024 * 1024;
/// How long a scan counts as fresh for searches.
const FRESH_FOR: SignedDuration = SignedDuration::from_secs(60);

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Number of documents read.
    pub read: usize,
    /// Number of new or changed documents that could not be read.
    pub unread: usize,
    /// Number of documents removed from the index.
    pub removed: usize,
    /// Opened folders that do not exist at the moment.
    pub absent: Vec<String>,
    /// Whether a limit left some documents out.
    pub cut: bool,
}

impl OwnPages {
    /// Reads new and changed files in the opened folders and removes from the index what is gone or no longer in an
    /// open folder. Reports progress as files done and files in total. Dropping the future stops the scan and keeps
    /// what was read.
    ///
    /// # Errors
    /// Returns a fault if the index cannot be written; what was read until then stays.
    pub async fn refresh(
        &self,
        tell: impl Fn(usize, usize) + Send,
    ) -> Result<Refreshed, StoreFault> {
        let mut looked = self.looked.lock().await;
        let done = self.look(tell).await?;
        *looked = Some(self.clock.now().timestamp());
        Ok(done)
    }

    /// Scans the folders if the last scan is not fresh, for at most `within`, so that a short-lived process also finds
    /// current documents. The next scan finds what this one did not reach.
    pub(super) async fn catch_up(&self, within: Duration) {
        let caught_up = async {
            let mut looked = self.looked.lock().await;
            let now = self.clock.now().timestamp();
            let is_fresh = |at: Timestamp| now.duration_since(at).abs() < FRESH_FOR;
            if looked.is_some_and(is_fresh) {
                return;
            }
            // Set even if the scan fails or is cut off, so that the next search does not wait again.
            *looked = Some(now);
            if let Err(fault) = self.look(|_, _| ()).await {
                tracing::warn!(%fault, "the documents could not be read");
            }
        };
        // If the time runs out, the search uses what has been read until then.
        let _ = tokio::time::timeout(within, caught_up).await;
    }

    async fn look(&self, tell: impl Fn(usize, usize) + Send) -> Result<Refreshed, StoreFault> {
        let open = self.folders();
        let known = self.documents.known().await?;
        if open.is_empty() && known.is_empty() {
            return Ok(Refreshed::default());
        }
        let broke_off = |_| StoreFault::Other("the folders could not be looked through".into());
        let listed = tokio::task::spawn_blocking(move || folders::list(&open));
        let listed = listed.await.map_err(broke_off)?;
        let gone = gone(&known, &listed);
        let mut done = Refreshed {
            removed: gone.len(),
            absent: listed.absent.clone(),
            cut: listed.cut,
            ..Refreshed::default()
        };
        self.documents.remove(gone).await?;
        let (total, mut bytes) = (listed.documents.len(), 0);
        for (at, (path, seen)) in listed.documents.iter().enumerate() {
            tell(at, total);
            let before = known.get(path);
            if before.is_some_and(|before| same(before, *seen)) {
                continue;
            }
            if bytes > TEXT_BYTES_MAX {
                done.cut = true;
                return Ok(done);
            }
            match self.read_one(path, *seen, before).await? {
                Some(size) => {
                    done.read += 1;
                    bytes += size;
                }
                None => done.unread += 1,
            }
        }
        tell(total, total);
        Ok(done)
    }

    /// Reads one file into the index and returns the size of its text; `None` if it could not be read.
    async fn read_one(
        &self,
        path: &str,
        seen: FileStamp,
        before: Option<&FileState>,
    ) -> Result<Option<usize>, StoreFault> {
        let name = Path::new(path).file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let Some(media) = Media::of_name(&name) else {
            return Ok(None);
        };
        let file = path.to_owned();
        let loaded = tokio::task::spawn_blocking(move || {
            let bytes = folders::bytes(Path::new(&file), media)?;
            let hash = sha256(&bytes).to_string();
            Ok::<_, NotLoaded>((bytes, hash))
        });
        let loaded = loaded.await.unwrap_or_else(|_| {
            let why = "reading it broke off".to_owned();
            Err(NotLoaded::Failed(why))
        });
        let mut state = FileState {
            size: seen.size,
            modified: seen.modified,
            sha256: String::new(),
        };
        let unread = |state: FileState, why: String| Document {
            path: path.to_owned(),
            state,
            title: name.clone(),
            passages: Vec::new(),
            unread: Some(why),
        };
        let bytes = match loaded {
            Ok((bytes, hash)) => {
                state.sha256 = hash;
                bytes
            }
            Err(fault) => {
                let why = match fault {
                    NotLoaded::TooLarge => "it is too large".to_owned(),
                    NotLoaded::Failed(why) => why,
                };
                self.documents.put(unread(state, why)).await?;
                return Ok(None);
            }
        };
        if before.is_some_and(|before| before.sha256 == state.sha256) {
            self.documents.touch(path, state).await?;
            return Ok(Some(0));
        }
        let read = match self.readers.read(bytes, media, None).await {
            Ok(read) => read,
            Err(fault) => {
                self.documents
                    .put(unread(state, reason(&fault).into()))
                    .await?;
                return Ok(None);
            }
        };
        let size = read.text.len();
        let document = Document {
            path: path.to_owned(),
            state,
            title: match read.title.is_empty() {
                true => name.clone(),
                false => read.title,
            },
            passages: passages::passages(&read.text)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            unread: None,
        };
        self.documents.put(document).await?;
        Ok(Some(size))
    }
}

fn same(before: &FileState, seen: FileStamp) -> bool {
    before.size == seen.size && before.modified == seen.modified
}

fn reason(fault: &NotRead) -> &'static str {
    match fault {
        NotRead::NoText(NoText::Unreadable(why)) => why,
        NotRead::NoText(NoText::Bomb) => "it is too large when it is unpacked",
        NotRead::TooLong => "it takes too long to read",
    }
}

/// Returns the documents to remove from the index: all that no longer exist. Keeps those in an opened folder that is
/// currently absent, and removes nothing if the listing was cut short.
fn gone(known: &BTreeMap<String, FileState>, listed: &FolderListing) -> Vec<String> {
    let away = |path: &str| {
        listed
            .absent
            .iter()
            .any(|folder| Path::new(path).starts_with(folder))
    };
    let is_gone =
        |path: &&String| !listed.cut && !listed.documents.contains_key(*path) && !away(path);
    known.keys().filter(is_gone).cloned().collect()
}
