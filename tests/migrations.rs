//! Tests that this version opens profiles of released versions without loss: every row and column is as it was, what
//! was shown is still shown, what could be undone still can be, and what waits for approval can be approved.
//!
//! `migrations/make` created each folder of `migrations/`. A folder is never recreated; each format gets a new one.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::Value;

const NOW: &str = "2026-01-12T09:00:00+01:00[Europe/Paris]";

/// Tables with data that cannot be recomputed.
const TABLES: &[&str] = &[
    "tasks",
    "events",
    "notes",
    "contacts",
    "mails",
    "outbox",
    "memories",
    "conversations",
    "turns",
    "messages",
    "journal",
    "actions",
    "effects",
    "settings",
];

/// A profile of an older version, opened by this one.
struct Profile {
    home: tempfile::TempDir,
    folder: PathBuf,
}

impl Profile {
    fn of(format: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/migrations")
            .join(format);
        let home = tempfile::tempdir().expect("a folder");
        let place = home.path().join("profiles/default");
        std::fs::create_dir_all(&place).expect("a folder");
        std::fs::write(place.join("adjutant.db"), unpacked(&folder)).expect("a profile");
        Self { home, folder }
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .args(["--offline", "--json", "--now", NOW, "--home"])
            .arg(self.home.path())
            .args(args)
            .env_remove("RUST_LOG")
            .env_remove("ADJUTANT_HOME")
            .output()
            .expect("it runs")
    }

    /// Runs a command that must succeed.
    fn does(&self, args: &[&str]) {
        let output = self.run(args);
        assert!(
            output.status.success(),
            "{args:?}: {}{}",
            String::from_utf8_lossy(&output.stderr),
            String::from_utf8_lossy(&output.stdout)
        );
    }

    fn show(&self, topic: &str) -> Vec<Value> {
        let output = self.run(&["show", topic]);
        serde_json::from_slice(&output.stdout).expect("a list")
    }

    /// Returns what the older version showed.
    fn shown(&self) -> BTreeMap<String, Vec<Value>> {
        let text = std::fs::read(self.folder.join("shown.json")).expect("what was shown");
        serde_json::from_slice(&text).expect("lists by topic")
    }

    fn file(&self) -> PathBuf {
        self.home.path().join("profiles/default/adjutant.db")
    }
}

/// Returns the database as the older version left it.
fn unpacked(folder: &Path) -> Vec<u8> {
    let packed = std::fs::File::open(folder.join("adjutant.db.gz")).expect("a fixture");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed)
        .read_to_end(&mut bytes)
        .expect("unpacked");
    bytes
}

fn formats() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/migrations");
    let entries = std::fs::read_dir(folder).expect("fixtures");
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("format-"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

type Row = BTreeMap<String, Cell>;

/// Returns every row of a table, sorted by its first columns.
fn rows(connection: &Connection, table: &str) -> Vec<Row> {
    let mut statement = connection
        .prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2"))
        .expect("the table is there");
    let names: Vec<String> = statement
        .column_names()
        .into_iter()
        .map(str::to_owned)
        .collect();
    statement
        .query_map([], |row| {
            let cells = names.iter().enumerate();
            cells
                .map(|(at, name)| Ok((name.clone(), row.get(at)?)))
                .collect()
        })
        .expect("rows")
        .collect::<rusqlite::Result<_>>()
        .expect("rows")
}

/// Returns whether `new` contains everything in `old`; it may contain more.
fn holds(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => old
            .iter()
            .all(|(key, old)| old.is_null() || new.get(key).is_some_and(|new| holds(new, old))),
        (Value::Array(new), Value::Array(old)) => {
            new.len() == old.len() && new.iter().zip(old).all(|(new, old)| holds(new, old))
        }
        _ => new == old,
    }
}

#[test]
fn keeps_every_row_and_field() {
    for format in formats() {
        let profile = Profile::of(&format);
        let before = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(before.path(), unpacked(&profile.folder)).expect("a copy");
        let before = Connection::open(before.path()).expect("the old profile");
        profile.does(&["show", "tasks"]);
        let after = Connection::open(profile.file()).expect("the new profile");
        let version = |of: &Connection| -> i64 {
            of.query_row("PRAGMA user_version", [], |row| row.get(0))
                .expect("a format")
        };
        assert!(version(&before) <= version(&after));
        for table in TABLES {
            let (old, new) = (rows(&before, table), rows(&after, table));
            assert_eq!(old.len(), new.len(), "{format}: rows of {table}");
            for (old, new) in old.iter().zip(&new) {
                for (column, cell) in old {
                    assert_eq!(Some(cell), new.get(column), "{format}: {table}.{column}");
                }
            }
        }
    }
}

#[test]
fn still_shows_what_was_shown() {
    for format in formats() {
        let profile = Profile::of(&format);
        for (topic, old) in profile.shown() {
            let new = profile.show(&topic);
            for mut old in old {
                // A due item was named after its record; the job is named after the record and its time.
                let id = old["id"].clone();
                let same = match topic.as_str() {
                    "jobs" => {
                        old["id"] = Value::Null;
                        new.iter().find(|new| new["subject"] == id)
                    }
                    _ => new.iter().find(|new| new["id"] == id),
                };
                let same = same.unwrap_or(&Value::Null);
                assert!(
                    holds(same, &old),
                    "{format}, {topic}:\n{old:#}\nis now\n{same:#}"
                );
            }
        }
    }
}

#[test]
fn waiting_actions_can_be_approved() {
    for format in formats() {
        let profile = Profile::of(&format);
        let waiting: Vec<Value> = profile
            .show("approvals")
            .into_iter()
            .filter(|row| row["state"] == "pending")
            .collect();
        assert_eq!(waiting.len(), 3, "{format}");
        // A card whose tool has changed since is shown again, and then approved.
        for _ in 0..2 {
            for row in profile.show("approvals") {
                let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
                if text("state") == "pending" {
                    profile.run(&["approve", &text("id"), "--digest", &text("digest")]);
                }
            }
        }
        let events = profile.show("events");
        assert!(events.iter().all(|event| event["summary"] != "Lisbon"));
        let mails = profile.show("mail");
        let lunch = mails.iter().find(|mail| mail["subject"] == "Lunch?");
        assert_eq!(lunch.expect("the mail")["folder"], "trash");
        let queued = profile.show("outbox");
        let queued = queued.iter().filter(|mail| mail["state"] == "queued");
        assert_eq!(queued.count(), 2, "{format}");
    }
}

/// `held-10` comes from the last version that held a row of the outbox: one mail, approved with a hold of 30 s.
#[test]
fn keeps_a_held_mail_once_without_its_approval() {
    let profile = Profile::of("held-10");
    let only = || -> Value {
        let all = profile.show("outbox");
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    };
    let mail = only();
    assert_eq!(mail["state"], "queued");
    assert_eq!(mail["body"], "Two weeks late.");
    assert_eq!(mail["to"][0], "bob@example.org");
    let jobs = profile.show("jobs");
    assert!(jobs.iter().all(|job| job["kind"] != "send"), "{jobs:?}");
    let id = mail["id"].as_str().expect("an id");
    let refused = profile.run(&["outbox", id, "send-now"]);
    assert_eq!(refused.status.code(), Some(1), "an approval is needed");
    assert_eq!(only(), mail);
    profile.does(&["outbox", id, "to-draft"]);
    assert_eq!(only()["state"], "draft");
}

#[test]
fn undoes_what_could_be_undone() {
    for format in formats() {
        let profile = Profile::of(&format);
        let archived = |profile: &Profile| {
            let mails = profile.show("mail");
            let offers = mails
                .into_iter()
                .find(|mail| mail["from"] == "news@shop.example");
            offers.expect("the mail")["folder"].clone()
        };
        assert_eq!(archived(&profile), "archive");
        let effects = profile.show("activity");
        // Latest first, so that each is undone before the one it builds on.
        let open = |row: &&Value| row["undo"] == "available" && row["tool"] != "undo";
        for effect in effects.iter().filter(open) {
            profile.does(&["undo", effect["id"].as_str().expect("an id")]);
        }
        assert_eq!(archived(&profile), "inbox");
        let titles = |topic: &str, key: &str| -> Vec<String> {
            let rows = profile.show(topic);
            let texts = rows.iter().map(|row| row[key].to_string());
            texts.collect()
        };
        assert_eq!(titles("memories", "value"), Vec::<String>::new());
        assert!(!titles("tasks", "title").contains(&"\"Buy milk\"".to_owned()));
        assert!(!titles("events", "summary").contains(&"\"Dentist\"".to_owned()));
        assert_eq!(titles("tasks", "status").len(), 2, "{format}");
    }
}
