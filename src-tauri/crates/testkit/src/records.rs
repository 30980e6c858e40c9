//! Records in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_domain::account::{
    Account, Collection, CollectionKind, Origin, Origins, RemoteRecord,
};
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, RecordId};
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::{
    ContactFilter, EventFilter, MailFilter, MemoryFilter, NoteFilter, OutboxFilter, Records,
    SearchHit, Sort, TaskFilter, UnexpandedSeries, Window,
};
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::{
    Contact, Event, Folder, Kind, Mail, Memory, MemorySource, Note, Occurrence, OutboxItem, Record,
    Task, TaskStatus,
};
use adjutant_recurrence::{Dates, Instances, Work, instances};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use adjutant_text::{fold, words};

use crate::text::{all_words, is_person};

/// All records of a profile, in memory.
#[derive(Debug)]
pub struct MemoryRecords {
    zone: TimeZone,
    rows: Mutex<BTreeMap<(Kind, RecordId), Record>>,
    sources: Mutex<BTreeMap<RecordId, Vec<u8>>>,
    written: Mutex<BTreeMap<RecordId, Provenance>>,
    places: Mutex<Places>,
}

/// Accounts, and what lives in them.
#[derive(Debug, Default)]
struct Places {
    accounts: Vec<Account>,
    collections: Vec<Collection>,
    origins: BTreeMap<RecordId, Origin>,
}

impl MemoryRecords {
    /// An empty profile of somebody living in `zone`.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone,
            rows: Mutex::new(BTreeMap::new()),
            sources: Mutex::new(BTreeMap::new()),
            written: Mutex::new(BTreeMap::new()),
            places: Mutex::default(),
        }
    }

    /// Connects an account with its collections.
    pub fn connect(&self, account: Account, collections: impl IntoIterator<Item = Collection>) {
        let mut places = self.places();
        places.accounts.push(account);
        places.collections.extend(collections);
    }

    /// Lets a row live in an account.
    pub fn put_at(&self, record: Record, origin: Origin) {
        self.places().origins.insert(record.id().clone(), origin);
        self.put(record);
    }

    /// Adds or replaces a row as it is.
    pub fn put(&self, record: Record) {
        self.rows()
            .insert((record.kind(), record.id().clone()), record);
    }

    /// Says who wrote a row. Without it nothing is known: mail and events count as text of others then.
    pub fn written(&self, id: &RecordId, of: Provenance) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(id.clone(), of);
    }

    /// Keeps the untouched source of a mail.
    pub fn put_source(&self, id: &RecordId, source: Vec<u8>) {
        self.sources
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.clone(), source);
    }

    /// Applies a change: all of it, or nothing when an expectation does not hold.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] with the row that was not as expected.
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

    /// Every row, by kind and identifier.
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
        instances(event, from, to, &self.zone, &mut Work::default())
    }

    fn inside(&self, start: &Moment, end: &Moment, window: Window) -> bool {
        let (start, end) = (start.starts(&self.zone), end.starts(&self.zone));
        window.to.is_none_or(|to| start < to)
            && window
                .from
                .is_none_or(|from| end > from || (start == end && start >= from))
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

fn fits_event(event: &Event, filter: &EventFilter) -> bool {
    let text = filter
        .text
        .as_deref()
        .is_none_or(|text| all_words(text, &[&event.summary, &event.location, &event.description]));
    let people = filter.people.is_empty()
        || filter.people.iter().any(|who| {
            event
                .attendees
                .iter()
                .chain(&event.organizer)
                .any(|guest| is_person(who, &guest.name, &guest.email))
        });
    let calendar = filter
        .calendar
        .as_deref()
        .is_none_or(|name| fold(name) == fold(&event.calendar));
    let uid = filter.uid.as_ref().is_none_or(|uid| *uid == event.uid);
    text && people && calendar && uid && !event.cancelled
}

fn cut<T>(mut rows: Vec<T>, limit: Option<usize>) -> Vec<T> {
    if let Some(limit) = limit {
        rows.truncate(limit);
    }
    rows
}

fn fits_mail(mail: &Mail, filter: &MailFilter) -> bool {
    let anyone = |who: &[String], list: &[&adjutant_domain::record::Address]| {
        who.is_empty()
            || who
                .iter()
                .any(|who| list.iter().any(|one| is_person(who, &one.name, &one.email)))
    };
    let recipients: Vec<_> = mail.to.iter().chain(&mail.cc).collect();
    let folder = if filter.folders.is_empty() {
        !matches!(mail.folder, Folder::Trash | Folder::Junk)
    } else {
        filter.folders.contains(&mail.folder)
    };
    folder
        && anyone(&filter.from, &[&mail.from])
        && anyone(&filter.to, &recipients)
        && filter
            .subject
            .as_deref()
            .is_none_or(|words| all_words(words, &[&mail.subject]))
        && filter
            .subject_is
            .as_deref()
            .is_none_or(|whole| fold(whole).trim() == fold(&mail.subject).trim())
        && filter.text.as_deref().is_none_or(|text| {
            all_words(
                text,
                &[&mail.subject, &mail.text, &mail.from.name, &mail.from.email],
            )
        })
        && filter.window.holds(mail.date)
        && filter.read.is_none_or(|read| read == mail.read)
        && filter
            .has_attachment
            .is_none_or(|has| has != mail.attachments.is_empty())
        && filter
            .label
            .as_deref()
            .is_none_or(|label| mail.labels.iter().any(|one| fold(one) == fold(label)))
}

macro_rules! rows_of {
    ($self:ident, $variant:ident) => {
        $self.all().into_iter().filter_map(|record| match record {
            Record::$variant(row) => Some(row),
            _ => None,
        })
    };
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

    async fn tasks(&self, filter: &TaskFilter) -> Result<Vec<Task>, StoreFault> {
        let mut rows: Vec<Task> = rows_of!(self, Task)
            .filter(|task| {
                filter
                    .text
                    .as_deref()
                    .is_none_or(|text| all_words(text, &[&task.title, &task.notes]))
                    && filter.status.is_none_or(|status| status == task.status)
                    && (filter.due == Window::default()
                        || task
                            .due
                            .as_ref()
                            .is_some_and(|due| filter.due.holds(due.starts(&self.zone))))
            })
            .collect();
        rows.sort_by_key(|task| {
            (
                task.status == TaskStatus::Done,
                task.due
                    .as_ref()
                    .map_or(Timestamp::MAX, |due| due.starts(&self.zone)),
                std::cmp::Reverse(task.priority),
            )
        });
        Ok(cut(rows, filter.limit))
    }

    async fn occurrences(&self, filter: &EventFilter) -> Result<Vec<Occurrence>, StoreFault> {
        let all = self.event_rows();
        let mut found = Vec::new();
        for event in &all {
            if !fits_event(event, filter) {
                continue;
            }
            let repeats = event.rrule.is_some() || !event.rdates.is_empty();
            let (Some(to), true, None) = (filter.window.to, repeats, &event.recurrence_id) else {
                if self.inside(&event.start, &event.end, filter.window) {
                    found.push(Occurrence {
                        event: event.clone(),
                        start: event.start.clone(),
                        end: event.end.clone(),
                        instance_of: event.recurrence_id.clone(),
                    });
                }
                continue;
            };
            let changed: Vec<&Moment> = all
                .iter()
                .filter(|other| other.uid == event.uid)
                .filter_map(|other| other.recurrence_id.as_ref())
                .collect();
            let changed = Dates::of(changed);
            let shown = self.series(event, filter.window.from, to).found;
            found.extend(
                shown
                    .into_iter()
                    .filter(|one| !changed.contain(&one.start))
                    .map(|one| Occurrence {
                        event: event.clone(),
                        instance_of: Some(one.start.clone()),
                        start: one.start,
                        end: one.end,
                    }),
            );
        }
        found.sort_by_key(|one| (one.start.starts(&self.zone), one.event.id.clone()));
        if filter.sort == Sort::Descending {
            found.reverse();
        }
        Ok(cut(found, filter.limit))
    }

    async fn unexpanded(&self, filter: &EventFilter) -> Result<Vec<UnexpandedSeries>, StoreFault> {
        let Some(to) = filter.window.to else {
            return Ok(Vec::new());
        };
        let rows = self.event_rows().into_iter();
        let found = rows
            .filter(|event| event.rrule.is_some() && fits_event(event, filter))
            .filter_map(|event| {
                let reason = self
                    .series(&event, filter.window.from, to)
                    .unexpanded?
                    .to_string();
                Some(UnexpandedSeries { event, reason })
            });
        Ok(found.collect())
    }

    async fn events(&self, filter: &EventFilter) -> Result<Vec<Event>, StoreFault> {
        let mut rows: Vec<Event> = self
            .event_rows()
            .into_iter()
            .filter(|event| {
                fits_event(event, filter) && self.inside(&event.start, &event.end, filter.window)
            })
            .collect();
        rows.sort_by_key(|event| event.start.starts(&self.zone));
        if filter.sort == Sort::Descending {
            rows.reverse();
        }
        Ok(cut(rows, filter.limit))
    }

    async fn mails(&self, filter: &MailFilter) -> Result<Vec<Mail>, StoreFault> {
        let mut rows: Vec<Mail> = rows_of!(self, Mail)
            .filter(|mail| fits_mail(mail, filter))
            .collect();
        rows.sort_by_key(|mail| (mail.date, mail.id.clone()));
        if filter.sort == Sort::Descending {
            rows.reverse();
        }
        Ok(cut(rows, filter.limit))
    }

    async fn mail_source(&self, id: &RecordId) -> Result<Option<Vec<u8>>, StoreFault> {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(sources.get(id).cloned())
    }

    async fn notes(&self, filter: &NoteFilter) -> Result<Vec<Note>, StoreFault> {
        let mut rows: Vec<Note> = rows_of!(self, Note)
            .filter(|note| {
                filter
                    .text
                    .as_deref()
                    .is_none_or(|text| all_words(text, &[&note.title, &note.body]))
                    && filter
                        .title
                        .as_deref()
                        .is_none_or(|text| all_words(text, &[&note.title]))
            })
            .collect();
        rows.sort_by_key(|note| std::cmp::Reverse(note.updated));
        Ok(cut(rows, filter.limit))
    }

    async fn contacts(&self, filter: &ContactFilter) -> Result<Vec<Contact>, StoreFault> {
        let mut rows: Vec<Contact> = rows_of!(self, Contact)
            .filter(|who| {
                filter.name.as_deref().is_none_or(|name| {
                    let mut texts = vec![who.name.as_str(), who.relation.as_str()];
                    texts.extend(who.nicknames.iter().map(String::as_str));
                    all_words(name, &texts)
                        || who
                            .emails
                            .iter()
                            .any(|email| fold(email).starts_with(fold(name).trim()))
                })
            })
            .collect();
        rows.sort_by_key(|who| fold(&who.name));
        Ok(cut(rows, filter.limit))
    }

    async fn memories(&self, filter: &MemoryFilter) -> Result<Vec<Memory>, StoreFault> {
        let wanted = filter.text.as_deref().map(words).unwrap_or_default();
        let score = |memory: &Memory| {
            let hay = words(&format!(
                "{} {} {}",
                memory.key, memory.value, memory.category
            ));
            wanted.iter().filter(|word| hay.contains(word)).count()
        };
        let mut rows: Vec<Memory> = rows_of!(self, Memory)
            .filter(|memory| {
                (wanted.is_empty() || score(memory) > 0)
                    && filter
                        .key
                        .as_deref()
                        .is_none_or(|key| fold(key) == fold(&memory.key))
                    && (filter.past || memory.valid_to.is_none())
                    && (filter.set_aside || memory.source != MemorySource::Read)
            })
            .collect();
        rows.sort_by_key(|memory| std::cmp::Reverse((score(memory), memory.updated)));
        Ok(cut(rows, filter.limit))
    }

    async fn outbox(&self, filter: &OutboxFilter) -> Result<Vec<OutboxItem>, StoreFault> {
        let mut rows: Vec<OutboxItem> = rows_of!(self, Outbox)
            .filter(|item| {
                (filter.states.is_empty() || filter.states.contains(&item.state))
                    && (filter.to.is_empty()
                        || filter.to.iter().any(|who| {
                            item.to
                                .iter()
                                .chain(&item.cc)
                                .chain(&item.bcc)
                                .any(|one| is_person(who, &one.name, &one.email))
                        }))
                    && filter
                        .text
                        .as_deref()
                        .is_none_or(|text| all_words(text, &[&item.subject, &item.body]))
            })
            .collect();
        rows.sort_by_key(|item| std::cmp::Reverse((item.updated, item.id.clone())));
        Ok(cut(rows, filter.limit))
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
        Ok(cut(hits, Some(limit)))
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
