//! Helpers to run the program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub const KEY: &str = "sk-local-0123456789abcdef0123456789";

pub fn command(home: &Path, url: &str) -> Command {
    command_at(home, url, "2026-01-12T09:00:00-05:00[America/New_York]")
}

/// Returns the command at another time.
pub fn command_at(home: &Path, url: &str, now: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .env("ADJUTANT_MODEL_URL", url)
        .env("ADJUTANT_MODEL_KEY", KEY)
        .env("ADJUTANT_MODEL", "lab-model")
        .env("NO_PROXY", "127.0.0.1")
        .arg("--home")
        .arg(home)
        .args(["--now", now])
        .stdin(Stdio::null());
    command
}

/// A remote server, which no test reaches.
pub const FAR: &str = "https://models.example/v1";
/// Command that connects it.
pub const ADD_FAR: [&str; 7] = ["models", "add", "far", "--url", FAR, "--model", "m"];

pub fn ask(home: &Path, url: &str, text: &str) -> (Output, Vec<Value>) {
    let output = command(home, url)
        .args(["--offline", "--json", "ask", text])
        .output()
        .unwrap();
    let events = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    (output, events)
}

pub fn last(events: &[Value]) -> &Value {
    events.last().expect("a turn has events")
}

pub const CHAT: &str = "Tell me a story about a dragon";
pub const TASKS: &str = "Rearrange my tasks so that the urgent ones come first";

/// Runs the program without environment variables about models.
pub fn plain(home: &Path, words: &[&str]) -> Output {
    let mut command = command(home, "");
    for name in ["ADJUTANT_MODEL_URL", "ADJUTANT_MODEL_KEY", "ADJUTANT_MODEL"] {
        command.env_remove(name);
    }
    command
        .args(["--offline", "--json"])
        .args(words)
        .output()
        .unwrap()
}

pub fn connections(output: &Output) -> Vec<String> {
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let models: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = models["connections"].as_array().unwrap();
    list.iter()
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Runs a command without environment variables about models, and with an unreachable keyring.
pub fn run(home: &Path, input: &str, words: &[&str]) -> Output {
    let mut command = command(home, "");
    for name in ["ADJUTANT_MODEL_URL", "ADJUTANT_MODEL_KEY", "ADJUTANT_MODEL"] {
        command.env_remove(name);
    }
    let mut child = command
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
        .env("GATEWAY_TOKEN", "s3cret-of-a-gateway")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that rejects its arguments does not read its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

pub fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Returns every byte of every file under a folder.
pub fn bytes(dir: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(bytes(&path));
        } else {
            all.extend(std::fs::read(&path).unwrap_or_default());
        }
    }
    all
}

/// Adds a connection and asks. Returns the answer, and every event.
pub fn ask_with(home: &Path, add: &[&str], flags: &[&str], text: &str) -> (String, String) {
    let added = run(home, "", &[&["models", "add", "lab"], add].concat());
    assert_eq!(added.status.code(), Some(0), "{}", said(&added));
    let output = run(home, "", &[flags, &["--json", "ask", text]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let end: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!(end["event"], "done", "{told}");
    (end["answer"].as_str().unwrap_or_default().to_owned(), told)
}
