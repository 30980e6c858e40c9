//! What waits, changed by hand, and what is kept, searched.

use serde_json::Value;

use super::{NOW, code, errors, list, run};

#[test]
fn what_waits_is_changed_by_hand() {
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
    // Other arguments make a new card, and the one before it is void.
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

    // A plan of two deletions, of which one is left out.
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
}

#[test]
fn what_is_kept_is_searched_and_mail_that_waits_is_decided_on() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let run = |args: &[&str]| run(home, &[&["--now", NOW], args].concat());
    let added = run(&["ask", "add a task to inspect the lighthouse"]);
    assert_eq!(code(&added), 0, "{}", errors(&added));
    let found = list(&run(&["--json", "search", "lighthouse"]));
    assert_eq!(found[0]["topic"], "tasks", "{found:?}");
    let none = run(&["search", "submarine"]);
    assert_eq!(code(&none), 0);
    assert!(errors(&none).contains("Nothing was found"));
    let refused = run(&["outbox", "mail_nothing", "send-now"]);
    assert_eq!(code(&refused), 1);
    assert!(!errors(&refused).is_empty());
    assert_eq!(code(&run(&["outbox", "mail_nothing", "burn"])), 2);
}
