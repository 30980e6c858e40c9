//! Imports files and folders in batches, and records each import for Activity.

use std::collections::BTreeMap;
use std::path::Path;

use adjutant_api::convert::records;
use adjutant_api::reply::{ImportReport, Rejected};
use adjutant_api::rows::{ImportCount, ImportRow};
use adjutant_api::{EventBody, Fault, Reply};
use adjutant_domain::ports::{ImportCounts, Incoming};
use adjutant_domain::record::{Kind, Record};
use adjutant_interchange::{Items, Refused, Seed, Unreadable, open};
use adjutant_store::{Imported, Topic};
use jiff::tz::TimeZone;

use super::{Service, Sink, store_fault, topic_word};

/// Maximum number of records written in one transaction.
const BATCH: usize = 500;
/// Total size in bytes (16 MiB) of sources and texts at which a batch is full; five hundred large mails at once would
/// exhaust the memory.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Maximum number of rejected items listed; further ones are only counted.
const REJECTED_MAX: usize = 1000;

type Counts = BTreeMap<Kind, ImportCounts>;

/// Imports paths one after another. What was stored before a failure stays, and importing again continues from there.
/// If the profile is erased meanwhile, stops and reports that nothing remains.
pub(super) async fn import(
    service: &Service,
    paths: &[String],
    out: &Sink,
) -> Result<Reply, Fault> {
    let mut reading = RunningImport {
        service,
        out,
        total: Counts::new(),
        rejected: Vec::new(),
        unnamed: 0,
        done: 0,
        erased_before: *service.whole.read().await,
    };
    for path in paths {
        let mut counts = Counts::new();
        let refused_before = reading.refused();
        let read = reading.path(path, &mut counts).await;
        // What was stored before a failure exists, so record it.
        reading.keep(path, counts, refused_before).await?;
        if !read? {
            break;
        }
    }
    Ok(Reply::Imported {
        report: reading.report(),
    })
}

/// Returns the recorded imports, latest first.
pub(super) async fn rows(
    service: &Service,
    limit: Option<usize>,
    zone: &TimeZone,
) -> Result<Vec<ImportRow>, Fault> {
    let all = service.store.imports(limit).await.map_err(store_fault)?;
    Ok(all
        .into_iter()
        .map(|one| ImportRow {
            id: one.id.to_string(),
            at: records::at(one.at, zone),
            file: one.file,
            counts: counted(one.counts),
            refused: one.refused,
        })
        .collect())
}

/// The state of a running import.
struct RunningImport<'a> {
    service: &'a Service,
    out: &'a Sink,
    total: Counts,
    rejected: Vec<Rejected>,
    unnamed: usize,
    done: u64,
    erased_before: u64,
}

impl RunningImport<'_> {
    /// Imports one path and counts the outcomes. Returns `false` if the profile was erased meanwhile, which ends the
    /// import.
    async fn path(&mut self, path: &str, counts: &mut Counts) -> Result<bool, Fault> {
        let seed = seed(self.service);
        let file = path.to_owned();
        let opened = tokio::task::spawn_blocking(move || open(Path::new(&file), &seed))
            .await
            .map_err(|_| crashed(path))?;
        let mut items = match opened {
            Ok(items) => items,
            Err(Unreadable { path, why }) => {
                self.reject(path, "file", why.to_string());
                return Ok(true);
            }
        };
        loop {
            let (batch, refused, rest) = tokio::task::spawn_blocking(move || next_batch(items))
                .await
                .map_err(|_| crashed(path))?;
            items = rest;
            let over = batch.is_empty() && refused.is_empty();
            for one in refused {
                self.reject(one.file, &one.item, one.reason);
            }
            self.done += batch.len() as u64;
            if !self.store(path, batch, counts).await? {
                return Ok(false);
            }
            if over {
                return Ok(true);
            }
            self.tell(path);
        }
    }

    /// Stores a batch. Returns `false` if the profile was erased meanwhile.
    async fn store(
        &mut self,
        path: &str,
        batch: Vec<Incoming>,
        counts: &mut Counts,
    ) -> Result<bool, Fault> {
        let whole = self.service.whole.read().await;
        if *whole != self.erased_before {
            drop(whole);
            self.total.clear();
            let why = "the profile was erased while this was imported";
            self.reject(path.to_owned(), "everything", why.into());
            return Ok(false);
        }
        for (kind, batch) in by_kind(batch) {
            let stored = self.service.store.import(&file_name(path), batch).await;
            let stored = stored.map_err(store_fault)?;
            for sum in [&mut *counts, &mut self.total] {
                let sum = sum.entry(kind).or_default();
                sum.added += stored.added;
                sum.changed += stored.changed;
                sum.same += stored.same;
            }
        }
        Ok(true)
    }

    /// Records the result of one path unless the profile was erased meanwhile.
    async fn keep(&self, path: &str, counts: Counts, refused_before: usize) -> Result<(), Fault> {
        let whole = self.service.whole.read().await;
        if *whole != self.erased_before {
            return Ok(());
        }
        let entry = Imported {
            id: 0,
            at: self.service.now().timestamp(),
            file: file_name(path),
            counts,
            refused: (self.refused() - refused_before) as u64,
        };
        let kept = self.service.store.note_import(entry).await;
        kept.map_err(store_fault)
    }

    fn refused(&self) -> usize {
        self.rejected.len() + self.unnamed
    }

    fn reject(&mut self, file: String, item: &str, reason: String) {
        if self.rejected.len() < REJECTED_MAX {
            let item = item.to_owned();
            self.rejected.push(Rejected { file, item, reason });
        } else {
            self.unnamed += 1;
        }
    }

    fn tell(&self, path: &str) {
        let progress = EventBody::Progress {
            what: file_name(path),
            done: self.done,
            total: None,
            ended: None,
        };
        self.out.note(progress.clone());
        self.service.broadcast.tell(progress);
    }

    fn report(mut self) -> ImportReport {
        if self.unnamed > 0 {
            self.rejected.push(Rejected {
                file: String::new(),
                item: format!("{} more", self.unnamed),
                reason: "were not imported for similar reasons".into(),
            });
        }
        ImportReport {
            counts: counted(self.total),
            rejected: self.rejected,
        }
    }
}

fn counted(counts: Counts) -> Vec<ImportCount> {
    counts
        .into_iter()
        .map(|(kind, counts)| ImportCount {
            topic: topic_word(Topic::Records(kind)).into(),
            added: counts.added,
            changed: counts.changed,
            same: counts.same,
        })
        .collect()
}

fn next_batch(mut items: Items) -> (Vec<Incoming>, Vec<Refused>, Items) {
    let (mut batch, mut refused, mut bytes) = (Vec::new(), Vec::new(), 0);
    for item in items.by_ref() {
        match item {
            Ok(incoming) => {
                bytes += bytes_of(&incoming);
                batch.push(incoming);
            }
            Err(refusal) => refused.push(refusal),
        }
        if batch.len() + refused.len() >= BATCH || bytes >= BATCH_BYTES {
            break;
        }
    }
    (batch, refused, items)
}

/// Returns the size in bytes of a record's potentially large parts.
fn bytes_of(incoming: &Incoming) -> usize {
    let text = match &incoming.record {
        Record::Mail(mail) => mail.text.len(),
        Record::Note(note) => note.body.len(),
        _ => 0,
    };
    incoming.raw.as_ref().map_or(0, Vec::len) + text
}

/// Groups records by kind.
pub(super) fn by_kind(batch: Vec<Incoming>) -> BTreeMap<Kind, Vec<Incoming>> {
    let mut kinds: BTreeMap<Kind, Vec<Incoming>> = BTreeMap::new();
    for incoming in batch {
        kinds
            .entry(incoming.record.kind())
            .or_default()
            .push(incoming);
    }
    kinds
}

fn seed(service: &Service) -> Seed {
    Seed {
        now: service.now(),
        entropy: service.entropy.clone(),
        own: service.settings().core.owner.emails,
    }
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(
        || path.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn crashed(path: &str) -> Fault {
    Fault {
        code: "import".into(),
        message: format!("{} could not be read completely.", file_name(path)),
        hint: "What was read before is stored. Please report this file.".into(),
    }
}
