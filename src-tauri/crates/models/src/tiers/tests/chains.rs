//! Tests of every fault at every place in a chain, of the chain's deadline, and of cancellation.

use serde_json::json;

use super::*;
use crate::tiers::{Chain, Patience, Watched};

/// How a model of the table ends.
#[derive(Clone, Debug)]
enum Ending {
    Fault(ModelFault),
    Cut,
    Silence,
    WrongShape,
}

/// Returns every kind of fault, from the model itself or from a layer in front of it.
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
        ModelFault::Occupied {
            model: id(),
            waited: MINUTE,
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
    let mut acts = vec![ScriptedAct::Say(told)];
    match ending {
        Ending::Fault(fault) => acts.push(ScriptedAct::Fail(fault.clone())),
        Ending::Cut => acts.push(ScriptedAct::Cut),
        Ending::Silence => acts.push(ScriptedAct::Hang),
        Ending::WrongShape => acts.extend([ScriptedAct::Say("]"), ScriptedAct::End(USED)]),
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
async fn handles_every_fault_at_every_place_of_a_chain() {
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

            // Expected: who is asked, what it replied, and then either the next model's answer or a single final fault.
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
    assert_eq!(combinations, 60);
}

#[tokio::test(start_paused = true)]
async fn cancels_a_silent_model_at_the_deadline() {
    let slow = Script::new(
        "lab/slow",
        [vec![
            ScriptedAct::Say("a"),
            ScriptedAct::Wait(20 * Duration::from_secs(1)),
            ScriptedAct::Say("b"),
            ScriptedAct::Wait(50 * Duration::from_secs(1)),
            ScriptedAct::End(USED),
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
async fn the_deadline_covers_the_whole_chain() {
    let hangs = || {
        Script::new(
            "lab/hangs",
            [vec![ScriptedAct::Wait(MINUTE / 2), ScriptedAct::Cut]],
        )
    };
    let models: Vec<Arc<dyn ChatModel>> = vec![hangs(), hangs(), hangs(), hangs()];
    let chain = Chain::new(hangs(), models, MINUTE + MINUTE / 4);
    let told = all(&chain, request()).await;
    // Two gave up after half a minute each; the third was still running at the deadline.
    let Some(Err(ModelFault::AllFailed { tried })) = told.last() else {
        panic!("{told:?}")
    };
    assert_eq!(tried.len(), 3);
    assert!(matches!(tried[2], ModelFault::Broken { .. }), "{tried:?}");
}

#[tokio::test]
async fn dropping_the_stream_cancels_the_running_call() {
    let first = Script::fails(
        "lab/first",
        ModelFault::Cut {
            model: "lab/first".into(),
        },
    );
    let second = Script::new(
        "lab/second",
        [vec![ScriptedAct::Say("a"), ScriptedAct::Hang]],
    );
    let chain = Chain::new(first, vec![second.clone()], MINUTE);
    let mut stream = chain.stream(Arc::new(request()));
    for _ in 0..3 {
        stream.next().await.expect("an item").expect("no fault");
    }
    drop(stream);
    assert_eq!((second.calls(), second.dropped()), (1, 1));
}

#[tokio::test]
async fn a_nested_chain_reports_the_answering_model_once() {
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
