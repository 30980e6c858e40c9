//! Gmail requests, one function for each.

use std::sync::Arc;

use adjutant_domain::operation::{RemoteFault, Why};
use adjutant_interchange::read::MAIL_BYTES_MAX;
use adjutant_net::{Bytes, Method};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::labels::{Names, Relabel};
use super::mail::encoded;
use super::wire::{
    Body as Content, Draft, Drafts, History, Label, Labels, Message, MessagePage, Profile,
};
use crate::google::client::{Ask, Body, Client, Failed};
use crate::google::hosts::Api as Service;

/// Maximum reply size in bytes for a parsed message, which does not include its attached files.
const MESSAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Maximum reply size in bytes for a whole mail, in base64.
const SOURCE_BYTES_MAX: u64 = (MAIL_BYTES_MAX as u64) / 3 * 4 + 64 * 1024;
/// Maximum size in bytes of a message sent inside JSON; larger ones are uploaded.
const SENT_IN_JSON_MAX: usize = 2 * 1024 * 1024;
/// Multipart boundary of an upload. A message that contains it is sent inside JSON instead.
const BOUNDARY: &str = "adjutant-d2f0c1-upload";
const UPLOAD: &str = "multipart/related; boundary=adjutant-d2f0c1-upload";
/// Maximum number of mails relabelled in one request.
pub(super) const BATCH_MAX: usize = 1_000;

const READING: &str = "reading mail";
const FILING: &str = "filing mail";
const SENDING: &str = "sending a mail";
const DRAFTING: &str = "storing a draft";

/// How much of a message to request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Labels only.
    Minimal,
    /// Also the headers.
    Metadata,
    /// Also the texts and the names of attached files.
    Full,
    /// The source of the message.
    Raw,
}

impl Detail {
    fn name(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Metadata => "metadata",
            Self::Full => "full",
            Self::Raw => "raw",
        }
    }
}

/// The Gmail client of one account.
#[derive(Clone)]
pub(super) struct Api(pub(super) Arc<Client>);

impl Api {
    pub(super) async fn profile(&self) -> Result<Profile, RemoteFault> {
        self.read(get(&["profile"])).await
    }

    /// Lists a page of messages, newest first, including trash and spam.
    pub(super) async fn list(
        &self,
        query: Option<&str>,
        count: usize,
        page: Option<&str>,
    ) -> Result<MessagePage, RemoteFault> {
        let mut ask = get(&["messages"])
            .with("includeSpamTrash", true)
            .with("maxResults", count);
        ask.query.extend(query.map(|query| ("q", query.to_owned())));
        ask.query
            .extend(page.map(|page| ("pageToken", page.to_owned())));
        self.read(ask).await
    }

    /// Fetches a message; `None` if Google's reply cannot be parsed.
    ///
    /// # Errors
    /// Returns any fault of the request.
    pub(super) async fn if_readable(
        &self,
        id: &str,
        detail: Detail,
    ) -> Result<Option<Message>, RemoteFault> {
        let mut ask = get(&["messages", id]).with("format", detail.name());
        ask.reply_bytes_max = match detail {
            Detail::Raw => SOURCE_BYTES_MAX,
            _ => MESSAGE_BYTES_MAX,
        };
        match self.0.json::<Message>(ask).await {
            Ok(message) => Ok((message.id == id).then_some(message)),
            Err(Failed::Unknown(Why::Unreadable)) => Ok(None),
            Err(failed) => Err(failed.fault()),
        }
    }

    pub(super) async fn message(&self, id: &str, detail: Detail) -> Result<Message, RemoteFault> {
        let message = self.if_readable(id, detail).await?;
        let unreadable = Failed::Unknown(Why::Unreadable);
        message.ok_or_else(|| unreadable.fault())
    }

    /// Fetches the content of an attached file.
    pub(super) async fn file(&self, id: &str, file: &str) -> Result<Content, RemoteFault> {
        let mut ask = get(&["messages", id, "attachments", file]);
        ask.reply_bytes_max = SOURCE_BYTES_MAX;
        self.read(ask).await
    }

    /// Fetches a page of the mailbox history since a point.
    pub(super) async fn history(
        &self,
        since: &str,
        page: Option<&str>,
    ) -> Result<History, RemoteFault> {
        let mut ask = get(&["history"])
            .with("startHistoryId", since)
            .with("maxResults", 500);
        ask.query
            .extend(page.map(|page| ("pageToken", page.to_owned())));
        self.read(ask).await
    }

    pub(super) async fn labels(&self) -> Result<Names, RemoteFault> {
        let listed: Labels = self.read(get(&["labels"])).await?;
        Ok(Names::from(listed))
    }

    pub(super) async fn make_label(&self, name: &str) -> Result<Label, Failed> {
        let body = json!({
            "name": name,
            "labelListVisibility": "labelShow",
            "messageListVisibility": "show",
        });
        self.0.json(post(&["labels"], FILING).json(body)).await
    }

    /// Changes the labels of all these mails or, if refused, of none.
    pub(super) async fn relabel(&self, ids: &[&str], wanted: &Relabel) -> Result<(), Failed> {
        let mut body = json!({"addLabelIds": wanted.add, "removeLabelIds": wanted.remove});
        if let [one] = ids {
            let ask = post(&["messages", one, "modify"], FILING).json(body);
            return meant(self.0.json(ask).await?).map(drop);
        }
        body["ids"] = json!(ids);
        let ask = post(&["messages", "batchModify"], FILING).json(body);
        let reply = self.0.send(ask).await?;
        match reply.bytes.iter().all(u8::is_ascii_whitespace) {
            true => Ok(()),
            false => Err(Failed::Unknown(Why::Unreadable)),
        }
    }

    /// Sends a message to everyone named in its headers.
    pub(super) async fn send(&self, source: &str, thread: Option<&str>) -> Result<Message, Failed> {
        let mut about = match thread {
            Some(thread) => json!({"threadId": thread}),
            None => json!({}),
        };
        let path = ["messages", "send"];
        if source.len() <= SENT_IN_JSON_MAX || source.contains(BOUNDARY) {
            about["raw"] = json!(encoded(source.as_bytes()));
            return meant(self.0.json(post(&path, SENDING).json(about)).await?);
        }
        let mut ask = post(&path, SENDING).with("uploadType", "multipart");
        ask.api = Service::GmailUpload;
        ask.body = Body::Bytes(UPLOAD, upload(&about, source));
        meant(self.0.json(ask).await?)
    }

    /// Lists a page of drafts, newest first.
    pub(super) async fn drafts(&self, page: Option<&str>) -> Result<Drafts, RemoteFault> {
        let mut ask = get(&["drafts"]).with("maxResults", 500);
        ask.query
            .extend(page.map(|page| ("pageToken", page.to_owned())));
        self.read(ask).await
    }

    /// Fetches a draft with its source.
    pub(super) async fn draft(&self, id: &str) -> Result<Draft, RemoteFault> {
        let mut ask = get(&["drafts", id]).with("format", Detail::Raw.name());
        ask.reply_bytes_max = SOURCE_BYTES_MAX;
        self.read(ask).await
    }

    /// Stores a draft; replaces the message of the draft `of` if given.
    pub(super) async fn put_draft(&self, source: &str, of: Option<&str>) -> Result<Draft, Failed> {
        let body = json!({"message": {"raw": encoded(source.as_bytes())}});
        let ask = match of {
            Some(id) => Ask::new(
                Method::PUT,
                Service::Gmail,
                of_me(&["drafts", id]),
                DRAFTING,
            ),
            None => post(&["drafts"], DRAFTING),
        };
        self.0.json(ask.json(body)).await
    }

    pub(super) async fn drop_draft(&self, id: &str) -> Result<(), Failed> {
        let path = of_me(&["drafts", id]);
        let ask = Ask::new(Method::DELETE, Service::Gmail, path, DRAFTING);
        self.0.send(ask).await.map(drop)
    }

    async fn read<T: DeserializeOwned>(&self, ask: Ask<'_>) -> Result<T, RemoteFault> {
        self.0.json(ask).await.map_err(Failed::fault)
    }
}

/// Returns the changed message. Rejects one without an id: whoever answered is not Google.
fn meant(message: Message) -> Result<Message, Failed> {
    match message.id.is_empty() {
        false => Ok(message),
        true => Err(Failed::Unknown(Why::Unreadable)),
    }
}

/// Prefixes a path with `users/me`, the signed-in account.
fn of_me<'a>(path: &[&'a str]) -> Vec<&'a str> {
    [&["users", "me"], path].concat()
}

fn get<'a>(path: &[&'a str]) -> Ask<'a> {
    Ask::get(Service::Gmail, of_me(path), READING)
}

fn post<'a>(path: &[&'a str], why: &'static str) -> Ask<'a> {
    Ask::new(Method::POST, Service::Gmail, of_me(path), why)
}

/// Builds a multipart upload of the metadata and the message.
fn upload(about: &Value, source: &str) -> Bytes {
    let begin = format!("--{BOUNDARY}\r\nContent-Type: application/json\r\n\r\n{about}\r\n");
    let message = format!("--{BOUNDARY}\r\nContent-Type: message/rfc822\r\n\r\n{source}\r\n");
    format!("{begin}{message}--{BOUNDARY}--\r\n").into()
}
