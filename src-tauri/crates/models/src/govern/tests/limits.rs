//! Tests that no call is made beyond a limit.

use super::*;
use crate::tiers::Tiers;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_10_of_64_concurrent_calls_are_made() {
    let model = dear(Script::says("lab/one", "Fine."));
    let worst = worst_case_micros(&model.profile(), &request());
    assert!(worst > 0);
    let world = world(SpendLimits {
        day: worst * 10,
        ..OPEN
    });
    let governor = world.governed(&model);
    // None ends before all have started, so that no reservation is released in between.
    let begun = Arc::new(tokio::sync::Barrier::new(64));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let (governor, begun) = (governor.clone(), begun.clone());
        calls.spawn(async move {
            let mut stream = governor.stream(Arc::new(request()));
            let first = stream.next().await.expect("an item");
            begun.wait().await;
            let rest: Vec<_> = stream.collect().await;
            (first, rest)
        });
    }
    let ended = calls.join_all().await;
    let passed = ended.iter().filter(|(first, _)| first.is_ok()).count();
    assert_eq!(passed, 10);
    assert_eq!(model.calls(), 10, "the others were never sent");
    let refused = Err(ModelFault::OverLimit(OverLimit {
        limit: Limit::Day,
        limit_micros: worst * 10,
        used_micros: worst * 10,
        wanted_micros: worst,
    }));
    for (first, rest) in ended.iter().filter(|(first, _)| first.is_err()) {
        assert_eq!((first, rest.len()), (&refused, 0));
    }
    assert_eq!(world.calls().await.len(), 10);
    // They cost less than reserved, so there is room again.
    assert!(
        all(governor.as_ref())
            .await
            .last()
            .is_some_and(Result::is_ok)
    );
}

#[tokio::test]
async fn a_local_model_with_a_price_is_subject_to_the_limits() {
    let world = world(CLOSED);
    let local = dear(Script::says("here/small", "Fine.")).with(|profile| profile.local = true);
    let told = all(world.governed(&local).as_ref()).await;
    assert!(
        matches!(told.as_slice(), [Err(ModelFault::OverLimit(_))]),
        "{told:?}"
    );
    assert_eq!(local.calls(), 0);
}

#[tokio::test]
async fn local_models_run_and_are_recorded_if_nothing_may_be_spent() {
    let world = world(CLOSED);
    let local = Script::says("here/small", "Fine.").with(|profile| profile.local = true);
    let far = dear(Script::says("lab/one", "Fine."));
    let tiers = Tiers::new(
        [(Tier::Standard, world.governed(&far) as Arc<dyn ChatModel>)].into(),
        &Tier::ALL,
        Some(world.governed(&local)),
    );
    let told = all(&tiers).await;
    assert!(
        matches!(&told[1], Ok(ModelEvent::Answering { model, why: Some(why) })
            if model == "here/small" && why.contains("limit") && why.contains("this computer")),
        "{told:?}"
    );
    assert!(told.last().is_some_and(Result::is_ok));
    let calls = world.calls().await;
    let [call] = calls.as_slice() else {
        panic!("{calls:?}")
    };
    assert_eq!(
        (call.reserved.model.as_str(), call.reserved.worst_micros),
        ("here/small", 0)
    );
    assert_eq!(far.calls(), 0);
    // After the limits are raised in the settings, the first choice answers.
    world.costs.set_limits(OPEN);
    all(&tiers).await;
    assert_eq!(far.calls(), 1);
}

#[tokio::test]
async fn background_work_has_its_own_limit() {
    let world = world(SpendLimits {
        background_day: 0,
        ..OPEN
    });
    let script = dear(Script::says("lab/one", "Fine."));
    let governor = world.governed(&script);
    let background = ModelRequest {
        purpose: Purpose::Background,
        ..request()
    };
    let told: Vec<_> = governor.stream(Arc::new(background)).collect().await;
    assert!(
        matches!(told.as_slice(), [Err(ModelFault::OverLimit(over))] if over.limit == Limit::Background),
        "{told:?}"
    );
    assert!(
        all(governor.as_ref())
            .await
            .last()
            .is_some_and(Result::is_ok)
    );
}
