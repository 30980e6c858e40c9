//! Finds the names of records and collections that a message mentions, with an index in memory that follows the
//! database.
//!
//! Every write numbers the record it changes (`tables/changes.rs`). The index remembers up to which number it has
//! seen every change, and before it answers reads what has changed since, in the same snapshot. So it never misses a
//! write, whoever made it, and no write waits for it. It is filled from the tables on first use.

use std::sync::{Mutex, PoisonError};

use adjutant_domain::account::CollectionKind;
use adjutant_domain::ids::{CollectionId, RecordId};
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::moment::Moment;
use adjutant_domain::provenance::is_others;
use adjutant_domain::record::{Contact, Event, Kind, Mail, Memory, Note, OutboxItem, Task};
use adjutant_domain::source::Taint;
use adjutant_text::cut;
use adjutant_text::names::{Names, TimeSpan};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{micros, timestamp};
use crate::fault::Result;
use crate::row::{Naming, Row};
use crate::rows::with_row;
use crate::tables::changes::{self, Change};
use crate::tables::{collections, provenance};

/// Highest number of names kept. When there are more, the oldest mails are left out; search still finds them.
const NAMES_MAX: usize = 300_000;
/// Highest number of changes that are followed one by one; after more, the tables are read again.
const FOLLOWED_MAX: usize = 5_000;
/// Entries looked up beyond those requested, because some are gone.
const SPARE: usize = 16;
/// Highest number of collections whose names are known.
const COLLECTIONS_MAX: usize = 500;
/// Longest name returned, in bytes.
const LABEL_BYTES_MAX: usize = 256;

/// The order in which kinds are read. The last one gets whatever room is left.
const KINDS: [Kind; 6] = [
    Kind::Contact,
    Kind::Task,
    Kind::Event,
    Kind::Note,
    Kind::Outbox,
    Kind::Mail,
];

/// The name index of one profile. It reads nothing before its first use.
#[derive(Default)]
pub(crate) struct NameIndex(Mutex<State>);

/// What an entry names: a row by its number, or a collection by its position in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Row(Kind, i64),
    Collection(usize),
}

type NamedCollection = (CollectionId, CollectionKind, String);

#[derive(Default)]
struct State {
    /// Identity of the database these names come from.
    lineage: String,
    /// Number of the last change seen.
    seen: i64,
    names: Names<Key>,
    collections: Vec<NamedCollection>,
}

impl NameIndex {
    /// Returns the things whose names a message mentions, best match first.
    pub(crate) fn find(
        &self,
        connection: &Connection,
        message: &str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<MentionedName>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = state.follow(connection)?;
        let mentioned = state.names.find(message, micros(now), limit + SPARE);
        let mut found = Vec::new();
        for one in mentioned {
            if found.len() == limit {
                break;
            }
            match one.key {
                Key::Collection(place) => found.extend(state.collection(place)),
                Key::Row(kind, pk) => {
                    let named = with_row!(kind, R => named::<R>(connection, pk))?;
                    // A deleted row is reported only by its identifier, which the index does not know, so its entry
                    // is removed here.
                    if named.is_none() && current {
                        state.names.remove(one.key);
                    }
                    found.extend(named);
                }
            }
        }
        Ok(found)
    }
}

impl State {
    /// Reads what has changed since the last call. Returns whether the connection sees everything the index has seen:
    /// another connection that reads at the same time may be ahead.
    fn follow(&mut self, connection: &Connection) -> Result<bool> {
        let (lineage, latest) = (changes::lineage(connection)?, changes::latest(connection)?);
        let other = self.lineage != lineage;
        let changed = match latest > self.seen && !other {
            true => changes::after(connection, self.seen, FOLLOWED_MAX + 1)?,
            false => Vec::new(),
        };
        if other || changed.len() > FOLLOWED_MAX || self.names.len() > NAMES_MAX {
            *self = Self::load(connection, lineage, latest)?;
        }
        if latest > self.seen {
            for change in &changed {
                self.take(connection, change)?;
            }
            self.seen = latest;
        }
        self.follow_collections(connection)?;
        Ok(latest == self.seen)
    }

    fn load(connection: &Connection, lineage: String, latest: i64) -> Result<Self> {
        let mut state = Self {
            lineage,
            seen: latest,
            ..Self::default()
        };
        // Leaves room for names added before the next reload.
        let room = NAMES_MAX - NAMES_MAX / 10;
        for kind in KINDS {
            let left = room.saturating_sub(state.names.len());
            with_row!(kind, R => each::<R>(connection, left, |pk, name, span| {
                state.names.put(Key::Row(kind, pk), sort_of(kind), name, span);
            }))?;
        }
        Ok(state)
    }

    fn take(&mut self, connection: &Connection, change: &Change) -> Result<()> {
        if change.gone {
            return Ok(());
        }
        let kind = change.kind;
        let row = with_row!(kind, R => one::<R>(connection, &change.id))?;
        if let Some((pk, name)) = row {
            let key = Key::Row(kind, pk);
            match name {
                Some((name, span)) => self.names.put(key, sort_of(kind), &name, span),
                None => self.names.remove(key),
            }
        }
        Ok(())
    }

    /// Updates the names of collections. Their changes are not numbered, and there are few, so they are read each
    /// time.
    fn follow_collections(&mut self, connection: &Connection) -> Result<()> {
        let known = collections::names(connection, COLLECTIONS_MAX)?;
        if known == self.collections {
            return Ok(());
        }
        for place in 0..self.collections.len() {
            self.names.remove(Key::Collection(place));
        }
        for (place, (_, kind, name)) in known.iter().enumerate() {
            let sort = SORT_OF_COLLECTIONS + *kind as u8;
            self.names
                .put(Key::Collection(place), sort, name, TimeSpan::ALWAYS);
        }
        self.collections = known;
        Ok(())
    }

    fn collection(&self, place: usize) -> Option<MentionedName> {
        let (id, kind, name) = self.collections.get(place)?;
        Some(MentionedName {
            of: NameOf::Collection {
                kind: *kind,
                id: id.clone(),
            },
            label: cut(name, LABEL_BYTES_MAX).to_owned(),
            when: None,
            taint: Taint::Clean,
        })
    }
}

/// Sort numbers of collections start here, after those of record kinds.
const SORT_OF_COLLECTIONS: u8 = 100;

fn sort_of(kind: Kind) -> u8 {
    kind as u8
}

fn span(from: Option<i64>, to: Option<i64>) -> TimeSpan {
    TimeSpan {
        from: from.unwrap_or(TimeSpan::ALWAYS.from),
        to: to.unwrap_or(TimeSpan::ALWAYS.to),
    }
}

/// Passes the names of a kind to `take`, latest rows first.
fn each<R: Row>(
    connection: &Connection,
    limit: usize,
    mut take: impl FnMut(i64, &str, TimeSpan),
) -> Result<()> {
    let Some(Naming {
        name,
        from,
        to,
        shown,
        ..
    }) = R::NAMING
    else {
        return Ok(());
    };
    let mut statement = connection.prepare(&format!(
        "SELECT r.pk, {name}, {from}, {to} FROM {} AS r WHERE {shown} ORDER BY r.pk DESC LIMIT ?1",
        R::TABLE
    ))?;
    let mut rows = statement.query([i64::try_from(limit).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        // A damaged row must not keep the other names from being known.
        if let Ok(name) = row.get_ref(1)?.as_str() {
            take(row.get(0)?, name, span(row.get(2)?, row.get(3)?));
        }
    }
    Ok(())
}

type NameNow = (i64, Option<(String, TimeSpan)>);

/// Returns the number of a row, and its name if the index lists it.
fn one<R: Row>(connection: &Connection, id: &RecordId) -> Result<Option<NameNow>> {
    let Some(Naming {
        name,
        from,
        to,
        shown,
        ..
    }) = R::NAMING
    else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT r.pk, {shown}, {name}, {from}, {to} FROM {} AS r WHERE r.id = ?1",
        R::TABLE
    ))?;
    let row = statement.query_row(params![id.as_str()], |row| {
        let name = (row.get(2)?, span(row.get(3)?, row.get(4)?));
        Ok((row.get(0)?, row.get::<_, bool>(1)?.then_some(name)))
    });
    Ok(row.optional()?)
}

/// Returns a row with its name, if it exists and the index lists it.
fn named<R: Row>(connection: &Connection, pk: i64) -> Result<Option<MentionedName>> {
    let Some(Naming {
        name, when, shown, ..
    }) = R::NAMING
    else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT r.id, {name}, {when}, p.author, p.taint FROM {} AS r
         LEFT JOIN provenance AS p ON p.record = r.id WHERE r.pk = ?1 AND {shown}",
        R::TABLE
    ))?;
    let row = statement.query_row([pk], |row| {
        let written: (Option<String>, Option<String>) = (row.get(3)?, row.get(4)?);
        let (id, label): (String, String) = (row.get(0)?, row.get(1)?);
        Ok((id, label, row.get(2)?, written))
    });
    let Some((id, label, when, written)) = row.optional()? else {
        return Ok(None);
    };
    let foreign = match written {
        (Some(author), Some(taint)) => provenance::stored(&author, &taint)?.is_foreign(R::KIND),
        _ => is_others(R::KIND),
    };
    Ok(Some(MentionedName {
        of: NameOf::Record {
            kind: R::KIND,
            id: RecordId(id),
        },
        label: cut(&label, LABEL_BYTES_MAX).to_owned(),
        when: moment(when),
        taint: if foreign {
            Taint::Tainted
        } else {
            Taint::Clean
        },
    }))
}

fn moment(column: Value) -> Option<Moment> {
    match column {
        Value::Integer(micros) => Some(Moment::At(timestamp(micros).to_zoned(TimeZone::UTC))),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}
