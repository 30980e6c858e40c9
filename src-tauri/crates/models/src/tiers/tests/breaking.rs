//! Tests of the circuit breaker around a model.

use super::*;
use crate::tiers::{Breaker, Figures, Gauge, PROBE_WAIT};

#[tokio::test]
async fn pauses_a_failing_model_and_retries_with_one_call() {
    let ticks = Arc::new(Moved::default());
    let broken = ScriptedAct::Fail(ModelFault::Broken {
        model: "lab/one".into(),
        why: "500".into(),
    });
    let mut scripts = vec![vec![broken]; 4];
    scripts.push(vec![ScriptedAct::Say("a"), ScriptedAct::Hang]);
    scripts.push(vec![ScriptedAct::Say("a"), ScriptedAct::End(USED)]);
    let script = Script::new("lab/one", scripts);
    let breaker = Breaker::new(
        script.clone(),
        Gauge::new(Figures::default(), ticks.clone()),
    );
    for _ in 0..4 {
        all(&breaker, request()).await;
    }
    let resting = |rest| {
        Err(ModelFault::Resting {
            model: "lab/one".into(),
            rest,
        })
    };
    assert_eq!(all(&breaker, request()).await, [resting(10 * MINUTE)]);
    ticks.by(10 * MINUTE);
    // One request tries it while the others use the next model. A stream that is never polled blocks nobody.
    let unpolled = breaker.stream(Arc::new(request()));
    let mut probe = breaker.stream(Arc::new(request()));
    for _ in 0..2 {
        probe.next().await.expect("an item").expect("no fault");
    }
    assert_eq!(all(&breaker, request()).await, [resting(PROBE_WAIT)]);
    // The person stops the attempt. That says nothing about the model, so the next request tries again.
    drop((probe, unpolled));
    assert_eq!(all(&breaker, request()).await.last(), Some(&end()));
    assert_eq!(all(&breaker, request()).await.last(), Some(&end()));
    assert_eq!(script.calls(), 7);
}

#[tokio::test]
async fn asks_a_busy_provider_again_at_the_stated_time() {
    let ticks = Arc::new(Moved::default());
    let busy = ScriptedAct::Fail(ModelFault::Busy {
        model: "lab/one".into(),
        retry_after: Some(MINUTE),
    });
    let script = Script::new(
        "lab/one",
        [
            vec![busy],
            vec![ScriptedAct::Say("a"), ScriptedAct::End(USED)],
        ],
    );
    let breaker = Breaker::new(
        script.clone(),
        Gauge::new(Figures::default(), ticks.clone()),
    );
    all(&breaker, request()).await;
    ticks.by(MINUTE / 2);
    let resting = ModelFault::Resting {
        model: "lab/one".into(),
        rest: MINUTE / 2,
    };
    assert_eq!(all(&breaker, request()).await, [Err(resting)]);
    ticks.by(MINUTE / 2);
    assert_eq!(all(&breaker, request()).await.last(), Some(&end()));
    assert_eq!(script.calls(), 2);
}

#[tokio::test]
async fn our_own_faults_do_not_count_against_a_model() {
    let ticks = Arc::new(Moved::default());
    let script = Script::fails("lab/one", over(Limit::Day));
    let breaker = Breaker::new(script.clone(), Gauge::new(Figures::default(), ticks));
    for _ in 0..20 {
        all(&breaker, request()).await;
    }
    assert_eq!(script.calls(), 20);
}
