//! Tests of every fault at every stage: the result is a correct answer from the fallback or an honest message, never a
//! hang, and never an effect that nobody asked for.

use std::time::Duration;

use adjutant_domain::model::{Limit, ModelFault, OverLimit, Stage, StopReason};
use adjutant_testkit::model::{ScriptedAct, says, says_json};
use adjutant_testkit::{ScriptedModel, make};
use serde_json::json;

use crate::actions::plan;
use crate::world::{self, World, hasty};

/// Far longer than every deadline of [`hasty`].
const HANGS: Duration = Duration::from_secs(20);

/// Returns everything that can go wrong with a reply. The last field says whether a reply arrived that may be requested
/// once more.
fn faults() -> Vec<(&'static str, Vec<ScriptedAct>, bool)> {
    let model = || "m".to_owned();
    let why = || "it said so".to_owned();
    let fail = |fault| vec![ScriptedAct::Fail(fault)];
    vec![
        (
            "unreachable",
            fail(ModelFault::Unreachable {
                model: model(),
                why: why(),
            }),
            false,
        ),
        (
            "stalled",
            fail(ModelFault::Stalled {
                model: model(),
                waited: Duration::from_secs(9),
            }),
            false,
        ),
        ("cut", fail(ModelFault::Cut { model: model() }), false),
        (
            "busy",
            fail(ModelFault::Busy {
                model: model(),
                retry_after: None,
            }),
            false,
        ),
        ("key", fail(ModelFault::Key { model: model() }), false),
        (
            "no such model",
            fail(ModelFault::NoSuchModel { model: model() }),
            false,
        ),
        (
            "too long",
            fail(ModelFault::TooLong { model: model() }),
            false,
        ),
        (
            "broken",
            fail(ModelFault::Broken {
                model: model(),
                why: why(),
            }),
            false,
        ),
        (
            "refused request",
            fail(ModelFault::Refused {
                model: model(),
                why: why(),
            }),
            false,
        ),
        (
            "unreadable",
            fail(ModelFault::Unreadable {
                model: model(),
                why: why(),
            }),
            false,
        ),
        (
            "resting",
            fail(ModelFault::Resting {
                model: model(),
                rest: Duration::from_secs(60),
            }),
            false,
        ),
        (
            "over the limit",
            fail(ModelFault::OverLimit(OverLimit {
                limit: Limit::Day,
                limit_micros: 1,
                used_micros: 1,
                wanted_micros: 1,
            })),
            false,
        ),
        ("none", fail(ModelFault::None), false),
        ("internal", fail(ModelFault::Internal { why: why() }), false),
        ("ends without an end", vec![ScriptedAct::Cut], false),
        (
            "ends in the middle",
            vec![
                ScriptedAct::Say("{\"request\": \"x".into()),
                ScriptedAct::Cut,
            ],
            false,
        ),
        ("hangs", vec![ScriptedAct::Hang], false),
        (
            "hangs in the middle",
            vec![ScriptedAct::Say("{".into()), ScriptedAct::Hang],
            false,
        ),
        ("empty", vec![], false),
        (
            "will not",
            vec![ScriptedAct::Stop(StopReason::Refused)],
            false,
        ),
        (
            "cut at the limit",
            vec![
                ScriptedAct::Say("{\"request\": ".into()),
                ScriptedAct::Stop(StopReason::Length),
            ],
            true,
        ),
        ("no JSON", says("I'd rather talk about the weather."), true),
        (
            "JSON of another shape",
            says_json(
                &json!({"approved": true, "steps": "all", "kind": 7, "good": "yes", "type": "order"}),
            ),
            true,
        ),
        ("half JSON", says("{\"steps\": [{\"key\""), true),
        ("a list", says("[]"), true),
    ]
}

/// A world in which `text` reaches `stage`, for one fault at a time. Everything before that stage is scripted, and
/// everything after it answers.
struct Case {
    stage: Stage,
    text: &'static str,
    before: Vec<(Stage, Vec<ScriptedAct>)>,
    after: Vec<(Stage, Vec<ScriptedAct>)>,
    /// What the answer must contain; `None` for an honest sentence about the fault.
    holds: Option<&'static str>,
}

fn add_task() -> Vec<ScriptedAct> {
    plan(
        json!([{"key": "s1", "say": "Add the task", "why": "", "tool": "task.create", "args": {"title": "Sort the desk"}}]),
    )
}

fn cases() -> Vec<Case> {
    let read_out = plan(json!([
        {"key": "s1", "say": "Read the mail", "why": "", "tool": "email.read", "args": {"target": {"subject": "Lunch", "pick": "one"}}},
        {"key": "s2", "say": "Take the date out", "why": "", "tool": "text.extract",
         "args": {"text": {"$from": "s1", "path": "/text"}, "fields": [{"name": "day", "kind": "moment", "meaning": "when"}]}},
        {"key": "s3", "say": "Add the task", "why": "", "tool": "task.create",
         "args": {"title": "Lunch", "due": {"$from": "s2", "path": "/day"}}}
    ]));
    let flawed =
        says_json(&json!({"good": false, "problems": [{"kind": "clarity", "what": "too long"}]}));
    vec![
        Case {
            stage: Stage::Route,
            text: world::says::UNSURE,
            before: vec![],
            after: vec![(Stage::Respond, says("An answer."))],
            holds: Some("An answer."),
        },
        Case {
            stage: Stage::Plan,
            text: world::says::TASKS,
            before: vec![],
            after: vec![],
            holds: None,
        },
        Case {
            stage: Stage::Respond,
            text: world::says::CHAT,
            before: vec![],
            after: vec![],
            holds: None,
        },
        Case {
            stage: Stage::Extract,
            text: world::says::TASKS,
            before: vec![(Stage::Plan, read_out)],
            after: vec![(Stage::Respond, says("I read the mail."))],
            holds: Some("Not done"),
        },
        Case {
            stage: Stage::Critique,
            text: world::says::HARD,
            before: vec![(Stage::Respond, says("A draft."))],
            after: vec![],
            holds: Some("A draft."),
        },
        Case {
            stage: Stage::Refine,
            text: world::says::HARD,
            before: vec![
                (Stage::Respond, says("A draft.")),
                (Stage::Critique, flawed),
            ],
            after: vec![],
            holds: Some("A draft."),
        },
    ]
}

/// Splits at white space, so that white space between the streamed text and additions to it does not matter.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_in_every_stage_ends_well() {
    let mut failures = Vec::new();
    for case in cases() {
        let world = World::with(ScriptedModel::default(), hasty()).await;
        world
            .put(vec![adjutant_domain::record::Record::Mail(make::mail(
                "mail_00000000000a",
                "Kim <kim@example.org>",
                "Lunch",
                "2026-01-10T12:00:00Z",
                "Lunch on 3 March.",
            ))])
            .await;
        for (number, (name, acts, again)) in faults().into_iter().enumerate() {
            let text_stage = matches!(case.stage, Stage::Respond | Stage::Refine);
            if text_stage && again && name != "cut at the limit" {
                // Any text is a valid answer.
                continue;
            }
            for (stage, acts) in &case.before {
                world.model.then(*stage, acts.clone());
            }
            world.model.then(case.stage, acts.clone());
            if case.stage == Stage::Plan && again {
                world.model.then(case.stage, acts);
            }
            for (stage, acts) in &case.after {
                world.model.then(*stage, acts.clone());
            }
            let conversation = format!("c{number}");
            let Ok(turn) =
                tokio::time::timeout(HANGS, world.ask_in(&conversation, case.text)).await
            else {
                failures.push(format!("{} × {name}: hangs", case.stage.name()));
                break;
            };
            let (end, answer) = turn.end();
            let right = match case.holds {
                Some(text) => answer.contains(text),
                None => !answer.trim().is_empty() && !answer.contains("Done:"),
            };
            let kept = world.kept(&conversation).await;
            if end != "done"
                || !right
                || kept.first().map(String::as_str) != Some(case.text)
                || kept.len() != 2
            {
                failures.push(format!("{} × {name}: {end}: {answer}", case.stage.name()));
            }
            if words(&turn.pieced()) != words(&answer) {
                failures.push(format!(
                    "{} × {name}: the pieces are {:?}, the answer {answer:?}",
                    case.stage.name(),
                    turn.pieced()
                ));
            }
        }
        let tasks = world.task_titles().await;
        if !tasks.is_empty() {
            failures.push(format!(
                "{}: {tasks:?} came out of nothing",
                case.stage.name()
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_results_from_receipts_without_a_models_words() {
    for (name, acts, again) in faults() {
        if again {
            continue;
        }
        let model = ScriptedModel::default()
            .on(Stage::Plan, add_task())
            .on(Stage::Respond, acts);
        let world = World::with(model, hasty()).await;
        let turn = tokio::time::timeout(HANGS, world.ask(world::says::TASKS))
            .await
            .unwrap();
        let (end, answer) = turn.end();
        assert_eq!(end, "done", "{name}");
        assert!(answer.contains("Sort the desk"), "{name}: {answer}");
        assert_eq!(turn.pieced(), answer, "{name}");
        assert_eq!(world.task_titles().await, ["Sort the desk"], "{name}");
    }
}

#[tokio::test]
async fn a_failed_resume_keeps_what_waits_and_rereads_the_message() {
    for (name, acts, _) in faults() {
        let model = ScriptedModel::default()
            .on(
                Stage::Plan,
                plan(
                    json!([{"key": "s1", "say": "Send it", "why": "", "tool": "email.send",
                    "args": {"to": ["bob@example.org"], "subject": "x", "body": "y"}}]),
                ),
            )
            .on(Stage::Resume, acts)
            .on(Stage::Respond, says("A story."));
        let world = World::with(model, hasty()).await;
        world.ask(world::says::MAIL).await;
        let turn = tokio::time::timeout(HANGS, world.ask(world::says::CHAT))
            .await
            .unwrap();
        assert!(
            turn.end().1.contains("A story."),
            "{name}: {:?}",
            turn.end()
        );
        let pending = adjutant_domain::ports::TurnLog::actions(
            &*world.store,
            Some(adjutant_domain::gate::ActionState::Pending),
            None,
        )
        .await
        .unwrap();
        assert_eq!(pending.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_fault_says_what_to_do_next() {
    for (fault, hint) in [
        (ModelFault::Key { model: "m".into() }, "Check the key"),
        (
            ModelFault::Unreachable {
                model: "m".into(),
                why: "refused".into(),
            },
            "Check that it runs",
        ),
        (
            ModelFault::NoSuchModel { model: "m".into() },
            "Check address and model",
        ),
    ] {
        let model = ScriptedModel::default().on(Stage::Respond, vec![ScriptedAct::Fail(fault)]);
        let world = World::new(model).await;
        let turn = world.ask(world::says::CHAT).await;
        assert!(turn.end().1.contains(hint), "{:?}", turn.end());
    }
}

#[tokio::test]
async fn a_model_that_failed_is_not_said_to_be_missing() {
    let gone = ModelFault::Unreachable {
        model: "lab/m".into(),
        why: "it is off".into(),
    };
    let model = ScriptedModel::default().on(Stage::Respond, vec![ScriptedAct::Fail(gone)]);
    let world = World::new(model).await;
    let answer = world.ask(world::says::CHAT).await.end().1;
    assert!(
        answer.starts_with("Lab/m could not be reached."),
        "{answer}"
    );
    assert!(answer.ends_with("that needs a model."), "{answer}");
}
