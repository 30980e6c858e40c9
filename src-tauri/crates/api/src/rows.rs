//! Rows of `show`, one type per topic.

mod accounts;
mod records;
mod work;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

pub use self::accounts::{
    AccountFieldView, AccountKindView, AccountProblem, AccountRow, AccountState, CollectionKind,
    CollectionRow, EgressRow, FieldChoice, FieldForm, ImportCount, ImportRow, ReadingProgress,
    SignsIn,
};
pub use self::records::{
    ContactRow, EventRow, GuestRow, MailFile, MailRow, MemoryRow, NoteRow, OutboxRow, OutboxWait,
    TaskRow,
};
pub use self::work::{
    ActivityRow, ApprovalRow, ConversationRow, GrantOffer, GrantRow, GrantState, JobKind, JobRow,
    JobState, MessageRow, PlanRow, ProposedEvent, QuestionsRow, Repeats, UndoState,
};
use crate::research::ResearchRow;
use crate::usage::{CallRow, UsageRow};

/// Rows of one topic. `show --json` prints them as a plain list.
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
    /// Drafts, outgoing mail and other approved actions that wait.
    Outbox(Vec<OutboxRow>),
    /// Contacts.
    Contacts(Vec<ContactRow>),
    /// Approvals.
    Approvals(Vec<ApprovalRow>),
    /// Standing grants.
    Grants(Vec<GrantRow>),
    /// Number of questions and their outcomes, by tool.
    Questions(Vec<QuestionsRow>),
    /// Plans.
    Plans(Vec<PlanRow>),
    /// Conversations.
    Conversations(Vec<ConversationRow>),
    /// Messages.
    Messages(Vec<MessageRow>),
    /// Jobs.
    Jobs(Vec<JobRow>),
    /// Research runs.
    Research(Vec<ResearchRow>),
    /// Effects.
    Activity(Vec<ActivityRow>),
    /// Accounts.
    Accounts(Vec<AccountRow>),
    /// Collections.
    Collections(Vec<CollectionRow>),
    /// Connections to other computers.
    Egress(Vec<EgressRow>),
    /// Imported files and folders.
    Imports(Vec<ImportRow>),
    /// Cost of models, by day and stage.
    Usage(Vec<UsageRow>),
    /// Calls to models in one turn.
    Calls(Vec<CallRow>),
}

/// Evaluates an expression for the list in any variant.
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
            Self::Grants($list) => $run,
            Self::Questions($list) => $run,
            Self::Plans($list) => $run,
            Self::Conversations($list) => $run,
            Self::Messages($list) => $run,
            Self::Jobs($list) => $run,
            Self::Research($list) => $run,
            Self::Activity($list) => $run,
            Self::Accounts($list) => $run,
            Self::Collections($list) => $run,
            Self::Egress($list) => $run,
            Self::Imports($list) => $run,
            Self::Usage($list) => $run,
            Self::Calls($list) => $run,
        }
    };
}

impl Rows {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        on_list!(self, list => list.len())
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows without the first `count`.
    #[must_use]
    pub fn after(mut self, count: usize) -> Self {
        on_list!(&mut self, list => drop(list.drain(..count.min(list.len()))));
        self
    }

    /// Returns the rows as a JSON list, as `show --json` prints them.
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
