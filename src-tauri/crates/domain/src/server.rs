//! MCP servers that the person added, and their tools. What a server says about itself is foreign text: a tool can be
//! used only after the person reviewed exactly this description and schema, and again after each change.

mod name;
mod offered;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use name::{NotAName, ServerName, tool_name};
pub use offered::{Hints, OfferedTool, ServerTool, ToolState};

use crate::ids::AccountId;

/// Maximum number of servers per profile.
pub const SERVERS_MAX: usize = 64;
/// Maximum number of tools kept per server. Further tools are left out, and the person is told.
pub const SERVER_TOOLS_MAX: usize = 512;

/// A server that the person added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Server {
    /// The person's name for it, which becomes part of its tools' names.
    pub name: ServerName,
    /// How to reach it.
    pub reach: Reach,
    /// Whether it is used. A server that was added but not yet reviewed is not.
    pub state: ServerState,
    /// Its tools, as last offered and as the person reviewed them.
    pub tools: Vec<ServerTool>,
    /// Its description of itself from the last connection; foreign text.
    #[serde(default)]
    pub about: About,
    /// When it was added.
    pub added: Timestamp,
}

impl Server {
    /// Returns the account that calls of its tools act for.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.name.account()
    }

    /// Returns the tool with this name at the server.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ServerTool> {
        self.tools.iter().find(|tool| tool.offered.name == name)
    }

    /// Returns the tools that can be used: unchanged since the person reviewed them, and of a server that is on.
    pub fn usable(&self) -> impl Iterator<Item = &ServerTool> {
        let on = self.state == ServerState::On;
        let accepted = |tool: &&ServerTool| tool.state() == ToolState::Accepted;
        self.tools.iter().filter(move |_| on).filter(accepted)
    }

    /// Records what the server offers now and returns whether anything changed.
    ///
    /// What the person reviewed stays pinned: a changed tool must be reviewed again, and a vanished one is kept, so
    /// that no other can take its place unnoticed.
    pub fn offers(&mut self, offered: Vec<OfferedTool>) -> bool {
        let before = self.tools.clone();
        for tool in &mut self.tools {
            tool.gone = true;
        }
        for now in offered {
            let mut known = self.tools.iter_mut();
            if let Some(known) = known.find(|one| one.offered.name == now.name) {
                known.gone = false;
                known.offered = now;
            } else if self.tools.len() < SERVER_TOOLS_MAX {
                self.tools.push(now.into());
            }
        }
        // A vanished tool that nobody ever reviewed need not be kept for comparison.
        self.tools
            .retain(|tool| !tool.gone || tool.accepted.is_some());
        self.tools != before
    }

    /// Records that the person reviewed these tools as now offered. `looked_at` maps names of tools to their pins;
    /// vanished tools among them are dropped, and others stay as they are.
    pub fn accept(&mut self, looked_at: &BTreeMap<String, String>) {
        self.tools
            .retain(|tool| !(tool.gone && looked_at.contains_key(&tool.offered.name)));
        for tool in &mut self.tools {
            let pin = tool.offered.pin();
            if looked_at.get(&tool.offered.name) == Some(&pin) {
                if tool.accepted.as_ref().map(OfferedTool::pin) != Some(pin) {
                    // The person's permission was for another tool.
                    tool.lowered = false;
                }
                tool.accepted = Some(tool.offered.clone());
            }
        }
    }
}

/// How to reach a server. The credential store keeps secret values, under [`Server::entry`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Reach {
    /// A program on this computer that communicates over standard input and output.
    Command {
        /// The program: a name to look up in PATH, or a path.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Environment variables in addition to the minimal set.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// Environment variables whose values are secret.
        #[serde(default)]
        secrets: Vec<String>,
    },
    /// An address, reached with streamable HTTP.
    Address {
        /// `https://…`, or `http://` on this computer.
        url: String,
        /// Headers in addition to the standard ones.
        #[serde(default)]
        headers: BTreeMap<String, String>,
        /// Headers whose values are secret, including `Authorization`.
        #[serde(default)]
        secrets: Vec<String>,
    },
}

impl Reach {
    /// Returns the names of the secret values.
    #[must_use]
    pub fn secrets(&self) -> &[String] {
        match self {
            Self::Command { secrets, .. } | Self::Address { secrets, .. } => secrets,
        }
    }

    /// Returns the command as it would be typed, or the address, on one line and without secrets.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Address { url, .. } => url.clone(),
            Self::Command { command, args, .. } => {
                let all = std::iter::once(command).chain(args);
                all.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:@=+,%~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

impl Server {
    /// Returns the name under which the credential store keeps a server's secret.
    #[must_use]
    pub fn entry(name: &ServerName, field: &str) -> String {
        format!("mcp.{name}.{field}")
    }
}

/// Whether a server is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerState {
    /// Added, but unused until the person has reviewed what it offers.
    New,
    /// Its tools can be used.
    On,
    /// Switched off by the person: Adjutant does not start it.
    Off,
}

impl ServerState {
    /// Returns the name used by `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// What a server says about itself: foreign text, sanitised and truncated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its own name.
    pub title: String,
    /// Its version.
    pub version: String,
    /// Its instructions for use.
    pub instructions: String,
    /// Whether it offers resources.
    pub resources: bool,
    /// Whether it offers prompts.
    pub prompts: bool,
}

#[cfg(test)]
mod tests;
