//! A Gmail mailbox.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mail_parser::{Message, MessageParser, MimeHeaders as _, PartType};
use serde_json::{Value, json};

use super::{Done, ReceivedRequest};

#[derive(Clone)]
pub struct Stored {
    pub id: String,
    pub thread: String,
    pub labels: BTreeSet<String>,
    pub raw: Vec<u8>,
    pub millis: i64,
}

#[derive(Default)]
pub struct Mailbox {
    pub messages: BTreeMap<String, Stored>,
    order: BTreeSet<(Reverse<i64>, Reverse<String>)>,
    pub labels: BTreeMap<String, String>,
    /// Log of events, each with its message. Its position is its history number.
    history: Vec<(&'static str, String)>,
    /// Position before which the history is forgotten.
    pub floor: usize,
    next: u64,
    /// Whether page tokens lead back to the first page.
    pub turns_in_a_circle: bool,
}

/// First history number. Google's numbers start anywhere and need not fit into 64 bits.
const FIRST: u128 = 1 << 66;

impl Mailbox {
    /// Adds a message and returns its name.
    pub fn add(&mut self, raw: &[u8], millis: i64, labels: &[&str]) -> String {
        self.next += 1;
        let id = format!("19b{:013x}", self.next);
        let parsed = MessageParser::new().parse_headers(raw).unwrap_or_default();
        let answers = parsed.in_reply_to().as_text().map(str::to_owned);
        let thread = answers.and_then(|id| self.with_id(&id).map(|one| one.thread.clone()));
        let stored = Stored {
            id: id.clone(),
            thread: thread.unwrap_or_else(|| id.clone()),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            raw: raw.to_vec(),
            millis,
        };
        self.order.insert((Reverse(millis), Reverse(id.clone())));
        self.messages.insert(id.clone(), stored);
        self.history.push(("messagesAdded", id.clone()));
        id
    }

    pub fn remove(&mut self, id: &str) {
        if self.messages.remove(id).is_some() {
            self.order.retain(|(_, Reverse(one))| one != id);
            self.history.push(("messagesDeleted", id.to_owned()));
        }
    }

    pub fn forget_history(&mut self) {
        self.history.push(("labelsAdded", "nothing".into()));
        self.floor = self.history.len();
    }

    /// Sets the labels of a message.
    pub fn label(&mut self, id: &str, labels: &[&str]) {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        let message = self.messages.get_mut(id).unwrap();
        message.labels = labels;
        self.history.push(("labelsAdded", id.to_owned()));
    }

    pub fn with_id(&self, message_id: &str) -> Option<&Stored> {
        let header = format!("<{message_id}>");
        let mut all = self.messages.values();
        all.find(|one| String::from_utf8_lossy(&one.raw).contains(&header))
    }

    pub fn answer(&mut self, asked: &ReceivedRequest) -> Done {
        let (host, path) = asked.path.split_once("/gmail/v1/users/me/").unwrap();
        let parts: Vec<&str> = path.split('/').collect();
        if host == "/upload" {
            return match (parts.as_slice(), asked.value("uploadType")) {
                (["messages", "send"], Some("multipart")) => self.send_upload(asked),
                _ => Done::error(400, "badRequest"),
            };
        }
        match (asked.method.as_str(), parts.as_slice()) {
            ("GET", ["profile"]) => Done::read(&json!({
                "historyId": self.now(),
                "messagesTotal": self.messages.len(),
            })),
            ("GET", ["labels"]) => Done::read(&self.labels()),
            ("POST", ["labels"]) => self.make_label(asked),
            ("GET", ["history"]) => self.happened(asked),
            ("GET", ["messages"]) => Done::read(&self.list(asked)),
            ("POST", ["messages", "send"]) => self.send(asked),
            ("POST", ["messages", "batchModify"]) => self.relabel_all(asked),
            ("POST", ["messages", id, "modify"]) => self.relabel(id, asked),
            ("GET", ["messages", id]) => self.get(id, asked),
            ("GET", ["messages", id, "attachments", file]) => self.file(id, file),
            _ => Done::error(404, "notFound"),
        }
    }

    fn now(&self) -> String {
        (FIRST + self.history.len() as u128).to_string()
    }

    fn labels(&self) -> Value {
        let own = self.labels.iter();
        let own = own.map(|(id, name)| json!({"id": id, "name": name, "type": "user"}));
        let system = ["INBOX", "SENT", "TRASH", "SPAM", "UNREAD", "STARRED"];
        let system = system.map(|id| json!({"id": id, "name": id, "type": "system"}));
        json!({"labels": system.into_iter().chain(own).collect::<Vec<_>>()})
    }

    fn make_label(&mut self, asked: &ReceivedRequest) -> Done {
        let name = asked.body["name"].as_str().unwrap_or_default().to_owned();
        if name.is_empty() || self.labels.values().any(|one| *one == name) {
            return Done::error(409, "aborted");
        }
        let id = format!("Label_{}", self.labels.len() + 1);
        self.labels.insert(id.clone(), name.clone());
        Done::changed(&json!({"id": id, "name": name, "type": "user"}), true)
    }

    fn happened(&self, asked: &ReceivedRequest) -> Done {
        let since = asked
            .value("startHistoryId")
            .and_then(|text| text.parse::<u128>().ok());
        let Some(since) = since.and_then(|since| usize::try_from(since.checked_sub(FIRST)?).ok())
        else {
            return Done::error(400, "invalidArgument");
        };
        if since < self.floor || since > self.history.len() {
            return Done::error(404, "notFound");
        }
        let first: usize = asked
            .value("pageToken")
            .map_or(since, |token| token.parse().unwrap());
        let page = self.history[first..].iter().take(500).enumerate();
        let entries = page.map(|(at, (what, id))| {
            let message = json!({"id": id, "threadId": id});
            json!({
                "id": (FIRST + (first + at + 1) as u128).to_string(),
                "messages": [message],
                *what: [{"message": message}],
            })
        });
        let entries: Vec<Value> = entries.collect();
        let mut page = json!({"historyId": self.now()});
        if first + entries.len() < self.history.len() {
            page["nextPageToken"] = json!((first + entries.len()).to_string());
        }
        if !entries.is_empty() {
            page["history"] = json!(entries);
        }
        Done::read(&page)
    }

    fn list(&self, asked: &ReceivedRequest) -> Value {
        let count = asked
            .value("maxResults")
            .map_or(100, |text| text.parse().unwrap());
        let from: usize = asked
            .value("pageToken")
            .map_or(0, |token| token.parse().unwrap());
        let all = self.order.iter().map(|(_, Reverse(id))| &self.messages[id]);
        let query = asked.value("q").unwrap_or_default();
        let mut found: Vec<&Stored> = all
            .filter(|one| matches(one, query))
            .skip(from)
            .take(count + 1)
            .collect();
        let more = found.len() > count;
        found.truncate(count);
        let named = found
            .iter()
            .map(|one| json!({"id": one.id, "threadId": one.thread}));
        let mut page =
            json!({"messages": named.collect::<Vec<_>>(), "resultSizeEstimate": found.len()});
        if more || self.turns_in_a_circle {
            let next = if self.turns_in_a_circle {
                0
            } else {
                from + count
            };
            page["nextPageToken"] = json!(next.to_string());
        }
        page
    }

    fn get(&self, id: &str, asked: &ReceivedRequest) -> Done {
        let Some(message) = self.messages.get(id) else {
            return Done::error(404, "notFound");
        };
        Done::read(&described(message, asked.value("format").unwrap_or("full")))
    }

    fn file(&self, id: &str, file: &str) -> Done {
        let Some(message) = self.messages.get(id) else {
            return Done::error(404, "notFound");
        };
        let parsed = MessageParser::new().parse(&message.raw).unwrap();
        let number = file.trim_start_matches("att").parse::<usize>().unwrap();
        let contents = parsed.parts[number].contents();
        Done::read(&json!({"size": contents.len(), "data": URL_SAFE_NO_PAD.encode(contents)}))
    }

    fn relabel(&mut self, id: &str, asked: &ReceivedRequest) -> Done {
        if !self.messages.contains_key(id) {
            return Done::error(404, "notFound");
        }
        let changed = self.set_labels(id, asked);
        Done::changed(&described(&self.messages[id], "minimal"), changed)
    }

    fn relabel_all(&mut self, asked: &ReceivedRequest) -> Done {
        let ids: Vec<String> = serde_json::from_value(asked.body["ids"].clone()).unwrap();
        if ids.len() > 1_000 {
            return Done::error(400, "invalidArgument");
        }
        let mut any = false;
        for id in ids
            .iter()
            .filter(|id| self.messages.contains_key(*id))
            .cloned()
            .collect::<Vec<_>>()
        {
            any |= self.set_labels(&id, asked);
        }
        Done {
            answer: super::Answer::Says(204, Vec::new(), None),
            changed: any,
        }
    }

    fn set_labels(&mut self, id: &str, asked: &ReceivedRequest) -> bool {
        let list = |name: &str| -> Vec<String> {
            serde_json::from_value(asked.body[name].clone()).unwrap_or_default()
        };
        let message = self.messages.get_mut(id).unwrap();
        let before = message.labels.clone();
        message.labels.extend(list("addLabelIds"));
        for label in list("removeLabelIds") {
            message.labels.remove(&label);
        }
        let changed = message.labels != before;
        if changed {
            self.history.push(("labelsRemoved", id.to_owned()));
        }
        changed
    }

    fn send(&mut self, asked: &ReceivedRequest) -> Done {
        let raw = asked.body["raw"].as_str().unwrap_or_default();
        match URL_SAFE_NO_PAD.decode(raw) {
            Ok(raw) => self.take(&raw, asked.body["threadId"].as_str()),
            Err(_) => Done::error(400, "invalidArgument"),
        }
    }

    /// Sends a mail uploaded in two parts: metadata and message.
    fn send_upload(&mut self, asked: &ReceivedRequest) -> Done {
        let text = String::from_utf8(asked.bytes.clone()).unwrap();
        let (boundary, _) = text.split_once("\r\n").unwrap();
        let parts: Vec<&str> = text.split(boundary).collect();
        let ["", about, message, "--\r\n"] = parts.as_slice() else {
            return Done::error(400, "badRequest");
        };
        let content = |part: &str| part.split_once("\r\n\r\n").unwrap().1.to_owned();
        let about: Value = serde_json::from_str(content(about).trim()).unwrap();
        let message = content(message);
        self.take(message.trim_end().as_bytes(), about["threadId"].as_str())
    }

    fn take(&mut self, raw: &[u8], thread: Option<&str>) -> Done {
        let parsed = MessageParser::new().parse(raw).unwrap();
        let lists = [parsed.to(), parsed.cc(), parsed.bcc()];
        let count: usize = lists.iter().flatten().map(|list| list.iter().count()).sum();
        if count == 0 || count > 500 {
            return Done::error(400, "invalidArgument");
        }
        // A sent mail becomes the newest.
        let newest = self.order.first().map_or(0, |(Reverse(millis), _)| *millis);
        let id = self.add(raw, newest + 1_000, &["SENT"]);
        if let Some(thread) = thread {
            self.messages.get_mut(&id).unwrap().thread = thread.to_owned();
        }
        Done::changed(&described(&self.messages[&id], "minimal"), true)
    }
}

/// Returns whether a message matches a search, for the operators used here.
fn matches(message: &Stored, query: &str) -> bool {
    let text = || String::from_utf8_lossy(&message.raw).to_lowercase();
    query
        .split_whitespace()
        .all(|term| match term.split_once(':') {
            Some(("in", place)) => message.labels.contains(&place.to_uppercase()),
            Some(("after", seconds)) => message.millis / 1_000 >= seconds.parse().unwrap(),
            Some(("rfc822msgid", id)) => {
                text().contains(&format!("message-id: <{}>", id.to_lowercase()))
            }
            _ => text().contains(&term.to_lowercase()),
        })
}

fn described(message: &Stored, format: &str) -> Value {
    let mut said = json!({
        "id": message.id,
        "threadId": message.thread,
        "labelIds": message.labels,
        "snippet": "The beginning &amp; no more",
        "internalDate": message.millis.to_string(),
        "sizeEstimate": message.raw.len(),
        "historyId": FIRST.to_string(),
    });
    match format {
        "raw" => said["raw"] = json!(URL_SAFE_NO_PAD.encode(&message.raw)),
        "minimal" => {}
        _ => {
            let parsed = MessageParser::new().parse(&message.raw).unwrap();
            said["payload"] = part(&parsed, 0, format == "full");
        }
    }
    said
}

/// Returns a MIME part as Google represents it.
fn part(message: &Message<'_>, number: usize, whole: bool) -> Value {
    let part = &message.parts[number];
    let raw = |header: &mail_parser::Header<'_>| {
        let (from, to) = (header.offset_start() as usize, header.offset_end() as usize);
        String::from_utf8_lossy(&message.raw_message[from..to])
            .trim()
            .to_owned()
    };
    let headers = part.headers.iter();
    let headers: Vec<Value> = headers
        .map(|header| json!({"name": header.name(), "value": raw(header)}))
        .collect();
    let kind = part.content_type().map_or_else(
        || "text/plain".to_owned(),
        |kind| format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or("plain")),
    );
    let mut said =
        json!({"mimeType": kind, "filename": "", "headers": headers, "body": {"size": 0}});
    if !whole {
        return said;
    }
    match &part.body {
        PartType::Multipart(inside) => {
            let parts = inside
                .iter()
                .map(|number| self::part(message, *number as usize, true));
            said["parts"] = parts.collect();
        }
        PartType::Text(text) | PartType::Html(text) if part.attachment_name().is_none() => {
            said["body"] =
                json!({"size": text.len(), "data": URL_SAFE_NO_PAD.encode(text.as_bytes())});
        }
        _ => {
            said["filename"] = json!(part.attachment_name().unwrap_or_default());
            said["body"] =
                json!({"size": part.contents().len(), "attachmentId": format!("att{number}")});
        }
    }
    said
}
