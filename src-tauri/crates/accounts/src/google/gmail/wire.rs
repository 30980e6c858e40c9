//! The parts of Gmail's JSON used here. Every field has a default, since the data comes from outside.

use serde::Deserialize;

/// A message, with as much detail as was requested.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) thread_id: String,
    pub(super) label_ids: Vec<String>,
    /// The beginning of the text, HTML-escaped.
    pub(super) snippet: String,
    /// When Google received the message, in milliseconds since 1970.
    pub(super) internal_date: String,
    pub(super) size_estimate: u64,
    pub(super) payload: Option<MimePart>,
    /// The whole source, base64url-encoded.
    pub(super) raw: Option<String>,
}

/// A part of a message. The outermost part holds the message's headers.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MimePart {
    pub(super) mime_type: String,
    pub(super) filename: String,
    pub(super) headers: Vec<Header>,
    pub(super) body: Body,
    pub(super) parts: Vec<MimePart>,
}

impl MimePart {
    /// Returns the trimmed value of the first header with this name, ignoring case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
        Some(found.value.trim())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) value: String,
}

/// The content of a part, or the id for fetching it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Body {
    pub(super) attachment_id: Option<String>,
    pub(super) size: u64,
    /// The content without its transfer encoding, base64url-encoded.
    pub(super) data: Option<String>,
}

/// A page of message ids.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MessagePage {
    pub(super) messages: Vec<MessageRef>,
    pub(super) next_page_token: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MessageRef {
    pub(super) id: String,
    pub(super) thread_id: String,
}

/// A page of draft ids.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Drafts {
    pub(super) drafts: Vec<Draft>,
    pub(super) next_page_token: Option<String>,
}

/// A draft, which keeps its id while its message is replaced.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Draft {
    pub(super) id: String,
    pub(super) message: Message,
}

/// The current state of the mailbox.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Profile {
    /// Number of messages in the mailbox.
    pub(super) messages_total: usize,
    pub(super) history_id: String,
}

/// A page of the mailbox history.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct History {
    pub(super) history: Vec<Happened>,
    pub(super) next_page_token: Option<String>,
    pub(super) history_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Happened {
    pub(super) messages_added: Vec<Of>,
    pub(super) messages_deleted: Vec<Of>,
    pub(super) labels_added: Vec<Of>,
    pub(super) labels_removed: Vec<Of>,
}

/// The message that a change concerns.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Of {
    pub(super) message: MessageRef,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Labels {
    pub(super) labels: Vec<Label>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Label {
    pub(super) id: String,
    pub(super) name: String,
    /// `system` or `user`.
    #[serde(rename = "type")]
    pub(super) kind: String,
}
