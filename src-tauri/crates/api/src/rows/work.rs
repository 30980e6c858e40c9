//! Rows of what was said, planned, approved and done.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::event::{CardView, PlanStep};
use crate::words::{ApprovalState, Risk};

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
    /// Why it is asked, in one line; empty for what an earlier version proposed.
    pub why: String,
    /// Whether the usual rules would have let it run.
    pub needless: bool,
    /// What the person may allow until a date; none where it can only be allowed one at a time.
    pub grant: Option<GrantOffer>,
    /// Account it acts for; `local` for this computer.
    pub account: String,
    /// How many cards of this tool and account wait, where they are so many that they are shown as one.
    #[ts(type = "number | null")]
    pub flood: Option<usize>,
}

/// How often the person was asked about one tool, and what they made of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuestionsRow {
    /// Tool.
    pub id: String,
    /// Cards that were shown.
    #[ts(type = "number")]
    pub asked: usize,
    /// Approved.
    #[ts(type = "number")]
    pub approved: usize,
    /// Of them approved as they were first shown and carried out within ten seconds: a question nobody needed to think
    /// about.
    #[ts(type = "number")]
    pub at_once: usize,
    /// Rejected.
    #[ts(type = "number")]
    pub rejected: usize,
    /// Edited, or shown anew because something had changed.
    #[ts(type = "number")]
    pub changed: usize,
    /// Ran out unanswered.
    #[ts(type = "number")]
    pub expired: usize,
    /// Asked although the usual rules would have let it run: shown before, or because the person wants to be asked.
    #[ts(type = "number")]
    pub needless: usize,
}

/// What a standing grant on a card would cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantOffer {
    /// Tool.
    pub tool: String,
    /// Account; `local` for this computer.
    pub account: String,
    /// The exact target, in words.
    pub target: String,
}

/// A standing grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantRow {
    /// Identifier.
    pub id: String,
    /// Tool.
    pub tool: String,
    /// Account; `local` for this computer.
    pub account: String,
    /// The exact target, in words.
    pub target: String,
    /// When it was given, RFC 3339.
    pub created: String,
    /// It does not hold from then on, RFC 3339.
    pub expires: String,
    /// How often it was used.
    pub uses: u32,
    /// When it was used last, RFC 3339.
    pub last_used: Option<String>,
    /// `holds`, `expired`, `revoked`, `tool_changed` or `tool_gone`.
    pub state: GrantState,
    /// The card it was given on.
    pub action: String,
}

/// Whether a standing grant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GrantState {
    /// It holds.
    Holds,
    /// Its date is over.
    Expired,
    /// The person took it back.
    Revoked,
    /// The tool says something else of itself now.
    ToolChanged,
    /// The tool is not there now.
    ToolGone,
}

impl GrantState {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "in force",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::ToolChanged => "no longer valid: the tool has changed",
            Self::ToolGone => "no longer valid: the tool no longer exists",
        }
    }
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

/// The plan of a turn, with where it stands.
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
    /// The person keeps it at the top.
    pub pinned: bool,
    /// The person put it away.
    pub archived: bool,
    /// Where words were looked for: a piece of the latest message that has them; none where only the title does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<String>,
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
    /// How often it is done; nothing for what is done once.
    pub repeats: Option<Repeats>,
    /// What becomes of it when its time passes while nothing runs: `once`, `skip` or `each`.
    pub catch_up: String,
    /// Whether it can be stopped.
    pub stoppable: bool,
}

/// How often a job is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "every", rename_all = "snake_case")]
pub enum Repeats {
    /// Every day.
    Day {
        /// At this time of day, `12:30`.
        at: String,
    },
    /// Every week.
    Week {
        /// Day of the week: Monday is 1, Sunday 7.
        day: u8,
        /// At this time of day, `09:00`.
        at: String,
    },
    /// Every so many hours.
    Hours {
        /// How many.
        hours: u16,
    },
    /// Every so many minutes.
    Minutes {
        /// How many.
        minutes: u16,
    },
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
    /// Puts storage in order.
    Tidy,
    /// Looks storage over for damage.
    Check,
    /// Reads an account.
    Sync,
    /// Researches a question.
    Research,
    /// Reads documents in opened folders, so that they can be searched.
    Documents,
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
            Self::Tidy => "tidy",
            Self::Check => "check",
            Self::Sync => "sync",
            Self::Research => "research",
            Self::Documents => "documents",
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

/// How far an effect can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UndoState {
    /// All of it can be.
    Available,
    /// What it did was changed afterwards, so that going back would overwrite that.
    Changed,
    /// It was taken back.
    Used,
    /// A part was taken back; the rest can be.
    Partly,
    /// A part was taken back; the rest was changed afterwards.
    PartlyChanged,
}

impl UndoState {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Changed => "changed",
            Self::Used => "used",
            Self::Partly => "partly",
            Self::PartlyChanged => "partly_changed",
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
    /// How far it can be taken back; nothing where there is no way back.
    pub undo: Option<UndoState>,
    /// Conversation.
    pub conversation: String,
    /// Turn.
    pub turn: String,
    /// The approval it used.
    pub approval: Option<String>,
    /// The standing grant it ran by.
    pub grant: Option<String>,
}
