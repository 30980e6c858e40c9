//! Tests of finding, renaming, pinning, archiving, deleting and restoring conversations from the command line.

use serde_json::Value;

use super::{NOW, code, errors, list, run};

#[test]
fn organises_conversations() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let does = |args: &[&str]| {
        let output = run(args);
        assert_eq!(code(&output), 0, "{args:?}: {}", errors(&output));
        output
    };
    let titles = |what: &str| -> Vec<String> {
        let rows: Vec<Value> = list(&does(&["--json", "show", what]));
        let title = |row: &Value| row["title"].as_str().expect("a title").to_owned();
        rows.iter().map(title).collect()
    };
    for (id, text) in [
        ("milk", "hi, please add a task to buy milk"),
        ("soap", "add a task to buy soap"),
    ] {
        does(&["ask", "--conversation", id, text]);
    }
    assert_eq!(titles("conversations").len(), 2);
    assert!(titles("conversations").contains(&"Add a task to buy milk".to_owned()));
    does(&["conversation", "milk", "pin"]);
    does(&["conversation", "milk", "rename", "Groceries"]);
    assert_eq!(titles("conversations")[0], "Groceries");
    // Search covers messages, not only titles.
    let found: Vec<Value> = list(&does(&["--json", "search", "milk"]));
    let talk = found.iter().find(|hit| hit["topic"] == "conversations");
    assert_eq!(talk.expect("a hit")["title"], "Groceries");

    does(&["conversation", "soap", "archive"]);
    assert_eq!(titles("conversations"), ["Groceries"]);
    assert_eq!(titles("archived-conversations"), ["Add a task to buy soap"]);
    does(&["ask", "--conversation", "soap", "what is on today?"]);
    assert!(titles("archived-conversations").is_empty());

    does(&["conversation", "milk", "delete"]);
    assert_eq!(titles("conversations"), ["Add a task to buy soap"]);
    assert_eq!(code(&run(&["conversation", "milk", "pin"])), 1);
    does(&["conversation", "milk", "restore"]);
    assert_eq!(titles("conversations")[0], "Groceries");
    assert_eq!(code(&run(&["conversation", "soap", "rename", " "])), 2);
}
