//! Reads, writes and deletes records of any kind, with everything that follows a row in other tables.

use std::fmt::Write as _;

use adjutant_domain::canonical;
use adjutant_domain::ids::RecordId;
use adjutant_domain::job::{nothing_planned, planned_for};
use adjutant_domain::operation::ReceiptRow;
use adjutant_domain::record::{Contact, Event, Kind, Mail, Memory, Note, OutboxItem, Record, Task};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

use crate::fault::{Fault, Result, is_unique_violation};
use crate::row::{self, Row};
use crate::tables::{changes, jobs, origins};
use crate::tx::{Topic, Tx};

/// Evaluates an expression in which `$row` stands for the row type of a kind.
macro_rules! with_row {
    ($kind:expr, $row:ident => $run:expr) => {
        match $kind {
            Kind::Task => {
                type $row = Task;
                $run
            }
            Kind::Event => {
                type $row = Event;
                $run
            }
            Kind::Note => {
                type $row = Note;
                $run
            }
            Kind::Contact => {
                type $row = Contact;
                $run
            }
            Kind::Mail => {
                type $row = Mail;
                $run
            }
            Kind::Outbox => {
                type $row = OutboxItem;
                $run
            }
            Kind::Memory => {
                type $row = Memory;
                $run
            }
        }
    };
}
pub(crate) use with_row;

/// Evaluates an expression with the row inside a record.
macro_rules! with_inner {
    ($record:expr, $row:ident => $run:expr) => {
        match $record {
            Record::Task($row) => $run,
            Record::Event($row) => $run,
            Record::Note($row) => $run,
            Record::Contact($row) => $run,
            Record::Mail($row) => $run,
            Record::Outbox($row) => $run,
            Record::Memory($row) => $run,
        }
    };
}
pub(crate) use with_inner;

/// Returns a record of any kind by its identifier.
pub(crate) fn get_record(
    connection: &Connection,
    kind: Kind,
    id: &RecordId,
) -> Result<Option<Record>> {
    with_row!(kind, R => Ok(row::get::<R>(connection, id)?.map(Row::record)))
}

/// Returns the version of a row without reading the row.
pub(crate) fn version(connection: &Connection, kind: Kind, id: &RecordId) -> Result<Option<i64>> {
    let table = with_row!(kind, R => R::TABLE);
    let mut statement =
        connection.prepare_cached(&format!("SELECT version FROM {table} WHERE id = ?1"))?;
    Ok(statement
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?)
}

/// Writes a record with a version, replacing any earlier row, and everything that follows it: words, people, jobs,
/// and the change number that the full-text index follows. Returns the row's number.
pub(crate) fn put_record(tx: &Tx<'_>, record: &Record, version: i64) -> Result<i64> {
    let pk = with_inner!(record, row => put(tx, row, record.id(), version, record.label()))?;
    if let Some(planned) = planned_for(record) {
        jobs::plan(tx, &planned)?;
    }
    Ok(pk)
}

fn put<R: Row>(tx: &Tx<'_>, row: &R, id: &RecordId, version: i64, label: &str) -> Result<i64> {
    let mut values = vec![
        Value::Text(id.0.clone()),
        Value::Integer(version),
        crate::cells::optional(row.content_key()),
    ];
    values.extend(row.bind()?);
    let mut statement = tx.prepare_cached(&put_sql::<R>())?;
    let pk: i64 = statement
        .query_row(params_from_iter(values), |row| row.get(0))
        .map_err(|error| {
            if is_unique_violation(&error) {
                Fault::conflict(format!("the {} “{label}”", R::KIND.word()))
            } else {
                Fault::Sql(error)
            }
        })?;
    let mut words = vec![Value::Integer(pk)];
    words.extend(row.words().into_iter().map(Value::Text));
    let marks = vec!["?"; R::WORDS.len() + 1].join(", ");
    tx.prepare_cached(&format!(
        "INSERT OR REPLACE INTO {}_words (rowid, {}) VALUES ({marks})",
        R::TABLE,
        R::WORDS.join(", ")
    ))?
    .execute(params_from_iter(words))?;
    row.put_beside(tx, pk)?;
    changes::note(tx, R::KIND, id, false)?;
    tx.touch(Topic::Records(R::KIND));
    Ok(pk)
}

fn put_sql<R: Row>() -> String {
    let columns = R::COLUMNS.join(", ");
    let marks = vec!["?"; R::COLUMNS.len() + 3].join(", ");
    let mut sql = format!(
        "INSERT INTO {} (id, version, content_key, {columns}) VALUES ({marks})
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, content_key = excluded.content_key",
        R::TABLE
    );
    for column in R::COLUMNS {
        let _ = write!(sql, ", {column} = excluded.{column}");
    }
    sql.push_str(" RETURNING pk");
    sql
}

/// Removes a row and everything that belongs to it in other tables.
pub(crate) fn delete_record(tx: &Tx<'_>, kind: Kind, id: &RecordId) -> Result<()> {
    let table = with_row!(kind, R => R::TABLE);
    let pk: Option<i64> = tx
        .prepare_cached(&format!("DELETE FROM {table} WHERE id = ?1 RETURNING pk"))?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    let Some(pk) = pk else {
        return Err(Fault::missing(format!("the {}", kind.word())));
    };
    tx.prepare_cached(&format!("DELETE FROM {table}_words WHERE rowid = ?1"))?
        .execute([pk])?;
    if let Some(planned) = nothing_planned(kind, id.as_str()) {
        jobs::plan(tx, &planned)?;
    }
    origins::forget_shown(tx, id)?;
    changes::note(tx, kind, id, true)?;
    tx.touch(Topic::Records(kind));
    Ok(())
}

/// Builds a receipt line by reading back what is stored now.
pub(crate) fn read_back(
    connection: &Connection,
    kind: Kind,
    id: &RecordId,
    label_before: &str,
) -> Result<ReceiptRow> {
    let found = get_record(connection, kind, id)?;
    let digest = found
        .as_ref()
        .map(canonical::digest)
        .transpose()
        .map_err(Fault::other)?;
    Ok(ReceiptRow {
        kind,
        id: id.0.clone(),
        label: found
            .as_ref()
            .map_or(label_before, |record| record.label())
            .to_owned(),
        version: found.as_ref().map(Record::version),
        digest: digest.map(|digest| digest.0),
    })
}
