//! A model and file server on this computer. The reply depends only on the request, not on the order of requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

/// Content that starts like a model file; nothing runs it.
const FILE: &[u8] = b"GGUF and nothing that could be run";
/// A message with these words gets a reply that stays open after its first words, until the client disconnects.
pub const HOLD: &str = "a slow ship";
/// Replies to a connection with this path break off.
pub const CUT: &str = "/cut/v1";

/// Path of a calendar.
pub const CALENDAR: &str = "/town.ics";

/// A server that runs until it is dropped.
pub struct Server {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let over = Arc::new(AtomicBool::new(false));
        let ended = over.clone();
        let serving = move || {
            thread::scope(|scope| {
                for stream in listener.incoming().flatten() {
                    if ended.load(Ordering::SeqCst) {
                        return;
                    }
                    let named = thread::Builder::new().name("a connection".into());
                    // Clients that disconnect half-way are part of the script.
                    drop(named.spawn_scoped(scope, move || drop(serve(stream))));
                }
            });
        };
        let named = thread::Builder::new().name("frames: the server".into());
        let thread = named.spawn(serving).expect("a thread");
        Self {
            address,
            over,
            thread: Some(thread),
        }
    }

    /// Returns `127.0.0.1` with the port.
    pub fn place(&self) -> String {
        self.address.to_string()
    }
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

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let (mut length, mut stage) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        match header.trim().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().unwrap_or(0);
            }
            Some((name, value)) if name.eq_ignore_ascii_case("x-adjutant-stage") => {
                stage = value.to_owned();
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    if line.contains(CALENDAR) {
        return calendar(&mut stream);
    }
    if line.contains(".gguf") {
        return file(&mut stream, line.starts_with("HEAD"));
    }
    if line.contains("/models") {
        return whole(&mut stream, &models());
    }
    if line.contains("/embeddings") {
        return whole(&mut stream, &vectors(&asked));
    }
    answer(&mut stream, &stage, &line, &asked)
}

fn models() -> Value {
    json!({"object": "list", "data": [
        {"id": "lab-model", "object": "model", "max_model_len": 8192},
        {"id": "nomic-embed-text", "object": "model"},
    ]})
}

fn vectors(asked: &Value) -> Value {
    let texts = asked["input"].as_array().map_or(1, Vec::len);
    let data: Vec<Value> = (0..texts)
        .map(|index| json!({"object": "embedding", "index": index, "embedding": [0.6, 0.8, 0.0]}))
        .collect();
    json!({"object": "list", "data": data, "usage": {"prompt_tokens": 8, "total_tokens": 8}})
}

/// Sends the model's reply at each stage.
fn answer(stream: &mut TcpStream, stage: &str, line: &str, asked: &Value) -> std::io::Result<()> {
    let said = asked["messages"].to_string();
    let structured = asked.get("response_format").is_some();
    let words = match stage {
        "probe" if structured => json!({"word": "marigold"}).to_string(),
        "probe" => "marigold".to_owned(),
        "route" => json!({"type": "chat", "domains": [], "is_followup": false, "confidence": 0.9})
            .to_string(),
        _ => "The train leaves at **nine**.".to_owned(),
    };
    head(stream, "text/event-stream", "")?;
    let cut = line.contains(CUT) && stage == "respond";
    if stage == "respond" && !cut {
        let thought = json!({"reasoning_content": "The person asks for a story. "});
        delta(stream, &thought, None)?;
    }
    let (first, rest) = words.split_at(words.len() / 2);
    delta(stream, &json!({"content": first}), None)?;
    if cut {
        return Ok(());
    }
    if said.contains(HOLD) && stage == "respond" {
        // Waits until the client disconnects.
        return stream.read(&mut [0; 1]).map(drop);
    }
    delta(stream, &json!({"content": rest}), None)?;
    delta(stream, &json!({}), Some("stop"))?;
    let used = json!({"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55});
    event(stream, &json!({"choices": [], "usage": used}).to_string())?;
    event(stream, "[DONE]")
}

fn delta(stream: &mut TcpStream, delta: &Value, finish: Option<&str>) -> std::io::Result<()> {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    event(stream, &json!({"choices": [choice]}).to_string())
}

fn event(stream: &mut TcpStream, data: &str) -> std::io::Result<()> {
    write!(stream, "data: {data}\n\n")?;
    stream.flush()
}

fn whole(stream: &mut TcpStream, value: &Value) -> std::io::Result<()> {
    let body = value.to_string();
    let length = format!("content-length: {}\r\n", body.len());
    head(stream, "application/json", &length)?;
    stream.write_all(body.as_bytes())
}

fn calendar(stream: &mut TcpStream) -> std::io::Result<()> {
    let body = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Town\r\nBEGIN:VEVENT\r\nUID:market\r\n\
        DTSTART:20260117T080000Z\r\nDTEND:20260117T120000Z\r\nSUMMARY:Market\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let length = format!("content-length: {}\r\n", body.len());
    head(stream, "text/calendar", &length)?;
    stream.write_all(body.as_bytes())
}

fn file(stream: &mut TcpStream, only_head: bool) -> std::io::Result<()> {
    let length = format!("content-length: {}\r\n", FILE.len());
    head(stream, "application/octet-stream", &length)?;
    if only_head {
        return Ok(());
    }
    stream.write_all(FILE)
}

fn head(stream: &mut TcpStream, kind: &str, more: &str) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{more}connection: close\r\n\r\n"
    )
}
