//! One suite for every provider, run against an independent model server (`tests/models/peer.mjs`).

use std::process::Stdio;
use std::time::Duration;

use crate::PEERS;
use crate::support::{
    CollectedReply, KEY, connection, hear, keys, message, model, net, plan_schema, request, tools,
};
use adjutant_domain::model::{ModelFault, ReplyShape, Stage, StopReason, Tier};
use adjutant_models::probe::{ProbeAsks, Subject, Verdict, probe};
use adjutant_models::{Connection, ProviderKind, discover, embedder};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

const GREETING: &str = "Hello from the peer: grüße, 漢字, 🦀🦀🦀.";

/// The peer. It exits when its standard input closes, which happens when this is dropped.
struct Peer {
    base: String,
    _process: Child,
}

/// Starts the peer and waits for its ready line. Returns `None` only if Node is not installed.
async fn peer() -> Option<Peer> {
    let process = Command::new("node")
        .arg("peer.mjs")
        .current_dir(PEERS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .spawn();
    let mut process = match process {
        Ok(process) => process,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("Skipped: Node is not installed, so the peer cannot run.");
            return None;
        }
        Err(error) => panic!("the peer did not start: {error}"),
    };
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap();
    let base = line
        .as_deref()
        .and_then(|line| line.strip_prefix("ready "))
        .expect(
            "the peer ends before it listens. Run scripts/setup test, which installs its packages",
        )
        .to_owned();
    Some(Peer {
        base,
        _process: process,
    })
}

async fn ask(connection: &Connection, text: &str) -> CollectedReply {
    let heard = hear(&*model(connection), request(Stage::Respond, text)).await;
    assert_eq!(heard.broken_rule, None, "{text}");
    heard
}

/// Checks everything a provider must do.
async fn conforms(kind: ProviderKind, path: &str) {
    let Some(peer) = peer().await else { return };
    let connection = connection(kind, &format!("{}{path}", peer.base));
    text_streams(&connection).await;
    tools_are_called(&connection).await;
    structure_is_asked_for_by_name(&connection).await;
    faults_are_told_apart(&connection).await;
    broken_streams_are_no_answers(&connection).await;
    silence_ends(&connection).await;
    nothing_of_the_key_is_kept(&peer, &connection).await;
}

async fn text_streams(connection: &Connection) {
    let heard = ask(connection, "say hello").await;
    assert_eq!(heard.fault, None);
    assert_eq!(
        (heard.text.as_str(), heard.stop),
        (GREETING, Some(StopReason::Complete))
    );
    assert!(heard.pieces > 3, "it streams: {}", heard.pieces);
    assert!(heard.usage.input > 0 && heard.usage.output > 0);
    assert_eq!(
        heard.usage.cost_micros,
        heard.usage.input * 3 + heard.usage.output * 15,
        "a price that was given counts, on this computer as well"
    );
    let counted = ask(connection, "count it").await.usage;
    match connection.kind {
        // The peer reports no usage in Ollama's format, so it is estimated.
        ProviderKind::Ollama => assert!(counted.estimated && counted.input > 10),
        _ => assert_eq!(
            (counted.input, counted.output, counted.estimated),
            (21, 12, false)
        ),
    }
    let short = ask(connection, "stop early").await;
    if connection.kind != ProviderKind::Ollama {
        assert_eq!(short.stop, Some(StopReason::Length));
        let thought = ask(connection, "think first").await;
        assert_eq!(
            (thought.thinking.as_str(), thought.text.as_str()),
            ("Two and two.", "Four.")
        );
    }
    assert_eq!(ask(connection, "be slow").await.text, GREETING);
}

async fn tools_are_called(connection: &Connection) {
    let mut asked = request(Stage::Plan, "use tools");
    asked.tools = tools();
    let heard = hear(&*model(connection), asked).await;
    assert_eq!(
        heard.calls,
        [
            (
                "task.list".to_owned(),
                json!({"status": "open", "text": "🦀 grüße 🦀🦀"})
            ),
            (
                "task.create".to_owned(),
                json!({"title": "water \"the\" plants"})
            ),
        ]
    );
    assert_eq!(heard.stop, Some(StopReason::Tools));
    let mut asked = request(Stage::Respond, "say and use");
    asked.tools = tools();
    let heard = hear(&*model(connection), asked).await;
    assert_eq!(heard.text, "I look.");
    assert_eq!(heard.calls, [("task.list".to_owned(), json!({}))]);
}

async fn structure_is_asked_for_by_name(connection: &Connection) {
    for structure in [true, false] {
        let mut connection = connection.clone();
        connection
            .models
            .get_mut(&Tier::Standard)
            .unwrap()
            .structure = structure;
        let mut asked = request(Stage::Plan, "plan it");
        asked.reply = ReplyShape::Json {
            schema: plan_schema(),
        };
        let heard = hear(&*model(&connection), asked).await;
        let plan: Value = serde_json::from_str(&heard.text).unwrap();
        assert_eq!(plan["request"], "water the plants");
        assert_eq!(
            (heard.stop, heard.calls.len()),
            (Some(StopReason::Complete), 0)
        );
    }
}

async fn faults_are_told_apart(connection: &Connection) {
    for (status, is_right) in [
        (
            400,
            (|fault| matches!(fault, ModelFault::Refused { .. })) as fn(&ModelFault) -> bool,
        ),
        (401, |fault| matches!(fault, ModelFault::Key { .. })),
        (403, |fault| {
            matches!(fault, ModelFault::Refused { .. } | ModelFault::Key { .. })
        }),
        (404, |fault| matches!(fault, ModelFault::NoSuchModel { .. })),
        (429, |fault| matches!(fault, ModelFault::Busy { .. })),
        (500, |fault| matches!(fault, ModelFault::Broken { .. })),
        (502, |fault| matches!(fault, ModelFault::Broken { .. })),
        (503, |fault| {
            matches!(fault, ModelFault::Broken { .. } | ModelFault::Busy { .. })
        }),
        (529, |fault| matches!(fault, ModelFault::Busy { .. })),
    ] {
        let heard = ask(connection, &format!("fail {status}")).await;
        let fault = heard.fault.expect("a fault");
        assert!(is_right(&fault), "{status}: {fault:?}");
    }
    let heard = ask(connection, "too long").await;
    assert!(
        matches!(heard.fault, Some(ModelFault::TooLong { .. })),
        "{heard:?}"
    );
    let limited = ask(connection, "be limited").await.fault;
    let Some(ModelFault::Busy { retry_after, .. }) = limited else {
        panic!("{limited:?}");
    };
    assert!(retry_after.is_some_and(|wait| wait >= Duration::from_secs(1)));
    let dropped = ask(connection, "be dropped").await.fault;
    assert!(
        matches!(dropped, Some(ModelFault::Broken { .. })),
        "{dropped:?}"
    );
}

async fn broken_streams_are_no_answers(connection: &Connection) {
    for text in ["cut short", "hang up"] {
        let heard = ask(connection, text).await;
        assert!(
            matches!(heard.fault, Some(ModelFault::Cut { .. })),
            "{text}: {heard:?}"
        );
        assert!(GREETING.repeat(40).starts_with(&heard.text));
    }
    let garbled = ask(connection, "be garbled").await.fault;
    assert!(
        matches!(
            garbled,
            Some(ModelFault::Broken { .. } | ModelFault::Cut { .. })
        ),
        "{garbled:?}"
    );
    let gone = ask(connection, "disconnect").await.fault;
    assert!(
        matches!(
            gone,
            Some(ModelFault::Cut { .. } | ModelFault::Unreachable { .. })
        ),
        "{gone:?}"
    );
}

async fn silence_ends(connection: &Connection) {
    let mut connection = connection.clone();
    connection.first_piece_seconds = Some(1);
    connection.between_pieces_seconds = Some(1);
    let heard = ask(&connection, "be silent").await;
    assert!(
        matches!(heard.fault, Some(ModelFault::Stalled { .. })),
        "{heard:?}"
    );
}

/// The peer records requests: the stage is in the record, and the key only in its header.
async fn nothing_of_the_key_is_kept(peer: &Peer, connection: &Connection) {
    let list = adjutant_net::Url::parse(&format!("{}/__aimock/journal", peer.base)).unwrap();
    let asked = adjutant_net::Outgoing::new(adjutant_net::Method::GET, list, "journal");
    let reply = net().send(asked).await.unwrap();
    let journal = reply.bytes(Duration::from_secs(5)).await.unwrap();
    let journal: Value = serde_json::from_slice(&journal).unwrap();
    let entries = journal.as_array().expect("a list of requests");
    assert!(entries.len() > 20, "{}", entries.len());
    for entry in entries.iter().filter(|entry| !entry["body"].is_null()) {
        assert!(
            !entry["body"].to_string().contains(KEY),
            "{:?}",
            connection.kind
        );
        assert!(
            !entry["path"].to_string().contains(KEY),
            "{:?}",
            connection.kind
        );
        assert!(entry["headers"]["x-adjutant-stage"].is_string(), "{entry}");
    }
}

#[tokio::test]
async fn openai_conforms() {
    conforms(ProviderKind::OpenAi, "").await;
}

#[tokio::test]
async fn a_compatible_server_conforms() {
    conforms(ProviderKind::Compatible, "/v1").await;
}

#[tokio::test]
async fn openrouter_conforms() {
    conforms(ProviderKind::Compatible, "/api/v1").await;
}

#[tokio::test]
async fn anthropic_conforms() {
    conforms(ProviderKind::Anthropic, "").await;
}

#[tokio::test]
async fn gemini_conforms() {
    conforms(ProviderKind::Gemini, "").await;
}

#[tokio::test]
async fn ollama_conforms() {
    conforms(ProviderKind::Ollama, "").await;
}

#[tokio::test]
async fn vectors_come_in_the_order_of_their_texts() {
    let Some(peer) = peer().await else { return };
    let mut connection = connection(ProviderKind::OpenAi, &peer.base);
    connection.embedding = Some("text-embedding-3-small".to_owned());
    let embedder = embedder(&connection, &net(), &keys()).unwrap().unwrap();
    let vectors = embedder.embed(vec!["one vector".to_owned()]).await.unwrap();
    assert_eq!(vectors, [vec![0.25, -0.5, 1.0]]);
    let many: Vec<String> = (0..150).map(|number| format!("text {number}")).collect();
    let all = embedder.embed(many.clone()).await.unwrap();
    assert_eq!(all.len(), 150);
    let last = embedder.embed(many[149..].to_vec()).await.unwrap();
    assert_eq!(all[149], last[0]);
    assert_ne!(all[0], all[149]);
}

#[tokio::test]
async fn lists_models_and_finds_the_server() {
    let Some(peer) = peer().await else { return };
    let port = adjutant_net::Url::parse(&peer.base)
        .unwrap()
        .port()
        .unwrap();
    let place = |label, kind, port| discover::ServerPort { label, kind, port };
    let found = discover::discover(
        &net(),
        &[
            place("Ollama", ProviderKind::Ollama, port),
            place("vLLM", ProviderKind::Compatible, port),
            // Nothing listens there.
            place("LM Studio", ProviderKind::Compatible, 1),
        ],
    )
    .await;
    let labels: Vec<&str> = found.iter().map(|server| server.label.as_str()).collect();
    assert_eq!(labels, ["Ollama", "vLLM"]);
    for server in &found {
        assert!(server.models.iter().any(|model| model.id == "gpt-4o"));
        let heard = ask(&server.connection().unwrap(), "say hello").await;
        assert_eq!(heard.text, GREETING, "{}", server.label);
    }
}

#[tokio::test]
async fn a_probe_reports_what_works() {
    let Some(peer) = peer().await else { return };
    let asks = |chat: &str, tool: &str, plan: &str| {
        let mut asks = ProbeAsks {
            chat: request(Stage::Probe, chat),
            tools: request(Stage::Probe, tool),
            structure: request(Stage::Probe, plan),
        };
        asks.tools.tools = tools();
        asks.structure.reply = ReplyShape::Json {
            schema: plan_schema(),
        };
        asks
    };
    let mut connection = connection(ProviderKind::Compatible, &peer.base);
    connection.embedding = Some("vectors".to_owned());
    let report = probe(
        Subject::of(&connection, Tier::Standard, &net(), &keys()),
        asks("be slow", "use tools", "plan it"),
    )
    .await;
    for verdict in [
        &report.chat,
        &report.stream,
        &report.tools,
        &report.structure,
        &report.embeddings,
    ] {
        assert_eq!(verdict, &Verdict::Works, "{report:?}");
    }
    assert!(
        report.first_ms.is_some_and(|ms| ms >= 150) && report.usage_told,
        "{report:?}"
    );
    assert!(
        report.tokens_per_second.is_some_and(|speed| speed > 0.0),
        "{report:?}"
    );

    let report = probe(
        Subject::of(&connection, Tier::Standard, &net(), &keys()),
        asks("say hello", "say hello", "say hello"),
    )
    .await;
    assert!(
        matches!(report.tools, Verdict::Missing { .. }),
        "{report:?}"
    );
    assert!(
        matches!(report.structure, Verdict::Missing { .. }),
        "{report:?}"
    );
    let choice = &connection.models[&Tier::Standard];
    assert!(!report.learned(choice).tools && !report.learned(choice).structure);

    let failed = probe(
        Subject::of(&connection, Tier::Standard, &net(), &keys()),
        asks("fail 401", "use tools", "plan it"),
    )
    .await;
    assert!(
        matches!(
            failed.chat,
            Verdict::Failed {
                fault: ModelFault::Key { .. }
            }
        ),
        "{failed:?}"
    );
    assert_eq!(failed.tools, Verdict::NotTried);
}

#[tokio::test]
async fn accepts_a_history_that_begins_with_the_assistant() {
    let Some(peer) = peer().await else { return };
    for kind in ProviderKind::ALL {
        let connection = connection(kind, &peer.base);
        let mut asked = request(Stage::Respond, "say hello");
        asked.messages.insert(
            0,
            message(adjutant_domain::model::Role::Assistant, "Welcome."),
        );
        let heard = hear(&*model(&connection), asked).await;
        assert_eq!(heard.text, GREETING, "{kind:?}");
    }
}
