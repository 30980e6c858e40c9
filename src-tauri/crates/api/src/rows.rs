//! The objects of `show`, as CONTRACTS names their fields.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::event::{CardView, PlanStep};
use crate::usage::{CallRow, UsageRow};
use crate::words::{ApprovalState, MemorySource, OutboxState, Priority, Risk, TaskStatus};

/// Rows of one topic; on the wire a plain list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "topic", content = "list", rename_all = "snake_case")]
pub enum Rows {
    /// Tasks.
    Tasks(Vec<TaskRow>),
    /// Events.
    Events(Vec<EventRow>),
    /// Notes.
    Notes(Vec<NoteRow>),
    /// Memories.
    Memories(Vec<MemoryRow>),
    /// Mail.
    Mail(Vec<MailRow>),
    /// Outgoing mail.
    Outbox(Vec<OutboxRow>),
    /// Contacts.
    Contacts(Vec<ContactRow>),
    /// Approvals.
    Approvals(Vec<ApprovalRow>),
    /// Plans.
    Plans(Vec<PlanRow>),
    /// Conversations.
    Conversations(Vec<ConversationRow>),
    /// Messages.
    Messages(Vec<MessageRow>),
    /// Due later.
    Jobs(Vec<JobRow>),
    /// Effects.
    Activity(Vec<ActivityRow>),
    /// Accounts.
    Accounts(Vec<AccountRow>),
    /// Collections.
    Collections(Vec<CollectionRow>),
    /// Connections.
    Egress(Vec<EgressRow>),
    /// What models cost, by day and feature.
    Usage(Vec<UsageRow>),
    /// The calls to models of one turn.
    Calls(Vec<CallRow>),
}

/// Runs an expression on the list inside.
macro_rules! on_list {
    ($rows:expr, $list:ident => $run:expr) => {
        match $rows {
            Self::Tasks($list) => $run,
            Self::Events($list) => $run,
            Self::Notes($list) => $run,
            Self::Memories($list) => $run,
            Self::Mail($list) => $run,
            Self::Outbox($list) => $run,
            Self::Contacts($list) => $run,
            Self::Approvals($list) => $run,
            Self::Plans($list) => $run,
            Self::Conversations($list) => $run,
            Self::Messages($list) => $run,
            Self::Jobs($list) => $run,
            Self::Activity($list) => $run,
            Self::Accounts($list) => $run,
            Self::Collections($list) => $run,
            Self::Egress($list) => $run,
            Self::Usage($list) => $run,
            Self::Calls($list) => $run,
        }
    };
}

impl Rows {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        on_list!(self, list => list.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Without the first so many.
    #[must_use]
    pub fn after(mut self, count: usize) -> Self {
        on_list!(&mut self, list => drop(list.drain(..count.min(list.len()))));
        self
    }

    /// The rows as a JSON list, as `show --json` prints them.
    #[must_use]
    pub fn to_list(&self) -> Vec<Value> {
        let whole = serde_json::to_value(self).unwrap_or(Value::Null);
        whole
            .get("list")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    }
}

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TaskRow {
    /// Identifier.
    pub id: String,
    /// What to do.
    pub title: String,
    /// Further text.
    pub notes: String,
    /// RFC 3339 with offset, or a date.
    pub due: Option<String>,
    /// When to notify, RFC 3339.
    pub remind_at: Option<String>,
    /// How much it matters.
    pub priority: Priority,
    /// Whether it is done.
    pub status: TaskStatus,
    /// Repetition.
    pub rrule: Option<String>,
    /// When it was completed last, RFC 3339.
    pub completed_at: Option<String>,
}

/// An event, or one instance of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct EventRow {
    /// Identifier of the row.
    pub id: String,
    /// iCalendar UID.
    pub uid: String,
    /// Title.
    pub summary: String,
    /// RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// IANA zone; empty for whole days.
    pub tz: String,
    /// Whole days.
    pub all_day: bool,
    /// Where.
    pub location: String,
    /// Further text.
    pub description: String,
    /// Addresses of guests.
    pub attendees: Vec<String>,
    /// Repetition.
    pub rrule: Option<String>,
    /// Calendar.
    pub calendar: String,
    /// For an instance: its original start.
    pub instance: Option<String>,
    /// For a series that may have instances in the range which are not among the rows: why they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unexpanded: Option<String>,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteRow {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Labels.
    pub tags: Vec<String>,
    /// First written, RFC 3339.
    pub created: String,
    /// Last changed, RFC 3339.
    pub updated: String,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MemoryRow {
    /// Identifier.
    pub id: String,
    /// Kind of fact.
    pub category: String,
    /// What it is about.
    pub key: String,
    /// The fact.
    pub value: String,
    /// Where it comes from.
    pub source: MemorySource,
    /// The exact words, or the place it was read.
    pub origin: String,
    /// 0 to 1.
    pub confidence: f64,
    /// RFC 3339.
    pub valid_from: String,
    /// RFC 3339.
    pub valid_to: Option<String>,
    /// How often it was used.
    #[ts(type = "number")]
    pub uses: i64,
    /// When it was last used, RFC 3339.
    pub last_used: Option<String>,
}

/// A mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailRow {
    /// Identifier.
    pub id: String,
    /// Message-ID without angle brackets.
    pub message_id: String,
    /// `inbox`, `sent`, `archive`, `trash` or `junk`.
    pub folder: String,
    /// Sender's address.
    pub from: String,
    /// Sender's name.
    pub from_name: String,
    /// Recipients' addresses.
    pub to: Vec<String>,
    /// Carbon copies.
    pub cc: Vec<String>,
    /// Subject.
    pub subject: String,
    /// RFC 3339.
    pub date: String,
    /// Whether it was read.
    pub read: bool,
    /// Labels.
    pub labels: Vec<String>,
    /// Number of attachments.
    pub attachments: usize,
    /// Plain text; only when one mail is asked for.
    pub text: Option<String>,
}

/// A draft or outgoing mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutboxRow {
    /// Identifier.
    pub id: String,
    /// Recipients' addresses.
    pub to: Vec<String>,
    /// Carbon copies.
    pub cc: Vec<String>,
    /// Blind copies.
    pub bcc: Vec<String>,
    /// Subject.
    pub subject: String,
    /// Text.
    pub body: String,
    /// Message-ID this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub in_reply_to: Option<String>,
    /// Message-ID this forwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub forward_of: Option<String>,
    /// Where it is.
    pub state: OutboxState,
    /// When a held mail leaves, RFC 3339.
    pub not_before: Option<String>,
    /// Last changed, RFC 3339.
    pub updated: String,
}

/// A contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContactRow {
    /// Identifier.
    pub id: String,
    /// Full name.
    pub name: String,
    /// Other names.
    pub nicknames: Vec<String>,
    /// Mail addresses.
    pub emails: Vec<String>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Organisation.
    pub organisation: String,
    /// Relation to the owner in the person's words; may be empty.
    pub relation: String,
    /// `1984-04-15`, or `--04-15` where the year is not known; may be empty.
    pub birthday: String,
    /// Further text.
    pub notes: String,
}

/// An action that waits or waited for approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ApprovalRow {
    /// Identifier.
    pub id: String,
    /// Digest to approve with.
    pub digest: String,
    /// Tool.
    pub tool: String,
    /// Arguments: those of the call, or a list for a batch.
    pub args: Value,
    /// The card.
    pub shown: CardView,
    /// Class of risk.
    pub risk: Risk,
    /// Where the arguments come from.
    pub sources: Value,
    /// RFC 3339.
    pub created: String,
    /// RFC 3339.
    pub expires: String,
    /// How it stands.
    pub state: ApprovalState,
    /// Conversation.
    pub conversation: String,
    /// Turn.
    pub turn: String,
    /// Step.
    pub step: String,
    /// The action that replaced it.
    pub superseded_by: Option<String>,
    /// Whether text of others had reached the plan.
    pub tainted: bool,
    /// Events as they will be once it is approved, new ones and changed ones; for the calendar.
    pub proposed: Vec<ProposedEvent>,
}

/// An event as it will be once an action is approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProposedEvent {
    /// Row that changes; none for a new event.
    pub id: Option<String>,
    /// iCalendar UID; shared by the instances of a series.
    pub uid: String,
    /// Of a series: the original start of the one instance that is meant.
    pub instance: Option<String>,
    /// Title.
    pub summary: String,
    /// RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// Whole days.
    pub all_day: bool,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlanRow {
    /// Identifier.
    pub id: String,
    /// Turn.
    pub turn: String,
    /// Conversation.
    pub conversation: String,
    /// The request, restated.
    pub request: String,
    /// Steps.
    pub steps: Vec<PlanStep>,
    /// `open`, `waiting`, `done`, `interrupted`, `failed` or `set_aside`.
    pub state: String,
    /// RFC 3339.
    pub at: String,
}

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConversationRow {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// RFC 3339.
    pub created: String,
    /// RFC 3339.
    pub updated: String,
    /// Number of messages.
    #[ts(type = "number")]
    pub messages: i64,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MessageRow {
    /// Turn.
    pub id: String,
    /// `user` or `assistant`.
    pub role: String,
    /// Text.
    pub text: String,
    /// RFC 3339.
    pub at: String,
}

/// Something that is due later, or takes long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JobRow {
    /// Identifier.
    pub id: String,
    /// What it does.
    pub kind: JobKind,
    /// The record or action it is about.
    pub subject: String,
    /// What.
    pub title: String,
    /// The instant it was planned for, RFC 3339.
    pub at: String,
    /// When it runs next, RFC 3339; nothing once it is over.
    pub next: Option<String>,
    /// How far it is.
    pub state: JobState,
    /// How often it was begun.
    pub attempts: u32,
    /// Its time passed while nothing ran.
    pub late: bool,
    /// Why it is paused, skipped, failed or tried again, as a sentence.
    pub why: Option<String>,
    /// Bytes of it that are done, where that can be told.
    #[ts(type = "number | null")]
    pub done: Option<u64>,
    /// Bytes it may take at most.
    #[ts(type = "number | null")]
    pub budget: Option<u64>,
    /// What becomes of it when its time passes while nothing runs: `once`, `skip` or `each`.
    pub catch_up: String,
    /// Whether it can be stopped.
    pub stoppable: bool,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Shows the reminder of a task.
    Reminder,
    /// Ends the hold of an approved mail.
    Send,
    /// Closes an action that nobody answered in time.
    Expire,
    /// Asks a candidate model beside the live one.
    Compare,
    /// Fetches a model file.
    FetchModel,
}

impl JobKind {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reminder => "reminder",
            Self::Send => "send",
            Self::Expire => "expire",
            Self::Compare => "compare",
            Self::FetchModel => "fetch_model",
        }
    }
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Its time has not come, or it is tried again.
    Waiting,
    /// At work.
    Running,
    /// Waits for the person.
    Paused,
    /// Done.
    Done,
    /// Missed, and not done any more.
    Skipped,
    /// Given up.
    Failed,
    /// Stopped by the person.
    Stopped,
}

impl JobState {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }
}

/// An effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ActivityRow {
    /// Effect.
    pub id: String,
    /// RFC 3339.
    pub at: String,
    /// Tool.
    pub tool: String,
    /// Arguments as they ran.
    pub args: Value,
    /// `succeeded`, `failed`, `unknown` or `denied`.
    pub outcome: String,
    /// What happened, in words.
    pub say: String,
    /// Proof.
    pub receipt: Option<Value>,
    /// `available`, `used`, `changed` (what it did was changed afterwards, so going back would overwrite that), or nothing.
    pub undo: Option<String>,
    /// Conversation.
    pub conversation: String,
    /// Turn.
    pub turn: String,
    /// The approval it used.
    pub approval: Option<String>,
}

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
