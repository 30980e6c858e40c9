//! What all record tables have in common: a row is put, read and deleted in one way.
//!
//! Every record table has the columns `pk` (a number, which the word index shares), `id`, `version`, `content_key`
//! (a hash by which the same content is recognised on import) and `import_key` (the hash of what was imported, which
//! stays when the person changes the row), besides its own.

use std::fmt::Write as _;

use adjutant_domain::canonical;
use adjutant_domain::conversation::ReceiptRow;
use adjutant_domain::ids::RecordId;
use adjutant_domain::job::{nothing_planned, planned_for};
use adjutant_domain::record::{Contact, Event, Kind, Mail, Memory, Note, OutboxItem, Record, Task};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, ToSql, params_from_iter};

use crate::cells::{Cells, readable};
use crate::fault::{Fault, Result, is_unique_violation};
use crate::tables::{changes, jobs, origins};
use crate::writer::{Topic, Tx};

/// A record with a table of its own.
pub(crate) trait Row: Sized {
    /// Its kind.
    const KIND: Kind;
    /// Its table.
    const TABLE: &'static str;
    /// Its own columns, in the order of [`Row::bind`].
    const COLUMNS: &'static [&'static str];
    /// Columns of other tables that [`Row::read`] takes after its own, and where they come from.
    const JOINED: Option<(&'static str, &'static str)> = None;
    /// The columns of its word index (`<table>_words`), in the order of [`Row::words`].
    const WORDS: &'static [&'static str];

    /// Values of [`Row::COLUMNS`].
    fn bind(&self) -> Result<Vec<Value>>;
    /// Reads `id`, `version`, [`Row::COLUMNS`] and what is joined.
    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self>;
    /// Lines of words, one a column of [`Row::WORDS`].
    fn words(&self) -> Vec<String>;
    /// By what the same content is recognised when it is imported again.
    fn content_key(&self) -> Option<String>;
    /// Writes what is kept in tables beside.
    fn put_beside(&self, _tx: &Tx<'_>, _pk: i64) -> Result<()> {
        Ok(())
    }
    /// As a record of any kind.
    fn record(self) -> Record;
}

/// Runs an expression with `$row` standing for the type of a kind.
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

/// Runs an expression with the row inside a record.
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

/// `SELECT` up to and with `FROM`; the record's table is called `r`.
pub(crate) fn select<R: Row>() -> String {
    let mut sql = String::from("SELECT r.id, r.version");
    for column in R::COLUMNS {
        let _ = write!(sql, ", r.{column}");
    }
    if let Some((columns, _)) = R::JOINED {
        let _ = write!(sql, ", {columns}");
    }
    let _ = write!(sql, " FROM {} AS r", R::TABLE);
    if let Some((_, join)) = R::JOINED {
        let _ = write!(sql, " {join}");
    }
    sql
}

/// All rows of a query; `rest` is what follows `FROM`.
pub(crate) fn query<R: Row>(
    connection: &Connection,
    rest: &str,
    params: &[&dyn ToSql],
) -> Result<Vec<R>> {
    let mut statement = connection.prepare_cached(&format!("{} {rest}", select::<R>()))?;
    let rows = statement.query_map(params, |row| R::read(&mut Cells::new(row)))?;
    Ok(readable(rows)?)
}

/// One row by its identifier.
pub(crate) fn get<R: Row>(connection: &Connection, id: &RecordId) -> Result<Option<R>> {
    let mut statement = connection.prepare_cached(&format!("{} WHERE r.id = ?1", select::<R>()))?;
    Ok(statement
        .query_row([id.as_str()], |row| R::read(&mut Cells::new(row)))
        .optional()?)
}

/// Rows by their numbers, in the order given.
pub(crate) fn load<R: Row>(connection: &Connection, pks: &[i64]) -> Result<Vec<R>> {
    let mut statement = connection.prepare_cached(&format!("{} WHERE r.pk = ?1", select::<R>()))?;
    let rows = pks.iter().filter_map(|pk| {
        statement
            .query_row([pk], |row| R::read(&mut Cells::new(row)))
            .optional()
            .transpose()
    });
    Ok(readable(rows)?)
}

/// One record of any kind by its identifier.
pub(crate) fn get_record(
    connection: &Connection,
    kind: Kind,
    id: &RecordId,
) -> Result<Option<Record>> {
    with_row!(kind, R => Ok(get::<R>(connection, id)?.map(Row::record)))
}

/// The version of a row, without the row.
pub(crate) fn version(connection: &Connection, kind: Kind, id: &RecordId) -> Result<Option<i64>> {
    let table = with_row!(kind, R => R::TABLE);
    let mut statement =
        connection.prepare_cached(&format!("SELECT version FROM {table} WHERE id = ?1"))?;
    Ok(statement
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?)
}

/// Writes a record with a version, whatever was there before, and everything that follows it: words, people, jobs, the
/// number by which the full-text index notices. Returns its number.
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

/// Removes a row with everything beside it.
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

/// The line of a receipt: what is there now, read back.
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

/// A hash of content, short enough for an index.
pub(crate) fn content_hash(parts: &[&str]) -> String {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    let mut hash = canonical::sha256(&bytes).0;
    hash.truncate(32);
    hash
}
