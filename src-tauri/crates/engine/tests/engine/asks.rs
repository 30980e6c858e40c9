//! Tests of turns from the message to the answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::account::{Account, Collection, Origins};
use adjutant_domain::change::Change;
use adjutant_domain::conversation::{DIRECT, Role};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ids::RecordId;
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::plan::condition::{Condition, Op as Compare};
use adjutant_domain::plan::{Reference, StepDraft};
use adjutant_domain::ports::{Records, SearchHit, TurnLog as _, UnexpandedSeries};
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::{Kind, Occurrence, Record};
use adjutant_domain::source::{Source, Sources};
use adjutant_engine::{MESSAGE_BYTES_MAX, Op};
use adjutant_testkit::{MemoryRecords, make};
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::json;

use crate::world::{Script, delete, needing, send, step, task_id};

fn list(key: &str) -> StepDraft {
    step(key, "task.list", json!({}))
}

fn create(key: &str, title: &str) -> StepDraft {
    step(key, "task.create", json!({"title": title}))
}

#[tokio::test]
async fn a_question_is_answered_with_two_commits() {
    let world = Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("my tasks", vec![list("s1")])
        .world();
    let turn = world.ask("my tasks").await;
    assert_eq!(turn.end(), ("done", "Open: Milk, Tax.".into()));
    assert_eq!(world.log.commits(), ["open_turn", "close_turn"]);
    assert_eq!(
        turn.names(),
        [
            "turn_started",
            "routed",
            "context",
            "plan",
            "status",
            "tool_call",
            "tool_result",
            "token",
            "done"
        ]
    );
    let seqs: Vec<i64> = turn.0.iter().map(|one| one.seq).collect();
    assert_eq!(seqs, (1..=9).collect::<Vec<i64>>());
    assert_eq!(
        world.log.messages("main"),
        [
            (Role::User, "my tasks".to_owned()),
            (Role::Assistant, "Open: Milk, Tax.".to_owned())
        ]
    );
    let (past, _) = world.log.past(&"main".into()).await.unwrap();
    let labels: Vec<_> = past.focus.shown[0]
        .items
        .iter()
        .map(|one| &one.label)
        .collect();
    assert_eq!(labels, ["Milk", "Tax"]);
}

#[tokio::test]
async fn a_local_write_takes_three_commits_and_carries_its_receipt() {
    let world = Script::new()
        .plan("add milk", vec![create("s1", "Milk")])
        .world();
    let turn = world.ask("add milk").await;
    assert_eq!(turn.end(), ("done", "Added “Milk”.".into()));
    assert_eq!(
        world.log.commits(),
        ["open_turn", "commit_effect", "close_turn"]
    );
    assert_eq!(world.tasks().await, ["Milk"]);
    let receipt = turn.0.iter().find_map(|one| match &one.event {
        TurnEvent::ToolResult { receipt, .. } => receipt.clone(),
        _ => None,
    });
    let rows = receipt.expect("a receipt").rows;
    assert_eq!((rows[0].label.as_str(), rows[0].version), ("Milk", Some(1)));
}

#[tokio::test]
async fn chat_needs_no_context_and_no_plan() {
    let world = Script::new().say("hello", "Good morning.").world();
    let turn = world.ask("hello").await;
    assert_eq!(turn.end(), ("done", "Good morning.".into()));
    assert_eq!(turn.names(), ["turn_started", "routed", "token", "done"]);
    assert_eq!(world.log.commits(), ["open_turn", "close_turn"]);
}

#[tokio::test]
async fn says_when_a_message_is_not_understood() {
    let world = Script::new().world();
    let turn = world.ask("gibberish").await;
    assert_eq!(turn.end(), ("done", "That was not understood.".into()));
    assert_eq!(
        world.ask("  ").await.end(),
        ("error", "empty".to_owned()),
        "refused before anything is stored"
    );
    let long = "x".repeat(MESSAGE_BYTES_MAX + 1);
    assert_eq!(world.ask(&long).await.end(), ("error", "too_much".into()));
    assert_eq!(world.log.commits(), ["open_turn", "close_turn"]);
}

#[tokio::test]
async fn reports_a_panicking_stage_honestly() {
    let world = Script::new().world();
    let (end, answer) = world.ask("break the planner").await.end();
    assert_eq!(end, "done");
    assert!(answer.contains("Nothing was done"), "{answer}");
}

#[tokio::test]
async fn distinguishes_success_and_failure() {
    let world = Script::new()
        .plan(
            "mixed",
            vec![
                create("s1", "Milk"),
                step("s2", "odd.fail", json!({})),
                needing(create("s3", "Never"), &["s2"]),
                step("s4", "odd.panic", json!({})),
            ],
        )
        .world();
    let turn = world.ask("mixed").await;
    let (end, answer) = turn.end();
    assert_eq!(end, "done");
    assert_eq!(
        turn.results(),
        [
            ("s1".to_owned(), "done".to_owned()),
            ("s2".into(), "failed".into()),
            ("s3".into(), "blocked".into()),
            ("s4".into(), "failed".into()),
        ]
    );
    assert!(answer.contains("Added “Milk”."), "{answer}");
    assert!(
        answer.contains("Not done: odd.fail s2. The thing is broken. Mend it."),
        "{answer}"
    );
    assert!(
        answer.contains("an earlier step did not work: task.create s3"),
        "{answer}"
    );
    assert_eq!(world.tasks().await, ["Milk"]);
}

#[tokio::test]
async fn a_guess_is_asked_about_and_its_card_names_what_was_not_understood() {
    let guess = StepDraft {
        guessed: true,
        left_out: vec!["at the mall".into(), "prob".into()],
        ..step("s1", "task.create", json!({"title": "Milk"}))
    };
    let world = Script::new().plan("milk at the mall", vec![guess]).world();
    assert_eq!(world.ask("milk at the mall").await.end().0, "waiting");
    assert_eq!(world.tasks().await, Vec::<String>::new());
    let card = &world.pending().await[0].card;
    let told = card.notes.iter().map(|note| note.text.as_str());
    let told: Vec<&str> = told.collect();
    assert!(
        told.contains(&"I did not understand “at the mall” and “prob”."),
        "{told:?}"
    );
}

#[tokio::test]
async fn each_expands_before_the_gate_and_asks_once() {
    let each = StepDraft {
        each: Some(Reference {
            from: "s1".into(),
            path: "/tasks".into(),
        }),
        ..step("s2", "task.delete", json!({"id": {"$item": "/id"}}))
    };
    let world = Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete all", vec![list("s1"), each])
        .world();
    let turn = world.ask("delete all").await;
    let (end, answer) = turn.end();
    assert_eq!(end, "waiting");
    assert!(answer.starts_with("Waiting for you: "), "{answer}");
    assert!(answer.ends_with("Nothing has been deleted."), "{answer}");
    let pending = world.pending().await;
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].calls.len(), 2);
    world.log.commits();
    let done = world.ask("yes").await;
    assert_eq!(
        done.end(),
        ("done", "Deleted “Milk”.\nDeleted “Tax”.".to_owned())
    );
    assert_eq!(world.tasks().await, Vec::<String>::new());
    assert_eq!(
        world.log.commits(),
        ["open_turn", "move_action", "commit_effect", "close_turn"],
        "a batch is one transaction"
    );
    let effects = world.log.effects(None).await.unwrap();
    assert_eq!(effects.len(), 1);
    assert_eq!(
        effects[0].args,
        json!([{"id": task_id(1)}, {"id": task_id(2)}])
    );
}

#[tokio::test]
async fn a_false_condition_skips_the_step() {
    let when = |op| {
        Some(Condition::new(
            op,
            vec![json!({"$from": "s1", "path": "/count"}), json!(0)],
        ))
    };
    let steps = |op| {
        let guarded = StepDraft {
            when: when(op),
            ..create("s2", "Rest")
        };
        vec![list("s1"), guarded, needing(create("s3", "After"), &["s2"])]
    };
    let world = Script::new()
        .plan("if free", steps(Compare::Eq))
        .plan("if busy", steps(Compare::Gt))
        .world();
    let turn = world.ask("if busy").await;
    assert_eq!(turn.results()[1].1, "left_out");
    assert_eq!(turn.results()[2].1, "left_out");
    assert_eq!(world.tasks().await, Vec::<String>::new());
    assert!(
        turn.end().1.starts_with("Open: ."),
        "what was found explains it"
    );
    world.ask("if free").await;
    assert_eq!(world.tasks().await, ["After", "Rest"]);
}

#[tokio::test]
async fn marks_values_from_foreign_text() {
    let send = StepDraft {
        args: json!({
            "to": [{"$from": "s1", "path": "/mails/0/from"}],
            "subject": {"$from": "s1", "path": "/mails/0/subject"},
            "body": "ok", "mail": {"$from": "s1", "path": "/mails/0/id"},
        }),
        ..send("s2")
    };
    let note = step(
        "s3",
        "note.create",
        json!({"title": {"$from": "s1", "path": "/mails/0/subject"}}),
    );
    let decided = StepDraft {
        when: Some(Condition::new(
            Compare::Eq,
            vec![
                json!({"$from": "s1", "path": "/mails/0/subject"}),
                json!("Buy now"),
            ],
        )),
        ..create("s4", "Steered")
    };
    let world = Script::new()
        .plan(
            "answer",
            vec![step("s1", "email.search", json!({})), send, note, decided],
        )
        .world();
    let turn = world.ask("answer").await;
    assert_eq!(turn.end().0, "waiting");
    let action = world.pending().await.remove(0);
    let sources = &action.calls[0].sources;
    assert!(sources["/to/0"].is_untrusted(), "{sources:?}");
    assert!(sources["/subject"].is_untrusted(), "{sources:?}");
    assert_eq!(sources["/mail"], Source::Step { key: "s1".into() });
    assert!(
        action
            .card
            .notes
            .iter()
            .any(|note| note.text.contains("not from you")),
        "the card says so: {:?}",
        action.card.notes
    );
    let results = turn.results();
    assert_eq!(results[2].1, "done", "a note may hold text of others");
    assert_eq!(results[3].1, "failed", "text of others decides nothing");
    let (past, _) = world.log.past(&"main".into()).await.unwrap();
    assert_eq!(past.taint, adjutant_domain::source::Taint::Tainted);
}

#[tokio::test]
async fn a_full_disk_does_not_lose_a_claim() {
    let world = Script::new()
        .plan("add milk", vec![create("s1", "Milk")])
        .world();
    world.log.break_at(Some("commit_effect"));
    let turn = world.ask("add milk").await;
    assert_eq!(turn.results(), [("s1".to_owned(), "failed".to_owned())]);
    assert!(turn.end().1.contains("disk is full"), "{:?}", turn.end());
    world.log.break_at(Some("open_turn"));
    assert_eq!(
        world.ask("add milk").await.end(),
        ("error", "disk_full".into())
    );
    world.log.break_at(Some("close_turn"));
    assert_eq!(
        world.ask("add milk").await.end(),
        ("error", "disk_full".into())
    );
    world.log.break_at(None);
    assert_eq!(
        world.ask("hello").await.end().0,
        "done",
        "numbers go on where the journal stands"
    );
}

#[tokio::test]
async fn strict_settings_ask_before_every_change() {
    let world = Script::new()
        .ask_always()
        .plan("add milk", vec![create("s1", "Milk")])
        .world();
    assert_eq!(world.ask("add milk").await.end().0, "waiting");
    assert_eq!(world.ask("yes").await.end().1, "Added “Milk”.");
}

#[tokio::test]
async fn a_direct_call_passes_the_same_gate() {
    let strict = Script::new().tasks(&["Milk"]).ask_always().world();
    let world = Script::new().tasks(&["Milk"]).world();
    let delete = || json!({"id": task_id(1)});
    let again = Op::Propose {
        conversation: DIRECT.into(),
        tool: "task.delete".into(),
        args: delete(),
        sources: Sources::default(),
    };
    let turn = world.run(again).await;
    assert_eq!(
        turn.end().0,
        "waiting",
        "what was asked for once asks again"
    );
    let apply = |tool: &str, args| Op::Apply {
        tool: tool.into(),
        args,
    };
    let turn = world
        .run(apply("task.create", json!({"title": "Tea"})))
        .await;
    assert_eq!(turn.end().0, "done");
    let turn = world.run(apply("task.delete", delete())).await;
    assert_eq!(
        turn.end().0,
        "done",
        "the press decides, and can be taken back"
    );
    assert_eq!(world.tasks().await, ["Tea"]);
    let turn = world.run(apply("remote.do", json!({"id": "a"}))).await;
    assert_eq!(turn.end().0, "waiting", "what reaches people asks");
    let refused = world.run(apply("task.create", json!({}))).await;
    assert_eq!(refused.end(), ("error", "bad_arguments".into()));
    let turn = strict.run(apply("task.delete", delete())).await;
    assert_eq!(turn.end().0, "waiting", "who wants to be asked is asked");
    assert_eq!(strict.tasks().await, ["Milk"]);
    let unknown = world.run(apply("rocket.launch", json!({}))).await;
    assert_eq!(unknown.end(), ("error", "unknown_tool".into()));
}

#[tokio::test]
async fn caches_names_until_a_contact_changes() {
    let world = Script::new().world();
    let meet = |id: &str, name: &str| {
        let contact = make::contact(id, name, &["someone@example.org"]);
        world.records.put(Record::Contact(contact));
    };
    meet("who_00000000000a", "Ana Silva");
    assert_eq!(world.ask("who is there").await.end().1, "Ana Silva");
    meet("who_00000000000b", "Bo Ek");
    assert_eq!(world.ask("who is there").await.end().1, "Ana Silva");
    world.engine.records_changed(&[Kind::Contact]);
    assert_eq!(world.ask("who is there").await.end().1, "Ana Silva, Bo Ek");
}

#[tokio::test]
async fn understands_a_message_with_the_records_it_names() {
    let world = Script::new().tasks(&["Milk", "Income tax"]).world();
    let answer = async |message: &str| world.ask(message).await.end().1;
    assert_eq!(answer("what is with the income taxes").await, "Income tax");
    let event = make::event(
        "ev_00000000000a",
        "Tax office",
        "2026-03-02T10:00:00Z[UTC]",
        "2026-03-02T11:00:00Z[UTC]",
        &[],
    );
    world.records.put(Record::Event(event));
    // The next message sees the new rows, and lists first the one whose whole name it contains.
    let both = answer("what is the tax office asking about my tax").await;
    assert_eq!(both, "Tax office, Income tax");
    assert_eq!(answer("what is new").await, "");
}

#[tokio::test]
async fn opening_a_conversation_loads_the_names_in_advance() {
    let world = Script::new().world();
    let mut named = world.records.times_named();
    assert_eq!(
        *named.borrow(),
        0,
        "a process that only answers pays nothing"
    );
    drop(world.engine.subscribe(&"main".into(), 1));
    named.wait_for(|times| *times == 1).await.expect("records");
    drop(world.engine.subscribe(&"main".into(), 1));
    world.ask("who is there").await;
    assert_eq!(*named.borrow(), 2, "once for all, and once for the message");
}

/// A message whose names [`Slow`] never finds.
const NAMELESS: &str = "forget the milk";

/// Records whose memory searches never return and whose address book is broken. Reading all memories works, or is
/// broken too.
pub struct Slow(pub Arc<MemoryRecords>, pub bool);

#[async_trait]
impl Records for Slow {
    async fn get(&self, kind: Kind, id: &RecordId) -> Result<Option<Record>, StoreFault> {
        self.0.get(kind, id).await
    }
    async fn provenance(
        &self,
        ids: &[RecordId],
    ) -> Result<BTreeMap<RecordId, Provenance>, StoreFault> {
        self.0.provenance(ids).await
    }
    async fn list(&self, kind: Kind, filter: &Filter) -> Result<Vec<Record>, StoreFault> {
        match kind {
            Kind::Contact => Err(StoreFault::Other("no address book".into())),
            // A request for all memories, made for a purpose that shows none to a model.
            Kind::Memory if filter.tests.is_empty() => match self.1 {
                true => self.0.list(kind, filter).await,
                false => Err(StoreFault::Other("no memories".into())),
            },
            Kind::Memory => std::future::pending().await,
            _ => self.0.list(kind, filter).await,
        }
    }
    async fn total(&self, kind: Kind, filter: &Filter) -> Result<u64, StoreFault> {
        self.0.total(kind, filter).await
    }
    async fn occurrences(&self, filter: &Filter) -> Result<Vec<Occurrence>, StoreFault> {
        self.0.occurrences(filter).await
    }
    async fn unexpanded(&self, filter: &Filter) -> Result<Vec<UnexpandedSeries>, StoreFault> {
        self.0.unexpanded(filter).await
    }
    async fn mail_source(&self, id: &RecordId) -> Result<Option<Vec<u8>>, StoreFault> {
        self.0.mail_source(id).await
    }
    async fn accounts(&self) -> Result<Vec<Account>, StoreFault> {
        self.0.accounts().await
    }
    async fn collections(&self) -> Result<Vec<Collection>, StoreFault> {
        self.0.collections().await
    }
    async fn origins(&self, change: &Change) -> Result<Origins, StoreFault> {
        self.0.origins(change).await
    }
    async fn search(
        &self,
        text: &str,
        kinds: &[Kind],
        limit: usize,
    ) -> Result<Vec<SearchHit>, StoreFault> {
        self.0.search(text, kinds, limit).await
    }
    async fn named(
        &self,
        message: &str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<MentionedName>, StoreFault> {
        if message == NAMELESS {
            return std::future::pending().await;
        }
        self.0.named(message, now, limit).await
    }
}

#[tokio::test]
async fn a_failing_or_hanging_source_does_not_fail_the_turn() {
    let world = Script::new()
        .tasks(&["Milk"])
        .plan("my tasks", vec![list("s1")])
        .records(|records| Arc::new(Slow(records, true)))
        .world();
    let turn = world.ask("my tasks").await;
    assert_eq!(turn.end(), ("done", "Open: Milk.".into()));
    let problems: Vec<_> = turn
        .0
        .iter()
        .filter_map(|one| match &one.event {
            TurnEvent::Context { sections, .. } => Some(sections),
            _ => None,
        })
        .flatten()
        .map(|section| (section.name.as_str(), section.problem.is_some()))
        .collect();
    assert_eq!(
        problems,
        [("messages", false), ("people", true), ("memories", true)]
    );
}

#[tokio::test(start_paused = true)]
async fn without_the_names_of_records_nothing_is_changed() {
    let world = Script::new()
        .tasks(&["Milk"])
        .plan(NAMELESS, vec![delete("s1", 1)])
        .plan("delete the milk", vec![delete("s1", 1)])
        .records(|records| Arc::new(Slow(records, true)))
        .world();
    let (end, answer) = world.ask(NAMELESS).await.end();
    assert_eq!(end, "done");
    assert!(answer.contains("names of your things"), "{answer}");
    assert_eq!(world.pending().await.len(), 0);
    // The same plan of a message whose names are read is proposed.
    world.ask("delete the milk").await;
    assert_eq!(world.pending().await.len(), 1);
}
