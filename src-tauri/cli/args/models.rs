//! The arguments of `models`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Language models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// What is connected, in the order in which it is tried.
    List,
    /// Look for model servers on this computer.
    Find,
    /// Connect a model, or change a connection.
    Add(Box<ConnectArgs>),
    /// Fetch a model file to this computer, from where it stopped before; alone, list the models that are known. Only where
    /// Adjutant was built with the feature local-model.
    Fetch {
        /// A name from the list, or the address of a GGUF file.
        what: Option<String>,
        /// The SHA-256 the file has to have, from a place you trust.
        #[arg(long, value_name = "HEX", requires = "what")]
        sha256: Option<String>,
        /// Agree to the size and the licence without being asked.
        #[arg(long, requires = "what")]
        yes: bool,
    },
    /// Take a connection away, with its key.
    Remove {
        /// Its name.
        name: String,
    },
    /// Try a connection before all others.
    Prefer {
        /// Its name.
        name: String,
    },
    /// How the connection of `config set models.shadow NAME` compares with the others; with a name, what comparing that one
    /// would cost.
    Compare {
        /// The connection's name.
        name: Option<String>,
    },
    /// Ask a model a few small things: what works, and how fast.
    Test {
        /// The connection's name.
        name: String,
        /// Which of its models: fast, standard or deep.
        #[arg(long)]
        tier: Option<String>,
    },
}

/// A connection as it is typed. Of one that is there already, what is not given stays as it is.
#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// What to call it; the name of one that is there changes it.
    pub(crate) name: String,
    /// How it speaks: ollama, compatible, open_ai, anthropic or gemini (a new one: compatible).
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// Where it is, for example http://127.0.0.1:11434/v1 (a new one: the usual address of its kind).
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// A model file on this computer, instead of a server; only where Adjutant was built with the feature local-model.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["kind", "url", "model", "fast", "deep", "embedding", "key", "header", "header_env", "proxy"]
    )]
    pub(crate) gguf: Option<PathBuf>,
    /// The model for most things.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// A quicker model for small questions; "" for none.
    #[arg(long)]
    pub(crate) fast: Option<String>,
    /// A better model for hard requests; "" for none.
    #[arg(long)]
    pub(crate) deep: Option<String>,
    /// A model for vectors; "" for none.
    #[arg(long)]
    pub(crate) embedding: Option<String>,
    /// Read a key from standard input and keep it in the keyring. Several secrets stand on a line each: the key, the
    /// headers as they are named, the proxy's password.
    #[arg(long)]
    pub(crate) key: bool,
    /// A header a gateway asks for; its value is read from standard input and kept in the keyring. Can be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) header: Vec<String>,
    /// The same, with the value of an environment variable.
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = header_of_variable)]
    pub(crate) header_env: Vec<(String, String)>,
    /// Send none of the headers that are kept; those given here are sent.
    #[arg(long)]
    pub(crate) no_headers: bool,
    /// Allow its key and headers to go out unencrypted, to an http address that is not on this computer. Others on the
    /// network can read them.
    #[arg(long)]
    pub(crate) unencrypted: bool,
    /// Its own proxy, such as http://name@proxy.example:3128; none for no proxy at all, "" for the one of all.
    #[arg(long, value_name = "URL", value_parser = without_password)]
    pub(crate) proxy: Option<String>,
    /// Read the proxy's password from standard input and keep it in the keyring.
    #[arg(long, requires = "proxy")]
    pub(crate) proxy_password: bool,
    /// The models' window, in tokens.
    #[arg(long)]
    pub(crate) context_tokens: Option<u32>,
    /// Price of a million input tokens, of each of its models.
    #[arg(long, value_parser = price)]
    pub(crate) input_price: Option<f64>,
    /// Price of a million output tokens, of each of its models.
    #[arg(long, value_parser = price)]
    pub(crate) output_price: Option<f64>,
    /// Its models cost nothing although they are in the world.
    #[arg(long, conflicts_with_all = ["input_price", "output_price"])]
    pub(crate) free: bool,
}

fn price(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|price| (0.0..=100_000.0).contains(price))
        .ok_or_else(|| "give an amount such as 2.50".into())
}

fn header_of_variable(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .filter(|(name, variable)| !name.is_empty() && !variable.is_empty())
        .map(|(name, variable)| (name.to_owned(), variable.to_owned()))
        .ok_or_else(|| "give a header and a variable, such as X-Org=MY_ORG".into())
}

/// What is typed here stands in the history of the shell and in the list of processes.
fn without_password(text: &str) -> Result<String, String> {
    let authority = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((user, _)) if user.contains(':') => Err(
            "a password given here could be read by others: leave it out and add --proxy-password"
                .into(),
        ),
        _ => Ok(text.to_owned()),
    }
}
