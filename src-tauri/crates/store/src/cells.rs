//! Converts values to and from columns: instants, moments, lists.

use std::str::FromStr as _;

use adjutant_domain::moment::Moment;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::types::{FromSql, Type, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::{Fault, Result};

/// Returns microseconds since 1970, truncating anything finer.
pub(crate) fn micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

/// Returns the instant stored in a column, clamped to the range of [`Timestamp`].
pub(crate) fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(if micros < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}

/// Returns the position of a moment in the index. Days are indexed as if they began in UTC; `moment_at` in SQL
/// corrects that.
pub(crate) fn moment_micros(moment: &Moment) -> i64 {
    micros(moment.starts(&TimeZone::UTC))
}

/// Serialises a value for a JSON column.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(Fault::from)
}

/// Converts an optional value to a column value; `None` becomes `NULL`.
pub(crate) fn optional<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Null, Into::into)
}

/// Reads the columns of a row one after the other.
pub(crate) struct Cells<'row, 'stmt> {
    row: &'row rusqlite::Row<'stmt>,
    at: usize,
}

impl<'row, 'stmt> Cells<'row, 'stmt> {
    pub(crate) fn new(row: &'row rusqlite::Row<'stmt>) -> Self {
        Self { row, at: 0 }
    }

    /// Reads the next column.
    pub(crate) fn take<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let value = self.row.get(self.at);
        self.at += 1;
        value
    }

    /// Skips columns.
    pub(crate) fn skip(&mut self, columns: usize) {
        self.at += columns;
    }

    /// Reads the next column as an identifier.
    pub(crate) fn id<T: From<String>>(&mut self) -> rusqlite::Result<T> {
        Ok(T::from(self.take::<String>()?))
    }

    /// Reads the next column as an optional identifier.
    pub(crate) fn optional_id<T: From<String>>(&mut self) -> rusqlite::Result<Option<T>> {
        Ok(self.take::<Option<String>>()?.map(T::from))
    }

    /// Reads the next column as an instant.
    pub(crate) fn time(&mut self) -> rusqlite::Result<Timestamp> {
        Ok(timestamp(self.take()?))
    }

    /// Reads the next column as an optional instant.
    pub(crate) fn optional_time(&mut self) -> rusqlite::Result<Option<Timestamp>> {
        Ok(self.take::<Option<i64>>()?.map(timestamp))
    }

    /// Reads the next column as a moment.
    pub(crate) fn moment(&mut self) -> rusqlite::Result<Moment> {
        let text: String = self.take()?;
        Moment::from_str(&text).map_err(|error| self.unreadable(error))
    }

    /// Reads the next column as an optional moment.
    pub(crate) fn optional_moment(&mut self) -> rusqlite::Result<Option<Moment>> {
        let text: Option<String> = self.take()?;
        text.map(|text| Moment::from_str(&text))
            .transpose()
            .map_err(|error| self.unreadable(error))
    }

    /// Reads the next column as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&mut self) -> rusqlite::Result<T> {
        let text: String = self.take()?;
        serde_json::from_str(&text).map_err(|error| self.unreadable(error))
    }

    /// Reads the next column as an optional day.
    pub(crate) fn optional_day(&mut self) -> rusqlite::Result<Option<Date>> {
        let text: Option<String> = self.take()?;
        text.map(|text| Date::from_str(&text))
            .transpose()
            .map_err(|error| self.unreadable(error))
    }

    /// Reads the next column as optional JSON.
    pub(crate) fn optional_json<T: DeserializeOwned>(&mut self) -> rusqlite::Result<Option<T>> {
        let text: Option<String> = self.take()?;
        text.map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|error| self.unreadable(error))
    }

    /// Reads the next column as optional JSON that the rest of the row does not depend on. A value that cannot be
    /// parsed, such as one written in an older form, is logged and read as `None`.
    pub(crate) fn lenient_json<T: DeserializeOwned>(&mut self) -> rusqlite::Result<Option<T>> {
        match self.optional_json() {
            Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
                tracing::warn!(%error, "a stored value is not understood and left out");
                Ok(None)
            }
            read => read,
        }
    }

    /// Reads the next column as an enum stored under its name.
    pub(crate) fn name<T: DeserializeOwned>(&mut self) -> rusqlite::Result<T> {
        let text: String = self.take()?;
        serde_json::from_value(serde_json::Value::String(text))
            .map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
        rusqlite::Error::FromSqlConversionFailure(
            self.at.saturating_sub(1),
            Type::Text,
            Box::new(error),
        )
    }
}

/// Returns the name of an enum variant on the wire and in storage.
pub(crate) fn name_of<T: Serialize>(value: &T) -> Result<String> {
    match serde_json::to_value(value)? {
        serde_json::Value::String(name) => Ok(name),
        other => Err(Fault::other(format!("{other} is no name"))),
    }
}

/// Collects the rows of a query. A row that cannot be read is logged and skipped, so that the others are still
/// returned.
pub(crate) fn readable<T>(
    rows: impl Iterator<Item = rusqlite::Result<T>>,
) -> rusqlite::Result<Vec<T>> {
    let mut found = Vec::with_capacity(rows.size_hint().0);
    for row in rows {
        match row {
            Ok(row) => found.push(row),
            Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
                tracing::error!(%error, "a stored row cannot be read and is left out");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
