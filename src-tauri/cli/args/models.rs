//! The arguments of `models`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Language models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List connections in the order Adjutant tries them.
    List,
    /// Look for model servers on this computer.
    Find,
    /// Connect a model, or change a connection: options that are not given stay as they are.
    Add(Box<ConnectArgs>),
    /// Fetch a model file, from where an earlier attempt stopped; without a name, list known files. Needs an Adjutant
    /// built with the feature local-model.
    Fetch {
        /// A name from the list, or the address of a GGUF file.
        what: Option<String>,
        /// Expected SHA-256 of the file, from a source you trust.
        #[arg(long, value_name = "HEX", requires = "what")]
        sha256: Option<String>,
        /// Accept the size and the licence without being asked.
        #[arg(long, requires = "what")]
        yes: bool,
    },
    /// Remove a connection and its key.
    Remove {
        /// Name of the connection.
        name: String,
    },
    /// Use a connection before all others.
    Prefer {
        /// Name of the connection.
        name: String,
    },
    /// Show how the connection in `models.shadow` compares with the others; with a name, estimate what comparing that
    /// connection would cost.
    Compare {
        /// Name of the connection.
        name: Option<String>,
    },
    /// Test what works with a model, and how fast.
    Test {
        /// Name of the connection.
        name: String,
        /// Tier of the model to test: fast, standard or deep.
        #[arg(long)]
        tier: Option<String>,
    },
}

/// A connection as it is typed. Of one that is there already, what is not given stays as it is.
#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// Name of the connection; an existing name changes that connection.
    pub(crate) name: String,
    /// Kind of provider: ollama, compatible, open_ai, anthropic or gemini (default: compatible).
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// Address, for example http://127.0.0.1:11434/v1 (default: the usual one for its kind).
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Model file on this computer, instead of a server. Needs an Adjutant built with the feature local-model.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["kind", "url", "model", "fast", "deep", "embedding", "key", "header", "header_env", "proxy"]
    )]
    pub(crate) gguf: Option<PathBuf>,
    /// Model for most requests.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Faster model for small questions; "" for none.
    #[arg(long)]
    pub(crate) fast: Option<String>,
    /// More capable model for hard requests; "" for none.
    #[arg(long)]
    pub(crate) deep: Option<String>,
    /// Model that makes vectors; "" for none.
    #[arg(long)]
    pub(crate) embedding: Option<String>,
    /// Read a key from standard input and keep it in the keyring. With several secrets, put each on a line of its own:
    /// the key, then the headers in the order given, then the proxy's password.
    #[arg(long)]
    pub(crate) key: bool,
    /// Header to send, for a gateway that needs it; its value is read from standard input and kept in the keyring. Can
    /// be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) header: Vec<String>,
    /// Header to send, with its value from an environment variable. Can be repeated.
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = header_of_variable)]
    pub(crate) header_env: Vec<(String, String)>,
    /// Remove all stored headers; only those given here are sent.
    #[arg(long)]
    pub(crate) no_headers: bool,
    /// Send the key and headers unencrypted to an http address outside this computer. Others on the network can read
    /// them.
    #[arg(long)]
    pub(crate) unencrypted: bool,
    /// Proxy for this connection, such as http://name@proxy.example:3128; none for no proxy, "" for the general one.
    #[arg(long, value_name = "URL", value_parser = without_password)]
    pub(crate) proxy: Option<String>,
    /// Read the proxy's password from standard input and keep it in the keyring.
    #[arg(long, requires = "proxy")]
    pub(crate) proxy_password: bool,
    /// Context window of its models, in tokens.
    #[arg(long)]
    pub(crate) context_tokens: Option<u32>,
    /// Price of a million input tokens, for each of its models.
    #[arg(long, value_parser = price)]
    pub(crate) input_price: Option<f64>,
    /// Price of a million output tokens, for each of its models.
    #[arg(long, value_parser = price)]
    pub(crate) output_price: Option<f64>,
    /// Count its models as free although they run elsewhere.
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
            "others could read a password given here: leave it out and add --proxy-password".into(),
        ),
        _ => Ok(text.to_owned()),
    }
}
