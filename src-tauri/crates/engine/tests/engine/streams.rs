//! Tests of clients that listen, leave or join late, and of queues and stopping.

use std::time::Duration;

use adjutant_domain::conversation::TurnState;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::{Op, QUEUE_MAX, Target};
use serde_json::json;

use crate::script::HARD;
use crate::world::{Script, Turn, needing, step};

/// Longer than anything here takes; only a hang reaches it.
const HANG: Duration = Duration::from_secs(20);

fn slow() -> Script {
    Script::new()
        .plan(
            "slow",
            vec![
                step("s1", "task.create", json!({"title": "First"})),
                needing(
                    step("s2", "slow.write", json!({"title": "Second"})),
                    &["s1"],
                ),
                needing(
                    step("s3", "task.create", json!({"title": "Third"})),
                    &["s2"],
                ),
            ],
        )
        .plan("my tasks", vec![step("s1", "task.list", json!({}))])
        .plan(
            "two reads",
            vec![
                step("s1", "slow.read", json!({})),
                step("s2", "slow.read", json!({})),
            ],
        )
}

fn ask(text: &str) -> Op {
    Op::Ask {
        conversation: "main".into(),
        text: text.into(),
        tier: None,
    }
}

#[tokio::test]
async fn a_turn_continues_without_listeners() {
    let world = slow().world();
    let stream = world.engine.submit(ask("slow")).await.unwrap();
    drop(stream);
    world.tools.gate.add_permits(1);
    let mut follow = world.engine.subscribe(&"main".into(), 1);
    let mut events = Vec::new();
    loop {
        let event = follow.next().await.unwrap();
        let last = event.event.is_last();
        events.push(event);
        if last {
            break;
        }
    }
    assert_eq!(Turn(events).end().0, "done");
    assert_eq!(world.tasks().await, ["First", "Second", "Third"]);
}

#[tokio::test]
async fn a_late_listener_gets_every_event_once() {
    let world = slow().world();
    world.ask("my tasks").await;
    let stream = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    let mut follow = world.engine.subscribe(&"main".into(), 3);
    let early = follow.next().await.unwrap();
    assert_eq!(early.seq, 3, "from the journal");
    world.tools.gate.add_permits(1);
    let live = stream.collect().await;
    let end = live.last().unwrap().seq;
    let mut seqs = vec![early.seq];
    while seqs.last() != Some(&end) {
        seqs.push(follow.next().await.unwrap().seq);
    }
    assert_eq!(seqs, (3..=end).collect::<Vec<i64>>());

    let mut replay = world.engine.subscribe(&"main".into(), live[0].seq);
    for event in &live {
        assert_eq!(&replay.next().await.unwrap(), event, "replay is exact");
    }
}

#[tokio::test]
async fn a_stopped_turn_reports_its_results() {
    let world = slow().world();
    let stream = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    let stopped = async {
        world
            .engine
            .interrupt(&Target::Conversation("main".into()))
            .await
            .unwrap();
        stream.collect().await
    };
    // The tool never ends, so the turn ends only because it was stopped.
    let turn = Turn(tokio::time::timeout(HANG, stopped).await.unwrap());
    assert_eq!(turn.end().0, "interrupted");
    assert_eq!(
        turn.results(),
        [
            ("s1".to_owned(), "done".to_owned()),
            ("s2".into(), "cancelled".into()),
            ("s3".into(), "cancelled".into())
        ]
    );
    assert_eq!(world.tasks().await, ["First"]);
    let stored = world.log.turns(None, None).await.unwrap();
    assert_eq!(stored[0].state, TurnState::Interrupted);
    assert_eq!(
        stored[0].answer.as_deref(),
        Some("Stopped. Done: Added “First”. Not done: slow.write s2; task.create s3.")
    );
}

#[tokio::test]
async fn reads_run_concurrently() {
    let world = slow().world();
    let stream = world.engine.submit(ask("two reads")).await.unwrap();
    let both = world.tools.begun.acquire_many(2);
    tokio::time::timeout(HANG, both)
        .await
        .unwrap()
        .unwrap()
        .forget();
    world.tools.gate.add_permits(2);
    assert_eq!(Turn(stream.collect().await).end().0, "done");
}

#[tokio::test]
async fn requests_wait_for_room_in_a_full_queue() {
    let world = slow().world();
    let first = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    let mut queued = Vec::new();
    for _ in 0..QUEUE_MAX {
        queued.push(world.engine.submit(ask("my tasks")).await.unwrap());
    }
    let mut late = std::pin::pin!(world.engine.submit(ask("my tasks")));
    assert!(futures::poll!(late.as_mut()).is_pending());
    let other = world.ask_in("other", "my tasks").await;
    assert_eq!(other.end().0, "done", "other conversations go on");

    world.engine.interrupt(&Target::All).await.unwrap();
    assert_eq!(Turn(first.collect().await).end().0, "interrupted");
    queued.push(late.await.unwrap());
    for stream in queued {
        let turn = Turn(stream.collect().await);
        assert_eq!(turn.end().0, "interrupted");
        let asked = matches!(&turn.0[0].event, TurnEvent::TurnStarted { text, instead_of: None } if text == "my tasks");
        assert!(asked, "the message is kept");
    }
}

#[tokio::test]
async fn handles_more_requests_than_the_queue_holds_in_order() {
    let world = slow().world();
    let first = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    let many = (0..3 * QUEUE_MAX).map(|_| async {
        let stream = world.engine.submit(ask("my tasks")).await.unwrap();
        stream.collect().await
    });
    let many = futures::future::join_all(many);
    let go = async { world.tools.gate.add_permits(1) };
    let (many, ()) = futures::join!(many, go);
    assert_eq!(Turn(first.collect().await).end().0, "done");
    assert!(many.into_iter().all(|turn| Turn(turn).end().0 == "done"));
}

#[tokio::test]
async fn a_caller_that_stops_waiting_for_room_has_not_asked() {
    let world = slow().world();
    let first = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    let mut queued = Vec::new();
    for _ in 0..QUEUE_MAX {
        queued.push(world.engine.submit(ask("my tasks")).await.unwrap());
    }
    {
        let mut late = std::pin::pin!(world.engine.submit(ask("never asked")));
        assert!(futures::poll!(late.as_mut()).is_pending());
    }
    world.tools.gate.add_permits(1);
    assert_eq!(Turn(first.collect().await).end().0, "done");
    for stream in queued {
        assert_eq!(Turn(stream.collect().await).end().0, "done");
    }
    let main = "main".into();
    let journal = world.engine.log().journal(&main, 1, 1_000).await.unwrap();
    let journal = format!("{journal:?}");
    assert!(journal.contains("my tasks") && !journal.contains("never asked"));
}

#[tokio::test]
async fn runs_one_turn_at_a_time_per_conversation() {
    let world = slow().world();
    let first = world.engine.submit(ask("slow")).await.unwrap();
    let second = world.engine.submit(ask("my tasks")).await.unwrap();
    world.tools.gate.add_permits(1);
    let (first, second) = (first.collect().await, second.collect().await);
    assert!(first.last().unwrap().seq < second[0].seq);
    assert_eq!(Turn(second).end().1, "Open: First, Second, Third.");
}

#[tokio::test]
async fn closing_stops_and_stores_running_turns() {
    let world = slow().world();
    let stream = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    world.engine.close().await;
    assert_eq!(Turn(stream.collect().await).end().0, "interrupted");
    let refused = world.engine.submit(ask("my tasks")).await.unwrap_err();
    assert_eq!(refused.code, "closing");
}

#[tokio::test]
async fn nothing_runs_or_begins_while_quiescent() {
    let world = slow().world();
    let first = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    let queued = world.engine.submit(ask("my tasks")).await.unwrap();
    let rest = tokio::time::timeout(HANG, world.engine.quiesce())
        .await
        .unwrap();
    // Everything accepted has ended and is stored, so none of it can follow what happens now.
    let open = world.log.unfinished().await.unwrap();
    assert_eq!(open, Vec::new());
    world.log.commits();
    for stream in [first, queued] {
        assert_eq!(Turn(stream.collect().await).end().0, "interrupted");
    }
    let refused = world.engine.submit(ask("my tasks")).await.unwrap_err();
    assert_eq!(refused.code, "resting");
    world.later(16);
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(world.log.commits(), Vec::<&str>::new());
    drop(rest);
    assert_eq!(world.ask("my tasks").await.end().0, "done");
}

#[tokio::test]
async fn cancelling_quiescence_lets_everything_continue() {
    let world = slow().world();
    let stream = world.engine.submit(ask("slow")).await.unwrap();
    world.tools.begun.acquire().await.unwrap().forget();
    {
        // After one poll it waits for the turn.
        let rest = world.engine.quiesce();
        tokio::pin!(rest);
        assert!(futures::poll!(rest.as_mut()).is_pending());
    }
    assert_eq!(Turn(stream.collect().await).end().0, "interrupted");
    assert_eq!(world.ask("my tasks").await.end().0, "done");
}

#[tokio::test]
async fn slow_understanding_delays_neither_a_stop_nor_others() {
    let world = slow().world();
    let stream = world.engine.submit(ask(HARD)).await.unwrap();
    world.mind.reading.acquire().await.unwrap().forget();
    let other = world.ask_in("other", "my tasks").await;
    assert_eq!(other.end().0, "done", "others go on");
    world.engine.interrupt(&Target::All).await.unwrap();
    assert_eq!(Turn(stream.collect().await).end().0, "interrupted");
    world.mind.go_on.0.send(()).unwrap();
}
