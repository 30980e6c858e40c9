//! An SMTP server that accepts mail and handles it as a test wants.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use adjutant_testkit::remote::Trouble;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::door::{SharedCourse, is_lost, lock};
use crate::dovecot::Other;

/// An accepted mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    pub from: String,
    pub to: Vec<String>,
    pub mime: String,
}

/// Behaviour of the server.
#[derive(Default)]
pub struct Habits {
    /// Replies to lines that begin with this, instead of a success. An empty reply closes the connection.
    pub says: BTreeMap<String, String>,
    /// Stores accepted mail in `Sent` of this account.
    pub files: Option<(u16, String)>,
    /// Extensions it offers after the greeting.
    pub offers: Vec<&'static str>,
    pub taken: Vec<Taken>,
}

#[derive(Clone)]
pub struct LetterBox {
    pub port: u16,
    pub habits: Arc<Mutex<Habits>>,
}

type Client = BufReader<TlsStream<TcpStream>>;

impl LetterBox {
    pub async fn open(
        acceptor: TlsAcceptor,
        course: SharedCourse,
        tasks: &mut JoinSet<()>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let habits = Habits {
            offers: vec!["8BITMIME", "SIZE 10000000", "AUTH PLAIN LOGIN"],
            ..Habits::default()
        };
        let habits = Arc::new(Mutex::new(habits));
        let kept = habits.clone();
        tasks.spawn(async move {
            let mut inside = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, course, habits) = (acceptor.clone(), course.clone(), kept.clone());
                inside.spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        // The tests cause connections to end early, so errors are ignored.
                        drop(talk(BufReader::new(stream), course, habits).await);
                    }
                });
            }
        });
        Self { port, habits }
    }

    pub fn says(&self, to: &str, what: &str) {
        self.habits
            .lock()
            .unwrap()
            .says
            .insert(to.into(), what.into());
    }

    pub fn taken(&self) -> Vec<Taken> {
        self.habits.lock().unwrap().taken.clone()
    }
}

async fn talk(
    mut client: Client,
    course: SharedCourse,
    habits: Arc<Mutex<Habits>>,
) -> io::Result<()> {
    let (mut from, mut to) = (String::new(), Vec::new());
    answer(&mut client, &habits, "greeting", "220 hello").await?;
    loop {
        let line = line(&mut client).await?;
        let yes = match line.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => {
                let offers = habits.lock().unwrap().offers.clone();
                let lines = offers.iter().map(|offer| format!("250-{offer}\r\n"));
                format!("250-hello\r\n{}250 HELP", lines.collect::<String>())
            }
            "AUTH" => "235 welcome".to_owned(),
            "MAIL" => {
                line.clone_into(&mut from);
                "250 ok".to_owned()
            }
            "RCPT" => "250 ok".to_owned(),
            "DATA" => "354 go on".to_owned(),
            "QUIT" => return Ok(()),
            _ => "500 what".to_owned(),
        };
        let said = answer(&mut client, &habits, &line, &yes).await?;
        if said.starts_with("250") && line.starts_with("RCPT") {
            to.push(
                line.trim_start_matches("RCPT TO:<")
                    .trim_end_matches('>')
                    .to_owned(),
            );
        }
        if said.starts_with("354") {
            let mime = body(&mut client).await?;
            let taken = Taken {
                from: from.clone(),
                to: std::mem::take(&mut to),
                mime,
            };
            end(&mut client, &course, &habits, taken).await?;
        }
    }
}

/// Replies to the end of a mail.
async fn end(
    client: &mut Client,
    course: &SharedCourse,
    habits: &Arc<Mutex<Habits>>,
    taken: Taken,
) -> io::Result<()> {
    let trouble = lock(course).take(is_lost);
    if trouble == Some(Trouble::LostRequest) {
        return Err(ErrorKind::ConnectionAborted.into());
    }
    let refusal = habits.lock().unwrap().says.get("end").cloned();
    let is_taken = refusal.as_ref().is_none_or(String::is_empty);
    if is_taken {
        let files = habits.lock().unwrap().files.clone();
        if let Some((port, user)) = files {
            Other::new(port, &user).append("Sent", "\\Seen", &taken.mime);
        }
        lock(course).changed += 1;
        habits.lock().unwrap().taken.push(taken);
    }
    match trouble {
        Some(Trouble::LostReply) => Err(ErrorKind::ConnectionAborted.into()),
        Some(_) => {
            client
                .write_all(b"%% and now for something else\r\n")
                .await?;
            client.flush().await
        }
        None => answer(client, habits, "end", "250 taken").await.map(drop),
    }
}

/// Replies with a success, or as the test wants.
async fn answer(
    client: &mut Client,
    habits: &Arc<Mutex<Habits>>,
    line: &str,
    yes: &str,
) -> io::Result<String> {
    let other = {
        let habits = habits.lock().unwrap();
        let mut says = habits.says.iter();
        says.find(|(start, _)| line.starts_with(start.as_str()))
            .map(|(_, says)| says.clone())
    };
    let said = other.unwrap_or_else(|| yes.to_owned());
    if said.is_empty() {
        return Err(ErrorKind::ConnectionAborted.into());
    }
    client.write_all(format!("{said}\r\n").as_bytes()).await?;
    client.flush().await?;
    Ok(said)
}

/// Reads a mail up to the line with a single dot.
async fn body(client: &mut Client) -> io::Result<String> {
    let mut mime = String::new();
    loop {
        let line = line(client).await?;
        if line == "." {
            return Ok(mime);
        }
        mime.push_str(line.strip_prefix('.').unwrap_or(&line));
        mime.push_str("\r\n");
    }
}

async fn line(client: &mut Client) -> io::Result<String> {
    let mut line = String::new();
    match client.read_line(&mut line).await? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end_matches(['\r', '\n']).to_owned()),
    }
}
