//! App and process together: the real ones, from the command line down, on a model made here.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

#[path = "../src-tauri/crates/local/tests/tiny/mod.rs"]
mod tiny;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use adjutant_domain::model::{
    ChatModel as _, ModelEvent, ModelFault, ModelMessage, ModelRequest, Prompted, Purpose,
    ReplyShape, Role, Stage, StopReason, Tier,
};
use adjutant_models::local::FileModel;
use adjutant_models::tiers::SinceStart;
use futures::StreamExt as _;
use serde_json::{Value, json};
use tiny::{MARKS, WINDOW, tiny, tiny_with};

/// The process of the app, which Cargo does not build for the tests of another crate.
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
fn a_file_is_connected_tested_and_asked_from_the_command_line() {
    program();
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    tiny_with(&home.join("tiny.gguf"), 4_096);
    // The path is kept whole, whatever folder it was given in.
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
    })
}

#[tokio::test]
async fn a_whole_answer_is_what_the_schema_wants() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file);
    let model = model(&file);
    let schema = json!({"type": "object", "properties": {"sure": {"type": "boolean"}},
                        "required": ["sure"], "additionalProperties": false});
    for asked in ["hello", MARKS[2]] {
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
async fn a_file_that_is_no_model_is_told_by_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("not.gguf");
    std::fs::write(&file, "no").unwrap();
    let events: Vec<_> = model(&file)
        .stream(request("hello", ReplyShape::Text))
        .collect()
        .await;
    assert!(matches!(&events[..], [Err(ModelFault::Broken { .. })]));
}
