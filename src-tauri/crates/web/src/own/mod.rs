//! Searches this computer: documents in opened folders, notes, mail and memory. Nothing leaves the computer.

mod folders;
mod passages;
mod records;
mod refresh;
mod search;

pub use refresh::Refreshed;
pub use search::OwnSearch;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{Clock, Documents, Records, Snapshot, SourceAddress, SourceFault};
use adjutant_domain::source::Taint;

use crate::reading::{NotRead, Readers};
use crate::text::{Extracted, NoText};

/// Finds and opens local sources. Cheap to clone; clones share their state.
#[derive(Clone)]
pub struct OwnPages {
    documents: Arc<dyn Documents>,
    records: Arc<dyn Records>,
    clock: Arc<dyn Clock>,
    folders: Arc<RwLock<Vec<String>>>,
    readers: Readers,
    /// When the folders were last scanned. The lock allows only one scan at a time.
    looked: Arc<tokio::sync::Mutex<Option<jiff::Timestamp>>>,
}

impl OwnPages {
    /// Creates the sources without any open folder.
    #[must_use]
    pub fn new(
        documents: Arc<dyn Documents>,
        records: Arc<dyn Records>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            documents,
            records,
            clock,
            folders: Arc::default(),
            readers: Readers::default(),
            looked: Arc::default(),
        }
    }

    /// Replaces the set of open folders.
    pub fn open_folders(&self, folders: Vec<String>) {
        *self.folders.write().unwrap_or_else(PoisonError::into_inner) = folders;
    }

    fn folders(&self) -> Vec<String> {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        folders.clone()
    }

    pub(crate) fn readers(&self) -> Readers {
        self.readers.clone()
    }

    /// Opens a file or a record.
    ///
    /// # Errors
    /// Returns the same faults as [`adjutant_domain::ports::Pages::open`].
    pub async fn open(
        &self,
        place: &SourceAddress,
        within: Duration,
    ) -> Result<Snapshot, SourceFault> {
        let opened = async {
            match place {
                SourceAddress::File { path } => self.open_file(place, path).await,
                SourceAddress::Record { kind, id } => self.open_record(place, *kind, id).await,
                SourceAddress::Page { url } => Err(SourceFault::BadAddress {
                    address: url.clone(),
                }),
            }
        };
        match tokio::time::timeout(within, opened).await {
            Ok(opened) => opened,
            Err(_) => Err(SourceFault::TimedOut {
                host: "This computer".into(),
            }),
        }
    }

    async fn open_file(&self, place: &SourceAddress, path: &str) -> Result<Snapshot, SourceFault> {
        let (asked, folders) = (path.to_owned(), self.folders());
        let loaded = tokio::task::spawn_blocking(move || folders::load(&asked, &folders)).await;
        let loaded = loaded.map_err(|_| failed("A file could not be read."))??;
        let name = loaded.name.clone();
        let read = self.readers.read(loaded.bytes, loaded.media, None).await;
        let read = read.map_err(|fault| not_read(&name, &fault))?;
        Ok(self.snapshot(place, &name, read, loaded.media.name(), Taint::Tainted))
    }

    async fn open_record(
        &self,
        place: &SourceAddress,
        kind: adjutant_domain::record::Kind,
        id: &adjutant_domain::ids::RecordId,
    ) -> Result<Snapshot, SourceFault> {
        let found = self.records.get(kind, id).await.map_err(of_store)?;
        let text = found.as_ref().and_then(records::text_of);
        let text = text.ok_or_else(|| SourceFault::Gone {
            what: format!("The {}", kind.word()),
        })?;
        let ids = [id.clone()];
        let foreign = self.records.foreign(kind, &ids).await.map_err(of_store)?;
        let taint = match foreign.is_empty() {
            true => Taint::Clean,
            false => Taint::Tainted,
        };
        Ok(self.snapshot(place, "", text, "text/plain", taint))
    }

    fn snapshot(
        &self,
        place: &SourceAddress,
        name: &str,
        read: Extracted,
        media: &str,
        taint: Taint,
    ) -> Snapshot {
        Snapshot {
            address: place.clone(),
            final_address: place.clone(),
            title: match read.title.is_empty() {
                true => name.to_owned(),
                false => read.title,
            },
            fetched_at: self.clock.now().timestamp(),
            sha256: sha256(read.text.as_bytes()).to_string(),
            text: read.text,
            media: media.to_owned(),
            cut: read.cut,
            taint,
        }
    }
}

fn failed(what: &str) -> SourceFault {
    SourceFault::Failed { what: what.into() }
}

fn of_store(fault: StoreFault) -> SourceFault {
    failed(&format!("What is stored could not be read: {fault}."))
}

fn not_read(name: &str, fault: &NotRead) -> SourceFault {
    let what = format!("“{name}”");
    match fault {
        NotRead::NoText(NoText::Unreadable(why)) => SourceFault::NotText {
            what,
            media: (*why).to_owned(),
        },
        NotRead::NoText(NoText::Bomb) => SourceFault::NotText {
            what,
            media: "it is too large when it is unpacked".into(),
        },
        NotRead::TooLong => SourceFault::NotText {
            what,
            media: "it takes too long to read".into(),
        },
    }
}
