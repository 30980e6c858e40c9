//! The messages between app and process: one JSON object per line, requests in, replies out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest line in either direction, in bytes.
pub const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A message from the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Requests an answer to a conversation.
    Generate {
        /// Number of the request; every reply to it carries it.
        id: u64,
        /// Instructions.
        system: String,
        /// Messages of the conversation, oldest first.
        messages: Vec<Message>,
        /// The JSON schema that the answer must fit; `None` for free text.
        schema: Option<Value>,
        /// Highest number of tokens of the answer.
        max_tokens: usize,
    },
    /// Tells the process that an answer is no longer wanted.
    Stop {
        /// Number of the request.
        id: u64,
    },
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// Text of the message.
    pub text: String,
}

/// The author of a message.
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

/// A message from the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// The model is loaded. This is the first line, unless that is a fault.
    Ready {
        /// The model's name according to the file.
        name: String,
        /// Size of the context window, in tokens: prompt and answer together.
        window: usize,
    },
    /// Describes a file by its header; the only line of a process started to inspect one, unless that is a fault.
    Looked {
        /// The model's name according to the file.
        name: String,
        /// Size of the context window, in tokens: prompt and answer together.
        window: usize,
        /// Approximate memory use, in bytes.
        memory: u64,
    },
    /// A piece of an answer.
    Token {
        /// Number of the request.
        id: u64,
        /// Text of the piece.
        text: String,
    },
    /// The answer has ended.
    End {
        /// Number of the request.
        id: u64,
        /// Why it ended.
        stop: Stop,
        /// Number of tokens of the prompt.
        input: usize,
        /// Number of tokens of the answer.
        output: usize,
    },
    /// A request has failed, or, without a number, the model cannot be used.
    Fault {
        /// Number of the request; `None` if the fault is not about one.
        id: Option<u64>,
        /// See `LocalFault::code`.
        code: String,
        /// Description in words.
        why: String,
    },
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The answer is complete.
    Complete,
    /// It reached the limit of tokens.
    Length,
    /// It was no longer wanted.
    Stopped,
}
