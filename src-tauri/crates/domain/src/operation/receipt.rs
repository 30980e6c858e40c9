//! Proof that operations were carried out.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{AccountId, Etag, RemoteId};
use crate::record::Address;

/// Proof that one operation was carried out: read back, or confirmed by the provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Receipt {
    /// Rows, read back inside the transaction that wrote them.
    Rows {
        /// One entry per row.
        rows: Vec<ReceiptRow>,
    },
    /// A file, read back from the disk.
    File {
        /// Path of the file.
        path: String,
        /// Size in bytes.
        bytes: u64,
        /// SHA-256 of the file's content, hexadecimal.
        sha256: String,
    },
    /// A provider's confirmation.
    Remote {
        /// The account.
        account: AccountId,
        /// The provider's identifier of the record.
        remote_id: Option<RemoteId>,
        /// Version of the record after the operation.
        etag: Option<Etag>,
        /// Recipients a server accepted; mail only.
        #[serde(default)]
        accepted: Vec<Address>,
        /// Recipients a server refused, with its reason; mail only.
        #[serde(default)]
        refused: Vec<Delivery>,
        /// When the provider confirmed.
        at: Timestamp,
    },
    /// Answer of a server's tool. It proves the call, and is all that is known of what the tool did.
    Tool {
        /// The account of the server.
        account: AccountId,
        /// Its answer.
        answer: ToolAnswer,
        /// When it answered.
        at: Timestamp,
    },
}

/// Answer of a server's tool: foreign text, sanitised and truncated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// The text, with one line for each image or other file.
    pub text: String,
    /// Structured answer, if the tool gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// Maximum number of characters of a tool's answer shown to the person. The output holds all of them.
const SAID_CHARS_MAX: usize = 6_000;

impl ToolAnswer {
    /// Returns the output that later steps refer to.
    #[must_use]
    pub fn output(&self) -> Value {
        serde_json::json!({ "text": self.text, "data": self.data })
    }

    /// Returns the text for the person as a code block, so that no markup in it becomes a link, a heading or a picture.
    #[must_use]
    pub fn said(&self) -> String {
        let text = self.text.trim();
        if text.is_empty() {
            return "It answered with no text.".into();
        }
        let mut said: String = text.chars().take(SAID_CHARS_MAX).collect();
        if said.len() < text.len() {
            said.push('…');
        }
        let ticks = said.split(|c| c != '`').map(str::len).max();
        let fence = "`".repeat(ticks.unwrap_or_default().max(2) + 1);
        format!("It answered:\n\n{fence}text\n{said}\n{fence}")
    }
}

/// A recipient who did not get a mail, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The recipient.
    pub address: Address,
    /// The server's reason, sanitised.
    pub reason: String,
}

/// State of one record, read back after the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReceiptRow {
    /// Kind of record.
    pub kind: crate::record::Kind,
    /// Id of the record.
    pub id: String,
    /// Name of the record, for the person.
    pub label: String,
    /// Row version read back; `None` if the row was deleted.
    pub version: Option<i64>,
    /// Digest of the row read back; `None` if the row was deleted.
    pub digest: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::ToolAnswer;

    #[test]
    fn nothing_ends_the_block_of_an_answer_but_its_end() {
        for text in ["a ``` b", "```\n[x](https://x.example)\n````", "`", "plain"] {
            let answer = ToolAnswer {
                text: text.into(),
                data: None,
            };
            let said = answer.said();
            let fence: String = said
                .lines()
                .nth(2)
                .unwrap_or_default()
                .chars()
                .take_while(|c| *c == '`')
                .collect();
            assert!(fence.len() > 2 && !text.contains(&fence), "{said}");
            assert!(said.ends_with(&format!("\n{fence}")), "{said}");
        }
    }
}
