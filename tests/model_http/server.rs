//! An OpenAI-compatible server that plays a script.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// One reply of the server.
#[derive(Clone)]
pub enum Reply {
    /// Text in these pieces.
    Text(Vec<String>),
    /// A status with a body.
    Status(u16, &'static str),
    /// Some text, after which the connection closes.
    CutAfter(&'static str),
    /// A value made from the request; this reply is given again and again.
    By(Arc<dyn Fn(&str) -> Value + Send + Sync>),
}

pub fn text(text: &str) -> Reply {
    Reply::Text(vec![text.to_owned()])
}

pub fn structured(value: &Value) -> Reply {
    text(&value.to_string())
}

/// A request as received.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub stage: Option<String>,
    pub authorization: Option<String>,
    pub body: Value,
}

impl Arrived {
    /// Returns the name of the requested schema, if any.
    pub fn shape(&self) -> Option<&str> {
        self.body["response_format"]["json_schema"]["name"].as_str()
    }
}

/// An OpenAI-compatible server that plays a script of replies by stage, in order.
pub struct Server {
    pub url: String,
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
    pub fn start(script: Vec<(&'static str, Reply)>) -> Self {
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

    pub fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().unwrap().clone()
    }

    pub fn stages(&self) -> Vec<String> {
        self.arrived()
            .into_iter()
            .filter_map(|one| one.stage)
            .collect()
    }
}

pub fn serve(
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
    let asked = body.to_string();
    let name = stage.clone().unwrap_or_default();
    seen.lock().unwrap().push(Arrived {
        stage,
        authorization,
        body,
    });
    let reply = {
        let mut script = script.lock().unwrap();
        let at = script.iter().position(|(stage, _)| *stage == name);
        match at.map(|at| script[at].1.clone()) {
            Some(Reply::By(made)) => Some(structured(&made(&asked))),
            _ => at.map(|at| script.remove(at).1),
        }
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
        Some(Reply::By(_)) | None => {
            head(&mut stream, 500, "application/json");
            let _ = stream.write_all(b"{\"error\":{\"message\":\"nothing scripted\"}}");
        }
    }
    let _ = stream.flush();
}

pub fn head(stream: &mut TcpStream, status: u16, kind: &str) {
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n"
    );
}

pub fn chunk(stream: &mut TcpStream, value: &Value) {
    let _ = write!(stream, "data: {value}\n\n");
    let _ = stream.flush();
}
