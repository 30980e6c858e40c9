//! Kills the process at every step it persists, and restarts it: nothing is lost, nothing happens twice, and nothing is
//! reported that did not happen.
//!
//! The places are storage's own (`adjutant_store::CRASH_POINTS`): before, inside and after each kind of commit. Each
//! scenario runs once for every place and every time it is reached, until the process survives. `kill/ledger.rs` does
//! the same with calls to models and their cost, `kill/research.rs` with research, `kill/answer.rs` with an answer that
//! is being streamed, `kill/outside.rs` with saving a file, and `kill/steps.rs` with an undo, a held mail, an edited
//! card, a plan of several steps, and erasing.

#![cfg(unix)]
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "kill/answer.rs"]
mod answer;
#[path = "kill/jobs.rs"]
mod jobs;
#[path = "kill/ledger.rs"]
mod ledger;
#[path = "kill/outside.rs"]
mod outside;
#[path = "kill/research.rs"]
mod research;
#[path = "kill/steps.rs"]
mod steps;
#[path = "kill/web.rs"]
mod web;

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output};

use adjutant_store::CRASH_POINTS;
use serde_json::Value;

const NOW: &str = "2026-01-12T09:00:00+01:00[Europe/Paris]";
const SIGKILL: i32 = 9;
/// Maximum number of times one place is tried in one scenario.
const TIMES_MAX: usize = 12;

/// A profile, used through the command line.
struct Profile {
    home: tempfile::TempDir,
    now: &'static str,
}

impl Profile {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().expect("a folder"),
            now: NOW,
        }
    }

    /// Returns the same profile at another time.
    fn at(self, now: &'static str) -> Self {
        Self { now, ..self }
    }

    fn path(&self) -> &Path {
        self.home.path()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
        command
            .args(["--offline", "--json", "--now", self.now])
            .arg("--home")
            .arg(self.path())
            .args(args);
        command
            .env_remove("ADJUTANT_CRASH_AT")
            .env_remove("RUST_LOG");
        command
    }

    /// Returns the places of [`CRASH_POINTS`] that a command passes when nothing kills it.
    fn places(&self, args: &[&str]) -> Vec<&'static str> {
        let log = self.path().join("places");
        let output = self.command(args).env("ADJUTANT_CRASH_LOG", &log).output();
        output.expect("it runs");
        let passed = std::fs::read_to_string(&log).expect("it stores something");
        let passed: BTreeSet<&str> = passed.lines().collect();
        let mut places = CRASH_POINTS.to_vec();
        places.retain(|place| passed.contains(place));
        places
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("it runs")
    }

    /// Runs a command that is to be killed at a place; returns whether it was.
    fn run_until(&self, place: &str, args: &[&str]) -> bool {
        let output = self
            .command(args)
            .env("ADJUTANT_CRASH_AT", place)
            .output()
            .expect("it runs");
        let killed = output.status.signal() == Some(SIGKILL);
        assert!(
            killed
                || output
                    .status
                    .code()
                    .is_some_and(|code| matches!(code, 0 | 1 | 3 | 4)),
            "{place}: {:?}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        killed
    }

    /// Returns one row in full.
    fn show_one(&self, what: &str, id: &str) -> Value {
        let output = self.run(&["show", what, id]);
        let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        match rows {
            Value::Array(mut rows) => rows.remove(0),
            one => one,
        }
    }

    fn show(&self, what: &str) -> Vec<Value> {
        let output = self.run(&["show", what]);
        assert!(
            output.status.success(),
            "show {what}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("a list")
    }

    fn import(&self, name: &str, content: &str) {
        let file = self.path().join(name);
        std::fs::write(&file, content).expect("a file");
        assert!(
            self.run(&["import", &file.display().to_string()])
                .status
                .success(),
            "import of {name}"
        );
    }

    fn succeeded(&self, tool: &str) -> Vec<Value> {
        let mut all = self.show("activity");
        all.retain(|row| row["tool"] == tool && row["outcome"] == "succeeded");
        for row in &all {
            assert!(row["receipt"].is_object(), "done without a receipt: {row}");
        }
        all
    }
}

/// Kills the command `args` at every place it passes, every time it passes it. `prepare` creates a profile for each
/// run, and `check` inspects the result. Returns the number of kills.
fn everywhere(
    name: &str,
    prepare: impl Fn() -> Profile,
    args: impl Fn(&Profile) -> Vec<String>,
    check: impl Fn(&Profile, &str),
) -> usize {
    let mut kills = 0;
    let whole = prepare();
    let words = args(&whole);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for place in whole.places(&words) {
        for time in 1..=TIMES_MAX {
            let profile = prepare();
            let words = args(&profile);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let at = format!("{place}:{time}");
            if !profile.run_until(&at, &words) {
                break;
            }
            kills += 1;
            check(&profile, &format!("{name}, killed at {at}"));
            assert!(time < TIMES_MAX, "{name}: {place} comes by without end");
        }
    }
    kills
}

fn ask(text: &str) -> Vec<String> {
    vec!["ask".into(), text.into()]
}

/// Checks that every ended turn says how it ended, and that no turn is left open.
fn no_open_turn(profile: &Profile, at: &str) {
    for plan in profile.show("plans") {
        assert_ne!(plan["state"], "open", "{at}: {plan}");
    }
}

const CALENDAR: &str = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:budget@x\nDTSTART;TZID=Europe/Paris:20260112T150000\nDTEND;TZID=Europe/Paris:20260112T160000\nSUMMARY:Budget review\nEND:VEVENT\nEND:VCALENDAR\n";
const CARD: &str = "BEGIN:VCARD\nVERSION:3.0\nFN:Bob Stone\nEMAIL:bob@stone.example\nEND:VCARD\n";

#[test]
fn survives_kills_in_a_reading_turn() {
    let prepare = || {
        let profile = Profile::new();
        profile.import("a.ics", CALENDAR);
        profile
    };
    let kills = everywhere(
        "reading",
        prepare,
        |_| ask("what is on today?"),
        |profile, at| {
            no_open_turn(profile, at);
            assert_eq!(profile.show("events").len(), 1, "{at}");
            assert!(
                profile.show("activity").is_empty(),
                "{at}: a reading turn did something"
            );
            let again = profile.run(&["ask", "what is on today?"]);
            assert_eq!(again.status.code(), Some(0), "{at}");
            assert!(
                String::from_utf8_lossy(&again.stdout).contains("Budget review"),
                "{at}"
            );
        },
    );
    assert!(kills >= 6, "only {kills} places came by");
}

#[test]
fn survives_kills_in_a_local_write() {
    let kills = everywhere(
        "write",
        Profile::new,
        |_| ask("add a task to buy milk"),
        |profile, at| {
            no_open_turn(profile, at);
            let tasks = profile.show("tasks").len();
            let done = profile.succeeded("task.create").len();
            assert_eq!(tasks, done, "{at}: {tasks} tasks, {done} receipts");
            assert!(tasks <= 1, "{at}: done twice");
            // What was reported is true: a message claims the task exists only if it does.
            for plan in profile.show("plans") {
                let claims = plan["steps"][0]["status"] == "done";
                assert!(
                    !claims || tasks == 1,
                    "{at}: claimed without the task: {plan}"
                );
            }
            assert_eq!(
                profile
                    .run(&["ask", "add a task to buy bread"])
                    .status
                    .code(),
                Some(0),
                "{at}"
            );
            assert_eq!(profile.show("tasks").len(), tasks + 1, "{at}");
        },
    );
    assert!(kills >= 9, "only {kills} places came by");
}

fn waiting(profile: &Profile) -> (String, String) {
    let mut all = profile.show("approvals");
    all.retain(|row| row["state"] == "pending");
    let [one] = all.as_slice() else {
        panic!("one action waits: {all:?}")
    };
    (
        one["id"].as_str().expect("an id").to_owned(),
        one["digest"].as_str().expect("a digest").to_owned(),
    )
}

fn approval(profile: &Profile) -> Vec<String> {
    let (id, digest) = waiting(profile);
    vec!["approve".into(), id, "--digest".into(), digest]
}

/// Approves whatever still waits, twice; the second time must not repeat it.
fn finish(profile: &Profile) {
    for _ in 0..2 {
        for row in profile.show("approvals") {
            if row["state"] == "pending" {
                let (id, digest) = (
                    row["id"].as_str().unwrap_or_default(),
                    row["digest"].as_str().unwrap_or_default(),
                );
                profile.run(&["approve", id, "--digest", digest]);
            }
        }
    }
}

#[test]
fn survives_kills_in_an_approved_deletion() {
    let prepare = || {
        let profile = Profile::new();
        profile.import("a.ics", CALENDAR);
        assert_eq!(
            profile
                .run(&["ask", "delete the budget review"])
                .status
                .code(),
            Some(3)
        );
        profile
    };
    let kills = everywhere("deletion", prepare, approval, |profile, at| {
        no_open_turn(profile, at);
        let (left, done) = (
            profile.show("events").len(),
            profile.succeeded("calendar.delete").len(),
        );
        assert_eq!(left + done, 1, "{at}: {left} events, {done} receipts");
        for row in profile.show("approvals") {
            let state = row["state"].as_str().unwrap_or_default();
            assert!(matches!(state, "pending" | "succeeded"), "{at}: {state}");
            assert_eq!(state == "succeeded", done == 1, "{at}");
        }
        finish(profile);
        assert!(profile.show("events").is_empty(), "{at}");
        assert_eq!(
            profile.succeeded("calendar.delete").len(),
            1,
            "{at}: deleted twice"
        );
    });
    assert!(kills >= 8, "only {kills} places came by");
}

#[test]
fn survives_kills_in_an_approved_send() {
    let prepare = || {
        let profile = Profile::new();
        profile.import("a.vcf", CARD);
        let asked = profile.run(&[
            "ask",
            "send Bob an email titled 'Delay' saying 'Two weeks late.'",
        ]);
        assert_eq!(
            asked.status.code(),
            Some(3),
            "{}",
            String::from_utf8_lossy(&asked.stdout)
        );
        profile
    };
    let outgoing = |profile: &Profile| {
        let mut all = profile.show("outbox");
        all.retain(|row| row["state"] != "draft");
        all
    };
    let kills = everywhere("send", prepare, approval, |profile, at| {
        no_open_turn(profile, at);
        let (queued, done) = (
            outgoing(profile).len(),
            profile.succeeded("email.send").len(),
        );
        assert_eq!(queued, done, "{at}: {queued} mails, {done} receipts");
        assert!(queued <= 1, "{at}: sent twice");
        finish(profile);
        let all = outgoing(profile);
        let [mail] = all.as_slice() else {
            panic!("{at}: {all:?}")
        };
        assert_eq!(
            (&mail["state"], &mail["subject"], &mail["to"][0]),
            (
                &"queued".into(),
                &"Delay".into(),
                &"bob@stone.example".into()
            ),
            "{at}"
        );
        assert_eq!(profile.succeeded("email.send").len(), 1, "{at}");
    });
    assert!(kills >= 8, "only {kills} places came by");
}

#[test]
fn survives_kills_in_a_proposed_send() {
    let prepare = || {
        let profile = Profile::new();
        profile.import("a.vcf", CARD);
        profile
    };
    let kills = everywhere(
        "asking to send",
        prepare,
        |_| ask("send Bob an email titled 'Delay' saying 'Two weeks late.'"),
        |profile, at| {
            no_open_turn(profile, at);
            assert!(
                profile
                    .show("outbox")
                    .iter()
                    .all(|row| row["state"] == "draft"),
                "{at}: sent unasked"
            );
            let waiting = profile.show("approvals").len();
            assert!(waiting <= 1, "{at}: {waiting} actions");
            assert_eq!(
                profile.run(&["ask", "what is on today?"]).status.code(),
                Some(0),
                "{at}"
            );
        },
    );
    assert!(kills >= 6, "only {kills} places came by");
}

#[test]
fn survives_kills_in_an_import() {
    let mails: String = (0..1200)
        .map(|number| {
            format!("From a@x Thu Jan 01 00:00:00 2026\nFrom: a@x.example\nTo: me@x.example\nSubject: Number {number}\nMessage-ID: <{number}@x>\nDate: Thu, 01 Jan 2026 00:00:00 +0000\n\nText {number}\n\n")
        })
        .collect();
    let args = |profile: &Profile| {
        let file = profile.path().join("many.mbox");
        std::fs::write(&file, &mails).expect("a file");
        vec!["import".into(), file.display().to_string()]
    };
    let kills = everywhere("import", Profile::new, args, |profile, at| {
        let there = profile.show("mail").len();
        assert!(
            there % 500 == 0 || there == 1200,
            "{at}: {there} mails, so a batch was torn"
        );
        let file = profile.path().join("many.mbox").display().to_string();
        assert!(profile.run(&["import", &file]).status.success(), "{at}");
        assert_eq!(profile.show("mail").len(), 1200, "{at}");
    });
    assert!(kills >= 9, "only {kills} places came by");
}
