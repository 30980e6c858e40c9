//! Accounts at providers. This computer, the account `local`, is always there and has no row.

use adjutant_domain::account::{Account, AccountState};
use adjutant_domain::ids::AccountId;
use rusqlite::{Connection, params};

use crate::cells::{Cells, json, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
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
}];

/// What the account of this computer is called.
const HERE: &str = "This computer";

/// The account of everything that is only on this computer.
fn local() -> Account {
    Account {
        id: AccountId::local(),
        kind: AccountId::LOCAL.into(),
        label: HERE.into(),
        addresses: Vec::new(),
        state: AccountState::Ready,
    }
}

/// Every account, `local` first, then by label.
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

/// Adds an account or replaces what is known of it.
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

/// Forgets an account; its collections and what lived there only are removed before.
pub(crate) fn remove(tx: &Tx<'_>, id: &AccountId) -> Result<()> {
    let rows = tx.execute("DELETE FROM accounts WHERE id = ?1", [id.as_str()])?;
    tx.touch(Topic::Accounts);
    if rows == 1 {
        Ok(())
    } else {
        Err(Fault::missing(format!("the account {id}")))
    }
}
