//! Accounts at providers. The account `local`, this computer, always exists and has no row.

use std::collections::BTreeMap;

use adjutant_domain::account::{Account, AccountSetup, AccountState, LastSync};
use adjutant_domain::ids::AccountId;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, optional, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        format: 7,
        sql: "
    CREATE TABLE accounts (
        id TEXT PRIMARY KEY CHECK (id <> 'local'),
        kind TEXT NOT NULL,
        label TEXT NOT NULL,
        addresses TEXT NOT NULL CHECK (json_valid(addresses)),
        state TEXT NOT NULL CHECK (state IN ('ready', 'signed_out', 'off'))
    ) STRICT, WITHOUT ROWID;
    ",
    },
    Migration {
        format: 17,
        sql: "
    ALTER TABLE accounts ADD COLUMN setup TEXT NOT NULL DEFAULT '{\"settings\":{},\"secrets\":[]}' CHECK (json_valid(setup));
    ALTER TABLE accounts ADD COLUMN read_at INTEGER;
    ALTER TABLE accounts ADD COLUMN problem TEXT CHECK (problem IS NULL OR json_valid(problem));
    ",
    },
];

/// Label of the account `local`.
const HERE: &str = "This computer";

/// Returns the account for everything that is only on this computer.
fn local() -> Account {
    Account {
        id: AccountId::local(),
        kind: AccountId::LOCAL.into(),
        label: HERE.into(),
        addresses: Vec::new(),
        state: AccountState::Ready,
    }
}

/// Returns every account, `local` first, then by label.
pub(crate) fn list(connection: &Connection) -> Result<Vec<Account>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, kind, label, addresses, state FROM accounts ORDER BY label, id",
    )?;
    let rows = statement.query_map([], |row| {
        let mut cells = Cells::new(row);
        Ok(Account {
            id: cells.id()?,
            kind: cells.take()?,
            label: cells.take()?,
            addresses: cells.json()?,
            state: cells.name()?,
        })
    })?;
    let mut all = vec![local()];
    all.extend(readable(rows)?);
    Ok(all)
}

/// Adds an account, or updates a known one.
pub(crate) fn put(tx: &Tx<'_>, account: &Account) -> Result<()> {
    if account.id.is_local() {
        return Err(Fault::other("this computer is always there"));
    }
    tx.prepare_cached(
        "INSERT INTO accounts (id, kind, label, addresses, state) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, label = excluded.label,
            addresses = excluded.addresses, state = excluded.state",
    )?
    .execute(params![
        account.id.as_str(),
        account.kind,
        account.label,
        json(&account.addresses)?,
        account.state.as_str()
    ])?;
    tx.touch(Topic::Accounts);
    Ok(())
}

/// Returns the connection settings of an account, or `None` if there is no such account.
pub(crate) fn setup(connection: &Connection, id: &AccountId) -> Result<Option<AccountSetup>> {
    Ok(connection
        .prepare_cached("SELECT setup FROM accounts WHERE id = ?1")?
        .query_row([id.as_str()], |row| Cells::new(row).json())
        .optional()?)
}

/// Replaces the connection settings of an account.
pub(crate) fn set_setup(tx: &Tx<'_>, id: &AccountId, setup: &AccountSetup) -> Result<()> {
    let rows = tx.execute(
        "UPDATE accounts SET setup = ?2 WHERE id = ?1",
        params![id.as_str(), json(setup)?],
    )?;
    known(rows, id)
}

/// Returns the result of the last sync of each account.
pub(crate) fn last_syncs(connection: &Connection) -> Result<BTreeMap<AccountId, LastSync>> {
    let mut statement = connection.prepare_cached("SELECT id, read_at, problem FROM accounts")?;
    let rows = statement.query_map([], |row| {
        let mut cells = Cells::new(row);
        let id = cells.id()?;
        let last = LastSync {
            read: cells.optional_time()?,
            problem: cells.optional_json()?,
        };
        Ok((id, last))
    })?;
    Ok(readable(rows)?.into_iter().collect())
}

/// Records the result of a sync and the account's state. An account the person has meanwhile switched off stays off.
pub(crate) fn note_sync(
    tx: &Tx<'_>,
    id: &AccountId,
    last: &LastSync,
    state: AccountState,
) -> Result<()> {
    let rows = tx.execute(
        "UPDATE accounts SET read_at = coalesce(?2, read_at), problem = ?3,
            state = CASE state WHEN 'off' THEN 'off' ELSE ?4 END WHERE id = ?1",
        params![
            id.as_str(),
            optional(last.read.map(micros)),
            last.problem.as_ref().map(json).transpose()?,
            state.as_str()
        ],
    )?;
    tx.touch(Topic::Accounts);
    known(rows, id)
}

fn known(rows: usize, id: &AccountId) -> Result<()> {
    match rows {
        1 => Ok(()),
        _ => Err(Fault::missing(format!("the account {id}"))),
    }
}

/// Removes an account. The caller has already removed its collections and what lived only there.
pub(crate) fn remove(tx: &Tx<'_>, id: &AccountId) -> Result<()> {
    let rows = tx.execute("DELETE FROM accounts WHERE id = ?1", [id.as_str()])?;
    tx.touch(Topic::Accounts);
    known(rows, id)
}
