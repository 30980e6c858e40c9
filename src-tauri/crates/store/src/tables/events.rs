//! Calendar events: single events, series and their changed instances.

use adjutant_domain::filter::{Filter, Order, Test, Time};
use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Event, Kind, Record};
use adjutant_text::{exact_key, word_line};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::candidates;
use crate::cells::{Cells, json, micros, moment_micros, optional};
use crate::condition::Condition;
use crate::fault::Result;
use crate::filter;
use crate::people::{PeopleField, PeopleTable, of_attendee};
use crate::row::{self, Naming, Row, content_hash};
use crate::tables::Migration;
use crate::tables::collections;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        format: 1,
        sql: "
    CREATE TABLE events (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        uid TEXT NOT NULL,
        recurrence_id TEXT,
        recurrence_key TEXT NOT NULL,
        calendar TEXT NOT NULL,
        calendar_key TEXT NOT NULL,
        summary TEXT NOT NULL,
        description TEXT NOT NULL,
        location TEXT NOT NULL,
        start TEXT NOT NULL,
        start_at INTEGER NOT NULL,
        start_day INTEGER NOT NULL CHECK (start_day IN (0, 1)),
        end TEXT NOT NULL,
        end_at INTEGER NOT NULL,
        last_at INTEGER,
        recurring INTEGER NOT NULL CHECK (recurring IN (0, 1)),
        attendees TEXT NOT NULL CHECK (json_valid(attendees)),
        organizer TEXT CHECK (organizer IS NULL OR json_valid(organizer)),
        rrule TEXT,
        rdates TEXT NOT NULL CHECK (json_valid(rdates)),
        exdates TEXT NOT NULL CHECK (json_valid(exdates)),
        cancelled INTEGER NOT NULL CHECK (cancelled IN (0, 1)),
        transparent INTEGER NOT NULL CHECK (transparent IN (0, 1)),
        sequence INTEGER NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX events_uid ON events (uid, recurrence_key) WHERE uid <> '';
    CREATE INDEX events_time ON events (start_at, end_at);
    CREATE INDEX events_recurring ON events (start_at) WHERE recurring = 1;
    CREATE INDEX events_content ON events (content_key);
    CREATE INDEX events_import ON events (import_key) WHERE import_key IS NOT NULL;
    CREATE VIRTUAL TABLE events_words USING fts5
        (summary, location, description, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    CREATE TABLE event_people (
        term TEXT NOT NULL,
        part INTEGER NOT NULL,
        owner INTEGER NOT NULL REFERENCES events (pk) ON DELETE CASCADE,
        person INTEGER NOT NULL,
        PRIMARY KEY (term, part, owner, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX event_people_owner ON event_people (owner);
    ",
    },
    Migration {
        format: 26,
        sql: "
    ALTER TABLE events ADD COLUMN following INTEGER NOT NULL DEFAULT 0 CHECK (following IN (0, 1));
    ",
    },
];

/// Returns the row numbers of a series. The second condition lets SQLite use the index, which leaves out empty UIDs.
const BY_UID: &str = "SELECT pk FROM events WHERE uid = ?1 AND uid <> '' ORDER BY pk";

static PEOPLE: PeopleTable = PeopleTable {
    table: "event_people",
};

impl Row for Event {
    const KIND: Kind = Kind::Event;
    const TABLE: &'static str = "events";
    const PEOPLE: Option<&'static PeopleTable> = Some(&PEOPLE);
    const COLUMNS: &'static [&'static str] = &[
        "uid",
        "recurrence_id",
        "recurrence_key",
        "calendar",
        "calendar_key",
        "summary",
        "description",
        "location",
        "start",
        "start_at",
        "start_day",
        "end",
        "end_at",
        "last_at",
        "recurring",
        "attendees",
        "organizer",
        "rrule",
        "rdates",
        "exdates",
        "cancelled",
        "transparent",
        "sequence",
        "created",
        "updated",
        "following",
    ];
    const WORDS: &'static [&'static str] = &["summary", "location", "description"];
    const NAMING: Option<Naming> = Some(Naming {
        name: "r.summary",
        from: "r.start_at",
        to: "r.last_at",
        when: "r.start",
        shown: "r.cancelled = 0",
    });

    fn bind(&self) -> Result<Vec<Value>> {
        let series = self.rrule.is_some() || !self.rdates.is_empty();
        let recurring = series || self.following;
        Ok(vec![
            self.uid.clone().into(),
            optional(self.recurrence_id.as_ref().map(ToString::to_string)),
            recurrence_key(self.recurrence_id.as_ref()).into(),
            self.calendar.clone().into(),
            exact_key(&self.calendar).into(),
            self.summary.clone().into(),
            self.description.clone().into(),
            self.location.clone().into(),
            self.start.to_string().into(),
            moment_micros(&self.start).into(),
            i64::from(self.start.is_day()).into(),
            self.end.to_string().into(),
            moment_micros(&self.end).into(),
            // Only the series knows how long its changes last.
            optional(match (self.following, series) {
                (true, _) => None,
                (false, true) => adjutant_recurrence::last_end(self).map(micros),
                (false, false) => Some(moment_micros(&self.end)),
            }),
            i64::from(recurring).into(),
            json(&self.attendees)?.into(),
            optional(self.organizer.as_ref().map(json).transpose()?),
            optional(self.rrule.clone()),
            json(&self.rdates)?.into(),
            json(&self.exdates)?.into(),
            i64::from(self.cancelled).into(),
            i64::from(self.transparent).into(),
            self.sequence.into(),
            micros(self.created).into(),
            micros(self.updated).into(),
            i64::from(self.following).into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        let (id, version) = (cells.id()?, cells.take()?);
        let (uid, recurrence_id) = (cells.take()?, cells.optional_moment()?);
        cells.skip(1);
        let calendar = cells.take()?;
        cells.skip(1);
        let (summary, description, location) = (cells.take()?, cells.take()?, cells.take()?);
        let start = cells.moment()?;
        cells.skip(2);
        let end = cells.moment()?;
        cells.skip(3);
        Ok(Self {
            id,
            version,
            uid,
            recurrence_id,
            calendar,
            summary,
            description,
            location,
            start,
            end,
            attendees: cells.json()?,
            organizer: cells.optional_json()?,
            rrule: cells.take()?,
            rdates: cells.json()?,
            exdates: cells.json()?,
            cancelled: cells.take()?,
            transparent: cells.take()?,
            sequence: cells.take()?,
            created: cells.time()?,
            updated: cells.time()?,
            following: cells.take()?,
        })
    }

    fn words(&self) -> Vec<String> {
        vec![
            word_line([self.summary.as_str()]),
            word_line([self.location.as_str()]),
            word_line([self.description.as_str()]),
        ]
    }

    fn content_key(&self) -> Option<String> {
        Some(content_hash(&[
            &self.uid,
            &recurrence_key(self.recurrence_id.as_ref()),
            &self.summary,
            &self.start.to_string(),
        ]))
    }

    fn put_beside(&self, tx: &Tx<'_>, pk: i64) -> Result<()> {
        collections::ensure_calendar(tx, &self.calendar)?;
        PEOPLE.clear(tx, pk)?;
        let people = self
            .attendees
            .iter()
            .chain(&self.organizer)
            .map(of_attendee);
        PEOPLE.add(tx, pk, PeopleField::From, 0, people)?;
        Ok(())
    }

    fn record(self) -> Record {
        Record::Event(self)
    }

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            // Which instances lie in a range is determined by expanding the series, see `occurrences`.
            Test::Within(Time::Happens, _) => {}
            Test::Calendar(name) => condition.scalar("r.calendar_key = ?", exact_key(name)),
            // The index leaves out rows without a UID, which are hardly ever looked up.
            Test::Uid(uid) if uid.is_empty() => condition.fixed("r.uid = ''"),
            Test::Uid(uid) => condition.set(BY_UID.to_owned(), vec![uid.clone().into()]),
            _ => return false,
        }
        true
    }

    fn order(order: Order) -> Option<&'static str> {
        Some(match order {
            Order::Natural | Order::Earliest => "moment_at(r.start_at, r.start_day), r.pk",
            Order::Latest => "moment_at(r.start_at, r.start_day) DESC, r.pk DESC",
            _ => return None,
        })
    }
}

/// Returns a key for an instance that does not depend on the zone it is written in; empty for `None`.
pub(crate) fn recurrence_key(id: Option<&Moment>) -> String {
    match id {
        None => String::new(),
        Some(Moment::Day(day)) => day.to_string(),
        Some(Moment::At(at)) => at.timestamp().to_string(),
    }
}

/// Returns the event rows that meet a condition, ordered by their own start.
pub(crate) fn list(
    connection: &Connection,
    condition: &Condition,
    filter: &Filter,
) -> Result<Vec<Event>> {
    let order = filter::order::<Event>(filter.order)?;
    candidates::list(connection, condition, order, filter)
}

/// Returns the rows of a series: the series itself and its changed instances.
pub(crate) fn of_uid(connection: &Connection, uid: &str) -> Result<Vec<Event>> {
    row::query(
        connection,
        "WHERE r.uid = ?1 AND r.uid <> '' ORDER BY r.pk",
        &[&uid],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uid_is_found_by_its_index() {
        let connection = Connection::open_in_memory().expect("a database");
        connection
            .execute_batch(MIGRATIONS[0].sql)
            .expect("the tables");
        let plan: String = connection
            .query_row(&format!("EXPLAIN QUERY PLAN {BY_UID}"), ["u"], |row| {
                row.get("detail")
            })
            .expect("a plan");
        assert!(plan.contains("INDEX events_uid (uid=?)"), "{plan}");
    }
}
