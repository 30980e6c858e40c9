//! Rows for conversations, plans, actions, jobs and effects.

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
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the call; for a batch, a list with those of each call.
    pub args: Value,
    /// The card.
    pub shown: CardView,
    /// Highest risk among its calls.
    pub risk: Risk,
    /// Where the arguments come from.
    pub sources: Value,
    /// When it was proposed, RFC 3339.
    pub created: String,
    /// When it expires, RFC 3339.
    pub expires: String,
    /// State of the action.
    pub state: ApprovalState,
    /// Id of the conversation.
    pub conversation: String,
    /// Id of the turn.
    pub turn: String,
    /// Key of the step.
    pub step: String,
    /// Id of the action that replaced it.
    pub superseded_by: Option<String>,
    /// Whether foreign text influenced the plan.
    pub tainted: bool,
    /// New and changed events as they will be after approval, for the calendar.
    pub proposed: Vec<ProposedEvent>,
    /// Why the person is asked, in one line; empty for an action proposed by an earlier version.
    pub why: String,
    /// Whether the usual rules would have let it run without asking.
    pub needless: bool,
    /// Standing grant that the person may give; `null` if the action always needs its own approval.
    pub grant: Option<GrantOffer>,
    /// Account it acts for; `local` for this computer.
    pub account: String,
    /// Number of waiting cards for the same tool and account, if there are so many that front ends show them as one.
    #[ts(type = "number | null")]
    pub flood: Option<usize>,
}

/// How often the person was asked about one tool, and with what outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuestionsRow {
    /// Name of the tool.
    pub id: String,
    /// Number of cards shown.
    #[ts(type = "number")]
    pub asked: usize,
    /// Number of approved cards.
    #[ts(type = "number")]
    pub approved: usize,
    /// Number of cards that were approved unchanged and carried out within ten seconds, so that the question was hardly
    /// needed.
    #[ts(type = "number")]
    pub at_once: usize,
    /// Number of rejected cards.
    #[ts(type = "number")]
    pub rejected: usize,
    /// Number of cards that the person edited, or that were shown again because something had changed.
    #[ts(type = "number")]
    pub changed: usize,
    /// Number of cards that expired.
    #[ts(type = "number")]
    pub expired: usize,
    /// Number of cards that the usual rules did not require: shown before, or because the person wants to be asked.
    #[ts(type = "number")]
    pub needless: usize,
}

/// The standing grant that a card offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantOffer {
    /// Name of the tool.
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
    /// Name of the tool.
    pub tool: String,
    /// Account; `local` for this computer.
    pub account: String,
    /// The exact target, in words.
    pub target: String,
    /// When the person gave it, RFC 3339.
    pub created: String,
    /// When it ends, RFC 3339; exclusive.
    pub expires: String,
    /// Number of calls that used it.
    pub uses: u32,
    /// When it was last used, RFC 3339.
    pub last_used: Option<String>,
    /// Whether it holds, and if not, why.
    pub state: GrantState,
    /// Id of the action whose card offered it.
    pub action: String,
}

/// Whether a standing grant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GrantState {
    /// It holds.
    Holds,
    /// It has expired.
    Expired,
    /// The person revoked it.
    Revoked,
    /// The tool's definition has changed.
    ToolChanged,
    /// The tool no longer exists.
    ToolGone,
}

impl GrantState {
    /// Returns the state in words.
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

/// An event as it will be after approval of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProposedEvent {
    /// Id of the row that changes; `null` for a new event.
    pub id: Option<String>,
    /// iCalendar UID; shared by the instances of a series.
    pub uid: String,
    /// For a series: original start of the one instance that changes.
    pub instance: Option<String>,
    /// Title.
    pub summary: String,
    /// Start: RFC 3339 with offset, or a date for whole days.
    pub start: String,
    /// End, exclusive.
    pub end: String,
    /// Whether it takes up whole days.
    pub all_day: bool,
}

/// The plan of a turn, with its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlanRow {
    /// Identifier.
    pub id: String,
    /// Id of the turn.
    pub turn: String,
    /// Id of the conversation.
    pub conversation: String,
    /// The person's request, restated.
    pub request: String,
    /// Steps.
    pub steps: Vec<PlanStep>,
    /// `open`, `waiting`, `done`, `interrupted`, `failed` or `set_aside`.
    pub state: String,
    /// When the turn began, RFC 3339.
    pub at: String,
}

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConversationRow {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// When it began, RFC 3339.
    pub created: String,
    /// When it last changed, RFC 3339.
    pub updated: String,
    /// Number of messages.
    #[ts(type = "number")]
    pub messages: i64,
    /// Whether the person pinned it to the top.
    pub pinned: bool,
    /// Whether the person archived it.
    pub archived: bool,
    /// After a search: excerpt from the latest message that contains the words; absent if only the title does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<String>,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MessageRow {
    /// Id of its turn.
    pub id: String,
    /// `user` or `assistant`.
    pub role: String,
    /// Text.
    pub text: String,
    /// When it was said, RFC 3339.
    pub at: String,
}

/// A job: work that is due later or takes long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JobRow {
    /// Identifier.
    pub id: String,
    /// What it does.
    pub kind: JobKind,
    /// Id of the record or action it is about.
    pub subject: String,
    /// Title of the job.
    pub title: String,
    /// When it was planned for, RFC 3339.
    pub at: String,
    /// When it runs next, RFC 3339; `null` once it is over.
    pub next: Option<String>,
    /// State of the job.
    pub state: JobState,
    /// Number of attempts so far.
    pub attempts: u32,
    /// Whether it fell due while Adjutant was not running.
    pub late: bool,
    /// Why it is paused, skipped, failed or tried again, as a sentence.
    pub why: Option<String>,
    /// Number of bytes done, if it counts bytes.
    #[ts(type = "number | null")]
    pub done: Option<u64>,
    /// Maximum number of bytes.
    #[ts(type = "number | null")]
    pub budget: Option<u64>,
    /// How often it repeats; `null` if it runs once.
    pub repeats: Option<Repeats>,
    /// What happens if it falls due while Adjutant is not running: `once`, `skip` or `each`.
    pub catch_up: String,
    /// Whether it can be stopped.
    pub stoppable: bool,
}

/// How often a job repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "every", rename_all = "snake_case")]
pub enum Repeats {
    /// Every day.
    Day {
        /// Time of day, `12:30`.
        at: String,
    },
    /// Every week.
    Week {
        /// Day of the week: Monday is 1, Sunday 7.
        day: u8,
        /// Time of day, `09:00`.
        at: String,
    },
    /// Every few hours.
    Hours {
        /// Number of hours.
        hours: u16,
    },
    /// Every few minutes.
    Minutes {
        /// Number of minutes.
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
    /// Expires an action that the person did not answer in time.
    Expire,
    /// Asks a candidate model along with the live one.
    Compare,
    /// Downloads a model file.
    FetchModel,
    /// Tidies storage.
    Tidy,
    /// Checks storage for damage.
    Check,
    /// Reads an account.
    Sync,
    /// Researches a question.
    Research,
    /// Reads documents in open folders to make them searchable.
    Documents,
}

impl JobKind {
    /// Returns the name on the wire.
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

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It is not due yet, or waits for another attempt.
    Waiting,
    /// It is running.
    Running,
    /// It waits for the person.
    Paused,
    /// It succeeded.
    Done,
    /// It missed its time and will not run.
    Skipped,
    /// It failed for good.
    Failed,
    /// The person stopped it.
    Stopped,
}

impl JobState {
    /// Returns the name on the wire.
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

/// How far an effect can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UndoState {
    /// Completely.
    Available,
    /// Not at all: its rows changed afterwards, and undoing it would overwrite those changes.
    Changed,
    /// It was undone.
    Used,
    /// Partly undone; the rest can be undone.
    Partly,
    /// Partly undone; the rest changed afterwards.
    PartlyChanged,
}

impl UndoState {
    /// Returns the name on the wire.
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
    /// Id of the effect.
    pub id: String,
    /// When it happened, RFC 3339.
    pub at: String,
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the call as it ran.
    pub args: Value,
    /// `succeeded`, `failed`, `unknown` or `denied`.
    pub outcome: String,
    /// What happened, in words.
    pub say: String,
    /// Proof that it was carried out.
    pub receipt: Option<Value>,
    /// How far it can be undone; `null` if it cannot be undone at all.
    pub undo: Option<UndoState>,
    /// Id of the conversation.
    pub conversation: String,
    /// Id of the turn.
    pub turn: String,
    /// Id of the approved action, if it needed approval.
    pub approval: Option<String>,
    /// Id of the standing grant that allowed it, if one did.
    pub grant: Option<String>,
}
