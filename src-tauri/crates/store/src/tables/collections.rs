//! Calendars, mailboxes, task lists and address books. Each local calendar has a row; other local records belong to
//! no collection.

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::ids::{AccountId, CollectionId};
use adjutant_domain::operation::RemoteId;
use adjutant_domain::ports::{Listing, RemoteCollection};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};
use adjutant_text::exact_key;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
    format: 7,
    sql: "
    CREATE TABLE collections (
        id TEXT PRIMARY KEY,
        account TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('calendar', 'mailbox', 'task_list', 'address_book')),
        remote_id TEXT CHECK ((account = 'local') = (remote_id IS NULL)),
        name TEXT NOT NULL,
        name_key TEXT NOT NULL CHECK (name_key <> ''),
        colour TEXT,
        writable INTEGER NOT NULL CHECK (writable IN (0, 1)),
        preferred INTEGER NOT NULL CHECK (preferred IN (0, 1)),
        cursor TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX collections_name ON collections (kind, name_key);
    CREATE UNIQUE INDEX collections_remote ON collections (account, kind, remote_id) WHERE remote_id IS NOT NULL;
    CREATE UNIQUE INDEX collections_preferred ON collections (kind) WHERE preferred = 1;
    INSERT INTO collections (id, account, kind, name, name_key, writable, preferred)
        SELECT 'col_' || lower(hex(randomblob(6))), 'local', 'calendar', min(calendar), calendar_key, 1, 0
        FROM events WHERE calendar_key <> '' GROUP BY calendar_key;
    ",
},
    Migration {
        format: 19,
        sql: "
    ALTER TABLE collections ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE collections ADD COLUMN whole_round INTEGER;
    ",
    },
];

/// Highest number of collections per account; any further ones a provider lists are left out.
pub(crate) const COLLECTIONS_MAX: usize = 500;

const COLUMNS: &str =
    "id, account, kind, remote_id, name, colour, writable, preferred, cursor FROM collections";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Collection> {
    let mut cells = Cells::new(row);
    Ok(Collection {
        id: cells.id()?,
        account: cells.id()?,
        kind: cells.name()?,
        remote_id: cells.take::<Option<String>>()?.map(RemoteId),
        name: cells.take()?,
        colour: cells.take()?,
        writable: cells.take()?,
        preferred: cells.take()?,
        cursor: cells.take::<Option<String>>()?.map(Cursor),
    })
}

/// Returns every collection, those of this computer first, then by account, kind and name.
pub(crate) fn list(connection: &Connection) -> Result<Vec<Collection>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} ORDER BY account <> 'local', account, kind, name_key"
    ))?;
    let rows = statement.query_map([], read)?;
    Ok(readable(rows)?)
}

/// Returns the names of all collections, limited to the first `limit` by identifier.
pub(crate) fn names(
    connection: &Connection,
    limit: usize,
) -> Result<Vec<(CollectionId, CollectionKind, String)>> {
    let mut statement =
        connection.prepare_cached("SELECT id, kind, name FROM collections ORDER BY id LIMIT ?1")?;
    let rows = statement.query_map([i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
        let mut cells = Cells::new(row);
        Ok((cells.id()?, cells.name()?, cells.take()?))
    })?;
    Ok(readable(rows)?)
}

/// Returns the collections of an account by kind, then in the order in which its provider lists them.
pub(crate) fn of_account(connection: &Connection, account: &AccountId) -> Result<Vec<Collection>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} WHERE account = ?1 ORDER BY kind, place, name_key"
    ))?;
    let rows = statement.query_map([account.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Returns a collection, or `None` if there is none with this id.
pub(crate) fn get(connection: &Connection, id: &CollectionId) -> Result<Option<Collection>> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()?)
}

/// Returns the collection of a kind with a name.
pub(crate) fn named(
    connection: &Connection,
    kind: CollectionKind,
    name: &str,
) -> Result<Option<Collection>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} WHERE kind = ?1 AND name_key = ?2"
        ))?
        .query_row([kind.as_str(), &exact_key(name)], read)
        .optional()?)
}

/// Creates a local calendar unless a calendar with that name exists.
pub(crate) fn ensure_calendar(tx: &Tx<'_>, name: &str) -> Result<()> {
    let key = exact_key(name);
    if key.is_empty() {
        return Ok(());
    }
    let made = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO collections (id, account, kind, name, name_key, writable, preferred)
             VALUES ('col_' || lower(hex(randomblob(6))), 'local', 'calendar', ?1, ?2, 1, 0)",
        )?
        .execute([name, &key])?;
    if made == 1 {
        tx.touch(Topic::Accounts);
    }
    Ok(())
}

/// Takes over what a provider lists: adds new collections and renames renamed ones. Returns those that are gone from
/// the families that were listed; they stay until the caller has removed their contents.
pub(crate) fn take_over(
    tx: &Tx<'_>,
    account: &AccountId,
    label: &str,
    listing: &Listing,
) -> Result<Vec<Collection>> {
    let known: Vec<Collection> = list(tx)?
        .into_iter()
        .filter(|one| one.account == *account)
        .collect();
    let mut gone = known.clone();
    gone.retain(|one| listing.covers(one.kind));
    let listed = &listing.collections;
    if listed.len() > COLLECTIONS_MAX {
        tracing::warn!(
            listed = listed.len(),
            "an account has more collections than are read"
        );
    }
    for (place, remote) in (0_i64..).zip(listed.iter().take(COLLECTIONS_MAX)) {
        let same = |one: &Collection| {
            one.kind == remote.kind && one.remote_id.as_ref() == Some(&remote.remote_id)
        };
        gone.retain(|one| !same(one));
        match known.iter().find(|one| same(one)) {
            Some(one) => {
                let name = free_name(tx, remote, label, Some(&one.id))?;
                tx.execute(
                    "UPDATE collections SET name = ?2, name_key = ?3, colour = ?4, writable = ?5, place = ?6 WHERE id = ?1",
                    params![one.id.as_str(), name, exact_key(&name), remote.colour, remote.writable, place],
                )?;
            }
            None => {
                let name = free_name(tx, remote, label, None)?;
                tx.execute(
                    "INSERT INTO collections (id, account, kind, remote_id, name, name_key, colour, writable, preferred, place)
                     VALUES ('col_' || lower(hex(randomblob(6))), ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)",
                    params![
                        account.as_str(),
                        remote.kind.as_str(),
                        remote.remote_id.0,
                        name,
                        exact_key(&name),
                        remote.colour,
                        remote.writable,
                        place
                    ],
                )?;
            }
        }
    }
    tx.touch(Topic::Accounts);
    Ok(gone)
}

/// Returns the provider's name for a collection, with the account's label, and if necessary a number, appended if
/// another collection has that name.
fn free_name(
    tx: &Tx<'_>,
    remote: &RemoteCollection,
    label: &str,
    own: Option<&CollectionId>,
) -> Result<String> {
    let plain = remote.name.trim();
    let plain = if plain.is_empty() { label } else { plain };
    let numbered = (2..=COLLECTIONS_MAX + 1).map(|number| format!("{plain} ({label} {number})"));
    let tries = [plain.to_owned(), format!("{plain} ({label})")];
    for name in tries.into_iter().chain(numbered) {
        let other = named(tx, remote.kind, &name)?;
        if other.is_none_or(|other| own == Some(&other.id)) {
            return Ok(name);
        }
    }
    Err(Fault::other(format!(
        "there are too many collections called “{plain}”"
    )))
}

/// Stores how far a collection was read and, in the middle of a full reading, the number of that reading.
pub(crate) fn set_cursor(
    tx: &Tx<'_>,
    id: &CollectionId,
    cursor: &Cursor,
    whole_round: Option<i64>,
) -> Result<()> {
    let rows = tx.execute(
        "UPDATE collections SET cursor = ?2, whole_round = ?3 WHERE id = ?1",
        params![id.as_str(), cursor.0, whole_round],
    )?;
    if rows == 1 { Ok(()) } else { Err(missing(id)) }
}

/// Returns the number of a full reading that was cut off, or `None` if there is none.
pub(crate) fn whole_round(connection: &Connection, id: &CollectionId) -> Result<Option<i64>> {
    Ok(connection
        .prepare_cached("SELECT whole_round FROM collections WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?
        .flatten())
}

/// Makes a collection the target for new records of its kind; `None` clears the target.
pub(crate) fn prefer(tx: &Tx<'_>, kind: CollectionKind, id: Option<&CollectionId>) -> Result<()> {
    tx.execute(
        "UPDATE collections SET preferred = 0 WHERE kind = ?1",
        [kind.as_str()],
    )?;
    if let Some(id) = id {
        let found = tx.execute(
            "UPDATE collections SET preferred = 1 WHERE id = ?1 AND kind = ?2",
            [id.as_str(), kind.as_str()],
        )?;
        if found == 0 {
            return Err(missing(id));
        }
    }
    tx.touch(Topic::Accounts);
    Ok(())
}

/// Removes a collection. The caller has already removed its contents.
pub(crate) fn remove(tx: &Tx<'_>, id: &CollectionId) -> Result<()> {
    tx.execute("DELETE FROM collections WHERE id = ?1", [id.as_str()])?;
    tx.touch(Topic::Accounts);
    Ok(())
}

fn missing(id: &CollectionId) -> Fault {
    Fault::missing(format!("the collection {id}"))
}
