//! Tests of what a call cost, however it ended.

use super::*;
use crate::govern::Counted;

#[tokio::test]
async fn every_end_of_a_call_settles_it() {
    let fault = |fault| vec![ScriptedAct::Say("12345678"), ScriptedAct::Fail(fault)];
    let model = || "lab/one".to_owned();
    let early = ModelFault::Unreachable {
        model: model(),
        why: "no route".into(),
    };
    let stalled = ModelFault::Stalled {
        model: model(),
        waited: Duration::from_secs(1),
    };
    // The request is estimated at 15 tokens, and 8 characters of a reply are 2 tokens: 15 × 2 + 2 × 8.
    let (none, sent, both) = ((0, 0, 0), (15, 0, 30), (15, 2, 46));
    for (acts, state, used) in [
        (
            vec![ScriptedAct::Fail(early.clone())],
            CallState::Failed,
            none,
        ),
        (vec![ScriptedAct::Fail(stalled)], CallState::Failed, sent),
        (fault(early), CallState::Failed, both),
        (
            vec![ScriptedAct::Say("12345678"), ScriptedAct::Cut],
            CallState::Failed,
            both,
        ),
        (vec![ScriptedAct::Cut], CallState::Failed, sent),
        (
            vec![
                ScriptedAct::Say("12345678"),
                ScriptedAct::End(Usage::default()),
            ],
            CallState::Done,
            both,
        ),
        (
            vec![ScriptedAct::End(Usage {
                cost_micros: 999,
                ..USED
            })],
            CallState::Done,
            (20, 5, 999),
        ),
    ] {
        let world = world(OPEN);
        let script = dear(Script::new("lab/one", [acts.clone()]));
        all(world.governed(&script).as_ref()).await;
        let calls = world.calls().await;
        let spent = calls[0].spent.as_ref().expect("it ended");
        let usage = spent.usage;
        assert_eq!(
            (spent.state, (usage.input, usage.output, usage.cost_micros)),
            (state, used),
            "{acts:?}"
        );
        assert_eq!(
            spent.fault.is_some(),
            state == CallState::Failed,
            "{acts:?}"
        );
    }
}

#[tokio::test]
async fn settles_a_dropped_call_as_cancelled() {
    let world = world(OPEN);
    let script = dear(Script::new(
        "lab/one",
        [vec![ScriptedAct::Say("12345678"), ScriptedAct::Hang]],
    ));
    let governor = world.governed(&script);
    let mut stream = governor.stream(Arc::new(request()));
    for _ in 0..2 {
        stream.next().await.expect("an item").expect("no fault");
    }
    drop(stream);
    let calls = world.calls().await;
    let spent = calls[0].spent.as_ref().expect("it is settled");
    assert_eq!(
        (spent.state, spent.usage.cost_micros, spent.usage.estimated),
        (CallState::Cancelled, 46, true)
    );
    assert_eq!(script.dropped(), 1);
}

#[tokio::test(start_paused = true)]
async fn settles_possible_silent_reasoning_at_its_worst_case() {
    // 15 tokens are sent at 2 each. A reply has at most 100 tokens at 8 each, and the estimate for reasoning is at most
    // 300 per second.
    let worst = 15 * 2 + 100 * 8;
    let minute = Duration::from_secs(60);
    let fault = ModelFault::Stalled {
        model: "lab/one".into(),
        waited: minute,
    };
    let figures = |output| Usage {
        input: 15,
        output,
        cost_micros: 0,
        estimated: true,
    };
    for (acts, cost) in [
        (
            vec![ScriptedAct::Wait(minute), ScriptedAct::Fail(fault)],
            worst,
        ),
        (
            vec![
                ScriptedAct::Say("12345678"),
                ScriptedAct::Wait(minute),
                ScriptedAct::Cut,
            ],
            worst,
        ),
        (
            vec![
                ScriptedAct::Wait(minute),
                ScriptedAct::Say("12345678"),
                ScriptedAct::Hang,
            ],
            worst,
        ),
        // The provider does not report usage.
        (
            vec![
                ScriptedAct::Wait(minute),
                ScriptedAct::Say("1234"),
                ScriptedAct::End(figures(1)),
            ],
            worst,
        ),
        // A tenth of a second beyond the usual pause: 30 tokens of reasoning, and one that was shown.
        (
            vec![
                ScriptedAct::Wait(Duration::from_millis(1_100)),
                ScriptedAct::Say("1234"),
                ScriptedAct::Cut,
            ],
            15 * 2 + 31 * 8,
        ),
        // It streams slowly and is stopped: what was shown counts.
        (
            (0..9)
                .flat_map(|_| {
                    [
                        ScriptedAct::Say("1234"),
                        ScriptedAct::Wait(Duration::from_millis(900)),
                    ]
                })
                .chain([ScriptedAct::Hang])
                .collect(),
            15 * 2 + 9 * 8,
        ),
    ] {
        let world = world(OPEN);
        let script = dear(Script::new("lab/one", [acts.clone()]));
        let mut stream = world.governed(&script).stream(Arc::new(request()));
        // Until its end, or, if it hangs, until everything was said.
        let said = acts
            .iter()
            .filter(|act| matches!(act, ScriptedAct::Say(_)))
            .count();
        let hangs = matches!(acts.last(), Some(ScriptedAct::Hang));
        let most = if hangs { said + 1 } else { usize::MAX };
        let mut heard = 0;
        while heard < most && stream.next().await.is_some() {
            heard += 1;
        }
        drop(stream);
        let calls = world.calls().await;
        let usage = calls[0].spent.as_ref().expect("it is settled").usage;
        assert_eq!(
            (usage.cost_micros, usage.estimated),
            (cost, true),
            "{acts:?}"
        );
    }
    // A free call stays free, and its tokens are counted.
    let world = world(OPEN);
    let script = Script::new(
        "lab/one",
        [vec![
            ScriptedAct::Wait(minute),
            ScriptedAct::Say("1234"),
            ScriptedAct::Cut,
        ]],
    );
    all(world.governed(&script).as_ref()).await;
    let usage = world.calls().await[0]
        .spent
        .as_ref()
        .expect("it is settled")
        .usage;
    assert_eq!((usage.output, usage.cost_micros), (1, 0));
}

#[tokio::test]
async fn the_cost_of_an_unpriced_model_is_an_estimate() {
    let world = world(OPEN);
    let script = dear(Script::says("lab/one", "Fine.")).with(|profile| profile.price_known = false);
    all(world.governed(&script).as_ref()).await;
    let usage = world.calls().await[0]
        .spent
        .as_ref()
        .expect("it ended")
        .usage;
    assert_eq!((usage.cost_micros, usage.estimated), (80, true));
}

#[tokio::test]
async fn counts_all_usage_of_a_turn() {
    let world = world(OPEN);
    let broken = dear(Script::new(
        "lab/one",
        [vec![ScriptedAct::Say("12345678"), ScriptedAct::Cut]],
    ));
    let second = dear(Script::says("lab/two", "Fine."));
    let chain = crate::tiers::Chain::new(
        world.governed(&broken),
        vec![world.governed(&second)],
        Duration::from_secs(60),
    );
    let counted = Counted::new(Arc::new(chain), world.costs.clone());
    let turn = request().turn.expect("a turn");
    assert_eq!(counted.used_by(&turn), None);
    all(&counted).await;
    // The call that broke off and the one that answered: 46 and 80.
    let used = counted.used_by(&turn).expect("it is counted");
    assert_eq!((used.input, used.output, used.cost_micros), (35, 7, 126));
    // A candidate asked along with the turn does not count towards the turn.
    let beside = ModelRequest {
        purpose: Purpose::Background,
        ..request()
    };
    let _: Vec<_> = counted.stream(Arc::new(beside)).collect().await;
    assert_eq!(counted.used_by(&turn), Some(used));
    for n in 0..200 {
        let other = ModelRequest {
            turn: Some(format!("turn-{n}-later").as_str().into()),
            ..request()
        };
        let _: Vec<_> = counted.stream(Arc::new(other)).collect().await;
    }
    assert_eq!(counted.used_by(&turn), None, "it is bounded");
}

#[tokio::test]
async fn a_call_that_never_started_costs_nothing_and_did_not_fail() {
    let world = world(OPEN);
    let fault = ModelFault::Occupied {
        model: "lab/one".into(),
        waited: Duration::from_secs(90),
    };
    let script = dear(Script::fails("lab/one", fault.clone()));
    all(world.governed(&script).as_ref()).await;
    let calls = world.calls().await;
    let spent = calls[0].spent.as_ref().expect("it is settled");
    assert_eq!(
        (spent.state, spent.usage),
        (CallState::Cancelled, Usage::default())
    );
    assert_eq!(spent.fault, Some(fault.to_string()));
}
