//! Tests of waiting for another request's answer. Waiting is not a failure of the model, and nothing is lost if a
//! caller gives up.

use super::*;
use crate::tiers::{Breaker, Figures, Gauge};

/// Wraps the model as the app does.
fn guarded(model: &FileModel, clock: &Arc<Clock>) -> Breaker {
    let watched = Watched::new(Arc::new(model.clone()), Patience::default());
    Breaker::new(
        Arc::new(watched),
        Gauge::new(Figures::default(), clock.clone()),
    )
}

async fn last(model: &dyn ChatModel) -> Result<ModelEvent, ModelFault> {
    let told: Vec<_> = model.stream(request()).collect().await;
    told.into_iter().last().unwrap()
}

#[tokio::test]
async fn waiting_for_another_answer_does_not_trip_the_breaker() {
    // The first answer continues until it is stopped.
    let script = format!(
        r#"{READY}; read line; echo '{{"say":"token","id":1,"text":"long"}}'; read stop
        echo '{{"say":"end","id":1,"stop":"stopped","input":1,"output":2}}'; n=1; while read line; do n=$((n+1)); {WHOLE}; done"#
    );
    let (model, clock, folder) = model(&script);
    let guarded = guarded(&model, &clock);
    let mut long = model.stream(request());
    for _ in 0..2 {
        long.next().await.unwrap().unwrap();
    }
    tokio::time::pause();
    for _ in 0..10 {
        let told = last(&guarded).await;
        assert!(
            matches!(&told, Err(ModelFault::Occupied { waited, .. }) if waited.as_secs() == 180),
            "{told:?}"
        );
    }
    tokio::time::resume();
    drop(long);
    let told = last(&guarded).await;
    assert!(matches!(told, Ok(ModelEvent::End { .. })), "{told:?}");
    assert_eq!(starts(&folder), 1);
}

#[tokio::test]
async fn kills_a_process_that_does_not_stop_and_counts_a_failure() {
    let script = format!(
        r#"{READY}; [ $starts = 1 ] || {{ read line; n=2; {WHOLE}; }}; read line; echo '{{"say":"token","id":1,"text":"long"}}'; while read line; do :; done"#
    );
    let (model, clock, folder) = model(&script);
    let mut long = model.stream(request());
    for _ in 0..2 {
        long.next().await.unwrap().unwrap();
    }
    drop(long);
    tokio::time::pause();
    // A caller with less time gives up, which does not end the process.
    let mut hasty = model.stream(request());
    let second = Duration::from_secs(1);
    assert!(tokio::time::timeout(second, hasty.next()).await.is_err());
    drop(hasty);
    assert!(model.shared.state.lock().await.process().is_some());
    let stalled = ModelFault::Stalled {
        model: "built-in/small".into(),
        waited: Duration::from_secs(60),
    };
    assert!(stalled.counts_against());
    assert_eq!(ask(&model).await, Err(stalled));
    tokio::time::resume();
    clock.advance(1);
    assert_eq!(ask(&model).await, Ok("hi".into()));
    assert_eq!(starts(&folder), 2);
}
