//! Typed requests to providers.
//!
//! Adjutant chooses the identifiers of new records, so that repeating a request cannot create a second one. A request
//! on an existing record names the version it was based on.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{AccountId, CollectionRef, Etag, RemoteId};
use crate::moment::Moment;
use crate::record::{Address, Contact, Event, Folder, Task};

/// One request to a provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum RemoteOp {
    /// A request about events.
    Calendar(CalendarOp),
    /// A request about mail: sending and filing.
    Mail(MailOp),
    /// A request about tasks.
    Task(TaskOp),
    /// A request about contacts.
    Contact(ContactOp),
    /// A request to leave a mailing list, which needs no account.
    LeaveList(LeaveList),
    /// A call of an MCP server's tool.
    Tool(ToolOp),
}

impl RemoteOp {
    /// Describes the request to the person as a phrase: "send the mail".
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Self::Calendar(CalendarOp::Create { .. }) => "add the event",
            Self::Calendar(CalendarOp::Update { .. }) => "change the event",
            Self::Calendar(CalendarOp::Delete { .. }) => "delete the event",
            Self::Calendar(CalendarOp::Respond { .. }) => "answer the invitation",
            Self::Mail(MailOp::Send { .. }) => "send the mail",
            Self::Mail(MailOp::Move { .. }) => "move the mail",
            Self::Mail(MailOp::Flag { .. }) => "mark the mail",
            Self::Mail(MailOp::Delete { .. }) => "delete the mail",
            Self::Task(TaskOp::Create { .. }) => "add the task",
            Self::Task(TaskOp::Update { .. }) => "change the task",
            Self::Task(TaskOp::Delete { .. }) => "delete the task",
            Self::Contact(ContactOp::Create { .. }) => "add the contact",
            Self::Contact(ContactOp::Update { .. }) => "change the contact",
            Self::Contact(ContactOp::Delete { .. }) => "delete the contact",
            Self::LeaveList(_) => "leave the list",
            Self::Tool(_) => "call the tool",
        }
    }

    /// Returns whether other people learn of it.
    #[must_use]
    pub fn reaches_people(&self) -> bool {
        match self {
            Self::Calendar(
                CalendarOp::Create { notify, .. }
                | CalendarOp::Update { notify, .. }
                | CalendarOp::Delete { notify, .. }
                | CalendarOp::Respond { notify, .. },
            ) => *notify,
            Self::Mail(MailOp::Send { .. }) | Self::LeaveList(_) => true,
            Self::Mail(_) | Self::Task(_) | Self::Contact(_) | Self::Tool(_) => false,
        }
    }

    /// Returns the collection it works in, or `None` if it works in none.
    #[must_use]
    pub fn collection(&self) -> Option<&CollectionRef> {
        match self {
            Self::Calendar(
                CalendarOp::Create { collection, .. }
                | CalendarOp::Update { collection, .. }
                | CalendarOp::Delete { collection, .. }
                | CalendarOp::Respond { collection, .. },
            )
            | Self::Task(
                TaskOp::Create { collection, .. }
                | TaskOp::Update { collection, .. }
                | TaskOp::Delete { collection, .. },
            )
            | Self::Contact(
                ContactOp::Create { collection, .. }
                | ContactOp::Update { collection, .. }
                | ContactOp::Delete { collection, .. },
            ) => Some(collection),
            Self::Mail(
                MailOp::Move { mails, .. } | MailOp::Flag { mails, .. } | MailOp::Delete { mails },
            ) => mails.first().map(|mail| &mail.collection),
            Self::Mail(MailOp::Send { .. }) | Self::LeaveList(_) | Self::Tool(_) => None,
        }
    }
}

/// Requests about events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum CalendarOp {
    /// Adds an event. Adjutant chose its `uid`, so repeating the request is harmless.
    Create {
        /// Calendar it goes into.
        collection: CollectionRef,
        /// Identifier for the provider to use, derived from the `uid`: 32 hexadecimal digits.
        remote_id: RemoteId,
        /// The event and the changed instances of a repeating one: rows of one UID, the master first.
        rows: Vec<Event>,
        /// Unmodified source of an event that comes back, to preserve parts Adjutant does not interpret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// Whether guests are notified.
        notify: bool,
    },
    /// Replaces rows of an event.
    Update {
        /// Calendar it is in.
        collection: CollectionRef,
        /// Calendar of the same account to move the event to, if it moves.
        moves_to: Option<CollectionRef>,
        /// The provider's identifier of the event.
        remote_id: RemoteId,
        /// Version the change is based on; any other is a conflict.
        etag: Option<Etag>,
        /// iCalendar UID.
        uid: String,
        /// iCalendar SEQUENCE at that version.
        sequence: i64,
        /// Rows to write: the master, changed instances, or both, the master first. Other rows stay as they are.
        rows: Vec<Event>,
        /// Changed instances whose own row is removed. They follow the master again unless its EXDATE excludes them.
        reverted: Vec<Moment>,
        /// Unmodified source of the event, to preserve parts Adjutant does not interpret.
        source: Option<String>,
        /// Whether guests are notified.
        notify: bool,
    },
    /// Removes an event; a repeating one with all its instances.
    Delete {
        /// Calendar it is in.
        collection: CollectionRef,
        /// The provider's identifier of the event.
        remote_id: RemoteId,
        /// Version the removal is based on.
        etag: Option<Etag>,
        /// iCalendar UID.
        uid: String,
        /// iCalendar SEQUENCE at that version.
        sequence: i64,
        /// Whether guests are notified.
        notify: bool,
    },
    /// Answers an invitation.
    Respond {
        /// Calendar it is in.
        collection: CollectionRef,
        /// The provider's identifier of the event.
        remote_id: RemoteId,
        /// Version the answer is based on.
        etag: Option<Etag>,
        /// iCalendar UID.
        uid: String,
        /// iCalendar SEQUENCE of the invitation.
        sequence: i64,
        /// The instance answered; `None` for the whole event.
        instance: Option<Moment>,
        /// The answer.
        participation: Participation,
        /// Whether the organizer is told by the provider. Where it tells nobody, whoever answers tells them.
        #[serde(default = "told")]
        notify: bool,
    },
}

/// Answers of earlier versions were told wherever the provider could.
fn told() -> bool {
    true
}

/// The answer to an invitation (iCalendar PARTSTAT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Participation {
    /// The person comes.
    Accepted,
    /// The person may come.
    Tentative,
    /// The person does not come.
    Declined,
}

impl Participation {
    /// Parses a guest's PARTSTAT, or returns `None` if it is no answer yet.
    #[must_use]
    pub fn of_status(status: &str) -> Option<Self> {
        match status {
            "accepted" => Some(Self::Accepted),
            "tentative" => Some(Self::Tentative),
            "declined" => Some(Self::Declined),
            _ => None,
        }
    }
}

/// A mail in a mailbox of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRef {
    /// The mailbox.
    pub collection: CollectionRef,
    /// IMAP UIDVALIDITY of the UID. If it has changed, the UID means another mail.
    pub uid_validity: Option<u32>,
    /// IMAP UID, or the provider's own identifier.
    pub remote_id: RemoteId,
    /// Message-ID without angle brackets, used to find the mail again.
    pub message_id: String,
}

/// Requests about mail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum MailOp {
    /// Sends exactly these bytes to exactly these recipients.
    Send {
        /// Message-ID without angle brackets, fixed when the mail was proposed. Reconciling searches the Sent mailbox
        /// for it.
        message_id: String,
        /// Envelope sender.
        from: Address,
        /// Envelope recipients, including blind copies.
        recipients: Vec<Address>,
        /// The complete message, without a Bcc header.
        mime: String,
    },
    /// Moves mails into another mailbox.
    Move {
        /// The mails.
        mails: Vec<MailRef>,
        /// Folder to move them to.
        to: Folder,
        /// A mailbox of the person's own within that folder, by name; made if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        into: Option<String>,
        /// Labels and mailboxes of the person's own that they leave.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leaves: Vec<String>,
    },
    /// Sets and clears marks.
    Flag {
        /// The mails.
        mails: Vec<MailRef>,
        /// New read flag; `None` leaves it.
        read: Option<bool>,
        /// New star flag; `None` leaves it.
        starred: Option<bool>,
        /// Labels to add.
        add_labels: Vec<String>,
        /// Labels to remove.
        remove_labels: Vec<String>,
    },
    /// Deletes mails: moves them to the trash, or deletes those already there permanently.
    Delete {
        /// The mails.
        mails: Vec<MailRef>,
    },
}

/// Requests about tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum TaskOp {
    /// Adds a task under an identifier that Adjutant chose.
    Create {
        /// List it goes into.
        collection: CollectionRef,
        /// Identifier for the provider to use.
        remote_id: RemoteId,
        /// Unmodified source of a task that comes back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// The task.
        task: Box<Task>,
    },
    /// Replaces a task. Completing one is a replacement too.
    Update {
        /// List it is in.
        collection: CollectionRef,
        /// The provider's identifier of the task.
        remote_id: RemoteId,
        /// Version the change is based on.
        etag: Option<Etag>,
        /// Unmodified source of the task.
        source: Option<String>,
        /// The new task.
        task: Box<Task>,
    },
    /// Removes a task.
    Delete {
        /// List it is in.
        collection: CollectionRef,
        /// The provider's identifier of the task.
        remote_id: RemoteId,
        /// Version the removal is based on.
        etag: Option<Etag>,
    },
}

/// Requests about contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum ContactOp {
    /// Adds a contact under an identifier that Adjutant chose.
    Create {
        /// Address book it goes into.
        collection: CollectionRef,
        /// Identifier for the provider to use.
        remote_id: RemoteId,
        /// Unmodified source of a contact that comes back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// The contact.
        contact: Box<Contact>,
    },
    /// Replaces a contact.
    Update {
        /// Address book it is in.
        collection: CollectionRef,
        /// The provider's identifier of the contact.
        remote_id: RemoteId,
        /// Version the change is based on.
        etag: Option<Etag>,
        /// Unmodified source of the contact.
        source: Option<String>,
        /// The new contact.
        contact: Box<Contact>,
    },
    /// Removes a contact.
    Delete {
        /// Address book it is in.
        collection: CollectionRef,
        /// The provider's identifier of the contact.
        remote_id: RemoteId,
        /// Version the removal is based on.
        etag: Option<Etag>,
    },
}

/// A one-click request to leave a mailing list (RFC 8058). Repeating it changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaveList {
    /// `https` address for the request.
    pub url: String,
    /// Host of the address, for the person.
    pub host: String,
}

/// A call of an MCP server's tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolOp {
    /// Name of the tool at the server.
    pub name: String,
    /// Arguments, exactly as shown.
    pub args: Value,
    /// Pin of the tool's definition when the call was proposed ([`crate::server::OfferedTool::pin`]). If its
    /// description or schema has changed since, the call is a conflict.
    pub schema: String,
}

/// Why a provider does not accept a sign-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignedOut {
    /// The provider does not say why.
    #[default]
    Unsaid,
    /// The sign-in expired or was withdrawn.
    Withdrawn,
    /// The account is disabled or deleted.
    Disabled,
    /// Programs need a password of their own.
    AppPassword,
    /// An administrator does not allow it.
    Barred,
}

/// Why a provider did not do what it was asked.
///
/// **Nothing was done**, except for [`Self::Failed`]. Code that is not sure of that returns [`super::Ended::Unknown`]
/// instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum RemoteFault {
    /// Credentials are missing, expired or revoked.
    #[error("not signed in to {account}")]
    NotSignedIn {
        /// The account.
        account: AccountId,
        /// What happened to the sign-in.
        #[serde(default)]
        why: SignedOut,
    },
    /// The record is not in the expected version.
    #[error("it was changed elsewhere in the meantime")]
    Conflict {
        /// Its present version, if the provider tells.
        current: Option<Etag>,
    },
    /// The record no longer exists.
    #[error("it is no longer there")]
    Gone,
    /// Too many requests, or a quota is used up.
    #[error("the provider is not taking more requests right now")]
    Limited {
        /// Seconds until the next attempt, if the provider tells.
        retry_after_seconds: Option<u64>,
    },
    /// The provider refused for another reason.
    #[error("it was refused: {what}")]
    Refused {
        /// The provider's reason, sanitised.
        what: String,
    },
    /// The server could not prove its identity; nothing was sent.
    #[error("{host} could not prove its identity: {why}")]
    Untrusted {
        /// The server.
        host: String,
        /// What is wrong with its certificate, as the end of a sentence.
        why: String,
        /// SHA-256 fingerprint of that certificate, as people compare it.
        fingerprint: String,
    },
    /// The provider reports a failure. It may have done part of the work.
    #[error("it reports a failure, and may have done part of it: {what}")]
    Failed {
        /// The provider's words, sanitised.
        what: String,
    },
    /// No connection was established.
    #[error("the provider could not be reached")]
    Unreachable,
    /// No connection was established in time; nothing was sent.
    #[error("the provider did not answer in time")]
    TimedOut,
}

impl RemoteFault {
    /// Creates the fault of a provider that does not say why it does not accept a sign-in.
    #[must_use]
    pub fn not_signed_in(account: AccountId) -> Self {
        Self::NotSignedIn {
            account,
            why: SignedOut::Unsaid,
        }
    }

    /// Returns whether the provider could not be reached.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable | Self::TimedOut)
    }

    /// Returns whether an approved action may wait until this is over: for a connection, or for the person to sign in.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.is_offline() || matches!(self, Self::NotSignedIn { .. })
    }
}
