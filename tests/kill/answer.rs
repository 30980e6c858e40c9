//! Tests of a kill while an answer is being streamed: after the restart, the part received so far is there with a note
//! that it was cut off, and nothing is made up.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt as _;
use std::thread;

use adjutant_domain::ports::TurnLog as _;
use adjutant_store::{Store, StoreOptions};
use serde_json::json;

use super::{Profile, no_open_turn};

/// What the model sends before it falls silent.
const BEGINNING: &str = "Once upon a time there was a dragon";
const QUESTION: &str = "Tell me a story about a dragon";

/// Starts a model that sends the beginning of an answer and then nothing until the client disconnects.
fn silent_after_the_beginning() -> (String, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let thread = thread::Builder::new()
        .name("silent model".into())
        .spawn(move || {
            let (mut stream, _) = listener.accept().expect("a request");
            let mut reader = BufReader::new(stream.try_clone().expect("a handle"));
            let mut length = 0;
            loop {
                let mut header = String::new();
                reader.read_line(&mut header).expect("a header");
                let header = header.trim().to_ascii_lowercase();
                if header.is_empty() {
                    break;
                }
                if let Some(value) = header.strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a length");
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let piece = json!({"choices": [{"index": 0, "delta": {"content": BEGINNING}, "finish_reason": null}]});
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: {piece}\n\n"
            )
            .expect("sent");
            stream.flush().expect("sent");
            // Ends when the asking process does.
            let mut rest = Vec::new();
            drop(reader.read_to_end(&mut rest));
        })
        .expect("a thread");
    (url, thread)
}

/// Asks, and is killed where a part of the answer is stored. Returns what the turn shows afterwards.
fn killed_at(phase: &str) -> String {
    let profile = Profile::new();
    let (url, model) = silent_after_the_beginning();
    let at = format!("keep_journal.{phase}");
    let output = profile
        .command(&["ask", QUESTION])
        .env("ADJUTANT_CRASH_AT", &at)
        .env("ADJUTANT_MODEL_URL", &url)
        .env("ADJUTANT_MODEL_KEY", "sk-local-0123456789abcdef")
        .env("ADJUTANT_MODEL", "lab-model")
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .expect("it runs");
    assert_eq!(
        output.status.signal(),
        Some(super::SIGKILL),
        "{at}: {output:?}"
    );
    model.join().expect("the model heard of it");
    no_open_turn(&profile, &at);
    let text = messages(&profile).join("\n");
    assert!(text.contains(QUESTION), "{at}: the message is lost: {text}");
    assert!(
        text.contains("Adjutant stopped before this was finished."),
        "{at}: not said that it was cut off: {text}"
    );
    text
}

/// Returns the messages, as the next process finds them.
fn messages(profile: &Profile) -> Vec<String> {
    let folder = super::ledger::only_profile(profile.path());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(&folder, StoreOptions::default()).expect("a profile");
        let (past, _) = store.past(&"main".into()).await.expect("the past");
        past.messages.into_iter().map(|one| one.text).collect()
    })
}

#[test]
fn streamed_parts_of_an_answer_survive_a_kill() {
    let shown = killed_at("after");
    assert!(shown.contains(&format!("{BEGINNING} …")), "{shown}");
}

#[test]
fn does_not_make_up_unstored_parts() {
    for phase in ["before", "inside"] {
        let shown = killed_at(phase);
        assert!(!shown.contains("there was a dragon"), "{phase}: {shown}");
    }
}
