//! Where records live, and accounts that come and go.
//!
//! A record at several places is one row. What one of them says is shown; what the others say is kept beside, and when
//! the one that is shown goes, another takes its place.

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

/// Accounts.
impl Store {
    /// Adds an account, or replaces what is known of it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn put_account(&self, account: Account) -> std::result::Result<(), StoreFault> {
        self.write("put_account", move |tx| accounts::put(tx, &account))
            .await
    }

    /// Adds an account with how it is reached and the job that reads it.
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

    /// How an account is reached; none where there is no such account.
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

    /// Changes how an account is reached.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such account.
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

    /// How reading each account went.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn last_syncs(
        &self,
    ) -> std::result::Result<BTreeMap<AccountId, LastSync>, StoreFault> {
        self.read(accounts::last_syncs).await
    }

    /// Notes how reading an account went: whether it can be used, when it was read to its end, or why it was not.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such account.
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

    /// Forgets an account and keeps what was read from it: its records live only on this computer from now on, its
    /// calendars are calendars of this computer.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such account.
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

    /// Forgets an account with its collections and with every record that lives nowhere else. Nothing is asked of the
    /// provider.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such account.
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

    /// Takes over the collections that a provider lists: new ones are added, renamed ones renamed (their events with
    /// them), and what is gone from a family that was listed goes with what lies in it.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such account.
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

    /// New records of a kind go into this collection from now on; without one, they stay on this computer.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such collection of this kind.
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

/// What `operation::operations` decides by.
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

/// Stores where the rows of a remote operation live once the provider has confirmed it: in the transaction that has
/// written them and that stores the receipt.
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
        // What was read is not what lies there now; the next reading brings it again.
        source: None,
    };
    let touched = then.ops.iter().map(|op| match op {
        RowOp::Put { record, .. } => (record.kind(), record.id().clone()),
        RowOp::Delete { kind, id, .. } => (*kind, id.clone()),
        RowOp::Mark { id, .. } => (Kind::Mail, id.clone()),
    });
    // Rows of the same series that stay as they are have moved and changed their state with it.
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

/// The collection and name under which an operation writes or removes something, and where it moves it.
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
        // A mail keeps its place until the mailboxes are read again: its Message-ID finds it meanwhile.
        RemoteOp::Mail(
            MailOp::Send { .. } | MailOp::Move { .. } | MailOp::Flag { .. } | MailOp::Delete { .. },
        )
        | RemoteOp::LeaveList(_)
        | RemoteOp::Tool(_) => None,
    }
}

/// A place of a record is gone: another place takes over, or the record goes.
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

/// A place of a record is forgotten, and the record stays. What another account says of it is shown where there is one.
fn leave(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    let origin = &placed.origin;
    origins::remove(tx, &origin.collection, &origin.remote_id, &placed.record)?;
    if placed.other.is_none() {
        show_another(tx, placed.kind, &placed.record)?;
    }
    Ok(())
}

/// Shows what another place says of a record. `false` where there is no other place.
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

/// Gives events the name their calendar has now.
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
