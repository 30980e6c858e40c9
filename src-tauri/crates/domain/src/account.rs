//! Accounts and what lies in them: where a record lives, when it does not live on this computer alone.
//!
//! A provider's account holds collections (calendars, mailboxes, task lists, address books); a record that lives in one
//! has an [`Origin`]. What is only here belongs to the account [`AccountId::local`] and has none.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{AccountId, CollectionId, CollectionRef, Etag, RecordId, RemoteId};
use crate::record::{Event, Kind, Record};

/// Bytes of an untouched source that are kept beside its origin, 256 KiB; a larger one is fetched again when it is needed.
pub const SOURCE_BYTES_MAX: usize = 256 * 1024;

/// An account at a provider, or this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Identifier; `local` for this computer.
    pub id: AccountId,
    /// The provider that serves it (`google`, `imap`, `caldav`, …); `local` for this computer.
    pub kind: String,
    /// What the person calls it.
    pub label: String,
    /// Mail addresses of the person at this account, preferred first.
    pub addresses: Vec<String>,
    /// Whether it can be used.
    pub state: AccountState,
}

impl Account {
    /// Whether an address is one of the person's own at this account; case does not matter.
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
    /// Switched off by the person: nothing is asked of the provider.
    Off,
}

impl AccountState {
    /// The name in `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::SignedOut => "signed_out",
            Self::Off => "off",
        }
    }
}

/// How an account is reached. Its secrets are in the credential store, each under the name that [`Self::entry`] gives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountSetup {
    /// Values of the fields of its kind that are no secret.
    pub settings: BTreeMap<String, String>,
    /// Fields of its kind whose values are secret and kept.
    pub secrets: Vec<String>,
}

impl AccountSetup {
    /// The name under which the credential store keeps a secret of an account.
    #[must_use]
    pub fn entry(account: &AccountId, field: &str) -> String {
        format!("account.{account}.{field}")
    }

    /// Whether the server tells guests nothing of events, so that the person has to: a CalDAV server (`calendars` says
    /// where they lie) that did not offer it when the account was connected (`schedules`, RFC 6638).
    #[must_use]
    pub fn tells_no_guests(&self) -> bool {
        self.settings.contains_key("calendars") && !self.settings.contains_key("schedules")
    }
}

/// How reading an account went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastSync {
    /// When it was read to its end last.
    pub read: Option<Timestamp>,
    /// Why it could not be read since; none where the last time went well.
    pub problem: Option<AccountProblem>,
}

/// Why an account could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountProblem {
    /// What happened, as a sentence.
    pub what: String,
    /// What to do next, as a sentence.
    pub next: String,
    /// When.
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
    /// All kinds.
    pub const ALL: [Self; 4] = [
        Self::Calendar,
        Self::Mailbox,
        Self::TaskList,
        Self::AddressBook,
    ];

    /// What lies in it, for people: the family of records.
    #[must_use]
    pub fn family(self) -> &'static str {
        match self {
            Self::Calendar => "calendars",
            Self::Mailbox => "mail",
            Self::TaskList => "tasks",
            Self::AddressBook => "contacts",
        }
    }

    /// The name in `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calendar => "calendar",
            Self::Mailbox => "mailbox",
            Self::TaskList => "task_list",
            Self::AddressBook => "address_book",
        }
    }

    /// The kind of collection that holds records of a kind; none for what never leaves this computer.
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

/// How far a collection was read: the provider's own mark (sync token, history id, UIDVALIDITY with MODSEQ), opaque here.
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
    /// What the provider calls it; none on this computer.
    pub remote_id: Option<RemoteId>,
    /// What people call it. No two collections of a kind have the same name: storage adds the account's label where
    /// the provider's names collide, so that the name alone says which one is meant.
    pub name: String,
    /// Colour as `#rrggbb`.
    pub colour: Option<String>,
    /// Whether the person may change what lies in it.
    pub writable: bool,
    /// New records of its kind go here, where nothing says otherwise. At most one of a kind.
    pub preferred: bool,
    /// How far it was read; none before the first time.
    pub cursor: Option<Cursor>,
}

impl Collection {
    /// By both its names; none on this computer.
    #[must_use]
    pub fn named(&self) -> Option<CollectionRef> {
        Some(CollectionRef {
            id: self.id.clone(),
            remote_id: self.remote_id.clone()?,
        })
    }
}

/// Where a record lives at a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Account.
    pub account: AccountId,
    /// Collection of that account.
    pub collection: CollectionId,
    /// What the provider calls the record. Rows of one repeating event may share it.
    pub remote_id: RemoteId,
    /// The state it was seen in.
    pub etag: Option<Etag>,
    /// IMAP UIDVALIDITY it was seen with.
    pub uid_validity: Option<u32>,
    /// The untouched source (iCalendar, vCard), where writing it back has to keep what is not understood here.
    pub source: Option<String>,
}

/// A record that lives in an account, as this computer has it now.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteRecord {
    /// Where it lives.
    pub origin: Origin,
    /// The row.
    pub record: Record,
}

/// What is known of accounts when a change is about to be made: everything `operation::operations` decides by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origins {
    accounts: BTreeMap<AccountId, Account>,
    collections: BTreeMap<CollectionId, Collection>,
    records: BTreeMap<RecordId, RemoteRecord>,
    /// Accounts whose servers tell guests nothing.
    silent: BTreeSet<AccountId>,
}

impl Origins {
    /// Accounts but `local`, their collections, and the records that live there among those a change touches. For an
    /// event that includes the other rows of its series.
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

    /// The same, where the servers of these accounts tell guests nothing of events.
    #[must_use]
    pub fn with_silent(self, silent: BTreeSet<AccountId>) -> Self {
        Self { silent, ..self }
    }

    /// Whether the server of an account tells guests nothing of events.
    #[must_use]
    pub fn is_silent(&self, account: &AccountId) -> bool {
        self.silent.contains(account)
    }

    /// Where a record lives, unless it is only on this computer.
    #[must_use]
    pub fn of(&self, id: &RecordId) -> Option<&RemoteRecord> {
        self.records.get(id)
    }

    /// The rows of a series that live in an account, the master first.
    #[must_use]
    pub fn series(&self, uid: &str) -> Option<(&Origin, &Event)> {
        let rows = self.records.values().filter_map(|one| match &one.record {
            Record::Event(event) if event.uid == uid => Some((&one.origin, event)),
            _ => None,
        });
        rows.min_by_key(|(_, event)| event.recurrence_id.is_some())
    }

    /// A collection of an account.
    #[must_use]
    pub fn collection(&self, id: &CollectionId) -> Option<&Collection> {
        self.collections.get(id)
    }

    /// The calendar of an account that has this name, whatever its case; none for calendars
    /// of this computer.
    #[must_use]
    pub fn calendar(&self, name: &str) -> Option<&Collection> {
        let calendars = self.of_kind(CollectionKind::Calendar);
        let name = name.to_lowercase();
        calendars
            .into_iter()
            .find(|one| one.name.to_lowercase() == name)
    }

    /// Where a new record of a kind goes, unless it stays on this computer.
    #[must_use]
    pub fn preferred(&self, kind: CollectionKind) -> Option<&Collection> {
        self.of_kind(kind).into_iter().find(|one| one.preferred)
    }

    /// The account that mail from an address is sent through: the address is its own, and it has mailboxes that the person
    /// lets be changed.
    #[must_use]
    pub fn sender(&self, from: &str) -> Option<&Account> {
        let mailboxes = self.of_kind(CollectionKind::Mailbox);
        self.accounts.values().find(|account| {
            let of_it = |one: &&&Collection| one.account == account.id && one.writable;
            account.owns(from) && mailboxes.iter().any(|one| of_it(&one))
        })
    }

    /// The account with this identifier, among those a change may touch.
    #[must_use]
    pub fn account(&self, id: &AccountId) -> Option<&Account> {
        self.accounts.get(id)
    }

    fn of_kind(&self, kind: CollectionKind) -> Vec<&Collection> {
        let all = self.collections.values();
        all.filter(|one| one.kind == kind).collect()
    }
}
