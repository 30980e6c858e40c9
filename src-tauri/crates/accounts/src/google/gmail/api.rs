//! The requests to Gmail, one function each.

use std::sync::Arc;

use adjutant_domain::operation::{RemoteFault, Why};
use adjutant_interchange::read::MAIL_BYTES_MAX;
use adjutant_net::{Bytes, Method};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::labels::{Names, Relabel};
use super::mail::encoded;
use super::wire::{
    Body as Content, Draft, Drafts, History, Label, Labels, Listed, Message, Profile,
};
use crate::google::client::{Ask, Body, Client, Failed};
use crate::google::hosts::Api as Service;

/// Bytes of a message taken apart. Attached files are not in it.
const MESSAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes of a reply with a whole mail in it, in base64.
const SOURCE_BYTES_MAX: u64 = (MAIL_BYTES_MAX as u64) / 3 * 4 + 64 * 1024;
/// Bytes of a message that is sent inside JSON; a larger one is uploaded.
const SENT_IN_JSON_MAX: usize = 2 * 1024 * 1024;
/// What parts the halves of an upload; a message that holds it is sent inside JSON.
const BOUNDARY: &str = "adjutant-d2f0c1-upload";
const UPLOAD: &str = "multipart/related; boundary=adjutant-d2f0c1-upload";
/// Mails that one request may relabel.
pub(super) const BATCH_MAX: usize = 1_000;

const READING: &str = "reading mail";
const FILING: &str = "filing mail";
const SENDING: &str = "sending a mail";
const DRAFTING: &str = "storing a draft";

/// How much of a message is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Its labels.
    Minimal,
    /// Its headers as well.
    Metadata,
    /// Its texts as well, and the names of its files.
    Full,
    /// Its source.
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

/// Gmail, as one account may use it.
#[derive(Clone)]
pub(super) struct Api(pub(super) Arc<Client>);

impl Api {
    pub(super) async fn profile(&self) -> Result<Profile, RemoteFault> {
        self.read(get(&["profile"])).await
    }

    /// A page of messages, the newest first, those in the trash and among the unwanted included.
    pub(super) async fn list(
        &self,
        query: Option<&str>,
        count: usize,
        page: Option<&str>,
    ) -> Result<Listed, RemoteFault> {
        let mut ask = get(&["messages"])
            .with("includeSpamTrash", true)
            .with("maxResults", count);
        ask.query.extend(query.map(|query| ("q", query.to_owned())));
        ask.query
            .extend(page.map(|page| ("pageToken", page.to_owned())));
        self.read(ask).await
    }

    /// A message; none where Google describes it in a way nobody understands.
    ///
    /// # Errors
    /// As for every request.
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

    /// The content of an attached file.
    pub(super) async fn file(&self, id: &str, file: &str) -> Result<Content, RemoteFault> {
        let mut ask = get(&["messages", id, "attachments", file]);
        ask.reply_bytes_max = SOURCE_BYTES_MAX;
        self.read(ask).await
    }

    /// What happened since a point in the history of the mailbox.
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

    /// Changes the labels of mails; all of them, or none.
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

    /// Sends a message to everybody whom its headers name.
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

    /// A page of drafts, the newest first.
    pub(super) async fn drafts(&self, page: Option<&str>) -> Result<Drafts, RemoteFault> {
        let mut ask = get(&["drafts"]).with("maxResults", 500);
        ask.query
            .extend(page.map(|page| ("pageToken", page.to_owned())));
        self.read(ask).await
    }

    /// A draft with its source.
    pub(super) async fn draft(&self, id: &str) -> Result<Draft, RemoteFault> {
        let mut ask = get(&["drafts", id]).with("format", Detail::Raw.name());
        ask.reply_bytes_max = SOURCE_BYTES_MAX;
        self.read(ask).await
    }

    /// Stores a draft, in place of the message of another one.
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

/// The message that a change is said to have made. One without a name is no message: whoever answers is not Google.
fn meant(message: Message) -> Result<Message, Failed> {
    match message.id.is_empty() {
        false => Ok(message),
        true => Err(Failed::Unknown(Why::Unreadable)),
    }
}

/// Everything of the account that is signed in.
fn of_me<'a>(path: &[&'a str]) -> Vec<&'a str> {
    [&["users", "me"], path].concat()
}

fn get<'a>(path: &[&'a str]) -> Ask<'a> {
    Ask::get(Service::Gmail, of_me(path), READING)
}

fn post<'a>(path: &[&'a str], why: &'static str) -> Ask<'a> {
    Ask::new(Method::POST, Service::Gmail, of_me(path), why)
}

/// What is said of a message, and the message.
fn upload(about: &Value, source: &str) -> Bytes {
    let begin = format!("--{BOUNDARY}\r\nContent-Type: application/json\r\n\r\n{about}\r\n");
    let message = format!("--{BOUNDARY}\r\nContent-Type: message/rfc822\r\n\r\n{source}\r\n");
    format!("{begin}{message}--{BOUNDARY}--\r\n").into()
}
