//! What all record tables have in common: a row is put, read and deleted in one way.
//!
//! Every record table has the columns `pk` (a number, which the word index shares), `id`, `version`, `content_key`
//! (a hash by which the same content is recognised on import) and `import_key` (the hash of what was imported, which
//! stays when the person changes the row), besides its own.

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

/// Where the name of a record stands, as SQL expressions over its table `r`.
pub(crate) struct Naming {
    /// The name.
    pub(crate) name: &'static str,
    /// When it begins or came, in microseconds; null where it has no time.
    pub(crate) from: &'static str,
    /// When it is over, in microseconds; null where it is not.
    pub(crate) to: &'static str,
    /// The moment that is shown with the name: its text, microseconds, or null.
    pub(crate) when: &'static str,
    /// Whether it is found by its name.
    pub(crate) shown: &'static str,
}

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
    /// The table of people beside it.
    const PEOPLE: Option<&'static PeopleTable> = None;
    /// The columns of its word index (`<table>_words`), in the order of [`Row::words`].
    const WORDS: &'static [&'static str];

    /// Where its name stands; none for what has no name of its own.
    const NAMING: Option<Naming> = None;

    /// Values of [`Row::COLUMNS`].
    fn bind(&self) -> Result<Vec<Value>>;
    /// Reads `id`, `version`, [`Row::COLUMNS`] and what is joined.
    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self>;
    /// Lines of words, one a column of [`Row::WORDS`].
    fn words(&self) -> Vec<String>;
    /// By what the same content is recognised when it is imported again.
    fn content_key(&self) -> Option<String>;
    /// Adds a test of a list that only this kind knows; false where it does not.
    fn test(_condition: &mut Condition, _test: &Test) -> bool {
        false
    }
    /// Adds what holds for every list of this kind, whatever is asked for.
    fn always(_condition: &mut Condition, _filter: &Filter) {}
    /// An order of a list, after `ORDER BY`; none where this kind does not know it.
    fn order(order: Order) -> Option<&'static str>;
    /// Writes what is kept in tables beside.
    fn put_beside(&self, _tx: &Tx<'_>, _pk: i64) -> Result<()> {
        Ok(())
    }
    /// As a record of any kind.
    fn record(self) -> Record;
}

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
