//! Who wrote a mail, judging by its header (RFC 2369, RFC 2919, RFC 3834). The header is foreign text: it only sorts
//! mail, and nothing is trusted because of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Number of bytes at the beginning of a mail in which to look for its header.
pub const HEAD_BYTES_MAX: usize = 64 * 1024;

/// Local parts of addresses whose replies nobody reads.
const NOBODY: &[&str] = &[
    "noreply",
    "no-reply",
    "no_reply",
    "donotreply",
    "do-not-reply",
    "mailer-daemon",
];

/// Who wrote a mail.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// Somebody, to the person; also what nothing is known of.
    #[default]
    Person,
    /// A sender to all who subscribed: a newsletter, an advertisement.
    List,
    /// A program, about something that happened.
    Notice,
    /// Somebody, to a list on which its members write to each other.
    Group,
}

impl Writer {
    /// Classifies a mail by its source, or by the beginning of it.
    #[must_use]
    pub fn of(source: &[u8]) -> Self {
        let head = String::from_utf8_lossy(&source[..source.len().min(HEAD_BYTES_MAX)]);
        let fields = fields(&head);
        let says = |name: &str| {
            let found = fields.iter().find(|(one, _)| one == name);
            found.map_or("", |(_, value)| value.as_str())
        };
        let automatic = says("auto-submitted");
        if !automatic.is_empty() && automatic != "no" {
            return Self::Notice;
        }
        if says("list-post").contains("mailto:") {
            return Self::Group;
        }
        let listed = !says("list-unsubscribe").is_empty() || !says("list-id").is_empty();
        match says("precedence") {
            _ if listed => Self::List,
            "bulk" | "list" | "junk" => Self::List,
            _ if nobody(says("from")) => Self::Notice,
            _ => Self::Person,
        }
    }
}

/// Returns whether nobody reads replies to an address, given as in a header.
fn nobody(from: &str) -> bool {
    let address = from.rsplit_once('<').map_or(from, |(_, address)| address);
    let address = address.trim().trim_matches('"');
    NOBODY.iter().any(|one| address.starts_with(one))
}

/// Parses the names and values up to the first empty line, in lower case. A line that begins with white space continues
/// the previous one.
fn fields(head: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in head.lines() {
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push(' ');
                value.push_str(&line.trim().to_lowercase());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            fields.push((name.trim().to_lowercase(), value.trim().to_lowercase()));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_lists_groups_and_programs_are_told_apart() {
        for (head, writer) in [
            ("From: Ana <ana@home.example>\r\n", Writer::Person),
            (
                "From: News <n@x.example>\r\nList-Unsubscribe: <https://x.example/u>\r\n",
                Writer::List,
            ),
            (
                "From: News <n@x.example>\r\nlist-id:\r\n <talk.x.example>\r\n",
                Writer::List,
            ),
            ("Precedence: BULK\r\n", Writer::List),
            (
                "List-Id: <x>\r\nList-Post: <https://x.example/p/7>\r\n",
                Writer::List,
            ),
            (
                "List-Id: <x>\r\nList-Post: <mailto:x@x.example>\r\n",
                Writer::Group,
            ),
            (
                "Auto-Submitted: auto-generated\r\nList-Id: <x>\r\n",
                Writer::Notice,
            ),
            ("Auto-Submitted: no\r\n", Writer::Person),
            ("From: no-reply@shop.example\r\n", Writer::Notice),
            (
                "From: \"Shop, Inc\"\r\n <NoReply@shop.example>\r\n",
                Writer::Notice,
            ),
            ("Subject: x\r\n\r\nList-Id: <x>\r\n", Writer::Person),
            ("", Writer::Person),
        ] {
            assert_eq!(Writer::of(head.as_bytes()), writer, "{head}");
        }
        assert_eq!(Writer::of(&[0xff; 70_000]), Writer::Person);
    }
}
