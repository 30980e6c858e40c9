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
    /// Folder of all profiles (default: ADJUTANT_HOME, or the platform's data folder).
    #[arg(long, global = true, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Profile to use.
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
    /// A fixed clock, for example 2026-01-12T09:00:00-05:00[America/New_York].
    #[arg(long, global = true, value_name = "INSTANT", value_parser = instant)]
    now: Option<Zoned>,
    /// Zone, for example Europe/Paris.
    #[arg(long, global = true, value_name = "ZONE", value_parser = zone)]
    tz: Option<TimeZone>,
    /// Reach nothing but this computer.
    #[arg(long, global = true)]
    offline: bool,
    /// Print JSON on standard output and nothing else there.
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
        _ => Err("give an instant with zone or offset, for example 2026-01-12T09:00:00+01:00[Europe/Paris]".into()),
    }
}

fn zone(text: &str) -> Result<TimeZone, String> {
    TimeZone::get(text).map_err(|_| "give a zone such as Europe/Paris".into())
}

/// How capable a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tier {
    /// Small and quick.
    Fast,
    /// The usual one.
    Standard,
    /// The best.
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
    /// Ask something, once.
    Ask {
        /// What you want.
        #[arg(required = true, num_args = 1.., value_name = "TEXT")]
        text: Vec<String>,
        /// Conversation to go on with.
        #[arg(long, default_value = "main", value_name = "ID")]
        conversation: String,
        /// Show how the message was read.
        #[arg(long)]
        explain: bool,
        /// How capable a model plans and answers, where one is asked.
        #[arg(long, value_name = "TIER")]
        tier: Option<Tier>,
    },
    /// Talk, line by line.
    Chat {
        /// Conversation to go on with.
        #[arg(long, default_value = "main", value_name = "ID")]
        conversation: String,
    },
    /// Show what is stored.
    Show {
        /// What to show.
        what: What,
        /// Only this one.
        id: Option<String>,
        /// From this date or time on.
        #[arg(long)]
        from: Option<String>,
        /// Up to this date or time.
        #[arg(long)]
        to: Option<String>,
        /// At most so many.
        #[arg(long)]
        limit: Option<usize>,
        /// Only what comes after the first so many.
        #[arg(long, value_name = "COUNT")]
        after: Option<usize>,
    },
    /// Approve a waiting action.
    Approve {
        /// Its identifier.
        id: String,
        /// The digest that `show approvals` prints.
        #[arg(long, value_name = "HEX")]
        digest: String,
    },
    /// Standing permissions: allow what a card offers until a date, list them, take one back.
    Grants {
        /// What.
        #[command(subcommand)]
        command: Option<GrantsCommand>,
    },
    /// Stop everything: what runs, what is queued, and what was approved and has not begun.
    Stop,
    /// Reject a waiting action.
    Reject {
        /// Its identifier.
        id: String,
    },
    /// Propose a waiting action anew with other arguments; the card before it is void.
    Edit {
        /// Its identifier.
        id: String,
        /// The arguments, all of them, as `show approvals` prints them.
        #[arg(long, value_name = "JSON", value_parser = json_object)]
        args: Value,
        /// Which of its calls, from 0, where the card holds several.
        #[arg(long, value_name = "N")]
        call: Option<u32>,
    },
    /// Propose an action again that ran out or was rejected.
    Again {
        /// Its identifier.
        id: String,
    },
    /// Change a plan that waits.
    Plan {
        #[command(subcommand)]
        change: PlanCommand,
    },
    /// Decide about a mail on its way out.
    Outbox {
        /// Its identifier, from `show outbox`.
        id: String,
        /// What shall become of it.
        act: Act,
    },
    /// Rename, pin, put away or delete a conversation.
    Conversation {
        /// Its identifier, from `show conversations`.
        id: String,
        #[command(subcommand)]
        act: ConversationAct,
    },
    /// Decide about something that is due later or takes long.
    Job {
        /// Its identifier, from `show jobs`.
        id: String,
        /// What shall become of it.
        act: JobAct,
    },
    /// Search everything that is kept here.
    Search {
        /// Words.
        #[arg(required = true, num_args = 1.., value_name = "TEXT")]
        text: Vec<String>,
        /// At most so many.
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Undo an effect.
    Undo {
        /// Its identifier, from `show activity`.
        id: String,
    },
    /// Import calendars, mail, contacts, tasks and notes.
    Import {
        /// .ics .mbox .eml .vcf .csv .md, notes of Google Keep (.json), or a folder.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Write everything into a new folder.
    Export {
        /// The folder.
        dir: PathBuf,
    },
    /// Delete everything in the profile.
    Erase {
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
    /// Do what is due, without a window.
    Run {
        /// Do what is due now, then end.
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
    /// Research a question in depth, with a report whose claims are quoted from their sources.
    Research {
        #[command(subcommand)]
        command: ResearchCommand,
    },
    /// Connect, choose and test language models.
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
    },
    /// Connect, read and take away accounts: calendars, mail, contacts.
    Accounts {
        #[command(subcommand)]
        command: Option<AccountsCommand>,
    },
    /// Servers of tools, and other programs that use Adjutant, by the Model Context Protocol.
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
    /// What works, what is missing, what to do.
    Doctor,
    /// Predictions for a file of cases, or how well Adjutant does on its own.
    Eval {
        /// Which suite.
        suite: Suite,
        /// Cases, one JSON object a line; none for `own`.
        #[arg(long = "in", value_name = "FILE", required_if_eq_any = OF_A_FILE)]
        input: Option<PathBuf>,
        /// Predictions, one JSON object a line; none for `own`.
        #[arg(long = "out", value_name = "FILE", required_if_eq_any = OF_A_FILE)]
        output: Option<PathBuf>,
        /// The embedded engine alone (the default).
        #[arg(long, conflicts_with = "model")]
        embedded: bool,
        /// For `route`: ask the models of the profile where the embedded engine is unsure, as a turn does.
        #[arg(long)]
        model: bool,
        /// Agree to what that could cost without being asked.
        #[arg(long, requires = "model")]
        yes: bool,
        /// For `route`: with the sentence-embedding model where the phrases leave a message open.
        #[arg(long)]
        sentences: bool,
    },
}

/// Changes to a plan that waits.
#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Leave a step out; refused where another one needs it.
    LeaveOut {
        /// The plan, from `show plans`.
        plan: String,
        /// The step's key.
        step: String,
    },
    /// Put a step at another place; refused where it would come before one that it needs.
    Move {
        /// The plan, from `show plans`.
        plan: String,
        /// The step's key.
        step: String,
        /// The step it comes before; without it, it comes last.
        #[arg(long, value_name = "STEP")]
        before: Option<String>,
    },
}

/// What shall become of a mail on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Act {
    /// Its hold ends now.
    SendNow,
    /// Look in Sent whether it left.
    CheckAgain,
    /// It becomes a draft again; its approval is gone.
    ToDraft,
}

/// What shall become of a conversation.
#[derive(Debug, Subcommand)]
pub(crate) enum ConversationAct {
    /// Give it a title that stays.
    Rename {
        /// The title.
        title: String,
    },
    /// Keep it at the top of the list.
    Pin,
    /// Let it go from the top of the list.
    Unpin,
    /// Put it away; its next message brings it back.
    Archive,
    /// Put it back into the list.
    Unarchive,
    /// Delete it; what was done stays in `show activity`.
    Delete,
    /// Bring a deleted one back; it is kept for an hour at least, until storage is tidied.
    Restore,
}

/// Standing permissions.
#[derive(Debug, Subcommand)]
pub(crate) enum GrantsCommand {
    /// List them all.
    List,
    /// Allow what a waiting card offers, without asking again until a date; the card itself still waits.
    Add {
        /// The action, as `show approvals` prints it.
        action: String,
        /// The digest that `show approvals` prints.
        #[arg(long, value_name = "HEX")]
        digest: String,
        /// The date from which on it asks again.
        #[arg(long, value_name = "DATE")]
        until: String,
    },
    /// Take one back.
    Revoke {
        /// Its identifier.
        id: String,
    },
}

/// What shall become of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JobAct {
    /// It does not run any more.
    Stop,
}

/// Reading and changing settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// One setting, or all.
    Get {
        /// Its key.
        key: Option<String>,
    },
    /// Change a setting; without a value it goes back to its default. A secret one, such as web.brave.key, is asked for, or
    /// read from standard input.
    Set {
        /// Its key.
        key: String,
        /// Its value.
        value: Option<String>,
        /// Forget a secret one.
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
            "The suite `own` has its cases built in and reads no file.",
            "Leave --in and --out out, or name the suite that the cases are for.",
        ),
        _ => (
            "This suite needs a file of cases and one for the predictions.",
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
    /// What is remembered.
    Memories,
    /// Mail.
    Mail,
    /// Drafts and outgoing mail.
    Outbox,
    /// Address book.
    Contacts,
    /// Actions that wait or waited for approval.
    Approvals,
    /// Standing permissions.
    Grants,
    /// What you were asked in the last 30 days, by tool, and how you answered.
    Questions,
    /// Plans.
    Plans,
    /// Conversations that were not put away.
    Conversations,
    /// Conversations that were put away.
    ArchivedConversations,
    /// What is due later.
    Jobs,
    /// Research.
    Research,
    /// What was done.
    Activity,
    /// Accounts.
    Accounts,
    /// Calendars, mailboxes, task lists and address books.
    Collections,
    /// Connections that were opened.
    Egress,
    /// Files and folders that were read in.
    Imports,
    /// What models cost, by day and feature; with a turn, its calls.
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
    /// Which domains a message needs.
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
