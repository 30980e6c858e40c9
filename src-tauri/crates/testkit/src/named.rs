//! Finds the names of records in memory that a message mentions.

use std::collections::BTreeMap;

use adjutant_domain::account::Collection;
use adjutant_domain::ids::RecordId;
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::moment::Moment;
use adjutant_domain::provenance::{Provenance, is_others};
use adjutant_domain::record::{Folder, Record, TaskStatus};
use adjutant_domain::source::Taint;
use adjutant_text::names::{Names, TimeSpan};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The records whose names can occur in a message.
pub(crate) struct Naming<'a> {
    pub(crate) rows: &'a [Record],
    pub(crate) collections: &'a [Collection],
    pub(crate) written: &'a BTreeMap<RecordId, Provenance>,
    pub(crate) zone: &'a TimeZone,
}

impl Naming<'_> {
    /// Returns the records whose names a message mentions, best first.
    pub(crate) fn find(&self, message: &str, now: Timestamp, limit: usize) -> Vec<MentionedName> {
        let all: Vec<(MentionedName, TimeSpan)> = self
            .rows
            .iter()
            .filter_map(|record| self.record(record))
            .chain(self.collections.iter().map(collection))
            .collect();
        let mut names = Names::default();
        for (place, (named, span)) in all.iter().enumerate() {
            let sort = match &named.of {
                NameOf::Record { kind, .. } => *kind as u8,
                NameOf::Collection { kind, .. } => 100 + *kind as u8,
            };
            names.put(place, sort, &named.label, *span);
        }
        let found = names.find(message, now.as_microsecond(), limit);
        found.iter().map(|one| all[one.key].0.clone()).collect()
    }

    fn record(&self, record: &Record) -> Option<(MentionedName, TimeSpan)> {
        let at = |at: Timestamp| Some(Moment::At(at.to_zoned(TimeZone::UTC)));
        let micros = |moment: &Moment| moment.starts(self.zone).as_microsecond();
        let when = match record {
            Record::Task(task) => task.due.clone(),
            Record::Event(event) if event.cancelled => return None,
            Record::Event(event) => Some(event.start.clone()),
            Record::Note(note) => at(note.updated),
            Record::Contact(_) => None,
            Record::Mail(mail) if matches!(mail.folder, Folder::Trash | Folder::Junk) => {
                return None;
            }
            Record::Mail(mail) => at(mail.date),
            Record::Outbox(item) => at(item.updated),
            Record::Memory(_) => return None,
        };
        let from = when.as_ref().map_or(TimeSpan::ALWAYS.from, micros);
        let to = match record {
            Record::Task(task) if task.status == TaskStatus::Done => task.updated.as_microsecond(),
            Record::Task(_) | Record::Contact(_) => TimeSpan::ALWAYS.to,
            Record::Event(event) if event.rrule.is_some() => TimeSpan::ALWAYS.to,
            Record::Event(event) => micros(&event.end),
            _ => from,
        };
        let kind = record.kind();
        let foreign = self.written.get(record.id());
        let foreign = foreign.map_or_else(|| is_others(kind), |of| of.is_foreign(kind));
        let named = MentionedName {
            of: NameOf::Record {
                kind,
                id: record.id().clone(),
            },
            label: record.label().to_owned(),
            when,
            taint: if foreign {
                Taint::Tainted
            } else {
                Taint::Clean
            },
        };
        Some((named, TimeSpan { from, to }))
    }
}

fn collection(one: &Collection) -> (MentionedName, TimeSpan) {
    let named = MentionedName {
        of: NameOf::Collection {
            kind: one.kind,
            id: one.id.clone(),
        },
        label: one.name.clone(),
        when: None,
        taint: Taint::Clean,
    };
    (named, TimeSpan::ALWAYS)
}
