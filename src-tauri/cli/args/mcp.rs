//! The arguments of `mcp`.

use clap::Subcommand;

use super::servers::ServersCommand;

/// The port where nothing else is said.
const PORT: &str = "8787";

/// Programs and servers that speak the Model Context Protocol.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    #[command(flatten)]
    Servers(ServersCommand),
    /// Let another program use what you share in the setting `mcp.serve.share`. Every change it proposes waits for your
    /// approval.
    Serve {
        /// Serve over HTTP on this computer instead of standard input and output.
        #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = PORT)]
        http: Option<u16>,
        /// Make a new token for programs that connect over HTTP; the old one stops working.
        #[arg(long, requires = "http")]
        new_token: bool,
    },
}
