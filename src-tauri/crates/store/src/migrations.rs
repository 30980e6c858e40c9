//! The format of the database: a list of versions, each assembled from the table files.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::record::Writer;
use adjutant_text::spoken_line;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite_migration::{M, Migrations};

use crate::fault::{Fault, Result};
use crate::tables::mail::writer_number;
use crate::tables::{self, Migration};

/// Newest format this program supports.
pub(crate) const FORMAT: usize = 26;

/// The migrations of every table, in the order in which tables are created.
const HISTORIES: &[&[Migration]] = &[
    tables::changes::MIGRATIONS,
    tables::tasks::MIGRATIONS,
    tables::events::MIGRATIONS,
    tables::notes::MIGRATIONS,
    tables::contacts::MIGRATIONS,
    tables::mail::MIGRATIONS,
    tables::outbox::MIGRATIONS,
    tables::memories::MIGRATIONS,
    tables::conversations::MIGRATIONS,
    tables::turns::MIGRATIONS,
    tables::messages::MIGRATIONS,
    tables::journal::MIGRATIONS,
    tables::actions::MIGRATIONS,
    tables::effects::MIGRATIONS,
    tables::settings::MIGRATIONS,
    tables::egress::MIGRATIONS,
    tables::imports::MIGRATIONS,
    tables::jobs::MIGRATIONS,
    tables::calls::MIGRATIONS,
    tables::compared::MIGRATIONS,
    tables::spend::MIGRATIONS,
    tables::summaries::MIGRATIONS,
    tables::tool_uses::MIGRATIONS,
    tables::shortened::MIGRATIONS,
    tables::provenance::MIGRATIONS,
    tables::accounts::MIGRATIONS,
    tables::collections::MIGRATIONS,
    tables::origins::MIGRATIONS,
    tables::drafts::MIGRATIONS,
    tables::attempts::MIGRATIONS,
    tables::servers::MIGRATIONS,
    tables::grants::MIGRATIONS,
    tables::research::MIGRATIONS,
];

/// Returns the SQL that leads to a format from the one before.
pub(crate) fn sql_of(format: usize) -> String {
    HISTORIES
        .iter()
        .flat_map(|history| history.iter())
        .filter(|step| step.format == format)
        .map(|step| step.sql)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Brings a database up to [`FORMAT`].
pub(crate) fn run(connection: &mut Connection) -> Result<()> {
    run_to(connection, FORMAT)
}

/// Returns the format a database currently has.
pub(crate) fn format_of(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Returns the format of a database, or [`StoreFault::Newer`] if a newer program wrote it.
pub(crate) fn check(connection: &Connection) -> Result<i64> {
    let found = format_of(connection)?;
    let known = i64::try_from(FORMAT).unwrap_or(i64::MAX);
    if found > known {
        return Err(StoreFault::Newer { found, known }.into());
    }
    Ok(found)
}

/// Whether a database has exactly the format this program works with.
pub(crate) fn is_current(connection: &Connection) -> Result<bool> {
    Ok(usize::try_from(check(connection)?) == Ok(FORMAT))
}

/// Registers the SQL functions that migrations call.
pub(crate) fn add_functions(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("spoken_line", 1, flags, |context| {
        Ok(spoken_line([context.get::<String>(0)?.as_str()]))
    })?;
    connection.create_scalar_function("mail_writer", 1, flags, |context| {
        Ok(writer_number(Writer::of(&context.get::<Vec<u8>>(0)?)))
    })?;
    Ok(())
}

/// Brings a database up to a format, one transaction per step.
pub(crate) fn run_to(connection: &mut Connection, format: usize) -> Result<()> {
    if usize::try_from(check(connection)?) == Ok(format) {
        return Ok(());
    }
    add_functions(connection)?;
    let texts: Vec<String> = (1..=format).map(sql_of).collect();
    let steps = texts.iter().map(|sql| M::up(sql)).collect();
    Migrations::new(steps)
        .to_version(connection, format)
        .map_err(|error| match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => Fault::Sql(err),
            other => Fault::other(format!("the profile cannot be brought up to date: {other}")),
        })
}
