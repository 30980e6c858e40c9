//! What other programs are offered through `adjutant mcp serve`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What is asked for other programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ProgramAct {
    /// What they are offered, by the setting `mcp.serve.share`. Answers with [`crate::Reply::ProgramTools`].
    Tools {},
    /// A call of one of them. It reads what is shared; everything else becomes a proposal that waits in Approvals. Answers
    /// with [`crate::Reply::ProgramAnswered`].
    Call {
        /// What the program calls itself.
        program: String,
        /// One of the tools that are offered.
        tool: String,
        /// Arguments.
        args: Value,
    },
    /// What programs that connect over HTTP have to show: made when there is none. Answers with
    /// [`crate::Reply::ProgramToken`].
    Token {
        /// Make a new one; the one before is void.
        renew: bool,
    },
    /// Whether a program that shows this token is let in. Answers with [`crate::Reply::Ok`]; a fault with the code
    /// `not_admitted` where it is not.
    Admit {
        /// SHA-256 of the token, hexadecimal.
        sha256: String,
    },
}

/// One tool that a program may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProgramTool {
    /// Name, for example `calendar.create`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// Whether it only reads. Every other call is a proposal.
    pub reads: bool,
}

/// What became of a program's call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "answered", rename_all = "snake_case")]
pub enum ProgramAnswer {
    /// It was read.
    Read {
        /// In words.
        say: String,
        /// The same, typed.
        output: Value,
        /// Whether text of others is in it.
        foreign: bool,
    },
    /// It waits for the person.
    Waits {
        /// The action.
        action: ProgramAction,
        /// The same was proposed before and waits already: nothing was added.
        already: bool,
    },
    /// How the program's own proposals stand, latest first.
    Actions {
        /// The actions.
        actions: Vec<ProgramAction>,
    },
}

/// A proposal of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProgramAction {
    /// Identifier.
    pub id: String,
    /// Tool.
    pub tool: String,
    /// `pending`, `approved`, `succeeded`, `denied`, … as in Approvals.
    pub state: String,
    /// What that means, in words.
    pub say: String,
    /// When it was proposed, RFC 3339.
    pub created: String,
    /// Until when it can be approved, RFC 3339.
    pub expires: String,
}
