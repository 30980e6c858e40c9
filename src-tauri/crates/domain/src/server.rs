//! Servers of tools that the person added (MCP), and what is known of their tools. What a server says of itself is text of
//! others: a tool counts once the person has looked at exactly this description and schema, and again after each change.

mod name;
mod offered;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use name::{NotAName, ServerName, tool_name};
pub use offered::{Hints, OfferedTool, ServerTool, ToolState};

use crate::ids::AccountId;

/// Servers of one profile.
pub const SERVERS_MAX: usize = 64;
/// Tools of one server that are kept; what it offers beyond is left out, and it is said.
pub const SERVER_TOOLS_MAX: usize = 512;

/// A server that the person added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Server {
    /// What the person calls it: a part of the names of its tools.
    pub name: ServerName,
    /// How it is reached.
    pub reach: Reach,
    /// Whether it is used. One that was added and not looked at yet is not.
    pub state: ServerState,
    /// Its tools, as they were offered last and as the person looked at them.
    pub tools: Vec<ServerTool>,
    /// What it calls itself and says how it is used, as of the last connection; text of others.
    #[serde(default)]
    pub about: About,
    /// When it was added.
    pub added: Timestamp,
}

impl Server {
    /// The account that calls of its tools act for.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.name.account()
    }

    /// The tool that has this name at the server.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ServerTool> {
        self.tools.iter().find(|tool| tool.offered.name == name)
    }

    /// Tools that are used: those that are as the person looked at them, of a server that is on.
    pub fn usable(&self) -> impl Iterator<Item = &ServerTool> {
        let on = self.state == ServerState::On;
        let accepted = |tool: &&ServerTool| tool.state() == ToolState::Accepted;
        self.tools.iter().filter(move |_| on).filter(accepted)
    }

    /// Takes in what the server offers now. What the person looked at stays pinned: a tool that is not as it was has to be
    /// looked at again, and one that is gone is kept, so that nothing else takes its place unseen. Tells whether anything
    /// changed.
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
        // What nobody ever looked at and is gone leaves nothing to compare with.
        self.tools
            .retain(|tool| !tool.gone || tool.accepted.is_some());
        self.tools != before
    }

    /// The person has looked at these tools as they are offered: those whose definitions are named. Others stay as they
    /// are.
    pub fn accept(&mut self, looked_at: &BTreeMap<String, String>) {
        self.tools
            .retain(|tool| !(tool.gone && looked_at.contains_key(&tool.offered.name)));
        for tool in &mut self.tools {
            let pin = tool.offered.pin();
            if looked_at.get(&tool.offered.name) == Some(&pin) {
                if tool.accepted.as_ref().map(OfferedTool::pin) != Some(pin) {
                    // What was allowed was allowed to another tool.
                    tool.lowered = false;
                }
                tool.accepted = Some(tool.offered.clone());
            }
        }
    }
}

/// How a server is reached. Values that are secret are in the credential store, under [`Server::entry`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Reach {
    /// A program of this computer, which speaks on its standard input and output.
    Command {
        /// The program: a name to be found on the path, or a path.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Environment variables beside the bare ones.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// Environment variables whose values are secret.
        #[serde(default)]
        secrets: Vec<String>,
    },
    /// An address: streamable HTTP.
    Address {
        /// `https://…`, or `http://` on this computer.
        url: String,
        /// Headers beside the usual ones.
        #[serde(default)]
        headers: BTreeMap<String, String>,
        /// Headers whose values are secret, `Authorization` among them.
        #[serde(default)]
        secrets: Vec<String>,
    },
}

impl Reach {
    /// Names of the values that are kept as secrets.
    #[must_use]
    pub fn secrets(&self) -> &[String] {
        match self {
            Self::Command { secrets, .. } | Self::Address { secrets, .. } => secrets,
        }
    }

    /// In one line, without secrets: the command as it is typed, or the address.
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
    /// The name under which the credential store keeps a secret of a server.
    #[must_use]
    pub fn entry(name: &ServerName, field: &str) -> String {
        format!("mcp.{name}.{field}")
    }
}

/// Whether a server is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerState {
    /// Added; it counts once the person has looked at what it offers.
    New,
    /// Its tools are used.
    On,
    /// Switched off by the person: it is not started.
    Off,
}

impl ServerState {
    /// The name in `show` and in storage.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// What a server says of itself. Text of others, cleaned and cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its own name.
    pub title: String,
    /// Its version.
    pub version: String,
    /// How it wants to be used.
    pub instructions: String,
    /// Whether it offers resources.
    pub resources: bool,
    /// Whether it offers prompts.
    pub prompts: bool,
}

#[cfg(test)]
mod tests;
