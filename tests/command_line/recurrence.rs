//! Tests of imported files with rules that are more expensive than they look, through the program.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{NOW, code, errors, list, run};

/// Creates a profile with one ordinary event tomorrow and a series for each of the rules, all of which began in 1970.
fn profile(home: &Path, rules: &[(&str, &str)]) {
    let event = |uid: usize, title: &str, start: &str, rule: &str| {
        format!(
            "BEGIN:VEVENT\r\nUID:{uid}@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:{start}\r\nDURATION:PT1S\r\nSUMMARY:{title}\r\n{rule}END:VEVENT\r\n"
        )
    };
    let mut text = String::from("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n");
    text.push_str(&event(0, "Dentist", "20260113T100000Z", ""));
    for (number, (title, rule)) in rules.iter().enumerate() {
        let rule = format!("RRULE:{rule}\r\n");
        text.push_str(&event(number + 1, title, "19700101T000000Z", &rule));
    }
    text.push_str("END:VCALENDAR\r\n");
    let file = home.join("calendar.ics");
    fs::write(&file, text).expect("written");
    let imported = run(home, &["--now", NOW, "import", &file.to_string_lossy()]);
    assert_eq!(code(&imported), 0, "{}", errors(&imported));
}

fn ask(home: &Path, text: &str) -> String {
    let answer = run(home, &["--now", NOW, "ask", text]);
    assert_eq!(code(&answer), 0, "{}", errors(&answer));
    String::from_utf8(answer.stdout).expect("text")
}

fn tomorrow(home: &Path) -> Vec<Value> {
    let range = ["--from", "2026-01-13", "--to", "2026-01-13"];
    let shown = run(
        home,
        &[&["--now", NOW, "--json", "show", "events"][..], &range].concat(),
    );
    list(&shown)
}

fn titles(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .filter_map(|row| row["summary"].as_str())
        .collect()
}

#[test]
fn shows_a_series_of_every_second_as_one_line_a_day() {
    let home = tempfile::tempdir().expect("a folder");
    profile(
        home.path(),
        &[
            ("Ping", "FREQ=SECONDLY;COUNT=4294967295"),
            ("Pong", "FREQ=MINUTELY"),
        ],
    );
    let answer = ask(home.path(), "what's on tomorrow");
    assert!(answer.contains("3 events"), "{answer}");
    assert!(answer.contains("Dentist"), "{answer}");
    assert!(answer.contains("Ping · every second"), "{answer}");
    let rows = tomorrow(home.path());
    let mut shown = titles(&rows);
    shown.sort_unstable();
    assert_eq!(shown, ["Dentist", "Ping", "Pong"]);
    assert!(
        rows.iter().all(|row| row.get("unexpanded").is_none()),
        "{rows:?}"
    );
}

#[test]
fn shows_every_second_of_a_year_as_one_line_a_day() {
    let home = tempfile::tempdir().expect("a folder");
    let numbers = |to: u32| {
        (0..=to)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let rule = format!(
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR={};BYMINUTE={};BYSECOND={}",
        numbers(23),
        numbers(59),
        numbers(59)
    );
    profile(home.path(), &[("Flood", &rule)]);
    let answer = ask(home.path(), "what's on tomorrow");
    assert!(answer.contains("2 events"), "{answer}");
    assert!(
        answer.contains("Flood") && answer.contains("Dentist"),
        "{answer}"
    );
}

#[test]
fn names_series_that_cannot_be_expanded() {
    let home = tempfile::tempdir().expect("a folder");
    profile(
        home.path(),
        &[
            ("Endless", "FREQ=HOURLY;BYMINUTE=0,30;COUNT=4294967295"),
            ("Garbled", "FREQ=MINUTELY;BYSETPOS=1"),
        ],
    );
    let answer = ask(home.path(), "what's on tomorrow");
    assert!(answer.contains("Dentist"), "{answer}");
    assert!(
        answer.contains("“Endless”, as it has more dates than can be worked out"),
        "{answer}"
    );
    assert!(
        answer.contains("“Garbled”, as its repetition cannot be read"),
        "{answer}"
    );
    let rows = tomorrow(home.path());
    assert_eq!(titles(&rows)[0], "Dentist");
    let reasons: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["unexpanded"].as_str())
        .collect();
    assert_eq!(reasons.len(), 2, "{rows:?}");
    let table = run(
        home.path(),
        &[
            "--now",
            NOW,
            "show",
            "events",
            "--from",
            "2026-01-13",
            "--to",
            "2026-01-13",
        ],
    );
    let table = String::from_utf8(table.stdout).expect("text");
    assert!(
        table.contains("Endless may have more dates than are shown"),
        "{table}"
    );
}
