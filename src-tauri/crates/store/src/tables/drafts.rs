//! Links the drafts on this computer to those of an account, and keeps the text both last agreed
//! on.

use adjutant_domain::ids::{AccountId, RecordId, RemoteId};
use rusqlite::{Connection, params};

use crate::cells::{Cells, readable};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 25,
    // A row without `record` is a draft that exists only at the provider.
    sql: "
    CREATE TABLE drafts (
        account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        remote_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        record TEXT,
        base TEXT NOT NULL,
        PRIMARY KEY (account, remote_id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX drafts_record ON drafts (record) WHERE record IS NOT NULL;
    ",
}];

/// A draft at a provider and the local row it is linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftLink {
    /// The provider's id of the draft.
    pub remote: RemoteId,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// The local row; `None` if the draft exists only at the provider.
    pub record: Option<RecordId>,
    /// Digest of the text that both sides last had in common.
    pub base: String,
}

/// Returns the links of all drafts of an account.
pub(crate) fn of_account(connection: &Connection, account: &AccountId) -> Result<Vec<DraftLink>> {
    let mut statement = connection.prepare_cached(
        "SELECT remote_id, message_id, record, base FROM drafts WHERE account = ?1 ORDER BY remote_id",
    )?;
    let rows = statement.query_map([account.as_str()], |row| {
        let mut cells = Cells::new(row);
        Ok(DraftLink {
            remote: RemoteId(cells.take()?),
            message_id: cells.take()?,
            record: cells.take::<Option<String>>()?.map(RecordId),
            base: cells.take()?,
        })
    })?;
    Ok(readable(rows)?)
}

/// Stores a link, replacing any earlier one of its row or its remote id.
pub(crate) fn put(tx: &Tx<'_>, account: &AccountId, link: &DraftLink) -> Result<()> {
    let record = link.record.as_ref().map(|record| record.as_str());
    tx.prepare_cached("DELETE FROM drafts WHERE record = ?1")?
        .execute([record])?;
    tx.prepare_cached(
        "INSERT INTO drafts (account, remote_id, message_id, record, base) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (account, remote_id) DO UPDATE SET message_id = excluded.message_id,
            record = excluded.record, base = excluded.base",
    )?
    .execute(params![
        account.as_str(),
        link.remote.0,
        link.message_id,
        record,
        link.base
    ])?;
    Ok(())
}

/// Removes the link with a remote id.
pub(crate) fn remove(tx: &Tx<'_>, account: &AccountId, remote: &RemoteId) -> Result<()> {
    tx.prepare_cached("DELETE FROM drafts WHERE account = ?1 AND remote_id = ?2")?
        .execute([account.as_str(), &remote.0])?;
    Ok(())
}

/// Returns the local drafts that are not linked to another account.
pub(crate) fn free(connection: &Connection, account: &AccountId) -> Result<Vec<RecordId>> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM outbox WHERE state = 'draft'
         AND NOT EXISTS (SELECT 1 FROM drafts WHERE record = outbox.id AND account <> ?1) ORDER BY pk",
    )?;
    let rows = statement.query_map([account.as_str()], |row| row.get(0).map(RecordId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
