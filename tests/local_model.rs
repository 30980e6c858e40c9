//! Tests of the app together with the process that runs models. Both are the real programs, used from the command line
//! with a model generated here.

#![expect(clippy::panic, clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "../src-tauri/crates/local/tests/tiny/mod.rs"]
mod tiny;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use adjutant_domain::model::{
    ChatModel as _, ModelEvent, ModelFault, ModelMessage, ModelRequest, Prompted, Purpose,
    ReplyShape, Role, Stage, StopReason, Tier,
};
use adjutant_models::local::FileModel;
use adjutant_models::tiers::SinceStart;
use futures::StreamExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tiny::{KINDS, tiny};

/// Size of the context window in tokens.
const WINDOW: u32 = 256;

/// Returns the program that runs models, which Cargo does not build for the tests of another crate.
fn program() -> PathBuf {
    let app = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    let program = app.with_file_name(format!("adjutant-local{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "first: cargo build -p adjutant-local --features engine"
    );
    program
}

fn model(file: &Path) -> FileModel {
    let ticks = Arc::new(SinceStart::new());
    FileModel::new("own/tiny", &program(), file, Tier::Standard, ticks)
}

fn adjutant(home: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    for name in ["ADJUTANT_MODEL_URL", "ADJUTANT_MODEL_KEY", "ADJUTANT_MODEL"] {
        command.env_remove(name);
    }
    command
        .arg("--home")
        .arg(home)
        .args(["--offline", "--json"])
        .args(words)
        .current_dir(home)
        .output()
        .unwrap()
}

fn told(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{errors}"))
}

#[test]
fn connects_tests_and_asks_a_model_file() {
    program();
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    tiny(&home.join("tiny.gguf"), "llama", 2_048);
    // The path is stored as absolute, whatever folder it was relative to.
    let added = told(&adjutant(
        home,
        &["models", "add", "own", "--gguf", "tiny.gguf"],
    ));
    let one = &added["connections"][0];
    assert_eq!(one["kind"], "file");
    assert_eq!(one["local"], true);
    assert_eq!(one["models"]["standard"]["id"], "tiny");
    let address = one["base_url"].as_str().unwrap();
    assert!(address.starts_with("file:///") && address.ends_with("/tiny.gguf"));
    assert_eq!(added["answering"], "own/tiny");

    let test = told(&adjutant(home, &["models", "test", "own"]));
    assert_eq!(test["model"], "own/tiny");
    let verdict = |what: &str| {
        let checks = test["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["what"] == what).unwrap();
        check["verdict"].as_str().unwrap().to_owned()
    };
    let verdicts = ["chat", "stream", "tools", "embeddings"].map(verdict);
    assert_eq!(
        verdicts,
        ["works", "works", "missing", "not_tried"],
        "{test}"
    );

    let told_by_doctor = adjutant(home, &["doctor"]);
    let text = String::from_utf8_lossy(&told_by_doctor.stdout).into_owned();
    assert!(
        text.contains("Model own") && text.contains("it answers"),
        "{text}"
    );

    std::fs::write(home.join("text.gguf"), "no").unwrap();
    for (file, why) in [
        ("text.gguf", "not a GGUF file"),
        ("none.gguf", "cannot be read"),
    ] {
        let refused = adjutant(home, &["models", "add", "bad", "--gguf", file]);
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8_lossy(&refused.stderr).into_owned()
            + &String::from_utf8_lossy(&refused.stdout);
        assert!(said.contains(why), "{said}");
    }
    let both = [
        "models",
        "add",
        "bad",
        "--gguf",
        "tiny.gguf",
        "--model",
        "x",
    ];
    assert_eq!(adjutant(home, &both).status.code(), Some(2));
}

/// Starts a server that has one file and supports range requests.
fn serving(file: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/tiny.gguf", listener.local_addr().unwrap());
    // The thread ends with the test's process.
    std::thread::Builder::new()
        .spawn(move || {
            for stream in listener.incoming() {
                let _ = answer(stream.unwrap(), &file);
            }
        })
        .unwrap();
    address
}

fn answer(mut stream: TcpStream, file: &[u8]) -> std::io::Result<()> {
    let mut asked = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    while !asked.ends_with("\r\n\r\n") {
        reader.read_line(&mut asked)?;
    }
    let from = asked.lines().find_map(|line| {
        let range = line.to_lowercase();
        let range = range.strip_prefix("range: bytes=")?.strip_suffix('-')?;
        range.parse::<usize>().ok()
    });
    let all = file.len();
    let (status, range) = match from {
        Some(from) => (
            "206 Partial Content",
            format!("content-range: bytes {from}-{}/{all}\r\n", all - 1),
        ),
        None => ("200 OK", String::new()),
    };
    let body = &file[from.unwrap_or(0)..];
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{range}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    )?;
    if !asked.starts_with("HEAD") {
        stream.write_all(body)?;
    }
    Ok(())
}

#[test]
fn fetches_checks_connects_and_asks_an_agreed_file() {
    program();
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let made = home.join("made.gguf");
    tiny(&made, "qwen2", 2_048);
    let file = std::fs::read(&made).unwrap();
    let sum: String = Sha256::digest(&file)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let address = serving(file.clone());
    let kept = home.join("models/gguf/tiny.gguf");
    let errors = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();

    // The person has not agreed.
    let asked = adjutant(home, &["models", "fetch", &address]);
    assert_eq!(asked.status.code(), Some(2), "{}", errors(&asked));
    let shown = errors(&asked);
    let size = format!("{} kB", file.len() / 1_000);
    for part in [size.as_str(), "not known here", "not at all", "--yes"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!kept.exists());

    // The received file is a different one.
    let wrong = adjutant(
        home,
        &[
            "models",
            "fetch",
            &address,
            "--yes",
            "--sha256",
            &"ab".repeat(32),
        ],
    );
    assert_eq!(wrong.status.code(), Some(1));
    assert!(errors(&wrong).contains("deleted"), "{}", errors(&wrong));
    assert!(!kept.exists());

    // The first part is already there.
    std::fs::write(
        home.join(format!("models/gguf/tiny.gguf.{}.part", &sum[..16])),
        &file[..5_000],
    )
    .unwrap();
    let fetched = adjutant(
        home,
        &["models", "fetch", &address, "--yes", "--sha256", &sum],
    );
    assert!(
        errors(&fetched).contains("5 kB already fetched"),
        "{}",
        errors(&fetched)
    );
    let fetched = told(&fetched);
    assert_eq!(fetched["checked"], true);
    assert_eq!(fetched["path"], kept.to_str().unwrap());
    assert_eq!(std::fs::read(&kept).unwrap(), file);

    let added = told(&adjutant(
        home,
        &["models", "add", "own", "--gguf", kept.to_str().unwrap()],
    ));
    let model = &added["connections"][0]["models"]["standard"];
    assert_eq!(model["context_tokens"], 2_048, "the file told its window");
    assert!(added["kinds"].to_string().contains("\"file\""));

    // Models known by name have to be downloaded, and this Adjutant is offline.
    let known = told(&adjutant(home, &["models", "fetch"]));
    assert_eq!(known["unable"], Value::Null);
    let name = known["known"][0]["name"].as_str().unwrap();
    let offline = adjutant(home, &["models", "fetch", name, "--yes"]);
    assert_eq!(offline.status.code(), Some(1));
    assert!(errors(&offline).contains("offline"), "{}", errors(&offline));
}

#[test]
fn the_process_ends_with_its_caller_during_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, "llama", 4_096);
    let mut process = Command::new(program())
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let long = json!({"type": "string", "minLength": 4_000});
    let ask = json!({"ask": "generate", "id": 1, "system": "", "messages": [], "schema": long, "max_tokens": 4_000});
    writeln!(input, "{ask}").unwrap();
    let mut line = String::new();
    while !line.contains("token") {
        line.clear();
        output.read_line(&mut line).unwrap();
    }
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(process.wait().unwrap().success());
    assert!(!rest.contains("\"end\""), "it went on to the end");
}

fn request(text: &str, reply: ReplyShape) -> Arc<ModelRequest> {
    Arc::new(ModelRequest {
        stage: Stage::Route,
        tier: Tier::Standard,
        purpose: Purpose::Foreground,
        turn: None,
        system: Prompted {
            text: "Be brief.".into(),
            revision: "test".into(),
        },
        messages: vec![ModelMessage {
            role: Role::User,
            text: text.into(),
        }],
        tools: Vec::new(),
        reply,
        max_output_tokens: 60,
        within: Default::default(),
    })
}

#[tokio::test]
async fn a_complete_answer_matches_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, KINDS[2], WINDOW);
    let model = model(&file);
    let schema = json!({"type": "object", "properties": {"sure": {"type": "boolean"}},
                        "required": ["sure"], "additionalProperties": false});
    for asked in ["hello", "<|im_end|>"] {
        let reply = ReplyShape::Json {
            schema: schema.clone(),
        };
        let events: Vec<_> = model.stream(request(asked, reply)).collect().await;
        let mut said = String::new();
        for event in &events {
            if let Ok(ModelEvent::Token { text }) = event {
                said.push_str(text);
            }
        }
        let ended = events.last().unwrap().as_ref().unwrap();
        assert!(
            matches!(ended, ModelEvent::End { stop: StopReason::Complete, usage } if usage.input > 0 && usage.output > 0)
        );
        let value: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert!(value["sure"].is_boolean());
    }
    assert_eq!(model.profile().context_tokens, WINDOW);
    let long = request(&"long ".repeat(400), ReplyShape::Text);
    let faults: Vec<_> = model.stream(long).collect().await;
    assert!(matches!(
        faults.last(),
        Some(Err(ModelFault::TooLong { .. }))
    ));
}

#[tokio::test]
async fn the_process_reports_a_file_that_is_not_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("not.gguf");
    std::fs::write(&file, "no").unwrap();
    let events: Vec<_> = model(&file)
        .stream(request("hello", ReplyShape::Text))
        .collect()
        .await;
    assert!(matches!(&events[..], [Err(ModelFault::Broken { .. })]));
}
