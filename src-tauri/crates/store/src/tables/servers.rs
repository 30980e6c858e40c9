//! Tool servers that the person added. What is stored of a server contains no secret.

use adjutant_domain::server::{Server, ServerName};
use rusqlite::{Connection, params};

use crate::cells::{Cells, json, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 21,
    sql: "
    CREATE TABLE servers (
        name TEXT PRIMARY KEY,
        server TEXT NOT NULL CHECK (json_valid(server))
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Returns all servers, by name.
pub(crate) fn list(connection: &Connection) -> Result<Vec<Server>> {
    let mut statement = connection.prepare_cached("SELECT server FROM servers ORDER BY name")?;
    let rows = statement.query_map([], |row| Cells::new(row).json())?;
    Ok(readable(rows)?)
}

/// Adds a server, or updates a known one.
pub(crate) fn put(tx: &Tx<'_>, server: &Server) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO servers (name, server) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET server = excluded.server",
    )?
    .execute(params![server.name.as_str(), json(server)?])?;
    tx.touch(Topic::Servers);
    Ok(())
}

/// Removes a server.
pub(crate) fn remove(tx: &Tx<'_>, name: &ServerName) -> Result<()> {
    let rows = tx.execute("DELETE FROM servers WHERE name = ?1", [name.as_str()])?;
    tx.touch(Topic::Servers);
    match rows {
        1 => Ok(()),
        _ => Err(Fault::missing(format!("the server {name}"))),
    }
}
