//! The arguments of the `mcp` commands for tool servers.

use clap::Subcommand;

/// Servers of tools.
#[derive(Debug, Subcommand)]
pub(crate) enum ServersCommand {
    /// Servers of tools, with what they offer.
    List,
    /// Add a server: `mcp add NAME -- COMMAND ARGS…`, `mcp add NAME --url URL`, or without a name the text with `mcpServers`
    /// of another program on standard input. It does not count before you tried and accepted it.
    Add {
        /// What to call it: small letters, digits, `-` and `_`.
        name: Option<String>,
        /// The address of a server that speaks HTTP.
        #[arg(long, requires = "name", conflicts_with_all = ["command", "env"])]
        url: Option<String>,
        /// An environment variable that is no secret; once for each.
        #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
        env: Vec<(String, String)>,
        /// An environment variable or header whose value is secret: typed, or read from standard input, a line each. It goes
        /// to the keyring.
        #[arg(long, value_name = "NAME", requires = "name")]
        secret: Vec<String>,
        /// The program and its arguments.
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Start a server and see what it offers, how fast, and what it asks for. Nothing of it is used by that.
    Try {
        /// Which.
        name: String,
    },
    /// Use a server, and its tools as it offers them now; each call is still shown to you first.
    Accept {
        /// Which.
        name: String,
        /// Only these of its tools; once for each.
        #[arg(long = "tool", value_name = "TOOL")]
        tools: Vec<String>,
    },
    /// Do not start a server for now.
    Pause {
        /// Which.
        name: String,
    },
    /// Use a paused server again.
    Resume {
        /// Which.
        name: String,
    },
    /// Keep a token or another secret of a server in the keyring: typed, or read from standard input.
    Secret {
        /// Which server.
        name: String,
        /// The environment variable or header; `Authorization` for a token.
        field: String,
    },
    /// Sign in at a server that wants it, in the browser.
    SignIn {
        /// Which.
        name: String,
        /// Print the address of the page instead of opening it.
        #[arg(long)]
        no_browser: bool,
    },
    /// What a server has to attach: resources and prompts.
    Offers {
        /// Which.
        name: String,
    },
    /// Keep a resource or a prompt of a server as a note.
    Attach {
        /// Which server.
        name: String,
        /// The URI of a resource, or the name of a prompt.
        what: String,
        /// It is a prompt.
        #[arg(long)]
        prompt: bool,
        /// An argument of the prompt; once for each.
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair, requires = "prompt")]
        args: Vec<(String, String)>,
    },
    /// End a server and take it away, with its secrets.
    Remove {
        /// Which.
        name: String,
    },
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
