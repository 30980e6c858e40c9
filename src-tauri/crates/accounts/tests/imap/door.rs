//! The door in front of Dovecot: an encrypted proxy that passes on one request at a time and adds the trouble a test
//! has prepared.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};

use adjutant_domain::operation::RemoteFault;
use adjutant_testkit::remote::Trouble;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

type Client = BufReader<TlsStream<TcpStream>>;
type Server = BufReader<TcpStream>;

/// What the network and the servers do next, and a record of what they have done.
#[derive(Default)]
pub struct Course {
    pub troubles: VecDeque<Trouble>,
    /// Number of changing requests that were carried out.
    pub changed: usize,
    /// First words of each request that arrived.
    pub asked: Vec<String>,
    /// Extensions that the server appears not to have.
    pub hidden: Vec<&'static str>,
    /// Open connections.
    open: Vec<AbortHandle>,
    pages: usize,
}

pub type SharedCourse = Arc<Mutex<Course>>;

impl Course {
    /// Prepares trouble for the next request. A server that goes offline also drops its open connections.
    pub fn meet(&mut self, trouble: Trouble) {
        if matches!(trouble, Trouble::Fault(_)) {
            for connection in self.open.drain(..) {
                connection.abort();
            }
        }
        self.pages = 0;
        self.troubles.push_back(trouble);
    }

    /// Takes the next trouble if `is_it` matches it.
    pub fn take(&mut self, is_it: impl Fn(&Trouble) -> bool) -> Option<Trouble> {
        match self.troubles.front() {
            Some(next) if is_it(next) => self.troubles.pop_front(),
            _ => None,
        }
    }
}

pub fn lock(course: &SharedCourse) -> MutexGuard<'_, Course> {
    course.lock().unwrap()
}

pub fn is_lost(trouble: &Trouble) -> bool {
    matches!(
        trouble,
        Trouble::LostReply | Trouble::LostRequest | Trouble::Unreadable
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
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            let trouble = lock(&course).take(|trouble| match trouble {
                Trouble::Fault(fault) => fault.is_offline(),
                _ => false,
            });
            match trouble {
                Some(Trouble::Fault(RemoteFault::TimedOut)) => held.push(stream),
                Some(_) => drop(stream),
                None => {
                    let (acceptor, talk) = (acceptor.clone(), course.clone());
                    let handle = inside.spawn(async move {
                        // The tests cause connections to end early, so errors are ignored.
                        drop(relay(stream, to, acceptor, talk).await);
                    });
                    lock(&course).open.push(handle);
                }
            }
        }
    });
    port
}

async fn relay(
    stream: TcpStream,
    to: u16,
    acceptor: TlsAcceptor,
    course: SharedCourse,
) -> io::Result<()> {
    let mut client = BufReader::new(acceptor.accept(stream).await?);
    let mut server = BufReader::new(TcpStream::connect(("127.0.0.1", to)).await?);
    let greeting = line(&mut server).await?;
    say(&mut client, &without_hidden(&greeting, &course)).await?;
    loop {
        let request = line(&mut client).await?;
        let text = String::from_utf8_lossy(&request).into_owned();
        let (tag, command) = text
            .trim_end()
            .split_once(' ')
            .ok_or(ErrorKind::InvalidData)?;
        let verb = verb(command);
        lock(&course).asked.push(verb.clone());
        if let Some(reply) = refusal(&verb, tag, &course) {
            say(&mut client, reply.as_bytes()).await?;
            continue;
        }
        let trouble = trouble_of(&verb, command, &course);
        if matches!(trouble, Some(Trouble::LostRequest | Trouble::BreaksOff)) {
            return Ok(());
        }
        let (done, replies) = carry_out(&mut client, &mut server, request, tag).await?;
        if done && is_change(&verb) {
            lock(&course).changed += 1;
        }
        match trouble {
            Some(Trouble::LostReply) => return Ok(()),
            Some(_) => say(&mut client, b"%% and now for something else\r\n").await?,
            None => say(&mut client, &without_hidden(&replies, &course)).await?,
        }
    }
}

/// Returns the first words of a request, such as `UID MOVE`.
fn verb(command: &str) -> String {
    let mut words = command.split(' ');
    let first = words.next().unwrap_or_default().to_uppercase();
    match first.as_str() {
        "UID" => format!("UID {}", words.next().unwrap_or_default().to_uppercase()),
        _ => first,
    }
}

fn is_change(verb: &str) -> bool {
    matches!(
        verb,
        "APPEND" | "EXPUNGE" | "UID STORE" | "UID MOVE" | "UID COPY" | "UID EXPUNGE"
    )
}

/// Returns the reply that refuses a login.
fn refusal(verb: &str, tag: &str, course: &SharedCourse) -> Option<String> {
    if verb != "AUTHENTICATE" && verb != "LOGIN" {
        return None;
    }
    let trouble = lock(course).take(|trouble| matches!(trouble, Trouble::Fault(_)))?;
    let code = match trouble {
        Trouble::Fault(RemoteFault::NotSignedIn { .. }) => "AUTHENTICATIONFAILED",
        _ => "LIMIT",
    };
    Some(format!("{tag} NO [{code}] not now\r\n"))
}

fn trouble_of(verb: &str, command: &str, course: &SharedCourse) -> Option<Trouble> {
    let mut course = lock(course);
    if is_change(verb) {
        return course.take(is_lost);
    }
    if verb == "UID FETCH" && command.contains("BODYSTRUCTURE") {
        course.pages += 1;
        if course.pages > 1 {
            return course.take(|trouble| *trouble == Trouble::BreaksOff);
        }
    }
    None
}

/// Passes a request on, and returns the server's lines up to its end.
async fn carry_out(
    client: &mut Client,
    server: &mut Server,
    request: Vec<u8>,
    tag: &str,
) -> io::Result<(bool, Vec<u8>)> {
    let mut replies = Vec::new();
    let mut part = request;
    loop {
        server.get_mut().write_all(&part).await?;
        let literal = announced(&part);
        loop {
            let reply = line(server).await?;
            if reply.starts_with(b"+") {
                say(client, &reply).await?;
                break;
            }
            let is_end = reply.starts_with(format!("{tag} ").as_bytes());
            let is_ok = reply.starts_with(format!("{tag} OK").as_bytes());
            let bytes = announced(&reply);
            replies.extend(reply);
            if let Some(length) = bytes {
                let start = replies.len();
                replies.resize(start + length, 0);
                server.read_exact(&mut replies[start..]).await?;
            }
            if is_end {
                return Ok((is_ok, replies));
            }
        }
        part = vec![0; literal.unwrap_or_default()];
        client.read_exact(&mut part).await?;
        part.extend(line(client).await?);
    }
}

fn announced(line: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(line);
    let (_, length) = text.trim_end().strip_suffix('}')?.rsplit_once('{')?;
    length.parse().ok()
}

fn without_hidden(bytes: &[u8], course: &SharedCourse) -> Vec<u8> {
    let hidden = lock(course).hidden.clone();
    if hidden.is_empty() || !String::from_utf8_lossy(bytes).contains("CAPABILITY") {
        return bytes.to_vec();
    }
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for name in hidden {
        text = text.replace(&format!(" {name}"), "");
    }
    text.into_bytes()
}

async fn line(from: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    match from.read_until(b'\n', &mut line).await? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(line),
    }
}

async fn say(to: &mut Client, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}
