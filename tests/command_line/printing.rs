//! Tests of output for people: complete, readable, and free of terminal control sequences.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::{NOW, code, errors, list, run};

/// Starts of the program within which the index must appear.
const STARTS_MAX: usize = 50;

/// A mail whose subject, sender and text contain terminal control sequences.
const HOSTILE: &str = "From: Mallory\u{202e} <mallory@x.example>\nTo: me@example.org\nDate: Mon, 12 Jan 2026 08:00:00 +0000\nMessage-ID: <h@x>\nSubject: =?utf-8?q?Hi_=1B]0;pwned=07_you?=\nContent-Type: text/plain; charset=utf-8\n\nFirst line\n\u{1b}[2J\u{1b}[1;31mred\u{9b}0m and \u{2066}turned\n";

fn import(home: &Path, name: &str, content: &str) {
    let file = home.join(name);
    std::fs::write(&file, content).expect("a file");
    let output = run(home, &["--now", NOW, "import", &file.display().to_string()]);
    assert_eq!(code(&output), 0, "{}", errors(&output));
}

fn printed(home: &Path, args: &[&str]) -> String {
    let output = run(home, &[&["--now", NOW], args].concat());
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let all = [output.stdout, output.stderr].concat();
    String::from_utf8(all).expect("text")
}

#[test]
fn foreign_text_cannot_control_the_terminal() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    import(home, "mail.eml", HOSTILE);
    let mails = list(&run(home, &["--now", NOW, "--json", "show", "mail"]));
    let id = mails[0]["id"].as_str().expect("an id");
    for args in [
        &["show", "mail"][..],
        &["show", "mail", id],
        &["search", "turned"],
        &["ask", "read the mail from mallory@x.example"],
    ] {
        let shown = printed(home, args);
        let obeyed = |c: char| {
            (c.is_control() && c != '\n')
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || c == '\u{2066}'
        };
        assert!(!shown.contains(obeyed), "{args:?}: {shown:?}");
    }
    assert!(printed(home, &["show", "mail", id]).contains("⟨U+001B⟩[2J"));
    // Programs get the stored text unchanged.
    let stored = list(&run(home, &["--now", NOW, "--json", "show", "mail", id]));
    assert!(
        stored[0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("\u{1b}[2J"))
    );
}

#[test]
fn shows_a_single_record_in_full() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    import(
        home,
        "Cabin.md",
        "# Cabin\n\nThe key is under the third stone.\nBring **wood**.\n",
    );
    import(home, "mail.eml", HOSTILE);
    let id = |what: &str| {
        let rows = list(&run(home, &["--now", NOW, "--json", "show", what]));
        rows[0]["id"].as_str().expect("an id").to_owned()
    };
    let note = printed(home, &["show", "notes", &id("notes")]);
    assert!(
        note.contains("Cabin") && note.contains("under the third stone.\nBring"),
        "{note}"
    );
    let mail = printed(home, &["show", "mail", &id("mail")]);
    assert!(
        mail.contains("mallory@x.example") && mail.contains("First line\n"),
        "{mail}"
    );
}

#[test]
fn tables_fit_the_terminal_and_use_plain_words() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let long = "Quarterly review of everything that happened since the last one ".repeat(3);
    import(
        home,
        "a.ics",
        &format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:one@x\nDTSTART;TZID=America/New_York:20260113T090000\nDTEND;TZID=America/New_York:20260113T093000\nSUMMARY:{long}\nLOCATION:{long}\nRRULE:FREQ=WEEKLY;BYDAY=TU\nATTENDEE:mailto:{}@example.org\nEND:VEVENT\nEND:VCALENDAR\n",
            "a".repeat(100)
        ),
    );
    let shown = printed(home, &["show", "events"]);
    assert!(
        shown.lines().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
    assert!(
        shown.contains("Tue 13 Jan 15:00–15:30"),
        "in the person's zone: {shown}"
    );
    assert!(
        !shown.contains("FREQ=") && !shown.contains("T15:00"),
        "{shown}"
    );
    let wide = super::adjutant(home, &["--now", NOW, "show", "events"])
        .env("COLUMNS", "200")
        .output()
        .expect("it runs");
    let wide = String::from_utf8(wide.stdout).expect("text");
    assert!(wide.contains("every week on Tue"), "{wide}");
}

#[test]
fn prints_a_question_once_with_complete_choices() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let topic = "minutes of the meeting about the harbour and everything else that was said there"
        .repeat(2);
    for (number, name) in ["first", "second"].iter().enumerate() {
        import(
            home,
            &format!("{name}.eml"),
            &format!(
                "From: Ana <ana.maria.ruiz.{name}@a-rather-long-domain.example.org>\nTo: me@example.org\nDate: Mon, 12 Jan 2026 0{number}:00:00 +0000\nMessage-ID: <{name}@x>\nSubject: {topic}\n\nHello\n"
            ),
        );
    }
    let output = run(
        home,
        &[
            "--now",
            NOW,
            "ask",
            "reply to the mail about the harbour saying thanks",
        ],
    );
    assert_eq!(code(&output), 4, "{}", errors(&output));
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told.matches("Which mail").count(), 1, "{told}");
    for name in ["first", "second"] {
        let address = format!("ana.maria.ruiz.{name}@a-rather-long-domain.example.org");
        assert_eq!(told.matches(&address).count(), 1, "{told}");
    }
}

#[test]
fn shows_times_in_the_chosen_clock_format() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    printed(
        home,
        &["ask", "add a dentist appointment tomorrow at 1:30pm"],
    );
    assert!(printed(home, &["show", "events"]).contains("Tue 13 Jan 13:30–14:00"));
    printed(home, &["config", "set", "clock", "12h"]);
    assert!(printed(home, &["show", "events"]).contains("Tue 13 Jan 1:30 pm–2:00 pm"));
    let answer = printed(home, &["ask", "what is on tomorrow?"]);
    assert!(
        answer.contains("1:30 pm") && !answer.contains("13:30"),
        "{answer}"
    );
    let refused = run(home, &["config", "set", "clock", "sundial"]);
    assert_eq!(code(&refused), 2, "{}", errors(&refused));
}

#[test]
fn a_long_list_says_where_to_find_the_rest() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let rows: String = (1..=30).map(|n| format!("Paint fence {n}\n")).collect();
    import(home, "tasks.csv", &format!("title\n{rows}"));
    let answer = printed(home, &["ask", "show my tasks"]);
    assert!(
        answer.contains("and 18 more") && answer.contains("adjutant show tasks"),
        "{answer}"
    );
    assert_eq!(
        printed(home, &["show", "tasks"])
            .matches("Paint fence")
            .count(),
        30
    );
}

#[test]
fn does_not_report_an_unfinished_index() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let rows: String = (1..=300).map(|n| format!("Paint fence {n}\n")).collect();
    import(home, "tasks.csv", &format!("title\n{rows}"));
    let index = home.join("profiles/default/index/meta.json");
    // A process that ended before its first commit left an index without metadata.
    let mut starts = 0;
    while !index.exists() && starts < STARTS_MAX {
        run(home, &["--now", NOW, "search", "fence"]);
        starts += 1;
    }
    let meta = std::fs::read(&index).expect("an index");
    let mut meta: serde_json::Value = serde_json::from_slice(&meta).expect("its description");
    meta.as_object_mut().expect("an object").remove("payload");
    std::fs::write(&index, meta.to_string()).expect("written");
    let found = run(home, &["--now", NOW, "search", "fence"]);
    assert_eq!((code(&found), errors(&found).as_str()), (0, ""));
}

#[test]
fn a_card_in_a_session_says_what_to_type() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    printed(home, &["ask", "add a task to buy milk"]);
    let mut talk = super::adjutant(home, &["--now", NOW, "chat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut typing = talk.stdin.take().expect("its input");
    writeln!(typing, "delete the task to buy milk\nyes\nexit").expect("typed");
    let output = talk.wait_with_output().expect("it ends");
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.contains("Type “yes” to approve it"), "{told}");
    assert!(!told.contains("--digest"), "{told}");
    assert!(list(&run(home, &["--now", NOW, "--json", "show", "tasks"])).is_empty());
}
