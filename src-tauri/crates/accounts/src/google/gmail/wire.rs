//! What Gmail's API says, as far as it is used here. Everything may be missing: it comes from outside.

use serde::Deserialize;

/// A message, in the detail that was asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) thread_id: String,
    pub(super) label_ids: Vec<String>,
    /// The beginning of its text, escaped as HTML.
    pub(super) snippet: String,
    /// When Google took it in: milliseconds since 1970.
    pub(super) internal_date: String,
    pub(super) size_estimate: u64,
    pub(super) payload: Option<Part>,
    /// The whole source, base64url.
    pub(super) raw: Option<String>,
}

/// A part of a message; the outermost has the headers of the message.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part {
    pub(super) mime_type: String,
    pub(super) filename: String,
    pub(super) headers: Vec<Header>,
    pub(super) body: Body,
    pub(super) parts: Vec<Part>,
}

impl Part {
    /// The value of a header.
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

/// The content of a part, or the name under which it is fetched.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Body {
    pub(super) attachment_id: Option<String>,
    pub(super) size: u64,
    /// Decoded from its transfer encoding, base64url.
    pub(super) data: Option<String>,
}

/// A page of the names of messages.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Listed {
    pub(super) messages: Vec<Named>,
    pub(super) next_page_token: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) thread_id: String,
}

/// A page of the names of drafts.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Drafts {
    pub(super) drafts: Vec<Draft>,
    pub(super) next_page_token: Option<String>,
}

/// A draft, which keeps its name while its message is replaced.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Draft {
    pub(super) id: String,
    pub(super) message: Message,
}

/// How far the mailbox is.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Profile {
    /// Messages there are.
    pub(super) messages_total: usize,
    pub(super) history_id: String,
}

/// A page of what happened.
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

/// Which message something happened to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Of {
    pub(super) message: Named,
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
    /// `system`, or `user`.
    #[serde(rename = "type")]
    pub(super) kind: String,
}
