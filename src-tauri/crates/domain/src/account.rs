//! Accounts, their collections, and the [`Origin`] of a record that lives at a provider.
//!
//! A provider's account holds collections (calendars, mailboxes, task lists, address books), and a record in one of
//! them has an [`Origin`]. A record that exists only on this computer belongs to [`AccountId::local`] and has no
//! origin.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::ids::{AccountId, CollectionId, CollectionRef, Etag, RecordId, RemoteId};
use crate::moment::Moment;
use crate::record::{Event, Kind, Record};

/// Largest source, in bytes, that is kept beside an [`Origin`] (256 KiB). A larger one is fetched again when needed.
pub const SOURCE_BYTES_MAX: usize = 256 * 1024;

/// An account at a provider, or this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Identifier; `local` for the account of this computer.
    pub id: AccountId,
    /// Provider that serves the account (`google`, `imap`, `caldav`, …); `local` for this computer.
    pub kind: String,
    /// What the person calls it.
    pub label: String,
    /// The person's mail addresses at this account, preferred one first.
    pub addresses: Vec<String>,
    /// Whether the account can be used.
    pub state: AccountState,
}

impl Account {
    /// Returns whether an event that somebody else organizes can be added. Google makes whoever adds an event its
    /// organizer.
    #[must_use]
    pub fn takes_events_of_others(&self) -> bool {
        self.kind != "google"
    }

    /// Returns whether `address` is one of the person's own at this account, ignoring ASCII case.
    #[must_use]
    pub fn owns(&self, address: &str) -> bool {
        self.addresses
            .iter()
            .any(|own| own.eq_ignore_ascii_case(address))
    }
}

/// Whether an account can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountState {
    /// Connected.
    Ready,
    /// The provider wants the person to sign in again.
    SignedOut,
    /// Switched off by the person: Adjutant sends no requests to the provider.
    Off,
}

impl AccountState {
    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::SignedOut => "signed_out",
            Self::Off => "off",
        }
    }
}

/// How an account is reached. The credential store keeps its secrets, each under the name [`Self::entry`] returns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountSetup {
    /// Values of the non-secret fields of the account's kind, by field name.
    pub settings: BTreeMap<String, String>,
    /// Names of the secret fields that have a stored value.
    pub secrets: Vec<String>,
}

impl AccountSetup {
    /// Returns the name under which the credential store keeps an account's secret.
    #[must_use]
    pub fn entry(account: &AccountId, field: &str) -> String {
        format!("account.{account}.{field}")
    }

    /// Returns whether the person has to inform guests of events because the server does not.
    ///
    /// This is true for a CalDAV account (setting `calendars`) whose server did not offer scheduling (RFC 6638, setting
    /// `schedules`) when the person connected it.
    #[must_use]
    pub fn tells_no_guests(&self) -> bool {
        self.settings.contains_key("calendars") && !self.settings.contains_key("schedules")
    }
}

/// Result of the latest attempt to read an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastSync {
    /// When the account was last read completely; `None` if it never was.
    pub read: Option<Timestamp>,
    /// Why reading has failed since then; `None` if the latest attempt succeeded.
    pub problem: Option<AccountProblem>,
}

/// Why an account could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountProblem {
    /// What happened, as a sentence.
    pub what: String,
    /// What to do next, as a sentence.
    pub next: String,
    /// When the attempt failed.
    pub at: Timestamp,
}

/// What a collection holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectionKind {
    /// Events.
    Calendar,
    /// Mail.
    Mailbox,
    /// Tasks.
    TaskList,
    /// Contacts.
    AddressBook,
}

impl CollectionKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [
        Self::Calendar,
        Self::Mailbox,
        Self::TaskList,
        Self::AddressBook,
    ];

    /// Returns the plural noun the person sees for what such collections hold.
    #[must_use]
    pub fn family(self) -> &'static str {
        match self {
            Self::Calendar => "calendars",
            Self::Mailbox => "mail",
            Self::TaskList => "tasks",
            Self::AddressBook => "contacts",
        }
    }

    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calendar => "calendar",
            Self::Mailbox => "mailbox",
            Self::TaskList => "task_list",
            Self::AddressBook => "address_book",
        }
    }

    /// Returns the kind of collection that holds records of `kind`, or `None` for kinds that never leave this computer.
    #[must_use]
    pub fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Event => Some(Self::Calendar),
            Kind::Mail => Some(Self::Mailbox),
            Kind::Task => Some(Self::TaskList),
            Kind::Contact => Some(Self::AddressBook),
            Kind::Note | Kind::Outbox | Kind::Memory => None,
        }
    }
}

/// Provider's mark of how far a collection was read (sync token, history id, UIDVALIDITY with MODSEQ). Opaque here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(pub String);

/// A calendar, mailbox, task list or address book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Identifier.
    pub id: CollectionId,
    /// Account it belongs to.
    pub account: AccountId,
    /// What it holds.
    pub kind: CollectionKind,
    /// The provider's name for the collection; `None` on this computer.
    pub remote_id: Option<RemoteId>,
    /// Name shown to the person, unique among collections of the same kind: where provider names collide, storage adds
    /// the account's label.
    pub name: String,
    /// Colour as `#rrggbb`, if known.
    pub colour: Option<String>,
    /// Whether the person may change its records.
    pub writable: bool,
    /// Whether new records of its kind go here by default. At most one collection of each kind is preferred.
    pub preferred: bool,
    /// How far it was read; `None` before the first sync.
    pub cursor: Option<Cursor>,
}

impl Collection {
    /// Returns both of its identifiers, or `None` for a collection of this computer.
    #[must_use]
    pub fn named(&self) -> Option<CollectionRef> {
        Some(CollectionRef {
            id: self.id.clone(),
            remote_id: self.remote_id.clone()?,
        })
    }
}

/// Returns the collection for new records of a kind: the preferred one, else the first of this computer. `None` if they
/// are kept on this computer outside of any collection.
#[must_use]
pub fn for_new(all: &[Collection], kind: CollectionKind) -> Option<&Collection> {
    let usable = || all.iter().filter(|one| one.kind == kind && one.writable);
    let preferred = usable().find(|one| one.preferred);
    preferred.or_else(|| usable().find(|one| one.account.is_local()))
}

/// Where a record lives at a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Account.
    pub account: AccountId,
    /// Collection of that account.
    pub collection: CollectionId,
    /// The provider's identifier of the record. Rows of one repeating event may share it.
    pub remote_id: RemoteId,
    /// Version of the record when it was last read, if the provider has one.
    pub etag: Option<Etag>,
    /// IMAP UIDVALIDITY that went with the remote id; `None` outside IMAP.
    pub uid_validity: Option<u32>,
    /// Unmodified source (iCalendar, vCard), kept where writing the record back must preserve parts Adjutant does not
    /// interpret.
    pub source: Option<String>,
}

/// A record that lives in an account, in its current local state.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteRecord {
    /// Where it lives.
    pub origin: Origin,
    /// The row.
    pub record: Record,
}

/// Accounts, collections and remote records from which `operation::operations` decides how to carry out a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origins {
    accounts: BTreeMap<AccountId, Account>,
    collections: BTreeMap<CollectionId, Collection>,
    records: BTreeMap<RecordId, RemoteRecord>,
    /// Accounts whose servers do not inform guests of events.
    silent: BTreeSet<AccountId>,
}

impl Origins {
    /// Collects accounts, their collections, and the remote records that a change touches; for an event, `records` must
    /// include the other rows of its series. Entries of the `local` account are dropped.
    #[must_use]
    pub fn new(
        accounts: impl IntoIterator<Item = Account>,
        collections: impl IntoIterator<Item = Collection>,
        records: impl IntoIterator<Item = RemoteRecord>,
    ) -> Self {
        let accounts: BTreeMap<_, _> = accounts
            .into_iter()
            .filter(|one| !one.id.is_local())
            .map(|one| (one.id.clone(), one))
            .collect();
        Self {
            collections: collections
                .into_iter()
                .filter(|one| accounts.contains_key(&one.account))
                .map(|one| (one.id.clone(), one))
                .collect(),
            records: records
                .into_iter()
                .filter(|one| accounts.contains_key(&one.origin.account))
                .map(|one| (one.record.id().clone(), one))
                .collect(),
            accounts,
            silent: BTreeSet::new(),
        }
    }

    /// Sets the accounts whose servers do not inform guests of events.
    #[must_use]
    pub fn with_silent(self, silent: BTreeSet<AccountId>) -> Self {
        Self { silent, ..self }
    }

    /// Returns whether the account's server leaves informing guests to the person.
    #[must_use]
    pub fn is_silent(&self, account: &AccountId) -> bool {
        self.silent.contains(account)
    }

    /// Returns the remote record with this id, or `None` if it lives only on this computer.
    #[must_use]
    pub fn of(&self, id: &RecordId) -> Option<&RemoteRecord> {
        self.records.get(id)
    }

    /// Returns the origin and row of a series in an account: the master if it is among the records, otherwise one of
    /// its exceptions.
    #[must_use]
    pub fn series(&self, uid: &str) -> Option<(&Origin, &Event)> {
        let rows = self.records.values().filter_map(|one| match &one.record {
            Record::Event(event) if event.uid == uid => Some((&one.origin, event)),
            _ => None,
        });
        rows.min_by_key(|(_, event)| event.recurrence_id.is_some())
    }

    /// Returns the row of a series that changes all instances from `original` on or from an earlier one on, if there is
    /// one.
    #[must_use]
    pub fn following(&self, uid: &str, original: Option<&Moment>) -> Option<&Event> {
        let at = original?.starts(&TimeZone::UTC);
        let rows = self.records.values().filter_map(|one| match &one.record {
            Record::Event(event) if event.uid == uid && event.following => {
                Some((event.recurrence_id.as_ref()?.starts(&TimeZone::UTC), event))
            }
            _ => None,
        });
        let earlier = rows.filter(|(begin, _)| *begin <= at);
        Some(earlier.max_by_key(|(begin, _)| *begin)?.1)
    }

    /// Returns an account's collection by its identifier.
    #[must_use]
    pub fn collection(&self, id: &CollectionId) -> Option<&Collection> {
        self.collections.get(id)
    }

    /// Returns whether an account has a mailbox of this name, ignoring case.
    #[must_use]
    pub fn has_mailbox(&self, account: &AccountId, name: &str) -> bool {
        let name = name.to_lowercase();
        let is_named = |shown: &str| {
            let shown = shown.to_lowercase();
            // Where names collide, storage adds the account in parentheses.
            let added = shown.strip_prefix(&name).is_some_and(|rest| {
                rest.is_empty() || (rest.starts_with(" (") && rest.ends_with(')'))
            });
            added && !name.is_empty()
        };
        let mailboxes = self.of_kind(CollectionKind::Mailbox);
        let mut own = mailboxes.iter().filter(|one| one.account == *account);
        own.any(|one| is_named(&one.name))
    }

    /// Returns the provider calendar with this name, ignoring case, or `None` if there is none or it is on this
    /// computer.
    #[must_use]
    pub fn calendar(&self, name: &str) -> Option<&Collection> {
        let calendars = self.of_kind(CollectionKind::Calendar);
        let name = name.to_lowercase();
        calendars
            .into_iter()
            .find(|one| one.name.to_lowercase() == name)
    }

    /// Returns the collection for new records of a kind, or `None` if they stay on this computer.
    #[must_use]
    pub fn preferred(&self, kind: CollectionKind) -> Option<&Collection> {
        self.of_kind(kind).into_iter().find(|one| one.preferred)
    }

    /// Returns the account that sends mail from address `from`: one that owns the address and has a writable mailbox.
    #[must_use]
    pub fn sender(&self, from: &str) -> Option<&Account> {
        let mailboxes = self.of_kind(CollectionKind::Mailbox);
        self.accounts.values().find(|account| {
            let of_it = |one: &&&Collection| one.account == account.id && one.writable;
            account.owns(from) && mailboxes.iter().any(|one| of_it(&one))
        })
    }

    /// Returns the account with this identifier, if it is among those a change may touch.
    #[must_use]
    pub fn account(&self, id: &AccountId) -> Option<&Account> {
        self.accounts.get(id)
    }

    fn of_kind(&self, kind: CollectionKind) -> Vec<&Collection> {
        let all = self.collections.values();
        all.filter(|one| one.kind == kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_records_go_where_the_person_wants_them_else_to_this_computer() {
        let collection = |id: &str, account: &str, preferred, writable| Collection {
            id: id.into(),
            account: account.into(),
            kind: CollectionKind::Calendar,
            remote_id: None,
            name: id.to_owned(),
            colour: None,
            writable,
            preferred,
            cursor: None,
        };
        let there = |preferred, writable| collection("there", "acc_1", preferred, writable);
        let here = collection("here", AccountId::LOCAL, false, true);
        let usual = |all: &[Collection], kind| for_new(all, kind).map(|one| one.name.clone());
        for (all, name) in [
            (vec![there(true, true), here.clone()], Some("there")),
            (vec![there(false, true), here.clone()], Some("here")),
            (vec![there(true, false), here], Some("here")),
            (vec![there(false, true)], None),
        ] {
            let found = usual(&all, CollectionKind::Calendar);
            assert_eq!(found.as_deref(), name, "{all:?}");
            assert_eq!(usual(&all, CollectionKind::TaskList), None);
        }
    }
}
