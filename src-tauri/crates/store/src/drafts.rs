//! Drafts that are also kept at an account's provider: links the two copies and takes over changes from there.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, RecordId, RemoteId};
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Kind, OutboxItem, OutboxState, Record};
use adjutant_domain::source::Taint;
use rusqlite::Connection;

use crate::fault::{Fault, Result};
use crate::store::Store;
use crate::tables::drafts::{self, DraftLink};
use crate::tables::{mail, origins, provenance};
use crate::tx::Tx;
use crate::{import, row, rows};

/// A draft on this computer.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftHere {
    /// The draft's row.
    pub item: OutboxItem,
    /// The account that received the mail it answers; `None` if it answers none.
    pub answers_in: Option<AccountId>,
}

impl Store {
    /// Returns the local drafts that do not belong to another account, and the known links to drafts at the provider.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn drafts_of(
        &self,
        account: AccountId,
    ) -> std::result::Result<(Vec<DraftHere>, Vec<DraftLink>), StoreFault> {
        self.read(move |connection| {
            let mut here = Vec::new();
            for id in drafts::free(connection, &account)? {
                if let Some(item) = row::get::<OutboxItem>(connection, &id)? {
                    let answers_in = answered_in(connection, &item)?;
                    here.push(DraftHere { item, answers_in });
                }
            }
            Ok((here, drafts::of_account(connection, &account)?))
        })
        .await
    }

    /// Records that a row and a draft at the provider are the same, or that a draft exists only at the provider.
    /// `instead` is the provider's previous id of the draft.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn link_draft(
        &self,
        account: AccountId,
        link: DraftLink,
        instead: Option<RemoteId>,
    ) -> std::result::Result<(), StoreFault> {
        self.write("link_draft", move |tx| {
            if let Some(old) = instead {
                drafts::remove(tx, &account, &old)?;
            }
            drafts::put(tx, &account, &link)
        })
        .await
    }

    /// Removes the link for a draft at the provider.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn unlink_draft(
        &self,
        account: AccountId,
        remote: RemoteId,
    ) -> std::result::Result<(), StoreFault> {
        self.write("unlink_draft", move |tx| {
            drafts::remove(tx, &account, &remote)
        })
        .await
    }

    /// Takes over a draft's text from the provider. It replaces the local draft if that still has the version of
    /// `item`; version 0 adds a new draft.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] if the draft has been changed or sent meanwhile; otherwise when storage fails.
    pub async fn take_draft(
        &self,
        account: AccountId,
        item: OutboxItem,
        link: DraftLink,
    ) -> std::result::Result<(), StoreFault> {
        self.write("take_draft", move |tx| {
            let mut record = Record::Outbox(item);
            let version = record.version();
            match version {
                0 => import::fresh_id(tx, &mut record)?,
                _ => still_a_draft(tx, record.id(), version)?,
            }
            rows::put_record(tx, &record, version + 1)?;
            let author = Author::Account {
                id: account.0.clone(),
            };
            let taint = Taint::Tainted;
            provenance::note(tx, record.id(), &Provenance { author, taint })?;
            let record = Some(record.id().clone());
            drafts::put(tx, &account, &DraftLink { record, ..link })
        })
        .await
    }

    /// Removes a draft that was sent or deleted elsewhere.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] if it has been changed or sent meanwhile; otherwise when storage fails.
    pub async fn remove_draft(
        &self,
        account: AccountId,
        record: RecordId,
        version: i64,
        remote: RemoteId,
    ) -> std::result::Result<(), StoreFault> {
        self.write("remove_draft", move |tx| {
            still_a_draft(tx, &record, version)?;
            rows::delete_record(tx, Kind::Outbox, &record)?;
            drafts::remove(tx, &account, &remote)
        })
        .await
    }
}

/// Removes the drafts that came from an account.
pub(crate) fn forget(tx: &Tx<'_>, account: &AccountId) -> Result<()> {
    for link in drafts::of_account(tx, account)? {
        let Some(record) = link.record else {
            continue;
        };
        let ids = [record];
        let known = provenance::of(tx, &ids)?;
        let came = known
            .values()
            .any(|of| matches!(&of.author, Author::Account { id } if *id == account.0));
        let [record] = ids;
        let row = row::get::<OutboxItem>(tx, &record)?;
        if came && row.is_some_and(|row| row.state == OutboxState::Draft) {
            rows::delete_record(tx, Kind::Outbox, &record)?;
        }
    }
    Ok(())
}

fn still_a_draft(tx: &Tx<'_>, id: &RecordId, version: i64) -> Result<()> {
    match row::get::<OutboxItem>(tx, id)? {
        Some(row) if row.version == version && row.state == OutboxState::Draft => Ok(()),
        _ => Err(Fault::conflict("the draft")),
    }
}

/// Returns the account that has the mail a draft answers or forwards.
fn answered_in(connection: &Connection, item: &OutboxItem) -> Result<Option<AccountId>> {
    let Some(message_id) = item.in_reply_to.as_ref().or(item.forward_of.as_ref()) else {
        return Ok(None);
    };
    let Some(mail) = mail::called(connection, message_id)? else {
        return Ok(None);
    };
    Ok(origins::shown(connection, &mail)?.map(|origin| origin.account))
}
