//! The arguments of the `mcp` commands for tool servers.

use clap::Subcommand;

/// Servers of tools.
#[derive(Debug, Subcommand)]
pub(crate) enum ServersCommand {
    /// List MCP servers and the tools they offer.
    List,
    /// Add a server: `mcp add NAME -- COMMAND ARGS…`, `mcp add NAME --url URL`, or without a name the `mcpServers` text
    /// of another program on standard input. It is not used until you have tried and accepted it.
    Add {
        /// Name of the server: lowercase letters, digits, `-` and `_`.
        name: Option<String>,
        /// Address of a server that uses HTTP.
        #[arg(long, requires = "name", conflicts_with_all = ["command", "env"])]
        url: Option<String>,
        /// Environment variable that is not secret. Can be repeated.
        #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
        env: Vec<(String, String)>,
        /// Environment variable or header with a secret value, which is asked for or read from standard input, one per
        /// line, and kept in the keyring. Can be repeated.
        #[arg(long, value_name = "NAME", requires = "name")]
        secret: Vec<String>,
        /// Program to run, with its arguments.
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Start a server to see what it offers, how fast it is and what it asks for. This does not use its tools.
    Try {
        /// Name of the server.
        name: String,
    },
    /// Use a server and its tools as it offers them now. Each call still asks you first.
    Accept {
        /// Name of the server.
        name: String,
        /// Accept only this tool. Can be repeated.
        #[arg(long = "tool", value_name = "TOOL")]
        tools: Vec<String>,
    },
    /// Stop using a server for now.
    Pause {
        /// Name of the server.
        name: String,
    },
    /// Use a paused server again.
    Resume {
        /// Name of the server.
        name: String,
    },
    /// Keep a token or another secret of a server in the keyring. It is asked for, or read from standard input.
    Secret {
        /// Name of the server.
        name: String,
        /// Name of the environment variable or header; `Authorization` for a token.
        field: String,
    },
    /// Sign in to a server in the browser, if it requires that.
    SignIn {
        /// Name of the server.
        name: String,
        /// Print the address of the sign-in page instead of opening it.
        #[arg(long)]
        no_browser: bool,
    },
    /// List what a server offers to attach: resources and prompts.
    Offers {
        /// Name of the server.
        name: String,
    },
    /// Keep a resource or a prompt of a server as a note.
    Attach {
        /// Name of the server.
        name: String,
        /// URI of the resource, or name of the prompt.
        what: String,
        /// Attach a prompt instead of a resource.
        #[arg(long)]
        prompt: bool,
        /// Argument of the prompt. Can be repeated.
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair, requires = "prompt")]
        args: Vec<(String, String)>,
    },
    /// Stop a server and remove it with its secrets.
    Remove {
        /// Name of the server.
        name: String,
    },
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
