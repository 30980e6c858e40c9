//! The governor in front of scripted models, with the ledger of a real profile.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{
    CallRecord, CallState, ChatModel, Embedder, Ledger as _, Limit, ModelEvent, ModelFault,
    ModelRequest, OverLimit, Purpose, SpendLimits, Stage, Tier, Usage,
};
use adjutant_domain::ports::Clock;
use adjutant_store::{Store, StoreOptions};
use async_trait::async_trait;
use futures::StreamExt as _;
use jiff::Zoned;

use super::{Books, GovernedEmbedder, Governor, worst_case_micros};
use crate::tiers::script::{Act, Script, USED, profile, request};
use crate::tiers::{SinceStart, Ticks, Tiers};

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Zoned {
        "2026-11-20T12:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("an instant")
    }
}

/// A profile in a folder that goes with the test.
struct World {
    _folder: tempfile::TempDir,
    store: Arc<Store>,
    books: Arc<Books>,
}

fn world(limits: SpendLimits) -> World {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), StoreOptions::default()).expect("a profile");
    let ticks: Arc<dyn Ticks> = Arc::new(SinceStart::new());
    World {
        _folder: folder,
        books: Books::new(store.clone(), Arc::new(Noon), ticks, limits),
        store,
    }
}

const OPEN: SpendLimits = SpendLimits {
    call: u64::MAX,
    day: u64::MAX,
    month: u64::MAX,
    background_day: u64::MAX,
};
const CLOSED: SpendLimits = SpendLimits {
    call: 0,
    day: 0,
    month: 0,
    background_day: 0,
};

impl World {
    fn governed(&self, model: &Arc<Script>) -> Arc<Governor> {
        Arc::new(Governor::new(model.clone(), self.books.clone()))
    }

    async fn calls(&self) -> Vec<CallRecord> {
        self.books.settled().await;
        self.store.calls(None, 100).await.expect("calls")
    }
}

/// A model with a price: 2 a million in, 8 a million out.
fn dear(script: Arc<Script>) -> Arc<Script> {
    script.with(|profile| {
        profile.input_micros_per_million = 2_000_000;
        profile.output_micros_per_million = 8_000_000;
    })
}

async fn all(model: &dyn ChatModel) -> Vec<Result<ModelEvent, ModelFault>> {
    model.stream(Arc::new(request())).collect().await
}

#[tokio::test]
async fn a_call_is_written_down_with_everything_that_is_known_of_it() {
    let world = world(OPEN);
    let model = dear(Script::new(
        "lab/one",
        [vec![
            Act::Wait(Duration::from_millis(5)),
            Act::Think("hm"),
            Act::Say("Fine."),
            Act::End(USED),
        ]],
    ));
    let told = all(world.governed(&model).as_ref()).await;
    // The provider said the tokens, not the money: 20 × 2 + 5 × 8 micro-units.
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

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_calls_at_once_exactly_10_are_made() {
    let model = dear(Script::says("lab/one", "Fine."));
    let worst = worst_case_micros(&model.profile(), &request());
    assert!(worst > 0);
    let world = world(SpendLimits {
        day: worst * 10,
        ..OPEN
    });
    let governor = world.governed(&model);
    // Nobody ends before all have begun, so that no reservation is given back in between.
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
    // They cost less than their worst, so there is room again.
    assert!(
        all(governor.as_ref())
            .await
            .last()
            .is_some_and(Result::is_ok)
    );
}

#[tokio::test]
async fn whatever_ends_a_call_settles_it() {
    let fault = |fault| vec![Act::Say("12345678"), Act::Fail(fault)];
    let model = || "lab/one".to_owned();
    let early = ModelFault::Unreachable {
        model: model(),
        why: "no route".into(),
    };
    let stalled = ModelFault::Stalled {
        model: model(),
        waited: Duration::from_secs(1),
    };
    // The request is estimated at 15 tokens, 8 characters of a reply are 2: 15 × 2 + 2 × 8.
    let (none, sent, both) = ((0, 0, 0), (15, 0, 30), (15, 2, 46));
    for (acts, state, used) in [
        (vec![Act::Fail(early.clone())], CallState::Failed, none),
        (vec![Act::Fail(stalled)], CallState::Failed, sent),
        (fault(early), CallState::Failed, both),
        (
            vec![Act::Say("12345678"), Act::Cut],
            CallState::Failed,
            both,
        ),
        (vec![Act::Cut], CallState::Failed, sent),
        (
            vec![Act::Say("12345678"), Act::End(Usage::default())],
            CallState::Done,
            both,
        ),
        (
            vec![Act::End(Usage {
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
async fn a_call_that_nobody_waits_for_any_more_is_settled_as_cancelled() {
    let world = world(OPEN);
    let script = dear(Script::new(
        "lab/one",
        [vec![Act::Say("12345678"), Act::Hang]],
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
async fn what_may_have_been_thought_in_silence_is_settled_at_its_worst() {
    // 15 tokens go out, at 2 each; a reply has at most 100, at 8 each; one thinks 300 a second, at most.
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
        (vec![Act::Wait(minute), Act::Fail(fault)], worst),
        (
            vec![Act::Say("12345678"), Act::Wait(minute), Act::Cut],
            worst,
        ),
        (
            vec![Act::Wait(minute), Act::Say("12345678"), Act::Hang],
            worst,
        ),
        // The provider does not say what it used.
        (
            vec![Act::Wait(minute), Act::Say("1234"), Act::End(figures(1))],
            worst,
        ),
        // A tenth of a second beyond the usual pause: 30 tokens, and one that was shown.
        (
            vec![
                Act::Wait(Duration::from_millis(1_100)),
                Act::Say("1234"),
                Act::Cut,
            ],
            15 * 2 + 31 * 8,
        ),
        // It streams, slowly, and is stopped: what was shown.
        (
            (0..9)
                .flat_map(|_| [Act::Say("1234"), Act::Wait(Duration::from_millis(900))])
                .chain([Act::Hang])
                .collect(),
            15 * 2 + 9 * 8,
        ),
    ] {
        let world = world(OPEN);
        let script = dear(Script::new("lab/one", [acts.clone()]));
        let mut stream = world.governed(&script).stream(Arc::new(request()));
        // Until its end, or, where it hangs, until all was said.
        let said = acts.iter().filter(|act| matches!(act, Act::Say(_))).count();
        let hangs = matches!(acts.last(), Some(Act::Hang));
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
    // What is free stays so, and so do its tokens.
    let world = world(OPEN);
    let script = Script::new(
        "lab/one",
        [vec![Act::Wait(minute), Act::Say("1234"), Act::Cut]],
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
async fn what_an_unpriced_model_cost_is_an_estimate() {
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
async fn a_call_that_is_given_up_while_it_is_reserved_costs_nothing_and_is_not_sent() {
    let world = world(OPEN);
    let script = dear(Script::says("lab/one", "Fine."));
    let mut stream = world.governed(&script).stream(Arc::new(request()));
    // Polled once: the reservation is on its way to the disk, nobody waits for the answer.
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
async fn a_stream_that_is_never_polled_is_no_call() {
    let world = world(OPEN);
    let script = Script::says("lab/one", "Fine.");
    drop(world.governed(&script).stream(Arc::new(request())));
    assert!(world.calls().await.is_empty());
}

#[tokio::test]
async fn local_models_pass_when_nothing_may_be_spent_and_are_written_down() {
    let world = world(CLOSED);
    let local = dear(Script::says("here/small", "Fine.")).with(|profile| profile.local = true);
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
    // The limits are raised in the settings: from now on the first choice answers.
    world.books.set_limits(OPEN);
    all(&tiers).await;
    assert_eq!(far.calls(), 1);
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_called() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::open(folder.path(), StoreOptions::default()).expect("a profile"));
    let options = StoreOptions {
        read_only: true,
        ..StoreOptions::default()
    };
    let store = Store::open(folder.path(), options).expect("a profile");
    let books = Books::new(store, Arc::new(Noon), Arc::new(SinceStart::new()), OPEN);
    let script = Script::says("lab/one", "Fine.");
    let told = all(&Governor::new(script.clone(), books)).await;
    assert!(
        matches!(told.as_slice(), [Err(ModelFault::Internal { why })] if why.contains("cannot be written")),
        "{told:?}"
    );
    assert_eq!(script.calls(), 0);
}

#[tokio::test]
async fn calls_of_an_ended_process_are_given_up_at_the_start() {
    let world = world(OPEN);
    let script = dear(Script::new("lab/one", [vec![Act::Hang]]));
    let mut stream = world.governed(&script).stream(Arc::new(request()));
    stream.next().await.expect("an item").expect("no fault");
    // As after a kill: nothing of the call runs its end.
    std::mem::forget(stream);
    let again = Store::open(world.store.folder(), StoreOptions::default()).expect("a profile");
    let books = Books::new(
        again.clone(),
        Arc::new(Noon),
        Arc::new(SinceStart::new()),
        OPEN,
    );
    assert_eq!(books.recover().await, Ok(1));
    let calls = again.calls(None, 9).await.expect("calls");
    let spent = calls[0].spent.as_ref().expect("given up");
    assert_eq!(spent.state, CallState::Lost);
    assert_eq!(spent.usage.cost_micros, calls[0].reserved.worst_micros);
    assert_eq!(books.recover().await, Ok(0));
}

#[tokio::test]
async fn background_work_has_a_limit_of_its_own() {
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

struct Vectors(Result<(), ModelFault>);

#[async_trait]
impl Embedder for Vectors {
    fn id(&self) -> String {
        "lab/vectors".into()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        self.0.clone().map(|()| vec![vec![0.5]; texts.len()])
    }
}

#[tokio::test]
async fn vectors_are_paid_for_too() {
    let world = world(SpendLimits {
        background_day: 40,
        ..OPEN
    });
    let mut price = profile("lab/vectors");
    price.input_micros_per_million = 2_000_000;
    let embedder = |answer| {
        GovernedEmbedder::new(
            Arc::new(Vectors(answer)),
            price.clone(),
            Purpose::Background,
            world.books.clone(),
        )
    };
    let vectors = embedder(Ok(())).embed(vec!["Twelve chars".into()]).await;
    assert_eq!(vectors, Ok(vec![vec![0.5]]));
    let fault = ModelFault::Key {
        model: "lab/vectors".into(),
    };
    let failed = embedder(Err(fault.clone())).embed(vec!["x".into()]).await;
    assert_eq!(failed, Err(fault));
    let long = embedder(Ok(())).embed(vec!["word ".repeat(100)]).await;
    assert!(matches!(long, Err(ModelFault::OverLimit(_))), "{long:?}");
    let calls = world.calls().await;
    let costs: Vec<_> = calls
        .iter()
        .map(|call| {
            let spent = call.spent.as_ref().expect("it ended");
            (call.reserved.stage, spent.state, spent.usage.cost_micros)
        })
        .collect();
    assert_eq!(
        costs,
        [
            (Stage::Embed, CallState::Failed, 0),
            (Stage::Embed, CallState::Done, 4)
        ]
    );
}

#[tokio::test]
async fn a_turn_is_told_all_that_it_used() {
    let world = world(OPEN);
    let broken = dear(Script::new(
        "lab/one",
        [vec![Act::Say("12345678"), Act::Cut]],
    ));
    let second = dear(Script::says("lab/two", "Fine."));
    let chain = crate::tiers::Chain::new(
        world.governed(&broken),
        vec![world.governed(&second)],
        Duration::from_secs(60),
    );
    let counted = super::Counted::new(Arc::new(chain), world.books.clone());
    let turn = request().turn.expect("a turn");
    assert_eq!(counted.used_by(&turn), None);
    all(&counted).await;
    // What was cut off, and what answered: 46 and 80.
    let used = counted.used_by(&turn).expect("it is counted");
    assert_eq!((used.input, used.output, used.cost_micros), (35, 7, 126));
    // A candidate that is asked beside the turn is not the turn's.
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
