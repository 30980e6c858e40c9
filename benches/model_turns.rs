//! Measures what Adjutant adds to a model's time. Runs whole turns in an open profile with everything that is in use
//! (storage on disk, governor, fallback, HTTP), against a local server whose stages take fixed times. Prints a table:
//! requests per turn, time to the first token relative to the model's own, and Adjutant's share of the whole.
//!
//! `cargo bench -p adjutant --bench model_turns [-- TURNS [SECONDS]]`. Server and profile run in two processes, as in
//! use. The first turns are listed separately, because they include work done once at first use. With
//! `RUST_LOG=adjutant::stage=debug` every stage writes its time to standard error.

#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark measures, and its server takes its time"
)]

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use adjutant::service::Frame;
use adjutant::session::{Options, Session};
use adjutant_api::{EventBody, Request};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Time the server takes until the first token of a stage; the rest follows at once.
const ROUTE: Duration = Duration::from_millis(300);
const PLAN: Duration = Duration::from_millis(800);
const RESPOND: Duration = Duration::from_millis(400);
/// Default number of turns of each kind.
const TURNS: usize = 40;
/// Number of first turns that are listed separately.
const FIRST: usize = 1;
/// Final part of a wait during which the server spins, because sleeping is imprecise.
const AWAKE: Duration = Duration::from_millis(2);
/// Variable that is set for the process with the profile.
const HOME: &str = "ADJUTANT_BENCH_HOME";
/// Path at which the server reports the number of requests.
const COUNT: &str = "/count";

/// Kinds of turns: the message, and the requests it may cause.
const KINDS: &[Kind] = &[
    Kind {
        name: "chat",
        text: "Tell me a story about a dragon",
        stages: &[RESPOND],
    },
    Kind {
        name: "chat, route unsure",
        text: "I had a rough day at work",
        stages: &[ROUTE, RESPOND],
    },
    Kind {
        name: "action",
        text: "Rearrange my tasks so that the urgent ones come first",
        stages: &[PLAN, RESPOND],
    },
    Kind {
        name: "embedded, a read",
        text: "what are my tasks?",
        stages: &[],
    },
    Kind {
        name: "embedded, a write",
        text: "add a task to buy milk",
        stages: &[],
    },
];

struct Kind {
    name: &'static str,
    text: &'static str,
    stages: &'static [Duration],
}

impl Kind {
    fn model(&self) -> Duration {
        self.stages.iter().sum()
    }
}

/// Duration of one turn, from the message to the last event.
struct Measured {
    first_token: Option<Duration>,
    whole: Duration,
    requests: usize,
}

fn main() -> Outcome<()> {
    match std::env::var(HOME) {
        Ok(home) => tokio::runtime::Runtime::new()?.block_on(measure(home.into())),
        Err(_) => serve_and_measure(),
    }
}

/// Runs the server in this process and starts this program again with the profile.
fn serve_and_measure() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let requests = Arc::new(AtomicUsize::new(0));
    thread::Builder::new()
        .name("fixed server".into())
        .spawn(move || {
            let lost = Arc::new(Mutex::new(None::<String>));
            for stream in listener.incoming().flatten() {
                let (requests, lost) = (requests.clone(), lost.clone());
                let served = thread::Builder::new().spawn(move || {
                    if let Err(error) = serve(&stream, &requests) {
                        *lost.lock().unwrap_or_else(PoisonError::into_inner) =
                            Some(error.to_string());
                    }
                });
                drop(served);
            }
        })?;
    let home = tempfile::tempdir()?;
    let done = Command::new(std::env::current_exe()?)
        .args(std::env::args().skip(1))
        .env(HOME, home.path())
        .env("ADJUTANT_MODEL_URL", format!("http://{address}/v1"))
        .env("ADJUTANT_MODEL_KEY", "sk-local-0123456789abcdef")
        .env("ADJUTANT_MODEL", "fixed")
        .env("NO_PROXY", "127.0.0.1")
        .status()?;
    if done.success() {
        Ok(())
    } else {
        Err("the measured process failed".into())
    }
}

async fn measure(home: std::path::PathBuf) -> Outcome<()> {
    if let Ok(filter) = std::env::var("RUST_LOG") {
        let setup = adjutant_observe::Setup {
            filter,
            ..adjutant_observe::Setup::default()
        };
        adjutant_observe::init(&setup).map_err(|problem| problem.to_string())?;
    }
    let mut numbers = std::env::args().filter_map(|word| word.parse::<u64>().ok());
    let turns = numbers.next().map_or(TURNS, |count| count as usize);
    // Pause for background work after the start; 0 measures the very first turn.
    let rest = Duration::from_secs(numbers.next().unwrap_or(0));
    let options = Options {
        home: Some(home),
        offline: true,
        ..Options::default()
    };
    let session = Session::open(&options).await.map_err(told)?;
    tokio::time::sleep(rest).await;
    println!(
        "{:<20} {:>8} {:>12} {:>12} {:>14} {:>9} {:>9} {:>10}",
        "turn",
        "requests",
        "model ms",
        "first ms",
        "first token ×",
        "ours p50",
        "ours p95",
        "ours first"
    );
    for (at, kind) in KINDS.iter().enumerate() {
        let mut measured = Vec::with_capacity(turns);
        for number in 0..turns {
            // Use a new conversation each time, so that all turns read the same amount.
            let conversation = format!("c{at}-{number}");
            measured.push(turn(&session, &conversation, kind).await?);
        }
        tell(kind, &measured);
    }
    session.close().await;
    Ok(())
}

fn told(fault: adjutant_api::Fault) -> String {
    format!("{} {}", fault.message, fault.hint)
}

async fn turn(session: &Session, conversation: &str, kind: &Kind) -> Outcome<Measured> {
    let before = count()?;
    let start = Instant::now();
    let mut frames = session
        .call(Request::Ask {
            conversation: conversation.into(),
            text: kind.text.into(),
            tier: None,
        })
        .await;
    let (mut first_token, mut whole) = (None, None);
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Event(event) => match event.body {
                EventBody::Token { .. } if first_token.is_none() => {
                    first_token = Some(start.elapsed());
                }
                EventBody::Done { .. } => whole = Some(start.elapsed()),
                EventBody::Waiting { .. } | EventBody::Error { .. } => {
                    return Err(format!("{}: {:?}", kind.name, event.body).into());
                }
                _ => {}
            },
            Frame::Fault(fault) => return Err(told(fault).into()),
            Frame::Reply(_) | Frame::End => {}
        }
    }
    Ok(Measured {
        first_token,
        whole: whole.ok_or("a turn did not end")?,
        requests: count()? - before,
    })
}

/// Returns the number of model requests that the server has received.
fn count() -> Outcome<usize> {
    let url = std::env::var("ADJUTANT_MODEL_URL")?;
    let address = url.trim_start_matches("http://").trim_end_matches("/v1");
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET {COUNT} HTTP/1.1\r\nconnection: close\r\n\r\n")?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply.lines().last().unwrap_or_default().trim().parse()?)
}

fn tell(kind: &Kind, measured: &[Measured]) {
    let ours = |one: &Measured| ms(one.whole.saturating_sub(kind.model()));
    let later: Vec<&Measured> = measured.iter().skip(FIRST).collect();
    let mut all: Vec<f64> = later.iter().map(|one| ours(one)).collect();
    let mut first: Vec<f64> = later
        .iter()
        .filter_map(|one| one.first_token.map(ms))
        .collect();
    let requests = measured.iter().map(|one| one.requests).max().unwrap_or(0);
    let token = middle(&mut first, 0.5);
    // The model's own time to the first token of the answer.
    let own = ms(kind.model());
    let part = if own > 0.0 { token / own } else { 0.0 };
    println!(
        "{:<20} {requests:>8} {own:>12.1} {token:>12.1} {part:>14.4} {:>9.2} {:>9.2} {:>10.2}",
        kind.name,
        middle(&mut all, 0.5),
        middle(&mut all, 0.95),
        measured.first().map(ours).unwrap_or_default(),
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "some dozens of turns"
)]
fn middle(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (part * values.len().saturating_sub(1) as f64).ceil() as usize;
    values.get(at).copied().unwrap_or_default()
}

/// Answers the requests of one connection, which stays open like those of real servers.
fn serve(stream: &TcpStream, requests: &AtomicUsize) -> Outcome<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream.try_clone()?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let (mut length, mut stage) = (0, String::new());
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let Some((name, value)) = header.trim().split_once(':') else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse()?,
                "x-adjutant-stage" => value.trim().clone_into(&mut stage),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let start = Instant::now();
        if line.contains(COUNT) {
            let count = requests.load(Ordering::SeqCst).to_string();
            write!(
                out,
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{count}",
                count.len()
            )?;
            return Ok(());
        }
        let (needs, text) = script(&stage);
        if needs > Duration::ZERO {
            requests.fetch_add(1, Ordering::SeqCst);
        }
        let until = start + needs;
        thread::sleep(needs.saturating_sub(AWAKE));
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        let pieces: Vec<Value> = text
            .split_inclusive(' ')
            .map(|piece| json!({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]}))
            .chain([
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}}),
            ])
            .collect();
        write!(
            out,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        )?;
        for piece in &pieces {
            chunk(&mut out, &format!("data: {piece}\n\n"))?;
        }
        chunk(&mut out, "data: [DONE]\n\n")?;
        write!(out, "0\r\n\r\n")?;
    }
}

fn chunk(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    out.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes())
}

/// Returns the duration and the reply of a stage.
fn script(stage: &str) -> (Duration, String) {
    match stage {
        "route" => (
            ROUTE,
            json!({"type": "chat", "domains": [], "is_followup": false, "confidence": 0.9}).to_string(),
        ),
        "plan" => (
            PLAN,
            json!({"request": "Sort", "question": null, "steps": [
                {"key": "s1", "say": "List the tasks", "why": "", "tool": "task.list", "args": {}},
                {"key": "s2", "say": "Add a task", "why": "", "tool": "task.create", "args": {"title": "Sort the desk"}}
            ]})
            .to_string(),
        ),
        "respond" => (RESPOND, "It is on your list, and the dragon sleeps.".into()),
        _ => (Duration::ZERO, "none".into()),
    }
}
