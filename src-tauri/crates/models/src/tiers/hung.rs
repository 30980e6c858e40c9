//! Models that say nothing, with the figures the program runs with: the next one answers in time, and the silent one is
//! left alone after a while. Time is paused, so that minutes take no time.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, Limit, ModelEvent, ModelFault, ModelRequest, OverLimit, TimeLimits,
};
use futures::StreamExt as _;

use super::script::{Script, ScriptedAct, USED, request};
use super::{Breaker, Chain, Figures, Gauge, Patience, SinceStart, Ticks, Watched};
use crate::govern::worst_case_micros;

pub(super) const SECOND: Duration = Duration::from_secs(1);
/// `models.deadline_seconds`, as it is when nobody sets it.
pub(super) const DEADLINE: Duration = Duration::from_secs(180);

pub(super) fn silent(id: &str) -> Arc<Script> {
    Script::new(id, [vec![ScriptedAct::Hang]])
}

/// As the app stacks it.
pub(super) fn guarded(model: &Arc<Script>, ticks: &Arc<dyn Ticks>) -> Arc<dyn ChatModel> {
    let watched = Arc::new(Watched::new(model.clone(), Patience::default()));
    let gauge = Gauge::new(Figures::default(), ticks.clone());
    Arc::new(Breaker::new(watched, gauge))
}

pub(super) fn ticks() -> Arc<dyn Ticks> {
    Arc::new(SinceStart::new())
}

pub(super) async fn all(
    model: &dyn ChatModel,
    request: ModelRequest,
) -> (Vec<Result<ModelEvent, ModelFault>>, Duration) {
    let watch = SinceStart::new();
    let told = model.stream(Arc::new(request)).collect().await;
    (told, watch.elapsed())
}

pub(super) fn small() -> ModelRequest {
    ModelRequest {
        within: TimeLimits {
            whole: Some(30 * SECOND),
            ..TimeLimits::default()
        },
        ..request()
    }
}

fn stalled(fault: &ModelFault) -> bool {
    matches!(fault, ModelFault::Stalled { model, .. } if model == "lab/hung")
}

#[tokio::test(start_paused = true)]
async fn the_next_model_answers_within_the_deadline_when_the_first_one_hangs() {
    for (asked, at_most) in [(request(), 91 * SECOND), (small(), 16 * SECOND)] {
        let ticks = ticks();
        let hung = silent("lab/hung");
        let chain = Chain::new(
            guarded(&hung, &ticks),
            vec![guarded(&Script::says("lab/second", "x"), &ticks)],
            DEADLINE,
        );
        let (told, took) = all(&chain, asked).await;
        assert!(
            matches!(told.last(), Some(Ok(ModelEvent::End { .. }))),
            "{told:?}"
        );
        assert!(took <= at_most, "{took:?}");
        assert_eq!(hung.dropped(), 1, "its call is cancelled");
    }
}

#[tokio::test(start_paused = true)]
async fn every_model_of_a_chain_gets_its_share_of_the_time() {
    let ticks = ticks();
    let hung: Vec<_> = (0..4).map(|_| silent("lab/hung")).collect();
    let mut models: Vec<_> = hung.iter().map(|model| guarded(model, &ticks)).collect();
    let chain = Chain::new(models.remove(0), models, DEADLINE);
    let (told, took) = all(&chain, request()).await;
    let Some(Err(ModelFault::AllFailed { tried })) = told.last() else {
        panic!("{told:?}")
    };
    assert!(tried.len() == 4 && tried.iter().all(stalled), "{tried:?}");
    assert!(took <= DEADLINE, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_hangs_each_time_is_left_alone() {
    // Alone or before another one, for short questions and for long ones.
    for (others, asked) in [(0, request()), (1, request()), (0, small()), (1, small())] {
        let ticks = ticks();
        let hung = silent("lab/hung");
        let second = Script::says("lab/second", "x");
        let others: Vec<_> = (0..others).map(|_| guarded(&second, &ticks)).collect();
        let alone = others.is_empty();
        let chain = Chain::new(guarded(&hung, &ticks), others, DEADLINE);
        for call in 1..=4 {
            let (told, _) = all(&chain, asked.clone()).await;
            assert_eq!(hung.calls(), call);
            if let Some(Err(fault)) = told.last() {
                assert!(alone && stalled(fault), "{fault:?}");
            }
        }
        let (told, took) = all(&chain, asked).await;
        assert_eq!(hung.calls(), 4, "nobody waits for it a fifth time");
        assert!(took < SECOND, "{took:?}");
        if alone {
            assert!(
                matches!(told.last(), Some(Err(ModelFault::Resting { .. }))),
                "{told:?}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_head_gives_a_silent_model_no_second_share_of_the_time() {
    // Of 90 s each: the head comes at once, after most of the time, and just before its end.
    for head_after in [Duration::ZERO, 80 * SECOND, 90 * SECOND - SECOND / 100] {
        let ticks = ticks();
        let hung = silent("lab/hung").answers_after(head_after);
        let second = Script::says("lab/second", "x");
        let chain = Chain::new(
            guarded(&hung, &ticks),
            vec![guarded(&second, &ticks)],
            DEADLINE,
        );
        for call in 1..=4 {
            let (told, took) = all(&chain, request()).await;
            assert!(
                matches!(told.last(), Some(Ok(ModelEvent::End { .. }))),
                "{head_after:?}: {told:?}"
            );
            assert_eq!(took.as_secs(), 90, "{head_after:?}");
            assert_eq!((hung.calls(), second.calls()), (call, call));
        }
        // The breaker has seen every one of them.
        let (_, took) = all(&chain, request()).await;
        assert_eq!(hung.calls(), 4, "{head_after:?}: it is left alone");
        assert!(took < SECOND, "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_head_and_a_piece_just_in_time_are_an_answer() {
    let ticks = ticks();
    let last_moment = 90 * SECOND - SECOND / 100;
    let slow = Script::says("lab/slow", "a").answers_after(last_moment);
    let second = Script::says("lab/second", "x");
    let chain = Chain::new(
        guarded(&slow, &ticks),
        vec![guarded(&second, &ticks)],
        DEADLINE,
    );
    let (told, took) = all(&chain, request()).await;
    assert!(
        matches!(told.last(), Some(Ok(ModelEvent::End { .. }))),
        "{told:?}"
    );
    assert_eq!((took.as_secs(), second.calls()), (89, 0));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_slow_but_speaks_has_all_the_time() {
    let mut acts = vec![ScriptedAct::Say("a")];
    acts.extend(
        std::iter::repeat_n([ScriptedAct::Wait(20 * SECOND), ScriptedAct::Say("b")], 7).flatten(),
    );
    acts.push(ScriptedAct::End(USED));
    let ticks = ticks();
    let slow = Script::new("lab/slow", [acts]);
    let second = Script::says("lab/second", "x");
    let chain = Chain::new(
        guarded(&slow, &ticks),
        vec![guarded(&second, &ticks)],
        DEADLINE,
    );
    let (told, _) = all(&chain, request()).await;
    assert!(
        matches!(told.last(), Some(Ok(ModelEvent::End { .. }))),
        "{told:?}"
    );
    assert_eq!(second.calls(), 0);
}

#[tokio::test]
async fn over_a_limit_the_next_one_that_could_cost_less_is_asked() {
    let priced = |id: &str, price| {
        Script::says(id, "x").with(|profile| profile.output_micros_per_million = price)
    };
    let dear = priced("lab/dear", 8_000_000);
    let wanted_micros = worst_case_micros(&dear.profile(), &request());
    let over = ModelFault::OverLimit(OverLimit {
        limit: Limit::Call,
        limit_micros: wanted_micros - 1,
        used_micros: 0,
        wanted_micros,
    });
    let first = Script::fails("lab/dear", over.clone())
        .with(|profile| profile.output_micros_per_million = 8_000_000);
    let dearer = priced("lab/dearer", 9_000_000);
    let cheap = priced("lab/cheap", 1_000_000);
    let chain = Chain::new(first.clone(), vec![dearer.clone(), cheap.clone()], DEADLINE);
    let (told, _) = all(&chain, request()).await;
    let expected = Ok(ModelEvent::Answering {
        model: "lab/cheap".into(),
        why: Some("the limit for one request is reached, so a cheaper model answers".into()),
    });
    assert_eq!(told[1], expected, "{told:?}");
    assert_eq!((dearer.calls(), cheap.calls()), (0, 1));
    // Nothing cheaper is there: the limit is what is said.
    let chain = Chain::new(first, vec![dearer], DEADLINE);
    let (told, _) = all(&chain, request()).await;
    assert_eq!(told.last(), Some(&Err(over)));
}
