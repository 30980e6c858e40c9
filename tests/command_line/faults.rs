//! Tests of faults reported to programs: with `--json`, standard output carries an `error` event.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use super::{adjutant, code, errors, run};

/// Runs with `--json`, and parses the single object on standard output.
fn fault(home: &Path, args: &[&str]) -> (i32, Value) {
    let output = run(home, &[&["--json"], args].concat());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let read = serde_json::from_str(told.trim());
    (
        code(&output),
        read.unwrap_or_else(|error| panic!("{args:?}: {error}: “{told}”, {}", errors(&output))),
    )
}

#[test]
fn every_refusal_is_an_error_object() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let full = home.display().to_string();
    let missing = home.join("missing").display().to_string();
    let cases: &[(&[&str], i32)] = &[
        (&["frobnicate"], 2),
        (&["show"], 2),
        (&["show", "tasks", "--limit", "many"], 2),
        (&["--now", "yesterday", "show", "tasks"], 2),
        (&["show", "tasks", "task_nothing"], 1),
        (&["approve", "act_nothing", "--digest", "00"], 1),
        (&["undo", "eff_nothing"], 1),
        (&["export", &full], 1),
        (&["erase"], 2),
        (&["models", "test", "nobody"], 1),
        (&["config", "get", "no.such.key"], 2),
        (&["eval", "own", "--in", "cases.jsonl"], 2),
        (&["eval", "route", "--in", &missing, "--out", &missing], 1),
    ];
    for (args, expect) in cases {
        let (code, told) = fault(home, args);
        assert_eq!(code, *expect, "{args:?}: {told}");
        assert_eq!(told["event"], "error", "{args:?}: {told}");
        for field in ["code", "message", "hint"] {
            assert!(told[field].is_string(), "{args:?}: {told}");
        }
        let message = told["message"].as_str().expect("a message");
        assert!(!message.is_empty() && !message.contains('\u{1b}'), "{told}");
    }
    assert!(!home.join("missing").exists(), "predictions without cases");
    let (_, told) = fault(home, &["show", "tasks", "--limit", "many"]);
    assert_eq!(told["code"], "usage");
    assert!(
        told["message"]
            .as_str()
            .is_some_and(|text| text.contains("--limit")),
        "{told}"
    );
}

#[test]
fn reports_faults_in_a_session_too() {
    let home = tempfile::tempdir().expect("a folder");
    let mut talk = adjutant(home.path(), &["--json", "chat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut typing = talk.stdin.take().expect("its input");
    writeln!(typing, "{}", "long ".repeat(20_000)).expect("typed");
    writeln!(typing, "exit").expect("typed");
    // Standard input stays open, so only the word ends the session.
    let output = talk.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let told: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(
        (&told["event"], &told["code"]),
        (&"error".into(), &"usage".into())
    );
    drop(typing);
}

#[test]
fn help_is_not_an_error() {
    let home = tempfile::tempdir().expect("a folder");
    let help = run(home.path(), &["--json", "--help"]);
    assert_eq!(code(&help), 0);
    assert!(String::from_utf8_lossy(&help.stdout).contains("Usage"));
}
