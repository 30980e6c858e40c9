//! Tests of downloads from a server on this machine that simulates real servers.

mod fetching;
mod refused;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use adjutant_domain::ports::{EgressLog, Exchange};
use adjutant_net::{NetClient, NetSettings, ProxyChoice};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::load::load_with;
use super::*;

/// The relevant parts of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RecordedRequest {
    line: String,
    range: Option<String>,
    if_range: Option<String>,
}

#[derive(Clone)]
struct Answer {
    head: String,
    body: Vec<u8>,
    /// Number of body bytes after which the server sends nothing more but keeps the connection open.
    holds_after: Option<usize>,
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Answer {
    Answer {
        head: format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\n\r\n"),
        body: body.to_vec(),
        holds_after: None,
    }
}

/// A server and the requests it received.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
    _serving: JoinSet<()>,
}

impl Server {
    async fn start(answers: impl Fn(&RecordedRequest) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (noted, answers) = (asked.clone(), Arc::new(answers));
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (noted, answers) = (noted.clone(), answers.clone());
                open.spawn(async move {
                    let _ = serve(stream, &noted, &*answers).await;
                });
            }
        });
        Self {
            port,
            asked,
            _serving: serving,
        }
    }

    /// Starts a server that has a file and supports range requests.
    async fn with(file: Vec<u8>, headers: &'static str) -> Self {
        Self::start(move |asked| whole_or_rest(&file, headers, asked)).await
    }

    fn asked(&self) -> Vec<RecordedRequest> {
        self.asked.lock().unwrap().clone()
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/models/small.gguf", self.port)
    }

    fn wanted(&self, sum: Option<&str>) -> Download {
        let sum = sum.map(|sum| Sha256Sum::read(sum).unwrap());
        Download::read(&self.address(), sum).unwrap()
    }
}

async fn serve(
    mut stream: TcpStream,
    noted: &Mutex<Vec<RecordedRequest>>,
    answers: &(dyn Fn(&RecordedRequest) -> Answer + Send + Sync),
) -> std::io::Result<()> {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(stream.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&read).into_owned();
    let header = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let asked = RecordedRequest {
        line: text.lines().next().unwrap().replace(" HTTP/1.1", ""),
        range: header("range"),
        if_range: header("if-range"),
    };
    noted.lock().unwrap().push(asked.clone());
    let answer = answers(&asked);
    stream.write_all(answer.head.as_bytes()).await?;
    if !asked.line.starts_with("HEAD") {
        let upto = answer.holds_after.unwrap_or(answer.body.len());
        stream.write_all(&answer.body[..upto]).await?;
        if answer.holds_after.is_some() {
            // Waits until the client disconnects.
            let _ = stream.read_u8().await;
        }
    }
    stream.shutdown().await
}

fn whole_or_rest(file: &[u8], headers: &str, asked: &RecordedRequest) -> Answer {
    let from: Option<usize> = asked
        .range
        .as_ref()
        .map(|range| range["bytes=".len()..range.len() - 1].parse().unwrap());
    let all = file.len();
    match from {
        Some(from) if from < all => {
            let rest = &file[from..];
            let headers = format!(
                "{headers}content-length: {}\r\ncontent-range: bytes {from}-{}/{all}\r\n",
                rest.len(),
                all - 1
            );
            answer("206 Partial Content", &headers, rest)
        }
        Some(_) => answer("416 Range Not Satisfiable", "content-length: 0\r\n", b""),
        None => answer(
            "200 OK",
            &format!("{headers}content-length: {all}\r\n"),
            file,
        ),
    }
}

/// Returns pseudo-random bytes that start like a model file.
fn model(bytes: usize) -> Vec<u8> {
    let mut seed = 7_u32;
    let rest = std::iter::repeat_with(move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    });
    b"GGUF".iter().copied().chain(rest).take(bytes).collect()
}

fn sum_of(file: &[u8]) -> String {
    Sha256Sum::of(&mut &*file).unwrap().to_string()
}

#[derive(Default)]
struct Ledger(Mutex<Vec<Exchange>>);

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

fn net(offline: bool) -> (NetClient, Arc<Ledger>) {
    let ledger = Arc::new(Ledger::default());
    let proxy = ProxyChoice::None;
    let client = NetClient::new(
        NetSettings {
            offline,
            proxy,
            ..NetSettings::default()
        },
        ledger.clone(),
    );
    (client, ledger)
}

/// Returns a folder that does not exist until it is needed.
fn folder() -> (TempDir, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("models/gguf");
    (outer, folder)
}

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const PLENTY: fn(&std::path::Path) -> std::io::Result<u64> = |_| Ok(u64::MAX);

async fn fetched(offer: &Offer) -> Result<(Loaded, Vec<u64>), FetchFault> {
    let mut told = Vec::new();
    let loaded = load_with(offer, &net(true).0, PLENTY, &mut |have| told.push(have)).await?;
    Ok((loaded, told))
}
