//! The door in front of Radicale: an encrypted proxy that handles one request per connection and adds the trouble a
//! test has prepared.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use adjutant_domain::operation::RemoteFault;
use adjutant_testkit::remote::Trouble;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// What happens to one request.
#[derive(Clone, Debug)]
pub enum Meets {
    Trouble(Trouble),
    /// The first request with this method, or with this word in its body, gets this reply and is not passed on.
    Says(&'static str, String),
    /// It is passed on, but the reply breaks off in the middle.
    CutInReply(&'static str),
    /// The reply to the first request with this word never ends.
    Endless(&'static str),
}

/// What the network and the server do next, and a record of what they have done.
#[derive(Default)]
pub struct Course {
    meets: VecDeque<Meets>,
    /// Number of changing requests that were carried out.
    pub changed: usize,
    /// Method and path of each request that arrived.
    pub asked: Vec<String>,
    /// Whether the server appears to have no sync tokens.
    pub no_tokens: bool,
    pages: usize,
}

pub type SharedCourse = Arc<Mutex<Course>>;

impl Course {
    pub fn meet(&mut self, meets: Meets) {
        self.pages = 0;
        self.meets.push_back(meets);
    }

    fn take(&mut self, is_it: impl Fn(&Meets) -> bool) -> Option<Meets> {
        match self.meets.front() {
            Some(next) if is_it(next) => self.meets.pop_front(),
            _ => None,
        }
    }

    /// Returns whether all prepared trouble has happened.
    pub fn is_clear(&self) -> bool {
        self.meets.is_empty()
    }
}

pub fn lock(course: &SharedCourse) -> MutexGuard<'_, Course> {
    course.lock().unwrap()
}

/// Builds a whole reply.
pub fn reply(status: u16, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} Said\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

/// Opens the door and returns its port. It stays open as long as the tasks are kept.
pub async fn open(
    to: u16,
    acceptor: TlsAcceptor,
    course: SharedCourse,
    tasks: &mut JoinSet<()>,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tasks.spawn(async move {
        let mut inside = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let is_away = |meets: &Meets| {
                matches!(meets, Meets::Trouble(Trouble::Fault(fault)) if fault.is_offline())
            };
            if lock(&course).take(is_away).is_some() {
                drop(stream);
                continue;
            }
            let (acceptor, course) = (acceptor.clone(), course.clone());
            inside.spawn(async move {
                // The tests cause connections to end early, so errors are ignored.
                drop(relay(stream, to, acceptor, course).await);
            });
        }
    });
    port
}

struct ReceivedRequest {
    method: String,
    whole: Vec<u8>,
    body: String,
}

async fn relay(
    stream: TcpStream,
    to: u16,
    acceptor: TlsAcceptor,
    course: SharedCourse,
) -> io::Result<()> {
    let mut client = acceptor.accept(stream).await?;
    let asked = request(&mut client).await?;
    let meets = met(&asked, &course);
    match &meets {
        Some(Meets::Trouble(Trouble::LostRequest | Trouble::BreaksOff)) => return Ok(()),
        Some(Meets::Trouble(Trouble::Fault(RemoteFault::NotSignedIn { .. }))) => {
            return say(&mut client, &reply(401, "", "")).await;
        }
        Some(Meets::Trouble(Trouble::Fault(_))) => {
            return say(&mut client, &reply(429, "Retry-After: 30\r\n", "")).await;
        }
        Some(Meets::Says(_, text)) => return say(&mut client, text).await,
        Some(Meets::Endless(_)) => return endless(&mut client).await,
        _ => {}
    }
    let answer = pass_on(to, &asked.whole).await?;
    let is_done = answer.starts_with(b"HTTP/1.0 2") || answer.starts_with(b"HTTP/1.1 2");
    if is_done && is_change(&asked.method) {
        lock(&course).changed += 1;
    }
    match meets {
        Some(Meets::Trouble(Trouble::LostReply)) => Ok(()),
        Some(Meets::Trouble(Trouble::Unreadable)) => {
            let page = "<html>Welcome to our hotel</html>";
            say(
                &mut client,
                &reply(200, "Content-Type: text/html\r\n", page),
            )
            .await
        }
        Some(Meets::CutInReply(_)) => {
            let head = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nhalf";
            client.write_all(head.as_bytes()).await?;
            client.flush().await
        }
        _ => {
            client.write_all(&answer).await?;
            client.shutdown().await
        }
    }
}

pub fn is_change(method: &str) -> bool {
    matches!(method, "PUT" | "DELETE" | "MOVE" | "POST")
}

/// Returns what happens to this request.
fn met(asked: &ReceivedRequest, course: &SharedCourse) -> Option<Meets> {
    let mut course = lock(course);
    let path = String::from_utf8_lossy(&asked.whole);
    let path = path.split(' ').nth(1).unwrap_or_default().to_owned();
    course.asked.push(format!("{} {path}", asked.method));
    if course.no_tokens && asked.body.contains("sync-collection") {
        return Some(Meets::Says("", reply(403, "", "")));
    }
    if asked.body.contains("-multiget") {
        course.pages += 1;
    }
    let pages = course.pages;
    let is_asked = |word: &str| asked.method == word || asked.body.contains(word);
    course.take(|meets| match meets {
        Meets::Trouble(Trouble::Fault(_)) => true,
        Meets::Trouble(Trouble::BreaksOff) => pages > 1,
        Meets::Trouble(_) => is_change(&asked.method),
        Meets::Says(word, _) | Meets::CutInReply(word) | Meets::Endless(word) => is_asked(word),
    })
}

async fn request(client: &mut (impl tokio::io::AsyncRead + Unpin)) -> io::Result<ReceivedRequest> {
    let mut whole = Vec::new();
    let end = loop {
        if let Some(at) = whole.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if client.read_buf(&mut whole).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    };
    let head = String::from_utf8_lossy(&whole[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    while whole.len() < end + length.unwrap_or_default() {
        if client.read_buf(&mut whole).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(ReceivedRequest {
        method: head.split(' ').next().unwrap_or_default().to_owned(),
        body: String::from_utf8_lossy(&whole[end..]).into_owned(),
        whole,
    })
}

/// Sends a request to the server and returns its whole reply.
pub async fn pass_on(to: u16, request: &[u8]) -> io::Result<Vec<u8>> {
    let mut server = TcpStream::connect(("127.0.0.1", to)).await?;
    let line = request
        .windows(2)
        .position(|two| two == b"\r\n")
        .unwrap_or_default()
        + 2;
    server.write_all(&request[..line]).await?;
    server.write_all(b"Connection: close\r\n").await?;
    server.write_all(&request[line..]).await?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).await?;
    // What the server says about its connection does not apply to the door's.
    Ok(answer)
}

async fn say(client: &mut (impl tokio::io::AsyncWrite + Unpin), text: &str) -> io::Result<()> {
    client.write_all(text.as_bytes()).await?;
    client.shutdown().await
}

async fn endless(client: &mut (impl tokio::io::AsyncWrite + Unpin)) -> io::Result<()> {
    let head = "HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n<multistatus xmlns=\"DAV:\">";
    client.write_all(head.as_bytes()).await?;
    let more = "<response><href>/x</href></response>".repeat(2_000);
    let writing = async {
        loop {
            client.write_all(more.as_bytes()).await?;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), writing).await?
}
