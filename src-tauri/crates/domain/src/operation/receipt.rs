//! Proof of what was done.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{AccountId, Etag, RemoteId};
use crate::record::Address;

/// Proof that one operation was carried out: read back, or given by whoever did it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Receipt {
    /// Rows, read back inside the transaction that wrote them.
    Rows {
        /// One line each.
        rows: Vec<ReceiptRow>,
    },
    /// A file, read back from the disk.
    File {
        /// Where it is.
        path: String,
        /// Its size.
        bytes: u64,
        /// SHA-256 of what lies there, hexadecimal.
        sha256: String,
    },
    /// What the provider confirmed.
    Remote {
        /// The account.
        account: AccountId,
        /// What the provider calls it.
        remote_id: Option<RemoteId>,
        /// The state it is in now.
        etag: Option<Etag>,
        /// Recipients a server accepted; mail only.
        #[serde(default)]
        accepted: Vec<Address>,
        /// Recipients a server refused, with its words; mail only.
        #[serde(default)]
        refused: Vec<Delivery>,
        /// When the provider confirmed.
        at: Timestamp,
    },
    /// What a tool of a server answered: it was called, and this is all that is known of what it did.
    Tool {
        /// The account of the server.
        account: AccountId,
        /// Its answer.
        answer: ToolAnswer,
        /// When it answered.
        at: Timestamp,
    },
}

/// What a tool of a server answered. Text of others, cleaned and cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// Its words; images and other files as a line each.
    pub text: String,
    /// Its typed answer, where it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// Characters of a tool's answer that are said; its output holds all of them.
const SAID_CHARS_MAX: usize = 6_000;

impl ToolAnswer {
    /// What later steps refer to.
    #[must_use]
    pub fn output(&self) -> Value {
        serde_json::json!({ "text": self.text, "data": self.data })
    }

    /// Its words for the person, as a block of code: no mark in them becomes a link, a heading or a picture.
    #[must_use]
    pub fn said(&self) -> String {
        let text = self.text.trim();
        if text.is_empty() {
            return "It answered without a word.".into();
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

/// What became of a mail for one recipient who did not get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The recipient.
    pub address: Address,
    /// The server's words, cleaned.
    pub reason: String,
}

/// What a receipt proves of one record: how it was left, read back after the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReceiptRow {
    /// Kind of record.
    pub kind: crate::record::Kind,
    /// Which record.
    pub id: String,
    /// What a person calls it.
    pub label: String,
    /// Row version read back; `None` when it is gone.
    pub version: Option<i64>,
    /// Digest of the row read back; `None` when it is gone.
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
