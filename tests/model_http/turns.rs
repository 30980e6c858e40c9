//! Tests of turns: what they send, and what they report.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::program::{CHAT, KEY, TASKS, ask, command, last};
use crate::server::{Reply, Server, structured, text};

#[test]
fn conversation_sends_one_request_and_streams_its_pieces() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![(
        "respond",
        Reply::Text(vec!["Once ".into(), "upon ".into(), "a time.".into()]),
    )]);
    let (output, events) = ask(home.path(), &server.url, CHAT);
    assert_eq!(output.status.code(), Some(0), "{events:?}");
    assert_eq!(last(&events)["event"], "done");
    assert_eq!(last(&events)["answer"], "Once upon a time.");
    assert_eq!(last(&events)["usage"]["input"], 50);
    assert_eq!(last(&events)["usage"]["output"], 5);
    assert_eq!(server.stages(), ["respond"]);
    let sent = &server.arrived()[0];
    assert_eq!(sent.body["model"], "lab-model");
    assert_eq!(sent.body["stream"], true);
    assert_eq!(sent.shape(), None);
    assert_eq!(
        sent.authorization.as_deref(),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert!(
        !sent.body.to_string().contains(KEY),
        "the key is in no prompt"
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains(KEY));
    assert!(!String::from_utf8_lossy(&output.stderr).contains(KEY));
}

#[test]
fn an_action_sends_a_plan_with_its_schema_and_an_answer() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![
        (
            "plan",
            structured(&json!({"request": "Sort", "question": null, "steps": [
                {"key": "s1", "say": "Add a task", "why": "", "tool": "task.create", "args": {"title": "Sort the desk"}}
            ]})),
        ),
        ("respond", text("It is on your list.")),
    ]);
    let (output, events) = ask(home.path(), &server.url, TASKS);
    assert_eq!(output.status.code(), Some(0), "{events:?}");
    assert_eq!(last(&events)["answer"], "It is on your list.");
    assert_eq!(server.stages(), ["plan", "respond"]);
    assert_eq!(server.arrived()[0].shape(), Some("plan"));
    assert_eq!(last(&events)["used_tools"], json!(["task.create"]));
    let shown = command(home.path(), &server.url)
        .args(["--offline", "--json", "show", "tasks"])
        .output()
        .unwrap();
    let rows: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(rows[0]["title"], "Sort the desk");
}

#[test]
fn sends_nothing_for_what_the_embedded_engine_understands() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Vec::new());
    let (output, _) = ask(
        home.path(),
        &server.url,
        "Add a task to call mom tomorrow at 5pm",
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(server.stages().is_empty());
}

#[test]
fn every_bad_server_gets_an_honest_answer_and_keeps_the_message() {
    let cases = [
        (
            Reply::Status(401, "{\"error\":{\"message\":\"bad key\"}}"),
            "key",
        ),
        (
            Reply::Status(404, "{\"error\":{\"message\":\"no such model\"}}"),
            "model",
        ),
        (
            Reply::Status(429, "{\"error\":{\"message\":\"slow down\"}}"),
            "requests",
        ),
        (Reply::Status(500, "oops"), "failed"),
        (Reply::CutAfter("Once upon"), "Once upon"),
        (text(""), "model"),
    ];
    for (reply, holds) in cases {
        let home = tempfile::tempdir().unwrap();
        let server = Server::start(vec![("respond", reply)]);
        let (output, events) = ask(home.path(), &server.url, CHAT);
        let answer = last(&events)["answer"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert_eq!(output.status.code(), Some(0), "{holds}: {events:?}");
        assert!(answer.contains(holds), "{holds}: {answer}");
    }
    let home = tempfile::tempdir().unwrap();
    // Nothing listens there.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let (output, events) = ask(home.path(), &format!("http://{port}/v1"), CHAT);
    assert_eq!(output.status.code(), Some(0));
    let answer = last(&events)["answer"].as_str().unwrap();
    assert!(answer.contains("could not be reached"), "{answer}");
}

#[test]
fn offline_contacts_only_this_machine() {
    let home = tempfile::tempdir().unwrap();
    let (output, events) = ask(home.path(), "http://192.0.2.1:9/v1", CHAT);
    assert_eq!(output.status.code(), Some(0), "{events:?}");
    assert_eq!(last(&events)["event"], "done");
}

#[test]
fn an_evaluation_never_asks_a_model() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Vec::new());
    let cases = home.path().join("in.jsonl");
    std::fs::write(
        &cases,
        format!(
            "{}\n",
            json!({"id": "1", "text": "I had a rough day at work"})
        ),
    )
    .unwrap();
    let output = command(home.path(), &server.url)
        .args(["eval", "route", "--embedded", "--in"])
        .arg(&cases)
        .arg("--out")
        .arg(home.path().join("out.jsonl"))
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(server.arrived().is_empty());
}

#[test]
fn explain_shows_every_stage_with_model_and_prompt() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![("respond", text("Once upon a time."))]);
    let output = command(home.path(), &server.url)
        .args(["--offline", "ask", "--explain", CHAT])
        .output()
        .unwrap();
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    for part in ["respond", "lab-model", "respond/respond.v1@", "ms"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}
