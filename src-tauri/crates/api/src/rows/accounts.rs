//! Rows of accounts, of what lies in them, and of what left this computer.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether an account can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AccountState {
    /// Connected.
    Ready,
    /// The provider wants the person to sign in again.
    SignedOut,
    /// Switched off by the person.
    Off,
}

/// An account, or this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountRow {
    /// Identifier; `local` for this computer.
    pub id: String,
    /// The provider (`google`, `imap`, `caldav`, …); `local` for this computer.
    pub kind: String,
    /// What the person calls it.
    pub label: String,
    /// Mail addresses of the person at this account.
    pub addresses: Vec<String>,
    /// Whether it can be used.
    pub state: AccountState,
}

/// What a collection holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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

/// A calendar, mailbox, task list or address book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CollectionRow {
    /// Identifier.
    pub id: String,
    /// Account it belongs to.
    pub account: String,
    /// What it holds.
    pub kind: CollectionKind,
    /// Its name.
    pub name: String,
    /// Colour as `#rrggbb`.
    pub colour: Option<String>,
    /// Whether the person may change what lies in it.
    pub writable: bool,
    /// New records of its kind go here.
    pub preferred: bool,
}

/// A connection that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EgressRow {
    /// Identifier.
    pub id: String,
    /// RFC 3339.
    pub at: String,
    /// To whom.
    pub host: String,
    /// Why.
    pub reason: String,
    /// Bytes sent.
    #[ts(type = "number")]
    pub bytes_out: u64,
    /// Bytes received.
    #[ts(type = "number")]
    pub bytes_in: u64,
}
