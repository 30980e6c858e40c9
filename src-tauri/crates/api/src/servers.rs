//! MCP servers: requests about them, and their views.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::models::SecretText;
use crate::words::Risk;

/// A request about servers. Answers with [`crate::Reply::Servers`] unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ServerAct {
    /// Lists all servers without starting any.
    List {},
    /// Adds a server. Adjutant uses it once it was tried and its tools were accepted. If a field is at fault, the code
    /// names it: `name`, `command`, `url`, or the name of a secret.
    Add {
        /// Name for the server: lowercase letters, digits, `-` and `_`.
        name: String,
        /// How to reach it.
        reach: ServerReach,
        /// Secret environment variables or headers, by name; stored in the keyring.
        #[serde(default)]
        secrets: BTreeMap<String, SecretText>,
    },
    /// Adds the servers in a pasted `mcpServers` JSON text, as other programs use it. Values of `env` and `headers` go
    /// to the keyring. Servers whose names are taken are skipped, and the note says so.
    Paste {
        /// The JSON text.
        json: SecretText,
    },
    /// Starts a server and checks what it offers. Answers with [`crate::Reply::ServerTried`].
    Try {
        /// Name of the server.
        name: String,
    },
    /// Accepts tools as currently offered, after the person has looked at them. Adjutant uses the server and these
    /// tools from now on.
    Accept {
        /// Name of the server.
        name: String,
        /// Pins of the accepted tools ([`ServerToolView::pin`]), by the server's own name for each tool; if empty,
        /// every tool as last offered.
        #[serde(default)]
        pins: BTreeMap<String, String>,
    },
    /// Records, or revokes, the person's statement that a tool only reads, so that its calls run without asking.
    /// Refused if the tool is not accepted, or the server says that it changes something.
    Lower {
        /// Name of the server.
        name: String,
        /// The server's own name for the tool.
        tool: String,
        /// Whether the tool only reads.
        reads: bool,
    },
    /// Switches a server on or off. Adjutant does not start a server that is off.
    Set {
        /// Name of the server.
        name: String,
        /// Whether it is on.
        on: bool,
    },
    /// Stores a secret of a server, such as a token or key, in the keyring, replacing an older one.
    Secret {
        /// Name of the server.
        name: String,
        /// Environment variable or header; `Authorization` for the token of a server with an address, which is sent
        /// after `Bearer`.
        field: String,
        /// The secret.
        value: SecretText,
    },
    /// Starts a sign-in at a server that requires one. Answers with [`crate::Reply::SignIn`]: the page to open in the
    /// system browser. [`Self::SignedIn`] then waits for the person; [`crate::Request::CancelSignIn`] cancels the
    /// sign-in.
    SignIn {
        /// Name of the server.
        name: String,
    },
    /// Waits until the person has signed in, stores the tokens in the keyring, and tries the server. Answers with
    /// [`crate::Reply::ServerTried`].
    SignedIn {
        /// Name of the server.
        name: String,
        /// Id of the sign-in.
        sign_in: String,
    },
    /// Stops a server and removes it with its secrets. Adjutant also revokes a sign-in at the server.
    Remove {
        /// Name of the server.
        name: String,
    },
    /// Lists what a server offers to attach: resources and prompts. Answers with [`crate::Reply::ServerOffers`].
    Offers {
        /// Name of the server.
        name: String,
    },
    /// Reads a resource or fills in a prompt, and stores it as a note of foreign text. Answers with
    /// [`crate::Reply::Attached`].
    Attach {
        /// Name of the server.
        name: String,
        /// The resource or prompt.
        what: Attachable,
    },
}

/// Something of a server that can be attached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Attachable {
    /// A resource.
    Resource {
        /// Its URI.
        uri: String,
    },
    /// A prompt.
    Prompt {
        /// The server's name for the prompt.
        prompt: String,
        /// Arguments of the prompt, by name.
        #[serde(default)]
        args: BTreeMap<String, String>,
    },
}

/// How to reach a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum ServerReach {
    /// A program on this computer.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Non-secret environment variables, in addition to PATH, HOME, LANG and TMPDIR.
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// An address that serves the streamable HTTP transport.
    Address {
        /// `https://…`; `http://` only on this computer.
        url: String,
        /// Non-secret headers.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// Whether Adjutant uses a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ServerStatus {
    /// Added, but not accepted yet.
    New,
    /// In use, with its accepted tools.
    On,
    /// Switched off.
    Off,
}

/// A server. What it says about itself is foreign text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// What the person calls it.
    pub name: String,
    /// How to reach it.
    pub reach: ServerReach,
    /// The same in one line: the command as typed, or the address.
    pub line: String,
    /// Names of the secrets stored in the keyring.
    pub secrets: Vec<String>,
    /// Whether the person has signed in there in the browser.
    pub signed_in: bool,
    /// Whether Adjutant uses it.
    pub status: ServerStatus,
    /// Whether it is connected now.
    pub running: bool,
    /// Why it could not be used last time, if so.
    pub problem: Option<ServerProblem>,
    /// The server's own name; may be empty.
    pub title: String,
    /// The server's version; may be empty.
    pub version: String,
    /// The server's instructions for use; may be empty.
    pub instructions: String,
    /// Whether it offers resources or prompts to attach.
    pub offers: bool,
    /// Its tools.
    pub tools: Vec<ServerToolView>,
    /// Number of tools that the person has yet to look at.
    pub to_look_at: u32,
}

/// Why a server could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerProblem {
    /// What happened.
    pub what: String,
    /// What to do next.
    pub next: String,
    /// Whether the server requires a sign-in, which [`ServerAct::SignIn`] starts.
    pub wants_sign_in: bool,
    /// Last lines of its standard error; foreign text.
    pub log: Vec<String>,
}

/// State of a tool relative to what the person accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ServerToolState {
    /// Not accepted yet, so not used.
    New,
    /// Accepted and in use.
    Accepted,
    /// Changed since the person accepted it; not used until accepted again.
    Changed,
    /// No longer offered.
    Gone,
}

/// A tool of a server. What it says is foreign text, cleaned and shortened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerToolView {
    /// Adjutant's name for the tool: `mcp.<server>.<tool>`.
    pub name: String,
    /// The server's own name for the tool.
    pub tool: String,
    /// Title shown to the person; may be empty.
    pub title: String,
    /// The server's description of the tool.
    pub description: String,
    /// JSON schema of its arguments.
    pub schema: Value,
    /// Risk of a usual call, as the gate judges it.
    pub risk: Risk,
    /// What the server says about its risk, as a phrase ("says that it only reads"); empty if it says nothing.
    pub says: String,
    /// State of the tool.
    pub state: ServerToolState,
    /// Whether the person stated that it only reads.
    pub lowered: bool,
    /// Whether the person may state that.
    pub can_lower: bool,
    /// Hash of this definition, for [`ServerAct::Accept`].
    pub pin: String,
    /// Definition that the person accepted, if it has changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub before: Option<ServerToolBefore>,
}

/// Earlier definition of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerToolBefore {
    /// The server's description of the tool.
    pub description: String,
    /// JSON schema of its arguments.
    pub schema: Value,
    /// What the server said about its risk.
    pub says: String,
}

/// Result of trying a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerReport {
    /// The server, with its present offers or the reason why it cannot be used.
    pub server: ServerView,
    /// Whether it can be used.
    pub works: bool,
    /// Protocol revision that it speaks; empty if the connection failed before it was negotiated.
    pub revision: String,
    /// Milliseconds until the handshake was complete.
    #[ts(type = "number")]
    pub connect_ms: u64,
    /// Milliseconds until it had listed its tools.
    #[ts(type = "number")]
    pub list_ms: u64,
    /// What the person should know before accepting it: what it may do, and what was left out.
    pub notes: Vec<String>,
}

/// What a server offers to attach; foreign text, cleaned and shortened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerOffers {
    /// Resources.
    pub resources: Vec<ResourceView>,
    /// Prompts.
    pub prompts: Vec<PromptView>,
}

/// A resource of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResourceView {
    /// Its URI.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
}

/// A prompt of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptView {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its arguments, required ones first.
    pub args: Vec<PromptArg>,
}

/// An argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptArg {
    /// Its name.
    pub name: String,
    /// What to enter.
    pub description: String,
    /// Whether it is required.
    pub required: bool,
}
