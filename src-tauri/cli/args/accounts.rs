//! The arguments of `accounts`.

use adjutant_api::rows::CollectionKind;
use clap::{Args, Subcommand};

/// Accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum AccountsCommand {
    /// List accounts, with when each was read and what failed.
    List,
    /// List the kinds of account you can connect, with the fields of each.
    Kinds,
    /// Connect an account and read it. Passwords and private addresses are asked for, or read from standard input, one
    /// per line.
    Add(AddArgs),
    /// Sign in to an account again, with its password or private address, or in the browser, where you can also change
    /// what Adjutant may do.
    SignIn {
        /// ID of the account, from `accounts list`.
        id: String,
        /// Trust the server's certificate with this SHA-256 fingerprint, without asking for a password.
        #[arg(long, value_name = "FINGERPRINT")]
        trust: Option<String>,
        /// Change a field, such as `calendar=change`. Can be repeated. Only for accounts that sign in in the browser.
        #[arg(long = "set", value_name = "FIELD=VALUE", value_parser = field)]
        fields: Vec<(String, String)>,
        /// Print the address of the sign-in page instead of opening it.
        #[arg(long)]
        no_browser: bool,
    },
    /// Read accounts now.
    Sync {
        /// ID of a single account to read.
        id: Option<String>,
    },
    /// Rename an account.
    Rename {
        /// ID of the account, from `accounts list`.
        id: String,
        /// New name.
        label: String,
    },
    /// Stop reading and changing an account for now; its data here stays.
    Pause {
        /// ID of the account, from `accounts list`.
        id: String,
    },
    /// Use a paused account again.
    Resume {
        /// ID of the account, from `accounts list`.
        id: String,
    },
    /// Put new events, tasks or contacts in this calendar, task list or address book from now on.
    Prefer {
        /// ID of the collection, from `show collections`.
        #[arg(required_unless_present = "here", conflicts_with = "here")]
        id: Option<String>,
        /// Put new ones on this computer instead: events, tasks or contacts.
        #[arg(long, value_name = "WHAT", value_parser = what)]
        here: Option<CollectionKind>,
    },
    /// Remove an account with its password and its data on this computer. Nothing is deleted at its server.
    Remove {
        /// ID of the account, from `accounts list`.
        id: String,
        /// Keep its data on this computer.
        #[arg(long)]
        keep: bool,
    },
}

/// An account as it is typed.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Kind of account, from `accounts kinds`.
    pub(crate) kind: String,
    /// Name for the account (default: the name its server gives).
    #[arg(long, value_name = "NAME")]
    pub(crate) label: Option<String>,
    /// Set a field that is not secret, such as `server=cloud.example.org`. Can be repeated.
    #[arg(long = "set", value_name = "FIELD=VALUE", value_parser = field)]
    pub(crate) fields: Vec<(String, String)>,
    /// Also ask for this optional secret, or read it from standard input. Can be repeated.
    #[arg(long = "with", value_name = "FIELD")]
    pub(crate) with: Vec<String>,
    /// Trust the server's certificate with this SHA-256 fingerprint, although no authority vouches for it.
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) trust: Option<String>,
    /// Print the address of the sign-in page instead of opening it.
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
