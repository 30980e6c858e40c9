//! What `show` shows, and which of it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::words::MailFolder;

/// Which mails, events and tasks, besides words and dates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct Only {
    /// Mail that lies here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub folder: Option<MailFolder>,
    /// Mail that was not read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub unread: bool,
    /// Mail from or to one of these addresses, events with one of them among the guests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub people: Vec<String>,
    /// Tasks that are done, or that are not; without it both. The range of time is when they were done then, and when they
    /// are due otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub done: Option<bool>,
}

/// What `show` can show.
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
    /// Memories that are kept and not used any more: replaced, or put aside by the person.
    PastMemories,
    /// Mail.
    Mail,
    /// The mails of one thread with their texts, oldest first; `id` is any of them.
    Thread,
    /// Drafts and outgoing mail.
    Outbox,
    /// Address book.
    Contacts,
    /// Actions that wait or waited for approval.
    Approvals,
    /// Standing grants.
    Grants,
    /// What the person was asked, by tool, and how they answered.
    Questions,
    /// Plans.
    Plans,
    /// Conversations that were not put away, pinned ones first; with words all that have them in their title or in what was
    /// said.
    Conversations,
    /// Conversations that were put away.
    ArchivedConversations,
    /// Messages of a conversation (`id`).
    Messages,
    /// What is due later: reminders, held mail.
    Jobs,
    /// Research.
    Research,
    /// Effects with receipts.
    Activity,
    /// Accounts, this computer first.
    Accounts,
    /// Calendars, mailboxes, task lists and address books of all accounts.
    Collections,
    /// Connections that were opened.
    Egress,
    /// Files and folders that were read in.
    Imports,
    /// What models cost by day and feature; with a turn's id, its calls one by one.
    Usage,
}
