//! Tests of adverse conditions: unreachable proxies, small windows, models with few features, wrong clocks. Each is
//! reported with advice, and the embedded engine carries on.

use std::net::TcpListener;

use serde_json::json;

use crate::program::{ADD_FAR, CHAT, FAR, TASKS, ask_with, command_at, run, said};
use crate::server::{Reply, Server, structured, text};

#[test]
fn works_without_a_proxy_or_network_and_says_so() {
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let proxy = format!("http://{nobody}");
    let far = ["--url", FAR, "--model", "m"];
    let through = [&far[..], &["--proxy", &proxy]].concat();
    for (add, flags, holds) in [
        (through.as_slice(), &[][..], "could not be reached"),
        (&far[..], &["--offline"][..], "offline"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let (answer, _) = ask_with(home.path(), add, flags, CHAT);
        assert!(answer.contains(holds), "{holds}: {answer}");
        let known = "Add a task to call mom tomorrow at 5pm";
        let (answer, told) = ask_with(home.path(), add, flags, known);
        assert!(told.contains("task.create"), "{answer}");
    }
}

#[test]
fn reports_a_window_smaller_than_the_prompt_with_advice() {
    // Ollama would silently cut off the beginning, so it is not asked at all.
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Vec::new());
    let base = server.url.trim_end_matches("/v1").to_owned();
    let add = [
        "--kind",
        "ollama",
        "--url",
        &base,
        "--model",
        "m",
        "--context-tokens",
        "200",
    ];
    let (answer, _) = ask_with(home.path(), &add, &["--offline"], TASKS);
    assert!(answer.contains("too long"), "{answer}");
    assert!(server.stages().is_empty(), "{:?}", server.stages());
    // Other servers report it themselves.
    let home = tempfile::tempdir().unwrap();
    let refusal = "{\"error\":{\"message\":\"This model's maximum context length is 512 tokens\",\"code\":\"context_length_exceeded\"}}";
    let server = Server::start(vec![("respond", Reply::Status(400, refusal))]);
    let add = ["--url", &server.url, "--model", "m"];
    let (answer, _) = ask_with(home.path(), &add, &["--offline"], CHAT);
    assert!(answer.contains("too long"), "{answer}");
    assert!(answer.contains("larger window"), "{answer}");
}

#[test]
fn asks_a_model_without_schema_support_without_one() {
    let home = tempfile::tempdir().unwrap();
    let refusal = "{\"error\":{\"message\":\"response_format is not supported by this model\"}}";
    let server = Server::start(vec![
        ("plan", Reply::Status(400, refusal)),
        (
            "plan",
            structured(&json!({"request": "Sort", "question": null, "steps": [
                {"key": "s1", "say": "Add a task", "why": "", "tool": "task.create", "args": {"title": "Sort the desk"}}
            ]})),
        ),
        ("respond", text("It is on your list.")),
    ]);
    let add = ["--url", &server.url, "--model", "m"];
    let (answer, _) = ask_with(home.path(), &add, &["--offline"], TASKS);
    assert_eq!(answer, "It is on your list.");
    let asked = server.arrived();
    assert_eq!(server.stages(), ["plan", "plan", "respond"]);
    assert_eq!((asked[0].shape(), asked[1].shape()), (Some("plan"), None));
}

#[test]
fn a_wrong_clock_does_not_block_models() {
    let home = tempfile::tempdir().unwrap();
    let times = [
        "2041-01-12T09:00:00Z[UTC]",
        "1999-12-31T23:59:59Z[UTC]",
        "2026-01-12T09:00:00Z[UTC]",
    ];
    let replies = times.map(|_| ("respond", text("An answer.")));
    let server = Server::start(replies.to_vec());
    let add = [
        "--url",
        &server.url,
        "--model",
        "m",
        "--input-price",
        "3",
        "--output-price",
        "15",
    ];
    let added = run(
        home.path(),
        "",
        &[&["models", "add", "lab"], &add[..]].concat(),
    );
    assert_eq!(added.status.code(), Some(0), "{}", said(&added));
    for now in times {
        let output = command_at(home.path(), "", now)
            .args(["--offline", "ask", CHAT])
            .output()
            .unwrap();
        assert!(
            said(&output).contains("An answer."),
            "{now}: {}",
            said(&output)
        );
    }
}

#[test]
fn reports_faults_of_the_environment_when_a_model_is_missing() {
    for (url, model, holds) in [
        ("gate", Some("m"), "ADJUTANT_MODEL_URL"),
        ("http://127.0.0.1:9/v1", None, "ADJUTANT_MODEL is not"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let told = |words: &[&str]| {
            let mut command = command_at(
                home.path(),
                url,
                "2026-01-12T09:00:00-05:00[America/New_York]",
            );
            match model {
                Some(model) => command.env("ADJUTANT_MODEL", model),
                None => command.env_remove("ADJUTANT_MODEL"),
            };
            let output = command.args(words).output().unwrap();
            // What a person reads, without the log.
            let lines = said(&output);
            let read = lines.lines().filter(|line| !line.contains(" WARN "));
            read.collect::<Vec<_>>().join(" ")
        };
        for words in [&["ask", CHAT][..], &["models", "list"], &["doctor"]] {
            let text = told(words).split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(holds), "{words:?}: {text}");
        }
        // Whatever needs no model works without one.
        let text = told(&["ask", "Add a task to call mom tomorrow at 5pm"]);
        assert!(!text.contains("ADJUTANT_MODEL"), "{text}");
    }
}

#[test]
fn the_candidate_must_not_be_the_only_connection() {
    let home = tempfile::tempdir().unwrap();
    let add = [
        "models",
        "add",
        "lab",
        "--url",
        "http://127.0.0.1:9/v1",
        "--model",
        "m",
    ];
    assert_eq!(run(home.path(), "", &add).status.code(), Some(0));
    for (name, holds) in [("lab", "only connection"), ("lob", "no connection")] {
        let set = run(home.path(), "", &["config", "set", "models.shadow", name]);
        assert_ne!(set.status.code(), Some(0), "{name}");
        assert!(said(&set).contains(holds), "{}", said(&set));
    }
    let second = [
        "models",
        "add",
        "second",
        "--url",
        "http://127.0.0.1:9/v1",
        "--model",
        "m",
    ];
    assert_eq!(run(home.path(), "", &second).status.code(), Some(0));
    let set = run(home.path(), "", &["config", "set", "models.shadow", "lab"]);
    assert_eq!(set.status.code(), Some(0), "{}", said(&set));
}

#[test]
fn says_how_a_remote_model_without_price_is_counted() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(run(home.path(), "", &ADD_FAR).status.code(), Some(0));
    let list = said(&run(home.path(), "", &["--offline", "models", "list"]));
    assert!(list.contains("price of far is not known"), "{list}");
    let priced = [
        "models",
        "add",
        "far",
        "--input-price",
        "0.5",
        "--output-price",
        "2",
    ];
    assert_eq!(run(home.path(), "", &priced).status.code(), Some(0));
    let list = said(&run(home.path(), "", &["--offline", "models", "list"]));
    assert!(!list.contains("not known"), "{list}");
}
