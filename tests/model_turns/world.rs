//! A profile in a temporary folder, with a scripted model.

use std::sync::Arc;

use adjutant_domain::event::TurnEvent;
use adjutant_domain::filter::{Filter, RowFlag};
use adjutant_domain::model::{ChatModel, ModelRequest};
use adjutant_domain::ports::{AllStored, Incoming, NoAccounts, Records as _, TurnLog as _};
use adjutant_domain::record::Record;
use adjutant_domain::settings::Settings;
use adjutant_engine::stages::{Deadlines, ModelPreferences};
use adjutant_engine::{Engine, LiveEvent, Models, Op, Parts};
use adjutant_store::{Store, StoreOptions};
use adjutant_testkit::{FixedClock, ScriptedModel, SeededEntropy};
use adjutant_tools::{Registry, SavedFiles};
use adjutant_understanding::Embedded;
use jiff::Zoned;

/// Messages that tests rely on the embedded engine to read in a certain way; `the_messages_are_read_as_expected` checks
/// that.
pub mod says {
    /// Confidently read as conversation.
    pub const CHAT: &str = "Tell me a story about a dragon";
    /// Needs knowledge from outside, for which there is no tool.
    pub const WORLD: &str = "Why is the sky blue?";
    /// The embedded router is unsure.
    pub const UNSURE: &str = "I had a rough day at work";
    /// Certainly about tasks, but beyond the grammar.
    pub const TASKS: &str = "Rearrange my tasks so that the urgent ones come first";
    /// Certainly about mail, but beyond the grammar.
    pub const MAIL: &str = "Write Bob a long friendly mail about our trip to Norway last summer";
    /// Understood by the embedded engine.
    pub const KNOWN: &str = "Add a task to call mom tomorrow at 5pm";
    /// In another language.
    pub const GERMAN: &str = "Bitte erzähle mir etwas über die Geschichte von Köln";
    /// Hard enough for a critique.
    pub const HARD: &str =
        "Write a detailed report that compares solar and wind power, with an analysis of the costs";
}

pub struct World {
    pub engine: Engine,
    pub store: Arc<Store>,
    pub model: Arc<ScriptedModel>,
    pub home: tempfile::TempDir,
}

/// Creates an engine on a store.
pub fn engine(store: &Arc<Store>, models: Option<Models>) -> Engine {
    let now: Zoned = "2026-01-12T09:00:00-05:00[America/New_York]"
        .parse()
        .unwrap();
    let embedded = Arc::new(Embedded);
    let mut settings = Settings::default();
    settings.owner.name = "Alex Morgan".into();
    settings.owner.emails = vec!["alex@home.example".into()];
    Engine::new(Parts {
        router: embedded.clone(),
        planner: embedded.clone(),
        resumer: embedded.clone(),
        toolbox: Arc::new(Registry::new(embedded)),
        records: store.clone(),
        log: store.clone(),
        jobs: store.clone(),
        executors: Arc::new(NoAccounts),
        mails: Arc::new(AllStored),
        lookup: Arc::new(adjutant_domain::ports::NoLookup),
        files: Arc::new(SavedFiles),
        clock: Arc::new(FixedClock(now)),
        entropy: Arc::new(SeededEntropy::new(7)),
        settings,
        models,
    })
}

pub fn open(home: &std::path::Path) -> Arc<Store> {
    let zone = jiff::tz::TimeZone::get("America/New_York").unwrap();
    Store::open(
        home,
        StoreOptions {
            zone,
            ..StoreOptions::default()
        },
    )
    .unwrap()
}

impl World {
    pub async fn new(model: ScriptedModel) -> Self {
        Self::with(model, ModelPreferences::default()).await
    }

    pub async fn with(model: ScriptedModel, manner: ModelPreferences) -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = open(home.path());
        let model = Arc::new(model);
        let models = Models {
            chat: model.clone() as Arc<dyn ChatModel>,
            manner,
        };
        Self {
            engine: engine(&store, Some(models)),
            store,
            model,
            home,
        }
    }

    pub async fn put(&self, records: Vec<Record>) {
        let batch = records
            .into_iter()
            .map(|record| Incoming {
                record,
                raw: None,
                provenance: None,
            })
            .collect();
        self.store.import("file", batch).await.unwrap();
    }

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
        Turn(self.engine.submit(op).await.unwrap().collect().await)
    }

    pub async fn task_titles(&self) -> Vec<String> {
        let mut titles: Vec<String> = self
            .store
            .tasks(&Filter::all().is(RowFlag::Done, Some(false)))
            .await
            .unwrap()
            .into_iter()
            .map(|task| task.title)
            .collect();
        titles.sort();
        titles
    }

    /// Returns the stored messages and answers of a conversation.
    pub async fn kept(&self, conversation: &str) -> Vec<String> {
        let (past, _) = self.store.past(&conversation.into()).await.unwrap();
        past.messages.into_iter().map(|one| one.text).collect()
    }

    /// Returns the only request of a stage.
    pub fn sent(&self, stage: &str) -> ModelRequest {
        let mut sent: Vec<ModelRequest> = self
            .model
            .sent()
            .into_iter()
            .filter(|request| request.stage.name() == stage)
            .collect();
        assert_eq!(sent.len(), 1, "requests of {stage}");
        sent.remove(0)
    }
}

/// Returns short deadlines, for tests in which a model never answers.
pub fn hasty() -> ModelPreferences {
    let short = std::time::Duration::from_millis(60);
    ModelPreferences {
        deadlines: Deadlines {
            small: short,
            plan: short,
            middle: short,
            answer: short,
        },
        ..ModelPreferences::default()
    }
}

/// The events of one turn.
#[derive(Debug)]
pub struct Turn(pub Vec<Arc<LiveEvent>>);

impl Turn {
    /// Returns the name of the last event, and its text.
    pub fn end(&self) -> (&'static str, String) {
        let ends = self.0.iter().filter(|one| one.event.is_last()).count();
        assert_eq!(ends, 1, "a turn ends once: {:?}", self.0);
        match &self.0.last().unwrap().event {
            TurnEvent::Done { answer, .. } => ("done", answer.clone()),
            TurnEvent::Waiting { answer, .. } => ("waiting", answer.clone()),
            TurnEvent::Interrupted { .. } => ("interrupted", String::new()),
            TurnEvent::Error { fault } => ("error", fault.to_string()),
            other => panic!("{other:?}"),
        }
    }

    /// Returns the answer as a window assembles it from its pieces.
    pub fn pieced(&self) -> String {
        let mut text = String::new();
        for one in &self.0 {
            if let TurnEvent::Token {
                text: piece,
                restart,
            } = &one.event
            {
                if *restart {
                    text.clear();
                }
                text.push_str(piece);
            }
        }
        text
    }

    pub fn names(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|one| {
                serde_json::to_value(&one.event).unwrap()["event"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect()
    }

    pub fn statuses(&self) -> Vec<String> {
        self.0
            .iter()
            .filter_map(|one| match &one.event {
                TurnEvent::Status { text } => Some(text.clone()),
                _ => None,
            })
            .collect()
    }

    pub fn routed_by(&self) -> Vec<String> {
        self.0
            .iter()
            .filter_map(|one| match &one.event {
                TurnEvent::Routed { route } => Some(route.by.clone()),
                _ => None,
            })
            .collect()
    }

    pub fn usage(&self) -> (u64, u64, u64) {
        match &self.0.last().unwrap().event {
            TurnEvent::Done { usage, .. } => (usage.input, usage.output, usage.cost_micros),
            other => panic!("{other:?}"),
        }
    }
}
