//! Models whose requests wait for one another: the time in the queue is nobody's fault, the time after it is the model's.
//! Time is paused, so that minutes take no time.

use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault};

use super::hung::{DEADLINE, SECOND, all, guarded, silent, small, ticks};
use super::script::{Script, ScriptedAct, USED, request};
use super::{Chain, Patience, Watched};

/// Longer than anybody waits.
const HOUR: Duration = Duration::from_secs(60 * 60);

fn occupied(fault: &ModelFault, seconds: u64) -> bool {
    matches!(fault, ModelFault::Occupied { model, waited } if model == "lab/file" && waited.as_secs() == seconds)
}

#[tokio::test(start_paused = true)]
async fn a_queue_is_waited_in_for_a_share_of_the_time_and_never_counts() {
    for (asked, share) in [(request(), 90), (small(), 15)] {
        let ticks = ticks();
        let file = Script::says("lab/file", "late").turn_after(HOUR);
        let second = Script::says("lab/second", "x");
        let chain = Chain::new(
            guarded(&file, &ticks),
            vec![guarded(&second, &ticks)],
            DEADLINE,
        );
        for call in 1..=10 {
            let (told, took) = all(&chain, asked.clone()).await;
            let Ok(ModelEvent::Answering { why: Some(why), .. }) = &told[1] else {
                panic!("{told:?}")
            };
            assert!(why.contains("could not begin within"), "{why}");
            assert_eq!(took.as_secs(), share);
            assert_eq!((file.calls(), second.calls()), (call, call));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn alone_it_says_that_it_was_not_its_turn() {
    let ticks = ticks();
    let file = Script::says("lab/file", "late").turn_after(HOUR);
    let chain = Chain::new(guarded(&file, &ticks), Vec::new(), DEADLINE);
    for _ in 0..10 {
        let (told, took) = all(&chain, small()).await;
        let Some(Err(fault)) = told.last() else {
            panic!("{told:?}")
        };
        assert!(occupied(fault, 29), "{fault:?}");
        assert!(took < 30 * SECOND, "before those around it: {took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_for_the_first_piece_runs_from_the_turn_on() {
    let patience = Patience {
        first: 60 * SECOND,
        between: 30 * SECOND,
    };
    let acts = |wait| {
        vec![
            ScriptedAct::Wait(wait),
            ScriptedAct::Say("a"),
            ScriptedAct::End(USED),
        ]
    };
    let scripts = [acts(59 * SECOND), acts(61 * SECOND)];
    let file = Script::new("lab/file", scripts).turn_after(100 * SECOND);
    // Twice, as the app does it: the model's own limits, and those of the settings.
    let inner = std::sync::Arc::new(Watched::new(file, patience));
    let watched = Watched::new(inner, Patience::default());
    assert!(watched.takes_turns());
    let mut long = request();
    long.within.whole = Some(DEADLINE);
    let (told, took) = all(&watched, long.clone()).await;
    assert!(
        matches!(told.last(), Some(Ok(ModelEvent::End { .. }))),
        "{told:?}"
    );
    assert_eq!(took.as_secs(), 159);
    let (told, took) = all(&watched, long).await;
    let stalled = ModelFault::Stalled {
        model: "lab/file".into(),
        waited: patience.first,
    };
    assert_eq!((told.last(), took.as_secs()), (Some(&Err(stalled)), 160));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_comes_too_late_is_no_failure_and_one_that_is_not_used_is() {
    for (turn_after, counts) in [(Duration::ZERO, true), (40 * SECOND, false)] {
        let ticks = ticks();
        let file = silent("lab/file").turn_after(turn_after);
        let second = Script::says("lab/second", "x");
        let chain = Chain::new(
            guarded(&file, &ticks),
            vec![guarded(&second, &ticks)],
            DEADLINE,
        );
        for _ in 0..4 {
            let (told, took) = all(&chain, request()).await;
            assert!(told.last().is_some_and(Result::is_ok), "{told:?}");
            assert_eq!(took.as_secs(), 90, "the share of the other one is its own");
        }
        all(&chain, request()).await;
        assert_eq!(file.calls(), if counts { 4 } else { 5 }, "{turn_after:?}");
    }
}
