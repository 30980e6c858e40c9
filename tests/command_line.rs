//! Tests of the command line as a program: exit codes, JSON, invalid input, and two processes on one profile.

#![cfg(unix)]
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "command_line/by_hand.rs"]
mod by_hand;
#[path = "command_line/conversations.rs"]
mod conversations;
#[path = "command_line/faults.rs"]
mod faults;
#[path = "command_line/imports.rs"]
mod imports;
#[path = "command_line/models.rs"]
mod models;
#[path = "command_line/printing.rs"]
mod printing;
#[path = "command_line/profile.rs"]
mod profile;
#[path = "command_line/recurrence.rs"]
mod recurrence;

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

const NOW: &str = "2026-01-12T09:00:00+01:00[Europe/Paris]";

fn adjutant(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .arg("--home")
        .arg(home)
        .args(args)
        .env_remove("RUST_LOG")
        .env_remove("ADJUTANT_HOME");
    command
}

fn run(home: &Path, args: &[&str]) -> Output {
    adjutant(home, args).output().expect("it runs")
}

/// Starts a process that holds the profile, and waits for its first turn, which adds a task. Also returns its further
/// output.
fn holding(home: &Path) -> (Child, ChildStdin, Lines<BufReader<ChildStdout>>) {
    let mut holder = adjutant(home, &["--now", NOW, "--json", "chat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut typing = holder.stdin.take().expect("its input");
    let mut said = BufReader::new(holder.stdout.take().expect("its output")).lines();
    writeln!(typing, "add a task to buy milk").expect("typed");
    let done = said
        .by_ref()
        .any(|line| line.expect("text").contains("\"event\":\"done\""));
    assert!(done, "the holder answers");
    (holder, typing, said)
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn list(output: &Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout).expect("one JSON list")
}

#[test]
fn exit_codes_report_the_outcome() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    assert_eq!(
        code(&run(home, &["--now", NOW, "ask", "add a task to buy milk"])),
        0
    );
    assert_eq!(
        code(&run(
            home,
            &["--now", NOW, "ask", "delete the task to buy milk"]
        )),
        3
    );
    assert_eq!(
        code(&run(home, &["approve", "act_nothing", "--digest", "00"])),
        1
    );
    assert_eq!(code(&run(home, &["frobnicate"])), 2);
    assert_eq!(
        code(&run(home, &["--now", "yesterday", "show", "tasks"])),
        2
    );
    assert_eq!(
        code(&run(home, &["--tz", "Mars/Olympus", "show", "tasks"])),
        2
    );
    assert_eq!(code(&run(home, &["--profile", "../x", "show", "tasks"])), 1);
    assert_eq!(code(&run(home, &["show", "tasks", "nothing"])), 1);
    assert_eq!(
        code(&run(home, &["config", "set", "time_zone", "Mars/Olympus"])),
        2
    );
    assert_eq!(code(&run(home, &["import", "/nowhere/at/all.ics"])), 1);
    assert_eq!(code(&run(home, &["erase"])), 2, "erasing asks first");
}

#[test]
fn json_output_is_only_json() {
    let home = tempfile::tempdir().expect("a folder");
    let output = run(
        home.path(),
        &[
            "--now",
            NOW,
            "--json",
            "ask",
            "remind me to call mom tomorrow at 5pm",
        ],
    );
    let events: Vec<Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(&line.expect("text")).expect("one object a line"))
        .collect();
    assert_eq!(
        events.first().map(|event| &event["event"]),
        Some(&"turn_started".into())
    );
    assert_eq!(
        events.last().map(|event| &event["event"]),
        Some(&"done".into())
    );
    let last: Vec<_> = events
        .iter()
        .filter(|event| {
            matches!(
                event["event"].as_str(),
                Some("done" | "waiting" | "interrupted" | "error")
            )
        })
        .collect();
    assert_eq!(last.len(), 1, "exactly one last event");
    let seqs: Vec<i64> = events
        .iter()
        .filter_map(|event| event["seq"].as_i64())
        .collect();
    assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "{seqs:?}");
    let tasks = list(&run(home.path(), &["--json", "show", "tasks"]));
    assert_eq!(tasks.len(), 1);
    assert!(
        tasks[0]["id"].is_string() && tasks[0]["due"] == "2026-01-13T17:00:00+01:00",
        "{tasks:?}"
    );
    let tools = list(&run(home.path(), &["--json", "tools"]));
    assert!(tools.iter().any(|tool| tool["name"] == "email.send"
        && tool["risk"] == "reaches_people"
        && tool["schema"].is_object()));
}

#[test]
fn the_wrong_digest_approves_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    run(home, &["--now", NOW, "ask", "add a task to buy milk"]);
    run(home, &["--now", NOW, "ask", "delete the task to buy milk"]);
    let waiting = list(&run(home, &["--now", NOW, "--json", "show", "approvals"]));
    let id = waiting[0]["id"].as_str().expect("an id");
    let refused = run(
        home,
        &["--now", NOW, "approve", id, "--digest", &"0".repeat(64)],
    );
    assert_eq!(code(&refused), 1, "{}", errors(&refused));
    assert_eq!(
        list(&run(home, &["--now", NOW, "--json", "show", "tasks"])).len(),
        1
    );
    let digest = waiting[0]["digest"].as_str().expect("a digest");
    assert_eq!(
        code(&run(
            home,
            &["--now", NOW, "approve", id, "--digest", digest]
        )),
        0
    );
    assert_eq!(
        code(&run(
            home,
            &["--now", NOW, "approve", id, "--digest", digest]
        )),
        1,
        "an approval counts once"
    );
    assert!(list(&run(home, &["--now", NOW, "--json", "show", "tasks"])).is_empty());
}

#[test]
fn import_names_refused_items_and_can_be_repeated() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("tasks.csv");
    std::fs::write(&file, "title,due\nGood,2026-01-13\nBad,whenever\n").expect("a file");
    let path = file.display().to_string();
    let first = run(home.path(), &["import", &path]);
    assert_eq!(code(&first), 1, "not everything was taken");
    assert!(
        errors(&first).contains("row 3") && errors(&first).contains("whenever"),
        "{}",
        errors(&first)
    );
    let second: Value =
        serde_json::from_slice(&run(home.path(), &["--json", "import", &path]).stdout)
            .expect("JSON");
    assert_eq!(
        (&second["counts"][0]["added"], &second["counts"][0]["same"]),
        (&0.into(), &1.into()),
        "{second}"
    );
}

#[test]
fn exports_erases_and_imports_again() {
    let home = tempfile::tempdir().expect("a folder");
    let out = tempfile::tempdir().expect("a folder");
    let dir = out.path().join("all").display().to_string();
    run(
        home.path(),
        &["--now", NOW, "ask", "remind me to call mom tomorrow at 5pm"],
    );
    run(
        home.path(),
        &["--now", NOW, "ask", "remember that my locker code is 4711"],
    );
    let strip = |rows: Vec<Value>| {
        rows.into_iter()
            .map(|row| {
                (
                    row["title"].clone(),
                    row["due"].clone(),
                    row["value"].clone(),
                )
            })
            .collect::<Vec<_>>()
    };
    let before = (
        strip(list(&run(home.path(), &["--json", "show", "tasks"]))),
        strip(list(&run(home.path(), &["--json", "show", "memories"]))),
    );
    assert_eq!((before.0.len(), before.1.len()), (1, 1));
    assert_eq!(code(&run(home.path(), &["export", &dir])), 0);
    assert_eq!(
        code(&run(home.path(), &["export", &dir])),
        1,
        "a full folder is not written over"
    );
    assert_eq!(code(&run(home.path(), &["erase", "--yes"])), 0);
    assert!(list(&run(home.path(), &["--json", "show", "tasks"])).is_empty());
    assert!(list(&run(home.path(), &["--json", "show", "conversations"])).is_empty());
    assert_eq!(code(&run(home.path(), &["import", &dir])), 0);
    let after = (
        strip(list(&run(home.path(), &["--json", "show", "tasks"]))),
        strip(list(&run(home.path(), &["--json", "show", "memories"]))),
    );
    assert_eq!(before, after);
}

#[test]
fn reports_due_items_once() {
    let home = tempfile::tempdir().expect("a folder");
    run(
        home.path(),
        &["--now", NOW, "ask", "remind me to call mom tomorrow at 5pm"],
    );
    let later = "2026-01-13T17:00:30+01:00[Europe/Paris]";
    let first = run(home.path(), &["--now", later, "run", "--once"]);
    assert!(
        String::from_utf8_lossy(&first.stdout)
            .to_lowercase()
            .contains("call mom"),
        "{first:?}"
    );
    let second = run(home.path(), &["--now", later, "run", "--once"]);
    assert!(second.stdout.is_empty(), "{second:?}");
}

#[test]
fn the_scoreboard_needs_no_profile_and_has_no_effects() {
    let home = tempfile::tempdir().expect("a folder");
    let output = run(home.path(), &["--json", "eval", "own"]);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let board: Value = serde_json::from_slice(&output.stdout).expect("one object");
    let suites = board["suites"].as_array().expect("suites");
    let names: Vec<_> = suites.iter().map(|suite| suite["suite"].as_str()).collect();
    assert_eq!(
        names,
        [
            Some("route"),
            Some("when"),
            Some("confirm"),
            Some("requests")
        ]
    );
    for suite in suites {
        let (cases, right) = (suite["cases"].as_u64(), suite["right"].as_u64());
        assert!(
            cases > Some(50) && right > cases.map(|cases| cases / 2),
            "{suite}"
        );
    }
    for figure in suites[3]["figures"].as_array().expect("figures") {
        if figure["name"] != "left_alone" {
            assert_eq!(figure["value"], 0.0, "{}", suites[3]["misses"]);
        }
    }
    let stages = board["stages"].as_array().expect("stages");
    assert!(stages.iter().any(|stage| stage["stage"] == "turn"));
    let left = std::fs::read_dir(home.path()).expect("the folder").count();
    assert_eq!(left, 0, "no profile was made");
}

#[test]
fn tidies_storage_every_six_hours() {
    let place = tempfile::tempdir().expect("a folder");
    let home = place.path();
    let tidying = |now: &str| {
        assert_eq!(code(&run(home, &["--now", now, "run", "--once"])), 0);
        let jobs = list(&run(home, &["--now", now, "--json", "show", "jobs"]));
        let found = jobs.into_iter().find(|job| job["kind"] == "tidy");
        found.expect("it is planned")
    };
    assert_eq!(tidying(NOW)["next"], "2026-01-12T15:00:00+01:00");
    let done = tidying("2026-01-12T15:00:30+01:00[Europe/Paris]");
    assert_eq!(done["next"], "2026-01-12T21:00:00+01:00", "{done}");
    assert_eq!(done["why"], Value::Null, "nothing went wrong: {done}");
}
