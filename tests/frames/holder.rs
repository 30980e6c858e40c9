//! A profile held by the real program, and used through its socket as a window does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;

use adjutant::service::{Frame, Frames};
use adjutant::session::{Options, Session};
use adjutant_api::{EventBody, Fault, Reply, Request, WireEvent};
use tempfile::TempDir;

use crate::book::{Book, Exchange};

/// The day shown in the window's examples.
const NOW: &str = "2026-01-13T09:24:00-05:00[America/New_York]";

const PROGRAM: &str = "adjutant";

/// The profile, and everything that was requested of it.
pub struct Profile {
    home: TempDir,
    _program: TempDir,
    process: Child,
    typing: Option<ChildStdin>,
    reading: thread::JoinHandle<()>,
    session: Session,
    book: Book,
}

impl Profile {
    pub async fn open(book: Book) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let program = installed();
        let (process, typing, reading) = hold(&program.path().join(PROGRAM), home.path());
        let options = Options {
            home: Some(home.path().to_path_buf()),
            now: Some(NOW.parse().expect("an instant")),
            offline: true,
            ..Options::default()
        };
        let session = Session::open(&options).await.expect("it opens");
        assert!(session.service().is_none(), "a client");
        let mut profile = Self {
            home,
            _program: program,
            process,
            typing: Some(typing),
            reading,
            session,
            book,
        };
        let home = profile.home.path().display().to_string();
        profile.place(&home, "/home/mara/.local/share/adjutant");
        let data = std::path::absolute("tests/frames/data").expect("the folder of the tests");
        profile.place(&data.display().to_string(), "/home/mara/Documents");
        profile
    }

    /// Replaces `from` by `to` in everything recorded from now on.
    pub fn place(&mut self, from: &str, to: &str) {
        self.book.plain.places.push((from.into(), to.into()));
    }

    /// Returns a path in the profile's home folder.
    pub fn path(&self, name: &str) -> String {
        self.home.path().join(name).display().to_string()
    }

    /// Sends a request, waits for the end of its events, and records them.
    pub async fn ask(&mut self, request: Request) -> Exchange {
        let mut asked = self.begin(request).await;
        asked.until(|_| false).await;
        self.end(asked)
    }

    /// Sends a request and leaves it running.
    pub async fn begin(&self, request: Request) -> Running {
        let frames = self.session.call(request.clone()).await;
        Running {
            request,
            frames,
            reply: None,
            events: Vec::new(),
        }
    }

    /// Records what a running request has received, and closes it.
    pub fn end(&mut self, running: Running) -> Exchange {
        let exchange = Exchange {
            reply: running
                .reply
                .unwrap_or_else(|| panic!("no reply to {:?}", running.request)),
            request: running.request,
            events: running.events,
        };
        self.book.write(&exchange);
        exchange
    }

    pub async fn close(mut self) -> Book {
        self.session.close().await;
        drop(self.typing.take());
        assert!(self.process.wait().expect("it ends").success());
        self.reading.join().expect("its output was read");
        self.book
    }
}

/// A running request.
pub struct Running {
    request: Request,
    frames: Frames,
    reply: Option<Result<Reply, Fault>>,
    pub events: Vec<WireEvent>,
}

impl Running {
    /// Reads until a wanted event or the end.
    pub async fn until(&mut self, wanted: impl Fn(&EventBody) -> bool) {
        while let Some(frame) = self.frames.recv().await {
            match frame {
                Frame::Reply(reply) => self.reply = Some(Ok(*reply)),
                Frame::Fault(fault) => self.reply = Some(Err(fault)),
                Frame::Event(event) => {
                    let found = wanted(&event.body);
                    self.hear(*event);
                    if found {
                        return;
                    }
                }
                Frame::End => return,
            }
        }
    }

    /// Joins the pieces of an answer, because their number depends on timing.
    fn hear(&mut self, event: WireEvent) {
        let before = self.events.last_mut().map(|last| &mut last.body);
        match (before, &event.body) {
            (
                Some(EventBody::Token { text, .. }),
                EventBody::Token {
                    text: more,
                    restart: false,
                },
            )
            | (Some(EventBody::Thinking { text }), EventBody::Thinking { text: more }) => {
                text.push_str(more);
            }
            _ => self.events.push(event),
        }
    }

    /// Reads until the reply arrives.
    pub async fn answered(&mut self) {
        while self.reply.is_none() {
            match self.frames.recv().await.expect("the connection stands") {
                Frame::Reply(reply) => self.reply = Some(Ok(*reply)),
                Frame::Fault(fault) => self.reply = Some(Err(fault)),
                Frame::Event(event) => self.hear(*event),
                Frame::End => panic!("no reply"),
            }
        }
    }
}

/// Returns the program as installed, next to the one that runs model files, which nothing here starts.
fn installed() -> TempDir {
    let built = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    let beside = built.parent().expect("its folder");
    let folder = tempfile::tempdir_in(beside).expect("a folder");
    let program = folder.path().join(PROGRAM);
    if std::fs::hard_link(built, &program).is_err() {
        std::fs::copy(built, &program).expect("a copy of the program");
    }
    std::fs::write(folder.path().join("adjutant-local"), "").expect("a file");
    folder
}

/// Starts `adjutant chat` without a keyring, a desktop, or models from the environment.
fn hold(program: &Path, home: &Path) -> (Child, ChildStdin, thread::JoinHandle<()>) {
    let mut process = Command::new(program)
        .arg("--home")
        .arg(home)
        .args(["--now", NOW, "--offline", "--json", "chat"])
        .env_clear()
        .env("HOME", home)
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut typing = process.stdin.take().expect("its input");
    let mut said = BufReader::new(process.stdout.take().expect("its output"));
    // After one turn it certainly holds the profile. This turn is not part of the day.
    writeln!(typing, "what is on today?").expect("typed");
    let mut line = String::new();
    while !line.contains("\"event\":\"done\"") {
        line.clear();
        assert!(
            said.read_line(&mut line).expect("its output") > 0,
            "it ended too early"
        );
    }
    // It keeps printing what becomes due, and would block if nobody read its output.
    let reading = thread::Builder::new()
        .name("frames: the output".into())
        .spawn(move || drop(std::io::copy(&mut said, &mut std::io::sink())))
        .expect("a thread");
    (process, typing, reading)
}
