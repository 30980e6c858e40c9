//! Records in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_domain::account::{
    Account, Collection, CollectionKind, Origin, Origins, RemoteRecord,
};
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{Filter, Order, Time};
use adjutant_domain::ids::{AccountId, RecordId};
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::ports::{Records, SearchHit, UnexpandedSeries};
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::{Event, Folder, Kind, Occurrence, OutboxState, Record, Writer};
use adjutant_recurrence::{Instances, Work, instances_of};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::watch;

use adjutant_text::{fold, words};

use crate::fit::{Around, fits, inside, put_in_order};
use crate::named::Naming;

/// All records of a profile, in memory.
#[derive(Debug)]
pub struct MemoryRecords {
    zone: TimeZone,
    rows: Mutex<BTreeMap<(Kind, RecordId), Record>>,
    sources: Mutex<BTreeMap<RecordId, Vec<u8>>>,
    written: Mutex<BTreeMap<RecordId, Provenance>>,
    places: Mutex<Places>,
    /// Number of calls that looked up the names in a message.
    named: watch::Sender<usize>,
}

/// Accounts and the records that live in them.
#[derive(Debug, Default)]
struct Places {
    accounts: Vec<Account>,
    collections: Vec<Collection>,
    origins: BTreeMap<RecordId, Origin>,
}

impl MemoryRecords {
    /// Creates an empty profile for a person in `zone`.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone,
            rows: Mutex::new(BTreeMap::new()),
            sources: Mutex::new(BTreeMap::new()),
            written: Mutex::new(BTreeMap::new()),
            places: Mutex::default(),
            named: watch::Sender::default(),
        }
    }

    /// Returns the number of calls that looked up the names in a message, as a value to watch.
    #[must_use]
    pub fn times_named(&self) -> watch::Receiver<usize> {
        self.named.subscribe()
    }

    /// Connects an account with its collections.
    pub fn connect(&self, account: Account, collections: impl IntoIterator<Item = Collection>) {
        let mut places = self.places();
        places.accounts.push(account);
        places.collections.extend(collections);
    }

    /// Places a row in an account.
    pub fn put_at(&self, record: Record, origin: Origin) {
        self.places().origins.insert(record.id().clone(), origin);
        self.put(record);
    }

    /// Adds or replaces a row unchanged.
    pub fn put(&self, record: Record) {
        self.rows()
            .insert((record.kind(), record.id().clone()), record);
    }

    /// Sets who wrote a row. Otherwise that is unknown, and mail and events count as foreign text.
    pub fn written(&self, id: &RecordId, of: Provenance) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(id.clone(), of);
    }

    /// Stores the unmodified source of a mail.
    pub fn put_source(&self, id: &RecordId, source: Vec<u8>) {
        self.sources
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.clone(), source);
    }

    /// Applies a change completely, or not at all if an expectation does not hold.
    ///
    /// # Errors
    ///
    /// Returns [`StoreFault::Conflict`] with the row that differs from its expectation.
    pub fn apply(&self, change: &Change) -> Result<(), StoreFault> {
        let mut rows = self.rows();
        let mut next = rows.clone();
        for op in &change.ops {
            let key = (op.kind(), op.id().clone());
            let version = next.get(&key).map(Record::version);
            let holds = match op.expect() {
                Expect::Absent => version.is_none(),
                Expect::Version(wanted) => version == Some(wanted),
            };
            if !holds {
                return Err(StoreFault::Conflict {
                    what: key.1.0.clone(),
                });
            }
            match op {
                RowOp::Put { record, .. } => {
                    let mut record = record.as_ref().clone();
                    record.set_version(version.unwrap_or(0) + 1);
                    next.insert(key, record);
                }
                RowOp::Mark { marks, .. } => {
                    if let Some(Record::Mail(mail)) = next.get_mut(&key) {
                        marks.apply(mail);
                        mail.version += 1;
                    }
                }
                RowOp::Delete { .. } => {
                    next.remove(&key);
                }
            }
        }
        *rows = next;
        Ok(())
    }

    /// Returns every row, sorted by kind and identifier.
    #[must_use]
    pub fn all(&self) -> Vec<Record> {
        self.rows().values().cloned().collect()
    }

    fn rows(&self) -> MutexGuard<'_, BTreeMap<(Kind, RecordId), Record>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn event_rows(&self) -> Vec<Event> {
        self.all()
            .into_iter()
            .filter_map(|record| match record {
                Record::Event(row) => Some(row),
                _ => None,
            })
            .collect()
    }

    fn series(&self, event: &Event, from: Option<Timestamp>, to: Timestamp) -> Instances {
        let from = from.unwrap_or(Timestamp::MIN);
        let rows = self.event_rows().into_iter();
        let rows: Vec<Event> = rows.filter(|other| other.uid == event.uid).collect();
        instances_of(event, &rows, from, to, &self.zone, &mut Work::default())
    }

    /// Returns the rows of a kind that pass the filter, in its order.
    fn fitting(&self, kind: Kind, filter: &Filter) -> Result<Vec<Record>, StoreFault> {
        let around = self.around();
        let mut found = Vec::new();
        for record in self.all() {
            if record.kind() == kind && fits(&record, filter, &around)? {
                found.push(record);
            }
        }
        put_in_order(&mut found, filter, &self.zone)?;
        Ok(found)
    }

    fn around(&self) -> Around<'_> {
        let sent = self.all().into_iter().filter_map(|record| match record {
            Record::Mail(mail) if mail.folder == Folder::Sent => mail.in_reply_to,
            Record::Outbox(item) if item.state != OutboxState::Draft => item.in_reply_to,
            _ => None,
        });
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let written = sources
            .iter()
            .map(|(id, source)| (id.clone(), Writer::of(source)));
        Around {
            zone: &self.zone,
            answered: sent.collect(),
            writers: written.collect(),
        }
    }
}

fn local_calendar(name: &str) -> Collection {
    Collection {
        id: format!("col_{name}").into(),
        account: AccountId::local(),
        kind: CollectionKind::Calendar,
        remote_id: None,
        name: name.into(),
        colour: None,
        writable: true,
        preferred: false,
        cursor: None,
    }
}

#[async_trait]
impl Records for MemoryRecords {
    async fn provenance(
        &self,
        ids: &[RecordId],
    ) -> Result<BTreeMap<RecordId, Provenance>, StoreFault> {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |id: &RecordId| Some((id.clone(), written.get(id)?.clone()));
        Ok(ids.iter().filter_map(known).collect())
    }

    async fn get(&self, kind: Kind, id: &RecordId) -> Result<Option<Record>, StoreFault> {
        Ok(self.rows().get(&(kind, id.clone())).cloned())
    }

    async fn list(&self, kind: Kind, filter: &Filter) -> Result<Vec<Record>, StoreFault> {
        Ok(filter.part(self.fitting(kind, filter)?))
    }

    async fn total(&self, kind: Kind, filter: &Filter) -> Result<u64, StoreFault> {
        Ok(self.fitting(kind, filter)?.len() as u64)
    }

    async fn occurrences(&self, filter: &Filter) -> Result<Vec<Occurrence>, StoreFault> {
        let all = self.event_rows();
        let window = filter.window(Time::Happens);
        let anytime = filter.clone().anytime();
        let mut found = Vec::new();
        for event in &all {
            if event.cancelled || !fits(&Record::Event(event.clone()), &anytime, &self.around())? {
                continue;
            }
            let series = event.rrule.is_some() || !event.rdates.is_empty();
            let repeats = event.following || series && event.recurrence_id.is_none();
            let (Some(to), true) = (window.to, repeats) else {
                if inside(&event.start, &event.end, window, &self.zone) {
                    found.push(Occurrence {
                        event: event.clone(),
                        start: event.start.clone(),
                        end: event.end.clone(),
                        instance_of: event.recurrence_id.clone(),
                    });
                }
                continue;
            };
            let shown = self.series(event, window.from, to).found;
            found.extend(shown.into_iter().map(|one| Occurrence {
                event: event.clone(),
                instance_of: Some(one.original),
                start: one.start,
                end: one.end,
            }));
        }
        found.sort_by_key(|one| (one.start.starts(&self.zone), one.event.id.clone()));
        if filter.order == Order::Latest {
            found.reverse();
        }
        Ok(filter.part(found))
    }

    async fn unexpanded(&self, filter: &Filter) -> Result<Vec<UnexpandedSeries>, StoreFault> {
        let window = filter.window(Time::Happens);
        let Some(to) = window.to else {
            return Ok(Vec::new());
        };
        let anytime = filter.clone().anytime();
        let mut found = Vec::new();
        for event in self.event_rows() {
            let repeats = event.rrule.is_some() && !event.cancelled;
            if !repeats || !fits(&Record::Event(event.clone()), &anytime, &self.around())? {
                continue;
            }
            if let Some(reason) = self.series(&event, window.from, to).unexpanded {
                let reason = reason.to_string();
                found.push(UnexpandedSeries { event, reason });
            }
        }
        Ok(found)
    }

    async fn mail_source(&self, id: &RecordId) -> Result<Option<Vec<u8>>, StoreFault> {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(sources.get(id).cloned())
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreFault> {
        Ok(self.places().accounts.clone())
    }

    async fn collections(&self) -> Result<Vec<Collection>, StoreFault> {
        let mut all: Vec<Collection> = Vec::new();
        for event in self.event_rows() {
            let known = |one: &Collection| fold(&one.name) == fold(&event.calendar);
            let connected = self.places().collections.iter().any(known);
            if !event.calendar.is_empty() && !connected && !all.iter().any(known) {
                all.push(local_calendar(&event.calendar));
            }
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all.extend(self.places().collections.iter().cloned());
        Ok(all)
    }

    async fn origins(&self, change: &Change) -> Result<Origins, StoreFault> {
        let rows = self.rows();
        let uid_of = |record: &Record| match record {
            Record::Event(event) => Some(event.uid.clone()),
            _ => None,
        };
        let touched: Vec<(RecordId, Option<String>)> = change
            .ops
            .iter()
            .map(|op| match op {
                RowOp::Put { record, .. } => (record.id().clone(), uid_of(record)),
                RowOp::Delete { .. } | RowOp::Mark { .. } => {
                    let id = op.id();
                    let stored = rows.get(&(op.kind(), id.clone()));
                    (id.clone(), stored.and_then(uid_of))
                }
            })
            .collect();
        let places = self.places();
        let known = rows.values().filter(|record| {
            let uid = uid_of(record);
            let same = |(id, of): &(RecordId, Option<String>)| {
                id == record.id() || (of.is_some() && *of == uid)
            };
            touched.iter().any(same)
        });
        let records = known.filter_map(|record| {
            Some(RemoteRecord {
                origin: places.origins.get(record.id())?.clone(),
                record: record.clone(),
            })
        });
        Ok(Origins::new(
            places.accounts.clone(),
            places.collections.clone(),
            records.collect::<Vec<_>>(),
        ))
    }

    async fn search(
        &self,
        text: &str,
        kinds: &[Kind],
        limit: usize,
    ) -> Result<Vec<SearchHit>, StoreFault> {
        let wanted = words(text);
        let mut hits: Vec<SearchHit> = self
            .all()
            .iter()
            .filter(|record| kinds.is_empty() || kinds.contains(&record.kind()))
            .filter_map(|record| {
                let body = body_of(record);
                let hay = words(&format!("{} {body}", record.label()));
                let found = wanted
                    .iter()
                    .filter(|word| hay.iter().any(|one| one.starts_with(word.as_str())))
                    .count();
                (found > 0).then(|| SearchHit {
                    kind: record.kind(),
                    id: record.id().clone(),
                    title: record.label().to_owned(),
                    snippet: body.chars().take(120).collect(),
                    #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
                    score: found as f32,
                })
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        hits.truncate(limit);
        Ok(hits)
    }

    async fn named(
        &self,
        message: &str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<MentionedName>, StoreFault> {
        self.named.send_modify(|times| *times += 1);
        let (rows, collections) = (self.all(), self.collections().await?);
        let ids: Vec<RecordId> = rows.iter().map(|record| record.id().clone()).collect();
        let written = self.provenance(&ids).await?;
        let named = Naming {
            rows: &rows,
            collections: &collections,
            written: &written,
            zone: &self.zone,
        };
        Ok(named.find(message, now, limit))
    }
}

fn body_of(record: &Record) -> String {
    match record {
        Record::Task(row) => row.notes.clone(),
        Record::Event(row) => format!("{} {}", row.location, row.description),
        Record::Note(row) => row.body.clone(),
        Record::Contact(row) => format!("{} {}", row.emails.join(" "), row.notes),
        Record::Mail(row) => format!("{} {}", row.from, row.text),
        Record::Outbox(row) => row.body.clone(),
        Record::Memory(row) => row.key.clone(),
    }
}
