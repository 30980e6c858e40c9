//! Tests that an action shown for approval once never runs without approval, whatever happens to it afterwards.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use adjutant_domain::canonical::Digest;
use adjutant_domain::change::Change;
use adjutant_domain::gate::{ActionState, Channel, PendingAction, Permit};
use adjutant_domain::ids::{ActionId, TurnId};
use adjutant_domain::plan::{AnswerKind, Question, StepDraft};
use adjutant_domain::ports::{Clock as _, TurnLog as _};
use adjutant_domain::reading::Resume;
use adjutant_engine::{Answer, Op, PlanEdit};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{Script, Turn, World, delete, step, task_id};

/// More tasks than the gate lets one step change without asking.
const MANY: usize = 22;
/// As many tasks as the gate lets one step change without asking.
const FEW: usize = 20;

fn ids(count: usize) -> Value {
    let ids: Vec<String> = (1..=count).map(task_id).collect();
    json!({ "ids": ids })
}

fn complete(count: usize) -> StepDraft {
    step("s1", "task.complete", ids(count))
}

fn script() -> Script {
    let titles: Vec<String> = (1..=MANY).map(|number| format!("Task {number}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    Script::new()
        .tasks(&titles)
        .plan("complete all", vec![complete(MANY)])
        .plan("complete few", vec![complete(FEW)])
}

fn edit(id: &ActionId, args: Value) -> Op {
    Op::Edit {
        id: id.clone(),
        args,
        call: None,
    }
}

fn approve(id: &ActionId, digest: &Digest) -> Op {
    Op::Approve {
        id: id.clone(),
        digest: digest.clone(),
        channel: Channel::Window,
    }
}

impl World {
    fn runs(&self) -> usize {
        let ran = self.tools.ran.lock();
        ran.unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Deletes a task from outside.
    fn take_away(&self, number: usize) {
        let id = task_id(number);
        let tasks = self.records.all().into_iter();
        for task in tasks.filter(|one| one.id().0 == id) {
            self.records.apply(&Change::remove(&task)).expect("there");
        }
    }

    /// Returns the only card of `turn`, which waits, after checking that nothing has run.
    fn asks(&self, turn: &Turn) -> (ActionId, Digest) {
        assert_eq!((turn.end().0, self.runs()), ("waiting", 0), "{turn:?}");
        turn.card()
    }
}

#[tokio::test]
async fn runs_without_asking_what_was_never_shown() {
    let world = script().world();
    assert_eq!(world.ask("complete few").await.end().0, "done");
}

#[tokio::test]
async fn a_smaller_edited_action_asks_again() {
    let mut world = script().world();
    let (id, _) = world.asks(&world.ask("complete all").await);
    let (smaller, _) = world.asks(&world.run(edit(&id, ids(FEW))).await);
    world.restart().await;
    let (smallest, digest) = world.asks(&world.run(edit(&smaller, ids(1))).await);
    assert_eq!(world.run(approve(&smallest, &digest)).await.end().0, "done");
}

#[tokio::test]
async fn a_changed_target_asks_again() {
    let world = script().world();
    let (id, digest) = world.asks(&world.ask("complete all").await);
    for number in 1..=5 {
        world.take_away(number);
    }
    let (again, digest) = world.asks(&world.run(approve(&id, &digest)).await);
    assert_eq!(world.run(approve(&again, &digest)).await.end().0, "done");
}

#[tokio::test]
async fn the_rest_of_a_plan_asks_again() {
    let world = script()
        .plan("clean up", vec![delete("s0", 1), complete(MANY)])
        .world();
    let asked = world.ask("clean up").await;
    for number in 2..=5 {
        world.take_away(number);
    }
    let op = Op::EditPlan {
        turn: asked.0[0].turn.clone(),
        edit: PlanEdit::LeaveOut { step: "s0".into() },
    };
    world.asks(&world.run(op).await);
}

#[tokio::test]
async fn a_changed_request_asks_again() {
    let restated = Resume::Modify {
        text: "complete few".into(),
    };
    let world = script().resume("only few of them", restated).world();
    let (id, _) = world.asks(&world.ask("complete all").await);
    world.asks(&world.ask("only few of them").await);
    assert_eq!(world.state(&id).await, ActionState::Superseded);
}

/// Number of different requests, each of which occurs at most once in a sequence.
const REQUESTS: usize = 8;

/// What a person, or the world, may do next. Numbers select among whatever exists.
#[derive(Clone, Debug)]
enum RandomAct {
    Propose,
    Edit(usize, usize),
    LeaveOut(usize, usize),
    Answer(usize),
    Approve(usize),
    ApproveAndDie(usize),
    Reject(usize),
    SayYes,
    TakeAway(usize),
    Wait(i64),
    Restart,
}

fn acts() -> impl Strategy<Value = Vec<RandomAct>> {
    let any = 0usize..64;
    let act = prop_oneof![
        4 => Just(RandomAct::Propose),
        4 => (any.clone(), prop::sample::select(vec![1, FEW, MANY])).prop_map(|(a, b)| RandomAct::Edit(a, b)),
        2 => (any.clone(), any.clone()).prop_map(|(a, b)| RandomAct::LeaveOut(a, b)),
        2 => any.clone().prop_map(RandomAct::Answer),
        2 => any.clone().prop_map(RandomAct::Approve),
        1 => any.clone().prop_map(RandomAct::ApproveAndDie),
        1 => any.clone().prop_map(RandomAct::Reject),
        1 => Just(RandomAct::SayYes),
        2 => (1..=MANY).prop_map(RandomAct::TakeAway),
        1 => (1i64..20).prop_map(RandomAct::Wait),
        1 => Just(RandomAct::Restart),
    ];
    prop::collection::vec(act, 1..16)
}

fn tagged(mut draft: StepDraft, key: &str, request: usize) -> StepDraft {
    draft.key = key.into();
    draft.args["tag"] = json!(format!("{request}{key}"));
    draft
}

/// Returns the plan for a request: small, large, with a question first, or with several steps.
fn requested(request: usize) -> Vec<StepDraft> {
    let question = StepDraft {
        question: Some(Question {
            text: "What?".into(),
            choices: Vec::new(),
            slot: "/title".into(),
            answer: AnswerKind::Text,
        }),
        ..step("q", "task.create", json!({}))
    };
    let all = [
        complete(MANY),
        delete("d", request + 1),
        question,
        complete(FEW),
    ];
    let start = request % 4;
    let steps = all.iter().cycle().skip(start).take(1 + request % 3);
    let keys = ["s1", "s2", "s3"];
    steps
        .zip(keys)
        .map(|(draft, key)| tagged(draft.clone(), key, request))
        .collect()
}

/// A world, with what the person has seen and approved in it.
struct Watched {
    world: World,
    made: usize,
    turns: Vec<TurnId>,
    approved: BTreeSet<ActionId>,
    checked: usize,
}

impl Watched {
    fn new() -> Self {
        let world = (0..REQUESTS).fold(script(), |script, request| {
            script.plan(&format!("request {request}"), requested(request))
        });
        Self {
            world: world.world(),
            made: 0,
            turns: Vec::new(),
            approved: BTreeSet::new(),
            checked: 0,
        }
    }

    async fn act(&mut self, act: &RandomAct) {
        let before = self.world.log.actions(None, None).await.unwrap();
        let waiting = self.world.pending().await;
        let one = |at: usize| waiting.get(at % waiting.len().max(1));
        match act {
            RandomAct::Propose if self.made < REQUESTS => {
                let turn = self.world.ask(&format!("request {}", self.made)).await;
                self.turns.push(turn.0[0].turn.clone());
                self.made += 1;
            }
            RandomAct::Propose => {}
            RandomAct::Edit(at, count) => {
                if let Some(action) = one(*at) {
                    let mut args = ids(*count);
                    args["tag"] = action.calls[0].args["tag"].clone();
                    args["id"] = json!(task_id(*count));
                    self.world.run(edit(&action.id, args)).await;
                }
            }
            RandomAct::LeaveOut(turn, step) => {
                if let Some(turn) = self.turns.get(turn % self.turns.len().max(1)) {
                    let step = ["s1", "s2", "s3"][step % 3].into();
                    let op = Op::EditPlan {
                        turn: turn.clone(),
                        edit: PlanEdit::LeaveOut { step },
                    };
                    self.world.run(op).await;
                }
            }
            RandomAct::Answer(at) => {
                if let Some(turn) = self.turns.get(at % self.turns.len().max(1)) {
                    for key in ["s1", "s2", "s3"] {
                        let op = Op::Answer {
                            question: adjutant_engine::question_id(turn, &key.into()),
                            answer: Answer::Text("Tea".into()),
                        };
                        self.world.run(op).await;
                    }
                }
            }
            RandomAct::Approve(at) => {
                if let Some(action) = one(*at) {
                    self.approved.insert(action.id.clone());
                    self.world.run(approve(&action.id, &action.digest)).await;
                }
            }
            RandomAct::ApproveAndDie(at) => {
                if let Some(action) = one(*at) {
                    self.approved.insert(action.id.clone());
                    let (from, to) = (ActionState::Pending, ActionState::Approved);
                    let channel = Some(Channel::Window);
                    let log = &self.world.log;
                    log.move_action(&action.id, from, to, channel, jiff::Timestamp::UNIX_EPOCH)
                        .await
                        .unwrap();
                    self.world.restart().await;
                }
            }
            RandomAct::Reject(at) => {
                if let Some(action) = one(*at) {
                    let (id, channel) = (action.id.clone(), Channel::Window);
                    self.world.run(Op::Reject { id, channel }).await;
                }
            }
            RandomAct::SayYes => {
                let now = self.world.clock.now().timestamp();
                let mut live = waiting.iter().filter(|action| action.expires > now);
                if let (Some(only), None) = (live.next(), live.next()) {
                    self.approved.insert(only.id.clone());
                }
                self.world.ask("yes").await;
            }
            RandomAct::TakeAway(number) => self.world.take_away(*number),
            RandomAct::Wait(minutes) => self.world.later(*minutes),
            RandomAct::Restart => self.world.restart().await,
        }
        self.check(&before).await;
    }

    /// Checks that every call that ran since the last check was approved as shown, or was never shown.
    async fn check(&mut self, shown_before: &[PendingAction]) {
        let tag = |args: &Value| args["tag"].clone();
        let calls = shown_before.iter().flat_map(|action| &action.calls);
        let shown: Vec<Value> = calls.map(|call| tag(&call.args)).collect();
        let ran: Vec<_> = {
            let ran = self.world.tools.ran.lock();
            ran.unwrap_or_else(PoisonError::into_inner)[self.checked..].to_vec()
        };
        self.checked += ran.len();
        for (permit, call) in ran {
            match permit {
                Permit::Policy => assert!(
                    !shown.contains(&tag(&call.args)),
                    "it was shown for approval before, and ran without one: {call:?}"
                ),
                Permit::Grant(id) => panic!("nobody gave the grant {id}"),
                Permit::Person(id) => {
                    assert!(self.approved.contains(&id), "nobody approved {id}");
                    let action = self.world.log.action(&id).await.unwrap().unwrap();
                    assert!(
                        action.calls.contains(&call),
                        "not as it was shown: {call:?}"
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// This holds for any order of proposals, edits, answers, approvals, changes from outside, waiting and restarts.
    #[test]
    fn nothing_runs_that_was_not_allowed_or_approved_as_shown(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut watched = Watched::new();
            for act in &acts {
                watched.act(act).await;
            }
        });
    }
}
