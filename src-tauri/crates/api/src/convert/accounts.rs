//! Accounts and collections.

use adjutant_domain::account::{self, Account, Collection};

use crate::rows::{AccountRow, AccountState, CollectionKind, CollectionRow};

/// An account for `show`.
#[must_use]
pub fn account(account: &Account) -> AccountRow {
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
    }
}

/// A collection for `show`.
#[must_use]
pub fn collection(collection: &Collection) -> CollectionRow {
    CollectionRow {
        id: collection.id.0.clone(),
        account: collection.account.0.clone(),
        kind: match collection.kind {
            account::CollectionKind::Calendar => CollectionKind::Calendar,
            account::CollectionKind::Mailbox => CollectionKind::Mailbox,
            account::CollectionKind::TaskList => CollectionKind::TaskList,
            account::CollectionKind::AddressBook => CollectionKind::AddressBook,
        },
        name: collection.name.clone(),
        colour: collection.colour.clone(),
        writable: collection.writable,
        preferred: collection.preferred,
    }
}
