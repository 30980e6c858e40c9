//! What a provider can be asked to do, typed. Identifiers of what is new are chosen here, so that a repeated request
//! cannot make a second one; what exists is named together with the state it was seen in.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{AccountId, CollectionRef, Etag, RemoteId};
use crate::moment::Moment;
use crate::record::{Address, Contact, Event, Folder, Task};

/// One request to a provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum RemoteOp {
    /// Events of a calendar.
    Calendar(CalendarOp),
    /// Mail: sending and filing.
    Mail(MailOp),
    /// Tasks of a list.
    Task(TaskOp),
    /// Contacts of an address book.
    Contact(ContactOp),
    /// A mailing list, which needs no account.
    LeaveList(LeaveList),
    /// A tool of an MCP server.
    Tool(ToolOp),
}

impl RemoteOp {
    /// What is asked, as a phrase for people: "send the mail".
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

    /// Whether somebody else hears of it.
    #[must_use]
    pub fn reaches_people(&self) -> bool {
        match self {
            Self::Calendar(
                CalendarOp::Create { notify, .. }
                | CalendarOp::Update { notify, .. }
                | CalendarOp::Delete { notify, .. },
            ) => *notify,
            Self::Calendar(CalendarOp::Respond { .. })
            | Self::Mail(MailOp::Send { .. })
            | Self::LeaveList(_) => true,
            Self::Mail(_) | Self::Task(_) | Self::Contact(_) | Self::Tool(_) => false,
        }
    }

    /// The collection it works in, where it works in one.
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
    /// Adds an event; its `uid` was chosen here and makes a repetition harmless.
    Create {
        /// Calendar it goes into.
        collection: CollectionRef,
        /// Identifier the provider shall use, made from the `uid`: 32 hexadecimal digits.
        remote_id: RemoteId,
        /// The event, and the changed instances of a repeating one: rows of one UID, the master first.
        rows: Vec<Event>,
        /// Whether guests are told.
        notify: bool,
    },
    /// Replaces rows of an event.
    Update {
        /// Calendar it is in.
        collection: CollectionRef,
        /// Calendar of the same account it goes to, where it moves.
        moves_to: Option<CollectionRef>,
        /// Which event.
        remote_id: RemoteId,
        /// The state it was seen in; anything else is a conflict.
        etag: Option<Etag>,
        /// iCalendar UID.
        uid: String,
        /// iCalendar SEQUENCE it was seen with.
        sequence: i64,
        /// Rows as they shall be: the master, changed instances, or both, the master first. Others stay as they are.
        rows: Vec<Event>,
        /// Changed instances whose own row goes: they follow the master again, unless its EXDATE takes them out.
        reverted: Vec<Moment>,
        /// The untouched source it was read from, to keep what is not understood here.
        source: Option<String>,
        /// Whether guests are told.
        notify: bool,
    },
    /// Removes an event, a repeating one with all its instances.
    Delete {
        /// Calendar it is in.
        collection: CollectionRef,
        /// Which event.
        remote_id: RemoteId,
        /// The state it was seen in.
        etag: Option<Etag>,
        /// iCalendar UID.
        uid: String,
        /// iCalendar SEQUENCE it was seen with.
        sequence: i64,
        /// Whether guests are told.
        notify: bool,
    },
    /// Answers an invitation.
    Respond {
        /// Calendar it is in.
        collection: CollectionRef,
        /// Which event.
        remote_id: RemoteId,
        /// The state it was seen in.
        etag: Option<Etag>,
        /// iCalendar UID.
        uid: String,
        /// iCalendar SEQUENCE of the invitation.
        sequence: i64,
        /// The instance, where only one is answered.
        instance: Option<Moment>,
        /// The answer.
        participation: Participation,
    },
}

/// The answer to an invitation (iCalendar PARTSTAT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Participation {
    /// Comes.
    Accepted,
    /// May come.
    Tentative,
    /// Does not come.
    Declined,
}

impl Participation {
    /// The answer of a guest's PARTSTAT; none where there is no answer yet.
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

/// A message in a mailbox of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRef {
    /// The mailbox.
    pub collection: CollectionRef,
    /// IMAP UIDVALIDITY it was seen with; another one means that the number names something else now.
    pub uid_validity: Option<u32>,
    /// IMAP UID, or the provider's own identifier.
    pub remote_id: RemoteId,
    /// Message-ID without angle brackets, to find it again.
    pub message_id: String,
}

/// Requests about mail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum MailOp {
    /// Sends exactly these bytes to exactly these recipients.
    Send {
        /// Message-ID without angle brackets, fixed when the mail was proposed: Sent is searched for it.
        message_id: String,
        /// Sender of the envelope.
        from: Address,
        /// Recipients of the envelope, blind copies included.
        recipients: Vec<Address>,
        /// The whole message, without a Bcc header.
        mime: String,
    },
    /// Moves mails into another mailbox.
    Move {
        /// Which.
        mails: Vec<MailRef>,
        /// Where to.
        to: Folder,
    },
    /// Sets and clears marks.
    Flag {
        /// Which.
        mails: Vec<MailRef>,
        /// Read or unread.
        read: Option<bool>,
        /// Starred or not.
        starred: Option<bool>,
        /// Labels to add.
        add_labels: Vec<String>,
        /// Labels to take away.
        remove_labels: Vec<String>,
    },
    /// Deletes mails: into the trash, or for good where they lie there already.
    Delete {
        /// Which.
        mails: Vec<MailRef>,
    },
}

/// Requests about tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum TaskOp {
    /// Adds a task under an identifier chosen here.
    Create {
        /// List it goes into.
        collection: CollectionRef,
        /// Identifier the provider shall use.
        remote_id: RemoteId,
        /// The task.
        task: Box<Task>,
    },
    /// Replaces a task; completing one is a replacement.
    Update {
        /// List it is in.
        collection: CollectionRef,
        /// Which task.
        remote_id: RemoteId,
        /// The state it was seen in.
        etag: Option<Etag>,
        /// The untouched source it was read from.
        source: Option<String>,
        /// The task as it shall be.
        task: Box<Task>,
    },
    /// Removes a task.
    Delete {
        /// List it is in.
        collection: CollectionRef,
        /// Which task.
        remote_id: RemoteId,
        /// The state it was seen in.
        etag: Option<Etag>,
    },
}

/// Requests about contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum ContactOp {
    /// Adds a contact under an identifier chosen here.
    Create {
        /// Address book it goes into.
        collection: CollectionRef,
        /// Identifier the provider shall use.
        remote_id: RemoteId,
        /// The contact.
        contact: Box<Contact>,
    },
    /// Replaces a contact.
    Update {
        /// Address book it is in.
        collection: CollectionRef,
        /// Which contact.
        remote_id: RemoteId,
        /// The state it was seen in.
        etag: Option<Etag>,
        /// The untouched source it was read from.
        source: Option<String>,
        /// The contact as it shall be.
        contact: Box<Contact>,
    },
    /// Removes a contact.
    Delete {
        /// Address book it is in.
        collection: CollectionRef,
        /// Which contact.
        remote_id: RemoteId,
        /// The state it was seen in.
        etag: Option<Etag>,
    },
}

/// One request by which a mailing list is left (RFC 8058). Asked a second time it changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaveList {
    /// Where the request goes, `https`.
    pub url: String,
    /// The host of it, for people.
    pub host: String,
}

/// A call of a tool that an MCP server offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolOp {
    /// The tool's name at the server.
    pub name: String,
    /// Arguments, exactly as shown.
    pub args: Value,
    /// What the tool said of itself when it was proposed ([`crate::server::OfferedTool::pin`]): with another description or
    /// schema it is another tool, and the call a conflict.
    pub schema: String,
}

/// Why a provider did not do what it was asked. **Nothing was done**, except for [`Self::Failed`]: whoever is not sure of
/// that says [`super::Ended::Unknown`] instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum RemoteFault {
    /// Credentials are missing, expired or revoked.
    #[error("not signed in to {account}")]
    NotSignedIn {
        /// Which account.
        account: AccountId,
    },
    /// It is not in the state it was seen in.
    #[error("it was changed elsewhere in the meantime")]
    Conflict {
        /// The state it is in, where the provider says so.
        current: Option<Etag>,
    },
    /// It does not exist any more.
    #[error("it is not there any more")]
    Gone,
    /// Too many requests, or a quota is used up.
    #[error("the provider takes no more requests for now")]
    Limited {
        /// When it may be tried again, in seconds from now, where the provider says so.
        retry_after_seconds: Option<u64>,
    },
    /// Refused for another reason.
    #[error("it was refused: {what}")]
    Refused {
        /// The provider's words, cleaned.
        what: String,
    },
    /// It was asked for, and the other side reports that it failed. It may have done a part.
    #[error("it reports a failure, and may have done a part: {what}")]
    Failed {
        /// Its words, cleaned.
        what: String,
    },
    /// No connection came about.
    #[error("the provider could not be reached")]
    Unreachable,
    /// No connection came about in time; nothing was sent.
    #[error("the provider did not answer in time")]
    TimedOut,
}

impl RemoteFault {
    /// Whether there was no way to the provider: what was approved may wait for one.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable | Self::TimedOut)
    }
}
