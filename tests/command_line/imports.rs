//! Tests of imports: binary files, partly readable files, and items that already exist.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{NOW, code, errors, list, run};

/// Returns bytes as of a picture, which are not text in any encoding.
fn binary() -> Vec<u8> {
    (0..40_000_u32)
        .map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).expect("a byte"))
        .collect()
}

fn import(home: &Path, name: &str, content: impl AsRef<[u8]>) -> Output {
    let file = home.join(name);
    std::fs::write(&file, content).expect("a file");
    run(home, &["--now", NOW, "import", &file.display().to_string()])
}

fn shown(home: &Path, what: &str) -> Vec<Value> {
    list(&run(home, &["--now", NOW, "--json", "show", what]))
}

#[test]
fn refuses_binary_files_in_one_line() {
    let home = tempfile::tempdir().expect("a folder");
    for name in ["a.ics", "a.vcf", "a.md", "a.csv"] {
        let refused = import(home.path(), name, binary());
        assert_eq!(code(&refused), 1, "{name}");
        let told = errors(&refused);
        assert_eq!(told.matches("Not imported:").count(), 1, "{name}: {told}");
        assert!(told.contains("is not text"), "{name}: {told}");
    }
    assert!(shown(home.path(), "notes").is_empty());
    let prose = "It was a dark and stormy night.\n".repeat(400);
    for name in ["b.ics", "b.vcf"] {
        let told = errors(&import(home.path(), name, &prose));
        assert_eq!(told.matches("Not imported:").count(), 1, "{name}: {told}");
    }
}

#[test]
fn json_reports_that_nothing_was_imported() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("a.ics");
    std::fs::write(&file, binary()).expect("a file");
    let file = file.display().to_string();
    let refused = run(home.path(), &["--now", NOW, "--json", "import", &file]);
    assert_eq!(code(&refused), 1);
    let lines = String::from_utf8_lossy(&refused.stdout).into_owned();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [report, error] = lines.as_slice() else {
        panic!("{lines:?}")
    };
    assert_eq!(report["rejected"].as_array().map(Vec::len), Some(1));
    assert_eq!(error["event"], "error");
    assert_eq!(error["code"], "nothing_imported");
    let told = errors(&refused);
    assert!(told.contains("1 was not imported"), "{told}");
}

#[test]
fn a_partial_import_exits_with_one_and_names_the_rest() {
    let home = tempfile::tempdir().expect("a folder");
    let partly = import(
        home.path(),
        "tasks.csv",
        "title,due\nGood,2026-01-13\nBad,whenever\n",
    );
    assert_eq!(code(&partly), 1);
    assert!(String::from_utf8_lossy(&partly.stdout).contains("tasks: 1 new"));
    let told = errors(&partly);
    assert!(
        told.contains("row 3") && told.contains("1 item is stored, 1 was not"),
        "{told}"
    );
    let whole = import(home.path(), "tasks.csv", "title,due\nGood,2026-01-13\n");
    assert_eq!(code(&whole), 0, "{}", errors(&whole));
}

#[test]
fn a_calendar_under_another_name_changes_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let calendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:one@x\nDTSTART:20260113T090000Z\nSUMMARY:Stand-up\nEND:VEVENT\nEND:VCALENDAR\n";
    assert_eq!(code(&import(home.path(), "work.ics", calendar)), 0);
    let again = import(home.path(), "work (1).ics", calendar);
    let told = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(told.contains("0 new, 0 changed, 1 unchanged"), "{told}");
    let later = import(
        home.path(),
        "new.ics",
        calendar.replace("Stand-up", "Sit-down"),
    );
    assert!(String::from_utf8_lossy(&later.stdout).contains("1 changed"));
    let events = shown(home.path(), "events");
    assert_eq!(
        (&events[0]["summary"], &events[0]["calendar"]),
        (&"Sit-down".into(), &"work".into())
    );
}

#[test]
fn birthday_and_notes_of_a_card_are_kept_and_shown() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let card = "BEGIN:VCARD\nVERSION:3.0\nUID:ana\nFN:Ana Ruiz\nEMAIL:ana@example.org\nBDAY:1984-04-15\nNOTE:Allergic to nuts.\\nLikes jazz.\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nUID:bo\nFN:Bo\nBDAY:--0229\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nUID:cy\nFN:Cy\nBDAY:1980\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nUID:di\nFN:Di\nBDAY:1980-05\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nUID:ed\nFN:Ed\nBDAY:---17\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nUID:flo\nFN:Flo\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-05-17\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nUID:gus\nFN:Gus\nBDAY:1980-13-45\nEND:VCARD\n";
    assert_eq!(code(&import(home, "a.vcf", card)), 0);
    let all = shown(home, "contacts");
    let field = |name: &str, field: &str| {
        let mut own = all.iter().filter(|one| one["name"] == name);
        own.next().expect("the contact")[field].clone()
    };
    assert_eq!(field("Ana Ruiz", "birthday"), "1984-04-15");
    for (name, birthday) in [
        ("Bo", "--02-29"),
        ("Cy", "1980"),
        ("Di", "1980-05"),
        ("Ed", "---17"),
        ("Flo", "--05-17"),
        ("Gus", "1980-13-45"),
    ] {
        assert_eq!(field(name, "birthday"), birthday, "{name}");
    }
    assert_eq!(field("Ana Ruiz", "notes"), "Allergic to nuts.\nLikes jazz.");
    let id = field("Ana Ruiz", "id");
    let whole = run(home, &["show", "contacts", id.as_str().expect("an id")]);
    let whole = String::from_utf8_lossy(&whole.stdout);
    assert!(
        whole.contains("1984-04-15") && whole.contains("\nLikes jazz."),
        "{whole}"
    );
    // An export can be imported completely.
    let out = home.join("out").display().to_string();
    assert_eq!(code(&run(home, &["export", &out])), 0);
    let cards = std::fs::read_to_string(home.join("out/contacts.vcf")).expect("the cards");
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(code(&import(other.path(), "b.vcf", cards)), 0);
    let strip = |mut all: Vec<Value>| {
        all.iter_mut().for_each(|one| one["id"] = Value::Null);
        all
    };
    assert_eq!(
        strip(shown(other.path(), "contacts")),
        strip(shown(home, "contacts"))
    );
}

#[test]
fn a_missing_folder_is_no_valid_setting() {
    let home = tempfile::tempdir().expect("a folder");
    let set = |value: &str| run(home.path(), &["config", "set", "folders", value]);
    let refused = set("/does/not/exist");
    assert_eq!(code(&refused), 2, "{}", errors(&refused));
    assert!(
        errors(&refused).contains("/does/not/exist"),
        "{}",
        errors(&refused)
    );
    assert_eq!(code(&set(&home.path().display().to_string())), 0);
}

#[test]
fn messages_contain_no_system_error_numbers() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("file");
    std::fs::write(&file, "x").expect("a file");
    let inside = file.join("more").display().to_string();
    let no_folder = run(&file.join("more"), &["show", "tasks"]);
    let other = tempfile::tempdir().expect("a folder");
    let outputs = [
        &["export", &inside][..],
        &["import", &inside],
        &["config", "set", "folders", &inside],
        &["eval", "route", "--in", &inside, "--out", &inside],
    ]
    .map(|args| run(other.path(), args));
    for output in outputs.iter().chain([&no_folder]) {
        let told = errors(output);
        assert_ne!(code(output), 0, "{told}");
        assert!(
            !told.contains("os error") && told.contains("folder"),
            "{told}"
        );
    }
}
