//! Rows for accounts, their collections, imports, and connections to other computers.

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
    /// Provider that serves the account (`google`, `imap`, `caldav`, …); `local` for this computer.
    pub kind: String,
    /// What the person calls it.
    pub label: String,
    /// The person's mail addresses at this account.
    pub addresses: Vec<String>,
    /// Whether the account can be used.
    pub state: AccountState,
    /// Non-secret fields of its kind, by name; empty for this computer.
    pub settings: BTreeMap<String, String>,
    /// When it was last read completely, RFC 3339; `null` if it never was.
    pub read: Option<String>,
    /// Why reading has failed since then; `null` if the latest attempt succeeded.
    pub problem: Option<AccountProblem>,
    /// Whether it is being read now.
    pub reading: bool,
    /// Progress of the reading, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub progress: Option<ReadingProgress>,
}

/// Progress of reading an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReadingProgress {
    /// Number of records read.
    #[ts(type = "number")]
    pub done: u64,
    /// Number of records to read, as far as known.
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
    /// When the attempt failed, RFC 3339.
    pub at: String,
}

/// A kind of account that the person can connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountKindView {
    /// Name of the kind: `ics`, `dav`, `imap`, …
    pub kind: String,
    /// Name shown to the person.
    pub label: String,
    /// What such an account provides.
    pub about: String,
    /// How the person signs in.
    pub signs_in: SignsIn,
    /// Fields to fill in, in order.
    pub fields: Vec<AccountFieldView>,
}

/// How the person signs in to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SignsIn {
    /// With the fields of the account.
    Here,
    /// At the provider, in the system browser: [`crate::Request::BeginSignIn`].
    Browser,
}

/// A field of an account form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountFieldView {
    /// Name in requests and faults.
    pub name: String,
    /// Label shown to the person.
    pub label: String,
    /// Explanation of what to enter; may be empty.
    pub hint: String,
    /// Kind of input.
    pub form: FieldForm,
    /// Choices, default first; empty unless `form` is a choice.
    #[serde(default)]
    pub choices: Vec<FieldChoice>,
    /// Whether the field is required.
    pub required: bool,
}

/// A choice of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldChoice {
    /// Value to send in requests.
    pub value: String,
    /// Label shown to the person.
    pub label: String,
}

/// Kind of input for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FieldForm {
    /// A line of text.
    Text,
    /// A checkbox, with the value `yes` if ticked.
    Tick,
    /// One of the field's choices.
    Choice,
    /// A line of text that is stored as a secret.
    PrivateText,
    /// A password.
    Password,
}

impl FieldForm {
    /// Returns whether the value is stored in the keyring and never sent back.
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
    /// Id of the account it belongs to.
    pub account: String,
    /// What it holds.
    pub kind: CollectionKind,
    /// Name shown to the person.
    pub name: String,
    /// Colour as `#rrggbb`, if known.
    pub colour: Option<String>,
    /// Whether the person may change its records.
    pub writable: bool,
    /// Whether new records of its kind go here by default.
    pub preferred: bool,
}

/// A connection to another computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EgressRow {
    /// Identifier.
    pub id: String,
    /// When it was opened, RFC 3339.
    pub at: String,
    /// Host that Adjutant connected to.
    pub host: String,
    /// Purpose of the connection.
    pub reason: String,
    /// Bytes sent.
    #[ts(type = "number")]
    pub bytes_out: u64,
    /// Bytes received.
    #[ts(type = "number")]
    pub bytes_in: u64,
}

/// Item counts of an import for one topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportCount {
    /// Topic (`events`, `mail`, …).
    pub topic: String,
    /// Number of new items.
    #[ts(type = "number")]
    pub added: u64,
    /// Number of changed items.
    #[ts(type = "number")]
    pub changed: u64,
    /// Number of items that were already there.
    #[ts(type = "number")]
    pub same: u64,
}

/// An imported file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportRow {
    /// Identifier.
    pub id: String,
    /// When it was imported, RFC 3339.
    pub at: String,
    /// File name without the path.
    pub file: String,
    /// Item counts by topic.
    pub counts: Vec<ImportCount>,
    /// Number of items that could not be read.
    #[ts(type = "number")]
    pub refused: u64,
}
