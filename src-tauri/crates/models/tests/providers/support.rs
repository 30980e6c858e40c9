//! Helpers for the tests of providers: requests, reading a reply to its end, a record of what was sent, and a server
//! that sends prescribed bytes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelMessage, ModelRequest, ModelTool, Prompted, Purpose,
    ReplyShape, Role, Stage, StopReason, Tier, Usage,
};
use adjutant_domain::ports::{EgressLog, Exchange};
use adjutant_models::{Connection, Key, ModelChoice, ProviderKind, connect};
use adjutant_net::{NetClient, NetSettings, Url};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// A key that must never appear again.
pub const KEY: &str = "sk-never-to-be-seen-again";

/// Exchanges with servers, in order.
#[derive(Default)]
pub struct Record(pub Mutex<Vec<Exchange>>);

impl EgressLog for Record {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

pub fn net() -> NetClient {
    NetClient::new(NetSettings::default(), Arc::new(Record::default()))
}

pub fn keys() -> BTreeMap<String, Key> {
    let gateway = "models/peer/header/x-gateway".to_owned();
    BTreeMap::from([
        ("test".to_owned(), Key::new(KEY).unwrap()),
        (gateway, Key::new("abc").unwrap()),
    ])
}

/// Returns a connection to a server on this machine, with short time limits.
pub fn connection(kind: ProviderKind, base: &str) -> Connection {
    let mut choice = ModelChoice::named("test-model");
    choice.input_micros_per_million = Some(3_000_000);
    choice.output_micros_per_million = Some(15_000_000);
    let mut connection = Connection::new("peer", kind, Url::parse(base).unwrap(), choice);
    connection.key = Some("test".to_owned());
    connection.first_piece_seconds = Some(2);
    connection.between_pieces_seconds = Some(2);
    connection
}

/// Returns the connection's model with a client of its own.
pub fn model(connection: &Connection) -> Arc<dyn ChatModel> {
    model_on(&net(), connection)
}

/// Returns the connection's model on an existing client. Creating a client is slow because it reads the system's
/// certificates.
pub fn model_on(net: &NetClient, connection: &Connection) -> Arc<dyn ChatModel> {
    connect(connection, Tier::Standard, net, &keys()).unwrap()
}

pub fn request(stage: Stage, text: &str) -> ModelRequest {
    ModelRequest {
        stage,
        tier: Tier::Standard,
        purpose: Purpose::Foreground,
        turn: None,
        system: Prompted {
            text: "You are tested.".to_owned(),
            revision: "test".to_owned(),
        },
        messages: vec![
            message(Role::User, "Good morning."),
            message(Role::Assistant, "Good morning. What can I do?"),
            message(Role::User, text),
        ],
        tools: Vec::new(),
        reply: ReplyShape::Text,
        max_output_tokens: 500,
        within: Default::default(),
    }
}

pub fn message(role: Role, text: &str) -> ModelMessage {
    ModelMessage {
        role,
        text: text.to_owned(),
    }
}

pub fn tools() -> Vec<ModelTool> {
    ["task.list", "task.create"]
        .map(|name| ModelTool {
            name: name.to_owned(),
            description: format!("Does {name}."),
            schema: json!({"type": "object", "properties": {"status": {"type": "string"}, "title": {"type": "string"}}}),
        })
        .into()
}

pub fn plan_schema() -> Value {
    json!({"type": "object", "additionalProperties": false, "required": ["request", "steps", "question"],
        "properties": {"request": {"type": "string"}, "steps": {"type": "array", "items": {"type": "string"}},
            "question": {"type": ["string", "null"]}}})
}

/// A reply read to its end.
#[derive(Debug, Default)]
pub struct CollectedReply {
    pub answering: Vec<String>,
    pub text: String,
    pub pieces: usize,
    pub thinking: String,
    pub calls: Vec<(String, Value)>,
    pub stop: Option<StopReason>,
    pub usage: Usage,
    pub fault: Option<ModelFault>,
    /// Set if something followed the end, or the stream ended without one.
    pub broken_rule: Option<String>,
}

/// Reads a reply and checks the rules of every stream.
pub async fn hear(model: &dyn ChatModel, request: ModelRequest) -> CollectedReply {
    let mut stream = model.stream(Arc::new(request));
    let mut heard = CollectedReply::default();
    let mut first = true;
    while let Some(event) = stream.next().await {
        if heard.stop.is_some() || heard.fault.is_some() {
            heard.broken_rule = Some(format!("{event:?} after the end"));
        }
        if first && matches!(&event, Ok(event) if !matches!(event, ModelEvent::Answering { .. })) {
            heard.broken_rule = Some(format!("{event:?} first"));
        }
        first = false;
        match event {
            Ok(ModelEvent::Answering { model, .. }) => heard.answering.push(model),
            Ok(ModelEvent::Token { text }) => {
                heard.pieces += 1;
                heard.text.push_str(&text);
            }
            Ok(ModelEvent::Thinking { text }) => heard.thinking.push_str(&text),
            Ok(ModelEvent::ToolCall { name, args }) => heard.calls.push((name, args)),
            Ok(ModelEvent::End { stop, usage }) => {
                heard.stop = Some(stop);
                heard.usage = usage;
            }
            Err(fault) => heard.fault = Some(fault),
        }
    }
    if heard.stop.is_none() && heard.fault.is_none() {
        heard.broken_rule = Some("no end".to_owned());
    }
    let all = format!("{heard:?}");
    if all.contains(KEY) {
        heard.broken_rule = Some(format!("the key is in {all}"));
    }
    heard
}

/// A step of a scripted server after it has read a request.
#[derive(Clone, Debug)]
pub enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends nothing more and keeps the connection open until the client closes it.
    Silence,
    /// Resets the connection.
    Reset,
    /// Reads the next request on the same connection.
    NextRequest,
    /// Notifies that this step was reached.
    Tell(Arc<Notify>),
    /// Waits for a notification.
    Wait(Arc<Notify>),
}

/// A server that answers each connection with the next script; the last script repeats.
pub struct Scripted {
    pub base: String,
    pub asked: Arc<Mutex<Vec<String>>>,
    /// Number of accepted connections.
    pub accepted: Arc<AtomicUsize>,
    /// Number of connections that the client closed during a silence.
    pub hung_up: tokio::sync::watch::Receiver<usize>,
    _serving: JoinSet<()>,
}

impl Scripted {
    pub async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (hang_up, hung_up) = tokio::sync::watch::channel(0);
        let record = Arc::clone(&asked);
        let accepted = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&accepted);
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            let mut next = 0;
            while let Ok((stream, _)) = listener.accept().await {
                let script = scripts[next.min(scripts.len() - 1)].clone();
                next += 1;
                count.fetch_add(1, Ordering::Relaxed);
                let record = Arc::clone(&record);
                let hang_up = hang_up.clone();
                connections.spawn(async move {
                    if play(stream, script, &record).await.is_some() {
                        hang_up.send_modify(|count| *count += 1);
                    }
                });
            }
        });
        Self {
            base,
            asked,
            accepted,
            hung_up,
            _serving: serving,
        }
    }

    /// Returns the body of a request, by number.
    pub fn body(&self, number: usize) -> Value {
        let asked = self.asked.lock().unwrap();
        let (_, body) = asked[number].split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }

    /// Returns request line and headers of a request in lower case, by number.
    pub fn head(&self, number: usize) -> String {
        let asked = self.asked.lock().unwrap();
        let (head, _) = asked[number].split_once("\r\n\r\n").unwrap();
        head.to_lowercase()
    }
}

/// Reads one request and plays a script. Returns `Some` if the client disconnected during a silence.
async fn play(mut stream: TcpStream, script: Vec<Step>, record: &Mutex<Vec<String>>) -> Option<()> {
    stream.set_nodelay(true).ok();
    let request = read_request(&mut stream).await?;
    record.lock().unwrap().push(request);
    for step in script {
        match step {
            Step::Send(bytes) => stream.write_all(&bytes).await.ok()?,
            Step::Silence => {
                let mut rest = [0_u8; 64];
                while matches!(stream.read(&mut rest).await, Ok(read) if read > 0) {}
                return Some(());
            }
            Step::NextRequest => {
                let request = read_request(&mut stream).await?;
                record.lock().unwrap().push(request);
            }
            Step::Tell(told) => told.notify_one(),
            Step::Wait(told) => told.notified().await,
            Step::Reset => {
                // Closing with a linger of zero sends a reset.
                stream.set_zero_linger().ok()?;
                return None;
            }
        }
    }
    stream.shutdown().await.ok();
    None
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0_u8; 8192];
    loop {
        let read = stream
            .read(&mut buffer)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let wanted = head
                .lines()
                .find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case("content-length")
                        .then(|| value.trim().parse::<usize>().ok())?
                })
                .unwrap_or(0);
            if body.len() >= wanted {
                return Some(text.into_owned());
            }
        }
    }
}
