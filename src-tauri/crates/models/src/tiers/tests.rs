//! Every fault in every place of a chain, the steps down, silence, and the breaker around a model.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, Limit, ModelEvent, ModelFault, ModelRequest, OverLimit, ReplyShape, StopReason, Tier,
};
use futures::StreamExt as _;
use serde_json::json;

use super::script::{Act, Script, USED, request};
use super::{Breaker, Chain, Figures, Gauge, Patience, Ticks, Tiers, Watched};

const MINUTE: Duration = Duration::from_secs(60);

type Item = Result<ModelEvent, ModelFault>;

async fn all(model: &dyn ChatModel, request: ModelRequest) -> Vec<Item> {
    model.stream(Arc::new(request)).collect().await
}

fn answering(model: &str, why: Option<&str>) -> Item {
    Ok(ModelEvent::Answering {
        model: model.into(),
        why: why.map(str::to_owned),
    })
}

fn token(text: &str) -> Item {
    Ok(ModelEvent::Token { text: text.into() })
}

fn end() -> Item {
    Ok(ModelEvent::End {
        stop: StopReason::Complete,
        usage: USED,
    })
}

fn over(limit: Limit) -> ModelFault {
    ModelFault::OverLimit(OverLimit {
        limit,
        limit_micros: 10,
        used_micros: 10,
        wanted_micros: 1,
    })
}

/// How a model of the table ends.
#[derive(Clone, Debug)]
enum Ending {
    Fault(ModelFault),
    Cut,
    Silence,
    WrongShape,
}

/// Every kind of fault, said by the model or found by what stands in front of it.
fn endings(model: &str) -> Vec<(Ending, ModelFault)> {
    let id = || model.to_owned();
    let why = || "why".to_owned();
    let said = [
        ModelFault::Unreachable {
            model: id(),
            why: why(),
        },
        ModelFault::Stalled {
            model: id(),
            waited: MINUTE,
        },
        ModelFault::Cut { model: id() },
        ModelFault::Busy {
            model: id(),
            retry_after: None,
        },
        ModelFault::Busy {
            model: id(),
            retry_after: Some(MINUTE),
        },
        ModelFault::Key { model: id() },
        ModelFault::NoSuchModel { model: id() },
        ModelFault::TooLong { model: id() },
        ModelFault::Broken {
            model: id(),
            why: why(),
        },
        ModelFault::Refused {
            model: id(),
            why: why(),
        },
        ModelFault::Unreadable {
            model: id(),
            why: why(),
        },
        ModelFault::Resting {
            model: id(),
            rest: MINUTE,
        },
        over(Limit::Day),
        ModelFault::AllFailed {
            tried: vec![ModelFault::Cut { model: id() }],
        },
        ModelFault::None,
        ModelFault::Internal { why: why() },
    ];
    let mut all: Vec<_> = said
        .into_iter()
        .map(|fault| (Ending::Fault(fault.clone()), fault))
        .collect();
    all.push((Ending::Cut, ModelFault::Cut { model: id() }));
    all.push((
        Ending::Silence,
        ModelFault::Stalled {
            model: id(),
            waited: Patience::default().between,
        },
    ));
    all.push((
        Ending::WrongShape,
        ModelFault::Unreadable {
            model: id(),
            why: "the whole does not fit: value is not of type \"object\"".into(),
        },
    ));
    all
}

fn ends(id: &str, ending: &Ending, told: &'static str) -> Arc<dyn ChatModel> {
    let mut acts = vec![Act::Say(told)];
    match ending {
        Ending::Fault(fault) => acts.push(Act::Fail(fault.clone())),
        Ending::Cut => acts.push(Act::Cut),
        Ending::Silence => acts.push(Act::Hang),
        Ending::WrongShape => acts.extend([Act::Say("]"), Act::End(USED)]),
    }
    Arc::new(Watched::new(Script::new(id, [acts]), Patience::default()))
}

fn json_request() -> ModelRequest {
    ModelRequest {
        reply: ReplyShape::Json {
            schema: json!({ "type": "object" }),
        },
        ..request()
    }
}

#[tokio::test(start_paused = true)]
async fn every_fault_in_every_place_of_a_chain() {
    const PLACES: usize = 3;
    let mut combinations = 0;
    for place in 0..PLACES {
        let id = format!("lab/{place}");
        for (ending, fault) in endings(&id) {
            let earlier: Vec<ModelFault> = (0..place)
                .map(|number| ModelFault::Broken {
                    model: format!("lab/{number}"),
                    why: "first".into(),
                })
                .collect();
            let mut models: Vec<Arc<dyn ChatModel>> = Vec::new();
            for (number, fault) in earlier.iter().enumerate() {
                models.push(Script::fails(&format!("lab/{number}"), fault.clone()));
            }
            models.push(ends(&id, &ending, "["));
            let after: Vec<_> = (place + 1..PLACES)
                .map(|number| Script::says(&format!("lab/{number}"), "{}"))
                .collect();
            models.extend(
                after
                    .iter()
                    .map(|model| model.clone() as Arc<dyn ChatModel>),
            );
            let chain = Chain::new(models.remove(0), models, 10 * MINUTE);

            // What must be told: who is asked, what it said, and then either the next one's answer or one last fault.
            let mut expected = vec![answering("lab/0", None)];
            for (number, fault) in earlier.iter().enumerate() {
                let next = format!("lab/{}", number + 1);
                expected.push(answering(&next, Some(&fault.to_string())));
            }
            expected.push(token("["));
            if matches!(ending, Ending::WrongShape) {
                expected.push(token("]"));
            }
            let goes_on = fault != ModelFault::None && place + 1 < PLACES;
            if goes_on {
                let next = format!("lab/{}", place + 1);
                let why = match &fault {
                    ModelFault::OverLimit(_) => format!("{fault}, so a cheaper model answers"),
                    _ => fault.to_string(),
                };
                expected.push(answering(&next, Some(&why)));
                expected.extend([token("{}"), end()]);
            } else {
                let alone = earlier.is_empty();
                let speaks = matches!(
                    fault,
                    ModelFault::Unreadable { .. } | ModelFault::OverLimit(_) | ModelFault::None
                );
                expected.push(Err(if alone || speaks {
                    fault.clone()
                } else {
                    let mut tried = earlier;
                    tried.push(fault.clone());
                    ModelFault::AllFailed { tried }
                }));
            }
            let told = all(&chain, json_request()).await;
            assert_eq!(told, expected, "{ending:?} at {place}");
            let asked: Vec<usize> = after.iter().map(|model| model.calls()).collect();
            let once = usize::from(goes_on);
            let wanted: Vec<usize> = (0..asked.len())
                .map(|at| if at == 0 { once } else { 0 })
                .collect();
            assert_eq!(
                asked, wanted,
                "{ending:?} at {place}: who was asked after it"
            );
            combinations += 1;
        }
    }
    assert_eq!(combinations, 57);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_only_waits_is_left_at_the_deadline_and_its_call_is_cancelled() {
    let slow = Script::new(
        "lab/slow",
        [vec![
            Act::Say("a"),
            Act::Wait(20 * Duration::from_secs(1)),
            Act::Say("b"),
            Act::Wait(50 * Duration::from_secs(1)),
            Act::End(USED),
        ]],
    );
    let second = Script::says("lab/second", "x");
    let chain = Chain::new(slow.clone(), vec![second.clone()], MINUTE);
    let told = all(&chain, request()).await;
    let fault = Err(ModelFault::Broken {
        model: "lab/slow".into(),
        why: "it took longer than 60 s".into(),
    });
    assert_eq!(
        told,
        [answering("lab/slow", None), token("a"), token("b"), fault]
    );
    assert_eq!((slow.dropped(), second.calls()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_that_of_all_together() {
    let hangs = || Script::new("lab/hangs", [vec![Act::Wait(MINUTE / 2), Act::Cut]]);
    let models: Vec<Arc<dyn ChatModel>> = vec![hangs(), hangs(), hangs(), hangs()];
    let chain = Chain::new(hangs(), models, MINUTE + MINUTE / 4);
    let told = all(&chain, request()).await;
    // Two gave up after half a minute each; the third was on when time was up.
    let Some(Err(ModelFault::AllFailed { tried })) = told.last() else {
        panic!("{told:?}")
    };
    assert_eq!(tried.len(), 3);
    assert!(matches!(tried[2], ModelFault::Broken { .. }), "{tried:?}");
}

#[tokio::test]
async fn dropping_the_stream_cancels_the_call_that_is_on() {
    let first = Script::fails(
        "lab/first",
        ModelFault::Cut {
            model: "lab/first".into(),
        },
    );
    let second = Script::new("lab/second", [vec![Act::Say("a"), Act::Hang]]);
    let chain = Chain::new(first, vec![second.clone()], MINUTE);
    let mut stream = chain.stream(Arc::new(request()));
    for _ in 0..3 {
        stream.next().await.expect("an item").expect("no fault");
    }
    drop(stream);
    assert_eq!((second.calls(), second.dropped()), (1, 1));
}

#[tokio::test]
async fn a_chain_in_a_chain_tells_who_answers_once() {
    let broken = |id: &str| Script::fails(id, ModelFault::NoSuchModel { model: id.into() });
    let inner = Chain::new(broken("lab/a"), vec![Script::says("lab/b", "x")], MINUTE);
    let outer = Chain::new(Arc::new(inner), Vec::new(), MINUTE);
    let told = all(&outer, request()).await;
    let why = "there is no model lab/a at that address";
    assert_eq!(
        told,
        [
            answering("lab/a", None),
            answering("lab/b", Some(why)),
            token("x"),
            end()
        ]
    );
}

fn tiers(
    models: [(Tier, &Arc<Script>); 3],
    allowed: &[Tier],
    local: Option<&Arc<Script>>,
) -> Tiers {
    let chains: BTreeMap<Tier, Arc<dyn ChatModel>> = models
        .into_iter()
        .map(|(tier, model)| (tier, model.clone() as Arc<dyn ChatModel>))
        .collect();
    Tiers::new(
        chains,
        allowed,
        local.map(|model| model.clone() as Arc<dyn ChatModel>),
    )
}

fn of_tier(tier: Tier) -> ModelRequest {
    ModelRequest { tier, ..request() }
}

#[tokio::test]
async fn the_tier_that_is_asked_for_answers_if_it_may() {
    let (fast, standard, deep) = (
        Script::says("lab/fast", "f"),
        Script::says("lab/standard", "s"),
        Script::says("lab/deep", "d"),
    );
    let models = [
        (Tier::Fast, &fast),
        (Tier::Standard, &standard),
        (Tier::Deep, &deep),
    ];
    use Tier::{Deep, Fast, Standard};
    for (allowed, asked, who) in [
        (&Tier::ALL[..], Deep, Some("lab/deep")),
        (&Tier::ALL[..], Fast, Some("lab/fast")),
        (&[Fast, Standard][..], Deep, Some("lab/standard")),
        (&[Fast][..], Standard, Some("lab/fast")),
        (&[Standard, Deep][..], Fast, Some("lab/standard")),
        (&[Deep][..], Fast, Some("lab/deep")),
        (&[][..], Standard, None),
    ] {
        let told = all(&tiers(models, allowed, None), of_tier(asked)).await;
        let expected = who.map_or(Err(ModelFault::None), |id| answering(id, None));
        assert_eq!(told[0], expected, "{asked:?} of {allowed:?}");
    }
    assert_eq!(tiers(models, &[], None).profile().id, "none");
    assert_eq!(tiers(models, &[Fast], None).profile().id, "lab/fast");
}

#[tokio::test]
async fn when_the_money_is_spent_it_steps_down_and_says_so() {
    let deep = Script::fails("lab/deep", over(Limit::Call));
    let standard = Script::fails("lab/standard", over(Limit::Day));
    let fast = Script::fails("lab/fast", over(Limit::Month));
    let models = [
        (Tier::Fast, &fast),
        (Tier::Standard, &standard),
        (Tier::Deep, &deep),
    ];
    let local = Script::says("here/small", "l").with(|profile| profile.local = true);

    let told = all(
        &tiers(models, &Tier::ALL, Some(&local)),
        of_tier(Tier::Deep),
    )
    .await;
    let why =
        |limit: &str, who: &str| format!("the limit for {limit} is reached, so {who} answers");
    assert_eq!(
        told,
        [
            answering("lab/deep", None),
            answering("lab/standard", Some(&why("one request", "a cheaper model"))),
            answering("lab/fast", Some(&why("today", "a cheaper model"))),
            answering(
                "here/small",
                Some(&why("this month", "a model on this computer"))
            ),
            token("l"),
            end(),
        ]
    );
    // Without a local one, the limit of the cheapest is what is said. Dearer ones are not asked.
    let told = all(&tiers(models, &Tier::ALL, None), of_tier(Tier::Standard)).await;
    assert_eq!(told.last(), Some(&Err(over(Limit::Month))));
    assert_eq!(deep.calls(), 1);
    // Other faults are the chain's business.
    let broken = Script::fails(
        "lab/fast",
        ModelFault::Key {
            model: "lab/fast".into(),
        },
    );
    let models = [
        (Tier::Fast, &broken),
        (Tier::Standard, &broken),
        (Tier::Deep, &broken),
    ];
    let told = all(
        &tiers(models, &Tier::ALL, Some(&local)),
        of_tier(Tier::Deep),
    )
    .await;
    assert!(
        matches!(told.last(), Some(Err(ModelFault::Key { .. }))),
        "{told:?}"
    );
    assert_eq!((local.calls(), broken.calls()), (1, 1));
}

#[tokio::test]
async fn one_model_for_every_tier_is_asked_once() {
    let only = Script::fails("lab/only", over(Limit::Day));
    let models = [
        (Tier::Fast, &only),
        (Tier::Standard, &only),
        (Tier::Deep, &only),
    ];
    let told = all(&tiers(models, &Tier::ALL, None), of_tier(Tier::Deep)).await;
    assert_eq!(told, [answering("lab/only", None), Err(over(Limit::Day))]);
    assert_eq!(only.calls(), 1);
}

#[tokio::test(start_paused = true)]
async fn silence_is_a_fault_and_slowness_is_none() {
    let second = Duration::from_secs(1);
    let patience = Patience {
        first: 60 * second,
        between: 5 * second,
    };
    let slow = vec![
        Act::Wait(59 * second),
        Act::Think("hm"),
        Act::Wait(4 * second),
        Act::Say("a"),
        Act::End(USED),
    ];
    let silent_at_once = vec![Act::Wait(61 * second), Act::Say("a"), Act::End(USED)];
    let silent_then = vec![Act::Say("a"), Act::Wait(6 * second), Act::End(USED)];
    let script = Script::new("lab/one", [slow, silent_at_once, silent_then]);
    let watched = Watched::new(script.clone(), patience);
    assert_eq!(all(&watched, request()).await.last(), Some(&end()));
    for waited in [patience.first, patience.between] {
        let stalled = Err(ModelFault::Stalled {
            model: "lab/one".into(),
            waited,
        });
        assert_eq!(all(&watched, request()).await.last(), Some(&stalled));
    }
    assert_eq!(script.dropped(), 2);
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let flood: &'static str = Box::leak("x".repeat(1024 * 1024).into_boxed_str());
    let script = Script::new("lab/flood", [vec![Act::Say(flood); 64]]);
    let told = all(&Watched::new(script, Patience::default()), request()).await;
    assert!(matches!(told.last(), Some(Err(ModelFault::Broken { .. }))));
    assert!(told.len() <= 10, "{}", told.len());
}

/// Time that a test moves.
#[derive(Default)]
struct Moved(Mutex<Duration>);

impl Moved {
    fn by(&self, time: Duration) {
        *self.0.lock().expect("the time") += time;
    }
}

impl Ticks for Moved {
    fn elapsed(&self) -> Duration {
        *self.0.lock().expect("the time")
    }
}

#[tokio::test]
async fn a_failing_model_is_left_alone_and_one_call_tries_again() {
    let ticks = Arc::new(Moved::default());
    let broken = Act::Fail(ModelFault::Broken {
        model: "lab/one".into(),
        why: "500".into(),
    });
    let mut scripts = vec![vec![broken]; 4];
    scripts.push(vec![Act::Say("a"), Act::Hang]);
    scripts.push(vec![Act::Say("a"), Act::End(USED)]);
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
    // One tries; the others go on to the next model meanwhile, and a stream that nobody polls keeps nobody away.
    let unpolled = breaker.stream(Arc::new(request()));
    let mut probe = breaker.stream(Arc::new(request()));
    for _ in 0..2 {
        probe.next().await.expect("an item").expect("no fault");
    }
    assert_eq!(all(&breaker, request()).await, [resting(super::PROBE_WAIT)]);
    // The person stops it: that says nothing, so the next one tries.
    drop((probe, unpolled));
    assert_eq!(all(&breaker, request()).await.last(), Some(&end()));
    assert_eq!(all(&breaker, request()).await.last(), Some(&end()));
    assert_eq!(script.calls(), 7);
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_when_it_said() {
    let ticks = Arc::new(Moved::default());
    let busy = Act::Fail(ModelFault::Busy {
        model: "lab/one".into(),
        retry_after: Some(MINUTE),
    });
    let script = Script::new("lab/one", [vec![busy], vec![Act::Say("a"), Act::End(USED)]]);
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
async fn faults_of_ours_do_not_count_against_a_model() {
    let ticks = Arc::new(Moved::default());
    let script = Script::fails("lab/one", over(Limit::Day));
    let breaker = Breaker::new(script.clone(), Gauge::new(Figures::default(), ticks));
    for _ in 0..20 {
        all(&breaker, request()).await;
    }
    assert_eq!(script.calls(), 20);
}
