//! What all record tables have in common: rows are written, read and deleted in one way.
//!
//! Besides its own columns, every record table has `pk` (a number that the word index shares), `id`, `version`,
//! `content_key` (a hash that identifies the same content on import) and `import_key` (the hash of what was imported,
//! which stays when the person changes the row).

use std::fmt::Write as _;

use adjutant_domain::canonical;
use adjutant_domain::filter::{Filter, Order, Test};
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Kind, Record};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, ToSql};

use crate::cells::{Cells, readable};
use crate::condition::Condition;
use crate::fault::Result;
use crate::people::PeopleTable;
use crate::tx::Tx;

/// Describes the name of a record, as SQL expressions over its table `r`.
pub(crate) struct Naming {
    /// The name itself.
    pub(crate) name: &'static str,
    /// When the record begins or arrived, in microseconds; null if it has no time.
    pub(crate) from: &'static str,
    /// When it ends, in microseconds; null if it has no end.
    pub(crate) to: &'static str,
    /// The moment shown with the name: its text, microseconds, or null.
    pub(crate) when: &'static str,
    /// Whether the record can be found by its name.
    pub(crate) shown: &'static str,
}

/// A record that has a table of its own.
pub(crate) trait Row: Sized {
    /// Kind of the record.
    const KIND: Kind;
    /// Name of its table.
    const TABLE: &'static str;
    /// Its own columns, in the order of [`Row::bind`].
    const COLUMNS: &'static [&'static str];
    /// Columns of other tables that [`Row::read`] takes after its own, and the join that supplies them.
    const JOINED: Option<(&'static str, &'static str)> = None;
    /// The people table that belongs to it, if any.
    const PEOPLE: Option<&'static PeopleTable> = None;
    /// The columns of its word index (`<table>_words`), in the order of [`Row::words`].
    const WORDS: &'static [&'static str];

    /// Where its name comes from; `None` if it has no name of its own.
    const NAMING: Option<Naming> = None;

    /// Returns the values of [`Row::COLUMNS`].
    fn bind(&self) -> Result<Vec<Value>>;
    /// Reads `id`, `version`, [`Row::COLUMNS`] and the joined columns.
    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self>;
    /// Returns one line of words for each column of [`Row::WORDS`].
    fn words(&self) -> Vec<String>;
    /// Returns the key that identifies the same content when it is imported again.
    fn content_key(&self) -> Option<String>;
    /// Adds a list test that only this kind supports. Returns `false` if it does not support the test.
    fn test(_condition: &mut Condition, _test: &Test) -> bool {
        false
    }
    /// Adds the conditions that apply to every list of this kind.
    fn always(_condition: &mut Condition, _filter: &Filter) {}
    /// Returns the SQL that follows `ORDER BY`, or `None` if this kind does not support the order.
    fn order(order: Order) -> Option<&'static str>;
    /// Writes the parts of the record that are kept in other tables.
    fn put_beside(&self, _tx: &Tx<'_>, _pk: i64) -> Result<()> {
        Ok(())
    }
    /// Wraps the row as a record of any kind.
    fn record(self) -> Record;
}

/// Builds the `SELECT` up to and including `FROM`; the record's table is called `r`.
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

/// Returns all rows of a query; `rest` is the SQL after the table name.
pub(crate) fn query<R: Row>(
    connection: &Connection,
    rest: &str,
    params: &[&dyn ToSql],
) -> Result<Vec<R>> {
    let mut statement = connection.prepare_cached(&format!("{} {rest}", select::<R>()))?;
    let rows = statement.query_map(params, |row| R::read(&mut Cells::new(row)))?;
    Ok(readable(rows)?)
}

/// Returns a row by its identifier.
pub(crate) fn get<R: Row>(connection: &Connection, id: &RecordId) -> Result<Option<R>> {
    let mut statement = connection.prepare_cached(&format!("{} WHERE r.id = ?1", select::<R>()))?;
    Ok(statement
        .query_row([id.as_str()], |row| R::read(&mut Cells::new(row)))
        .optional()?)
}

/// Returns rows by their numbers, in the given order.
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

/// Hashes content into a key short enough for an index.
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
