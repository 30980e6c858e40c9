//! Replies to requests.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::fault::Fault;
use crate::rows::{ImportCount, Rows};
use crate::servers::{ServerOffers, ServerReport, ServerView};
use crate::words::Risk;

/// The reply to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// A turn is running; its events follow.
    Turn {
        /// Id of the turn.
        turn: String,
        /// Id of the conversation.
        conversation: String,
        /// Sequence number of the first event of this request. Events of the same turn with a smaller number are older.
        #[ts(type = "number")]
        seq: i64,
    },
    /// Done; there is nothing to report.
    Ok {},
    /// Rows of a topic.
    Rows {
        /// The requested rows.
        rows: Rows,
        /// Number of all matching rows, regardless of `limit` and `offset`. Absent if not counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        total: Option<u64>,
    },
    /// Outcome of a call made directly from a surface.
    Applied {
        /// The outcome.
        outcome: Applied,
    },
    /// Turns that used a memory.
    Uses {
        /// The turns, newest first.
        uses: Vec<MemoryUse>,
        /// Whether the search covered every conversation from its beginning.
        whole: bool,
    },
    /// Recurrence rules to choose from: the usual ones and the present one.
    Repeats {
        /// Rules, with their wording; empty if the last day precedes the first.
        rules: Vec<RepeatView>,
    },
    /// Answer to a research request.
    Research {
        /// The answer.
        found: crate::research::ResearchAnswer,
    },
    /// Kinds of account that the person can connect.
    AccountKinds {
        /// The kinds, in the order to offer them.
        kinds: Vec<crate::rows::AccountKindView>,
    },
    /// A mail in its sender's design.
    MailPage {
        /// The page; `null` if the mail is plain text only, or its HTML is too large to show.
        page: Option<crate::mail::MailPageView>,
        /// How to leave the mailing list; `null` if the mail names no way.
        leaving: Option<crate::mail::LeavingView>,
    },
    /// What a mail carries for the calendar.
    MailInvitation {
        /// It; `null` if the mail carries nothing that can be read.
        invitation: Option<Box<crate::mail::InvitationView>>,
    },
    /// A sign-in has started and waits for the person.
    SignIn {
        /// Id of the sign-in, for [`crate::Request::AddAccount`] and [`crate::Request::ChangeAccount`].
        id: String,
        /// The provider's page, to open in the system browser.
        address: String,
    },
    /// Search hits.
    Hits {
        /// The hits, best first.
        hits: Vec<Hit>,
    },
    /// How Adjutant understands a message.
    Explained {
        /// The reading.
        reading: Explained,
    },
    /// Instant answer to a message that is still being typed.
    Glanced {
        /// The answer; absent if the text asks for nothing that can be answered instantly.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        glance: Option<Glance>,
    },
    /// Highest possible cost of requests to models.
    Estimated {
        /// The requests and their cost.
        estimate: crate::usage::EstimateView,
    },
    /// A route from a model.
    RoutedByModel {
        /// The route.
        routed: RoutedByModel,
    },
    /// The import ended.
    Imported {
        /// Number of imported items, and the rejected ones.
        report: ImportReport,
    },
    /// The export ended.
    Exported {
        /// Folder written to.
        dir: String,
        /// Names of the written files.
        files: Vec<String>,
    },
    /// All tools.
    Tools {
        /// The tools.
        tools: Vec<ToolView>,
    },
    /// Settings.
    Config {
        /// The requested settings.
        settings: Vec<SettingView>,
    },
    /// Results of `doctor`.
    Doctor {
        /// The checks.
        checks: Vec<Check>,
    },
    /// Tools offered to other programs.
    ProgramTools {
        /// The tools.
        tools: Vec<crate::programs::ProgramTool>,
    },
    /// Result of a program's call.
    ProgramAnswered {
        /// The result.
        answer: crate::programs::ProgramAnswer,
    },
    /// The token for programs that connect over HTTP.
    ProgramToken {
        /// The token; present only in the reply to the request that made it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        token: Option<crate::models::SecretText>,
    },
    /// Due work was done.
    DueDone {
        /// One sentence for each piece of work.
        done: Vec<String>,
    },
    /// Numbers for tray and badges.
    Status {
        /// The numbers.
        status: StatusView,
    },
    /// Results of the built-in cases.
    Scoreboard {
        /// The run.
        scoreboard: crate::scoreboard::ScoreboardView,
    },
    /// Durations of turn stages.
    Timings {
        /// Statistics by stage; empty before the first turn.
        stages: Vec<crate::scoreboard::StageView>,
    },
    /// Models of the profile.
    Models {
        /// The models.
        models: crate::models::ModelsView,
    },
    /// Model servers found on this computer.
    FoundModels {
        /// The servers; empty if none answered.
        servers: Vec<crate::models::FoundServerView>,
    },
    /// Models that a provider offers.
    ModelList {
        /// The models.
        models: Vec<crate::models::FoundModelView>,
    },
    /// Model files that can be downloaded.
    ModelFiles {
        /// The files.
        files: crate::models::ModelFilesView,
    },
    /// What a server says about a model file.
    ModelOffer {
        /// The offer, for the person to agree to.
        offer: crate::models::ModelOfferView,
    },
    /// A model file was downloaded.
    ModelFile {
        /// The file.
        file: crate::models::ModelFileView,
    },
    /// How a candidate model compares with the live ones.
    Comparisons {
        /// Agreement and differences.
        comparisons: crate::models::ComparisonsView,
    },
    /// Result of testing a connection.
    ModelTest {
        /// The results.
        test: crate::models::ModelTestView,
    },
    /// MCP servers.
    Servers {
        /// The requested servers; all of them if the request named none.
        servers: Vec<ServerView>,
        /// What the request could not do, as a sentence for the person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        note: Option<String>,
    },
    /// A server was tried.
    ServerTried {
        /// The result.
        report: ServerReport,
    },
    /// What a server offers to attach.
    ServerOffers {
        /// The resources and prompts.
        offers: ServerOffers,
    },
    /// A resource or prompt of a server was stored as a note.
    Attached {
        /// Id of the note.
        note: String,
        /// Title of the note.
        title: String,
        /// Text of the note; foreign text.
        text: String,
    },
    /// A profile is ready.
    Profile {
        /// Name of the profile.
        name: String,
    },
}

/// Outcome of a call made directly from a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Applied {
    /// The call ran.
    Done {
        /// Id of the effect, for undo; `null` if the call only read.
        effect: Option<String>,
        /// What happened, in words.
        say: String,
        /// Output of the tool; for rows, `count`, `total`, `ids` and `items`. `null` if the tool returned only words.
        output: Value,
    },
    /// The call waits for the person's approval.
    ApprovalNeeded {
        /// Id of the action.
        id: String,
    },
    /// The tool needs an answer from the person first.
    Question {
        /// The question.
        text: String,
    },
    /// The call failed.
    Failed {
        /// Why it failed.
        fault: Fault,
    },
}

/// A recurrence rule with its wording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RepeatView {
    /// RFC 5545 rule, without the `RRULE:` prefix.
    pub rule: String,
    /// The rule in words.
    pub say: String,
}

/// A turn that used a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemoryUse {
    /// Id of the turn.
    pub turn: String,
    /// Id of the conversation.
    pub conversation: String,
    /// Title of the conversation.
    pub title: String,
    /// What the person said; empty for an approval or answer given by button.
    pub text: String,
    /// When the turn took place, RFC 3339.
    pub at: String,
}

/// A search hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Hit {
    /// Topic (`tasks`, `mail`, …).
    pub topic: String,
    /// Id of the record.
    pub id: String,
    /// Title.
    pub title: String,
    /// Excerpt around the matching words.
    pub snippet: String,
}

/// How Adjutant understands a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Explained {
    /// `chat`, `action` or `followup`.
    pub r#type: String,
    /// Domains of the message.
    pub domains: Vec<String>,
    /// Confidence of the route, from 0 to 1.
    pub confidence: f64,
    /// `plan`, `say` or `not_understood`.
    pub reading: String,
    /// The request, restated, or the words Adjutant would answer with.
    pub request: String,
    /// Planned steps, as JSON.
    pub steps: Vec<Value>,
    /// What each part of the message means.
    pub lines: Vec<ExplainedLine>,
    /// Highest possible cost if models are asked; absent if no model is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub estimate: Option<crate::usage::EstimateView>,
}

/// An answer outside any conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Glance {
    /// The answer in words.
    pub say: String,
    /// The results as rows, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<crate::found::Found>,
}

/// A route from a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RoutedByModel {
    /// `chat`, `action` or `followup`.
    pub r#type: String,
    /// Domains of the message.
    pub domains: Vec<String>,
    /// Whether the message refers to earlier ones.
    pub is_followup: bool,
    /// Confidence from 0 to 1.
    pub confidence: f64,
    /// Name of the model.
    pub by: String,
    /// Cost of the request, in micro-units of the person's currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
}

/// One part of a message and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExplainedLine {
    /// The words of the message.
    pub words: String,
    /// Byte range in the message.
    pub span: Option<(usize, usize)>,
    /// Kind of part that they were taken for.
    pub what: String,
    /// The value read from them.
    pub value: String,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportReport {
    /// Item counts by topic.
    pub counts: Vec<ImportCount>,
    /// Every rejected item, with the reason.
    pub rejected: Vec<Rejected>,
}

/// An item that an import rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rejected {
    /// Name of the file.
    pub file: String,
    /// The item: its line, UID or subject.
    pub item: String,
    /// Why it was rejected.
    pub reason: String,
}

/// A tool, as front ends list it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolView {
    /// Name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// Risk of a usual call.
    pub risk: Risk,
}

/// A setting with its value, default and meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingView {
    /// Key.
    pub key: String,
    /// Value as text.
    pub value: String,
    /// Default as text.
    pub default: String,
    /// What it means.
    pub help: String,
    /// Where the value comes from: `default`, `profile`, `environment` or `command line`.
    pub origin: String,
    /// Allowed values, if there are only a few.
    pub choices: Vec<String>,
}

/// One check of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// `ok`, `optional` (Adjutant can do without it), `missing` or `broken`.
    pub state: String,
    /// What the check found.
    pub found: String,
    /// What to do; may be empty.
    pub hint: String,
}

/// How the time of day is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum ClockFace {
    /// `17:30`.
    #[default]
    #[serde(rename = "24h")]
    Hours24,
    /// `5:30 pm`.
    #[serde(rename = "12h")]
    Hours12,
}

/// Numbers for tray and badges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StatusView {
    /// Name of the profile.
    pub profile: String,
    /// Folder of the profile.
    pub folder: String,
    /// Number of actions that wait for approval.
    pub approvals: usize,
    /// The next event today or tomorrow, in words.
    pub next_event: Option<String>,
    /// Reminders that fell due while Adjutant was not running, in words.
    pub missed: Vec<String>,
    /// Title of the long-running job at work, if any.
    pub working: Option<String>,
    /// Whether the profile is still empty (first start).
    pub empty: bool,
    /// The person's name, if known.
    pub owner: String,
    /// IANA time zone.
    pub zone: String,
    /// How times are shown.
    pub clock: ClockFace,
    /// Whether the day precedes the month in dates: `Tue 13 Jan` rather than `Tue Jan 13`.
    pub day_first: bool,
    /// Current time, RFC 3339.
    pub now: String,
    /// Why nothing can be stored, if the profile was opened read-only.
    pub unwritable: Option<Fault>,
}
