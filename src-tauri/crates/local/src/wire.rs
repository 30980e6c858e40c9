//! What app and process say to each other: a JSON object a line, requests in, replies out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bytes of a line, in either direction.
pub const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What the app asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Answers a conversation.
    Generate {
        /// Number of the request; every reply to it carries it.
        id: u64,
        /// Instructions.
        system: String,
        /// What was said, oldest first.
        messages: Vec<Message>,
        /// The JSON schema that the answer fits; none for free text.
        schema: Option<Value>,
        /// Tokens the answer may have.
        max_tokens: usize,
    },
    /// Nobody wants the answer any more.
    Stop {
        /// Number of the request.
        id: u64,
    },
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Whose.
    pub role: Role,
    /// What.
    pub text: String,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// What the process says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// The model is loaded. The first line, unless it is a fault.
    Ready {
        /// Its name, as the file tells it.
        name: String,
        /// Tokens of prompt and answer together.
        window: usize,
    },
    /// What a file is, as far as its head tells; the only line of a process that was started to look at one.
    Looked {
        /// Its name, as the file tells it.
        name: String,
        /// Tokens of prompt and answer together.
        window: usize,
        /// Bytes of memory it takes, about.
        memory: u64,
    },
    /// A piece of an answer.
    Token {
        /// Number of the request.
        id: u64,
        /// The next piece.
        text: String,
    },
    /// The answer is whole.
    End {
        /// Number of the request.
        id: u64,
        /// Why it ended.
        stop: Stop,
        /// Tokens of the prompt.
        input: usize,
        /// Tokens of the answer.
        output: usize,
    },
    /// There is no answer, or no model where no number is given.
    Fault {
        /// Number of the request.
        id: Option<u64>,
        /// See `LocalFault::code`.
        code: String,
        /// In words.
        why: String,
    },
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was said.
    Complete,
    /// It reached its limit.
    Length,
    /// Nobody wanted it any more.
    Stopped,
}
