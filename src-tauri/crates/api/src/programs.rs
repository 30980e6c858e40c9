//! What Adjutant offers other programs through `adjutant mcp serve`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// A request on behalf of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ProgramAct {
    /// Lists the tools that the setting `mcp.serve.share` offers to programs. Answers with
    /// [`crate::Reply::ProgramTools`].
    Tools {},
    /// Calls one of those tools. A call that only reads shared data runs at once; any other becomes a proposal that
    /// waits in Approvals. Answers with [`crate::Reply::ProgramAnswered`].
    Call {
        /// Name by which the program introduced itself.
        program: String,
        /// Name of an offered tool.
        tool: String,
        /// Arguments of the call.
        args: Value,
    },
    /// Makes the token that programs connecting over HTTP must present, if there is none yet. Answers with
    /// [`crate::Reply::ProgramToken`].
    Token {
        /// Whether to make a new token even if there is one; the old one becomes invalid.
        renew: bool,
    },
    /// Checks whether a program with this token may connect. Answers with [`crate::Reply::Ok`], or with a fault with
    /// the code `not_admitted`.
    Admit {
        /// SHA-256 of the token, hexadecimal.
        sha256: String,
    },
}

/// A tool that a program may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProgramTool {
    /// Name, for example `calendar.create`.
    pub name: String,
    /// What it does, for the program.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// Whether it only reads. A call of any other tool becomes a proposal.
    pub reads: bool,
}

/// Result of a program's call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "answered", rename_all = "snake_case")]
pub enum ProgramAnswer {
    /// The call only read, and ran.
    Read {
        /// Result in words.
        say: String,
        /// Result as structured data.
        output: Value,
        /// Whether the result contains foreign text.
        foreign: bool,
    },
    /// The call waits for the person's approval.
    Waits {
        /// The proposed action.
        action: ProgramAction,
        /// Whether the same call was already waiting, so that nothing was added.
        already: bool,
    },
    /// The program's own proposals and their states, latest first.
    Actions {
        /// The proposals.
        actions: Vec<ProgramAction>,
    },
}

/// A program's proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProgramAction {
    /// Identifier.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// `pending`, `approved`, `succeeded`, `denied`, …, as in Approvals.
    pub state: String,
    /// The state in words.
    pub say: String,
    /// When it was proposed, RFC 3339.
    pub created: String,
    /// When the proposal expires, RFC 3339.
    pub expires: String,
}
