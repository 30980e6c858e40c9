//! Servers of tools (MCP): what a front end may ask about them, and what comes back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::models::SecretText;
use crate::words::Risk;

/// A request about servers. All but those of resources and prompts answer with [`crate::Reply::Servers`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ServerAct {
    /// All servers. Nothing is started.
    List {},
    /// Adds a server. It does not count before it was tried and accepted. A fault has the field's name as its code: `name`,
    /// `command`, `url`, or that of a secret.
    Add {
        /// What to call it: small letters, digits, `-` and `_`.
        name: String,
        /// How it is reached.
        reach: ServerReach,
        /// Values of environment variables or headers that are secret, by name; they go to the keyring.
        #[serde(default)]
        secrets: BTreeMap<String, SecretText>,
    },
    /// Adds the servers of a pasted `mcpServers` text, as other programs have it. Values of `env` and `headers` go to the
    /// keyring. Those whose names are taken are left out, and the note says so.
    Paste {
        /// The text.
        json: SecretText,
    },
    /// Starts a server and looks at what it offers. Answers with [`crate::Reply::ServerTried`].
    Try {
        /// Which.
        name: String,
    },
    /// The person has looked at tools as they are offered: they are used from now on, and the server with them.
    Accept {
        /// Which.
        name: String,
        /// The pins of the tools that were looked at ([`ServerToolView::pin`]), by the tool's own name; empty: every tool as
        /// it was offered last.
        #[serde(default)]
        pins: BTreeMap<String, String>,
    },
    /// The person says that a tool only reads, so that its calls run unasked; or takes that back. Refused for a tool that was
    /// not accepted, or that says of itself that it changes something.
    Lower {
        /// Which server.
        name: String,
        /// Which tool, by its own name.
        tool: String,
        /// Whether it only reads.
        reads: bool,
    },
    /// Uses a server, or not. One that is off is not started.
    Set {
        /// Which.
        name: String,
        /// Whether it is used.
        on: bool,
    },
    /// Keeps a secret of a server in the keyring, in the place of an older one: a token, a key.
    Secret {
        /// Which.
        name: String,
        /// The environment variable or header; `Authorization` for the token of a server with an address (`Bearer` is put
        /// before it).
        field: String,
        /// The value.
        value: SecretText,
    },
    /// Begins signing in at a server that wants it. Answers with [`crate::Reply::SignIn`]: the page for the system browser.
    /// [`Self::SignedIn`] waits for the person, [`crate::Request::CancelSignIn`] gives it up.
    SignIn {
        /// Which.
        name: String,
    },
    /// Waits until the person has signed in, keeps in the keyring what that gave, and tries the server. Answers with
    /// [`crate::Reply::ServerTried`].
    SignedIn {
        /// Which server.
        name: String,
        /// The sign-in, by its name.
        sign_in: String,
    },
    /// Ends a server and takes it away with its secrets; a sign-in is taken back there.
    Remove {
        /// Which.
        name: String,
    },
    /// What a server has to attach: resources and prompts. Answers with [`crate::Reply::ServerOffers`].
    Offers {
        /// Which.
        name: String,
    },
    /// Reads a resource, or fills in a prompt, and keeps it as a note that others wrote. Answers with
    /// [`crate::Reply::Attached`].
    Attach {
        /// Which server.
        name: String,
        /// What.
        what: Attachable,
    },
}

/// What of a server can be attached.
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
        /// Its name at the server.
        prompt: String,
        /// Its arguments.
        #[serde(default)]
        args: BTreeMap<String, String>,
    },
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum ServerReach {
    /// A program of this computer.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Environment variables that are no secret, beside PATH, HOME, LANG and TMPDIR.
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// An address that speaks streamable HTTP.
    Address {
        /// `https://…`, or `http://` on this computer.
        url: String,
        /// Headers that are no secret.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// How a server stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ServerStatus {
    /// Added and not accepted yet.
    New,
    /// Its accepted tools are used.
    On,
    /// Switched off.
    Off,
}

/// A server. What it says of itself is text of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// What the person calls it.
    pub name: String,
    /// How it is reached.
    pub reach: ServerReach,
    /// The same in one line: the command as it is typed, or the address.
    pub line: String,
    /// Names of the values that are kept in the keyring.
    pub secrets: Vec<String>,
    /// Whether the person signed in there in the browser.
    pub signed_in: bool,
    /// How it stands.
    pub status: ServerStatus,
    /// Whether it is connected now.
    pub running: bool,
    /// Why it could not be used last time.
    pub problem: Option<ServerProblem>,
    /// Its own name; may be empty.
    pub title: String,
    /// Its version; may be empty.
    pub version: String,
    /// How it says it wants to be used; may be empty.
    pub instructions: String,
    /// Whether it has resources or prompts to attach.
    pub offers: bool,
    /// Its tools.
    pub tools: Vec<ServerToolView>,
    /// How many of them have to be looked at.
    pub to_look_at: u32,
}

/// Why a server could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerProblem {
    /// What happened.
    pub what: String,
    /// What to do next.
    pub next: String,
    /// Whether it wants the person to sign in, which [`ServerAct::SignIn`] begins.
    pub wants_sign_in: bool,
    /// The last lines it wrote to its standard error; text of others.
    pub log: Vec<String>,
}

/// How a tool stands to what the person looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ServerToolState {
    /// Never looked at: not used.
    New,
    /// Used.
    Accepted,
    /// Not as it was: not used until it is looked at again.
    Changed,
    /// Not offered any more.
    Gone,
}

/// A tool of a server. What it says is text of others, cleaned and cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerToolView {
    /// Its name here: `mcp.<server>.<tool>`.
    pub name: String,
    /// Its own name at the server.
    pub tool: String,
    /// Its name for people; may be empty.
    pub title: String,
    /// What it says it does.
    pub description: String,
    /// JSON schema of its arguments.
    pub schema: Value,
    /// The risk of a usual call, as the gate has it.
    pub risk: Risk,
    /// What the server says of its risk, as a phrase ("says that it only reads"); empty where it says nothing.
    pub says: String,
    /// How it stands.
    pub state: ServerToolState,
    /// Whether the person said that it only reads.
    pub lowered: bool,
    /// Whether they may say so.
    pub can_lower: bool,
    /// The hash of all of this, for [`ServerAct::Accept`].
    pub pin: String,
    /// As it was when the person looked at it, where it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub before: Option<ServerToolBefore>,
}

/// A tool as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerToolBefore {
    /// What it said it does.
    pub description: String,
    /// JSON schema of its arguments.
    pub schema: Value,
    /// What the server said of its risk.
    pub says: String,
}

/// What came of trying a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerReport {
    /// The server, with what it offers now, or why it cannot be used.
    pub server: ServerView,
    /// Whether it can be used.
    pub works: bool,
    /// The revision of the protocol it speaks; empty where it did not come so far.
    pub revision: String,
    /// Until it had said hello, in milliseconds.
    #[ts(type = "number")]
    pub connect_ms: u64,
    /// Until it had listed its tools, in milliseconds.
    #[ts(type = "number")]
    pub list_ms: u64,
    /// What to know before it is accepted: what it may do, what was left out.
    pub notes: Vec<String>,
}

/// What a server has to attach. Text of others, cleaned and cut.
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
    /// Its arguments, those that are needed first.
    pub args: Vec<PromptArg>,
}

/// An argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptArg {
    /// Its name.
    pub name: String,
    /// What is meant.
    pub description: String,
    /// Whether it is needed.
    pub required: bool,
}
