//! What holds for every tool: the table of GATE rule 1, complete cards, strict arguments, and that nothing but what was
//! shown runs.

mod properties;
mod undo;

use std::collections::BTreeSet;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Outcome;
use adjutant_domain::ports::Toolbox as _;
use adjutant_domain::record::Attachment;
use adjutant_domain::source::Sources;
use adjutant_testkit::{World, make};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::testing::{fault, observe, permit, registry, run};

/// How GATE rule 1 lets a call run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Runs {
    /// A read: never asks.
    Reads,
    /// Runs at once, can be undone.
    AtOnce,
    /// Asks first.
    Asks,
}

/// The table of GATE rule 1 over the whole registry, with a call of each tool.
fn table() -> Vec<(&'static str, Value, Runs)> {
    use Runs::{Asks, AtOnce, Reads};
    vec![
        ("task.create", json!({"title": "x"}), AtOnce),
        ("task.list", json!({}), Reads),
        (
            "task.update",
            json!({"id": "task_1", "changes": {"title": "y"}}),
            AtOnce,
        ),
        ("task.complete", json!({"id": "task_1"}), AtOnce),
        ("task.delete", json!({"id": "task_1"}), Asks),
        ("calendar.list", json!({}), Reads),
        ("calendar.read", json!({"id": "ev_1"}), Reads),
        (
            "calendar.free",
            json!({"from": "2026-01-15", "to": "2026-01-16"}),
            Reads,
        ),
        (
            "calendar.create",
            json!({"summary": "x", "start": "2026-01-15", "people": "Nadia"}),
            AtOnce,
        ),
        (
            "calendar.update",
            json!({"id": "ev_1", "changes": {"summary": "y"}}),
            Asks,
        ),
        ("calendar.delete", json!({"id": "ev_1"}), Asks),
        (
            "calendar.respond",
            json!({"id": "ev_1", "response": "accepted"}),
            Asks,
        ),
        ("calendar.enter", json!({"id": "mail_i"}), AtOnce),
        ("email.search", json!({}), Reads),
        ("email.read", json!({"id": "mail_1"}), Reads),
        ("email.draft", json!({"to": "Nadia", "body": "x"}), AtOnce),
        ("email.send", json!({"to": "Nadia", "body": "x"}), Asks),
        ("email.reply", json!({"id": "mail_1", "body": "x"}), Asks),
        (
            "email.forward",
            json!({"id": "mail_1", "to": "Nadia"}),
            Asks,
        ),
        ("email.archive", json!({"id": "mail_1"}), AtOnce),
        ("email.label", json!({"id": "mail_1", "add": ["x"]}), AtOnce),
        ("email.mark", json!({"id": "mail_1", "read": false}), AtOnce),
        ("email.delete", json!({"id": "mail_1"}), Asks),
        ("email.attachment", json!({"id": "mail_f"}), AtOnce),
        ("email.unsubscribe", json!({"id": "mail_f"}), Asks),
        ("note.create", json!({"title": "x"}), AtOnce),
        ("note.list", json!({}), Reads),
        ("note.append", json!({"id": "note_1", "text": "x"}), AtOnce),
        (
            "note.update",
            json!({"id": "note_1", "changes": {"title": "y"}}),
            AtOnce,
        ),
        ("note.search", json!({"text": "x"}), Reads),
        ("note.read", json!({"id": "note_1"}), Reads),
        ("note.delete", json!({"id": "note_1"}), Asks),
        ("memory.store", json!({"key": "k", "value": "v"}), AtOnce),
        ("memory.search", json!({"text": "k"}), Reads),
        (
            "memory.update",
            json!({"id": "mem_1", "value": "w"}),
            AtOnce,
        ),
        ("memory.forget", json!({"id": "mem_1"}), Asks),
        ("contact.find", json!({"name": "Nadia"}), Reads),
        ("contact.create", json!({"name": "x"}), AtOnce),
        (
            "contact.update",
            json!({"id": "who_1", "changes": {"notes": "x"}}),
            AtOnce,
        ),
        ("file.search", json!({"text": "x"}), Reads),
        ("file.read", json!({"path": "a.txt"}), Reads),
        ("file.list", json!({}), Reads),
        ("recall.search", json!({"text": "milk"}), Reads),
        ("calc.evaluate", json!({"text": "2 + 2"}), Reads),
        (
            "research.start",
            json!({"objective": "heat pumps for old houses", "why": "to buy one", "success": "a price"}),
            AtOnce,
        ),
        ("email.search_provider", json!({"query": "tower"}), Reads),
        ("web.search", json!({"query": "tower"}), Reads),
        ("web.read", json!({"url": "https://a.example/"}), Reads),
    ]
}

/// A world in which every call of the table works. The folder lives as long as the guard.
fn world() -> (World, TempDir) {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("a.txt"), "text").expect("a file");
    let path = folder.path().display().to_string();
    let mut with_file = make::mail(
        "mail_f",
        "Nadia Ali <nadia@work.example>",
        "File",
        "2026-01-13T10:00:00Z",
        "",
    );
    with_file.attachments = vec![Attachment {
        name: "a.csv".into(),
        media_type: "text/csv".into(),
        size: 3,
        sha256: String::new(),
    }];
    let mut world = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with_settings(|settings| settings.folders = vec![path])
        .with(make::task("task_1", "Buy milk", Some("2026-01-15")))
        .with(make::event(
            "ev_1",
            "Planning",
            "2026-01-15T10:00:00+01:00[Europe/Berlin]",
            "2026-01-15T11:00:00+01:00[Europe/Berlin]",
            &["Kim Ode <kim@else.example>"],
        ))
        .with(make::mail(
            "mail_1",
            "Nadia Ali <nadia@work.example>",
            "Lunch?",
            "2026-01-13T08:00:00Z",
            "Friday?",
        ))
        .with(with_file)
        .with(make::note("note_1", "Garden", "Roses"))
        .with(make::memory("mem_1", "wifi password", "tulip7"))
        .with(make::contact("who_1", "Nadia Ali", &["nadia@work.example"]));
    crate::calendar::contract::invitations::add(
        &world,
        "mail_i",
        &crate::calendar::contract::invitations::INVITED,
    );
    world.cx.lookup = std::sync::Arc::new(crate::web::contract::OnePage);
    world.records.put_source(
        &"mail_f".into(),
        b"Subject: File\r\nList-Unsubscribe: <https://list.example/u>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=\"a.csv\"\r\n\r\na,b\r\n--x--\r\n".to_vec(),
    );
    (world, folder)
}

#[tokio::test]
async fn the_table_of_the_gate_holds_for_the_whole_registry() {
    let named: BTreeSet<String> = registry()
        .catalog()
        .specs()
        .iter()
        .map(|spec| spec.name.clone())
        .collect();
    let tabled: BTreeSet<String> = table()
        .iter()
        .map(|(tool, ..)| (*tool).to_owned())
        .collect();
    assert_eq!(
        named, tabled,
        "every tool is in the table, and nothing else"
    );
    for (tool, args, runs) in table() {
        let (world, _folder) = world();
        let ran = run(&world, tool, args)
            .await
            .unwrap_or_else(|stop| panic!("{tool}: {stop:?}"));
        let risk = ran.observed.assessment.risk;
        let found = match (risk, ran.asked) {
            (Risk::Read, false) => Runs::Reads,
            (_, true) => Runs::Asks,
            (Risk::LocalReversible, false) => Runs::AtOnce,
            (risk, false) => panic!("{tool} ran unasked with {risk:?}"),
        };
        assert_eq!(found, runs, "{tool}");
    }
}

#[tokio::test]
async fn looking_changes_nothing_and_reads_never_want_a_change() {
    for (tool, args, runs) in table() {
        let (world, _folder) = world();
        let before = world.records.all();
        let observed = observe(&world, tool, args).await.expect("a look");
        assert_eq!(
            world.records.all(),
            before,
            "{tool} changed something by looking"
        );
        let (_, calls) = permit(&world, observed);
        let outcome = registry().run(&calls[0], &world.cx).await.expect("run");
        let changes = matches!(outcome, Outcome::Effects { .. } | Outcome::Started { .. });
        assert_eq!(changes, runs != Runs::Reads, "{tool}");
        assert_eq!(world.records.all(), before, "{tool} wrote by itself");
    }
}

#[tokio::test]
async fn more_than_twenty_at_once_ask() {
    let (mut world, _folder) = world();
    for number in 0..21 {
        world = world.with(make::mail(
            &format!("mail_n{number}"),
            "list@x.example",
            "News",
            "2026-01-12T08:00:00Z",
            "",
        ));
    }
    let target =
        |limit: usize| json!({"target": {"from": "list@x.example", "pick": "all", "limit": limit}});
    assert!(
        !run(&world, "email.archive", target(20))
            .await
            .expect("filed")
            .asked
    );
    let all = run(&world, "email.mark", {
        let mut args = target(21);
        args["read"] = json!(false);
        args
    })
    .await
    .expect("marked");
    assert!(all.asked);
    assert_eq!(all.observed.card.items.len(), 21, "every one is listed");
}

#[test]
fn arguments_are_strict_and_described() {
    let registry = registry();
    for (tool, args, _) in table() {
        assert!(
            registry.plan(tool, args.clone(), Sources::new()).is_ok(),
            "{tool}"
        );
        let mut more = args.clone();
        more["surprise"] = json!(1);
        assert!(
            registry.plan(tool, more, Sources::new()).is_err(),
            "{tool} takes unknown fields"
        );
        assert!(
            registry.plan(tool, json!([]), Sources::new()).is_err(),
            "{tool} takes a list"
        );
        for nested in ["target", "changes"] {
            let mut by_place = args.clone();
            by_place[nested] = json!(["x"]);
            assert!(
                registry.plan(tool, by_place, Sources::new()).is_err(),
                "{tool} takes a list in {nested}"
            );
        }
    }
    let guide = include_str!("../ARGS.md");
    for spec in registry.catalog().specs() {
        assert!(
            guide.contains(&format!("`{}`", spec.name)),
            "{} is not in ARGS.md",
            spec.name
        );
        assert!(
            !spec.phrases.is_empty() && !spec.description.is_empty(),
            "{}",
            spec.name
        );
        let fields = spec.schema["properties"].as_object().expect("an object");
        for (field, schema) in fields {
            let described = schema["description"].is_string();
            assert!(described, "{}.{field} has no description", spec.name);
            assert!(
                guide.contains(&format!("`{field}`")) || guide.contains(field),
                "{}.{field} is not in ARGS.md",
                spec.name
            );
        }
    }
    assert!(
        registry
            .plan("email.nuke", json!({}), Sources::new())
            .is_err()
    );
    let long = json!({"title": "x".repeat(crate::registry::ARGS_BYTES_MAX)});
    assert!(registry.plan("task.create", long, Sources::new()).is_err());
}

#[tokio::test]
async fn what_is_kept_of_a_text_has_an_end() {
    let long = |count: usize| "x ".repeat(count / 2);
    let many: Vec<String> = (0..51).map(|n| format!("tag{n}")).collect();
    let start = "2026-01-15T10:00:00+01:00[Europe/Berlin]";
    for (tool, args) in [
        ("task.create", json!({"title": "T", "notes": long(600_000)})),
        (
            "task.update",
            json!({"id": "task_1", "changes": {"add_notes": long(400_000)}}),
        ),
        ("note.create", json!({"title": "N", "tags": many})),
        (
            "note.create",
            json!({"title": "N", "tags": ["x".repeat(101)]}),
        ),
        (
            "note.update",
            json!({"id": "note_1", "changes": {"add_tags": many}}),
        ),
        (
            "memory.store",
            json!({"key": "k", "value": "v", "category": long(1_000)}),
        ),
        (
            "memory.update",
            json!({"id": "mem_1", "value": "v", "category": long(1_000)}),
        ),
        (
            "calendar.create",
            json!({"summary": long(2_000), "start": start}),
        ),
        (
            "calendar.update",
            json!({"id": "ev_1", "changes": {"location": long(2_000)}}),
        ),
        (
            "calendar.update",
            json!({"id": "ev_1", "changes": {"description": long(600_000)}}),
        ),
    ] {
        let mut task = make::task("task_1", "T", None);
        task.notes = "x".repeat(200_000);
        let world = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
            .with(task)
            .with(make::note("note_1", "N", ""))
            .with(make::memory("mem_1", "k", "w"))
            .with(make::event(
                "ev_1",
                "E",
                start,
                "2026-01-15T11:00:00+01:00[Europe/Berlin]",
                &[],
            ));
        let refused = fault(&world, tool, args).await.to_string();
        assert!(refused.contains("at most"), "{tool}: {refused}");
    }
    // No list is walked through that nobody would write.
    let list = json!({"title": "N", "tags": vec!["a"; 1_001]});
    let refused = registry().plan("note.create", list, Sources::new());
    assert!(matches!(refused, Err(ToolFault::TooMuch { .. })));
}
