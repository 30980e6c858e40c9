//! An engine in memory, and shorthands for tests.

use std::sync::{Arc, Mutex, PoisonError};

use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::ActionId;
use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::ports::{AllStored, Clock, Records, TurnLog as _};
use adjutant_domain::reading::{Reading, Resume};
use adjutant_domain::record::{OutboxItem, Record};
use adjutant_domain::settings::Settings;
use adjutant_engine::{Engine, LiveEvent, Op, Parts};
use adjutant_testkit::{MemoryRecords, SeededEntropy, make};
use jiff::{ToSpan as _, Zoned};
use serde_json::{Value, json};

use crate::backend::{Accounts, Backend};
use crate::log::MemoryLog;
use crate::script::{Mind, Tools};

/// A clock that a test moves.
pub struct HandClock(pub Mutex<Zoned>);

impl Clock for HandClock {
    fn now(&self) -> Zoned {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
    fn is_fixed(&self) -> bool {
        true
    }
}

pub struct World {
    pub engine: Engine,
    parts: Parts,
    pub log: Arc<MemoryLog>,
    pub records: Arc<MemoryRecords>,
    pub tools: Arc<Tools>,
    pub backend: Arc<Backend>,
    pub mind: Arc<Mind>,
    pub clock: Arc<HandClock>,
}

/// Wraps the records in memory into others.
pub type Wrap = fn(Arc<MemoryRecords>) -> Arc<dyn Records>;

/// Parts of a world that differ from the defaults.
#[derive(Default)]
pub struct Script {
    mind: Mind,
    tasks: Vec<String>,
    ask_always: bool,
    records: Option<Wrap>,
}

impl Script {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds tasks with the ids `task_00000000000N`.
    pub fn tasks(mut self, titles: &[&str]) -> Self {
        self.tasks = titles.iter().map(|title| (*title).into()).collect();
        self
    }

    /// Adds a message with its plan.
    pub fn plan(mut self, text: &str, steps: Vec<StepDraft>) -> Self {
        let plan = PlanDraft {
            request: text.into(),
            steps,
        };
        self.mind.readings.insert(
            text.into(),
            Reading::Plan {
                plan,
                trace: Vec::new(),
            },
        );
        self
    }

    pub fn say(mut self, text: &str, answer: &str) -> Self {
        self.mind.readings.insert(
            text.into(),
            Reading::Say {
                text: answer.into(),
                trace: Vec::new(),
            },
        );
        self
    }

    pub fn undo(mut self, text: &str) -> Self {
        let undo = Reading::Undo { trace: Vec::new() };
        self.mind.readings.insert(text.into(), undo);
        self
    }

    pub fn resume(mut self, text: &str, resume: Resume) -> Self {
        self.mind.resumes.insert(text.into(), resume);
        self
    }

    pub fn ask_always(mut self) -> Self {
        self.ask_always = true;
        self
    }

    /// Replaces the records in memory.
    pub fn records(mut self, wrap: Wrap) -> Self {
        self.records = Some(wrap);
        self
    }

    pub fn world(self) -> World {
        let now: Zoned = "2026-01-12T09:00:00-05:00[America/New_York]"
            .parse()
            .unwrap();
        let records = Arc::new(MemoryRecords::new(now.time_zone().clone()));
        for (index, title) in self.tasks.iter().enumerate() {
            records.put(Record::Task(make::task(&task_id(index + 1), title, None)));
        }
        let log = Arc::new(MemoryLog::new(records.clone()));
        let tools = Arc::new(Tools::default());
        let backend = Arc::new(Backend::default());
        let clock = Arc::new(HandClock(Mutex::new(now)));
        let mind = Arc::new(self.mind);
        let shown: Arc<dyn Records> = match self.records {
            Some(wrap) => wrap(records.clone()),
            None => records.clone(),
        };
        let parts = Parts {
            router: mind.clone(),
            planner: mind.clone(),
            resumer: mind.clone(),
            toolbox: tools.clone(),
            records: shown,
            log: log.clone(),
            jobs: log.clone(),
            executors: Arc::new(Accounts(backend.clone())),
            mails: Arc::new(AllStored),
            lookup: Arc::new(adjutant_domain::ports::NoLookup),
            files: backend.clone(),
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::new(7)),
            settings: Settings {
                ask_always: self.ask_always,
                ..Settings::default()
            },
            models: None,
        };
        World {
            engine: Engine::new(parts.clone()),
            parts,
            log,
            records,
            tools,
            backend,
            mind,
            clock,
        }
    }
}

impl World {
    /// Starts another process on the same profile, with the same provider.
    pub fn restarted(&self, seed: u64) -> Self {
        let parts = Parts {
            entropy: Arc::new(SeededEntropy::new(seed)),
            ..self.parts.clone()
        };
        Self {
            engine: Engine::new(parts.clone()),
            parts,
            log: self.log.clone(),
            records: self.records.clone(),
            tools: self.tools.clone(),
            backend: self.backend.clone(),
            mind: self.mind.clone(),
            clock: self.clock.clone(),
        }
    }
}

pub fn task_id(number: usize) -> String {
    format!("task_{number:012}")
}

/// Returns a step without references.
pub fn step(key: &str, tool: &str, args: Value) -> StepDraft {
    StepDraft {
        key: key.into(),
        say: format!("{tool} {key}"),
        tool: tool.into(),
        args,
        ..StepDraft::default()
    }
}

pub fn needing(mut step: StepDraft, needs: &[&str]) -> StepDraft {
    step.needs = needs.iter().map(|key| (*key).into()).collect();
    step
}

pub fn delete(key: &str, number: usize) -> StepDraft {
    step(key, "task.delete", json!({"id": task_id(number)}))
}

pub fn send(key: &str) -> StepDraft {
    step(
        key,
        "email.send",
        json!({"to": ["bob@example.org"], "subject": "Hi", "body": "I am late."}),
    )
}

impl World {
    /// Ends the process; another one takes over the profile.
    pub async fn restart(&mut self) {
        self.engine = Engine::new(self.parts.clone());
        self.engine.recover().await.unwrap();
    }

    /// Sends a message in `main` and waits for the end of the turn.
    pub async fn ask(&self, text: &str) -> Turn {
        self.ask_in("main", text).await
    }

    pub async fn ask_in(&self, conversation: &str, text: &str) -> Turn {
        self.run(Op::Ask {
            conversation: conversation.into(),
            text: text.into(),
            tier: None,
        })
        .await
    }

    pub async fn run(&self, op: Op) -> Turn {
        match self.engine.submit(op).await {
            Ok(events) => Turn(events.collect().await),
            Err(fault) => Turn(vec![Arc::new(LiveEvent {
                conversation: "refused".into(),
                turn: "refused".into(),
                seq: 0,
                event: TurnEvent::Error { fault },
            })]),
        }
    }

    pub async fn pending(&self) -> Vec<PendingAction> {
        let mut actions = self
            .log
            .actions(Some(ActionState::Pending), None)
            .await
            .unwrap();
        actions.reverse();
        actions
    }

    pub async fn state(&self, id: &ActionId) -> ActionState {
        self.log.action(id).await.unwrap().unwrap().state
    }

    pub async fn tasks(&self) -> Vec<String> {
        crate::log::task_titles(&self.records).await
    }

    pub async fn outbox(&self) -> Vec<OutboxItem> {
        self.records.outbox(&Default::default()).await.unwrap()
    }

    pub fn later(&self, minutes: i64) {
        let mut now = self.clock.0.lock().unwrap();
        *now = now.checked_add(minutes.minutes()).unwrap();
    }
}

/// The events of one turn.
#[derive(Debug)]
pub struct Turn(pub Vec<Arc<LiveEvent>>);

impl Turn {
    pub fn last(&self) -> &TurnEvent {
        let last = &self.0.last().expect("a turn has events").event;
        assert!(last.is_last(), "{last:?}");
        let ends = self.0.iter().filter(|one| one.event.is_last()).count();
        assert_eq!(ends, 1, "a turn ends once");
        last
    }

    /// Returns the name of the last event, and its text.
    pub fn end(&self) -> (&'static str, String) {
        match self.last() {
            TurnEvent::Done { answer, .. } => ("done", answer.clone()),
            TurnEvent::Waiting { answer, .. } => ("waiting", answer.clone()),
            TurnEvent::Interrupted { .. } => ("interrupted", String::new()),
            TurnEvent::Error { fault } => ("error", fault.code.clone()),
            other => panic!("{other:?}"),
        }
    }

    /// Returns each step with its status.
    pub fn results(&self) -> Vec<(String, String)> {
        let (TurnEvent::Done { results, .. }
        | TurnEvent::Waiting { results, .. }
        | TurnEvent::Interrupted { results }) = self.last()
        else {
            return Vec::new();
        };
        results
            .iter()
            .map(|one| (one.step.0.clone(), one.status.clone()))
            .collect()
    }

    /// Returns the names of the events, in order.
    pub fn names(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|one| {
                let json = serde_json::to_value(&one.event).unwrap();
                json["event"].as_str().unwrap().to_owned()
            })
            .collect()
    }

    /// Returns id and digest of the turn's only card.
    pub fn card(&self) -> (ActionId, adjutant_domain::canonical::Digest) {
        let mut cards = self.0.iter().filter_map(|one| match &one.event {
            TurnEvent::ApprovalNeeded { id, digest, .. } => Some((
                id.clone(),
                adjutant_domain::canonical::Digest(digest.clone()),
            )),
            _ => None,
        });
        let card = cards.next().expect("a card");
        assert!(cards.next().is_none(), "more than one card");
        card
    }
}
