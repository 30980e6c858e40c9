//! Tests of reminders and progress across processes: the command line holds the profile, and a window listens through
//! the socket.

#![cfg(unix)]
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use adjutant::service::{Frame, Frames};
use adjutant::session::{Options, Session};
use adjutant_api::{EventBody, Reply, Request};
use serde_json::json;

const NOW: &str = "2026-01-12T09:00:00+01:00[Europe/Paris]";

/// Number of reminders after which the holder must have noticed that a listener is gone.
const TURNS_MAX: usize = 200;

/// `adjutant chat` on a profile, which makes it the holder.
struct Holder {
    process: Child,
    typing: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
}

impl Holder {
    fn start(home: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .arg("--home")
            .arg(home)
            .args(["--now", NOW, "--json", "chat"])
            .env_remove("ADJUTANT_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let typing = process.stdin.take().expect("its input");
        let said = BufReader::new(process.stdout.take().expect("its output")).lines();
        let mut holder = Self {
            process,
            typing,
            said,
        };
        // After its first turn it certainly holds the profile.
        holder.ask("what is on today?");
        holder
    }

    /// Sends a message, and returns every line up to the end of its turn.
    fn ask(&mut self, text: &str) -> Vec<String> {
        writeln!(self.typing, "{text}").expect("typed");
        self.until("\"event\":\"done\"")
    }

    fn until(&mut self, mark: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in self.said.by_ref().map_while(Result::ok) {
            let last = line.contains(mark);
            lines.push(line);
            if last {
                return lines;
            }
        }
        panic!("the holder ended before {mark}: {lines:?}");
    }

    fn end(mut self) {
        drop(self.typing);
        assert!(self.process.wait().expect("it ends").success());
    }
}

async fn window(home: &Path) -> Session {
    let options = Options {
        home: Some(home.to_path_buf()),
        now: Some(NOW.parse().expect("an instant")),
        ..Options::default()
    };
    let session = Session::open(&options).await.expect("it opens");
    assert!(session.service().is_none(), "a client");
    session
}

async fn listening(session: &Session, request: Request) -> Frames {
    let mut frames = session.call(request).await;
    let first = frames.recv().await.expect("a reply");
    assert_eq!(first, Frame::Reply(Box::new(Reply::Ok {})));
    frames
}

fn whole_profile() -> Request {
    Request::Subscribe {
        conversation: String::new(),
        from: 0,
    }
}

async fn until<T>(frames: &mut Frames, wanted: impl Fn(&EventBody) -> Option<T>) -> T {
    while let Some(frame) = frames.recv().await {
        if let Frame::Event(event) = frame
            && let Some(found) = wanted(&event.body)
        {
            return found;
        }
    }
    panic!("the connection ended");
}

/// Returns the title, and whether the receiver should show it.
fn reminder(body: &EventBody) -> Option<(String, bool)> {
    match body {
        EventBody::Reminder { title, show, .. } => Some((title.clone(), *show)),
        _ => None,
    }
}

async fn remind(session: &Session, title: &str) {
    let request = Request::Apply {
        tool: "task.create".into(),
        args: json!({ "title": title, "remind_at": "2026-01-12T08:59:30+01:00" }),
    };
    let mut frames = session.call(request).await;
    let Some(Frame::Reply(reply)) = frames.recv().await else {
        panic!("no reply");
    };
    assert!(
        matches!(
            *reply,
            Reply::Applied {
                outcome: adjutant_api::reply::Applied::Done { .. }
            }
        ),
        "{reply:?}"
    );
}

#[tokio::test]
async fn a_window_shows_reminders_of_a_profile_held_elsewhere() {
    let home = tempfile::tempdir().expect("a folder");
    let mut holder = Holder::start(home.path());
    let session = window(home.path()).await;
    let mut news = listening(&session, whole_profile()).await;
    let mut showing = listening(&session, Request::Notify {}).await;
    let mut later = listening(&session, Request::Notify {}).await;

    remind(&session, "Stretch").await;
    assert_eq!(
        until(&mut showing, reminder).await,
        ("Stretch".to_owned(), true)
    );
    assert_eq!(
        until(&mut news, reminder).await,
        ("Stretch".to_owned(), false)
    );

    // The first window stops listening, and from some moment on the next one shows them.
    drop(showing);
    let mut taken_over = None;
    for turn in 0..TURNS_MAX {
        remind(&session, &format!("Drink water {turn}")).await;
        if let Ok(Frame::Event(event)) = later.try_recv() {
            taken_over = reminder(&event.body);
            break;
        }
    }
    assert!(
        taken_over.is_some_and(|(_, show)| show),
        "the next window takes over"
    );
    session.close().await;
    let before = holder.ask("what are my tasks?");
    assert!(
        !before.iter().any(|line| line.contains("Reminder: Stretch")),
        "the holder showed what the window has shown: {before:?}"
    );
    holder.end();
}

#[tokio::test]
async fn the_holder_shows_reminders_without_a_window() {
    let home = tempfile::tempdir().expect("a folder");
    let mut holder = Holder::start(home.path());
    let session = window(home.path()).await;
    remind(&session, "Stretch").await;
    let lines = holder.until("\"event\":\"due\"");
    assert!(
        lines.iter().any(|line| line.contains("Reminder: Stretch")),
        "{lines:?}"
    );
    session.close().await;
    holder.end();
}

#[tokio::test]
async fn every_follower_of_the_profile_gets_import_progress() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("many.csv");
    let rows: String = (0..1_200).map(|row| format!("Task {row},\n")).collect();
    std::fs::write(&file, format!("title,due\n{rows}")).expect("a file");
    let holder = Holder::start(home.path());
    let (asking, watching) = (window(home.path()).await, window(home.path()).await);
    let mut news = listening(&watching, whole_profile()).await;
    let mut frames = asking
        .call(Request::Import {
            paths: vec![file.display().to_string()],
        })
        .await;
    let progress = |body: &EventBody| match body {
        EventBody::Progress { what, done, .. } => Some((what.clone(), *done)),
        _ => None,
    };
    let mut heard = Vec::new();
    while heard.last() != Some(&("many.csv".to_owned(), 1_200)) {
        heard.push(until(&mut news, progress).await);
    }
    assert_eq!(heard.first(), Some(&("many.csv".to_owned(), 500)));
    // The requesting client gets the event too, and the reply.
    assert_eq!(
        until(&mut frames, progress).await,
        ("many.csv".to_owned(), 500)
    );
    while let Some(frame) = frames.recv().await {
        if let Frame::Reply(reply) = frame {
            assert!(matches!(*reply, Reply::Imported { .. }));
        }
    }
    asking.close().await;
    watching.close().await;
    holder.end();
}
