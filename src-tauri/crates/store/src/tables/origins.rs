//! Where records live at providers. Several accounts may hold the same event or mail: it is one record with several
//! origins, one of which is shown. The versions at the other places are kept, so that one of them can take over.

use adjutant_domain::account::Origin;
use adjutant_domain::ids::{AccountId, CollectionId, RecordId};
use adjutant_domain::operation::{Etag, RemoteId};
use adjutant_domain::record::{Kind, Record};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, name_of, readable};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 7,
    sql: "
    CREATE TABLE origins (
        n INTEGER PRIMARY KEY,
        collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        remote_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('event', 'mail', 'task', 'contact')),
        record TEXT NOT NULL,
        etag TEXT,
        uid_validity INTEGER,
        source TEXT,
        shown INTEGER NOT NULL CHECK (shown IN (0, 1)),
        other TEXT CHECK ((shown = 1) = (other IS NULL) AND (other IS NULL OR json_valid(other))),
        seen INTEGER NOT NULL,
        UNIQUE (collection, remote_id, record)
    ) STRICT;
    CREATE INDEX origins_record ON origins (record);
    CREATE UNIQUE INDEX origins_shown ON origins (record) WHERE shown = 1;
    ",
}];

/// One record at one place.
pub(crate) struct Placed {
    /// The record's id.
    pub(crate) record: RecordId,
    /// The record's kind.
    pub(crate) kind: Kind,
    /// Its place.
    pub(crate) origin: Origin,
    /// That place's version of the record; `None` if this place is the one shown.
    pub(crate) other: Option<Record>,
}

const SELECT: &str = "SELECT o.record, o.kind, c.account, o.collection, o.remote_id, o.etag, o.uid_validity, o.source, o.other
    FROM origins AS o JOIN collections AS c ON c.id = o.collection";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Placed> {
    let mut cells = Cells::new(row);
    Ok(Placed {
        record: cells.id()?,
        kind: cells.name()?,
        origin: Origin {
            account: cells.id()?,
            collection: cells.id()?,
            remote_id: RemoteId(cells.take()?),
            etag: cells.take::<Option<String>>()?.map(Etag),
            uid_validity: cells.take()?,
            source: cells.take()?,
        },
        other: cells.optional_json()?,
    })
}

/// Returns the origin of a record that is shown, or `None` if the record is only on this computer.
pub(crate) fn shown(connection: &Connection, record: &RecordId) -> Result<Option<Origin>> {
    Ok(connection
        .prepare_cached(&format!("{SELECT} WHERE o.record = ?1 AND o.shown = 1"))?
        .query_row([record.as_str()], read)
        .optional()?
        .map(|placed| placed.origin))
}

/// Returns every place of a record, the shown one first.
pub(crate) fn of_record(connection: &Connection, record: &RecordId) -> Result<Vec<Placed>> {
    let mut statement = connection.prepare_cached(&format!(
        "{SELECT} WHERE o.record = ?1 ORDER BY o.shown DESC, o.n"
    ))?;
    let rows = statement.query_map([record.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Returns the records stored for a remote id of a collection.
pub(crate) fn at(
    connection: &Connection,
    collection: &CollectionId,
    remote_id: &RemoteId,
) -> Result<Vec<Placed>> {
    let mut statement = connection.prepare_cached(&format!(
        "{SELECT} WHERE o.collection = ?1 AND o.remote_id = ?2 ORDER BY o.n"
    ))?;
    let rows = statement.query_map([collection.as_str(), &remote_id.0], read)?;
    Ok(readable(rows)?)
}

/// Returns the remote ids of a collection that were last seen before a reading began.
pub(crate) fn unseen_since(
    connection: &Connection,
    collection: &CollectionId,
    round: i64,
) -> Result<Vec<RemoteId>> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT remote_id FROM origins WHERE collection = ?1 AND seen < ?2 ORDER BY remote_id",
    )?;
    let rows = statement.query_map(params![collection.as_str(), round], |row| {
        row.get(0).map(RemoteId)
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns the number of the next reading of a collection.
pub(crate) fn next_round(connection: &Connection, collection: &CollectionId) -> Result<i64> {
    Ok(connection.query_row(
        "SELECT coalesce(max(seen), 0) + 1 FROM origins WHERE collection = ?1",
        [collection.as_str()],
        |row| row.get(0),
    )?)
}

/// Stores where a record lives, replacing what was known of that place.
pub(crate) fn put(tx: &Tx<'_>, placed: &Placed, round: i64) -> Result<()> {
    let origin = &placed.origin;
    tx.prepare_cached(
        "INSERT INTO origins (collection, remote_id, kind, record, etag, uid_validity, source, shown, other, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (collection, remote_id, record) DO UPDATE SET etag = excluded.etag,
            uid_validity = excluded.uid_validity, source = excluded.source, shown = excluded.shown,
            other = excluded.other, seen = excluded.seen",
    )?
    .execute(params![
        origin.collection.as_str(),
        origin.remote_id.0,
        name_of(&placed.kind)?,
        placed.record.as_str(),
        origin.etag.as_ref().map(|etag| etag.0.as_str()),
        origin.uid_validity,
        origin.source,
        placed.other.is_none(),
        placed.other.as_ref().map(json).transpose()?,
        round
    ])?;
    Ok(())
}

/// Removes one place of a record.
pub(crate) fn remove(
    tx: &Tx<'_>,
    collection: &CollectionId,
    remote_id: &RemoteId,
    record: &RecordId,
) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM origins WHERE collection = ?1 AND remote_id = ?2 AND record = ?3",
    )?
    .execute(params![collection.as_str(), remote_id.0, record.as_str()])?;
    Ok(())
}

/// Removes the shown place of a record that is being deleted. The other places stay: one of them may be shown next.
pub(crate) fn forget_shown(tx: &Tx<'_>, record: &RecordId) -> Result<()> {
    tx.prepare_cached("DELETE FROM origins WHERE record = ?1 AND shown = 1")?
        .execute([record.as_str()])?;
    Ok(())
}

/// Reading number of a record that has left its place; lower than that of any reading.
const LOST: i64 = -1;

/// Marks a record as having left a place, without deciding whether it is gone.
pub(crate) fn set_lost(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    tx.prepare_cached(
        "UPDATE origins SET seen = ?4 WHERE collection = ?1 AND remote_id = ?2 AND record = ?3",
    )?
    .execute(params![
        placed.origin.collection.as_str(),
        placed.origin.remote_id.0,
        placed.record.as_str(),
        LOST
    ])?;
    Ok(())
}

/// Whether a record is marked as having left a place.
pub(crate) fn is_lost(connection: &Connection, placed: &Placed) -> Result<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT seen = ?4 FROM origins WHERE collection = ?1 AND remote_id = ?2 AND record = ?3",
        )?
        .query_row(
            params![
                placed.origin.collection.as_str(),
                placed.origin.remote_id.0,
                placed.record.as_str(),
                LOST
            ],
            |row| row.get(0),
        )
        .optional()?
        .unwrap_or(false))
}

/// Returns the places of an account that records have left.
pub(crate) fn lost(connection: &Connection, account: &AccountId) -> Result<Vec<Placed>> {
    let mut statement = connection.prepare_cached(&format!(
        "{SELECT} WHERE c.account = ?1 AND o.seen = {LOST} ORDER BY o.n"
    ))?;
    let rows = statement.query_map([account.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Returns every place of a collection, in the order in which they were added.
pub(crate) fn in_collection(
    connection: &Connection,
    collection: &CollectionId,
) -> Result<Vec<Placed>> {
    let mut statement =
        connection.prepare_cached(&format!("{SELECT} WHERE o.collection = ?1 ORDER BY o.n"))?;
    let rows = statement.query_map([collection.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Returns the events that are shown from a collection but carry another calendar name.
pub(crate) fn events_not_in(
    connection: &Connection,
    collection: &CollectionId,
    calendar: &str,
) -> Result<Vec<RecordId>> {
    let mut statement = connection.prepare_cached(
        "SELECT o.record FROM origins o JOIN events e ON e.id = o.record
         WHERE o.collection = ?1 AND o.kind = 'event' AND o.shown = 1 AND e.calendar <> ?2 ORDER BY o.n",
    )?;
    let rows = statement.query_map(params![collection.as_str(), calendar], |row| {
        row.get(0).map(RecordId)
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
