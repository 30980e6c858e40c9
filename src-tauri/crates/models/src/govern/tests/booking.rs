//! Tests of the record of each call: no call happens without one.

use super::*;

#[tokio::test]
async fn records_a_call_with_all_its_details() {
    let world = world(OPEN);
    let model = dear(Script::new(
        "lab/one",
        [vec![
            ScriptedAct::Wait(Duration::from_millis(5)),
            ScriptedAct::Think("hm"),
            ScriptedAct::Say("Fine."),
            ScriptedAct::End(USED),
        ]],
    ));
    let told = all(world.governed(&model).as_ref()).await;
    // The provider reports tokens but not the cost: 20 × 2 + 5 × 8 micro-units.
    let usage = Usage {
        cost_micros: 80,
        ..USED
    };
    let Some(Ok(ModelEvent::End { usage: last, .. })) = told.last() else {
        panic!("{told:?}")
    };
    assert_eq!(*last, usage);
    let calls = world.calls().await;
    let [call] = calls.as_slice() else {
        panic!("{calls:?}")
    };
    assert_eq!(call.reserved.at, Noon.now());
    assert_eq!(
        (
            call.reserved.stage,
            call.reserved.tier,
            call.reserved.purpose
        ),
        (Stage::Respond, Tier::Standard, Purpose::Foreground)
    );
    assert_eq!(call.reserved.turn, request().turn);
    assert_eq!(call.reserved.prompt, request().system.revision);
    assert_eq!(call.reserved.input_chars, 27);
    assert!(call.reserved.worst_micros >= 800, "{call:?}");
    let spent = call.spent.as_ref().expect("it ended");
    assert_eq!((spent.state, spent.usage), (CallState::Done, usage));
    assert!(spent.fault.is_none());
    let first = spent.first_ms.expect("something came");
    assert!((5..=spent.ms).contains(&first), "{spent:?}");
}

#[tokio::test]
async fn makes_no_call_that_cannot_be_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::open(folder.path(), StoreOptions::default()).expect("a profile"));
    let options = StoreOptions {
        read_only: true,
        ..StoreOptions::default()
    };
    let store = Store::open(folder.path(), options).expect("a profile");
    let costs = CostLedger::new(store, Arc::new(Noon), Arc::new(SinceStart::new()), OPEN);
    let script = Script::says("lab/one", "Fine.");
    let told = all(&Governor::new(script.clone(), costs)).await;
    assert!(
        matches!(told.as_slice(), [Err(ModelFault::Internal { why })] if why.contains("cannot be written")),
        "{told:?}"
    );
    assert_eq!(script.calls(), 0);
}

#[tokio::test]
async fn a_start_gives_up_calls_of_an_ended_process() {
    let world = world(OPEN);
    let script = dear(Script::new("lab/one", [vec![ScriptedAct::Hang]]));
    let mut stream = world.governed(&script).stream(Arc::new(request()));
    stream.next().await.expect("an item").expect("no fault");
    // As after a kill: no destructor of the call runs.
    std::mem::forget(stream);
    let again = Store::open(world.store.folder(), StoreOptions::default()).expect("a profile");
    let costs = CostLedger::new(
        again.clone(),
        Arc::new(Noon),
        Arc::new(SinceStart::new()),
        OPEN,
    );
    assert_eq!(costs.recover().await, Ok(1));
    let calls = again.calls(None, 9).await.expect("calls");
    let spent = calls[0].spent.as_ref().expect("given up");
    assert_eq!(spent.state, CallState::Lost);
    assert_eq!(spent.usage.cost_micros, calls[0].reserved.worst_micros);
    assert_eq!(costs.recover().await, Ok(0));
}

#[tokio::test]
async fn a_call_dropped_during_reservation_costs_nothing() {
    let world = world(OPEN);
    let script = dear(Script::says("lab/one", "Fine."));
    let mut stream = world.governed(&script).stream(Arc::new(request()));
    // After one poll, the reservation is being written, and nobody waits for the answer.
    let polled = futures::poll!(stream.next());
    assert!(polled.is_pending());
    drop(stream);
    let calls = world.calls().await;
    let spent = calls[0].spent.as_ref().expect("it is settled");
    assert_eq!(
        (spent.state, spent.usage),
        (CallState::Cancelled, Usage::default())
    );
    assert_eq!(script.calls(), 0);
}

#[tokio::test]
async fn a_stream_never_polled_is_not_a_call() {
    let world = world(OPEN);
    let script = Script::says("lab/one", "Fine.");
    drop(world.governed(&script).stream(Arc::new(request())));
    assert!(world.calls().await.is_empty());
}

#[tokio::test]
async fn notifies_every_listener_of_each_booking() {
    let world = world(OPEN);
    let governed = world.governed(&Script::says("lab/one", "Fine."));
    for calls in 1..=3 {
        all(governed.as_ref()).await;
        let costs = &world.costs;
        futures::join!(costs.settled(), costs.settled(), costs.settled());
        let kept = world.store.calls(None, 100).await.expect("calls");
        let settled = kept.iter().filter(|call| call.spent.is_some()).count();
        assert_eq!((kept.len(), settled), (calls, calls));
    }
}
