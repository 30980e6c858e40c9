//! Settings of the profile: keys with JSON values.

use rusqlite::{Connection, OptionalExtension as _};
use serde_json::Value;

use crate::cells::{Cells, json};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE settings (
        key TEXT PRIMARY KEY NOT NULL CHECK (key <> ''),
        value TEXT NOT NULL CHECK (json_valid(value))
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Returns the value of a setting, or `None` if it is not set.
pub(crate) fn get(connection: &Connection, key: &str) -> Result<Option<Value>> {
    Ok(connection
        .prepare_cached("SELECT value FROM settings WHERE key = ?1")?
        .query_row([key], |row| Cells::new(row).json())
        .optional()?)
}

/// Returns all settings, by key.
pub(crate) fn list(connection: &Connection) -> Result<Vec<(String, Value)>> {
    let mut statement =
        connection.prepare_cached("SELECT key, value FROM settings ORDER BY key")?;
    let rows = statement.query_map([], |row| {
        let mut cells = Cells::new(row);
        Ok((cells.take()?, cells.json()?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores a setting.
pub(crate) fn set(tx: &Tx<'_>, key: &str, value: &Value) -> Result<()> {
    tx.execute(
        "INSERT INTO settings (key, value) VALUES (?1, ?2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [key, &json(value)?],
    )?;
    tx.touch(Topic::Settings);
    Ok(())
}

/// Removes a setting and returns whether it was set.
pub(crate) fn remove(tx: &Tx<'_>, key: &str) -> Result<bool> {
    let rows = tx.execute("DELETE FROM settings WHERE key = ?1", [key])?;
    tx.touch(Topic::Settings);
    Ok(rows == 1)
}
