//! What comes back at once for a request.

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
    /// A turn runs; its events follow.
    Turn {
        /// Turn.
        turn: String,
        /// Conversation.
        conversation: String,
        /// Number of the first event of this request; earlier ones of the same turn are older.
        #[ts(type = "number")]
        seq: i64,
    },
    /// Done, nothing to tell.
    Ok {},
    /// Rows.
    Rows {
        /// Rows of the topic asked for.
        rows: Rows,
        /// How many there are, whatever part of them was asked for; nothing where that was not counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        total: Option<u64>,
    },
    /// What became of a direct manipulation.
    Applied {
        /// What happened.
        outcome: Applied,
    },
    /// Where a memory was used.
    Uses {
        /// Newest first.
        uses: Vec<MemoryUse>,
        /// Whether all conversations were looked through to their beginning.
        whole: bool,
    },
    /// Rules that something may repeat by, the usual ones and the present one.
    Repeats {
        /// Rules with their words; empty where the last day comes before the first.
        rules: Vec<RepeatView>,
    },
    /// What research answers.
    Research {
        /// It.
        found: crate::research::ResearchAnswer,
    },
    /// Kinds of account.
    AccountKinds {
        /// In the order in which they are offered.
        kinds: Vec<crate::rows::AccountKindView>,
    },
    /// A mail as its sender designed it.
    MailPage {
        /// The page; none where the mail has text alone, or more HTML than is shown.
        page: Option<crate::mail::MailPageView>,
        /// How to leave the list it came by; none where it names none.
        leaving: Option<crate::mail::LeavingView>,
    },
    /// A sign-in waits for the person.
    SignIn {
        /// Its name, for [`crate::Request::AddAccount`] and [`crate::Request::ChangeAccount`].
        id: String,
        /// The page at the provider, for the system browser.
        address: String,
    },
    /// Search hits, best first.
    Hits {
        /// Hits.
        hits: Vec<Hit>,
    },
    /// How a message is read.
    Explained {
        /// The reading.
        reading: Explained,
    },
    /// What a message that is being typed comes to.
    Glanced {
        /// The answer; none where it asks for something else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        glance: Option<Glance>,
    },
    /// What requests to models could cost at most.
    Estimated {
        /// The requests and their price.
        estimate: crate::usage::EstimateView,
    },
    /// Where a message belongs, as a model says.
    RoutedByModel {
        /// The route.
        routed: RoutedByModel,
    },
    /// An import ended.
    Imported {
        /// Counts and rejected items.
        report: ImportReport,
    },
    /// An export ended.
    Exported {
        /// Where.
        dir: String,
        /// Files written.
        files: Vec<String>,
    },
    /// Tools.
    Tools {
        /// Name, description, schema, risk.
        tools: Vec<ToolView>,
    },
    /// Settings.
    Config {
        /// Settings asked for.
        settings: Vec<SettingView>,
    },
    /// What works and what is missing.
    Doctor {
        /// One line a check.
        checks: Vec<Check>,
    },
    /// What other programs are offered.
    ProgramTools {
        /// The tools.
        tools: Vec<crate::programs::ProgramTool>,
    },
    /// What became of a program's call.
    ProgramAnswered {
        /// The answer.
        answer: crate::programs::ProgramAnswer,
    },
    /// What programs have to show over HTTP.
    ProgramToken {
        /// The token, only in the reply to the request that made it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        token: Option<crate::models::SecretText>,
    },
    /// What was due and is done.
    DueDone {
        /// In words.
        done: Vec<String>,
    },
    /// Numbers for tray and badges.
    Status {
        /// The numbers.
        status: StatusView,
    },
    /// How well the embedded engine understands.
    Scoreboard {
        /// The run.
        scoreboard: crate::scoreboard::ScoreboardView,
    },
    /// How long the stages of the person's own turns take.
    Timings {
        /// By name; empty before the first turn.
        stages: Vec<crate::scoreboard::StageView>,
    },
    /// Models of this profile.
    Models {
        /// What is connected.
        models: crate::models::ModelsView,
    },
    /// Model servers on this computer.
    FoundModels {
        /// Servers; empty when none answers.
        servers: Vec<crate::models::FoundServerView>,
    },
    /// What models a provider has.
    ModelList {
        /// Models.
        models: Vec<crate::models::FoundModelView>,
    },
    /// Model files.
    ModelFiles {
        /// What can be fetched.
        files: crate::models::ModelFilesView,
    },
    /// What a server says of a model file.
    ModelOffer {
        /// To be agreed to.
        offer: crate::models::ModelOfferView,
    },
    /// A model file is here.
    ModelFile {
        /// It.
        file: crate::models::ModelFileView,
    },
    /// How a candidate compares.
    Comparisons {
        /// Agreement and differences.
        comparisons: crate::models::ComparisonsView,
    },
    /// How the test of a connection went.
    ModelTest {
        /// The report.
        test: crate::models::ModelTestView,
    },
    /// Servers of tools.
    Servers {
        /// Those that were asked about; all of them where none was named.
        servers: Vec<ServerView>,
        /// What a request could not do, for the person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        note: Option<String>,
    },
    /// A server was tried.
    ServerTried {
        /// What came of it.
        report: ServerReport,
    },
    /// What a server has to attach.
    ServerOffers {
        /// Resources and prompts.
        offers: ServerOffers,
    },
    /// Something of a server is kept as a note.
    Attached {
        /// The note.
        note: String,
        /// Its title.
        title: String,
        /// What is in it; text of others.
        text: String,
    },
    /// A profile is ready.
    Profile {
        /// Its name.
        name: String,
    },
}

/// What became of a direct manipulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Applied {
    /// Done, with proof.
    Done {
        /// Effect, for undo; none for a read.
        effect: Option<String>,
        /// What happened, in words.
        say: String,
        /// What the tool gave: for rows `count`, `total`, `ids` and `items`; null where it gave nothing but words.
        output: Value,
    },
    /// The person has to approve it first.
    ApprovalNeeded {
        /// Action.
        id: String,
    },
    /// Something has to be said first.
    Question {
        /// The question.
        text: String,
    },
    /// Not done.
    Failed {
        /// Why.
        fault: Fault,
    },
}

/// A rule that something may repeat by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RepeatView {
    /// RFC 5545, without `RRULE:`.
    pub rule: String,
    /// As people say it.
    pub say: String,
}

/// A turn that used a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemoryUse {
    /// Turn.
    pub turn: String,
    /// Conversation.
    pub conversation: String,
    /// Its title.
    pub title: String,
    /// What the person said; empty for a button.
    pub text: String,
    /// When, RFC 3339.
    pub at: String,
}

/// A search hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Hit {
    /// Topic (`tasks`, `mail`, …).
    pub topic: String,
    /// Record.
    pub id: String,
    /// Title.
    pub title: String,
    /// Piece of text around the words.
    pub snippet: String,
}

/// How a message is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Explained {
    /// `chat`, `action` or `followup`.
    pub r#type: String,
    /// Domains.
    pub domains: Vec<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// `plan`, `say` or `not_understood`.
    pub reading: String,
    /// The request, restated, or the words that would be said.
    pub request: String,
    /// Steps as planned, in the form of CONTRACTS.
    pub steps: Vec<Value>,
    /// What each part was taken for.
    pub lines: Vec<ExplainedLine>,
    /// What asking models for it could cost at most; none while no model is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub estimate: Option<crate::usage::EstimateView>,
}

/// An answer that is no part of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Glance {
    /// In words.
    pub say: String,
    /// What was found, as rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<crate::found::Found>,
}

/// Where a message belongs, as a model says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RoutedByModel {
    /// `chat`, `action` or `followup`.
    pub r#type: String,
    /// Domains.
    pub domains: Vec<String>,
    /// Whether it goes on with what was said before.
    pub is_followup: bool,
    /// 0 to 1.
    pub confidence: f64,
    /// The model.
    pub by: String,
    /// What asking cost, in millionths of the currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
}

/// One part of a message and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExplainedLine {
    /// The words.
    pub words: String,
    /// Byte range in the message.
    pub span: Option<(usize, usize)>,
    /// What it was taken for.
    pub what: String,
    /// Its value.
    pub value: String,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportReport {
    /// Counts by topic.
    pub counts: Vec<ImportCount>,
    /// Everything that was refused, by name, with the reason.
    pub rejected: Vec<Rejected>,
}

/// One refused item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rejected {
    /// File.
    pub file: String,
    /// Which item: line, UID, subject.
    pub item: String,
    /// Why.
    pub reason: String,
}

/// A tool as front ends list it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolView {
    /// Name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// Usual class of risk.
    pub risk: Risk,
}

/// A setting with its value, its default and what it means.
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
    /// `default`, `profile`, `environment` or `command line`.
    pub origin: String,
    /// Allowed values, where they are few.
    pub choices: Vec<String>,
}

/// One line of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// `ok`, `optional` (Adjutant does without), `missing` or `broken`.
    pub state: String,
    /// What was found.
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
    /// Profile.
    pub profile: String,
    /// Folder of the profile.
    pub folder: String,
    /// Actions waiting.
    pub approvals: usize,
    /// The next event today or tomorrow, in words.
    pub next_event: Option<String>,
    /// Reminders that were due while nothing ran, in words.
    pub missed: Vec<String>,
    /// The work that takes long and runs now, by its title.
    pub working: Option<String>,
    /// Whether nothing is stored yet (first start).
    pub empty: bool,
    /// The person's name, if known.
    pub owner: String,
    /// Zone.
    pub zone: String,
    /// How times are shown.
    pub clock: ClockFace,
    /// How dates are written: `Tue 13 Jan`, else `Tue Jan 13`.
    pub day_first: bool,
    /// Now, RFC 3339.
    pub now: String,
    /// Why changes cannot be kept, where the profile was opened for reading only.
    pub unwritable: Option<Fault>,
}
