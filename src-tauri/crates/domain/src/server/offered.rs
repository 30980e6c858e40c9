//! A tool of a server: as it is offered, and as the person looked at it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canonical;
use crate::risk::Risk;

/// What a server offers as a tool. All of it is text of others, cleaned and cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Its name at the server.
    pub name: String,
    /// A name for people; empty where it gives none.
    #[serde(default)]
    pub title: String,
    /// What it says it does.
    #[serde(default)]
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// What it says of its risk.
    #[serde(default)]
    pub hints: Hints,
}

impl OfferedTool {
    /// SHA-256 of all that it says, hexadecimal: another text is another tool.
    #[must_use]
    pub fn pin(&self) -> String {
        let whole = serde_json::to_vec(&(
            &self.name,
            &self.title,
            &self.description,
            &self.schema,
            &self.hints,
        ));
        // Plain values are always JSON; were they not, no pin would ever be equal to the empty one.
        whole.map_or_else(|_| String::new(), |bytes| canonical::sha256(&bytes).0)
    }
}

/// What a server says of the risk of a tool (annotations of MCP). It can only raise what the person decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// It changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// It may destroy something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// It reaches places beyond the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Hints {
    /// The least risk a call has by the server's own words. Words that make it smaller count for nothing.
    #[must_use]
    pub fn least(self) -> Risk {
        match (self.destructive, self.read_only) {
            // "Destructive" means something only for a tool that changes something.
            (Some(true), Some(false) | None) => Risk::Destroys,
            (_, Some(false)) => Risk::RemoteReversible,
            _ => Risk::Read,
        }
    }
}

/// A tool of a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerTool {
    /// As it was offered last.
    pub offered: OfferedTool,
    /// As the person looked at it.
    #[serde(default)]
    pub accepted: Option<OfferedTool>,
    /// The person says that it only reads: its calls run unasked. Void once it changes.
    #[serde(default)]
    pub lowered: bool,
    /// The server does not offer it any more.
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
    /// How it stands to what the person looked at.
    #[must_use]
    pub fn state(&self) -> ToolState {
        match &self.accepted {
            _ if self.gone => ToolState::Gone,
            None => ToolState::New,
            Some(accepted) if *accepted == self.offered => ToolState::Accepted,
            Some(_) => ToolState::Changed,
        }
    }

    /// The risk of its usual call: the highest there is, unless the person lowered it and the server's own words allow it.
    #[must_use]
    pub fn risk(&self) -> Risk {
        if self.lowered && self.state() == ToolState::Accepted {
            self.offered.hints.least()
        } else {
            Risk::Spends
        }
    }
}

/// How a tool stands to what the person looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    /// Never looked at: it is not used.
    New,
    /// As it was looked at.
    Accepted,
    /// Not as it was looked at: it is not used until it is looked at again.
    Changed,
    /// Not offered any more.
    Gone,
}

impl ToolState {
    /// The name on the wire.
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
