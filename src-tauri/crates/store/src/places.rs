//! Places where records live, and adding and removing accounts.
//!
//! A record that exists at several places is one row. The row shows the version of one place; the versions of the
//! others are kept beside it, and when the shown place goes away, another takes over.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::account::{
    Account, AccountSetup, AccountState, Collection, CollectionKind, LastSync, Origin, Origins,
    RemoteRecord,
};
use adjutant_domain::change::{Change, RowOp};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, CollectionId, RecordId};
use adjutant_domain::job::{Job, JobKind};
use adjutant_domain::operation::{CalendarOp, CollectionRef, MailOp, Receipt, RemoteId, RemoteOp};
use adjutant_domain::ports::Listing;
use adjutant_domain::record::{Event, Kind, Record};
use rusqlite::Connection;

use crate::fault::{Fault, Result};
use crate::store::Store;
use crate::tables::origins::{self, Placed};
use crate::tables::{accounts, collections, events, jobs};
use crate::tx::Tx;
use crate::{drafts, row, rows};

/// Accounts and their collections.
impl Store {
    /// Adds an account, or updates a known one.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn put_account(&self, account: Account) -> std::result::Result<(), StoreFault> {
        self.write("put_account", move |tx| accounts::put(tx, &account))
            .await
    }

    /// Adds an account together with its connection settings and the job that syncs it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn add_account(
        &self,
        account: Account,
        setup: AccountSetup,
        job: Job,
    ) -> std::result::Result<(), StoreFault> {
        self.write("add_account", move |tx| {
            accounts::put(tx, &account)?;
            accounts::set_setup(tx, &account.id, &setup)?;
            jobs::put(tx, &job)
        })
        .await
    }

    /// Returns the connection settings of an account, or `None` if there is no such account.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn account_setup(
        &self,
        id: AccountId,
    ) -> std::result::Result<Option<AccountSetup>, StoreFault> {
        self.read(move |connection| accounts::setup(connection, &id))
            .await
    }

    /// Replaces the connection settings of an account.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such account; otherwise when storage fails.
    pub async fn set_account_setup(
        &self,
        id: AccountId,
        setup: AccountSetup,
    ) -> std::result::Result<(), StoreFault> {
        self.write("set_account_setup", move |tx| {
            accounts::set_setup(tx, &id, &setup)
        })
        .await
    }

    /// Returns the result of the last sync of each account.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn last_syncs(
        &self,
    ) -> std::result::Result<BTreeMap<AccountId, LastSync>, StoreFault> {
        self.read(accounts::last_syncs).await
    }

    /// Records the result of a sync: whether the account can be used, when it was last read to the end, and any
    /// problem.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such account; otherwise when storage fails.
    pub async fn note_sync(
        &self,
        id: AccountId,
        last: LastSync,
        state: AccountState,
    ) -> std::result::Result<(), StoreFault> {
        self.write("note_sync", move |tx| {
            accounts::note_sync(tx, &id, &last, state)
        })
        .await
    }

    /// Removes an account but keeps what was read from it: its records now live only on this computer, and its
    /// calendars become local calendars.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such account; otherwise when storage fails.
    pub async fn leave_account(&self, id: AccountId) -> std::result::Result<(), StoreFault> {
        self.write("leave_account", move |tx| {
            for collection in collections::list(tx)? {
                if collection.account != id {
                    continue;
                }
                for placed in origins::in_collection(tx, &collection.id)? {
                    leave(tx, &placed)?;
                }
                collections::remove(tx, &collection.id)?;
                if collection.kind == CollectionKind::Calendar {
                    collections::ensure_calendar(tx, &collection.name)?;
                }
            }
            jobs::nothing_planned(tx, JobKind::Sync, id.as_str())?;
            accounts::remove(tx, &id)
        })
        .await
    }

    /// Removes an account with its collections and every record that lives nowhere else. Sends nothing to the
    /// provider.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such account; otherwise when storage fails.
    pub async fn remove_account(&self, id: AccountId) -> std::result::Result<(), StoreFault> {
        self.write("remove_account", move |tx| {
            drafts::forget(tx, &id)?;
            for collection in collections::list(tx)? {
                if collection.account == id {
                    remove_collection(tx, &collection.id)?;
                }
            }
            jobs::nothing_planned(tx, JobKind::Sync, id.as_str())?;
            accounts::remove(tx, &id)
        })
        .await
    }

    /// Takes over the collections a provider lists: adds new ones, renames renamed ones together with the calendar
    /// name of their events, and removes a collection and its contents if its family was listed without it.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such account; otherwise when storage fails.
    pub async fn put_collections(
        &self,
        id: AccountId,
        listing: Listing,
    ) -> std::result::Result<(), StoreFault> {
        self.write("put_collections", move |tx| {
            let known = accounts::list(tx)?;
            let Some(account) = known.iter().find(|one| one.id == id && !id.is_local()) else {
                return Err(Fault::missing(format!("the account {id}")));
            };
            for gone in collections::take_over(tx, &id, &account.label, &listing)? {
                remove_collection(tx, &gone.id)?;
            }
            let own = collections::list(tx)?;
            for collection in own.iter().filter(|one| one.account == id) {
                rename_events(tx, collection)?;
            }
            Ok(())
        })
        .await
    }

    /// Makes a collection the target for new records of a kind; `None` keeps them on this computer.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such collection of this kind; otherwise when storage fails.
    pub async fn prefer_collection(
        &self,
        kind: CollectionKind,
        id: Option<CollectionId>,
    ) -> std::result::Result<(), StoreFault> {
        self.write("prefer_collection", move |tx| {
            collections::prefer(tx, kind, id.as_ref())
        })
        .await
    }
}

/// Returns the accounts, collections and remote records on which `operation::operations` bases its decision.
pub(crate) fn of_change(connection: &Connection, change: &Change) -> Result<Origins> {
    let accounts = accounts::list(connection)?;
    if accounts.iter().all(|account| account.id.is_local()) {
        return Ok(Origins::default());
    }
    let mut records: Vec<RemoteRecord> = Vec::new();
    for op in &change.ops {
        let (kind, id) = (op.kind(), op.id());
        let stored = rows::get_record(connection, kind, id)?;
        let uid = match (op, &stored) {
            (RowOp::Put { record, .. }, _) => uid_of(record),
            (_, Some(stored)) => uid_of(stored),
            _ => None,
        };
        let mut touched: Vec<Record> = stored.into_iter().collect();
        if let Some(uid) = uid {
            touched.extend(
                events::of_uid(connection, &uid)?
                    .into_iter()
                    .map(Record::Event),
            );
        }
        for record in touched {
            if records.iter().all(|known| known.record.id() != record.id())
                && let Some(origin) = origins::shown(connection, record.id())?
            {
                records.push(RemoteRecord { origin, record });
            }
        }
    }
    let mut silent = BTreeSet::new();
    for account in &accounts {
        if accounts::setup(connection, &account.id)?.is_some_and(|setup| setup.tells_no_guests()) {
            silent.insert(account.id.clone());
        }
    }
    let collections = collections::list(connection)?;
    Ok(Origins::new(accounts, collections, records).with_silent(silent))
}

fn uid_of(record: &Record) -> Option<String> {
    match record {
        Record::Event(event) if !event.uid.is_empty() => Some(event.uid.clone()),
        _ => None,
    }
}

/// Stores where the rows of a remote operation live once the provider has confirmed it. Runs in the transaction that
/// wrote the rows and stores the receipt.
pub(crate) fn confirmed(
    tx: &Tx<'_>,
    account: &AccountId,
    op: &RemoteOp,
    then: &Change,
    receipt: &Receipt,
) -> Result<()> {
    let (remote_id, etag) = match receipt {
        Receipt::Remote {
            remote_id, etag, ..
        } => (remote_id.clone(), etag.clone()),
        Receipt::Rows { .. } | Receipt::File { .. } | Receipt::Tool { .. } => (None, None),
    };
    let Some((collection, asked_id, moves_to)) = placed_by(op) else {
        return Ok(());
    };
    let remote_id = remote_id.unwrap_or_else(|| asked_id.clone());
    let at = Origin {
        account: account.clone(),
        collection: moves_to.unwrap_or(collection).id.clone(),
        remote_id,
        etag,
        uid_validity: None,
        // The source read before is not what the provider has now; the next sync delivers it again.
        source: None,
    };
    let touched = then.ops.iter().map(|op| match op {
        RowOp::Put { record, .. } => (record.kind(), record.id().clone()),
        RowOp::Delete { kind, id, .. } => (*kind, id.clone()),
        RowOp::Mark { id, .. } => (Kind::Mail, id.clone()),
    });
    // Unchanged rows of the same series have moved and changed their state along with it.
    let before = origins::at(tx, &collection.id, asked_id)?;
    let staying = before.iter().map(|one| (one.kind, one.record.clone()));
    let mut all: Vec<(Kind, RecordId)> = touched.chain(staying).collect();
    all.sort_by(|one, other| one.1.cmp(&other.1));
    all.dedup();
    for one in &before {
        origins::remove(tx, &collection.id, asked_id, &one.record)?;
    }
    let round = origins::next_round(tx, &at.collection)?;
    for (kind, record) in all {
        if rows::version(tx, kind, &record)?.is_none() {
            show_another(tx, kind, &record)?;
            continue;
        }
        let placed = Placed {
            record,
            kind,
            origin: at.clone(),
            other: None,
        };
        origins::put(tx, &placed, round)?;
    }
    Ok(())
}

/// Returns the collection and remote id that an operation writes or removes, and the collection it moves to, if any.
fn placed_by(op: &RemoteOp) -> Option<(&CollectionRef, &RemoteId, Option<&CollectionRef>)> {
    use adjutant_domain::operation::{ContactOp, TaskOp};
    match op {
        RemoteOp::Calendar(CalendarOp::Update {
            collection,
            remote_id,
            moves_to,
            ..
        }) => Some((collection, remote_id, moves_to.as_ref())),
        RemoteOp::Calendar(
            CalendarOp::Create {
                collection,
                remote_id,
                ..
            }
            | CalendarOp::Delete {
                collection,
                remote_id,
                ..
            }
            | CalendarOp::Respond {
                collection,
                remote_id,
                ..
            },
        )
        | RemoteOp::Task(
            TaskOp::Create {
                collection,
                remote_id,
                ..
            }
            | TaskOp::Update {
                collection,
                remote_id,
                ..
            }
            | TaskOp::Delete {
                collection,
                remote_id,
                ..
            },
        )
        | RemoteOp::Contact(
            ContactOp::Create {
                collection,
                remote_id,
                ..
            }
            | ContactOp::Update {
                collection,
                remote_id,
                ..
            }
            | ContactOp::Delete {
                collection,
                remote_id,
                ..
            },
        ) => Some((collection, remote_id, None)),
        // A mail keeps its place until the mailboxes are read again: until then its Message-ID finds it.
        RemoteOp::Mail(
            MailOp::Send { .. } | MailOp::Move { .. } | MailOp::Flag { .. } | MailOp::Delete { .. },
        )
        | RemoteOp::LeaveList(_)
        | RemoteOp::Tool(_) => None,
    }
}

/// Handles a place of a record that is gone: another place takes over, or the record is deleted.
pub(crate) fn gone(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    let origin = &placed.origin;
    origins::remove(tx, &origin.collection, &origin.remote_id, &placed.record)?;
    if placed.other.is_some() || show_another(tx, placed.kind, &placed.record)? {
        return Ok(());
    }
    if rows::version(tx, placed.kind, &placed.record)?.is_some() {
        rows::delete_record(tx, placed.kind, &placed.record)?;
    }
    Ok(())
}

/// Forgets a place of a record and keeps the record. If another account has a version of it, that one is shown.
fn leave(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    let origin = &placed.origin;
    origins::remove(tx, &origin.collection, &origin.remote_id, &placed.record)?;
    if placed.other.is_none() {
        show_another(tx, placed.kind, &placed.record)?;
    }
    Ok(())
}

/// Shows another place's version of a record. Returns `false` if there is no other place.
fn show_another(tx: &Tx<'_>, kind: Kind, record: &RecordId) -> Result<bool> {
    let left = origins::of_record(tx, record)?;
    let Some(mut next) = left.into_iter().find(|one| one.other.is_some()) else {
        return Ok(false);
    };
    if let Some(other) = next.other.take() {
        let version = rows::version(tx, kind, record)?.unwrap_or(other.version());
        rows::put_record(tx, &other, version + 1)?;
    }
    let round = origins::next_round(tx, &next.origin.collection)? - 1;
    origins::put(tx, &next, round)?;
    Ok(true)
}

fn remove_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<()> {
    for placed in origins::in_collection(tx, id)? {
        gone(tx, &placed)?;
    }
    collections::remove(tx, id)
}

/// Sets the current name of a calendar on its events.
fn rename_events(tx: &Tx<'_>, calendar: &Collection) -> Result<()> {
    for record in origins::events_not_in(tx, &calendar.id, &calendar.name)? {
        if let Some(mut event) = row::get::<Event>(tx, &record)? {
            event.calendar.clone_from(&calendar.name);
            let version = event.version + 1;
            rows::put_record(tx, &Record::Event(event), version)?;
        }
    }
    Ok(())
}
