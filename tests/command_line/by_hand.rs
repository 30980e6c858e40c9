//! Tests of editing what waits by hand, and of searching.

use serde_json::Value;

use super::{NOW, code, errors, list, run};

#[test]
fn edits_waiting_cards_and_plans() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let waiting = |what: &str, state: &str| -> Vec<Value> {
        let all = list(&run(&["--json", "show", what]));
        all.into_iter()
            .filter(|one| one["state"] == state)
            .collect()
    };
    assert_eq!(
        code(&run(&[
            "ask",
            "email bob@example.com that the harbour is closed"
        ])),
        3
    );
    let card = waiting("approvals", "pending").remove(0);
    let id = card["id"].as_str().expect("an id");
    // Other arguments create a new card and void the old one.
    let mut args = card["args"].clone();
    args["subject"] = "Harbour".into();
    let changed = run(&["edit", id, "--args", &args.to_string()]);
    assert_eq!(code(&changed), 3, "{}", errors(&changed));
    let cards = waiting("approvals", "pending");
    assert_eq!(cards.len(), 1);
    assert_eq!(cards[0]["args"]["subject"], "Harbour");
    assert_ne!(cards[0]["id"], card["id"]);
    assert_eq!(code(&run(&["edit", id, "--args", "[1]"])), 2);
    let id = cards[0]["id"].as_str().expect("an id");
    assert_eq!(code(&run(&["reject", id])), 0);
    let again = run(&["again", id]);
    assert_eq!(code(&again), 3, "{}", errors(&again));
    assert_eq!(waiting("approvals", "pending").len(), 1);

    // A plan of two deletions, one of which is left out.
    for title in ["tea", "soap"] {
        let added = run(&["ask", &format!("add a task to buy {title}")]);
        assert_eq!(code(&added), 0, "{}", errors(&added));
    }
    let asked = run(&[
        "ask",
        "--conversation",
        "other",
        "delete the task to buy tea, then delete the task to buy soap",
    ]);
    assert_eq!(code(&asked), 3, "{}", errors(&asked));
    let plans = waiting("plans", "waiting");
    let two = plans.iter().find(|plan| plan["conversation"] == "other");
    let two = two.expect("the plan");
    let (plan, step) = (&two["id"], &two["steps"][0]["key"]);
    let (plan, step) = (plan.as_str().expect("an id"), step.as_str().expect("a key"));
    let shown = run(&["show", "plans"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains(&format!("adjutant plan leave-out {plan} STEP")),
        "{shown}"
    );
    let refused = run(&["plan", "leave-out", plan, "no_such_step"]);
    assert_eq!(code(&refused), 1, "{}", errors(&refused));
    let unknown = run(&["plan", "leave-out", "plan_nothing", step]);
    assert_eq!(code(&unknown), 1);
    assert!(
        errors(&unknown).contains("no plan “plan_nothing”"),
        "{}",
        errors(&unknown)
    );
    let left = run(&["plan", "leave-out", plan, step]);
    assert_eq!(code(&left), 3, "{}", errors(&left));
    let plans = waiting("plans", "waiting");
    let two = plans.iter().find(|plan| plan["conversation"] == "other");
    let open = |plan: &Value| {
        let steps = plan["steps"].as_array().expect("steps").clone();
        steps
            .iter()
            .filter(|step| step["status"] == "waiting")
            .count()
    };
    assert_eq!(open(two.expect("the plan")), 1);
    // The plan continues in the turn that left out a step, and remains a single plan.
    let all = list(&run(&["--json", "show", "plans"]));
    let same = all.iter().filter(|row| row["id"] == plan);
    let states: Vec<&Value> = same.map(|row| &row["state"]).collect();
    assert_eq!(states, ["waiting"]);
}

#[test]
fn searches_records_and_decides_about_waiting_mail() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let added = run(&["ask", "add a task to inspect the lighthouse"]);
    assert_eq!(code(&added), 0, "{}", errors(&added));
    let found = list(&run(&["--json", "search", "lighthouse"]));
    assert_eq!(found[0]["topic"], "tasks", "{found:?}");
    let none = run(&["search", "submarine"]);
    assert_eq!(code(&none), 0);
    assert!(errors(&none).contains("Nothing found"));
    let refused = run(&["outbox", "mail_nothing", "send-now"]);
    assert_eq!(code(&refused), 1);
    assert!(!errors(&refused).is_empty());
    let refused = run(&["--json", "outbox", "mail_nothing", "send-now"]);
    let refused: Value = serde_json::from_slice(&refused.stdout).expect("an object");
    assert_eq!(refused["event"], "error", "{refused}");
    assert_eq!(refused["code"], "not_held", "{refused}");
    assert_eq!(code(&run(&["outbox", "mail_nothing", "burn"])), 2);
}

/// Creates a profile with one approved mail, and returns its outbox row.
fn approved_mail(home: &std::path::Path) -> Value {
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let asked = run(&["ask", "email bob@example.com that the harbour is closed"]);
    assert_eq!(code(&asked), 3, "{}", errors(&asked));
    let card = list(&run(&["--json", "show", "approvals"])).remove(0);
    let (id, digest) = (card["id"].as_str(), card["digest"].as_str());
    let (id, digest) = (id.expect("an id"), digest.expect("a digest"));
    let approved = run(&["approve", id, "--digest", digest]);
    assert_eq!(code(&approved), 0, "{}", errors(&approved));
    list(&run(&["--json", "show", "outbox"])).remove(0)
}

/// Returns the state of the only mail in the outbox; `None` if the outbox is empty.
fn outgoing(home: &std::path::Path) -> Option<String> {
    let all = list(&run(home, &["--now", NOW, "--json", "show", "outbox"]));
    assert!(all.len() <= 1, "{all:?}");
    all.first()
        .and_then(|one| one["state"].as_str().map(str::to_owned))
}

fn latest(home: &std::path::Path, tool: &str) -> String {
    let all = list(&run(home, &["--now", NOW, "--json", "show", "activity"]));
    let row = all.iter().find(|row| row["tool"] == tool);
    let id = row.and_then(|row| row["id"].as_str());
    id.unwrap_or_else(|| panic!("{tool}: {all:?}")).to_owned()
}

#[test]
fn undo_never_queues_a_mail_again() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let mail = approved_mail(home);
    let id = mail["id"].as_str().expect("an id");
    assert_eq!(outgoing(home).as_deref(), Some("queued"));
    let drafted = run(&["outbox", id, "to-draft"]);
    assert_eq!(code(&drafted), 0, "{}", errors(&drafted));
    let refused = run(&["undo", &latest(home, "outbox.draft")]);
    assert_eq!(code(&refused), 1, "{}", errors(&refused));
    assert_eq!(outgoing(home).as_deref(), Some("draft"));

    // A mail removed while it waited to be sent is restored as a draft.
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| super::run(home, &[&["--now", NOW], args].concat());
    approved_mail(home);
    let sent = latest(home, "email.send");
    assert_eq!(code(&run(&["undo", &sent])), 0);
    assert_eq!(outgoing(home), None);
    assert_eq!(code(&run(&["undo", &latest(home, "undo")])), 0);
    assert_eq!(outgoing(home).as_deref(), Some("draft"));
}

#[test]
fn an_imported_folder_approves_nothing() {
    let (from, to) = (tempfile::tempdir(), tempfile::tempdir());
    let (from, to) = (from.expect("a folder"), to.expect("a folder"));
    approved_mail(from.path());
    let copy = to.path().join("copy");
    let copy = copy.display().to_string();
    let exported = run(from.path(), &["--now", NOW, "export", &copy]);
    assert_eq!(code(&exported), 0, "{}", errors(&exported));
    let records = std::fs::read_to_string(format!("{copy}/records.jsonl")).expect("records");
    assert!(records.contains("\"state\":\"queued\""), "{records}");
    let imported = run(to.path(), &["--now", NOW, "import", &copy]);
    assert_eq!(code(&imported), 0, "{}", errors(&imported));
    assert_eq!(outgoing(to.path()).as_deref(), Some("draft"));
}

#[test]
fn a_draft_is_sent_by_hand_or_by_words_with_a_card() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let drafted = run(&[
        "ask",
        "draft a mail to bob@example.com saying the harbour is closed",
    ]);
    assert_eq!(code(&drafted), 0, "{}", errors(&drafted));
    let row = list(&run(&["--json", "show", "outbox"])).remove(0);
    assert_eq!(row["state"], "draft");
    let id = row["id"].as_str().expect("an id");
    let by_words = run(&["ask", "send the draft to bob@example.com"]);
    assert_eq!(code(&by_words), 3, "{}", errors(&by_words));
    let card = list(&run(&["--json", "show", "approvals"])).remove(0);
    assert_eq!(
        code(&run(&["reject", card["id"].as_str().expect("an id")])),
        0
    );
    let by_hand = run(&["outbox", id, "send-now"]);
    assert_eq!(code(&by_hand), 3, "{}", errors(&by_hand));
    let cards = list(&run(&["--json", "show", "approvals"]));
    let waits = cards.iter().filter(|card| card["state"] == "pending");
    let waits: Vec<&Value> = waits.collect();
    assert_eq!(waits.len(), 1, "{cards:?}");
    assert_eq!(waits[0]["tool"], "email.send");
}
