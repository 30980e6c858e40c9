//! Tests against a real llama.cpp server with a tiny random model (`tests/models/llama_peer.py`): real tokens, real
//! streaming, characters that arrive in parts, and a window that is too small. Skipped if the server is not installed.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use crate::PEERS;
use crate::support::{connection, hear, keys, model, net, request, tools};
use adjutant_domain::model::{ModelFault, ReplyShape, Stage, StopReason};
use adjutant_models::{Connection, ProviderKind, discover, embedder};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

struct Llama {
    connection: Connection,
    _process: Child,
}

/// Returns the Python for which `scripts/setup test` installs the server.
fn python() -> PathBuf {
    #[expect(
        clippy::disallowed_methods,
        reason = "the tests of a peer look where the scripts put it"
    )]
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")))
        .unwrap_or_default();
    cache.join("adjutant/tools/llama/bin/python")
}

/// Starts the server and waits for its ready line.
async fn llama(option: Option<&str>) -> Option<Llama> {
    let python = python();
    if !python.exists() {
        eprintln!("Skipped: the llama.cpp server is not installed (scripts/setup test).");
        return None;
    }
    let mut process = Command::new(python)
        .arg("llama_peer.py")
        .args(option)
        .current_dir(PEERS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap();
    let line = line.expect("the llama.cpp server ends before it listens");
    let base = line.strip_prefix("ready ").unwrap();
    let mut connection = connection(ProviderKind::Compatible, base);
    // A machine under load is slow, and no test waits for this limit.
    connection.first_piece_seconds = Some(60);
    connection.between_pieces_seconds = Some(60);
    Some(Llama {
        connection,
        _process: process,
    })
}

#[tokio::test]
async fn counts_tokens_and_respects_the_limit() {
    let Some(llama) = llama(None).await else {
        return;
    };
    let model = model(&llama.connection);
    let mut sent = Vec::new();
    for text in ["crab: ", "crab: 🦀", "crab: 🦀漢"] {
        let mut asked = request(Stage::Respond, text);
        asked.max_output_tokens = 8;
        let heard = hear(&*model, asked).await;
        assert_eq!((heard.fault, heard.broken_rule), (None, None));
        assert!(!heard.usage.estimated);
        assert!(matches!(
            heard.stop,
            Some(StopReason::Length | StopReason::Complete)
        ));
        assert!(heard.usage.output <= 8);
        sent.push(heard.usage.input);
    }
    // Every byte is a token of this model.
    assert_eq!((sent[1] - sent[0], sent[2] - sent[1]), (4, 3));
}

#[tokio::test]
async fn obeys_a_schema_and_joins_split_characters() {
    let Some(llama) = llama(None).await else {
        return;
    };
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["answer"],
        "properties": {"answer": {"enum": ["grüße 漢字 🦀", "👩‍👩‍👧‍👦 über"]}}});
    let mut asked = request(Stage::Plan, "answer");
    asked.reply = ReplyShape::Json {
        schema: schema.clone(),
    };
    let heard = hear(&*model(&llama.connection), asked).await;
    assert_eq!((heard.fault, heard.broken_rule), (None, None));
    let value: Value = serde_json::from_str(&heard.text).unwrap();
    assert!(jsonschema::is_valid(&schema, &value), "{value}");
    assert!(heard.pieces > 3, "it streams: {}", heard.pieces);
}

#[tokio::test]
async fn a_request_larger_than_the_window_is_too_long() {
    let Some(llama) = llama(None).await else {
        return;
    };
    let long = "more than it can hold ".repeat(200);
    let heard = hear(&*model(&llama.connection), request(Stage::Respond, &long)).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::TooLong { .. })),
        "{heard:?}"
    );
}

#[tokio::test]
async fn accepts_tools() {
    let Some(llama) = llama(None).await else {
        return;
    };
    let mut asked = request(Stage::Plan, "use tools");
    asked.tools = tools();
    asked.max_output_tokens = 8;
    let heard = hear(&*model(&llama.connection), asked).await;
    // A random model calls nothing; it matters only that the server accepted the request.
    assert_eq!(heard.fault, None);
}

#[tokio::test]
async fn a_dropped_call_makes_room_for_the_next() {
    let Some(llama) = llama(None).await else {
        return;
    };
    let model = model(&llama.connection);
    // The server handles one request at a time. Without cancellation the last request would wait for all others.
    for _ in 0..3 {
        let mut endless = request(Stage::Respond, "go on and on");
        endless.max_output_tokens = 1500;
        let mut stream = model.stream(Arc::new(endless));
        stream.next().await.unwrap().unwrap();
        stream.next().await.unwrap().unwrap();
    }
    let mut asked = request(Stage::Respond, "short");
    asked.max_output_tokens = 4;
    assert_eq!(hear(&*model, asked).await.fault, None);
}

#[tokio::test]
async fn finds_the_server_with_its_window() {
    let Some(llama) = llama(None).await else {
        return;
    };
    let place = discover::ServerPort {
        label: "llama.cpp",
        kind: ProviderKind::Compatible,
        port: llama.connection.base_url.port().unwrap(),
    };
    let found = discover::discover(&net(), &[place]).await;
    assert_eq!(found.len(), 1);
    let connection = found[0].connection().unwrap();
    let choice = connection
        .choice(adjutant_domain::model::Tier::Fast)
        .unwrap();
    assert_eq!((choice.id.as_str(), choice.context_tokens), ("noise", 2048));
}

#[tokio::test]
async fn makes_vectors() {
    let Some(llama) = llama(Some("--embedding")).await else {
        return;
    };
    let mut connection = llama.connection.clone();
    connection.embedding = Some("noise".to_owned());
    let embedder = embedder(&connection, &net(), &keys()).unwrap().unwrap();
    let texts = vec!["water".to_owned(), "plants".to_owned(), "water".to_owned()];
    let vectors = embedder.embed(texts).await.unwrap();
    assert_eq!(vectors.len(), 3);
    assert_eq!(vectors[0], vectors[2]);
    assert_ne!(vectors[0], vectors[1]);
}
