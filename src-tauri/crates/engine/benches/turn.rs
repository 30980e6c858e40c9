//! Measures what the engine adds to a turn: everything is in memory, so only its own work counts.

#[path = "../tests/engine/backend.rs"]
#[expect(dead_code, reason = "the bench uses a part of what the tests share")]
mod backend;
#[path = "../tests/engine/log.rs"]
#[expect(
    dead_code,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "the bench uses a part of what the tests share"
)]
mod log;
#[path = "../tests/engine/script.rs"]
#[expect(
    clippy::expect_used,
    clippy::panic,
    reason = "the bench uses a part of what the tests share"
)]
mod script;
#[path = "../tests/engine/world.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the bench uses a part of what the tests share"
)]
mod world;

use std::time::{Duration, Instant};

use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::{
    Assessment, Card, CarriesOut, Circumstances, Exposure, Observed, PlannedCall, Private,
    Proposal, Verdict, gate,
};
use adjutant_domain::record::Record;
use adjutant_domain::source::Sources;
use adjutant_domain::tool::{Before, Definition};
use adjutant_engine::{Op, Target};
use adjutant_testkit::make;
use criterion::{BatchSize, Criterion};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::world::{Script, World, step};

/// Number of people in the address book.
const PEOPLE: usize = 1_000;

fn turns(criterion: &mut Criterion) {
    let Ok(runtime) = Runtime::new() else {
        return;
    };
    let world = || {
        let world = Script::new()
            .tasks(&["Milk", "Tax", "Call Ana"])
            .plan("my tasks", vec![step("s1", "task.list", json!({}))])
            .plan(
                "add milk",
                vec![step("s1", "task.create", json!({"title": "Milk"}))],
            )
            .world();
        for number in 0..PEOPLE {
            let id = format!("who_{number:012}");
            let contact = make::contact(&id, &format!("Person {number}"), &["p@example.org"]);
            world.records.put(Record::Contact(contact));
        }
        world
    };
    let mut group = criterion.benchmark_group("turn");
    // Use a fresh conversation each time: the in-memory log slows down as a conversation grows, real storage does not.
    for text in ["my tasks", "add milk"] {
        let here = world();
        let mut number = 0_u64;
        group.bench_function(text, |bench| {
            bench.iter(|| {
                number += 1;
                let turn = runtime.block_on(here.ask_in(&format!("c{number}"), text));
                assert_eq!(turn.end().0, "done");
            });
        });
    }
    let here = world();
    group.bench_function("names of 1000 people, read anew", |bench| {
        bench.iter(|| {
            here.engine
                .records_changed(&[adjutant_domain::record::Kind::Contact]);
            let read = runtime.block_on(here.engine.explain(&"main".into(), "who is there"));
            assert!(read.is_ok());
        });
    });
    group.finish();
}

/// Measures from stopping a turn, whose tool would never end, to the stored and published outcome.
fn interrupt(criterion: &mut Criterion) {
    let Ok(runtime) = Runtime::new() else {
        return;
    };
    let world = Script::new()
        .plan("slow", vec![step("s1", "slow.write", json!({}))])
        .world();
    let mut number = 0_u64;
    criterion.bench_function("turn/interrupt", |bench| {
        bench.iter_custom(|times| {
            let mut whole = Duration::ZERO;
            for _ in 0..times {
                number += 1;
                let conversation = format!("c{number}");
                whole += runtime.block_on(stopped(&world, &conversation));
            }
            whole
        });
    });
}

#[expect(clippy::disallowed_methods, reason = "this is what is measured")]
async fn stopped(world: &World, conversation: &str) -> Duration {
    let op = Op::Ask {
        conversation: conversation.into(),
        text: "slow".into(),
        tier: None,
    };
    let Ok(stream) = world.engine.submit(op).await else {
        return Duration::ZERO;
    };
    // The tool is running.
    if let Ok(begun) = world.tools.begun.acquire().await {
        begun.forget();
    }
    let start = Instant::now();
    let here = Target::Conversation(conversation.into());
    if world.engine.interrupt(&here).await.is_err() {
        return Duration::ZERO;
    }
    let events = stream.collect().await;
    let took = start.elapsed();
    let last = events.last().map(|live| &live.event);
    assert!(matches!(last, Some(TurnEvent::Interrupted { .. })));
    took
}

/// Measures the gate for a read that carries words out of a conversation with private data, its slowest case.
fn gate_of_a_read(criterion: &mut Criterion) {
    let typed: Vec<String> = (0..100)
        .map(|number| format!("message {number} asks what heat pumps cost in a cold winter"))
        .collect();
    let words = "what heat pumps cost in a cold winter".to_owned();
    let read = Observed {
        call: PlannedCall::parsed(
            "web.search".into(),
            json!({ "query": words }),
            Sources::default(),
            Definition(String::new()),
        ),
        before: Before::default(),
        assessment: Assessment::asks_outside(CarriesOut {
            to: "Example Search".into(),
            texts: vec![words],
            public_answer: true,
            stays_there: false,
        }),
        card: Card::default(),
    };
    let now = Circumstances {
        exposure: Exposure {
            private: Private::Anywhere,
            typed: &typed,
        },
        ..Circumstances::default()
    };
    let proposal = Proposal {
        id: "act_bench".into(),
        nonce: String::new(),
        conversation: "main".into(),
        turn: "turn_bench".into(),
        step: "s1".into(),
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    criterion.bench_function("gate/read", |bench| {
        bench.iter_batched(
            || vec![read.clone()],
            |batch| {
                let verdict = gate(batch, &now, &proposal);
                assert!(matches!(verdict, Verdict::Allowed(_)));
            },
            BatchSize::SmallInput,
        );
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    turns(&mut criterion);
    interrupt(&mut criterion);
    gate_of_a_read(&mut criterion);
    criterion.final_summary();
}
