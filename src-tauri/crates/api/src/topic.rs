//! Topics of `show`, and further conditions on their rows.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::MailFolder;

/// Conditions on mails, events and tasks, in addition to words and dates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct Only {
    /// Folder of the mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub folder: Option<MailFolder>,
    /// Whether only unread mail is returned.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub unread: bool,
    /// Addresses, one of which must be the sender or a recipient of the mail, or a guest of the event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub people: Vec<String>,
    /// Whether to return only completed or only open tasks; absent for both. With completed tasks, the time range
    /// applies to the time of completion, otherwise to the due date.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub done: Option<bool>,
}

/// Topics of `show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Tasks and reminders.
    Tasks,
    /// Events.
    Events,
    /// Notes.
    Notes,
    /// Memories.
    Memories,
    /// Memories no longer in use: replaced, or put aside by the person.
    PastMemories,
    /// Mail.
    Mail,
    /// Mails of one thread with their texts, oldest first; `id` is that of any of its mails.
    Thread,
    /// Drafts and outgoing mail.
    Outbox,
    /// Address book.
    Contacts,
    /// Actions that wait or waited for approval.
    Approvals,
    /// Standing grants.
    Grants,
    /// Number of questions to the person and their outcomes, by tool.
    Questions,
    /// Plans.
    Plans,
    /// Conversations that are not archived, pinned ones first. With search words, all conversations that contain them
    /// in their title or messages.
    Conversations,
    /// Archived conversations.
    ArchivedConversations,
    /// Messages of a conversation (`id`).
    Messages,
    /// Jobs: reminders, held mail and other work that is due later or takes long.
    Jobs,
    /// Research runs.
    Research,
    /// Effects with receipts.
    Activity,
    /// Accounts, this computer first.
    Accounts,
    /// Calendars, mailboxes, task lists and address books of all accounts.
    Collections,
    /// Connections to other computers.
    Egress,
    /// Imported files and folders.
    Imports,
    /// Cost of models by day and stage; with the id of a turn, its calls one by one.
    Usage,
}
