//! The command line's arguments.

mod accounts;
mod mcp;
mod models;
mod research;
mod servers;

use std::path::PathBuf;

use adjutant::session::Options;
use adjutant_api::{Fault, Topic};
use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::{Zoned, tz::TimeZone};
use serde_json::Value;

pub(crate) use accounts::{AccountsCommand, AddArgs};
pub(crate) use mcp::McpCommand;
pub(crate) use models::{ConnectArgs, ModelsCommand};
pub(crate) use research::{Format, ResearchCommand, Where};
pub(crate) use servers::ServersCommand;

/// A private assistant that asks before it acts.
#[derive(Debug, Parser)]
#[command(
    name = "adjutant",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Clone, Debug, Args)]
pub(crate) struct Common {
    /// Folder that holds all profiles (default: ADJUTANT_HOME, or the platform's data folder).
    #[arg(long, global = true, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Profile to use.
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
    /// Use this fixed time as the clock, for example 2026-01-12T09:00:00-05:00[America/New_York].
    #[arg(long, global = true, value_name = "INSTANT", value_parser = instant)]
    now: Option<Zoned>,
    /// Time zone to use, for example Europe/Paris.
    #[arg(long, global = true, value_name = "ZONE", value_parser = zone)]
    tz: Option<TimeZone>,
    /// Connect to nothing outside this computer.
    #[arg(long, global = true)]
    offline: bool,
    /// Print only JSON on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Common {
    /// How the profile is opened.
    pub(crate) fn options(&self) -> Options {
        Options {
            home: self.home.clone(),
            profile: self.profile.clone(),
            now: self.now.clone(),
            tz: self.tz.clone(),
            offline: self.offline,
            door: None,
            read_only: false,
        }
    }
}

fn instant(text: &str) -> Result<Zoned, String> {
    match text.parse::<adjutant_domain::moment::Moment>() {
        Ok(adjutant_domain::moment::Moment::At(at)) => Ok(at),
        _ => Err("give a date and time with a zone or offset, for example 2026-01-12T09:00:00+01:00[Europe/Paris]".into()),
    }
}

fn zone(text: &str) -> Result<TimeZone, String> {
    TimeZone::get(text).map_err(|_| "give a time zone such as Europe/Paris".into())
}

/// How capable a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tier {
    /// Small and fast.
    Fast,
    /// For most requests.
    Standard,
    /// The most capable.
    Deep,
}

impl Tier {
    /// The word of the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask once.
    Ask {
        /// What you want.
        #[arg(required = true, num_args = 1.., value_name = "TEXT")]
        text: Vec<String>,
        /// Conversation to continue.
        #[arg(long, default_value = "main", value_name = "ID")]
        conversation: String,
        /// Show how Adjutant understood the message.
        #[arg(long)]
        explain: bool,
        /// Tier of model to plan and answer with, if a model is asked.
        #[arg(long, value_name = "TIER")]
        tier: Option<Tier>,
    },
    /// Ask in an interactive session, line by line.
    Chat {
        /// Conversation to continue.
        #[arg(long, default_value = "main", value_name = "ID")]
        conversation: String,
    },
    /// Show what is stored.
    Show {
        /// What to show.
        what: What,
        /// Show only the item with this ID.
        id: Option<String>,
        /// Start at this date or time.
        #[arg(long)]
        from: Option<String>,
        /// End at this date or time.
        #[arg(long)]
        to: Option<String>,
        /// Maximum number of results.
        #[arg(long)]
        limit: Option<usize>,
        /// Skip this many at the start.
        #[arg(long, value_name = "COUNT")]
        after: Option<usize>,
    },
    /// Approve a waiting action.
    Approve {
        /// ID of the action, from `show approvals`.
        id: String,
        /// Digest of the action, from `show approvals`.
        #[arg(long, value_name = "HEX")]
        digest: String,
    },
    /// Manage standing permissions: allow what a card offers until a date, list them or revoke one.
    Grants {
        /// What.
        #[command(subcommand)]
        command: Option<GrantsCommand>,
    },
    /// Stop everything that runs, and cancel what is queued or approved but has not started.
    Stop,
    /// Reject a waiting action.
    Reject {
        /// ID of the action, from `show approvals`.
        id: String,
    },
    /// Replace a waiting action with one that has other arguments; its card becomes invalid.
    Edit {
        /// ID of the action, from `show approvals`.
        id: String,
        /// All arguments, in the form that `show approvals` prints.
        #[arg(long, value_name = "JSON", value_parser = json_object)]
        args: Value,
        /// Which call to change if the card holds several, counted from 0.
        #[arg(long, value_name = "N")]
        call: Option<u32>,
    },
    /// Propose an expired or rejected action again.
    Again {
        /// ID of the action, from `show approvals`.
        id: String,
    },
    /// Change a waiting plan.
    Plan {
        #[command(subcommand)]
        change: PlanCommand,
    },
    /// Send a draft or an outgoing mail now, check whether it was sent, or turn it back into a draft.
    Outbox {
        /// ID of the mail, from `show outbox`.
        id: String,
        /// What to do.
        act: Act,
    },
    /// Rename, pin, archive, delete or restore a conversation.
    Conversation {
        /// ID of the conversation, from `show conversations`.
        id: String,
        #[command(subcommand)]
        act: ConversationAct,
    },
    /// Stop a job.
    Job {
        /// ID of the job, from `show jobs`.
        id: String,
        /// What to do.
        act: JobAct,
    },
    /// Search everything in the profile.
    Search {
        /// Words to search for.
        #[arg(required = true, num_args = 1.., value_name = "TEXT")]
        text: Vec<String>,
        /// Maximum number of results.
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Undo a change.
    Undo {
        /// ID of the change, from `show activity`.
        id: String,
    },
    /// Import calendars, mail, contacts, tasks and notes.
    Import {
        /// Files (.ics, .mbox, .eml, .vcf, .csv, .md, or Google Keep notes as .json) or folders.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Export everything to a new folder.
    Export {
        /// Folder to create.
        dir: PathBuf,
    },
    /// Delete everything in the profile.
    Erase {
        /// Delete without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Run due jobs without a window, until stopped.
    Run {
        /// Run what is due now, then exit.
        #[arg(long)]
        once: bool,
    },
    /// List the tools.
    Tools,
    /// Read and change settings.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Research a question in depth and write a report that quotes its sources.
    Research {
        #[command(subcommand)]
        command: ResearchCommand,
    },
    /// Connect, choose and test language models.
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
    },
    /// Connect, read and remove accounts for calendars, tasks, mail and contacts.
    Accounts {
        #[command(subcommand)]
        command: Option<AccountsCommand>,
    },
    /// Use MCP (Model Context Protocol) servers, or let other programs use Adjutant.
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
    /// Check what works, what is missing and what to do about it.
    Doctor,
    /// Write predictions for a file of cases, or measure Adjutant on its built-in cases.
    Eval {
        /// Suite to run.
        suite: Suite,
        /// File of cases, one JSON object per line; not for `own`.
        #[arg(long = "in", value_name = "FILE", required_if_eq_any = OF_A_FILE)]
        input: Option<PathBuf>,
        /// File for the predictions, one JSON object per line; not for `own`.
        #[arg(long = "out", value_name = "FILE", required_if_eq_any = OF_A_FILE)]
        output: Option<PathBuf>,
        /// Use only the embedded engine (the default).
        #[arg(long, conflicts_with = "model")]
        embedded: bool,
        /// For `route`: ask the profile's models where the embedded engine is unsure, as a turn does.
        #[arg(long)]
        model: bool,
        /// Accept the possible cost without being asked.
        #[arg(long, requires = "model")]
        yes: bool,
        /// For `route`: use the sentence-embedding model where the phrases do not decide.
        #[arg(long)]
        sentences: bool,
    },
}

/// Changes to a waiting plan.
#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Leave out a step; refused if another step needs it.
    LeaveOut {
        /// ID of the plan, from `show plans`.
        plan: String,
        /// Key of the step.
        step: String,
    },
    /// Move a step; refused if it would then come before a step that it needs.
    Move {
        /// ID of the plan, from `show plans`.
        plan: String,
        /// Key of the step.
        step: String,
        /// Key of the step to put it before; without this it goes last.
        #[arg(long, value_name = "STEP")]
        before: Option<String>,
    },
}

/// What to do with an outgoing mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Act {
    /// End its hold now, or try again now. A draft is shown for approval first.
    SendNow,
    /// Look in the sent mailbox to see whether it was sent.
    CheckAgain,
    /// Turn it back into a draft; sending it needs a new approval.
    ToDraft,
}

/// What to do with a conversation.
#[derive(Debug, Subcommand)]
pub(crate) enum ConversationAct {
    /// Give it a permanent title.
    Rename {
        /// New title.
        title: String,
    },
    /// Keep it at the top of the list.
    Pin,
    /// Stop keeping it at the top of the list.
    Unpin,
    /// Archive it until its next message.
    Archive,
    /// Return it to the list.
    Unarchive,
    /// Delete it; its effects stay in `show activity`.
    Delete,
    /// Restore it after deletion; possible for at least an hour, until storage is tidied.
    Restore,
}

/// Standing permissions.
#[derive(Debug, Subcommand)]
pub(crate) enum GrantsCommand {
    /// List all permissions.
    List,
    /// Allow what a waiting card offers without asking, until a date; the card itself still waits.
    Add {
        /// ID of the action, from `show approvals`.
        action: String,
        /// Digest of the action, from `show approvals`.
        #[arg(long, value_name = "HEX")]
        digest: String,
        /// Date from which it asks again.
        #[arg(long, value_name = "DATE")]
        until: String,
    },
    /// Revoke a permission.
    Revoke {
        /// ID of the permission, from `grants list`.
        id: String,
    },
}

/// What to do with a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JobAct {
    /// Stop it from running again.
    Stop,
}

/// Reading and changing settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show one setting, or all.
    Get {
        /// Key of the setting.
        key: Option<String>,
    },
    /// Change a setting, or reset it if no value is given. A secret such as web.brave.key is asked for or read from
    /// standard input, never given as an argument.
    Set {
        /// Key of the setting.
        key: String,
        /// New value.
        value: Option<String>,
        /// Remove a secret from the keyring.
        #[arg(long, conflicts_with = "value")]
        forget: bool,
    },
}

/// What clap says of a command line, as a fault: what is wrong, then how it is called.
pub(crate) fn fault_of(error: &clap::Error) -> Fault {
    let told = error.to_string();
    let mut paragraphs = told.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default();
    let hint: Vec<&str> = paragraphs.filter(|text| !text.is_empty()).collect();
    Fault {
        code: "usage".into(),
        message: message.trim_start_matches("error: ").to_owned(),
        hint: hint.join(" "),
    }
}

/// `own` has its cases built in; the others need a file of cases and one for the predictions.
pub(crate) fn suite_without_its_files(suite: Suite) -> Fault {
    let (message, hint) = match suite {
        Suite::Own => (
            "The suite `own` uses its built-in cases and reads no file.",
            "Leave out --in and --out, or name the suite that your cases belong to.",
        ),
        _ => (
            "This suite needs a file of cases and a file for the predictions.",
            "Give both: --in FILE --out FILE.",
        ),
    };
    Fault {
        code: "usage".into(),
        message: message.into(),
        hint: hint.into(),
    }
}

fn json_object(text: &str) -> Result<Value, String> {
    serde_json::from_str(text)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| "give a JSON object, such as {\"title\": \"Milk\"}".into())
}

/// What `show` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Tasks and reminders.
    Tasks,
    /// Events.
    Events,
    /// Notes.
    Notes,
    /// Memories.
    Memories,
    /// Mail.
    Mail,
    /// Drafts and outgoing mail.
    Outbox,
    /// Contacts.
    Contacts,
    /// Actions that wait for approval or did before.
    Approvals,
    /// Standing permissions.
    Grants,
    /// What Adjutant asked you in the last 30 days, by tool, and how you answered.
    Questions,
    /// Plans.
    Plans,
    /// Conversations, without the archived ones.
    Conversations,
    /// Archived conversations.
    ArchivedConversations,
    /// Jobs that are due later or still running.
    Jobs,
    /// Research.
    Research,
    /// What Adjutant did.
    Activity,
    /// Accounts.
    Accounts,
    /// Calendars, mailboxes, task lists and address books.
    Collections,
    /// Connections that Adjutant opened.
    Egress,
    /// Imported files and folders.
    Imports,
    /// What models cost, by day and feature; with the ID of a turn, its calls.
    Usage,
}

impl From<What> for Topic {
    fn from(what: What) -> Self {
        match what {
            What::Tasks => Self::Tasks,
            What::Events => Self::Events,
            What::Notes => Self::Notes,
            What::Memories => Self::Memories,
            What::Mail => Self::Mail,
            What::Outbox => Self::Outbox,
            What::Contacts => Self::Contacts,
            What::Approvals => Self::Approvals,
            What::Grants => Self::Grants,
            What::Questions => Self::Questions,
            What::Plans => Self::Plans,
            What::Conversations => Self::Conversations,
            What::ArchivedConversations => Self::ArchivedConversations,
            What::Jobs => Self::Jobs,
            What::Research => Self::Research,
            What::Activity => Self::Activity,
            What::Accounts => Self::Accounts,
            What::Collections => Self::Collections,
            What::Egress => Self::Egress,
            What::Imports => Self::Imports,
            What::Usage => Self::Usage,
        }
    }
}

/// Suites whose cases come from a file.
const OF_A_FILE: [(&str, &str); 4] = [
    ("suite", "route"),
    ("suite", "when"),
    ("suite", "confirm"),
    ("suite", "repair"),
];

/// Eval suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Suite {
    /// Which domains a message belongs to.
    Route,
    /// Times in text.
    When,
    /// Yes, no, or neither.
    Confirm,
    /// JSON as models print it.
    Repair,
    /// The built-in cases of every suite: a scoreboard.
    Own,
}
