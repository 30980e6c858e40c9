//! Rows of accounts, of what lies in them, and of what left this computer.

use std::collections::BTreeMap;

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
    /// Fields of its kind that are no secret, with their values; empty for this computer.
    pub settings: BTreeMap<String, String>,
    /// When it was read to its end last (RFC 3339); nothing where that was never so.
    pub read: Option<String>,
    /// Why it could not be read since.
    pub problem: Option<AccountProblem>,
    /// Whether it is being read.
    pub reading: bool,
    /// How far that is, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub progress: Option<ReadingProgress>,
}

/// How far the reading of an account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReadingProgress {
    /// Records that were read.
    #[ts(type = "number")]
    pub done: u64,
    /// Records to read, as far as is known.
    #[ts(type = "number")]
    pub total: u64,
}

/// Why an account could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountProblem {
    /// What happened.
    pub what: String,
    /// What to do next.
    pub next: String,
    /// When (RFC 3339).
    pub at: String,
}

/// A kind of account that can be connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountKindView {
    /// `ics`, `dav`, `imap`, …
    pub kind: String,
    /// What people call it.
    pub label: String,
    /// What it brings.
    pub about: String,
    /// How the person signs in.
    pub signs_in: SignsIn,
    /// What is filled in, in order.
    pub fields: Vec<AccountFieldView>,
}

/// How a person signs in to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SignsIn {
    /// With what is filled in.
    Here,
    /// At the provider, in the system browser: [`crate::Request::BeginSignIn`].
    Browser,
}

/// One thing that is filled in of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountFieldView {
    /// Its name in requests and faults.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// What is meant; may be empty.
    pub hint: String,
    /// How it is filled in.
    pub form: FieldForm,
    /// What can be chosen, the usual one first; empty where it is no choice.
    #[serde(default)]
    pub choices: Vec<FieldChoice>,
    /// Whether the account cannot be connected without it.
    pub required: bool,
}

/// One value that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldChoice {
    /// Its name in requests.
    pub value: String,
    /// What people call it.
    pub label: String,
}

/// How a field is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FieldForm {
    /// A line of text.
    Text,
    /// `yes` where it is set.
    Tick,
    /// One of its choices.
    Choice,
    /// A line of text that is kept as a secret.
    PrivateText,
    /// A password.
    Password,
}

impl FieldForm {
    /// Whether its value goes to the keyring and never comes back.
    #[must_use]
    pub fn is_secret(self) -> bool {
        matches!(self, Self::PrivateText | Self::Password)
    }
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

/// Counts of one topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportCount {
    /// Topic (`events`, `mail`, …).
    pub topic: String,
    /// New.
    #[ts(type = "number")]
    pub added: u64,
    /// Changed.
    #[ts(type = "number")]
    pub changed: u64,
    /// There already.
    #[ts(type = "number")]
    pub same: u64,
}

/// A file or folder that was read in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportRow {
    /// Identifier.
    pub id: String,
    /// RFC 3339.
    pub at: String,
    /// Its name, without the way to it.
    pub file: String,
    /// What became of its rows, by topic.
    pub counts: Vec<ImportCount>,
    /// Items that could not be read.
    #[ts(type = "number")]
    pub refused: u64,
}
