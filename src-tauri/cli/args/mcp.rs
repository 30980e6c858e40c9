//! What can be typed after `mcp`.

use clap::Subcommand;

use super::servers::ServersCommand;

/// Programs and servers that speak the Model Context Protocol.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    #[command(flatten)]
    Servers(ServersCommand),
}
