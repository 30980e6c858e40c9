//! Tests of operations outside storage. Each is recorded before it begins and has an outcome of its own, and Adjutant
//! never falsely denies one, whatever the provider answers and whenever the process dies.

use adjutant_domain::conversation::{Effect, TurnState};
use adjutant_domain::gate::ActionState;
use adjutant_domain::operation::Attempts;
use adjutant_domain::plan::reference::Reference;
use adjutant_domain::plan::{StepDraft, StepState};
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::{Op, Target};
use serde_json::json;

use crate::backend::{Look, ProviderBehaviour};
use crate::recovery::approve;
use crate::world::{Script, World, needing, step};

/// Returns a plan that saves a file for every task, named after the task's id.
fn save_all() -> Vec<StepDraft> {
    let each = StepDraft {
        each: Some(Reference {
            from: "s1".into(),
            path: "/tasks".into(),
        }),
        ..step("s2", "file.save", json!({"id": {"$item": "/id"}}))
    };
    vec![step("s1", "task.list", json!({})), needing(each, &["s1"])]
}

fn world() -> World {
    Script::new()
        .tasks(&["One", "Two", "Three"])
        .plan("save all", save_all())
        .plan("save it", vec![step("s1", "file.save", json!({"id": "a"}))])
        .world()
}

fn path(number: usize) -> String {
    format!("/tmp/{}.pdf", crate::world::task_id(number))
}

async fn effects(world: &World) -> Vec<Effect> {
    let mut all = world.log.effects(None).await.unwrap();
    all.reverse();
    all
}

fn outcomes(effects: &[Effect]) -> Vec<&str> {
    effects.iter().map(|one| one.outcome.as_str()).collect()
}

#[tokio::test]
async fn each_operation_of_a_batch_has_its_own_outcome() {
    let world = world();
    world.backend.acts(&[
        ProviderBehaviour::Honest,
        ProviderBehaviour::Honest,
        ProviderBehaviour::Conflict,
    ]);
    let (name, answer) = world.ask("save all").await.end();
    assert_eq!(name, "done");
    for told in [
        &format!("Saved “{}.pdf”.", crate::world::task_id(1)),
        &format!("Saved “{}.pdf”.", crate::world::task_id(2)),
        &format!("Not done: save {} (it was changed elsewhere", path(3)),
    ] {
        assert!(answer.contains(told.as_str()), "{answer}");
    }
    assert!(!answer.contains("Nothing was done"), "{answer}");
    let all = effects(&world).await;
    assert_eq!(outcomes(&all), ["succeeded", "succeeded", "failed"]);
    let proofs = all.iter().filter(|one| one.receipt.is_some()).count();
    assert_eq!(proofs, 2);
    assert_eq!(world.log.attempts(&Attempts::Open).await.unwrap(), []);
}

#[tokio::test]
async fn finds_a_lost_reply_and_retries_a_lost_request_with_its_key() {
    for act in [
        ProviderBehaviour::LosesReply,
        ProviderBehaviour::LosesRequest,
    ] {
        let world = world();
        world.backend.acts(&[act]);
        let (_, answer) = world.ask("save it").await.end();
        assert_eq!(answer, "Saved “a.pdf”.", "{act:?}");
        assert_eq!(world.backend.times("/tmp/a.pdf"), 1);
        let all = effects(&world).await;
        assert_eq!(outcomes(&all), ["succeeded"]);
        let turn = Attempts::Turn(all[0].turn.clone());
        let last = world.log.attempts(&turn).await.unwrap().remove(0);
        let tries = if act == ProviderBehaviour::LosesReply {
            1
        } else {
            2
        };
        assert_eq!(last.attempt.number, tries);
        assert_eq!(last.attempt.key.0, all[0].id.0);
    }
}

#[tokio::test]
async fn an_outcome_stays_unknown_until_it_can_be_determined() {
    let world = world();
    world.backend.acts(&[ProviderBehaviour::LosesReply]);
    world.backend.look(Look::Away);
    let (_, answer) = world.ask("save it").await.end();
    assert!(answer.contains("This may have happened"), "{answer}");
    assert_eq!(outcomes(&effects(&world).await), ["unknown"]);
    world.engine.run_due().await;
    assert_eq!(outcomes(&effects(&world).await), ["unknown"], "still away");
    world.backend.look(Look::True);
    world.engine.run_due().await;
    let all = effects(&world).await;
    assert_eq!(outcomes(&all), ["succeeded"]);
    assert!(all[0].receipt.is_some());
    assert_eq!(world.backend.times("/tmp/a.pdf"), 1);
}

#[tokio::test]
async fn asks_the_person_about_outcomes_only_they_know() {
    let world = Script::new()
        .plan("do it", vec![step("s1", "remote.do", json!({"id": "x"}))])
        .world();
    world.backend.acts(&[ProviderBehaviour::LosesReply]);
    world.backend.look(Look::Away);
    let (id, digest) = world.ask("do it").await.card();
    world.run(approve(&id, &digest)).await;
    assert_eq!(world.state(&id).await, ActionState::Unknown);
    world.backend.look(Look::Blind);
    let report = world.engine.run_due().await;
    assert_eq!(world.state(&id).await, ActionState::NeedsPerson);
    assert_eq!(report.problems[0].code, "settled");
    world.backend.look(Look::True);
    world.engine.run_due().await;
    assert_eq!(world.state(&id).await, ActionState::NeedsPerson);
}

fn one_remote() -> World {
    Script::new()
        .plan(
            "do it",
            vec![
                step("s1", "remote.do", json!({"id": "x"})),
                needing(
                    step("s2", "task.create", json!({"title": "After"})),
                    &["s1"],
                ),
            ],
        )
        .say("hello", "Hello.")
        .world()
}

#[tokio::test]
async fn an_approval_waits_for_a_connection_and_then_runs() {
    let world = one_remote();
    let (id, digest) = world.ask("do it").await.card();
    world
        .backend
        .acts(&[ProviderBehaviour::Offline, ProviderBehaviour::Offline]);
    let (name, answer) = world.run(approve(&id, &digest)).await.end();
    assert_eq!(name, "done");
    assert!(answer.contains("Approved, but not done yet"), "{answer}");
    assert_eq!(world.state(&id).await, ActionState::Approved);
    assert_eq!(effects(&world).await, []);
    // Other messages in the meantime neither drop nor repeat it.
    assert_eq!(world.ask("hello").await.end().0, "done");
    world.engine.run_due().await;
    assert_eq!(world.state(&id).await, ActionState::Approved);
    world.engine.run_due().await;
    assert_eq!(world.backend.begun.available_permits(), 2, "after a pause");
    world.later(2);
    world.engine.run_due().await;
    assert_eq!(world.state(&id).await, ActionState::Succeeded);
    assert_eq!(world.backend.times("x"), 1);
    assert_eq!(world.tasks().await, ["After"], "the plan went on");
    world.later(60);
    world.engine.run_due().await;
    assert_eq!(world.backend.times("x"), 1);
}

#[tokio::test]
async fn an_approval_waits_for_a_connection_for_a_limited_time() {
    let world = one_remote();
    let (id, digest) = world.ask("do it").await.card();
    world.backend.acts(&[ProviderBehaviour::Offline; 40]);
    world.run(approve(&id, &digest)).await;
    world.later(23 * 60);
    world.engine.run_due().await;
    assert_eq!(world.state(&id).await, ActionState::Approved);
    world.later(61);
    let report = world.engine.run_due().await;
    assert_eq!(world.state(&id).await, ActionState::Expired);
    let told = world.engine.run_due().await.problems;
    let told: Vec<String> = report
        .problems
        .iter()
        .chain(&told)
        .map(ToString::to_string)
        .collect();
    assert!(
        told.iter().any(|one| one.contains("no connection in time")),
        "{told:?}"
    );
    assert_eq!(world.backend.times("x"), 0);
}

#[tokio::test]
async fn a_wait_for_a_connection_survives_a_restart() {
    let world = one_remote();
    let (id, digest) = world.ask("do it").await.card();
    world.backend.acts(&[ProviderBehaviour::Offline]);
    world.run(approve(&id, &digest)).await;
    world.later(60);
    let next = world.restarted(99);
    next.engine.recover().await.unwrap();
    assert_eq!(next.backend.times("x"), 0, "its job goes on with it");
    next.engine.run_due().await;
    assert_eq!(next.state(&id).await, ActionState::Succeeded);
    assert_eq!(next.backend.times("x"), 1);
}

#[tokio::test]
async fn a_stop_does_not_deny_a_started_operation() {
    let world = world();
    world.backend.acts(&[ProviderBehaviour::Hangs]);
    let op = Op::Ask {
        conversation: "main".into(),
        text: "save all".into(),
        tier: None,
    };
    let events = world.engine.submit(op).await.unwrap();
    world.backend.begun.acquire().await.unwrap().forget();
    world.engine.interrupt(&Target::All).await.unwrap();
    drop(events.collect().await);
    let turn = world.log.turns(None, None).await.unwrap().remove(0);
    assert_eq!(turn.state, TurnState::Interrupted);
    let answer = turn.answer.unwrap();
    assert!(answer.contains("This may have happened"), "{answer}");
    assert!(!answer.contains("Nothing was done"), "{answer}");
    assert_eq!(turn.plan.unwrap().steps[1].state, StepState::Unknown);
    world.engine.run_due().await;
    assert_eq!(outcomes(&effects(&world).await), ["succeeded"]);
    assert_eq!(world.backend.begun.available_permits(), 0, "no other began");
}

/// Numbers that are identical in every run.
struct Dice(u64);

impl Dice {
    fn up_to(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }
}

const ROUNDS: u64 = 200;
const ACTS: [ProviderBehaviour; 6] = [
    ProviderBehaviour::Honest,
    ProviderBehaviour::LosesReply,
    ProviderBehaviour::LosesRequest,
    ProviderBehaviour::Conflict,
    ProviderBehaviour::Offline,
    ProviderBehaviour::Hangs,
];
const LOOKS: [Look; 3] = [Look::True, Look::Blind, Look::Away];

/// Runs one round: an approved plan with two remote operations, three files that need no approval, a provider that
/// lies, and a process that may die wherever it waits for storage or the provider.
fn round(seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let plan = vec![
        step("s1", "remote.do", json!({"id": "x"})),
        step("s2", "remote.do", json!({"id": "y"})),
    ];
    let world = Script::new()
        .tasks(&["One", "Two", "Three"])
        .plan("save all", save_all())
        .plan("do both", plan)
        .world();
    let acts: Vec<ProviderBehaviour> = (0..8).map(|_| ACTS[dice.up_to(ACTS.len())]).collect();
    world.backend.acts(&acts);
    world.backend.look(LOOKS[dice.up_to(LOOKS.len())]);
    let dies = dice.up_to(24);
    let first = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    first.block_on(async {
        let work = async {
            world.ask("do both").await;
            world.log.die_at(dies);
            for action in world.pending().await {
                world.run(approve(&action.id, &action.digest)).await;
            }
            world.ask("save all").await;
        };
        tokio::select! {
            () = work => {}
            permit = world.log.died.acquire() => permit.unwrap().forget(),
        }
    });
    // The process is killed, and nothing of it continues.
    first.shutdown_background();
    world.log.revive();
    let second = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    second.block_on(check(&world.restarted(seed + 1_000), seed));
}

async fn check(world: &World, seed: u64) {
    world.backend.look(Look::True);
    world.backend.honest();
    world.engine.recover().await.unwrap();
    world.later(60);
    world.engine.run_due().await;
    let open = world.log.attempts(&Attempts::Open).await.unwrap();
    assert_eq!(open, [], "{seed}: lost");
    let all = effects(world).await;
    let names = ["x".to_owned(), "y".to_owned()];
    for name in names.into_iter().chain((1..=3).map(path)) {
        let times = world.backend.times(&name);
        assert!(times <= 1, "{seed}: {name} was done {times} times");
        let own: Vec<&Effect> = all
            .iter()
            .filter(|one| {
                let id = one.args["id"].as_str().unwrap_or_default();
                id == name || format!("/tmp/{id}.pdf") == name
            })
            .collect();
        assert!(own.len() <= 1, "{seed}: {name} is told twice: {own:?}");
        let outcome = own.first().map(|one| one.outcome.as_str());
        match outcome {
            Some("succeeded") => assert_eq!(times, 1, "{seed}: {name} is claimed falsely"),
            Some("failed") | None => assert_eq!(times, 0, "{seed}: {name} is denied falsely"),
            // The outcome was unknown, and the person was told so.
            Some("unknown") => {}
            other => panic!("{seed}: {other:?}"),
        }
    }
    for turn in world.log.turns(None, None).await.unwrap() {
        assert_ne!(turn.state, TurnState::Open, "{seed}");
        let answer = turn.answer.unwrap_or_default();
        let own = all.iter().filter(|one| one.turn == turn.id);
        if own.clone().any(|one| one.outcome == "succeeded") {
            assert!(!answer.contains("Nothing was done"), "{seed}: {answer}");
        }
    }
    for state in [ActionState::Approved, ActionState::Executing] {
        let left = world.log.actions(Some(state), None).await.unwrap();
        assert!(left.is_empty(), "{seed}: {left:?}");
    }
}

#[test]
fn a_kill_at_any_time_loses_repeats_and_misreports_nothing() {
    for seed in 0..ROUNDS {
        round(seed);
    }
}
