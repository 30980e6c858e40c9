//! The whole program against a local HTTP server that plays a script: what is sent over the wire, and what comes of it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// One reply of the server.
#[derive(Clone)]
enum Reply {
    /// Text, in these pieces.
    Text(Vec<String>),
    /// A status, with a body.
    Status(u16, &'static str),
    /// Some text, and then the connection is closed.
    CutAfter(&'static str),
}

fn text(text: &str) -> Reply {
    Reply::Text(vec![text.to_owned()])
}

fn structured(value: &Value) -> Reply {
    text(&value.to_string())
}

/// A request as it arrived.
#[derive(Clone, Debug)]
struct Arrived {
    stage: Option<String>,
    authorization: Option<String>,
    body: Value,
}

impl Arrived {
    /// The name of the wanted structure, if one is wanted.
    fn shape(&self) -> Option<&str> {
        self.body["response_format"]["json_schema"]["name"].as_str()
    }
}

/// An OpenAI-compatible server that plays a script: replies by stage, in order.
struct Server {
    url: String,
    address: SocketAddr,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    over: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Server {
    fn start(script: Vec<(&'static str, Reply)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let arrived = Arc::new(Mutex::new(Vec::new()));
        let script = Mutex::new(script);
        let over = Arc::new(AtomicBool::new(false));
        let (seen, ended) = (arrived.clone(), over.clone());
        let thread = thread::Builder::new()
            .name("scripted server".into())
            .spawn(move || {
                for stream in listener.incoming().flatten() {
                    if ended.load(Ordering::SeqCst) {
                        return;
                    }
                    serve(stream, &seen, &script);
                }
            })
            .unwrap();
        Self {
            url: format!("http://{address}/v1"),
            address,
            arrived,
            over,
            thread: Some(thread),
        }
    }

    fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().unwrap().clone()
    }

    fn stages(&self) -> Vec<String> {
        self.arrived()
            .into_iter()
            .filter_map(|one| one.stage)
            .collect()
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Arrived>>,
    script: &Mutex<Vec<(&'static str, Reply)>>,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let (mut length, mut stage, mut authorization) = (0, None, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let header = header.trim();
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "x-adjutant-stage" => stage = Some(value.trim().to_owned()),
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let name = stage.clone().unwrap_or_default();
    seen.lock().unwrap().push(Arrived {
        stage,
        authorization,
        body,
    });
    let reply = {
        let mut script = script.lock().unwrap();
        let at = script.iter().position(|(stage, _)| *stage == name);
        at.map(|at| script.remove(at).1)
    };
    match reply {
        Some(Reply::Text(pieces)) => {
            head(&mut stream, 200, "text/event-stream");
            for piece in pieces {
                chunk(
                    &mut stream,
                    &json!({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]}),
                );
            }
            chunk(
                &mut stream,
                &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
            );
            chunk(
                &mut stream,
                &json!({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}}),
            );
            let _ = stream.write_all(b"data: [DONE]\n\n");
        }
        Some(Reply::CutAfter(text)) => {
            head(&mut stream, 200, "text/event-stream");
            chunk(
                &mut stream,
                &json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}),
            );
        }
        Some(Reply::Status(status, body)) => {
            head(&mut stream, status, "application/json");
            let _ = stream.write_all(body.as_bytes());
        }
        None => {
            head(&mut stream, 500, "application/json");
            let _ = stream.write_all(b"{\"error\":{\"message\":\"nothing scripted\"}}");
        }
    }
    let _ = stream.flush();
}

fn head(stream: &mut TcpStream, status: u16, kind: &str) {
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n"
    );
}

fn chunk(stream: &mut TcpStream, value: &Value) {
    let _ = write!(stream, "data: {value}\n\n");
    let _ = stream.flush();
}

const KEY: &str = "sk-local-0123456789abcdef0123456789";

fn command(home: &Path, url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .env("ADJUTANT_MODEL_URL", url)
        .env("ADJUTANT_MODEL_KEY", KEY)
        .env("ADJUTANT_MODEL", "lab-model")
        .env("NO_PROXY", "127.0.0.1")
        .arg("--home")
        .arg(home)
        .args(["--now", "2026-01-12T09:00:00-05:00[America/New_York]"])
        .stdin(Stdio::null());
    command
}

fn ask(home: &Path, url: &str, text: &str) -> (Output, Vec<Value>) {
    let output = command(home, url)
        .args(["--offline", "--json", "ask", text])
        .output()
        .unwrap();
    let events = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    (output, events)
}

fn last(events: &[Value]) -> &Value {
    events.last().expect("a turn has events")
}

const CHAT: &str = "Tell me a story about a dragon";
const TASKS: &str = "Rearrange my tasks so that the urgent ones come first";

#[test]
fn conversation_sends_one_request_and_streams_its_pieces() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![(
        "respond",
        Reply::Text(vec!["Once ".into(), "upon ".into(), "a time.".into()]),
    )]);
    let (output, events) = ask(home.path(), &server.url, CHAT);
    assert_eq!(output.status.code(), Some(0), "{events:?}");
    assert_eq!(last(&events)["event"], "done");
    assert_eq!(last(&events)["answer"], "Once upon a time.");
    assert_eq!(last(&events)["usage"]["input"], 50);
    assert_eq!(last(&events)["usage"]["output"], 5);
    assert_eq!(server.stages(), ["respond"]);
    let sent = &server.arrived()[0];
    assert_eq!(sent.body["model"], "lab-model");
    assert_eq!(sent.body["stream"], true);
    assert_eq!(sent.shape(), None);
    assert_eq!(
        sent.authorization.as_deref(),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert!(
        !sent.body.to_string().contains(KEY),
        "the key is in no prompt"
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains(KEY));
    assert!(!String::from_utf8_lossy(&output.stderr).contains(KEY));
}

#[test]
fn an_action_sends_a_plan_with_its_schema_and_an_answer() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![
        (
            "plan",
            structured(&json!({"request": "Sort", "question": null, "steps": [
                {"key": "s1", "say": "Add a task", "why": "", "tool": "task.create", "args": {"title": "Sort the desk"}}
            ]})),
        ),
        ("respond", text("It is on your list.")),
    ]);
    let (output, events) = ask(home.path(), &server.url, TASKS);
    assert_eq!(output.status.code(), Some(0), "{events:?}");
    assert_eq!(last(&events)["answer"], "It is on your list.");
    assert_eq!(server.stages(), ["plan", "respond"]);
    assert_eq!(server.arrived()[0].shape(), Some("plan"));
    assert_eq!(last(&events)["used_tools"], json!(["task.create"]));
    let shown = command(home.path(), &server.url)
        .args(["--offline", "--json", "show", "tasks"])
        .output()
        .unwrap();
    let rows: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(rows[0]["title"], "Sort the desk");
}

#[test]
fn what_the_embedded_engine_reads_sends_nothing() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Vec::new());
    let (output, _) = ask(
        home.path(),
        &server.url,
        "Add a task to call mom tomorrow at 5pm",
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(server.stages().is_empty());
}

#[test]
fn every_bad_server_leaves_an_honest_answer_and_the_message() {
    let cases = [
        (
            Reply::Status(401, "{\"error\":{\"message\":\"bad key\"}}"),
            "key",
        ),
        (
            Reply::Status(404, "{\"error\":{\"message\":\"no such model\"}}"),
            "model",
        ),
        (
            Reply::Status(429, "{\"error\":{\"message\":\"slow down\"}}"),
            "requests",
        ),
        (Reply::Status(500, "oops"), "failed"),
        (Reply::CutAfter("Once upon"), "Once upon"),
        (text(""), "model"),
    ];
    for (reply, holds) in cases {
        let home = tempfile::tempdir().unwrap();
        let server = Server::start(vec![("respond", reply)]);
        let (output, events) = ask(home.path(), &server.url, CHAT);
        let answer = last(&events)["answer"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert_eq!(output.status.code(), Some(0), "{holds}: {events:?}");
        assert!(answer.contains(holds), "{holds}: {answer}");
    }
    let home = tempfile::tempdir().unwrap();
    // Nobody listens there.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let (output, events) = ask(home.path(), &format!("http://{port}/v1"), CHAT);
    assert_eq!(output.status.code(), Some(0));
    let answer = last(&events)["answer"].as_str().unwrap();
    assert!(answer.contains("could not be reached"), "{answer}");
}

#[test]
fn offline_reaches_this_machine_only() {
    let home = tempfile::tempdir().unwrap();
    let (output, events) = ask(home.path(), "http://192.0.2.1:9/v1", CHAT);
    assert_eq!(output.status.code(), Some(0), "{events:?}");
    assert_eq!(last(&events)["event"], "done");
}

#[test]
fn an_evaluation_never_asks_a_model() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Vec::new());
    let cases = home.path().join("in.jsonl");
    std::fs::write(
        &cases,
        format!(
            "{}\n",
            json!({"id": "1", "text": "I had a rough day at work"})
        ),
    )
    .unwrap();
    let output = command(home.path(), &server.url)
        .args(["eval", "route", "--embedded", "--in"])
        .arg(&cases)
        .arg("--out")
        .arg(home.path().join("out.jsonl"))
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(server.arrived().is_empty());
}

#[test]
fn explain_shows_every_stage_with_model_and_prompt() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![("respond", text("Once upon a time."))]);
    let output = command(home.path(), &server.url)
        .args(["--offline", "ask", "--explain", CHAT])
        .output()
        .unwrap();
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    for part in ["respond", "lab-model", "respond/respond.v1@", "ms"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// Without what the environment says of models.
fn plain(home: &Path, words: &[&str]) -> Output {
    let mut command = command(home, "");
    for name in ["ADJUTANT_MODEL_URL", "ADJUTANT_MODEL_KEY", "ADJUTANT_MODEL"] {
        command.env_remove(name);
    }
    command
        .args(["--offline", "--json"])
        .args(words)
        .output()
        .unwrap()
}

fn connections(output: &Output) -> Vec<String> {
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let models: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = models["connections"].as_array().unwrap();
    list.iter()
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn models_are_connected_ordered_asked_and_taken_away() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (first, second) = (
        Server::start(vec![("respond", Reply::Status(500, "oops"))]),
        Server::start(vec![("respond", text("From the second."))]),
    );
    assert!(connections(&plain(home, &["models"])).is_empty());
    for (name, server) in [("one", &first), ("two", &second)] {
        let words = ["models", "add", name, "--url", &server.url, "--model", "m"];
        plain(home, &words);
    }
    assert_eq!(connections(&plain(home, &["models"])), ["one", "two"]);

    // The first fails, the second answers, and the person is told.
    let output = plain(home, &["ask", CHAT]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("From the second."), "{told}");
    assert_eq!(first.stages(), ["respond"]);
    assert_eq!(second.stages(), ["respond"]);

    assert_eq!(
        connections(&plain(home, &["models", "prefer", "two"])),
        ["two", "one"]
    );
    assert_eq!(
        connections(&plain(home, &["models", "remove", "two"])),
        ["one"]
    );
    for wrong in [
        &["models", "remove", "two"][..],
        &["models", "prefer", "two"],
        &["models", "test", "two"],
        &[
            "models",
            "add",
            "three",
            "--url",
            "file:///etc",
            "--model",
            "m",
        ],
        &[
            "models",
            "add",
            "a/b",
            "--url",
            "http://127.0.0.1:9",
            "--model",
            "m",
        ],
        &[
            "models",
            "add",
            "three",
            "--kind",
            "telepathy",
            "--model",
            "m",
        ],
    ] {
        let output = plain(home, wrong);
        assert_ne!(output.status.code(), Some(0), "{wrong:?}");
        assert!(!output.stderr.is_empty(), "{wrong:?}");
    }
    assert_eq!(connections(&plain(home, &["models"])), ["one"]);
}

#[test]
fn a_test_says_what_works() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![
        ("probe", text("marigold")),
        ("probe", text("marigold")),
        ("probe", structured(&json!({"word": "marigold"}))),
    ]);
    let words = ["models", "add", "lab", "--url", &server.url, "--model", "m"];
    plain(home.path(), &words);
    let output = plain(home.path(), &["models", "test", "lab"]);
    assert_eq!(output.status.code(), Some(0));
    let test: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdict = |what: &str| {
        let checks = test["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["what"] == what).unwrap();
        check["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("chat"), "works");
    assert_eq!(verdict("tools"), "missing", "it said the word in text");
    assert_eq!(verdict("structure"), "works");
}
