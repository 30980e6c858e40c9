//! Conversion of accounts and collections.

use std::collections::BTreeMap;

use adjutant_domain::account::{self, Account, Collection, LastSync};
use adjutant_domain::job::Progress;
use jiff::tz::TimeZone;

use super::records::at;
use crate::rows::{
    AccountProblem, AccountRow, AccountState, CollectionKind, CollectionRow, ReadingProgress,
};

/// Returns the row of an account. `progress` is left empty.
#[must_use]
pub fn account(
    account: &Account,
    settings: BTreeMap<String, String>,
    last: &LastSync,
    reading: bool,
    zone: &TimeZone,
) -> AccountRow {
    AccountRow {
        id: account.id.0.clone(),
        kind: account.kind.clone(),
        label: account.label.clone(),
        addresses: account.addresses.clone(),
        state: match account.state {
            account::AccountState::Ready => AccountState::Ready,
            account::AccountState::SignedOut => AccountState::SignedOut,
            account::AccountState::Off => AccountState::Off,
        },
        settings,
        read: last.read.map(|read| at(read, zone)),
        problem: last.problem.as_ref().map(|problem| AccountProblem {
            what: problem.what.clone(),
            next: problem.next.clone(),
            at: at(problem.at, zone),
        }),
        reading,
        progress: None,
    }
}

/// Returns the progress of reading an account.
#[must_use]
pub fn progress(progress: Progress) -> ReadingProgress {
    ReadingProgress {
        done: progress.done,
        total: progress.total,
    }
}

impl From<account::CollectionKind> for CollectionKind {
    fn from(kind: account::CollectionKind) -> Self {
        match kind {
            account::CollectionKind::Calendar => Self::Calendar,
            account::CollectionKind::Mailbox => Self::Mailbox,
            account::CollectionKind::TaskList => Self::TaskList,
            account::CollectionKind::AddressBook => Self::AddressBook,
        }
    }
}

impl From<CollectionKind> for account::CollectionKind {
    fn from(kind: CollectionKind) -> Self {
        match kind {
            CollectionKind::Calendar => Self::Calendar,
            CollectionKind::Mailbox => Self::Mailbox,
            CollectionKind::TaskList => Self::TaskList,
            CollectionKind::AddressBook => Self::AddressBook,
        }
    }
}

/// Returns the rows of all collections.
#[must_use]
pub fn collections(all: &[Collection]) -> Vec<CollectionRow> {
    all.iter().map(|one| collection(one, all)).collect()
}

/// Returns the row of one of all collections.
#[must_use]
pub fn collection(collection: &Collection, all: &[Collection]) -> CollectionRow {
    let for_new = account::for_new(all, collection.kind);
    CollectionRow {
        id: collection.id.0.clone(),
        account: collection.account.0.clone(),
        kind: collection.kind.into(),
        name: collection.name.clone(),
        colour: collection.colour.clone(),
        writable: collection.writable,
        preferred: for_new.is_some_and(|one| one.id == collection.id),
    }
}
