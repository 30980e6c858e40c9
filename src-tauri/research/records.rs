//! Notes, mails and memories of this computer as sources, found by the search index.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{
    Clock, Found, Lookup, Pages, Place, Reach, Records as _, SearchEngine, Snapshot, SourceFault,
};
use adjutant_domain::provenance::is_others;
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::Taint;
use adjutant_store::Store;
use async_trait::async_trait;

/// Kinds that hold text worth quoting.
const KINDS: &[Kind] = &[Kind::Note, Kind::Mail, Kind::Memory];

/// What is on this computer.
#[derive(Clone)]
pub(crate) struct OwnRecords {
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
}

fn taint(kind: Kind) -> Taint {
    match is_others(kind) {
        true => Taint::Tainted,
        false => Taint::Clean,
    }
}

fn failed(fault: &StoreFault) -> SourceFault {
    SourceFault::Failed {
        what: adjutant_domain::faults::UserFault::from(fault).what,
    }
}

/// Title and text of a record that can be quoted.
fn text_of(record: Record) -> Option<(String, String)> {
    match record {
        Record::Note(note) => Some((note.title, note.body)),
        Record::Mail(mail) => Some((mail.subject, mail.text)),
        Record::Memory(memory) => Some((memory.key.clone(), memory.statement())),
        _ => None,
    }
}

#[async_trait]
impl SearchEngine for OwnRecords {
    fn name(&self) -> &str {
        "Your notes, mail and memory"
    }

    fn reach(&self) -> Reach {
        Reach::Here
    }

    async fn search(
        &self,
        query: &str,
        limit: usize,
        _: Duration,
    ) -> Result<Vec<Found>, SourceFault> {
        let hits = self.store.search(query, KINDS, limit).await;
        let found = hits.map_err(|fault| failed(&fault))?.into_iter();
        Ok(found
            .map(|hit| Found {
                title: hit.title,
                taint: taint(hit.kind),
                at: Place::Record {
                    kind: hit.kind,
                    id: hit.id,
                },
                snippet: hit.snippet,
            })
            .collect())
    }
}

#[async_trait]
impl Pages for OwnRecords {
    async fn open(&self, address: &Place, _: Duration) -> Result<Snapshot, SourceFault> {
        let Place::Record { kind, id } = address else {
            let what = "No search engine is chosen, so pages of the web are not read.".to_owned();
            return Err(SourceFault::NotConfigured { what });
        };
        let record = self.store.get(*kind, id).await;
        let record = record.map_err(|fault| failed(&fault))?;
        let (title, text) = record.and_then(text_of).ok_or_else(|| SourceFault::Gone {
            what: "What was found".to_owned(),
        })?;
        Ok(Snapshot {
            address: address.clone(),
            final_address: address.clone(),
            title,
            sha256: sha256(text.as_bytes()).0,
            text,
            fetched_at: self.clock.now().timestamp(),
            media: "text/plain".to_owned(),
            cut: false,
            taint: taint(*kind),
        })
    }
}

impl Lookup for OwnRecords {
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault> {
        Err(SourceFault::NotConfigured {
            what: "No search engine is chosen.".to_owned(),
        })
    }

    fn own(&self) -> Arc<dyn SearchEngine> {
        Arc::new(self.clone())
    }

    fn pages(&self) -> Arc<dyn Pages> {
        Arc::new(self.clone())
    }
}
