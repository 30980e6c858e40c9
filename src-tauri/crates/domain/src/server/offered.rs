//! A server's tool, as offered and as the person reviewed it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canonical;
use crate::risk::Risk;

/// A tool as a server offers it: foreign text, sanitised and truncated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Its name at the server.
    pub name: String,
    /// Name for the person; empty if the server gives none.
    #[serde(default)]
    pub title: String,
    /// Description of what it does, in the server's words.
    #[serde(default)]
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// The server's hints about its risk.
    #[serde(default)]
    pub hints: Hints,
}

impl OfferedTool {
    /// Returns the SHA-256 digest of everything the server says about the tool, hexadecimal. Any change makes it
    /// another tool.
    #[must_use]
    pub fn pin(&self) -> String {
        let whole = serde_json::to_vec(&(
            &self.name,
            &self.title,
            &self.description,
            &self.schema,
            &self.hints,
        ));
        // Plain values always serialise. If they did not, the empty pin would match no other pin.
        whole.map_or_else(|_| String::new(), |bytes| canonical::sha256(&bytes).0)
    }
}

/// A server's hints about the risk of a tool (MCP annotations). They can only raise the risk that the person chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// The tool changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// The tool may destroy something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// The tool reaches places beyond the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Hints {
    /// Returns the minimum risk of a call by the server's hints. Hints that would lower it have no effect.
    #[must_use]
    pub fn least(self) -> Risk {
        match (self.destructive, self.read_only) {
            // The hint "destructive" has a meaning only for a tool that changes something.
            (Some(true), Some(false) | None) => Risk::Destroys,
            (_, Some(false)) => Risk::RemoteReversible,
            _ => Risk::Read,
        }
    }
}

/// A tool of a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerTool {
    /// The tool as last offered.
    pub offered: OfferedTool,
    /// The tool as the person reviewed it; `None` if they never did.
    #[serde(default)]
    pub accepted: Option<OfferedTool>,
    /// Whether the person declared that it only reads, so that its calls run unasked. Reset when the tool changes.
    #[serde(default)]
    pub lowered: bool,
    /// Whether the server no longer offers it.
    #[serde(default)]
    pub gone: bool,
}

impl From<OfferedTool> for ServerTool {
    fn from(offered: OfferedTool) -> Self {
        Self {
            offered,
            accepted: None,
            lowered: false,
            gone: false,
        }
    }
}

impl ServerTool {
    /// Compares the tool as offered with what the person reviewed.
    #[must_use]
    pub fn state(&self) -> ToolState {
        match &self.accepted {
            _ if self.gone => ToolState::Gone,
            None => ToolState::New,
            Some(accepted) if *accepted == self.offered => ToolState::Accepted,
            Some(_) => ToolState::Changed,
        }
    }

    /// Returns the risk of a typical call: the highest one, unless the person lowered it and the server's hints allow
    /// that.
    #[must_use]
    pub fn risk(&self) -> Risk {
        if self.lowered && self.state() == ToolState::Accepted {
            self.offered.hints.least()
        } else {
            Risk::Spends
        }
    }
}

/// How a tool compares to what the person reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    /// Never reviewed, so not used.
    New,
    /// Unchanged since the review.
    Accepted,
    /// Changed since the review, so not used until reviewed again.
    Changed,
    /// No longer offered.
    Gone,
}

impl ToolState {
    /// Returns the name used on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Accepted => "accepted",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }
}
