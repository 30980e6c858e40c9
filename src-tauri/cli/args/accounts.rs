//! The arguments of `accounts`.

use adjutant_api::rows::CollectionKind;
use clap::{Args, Subcommand};

/// Accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum AccountsCommand {
    /// What is connected, when it was read, what failed.
    List,
    /// What can be connected, and what each kind needs.
    Kinds,
    /// Connect an account and read it. Passwords and private addresses are asked for, or read from standard input, a line
    /// each.
    Add(AddArgs),
    /// Sign in to an account again: with its password or private address, or in the browser, where more or less may be
    /// allowed than before.
    SignIn {
        /// Its identifier.
        id: String,
        /// Trust the certificate of its server that has this SHA-256 fingerprint, and ask for no password.
        #[arg(long, value_name = "FINGERPRINT")]
        trust: Option<String>,
        /// A field that changes, such as `calendar=change`; once for each. Only for accounts of the browser.
        #[arg(long = "set", value_name = "FIELD=VALUE", value_parser = field)]
        fields: Vec<(String, String)>,
        /// Print the address of the sign-in and leave opening it to you.
        #[arg(long)]
        no_browser: bool,
    },
    /// Read accounts now.
    Sync {
        /// Only this one.
        id: Option<String>,
    },
    /// Call an account something else.
    Rename {
        /// Its identifier.
        id: String,
        /// The name.
        label: String,
    },
    /// Do not read or change an account for now; what was read stays.
    Pause {
        /// Its identifier.
        id: String,
    },
    /// Use a paused account again.
    Resume {
        /// Its identifier.
        id: String,
    },
    /// Put new events, tasks or contacts into this calendar, task list or address book from now on.
    Prefer {
        /// Its identifier, from `show collections`.
        #[arg(required_unless_present = "here", conflicts_with = "here")]
        id: Option<String>,
        /// Keep new ones on this computer instead.
        #[arg(long, value_name = "WHAT", value_parser = what)]
        here: Option<CollectionKind>,
    },
    /// Take an account away, with its password and what was read from it. At its server nothing changes.
    Remove {
        /// Its identifier.
        id: String,
        /// Keep what was read, on this computer only.
        #[arg(long)]
        keep: bool,
    },
}

/// An account as it is typed.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Its kind, from `accounts kinds`.
    pub(crate) kind: String,
    /// What to call it (default: what its server calls it).
    #[arg(long, value_name = "NAME")]
    pub(crate) label: Option<String>,
    /// A field of its kind that is no secret, such as `server=cloud.example.org`; once for each.
    #[arg(long = "set", value_name = "FIELD=VALUE", value_parser = field)]
    pub(crate) fields: Vec<(String, String)>,
    /// A secret of its kind that is not needed, and is read from standard input as well; once for each.
    #[arg(long = "with", value_name = "FIELD")]
    pub(crate) with: Vec<String>,
    /// Trust the certificate of its server that has this SHA-256 fingerprint, although no authority vouches for it.
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) trust: Option<String>,
    /// Print the address of a sign-in in the browser and leave opening it to you.
    #[arg(long)]
    pub(crate) no_browser: bool,
}

fn what(text: &str) -> Result<CollectionKind, &'static str> {
    match text {
        "events" => Ok(CollectionKind::Calendar),
        "tasks" => Ok(CollectionKind::TaskList),
        "contacts" => Ok(CollectionKind::AddressBook),
        _ => Err("say events, tasks or contacts"),
    }
}

fn field(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("give a field and its value, such as user=kim")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
