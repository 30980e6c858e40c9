//! What every turn shares: the ports, the settings, and what is kept in memory.

mod long;
mod meaning;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::change::Change;
use adjutant_domain::conversation::ToolUse;
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::{ConversationId, TurnId, render};
use adjutant_domain::job::JobKind;
use adjutant_domain::model::ChatModel;
use adjutant_domain::ports::{
    Clock, Cx, Entropy, Executors, Files, Jobs, Lookup, Records, Toolbox, TurnLog, WholeMails,
};
use adjutant_domain::reading::{Planner, Resumer, Router};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use jiff::Zoned;
use tokio::sync::{Notify, Semaphore, broadcast, watch};

pub use self::long::{NotDone, Reporter, Worker};
use crate::background::Background;
use crate::context::people::{AddressBook, People};
use crate::feed::LiveEvent;
use crate::manual::WithCommands;
use crate::retrieval::{Habits, Near, TURNS_MAX};
use crate::secrets::Secrets;
use crate::shadow::Shadow;
use crate::stages::ModelPreferences;
use crate::stopped::Stopped;
use crate::tools::Tools;

/// Events of all conversations that a watcher may lag behind.
const WATCH_MAX: usize = 1_024;
/// News that are kept until they can be told: one for each approval that was lost.
const UNTOLD_MAX: usize = 32;
/// How long after the start what models need is made.
const PREPARE_AFTER: Duration = Duration::from_millis(500);

/// What the engine is made of. Concrete adapters are chosen where this is built, nowhere else.
#[derive(Clone)]
pub struct Parts {
    /// Says which domains a message needs.
    pub router: Arc<dyn Router>,
    /// Turns a message into a plan.
    pub planner: Arc<dyn Planner>,
    /// Reads replies while something waits.
    pub resumer: Arc<dyn Resumer>,
    /// All tools.
    pub toolbox: Arc<dyn Toolbox>,
    /// Records to read.
    pub records: Arc<dyn Records>,
    /// The durable side of turns.
    pub log: Arc<dyn TurnLog>,
    /// What is due later.
    pub jobs: Arc<dyn Jobs>,
    /// Who carries out operations at the providers of accounts.
    pub executors: Arc<dyn Executors>,
    /// Who gets the rest of mails from accounts.
    pub mails: Arc<dyn WholeMails>,
    /// Search engines and pages.
    pub lookup: Arc<dyn Lookup>,
    /// Who saves files.
    pub files: Arc<dyn Files>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Settings at the start; [`crate::Engine::set_settings`] changes them.
    pub settings: Settings,
    /// Models at the start, if any; [`crate::Engine::set_models`] changes them.
    pub models: Option<Models>,
}

/// The models an engine may ask. Tiers, fallback, breaker and governor stand behind the one [`ChatModel`].
#[derive(Clone)]
pub struct Models {
    /// Who is asked.
    pub chat: Arc<dyn ChatModel>,
    /// How.
    pub manner: ModelPreferences,
}

pub(crate) struct Core {
    pub(crate) parts: Parts,
    pub(crate) people: People,
    pub(crate) secrets: Secrets,
    /// Everything that is told, in all conversations.
    pub(crate) watchers: broadcast::Sender<Arc<LiveEvent>>,
    /// Something that may be due was added or moved.
    pub(crate) changed: Notify,
    /// What is due is done by one at a time.
    pub(crate) due: Arc<Semaphore>,
    /// The name under which this process leases jobs.
    holder: OnceLock<String>,
    /// Who goes on with jobs that take long.
    workers: RwLock<BTreeMap<JobKind, Arc<dyn Worker>>>,
    /// The person stopped a job.
    pub(crate) job_stopped: Notify,
    /// The person stopped everything.
    pub(crate) stopped: Arc<Stopped>,
    settings: RwLock<Arc<Settings>>,
    models: RwLock<Option<Models>>,
    /// A candidate that is tried beside the live model.
    shadow: RwLock<Option<Shadow>>,
    /// Work nobody waits for; it ends with the engine.
    pub(crate) background: Background,
    /// Something that was cut off could not be put in order: storage did not take it.
    pub(crate) recovery_pending: AtomicBool,
    /// What the next report of what is due tells.
    untold: Mutex<Vec<UserFault>>,
    /// Conversations of which a summary is being made.
    summarising: Arc<Mutex<BTreeSet<ConversationId>>>,
    /// What follows from the tools there were when they were looked at last.
    tools: watch::Sender<Arc<Tools>>,
    /// The same with vectors, where a model for them is connected.
    near: RwLock<Option<Arc<Near>>>,
    /// Someone has begun to make what models need.
    prepared: AtomicBool,
    /// Whether storage was told to get ready to say what a message names.
    names_wanted: AtomicBool,
    /// Which tools served which messages; none until they are read.
    habits: RwLock<Option<Habits>>,
}

/// A summary is being made; however that ends, another one may be made afterwards.
pub(crate) struct Summarising {
    all: Arc<Mutex<BTreeSet<ConversationId>>>,
    conversation: ConversationId,
}

impl Drop for Summarising {
    fn drop(&mut self) {
        self.all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.conversation);
    }
}

impl Core {
    pub(crate) fn new(mut parts: Parts) -> Self {
        parts.toolbox = Arc::new(WithCommands::new(parts.toolbox, parts.log.clone()));
        let tools = Tools::of(parts.toolbox.catalog(), parts.lookup.outside().is_ok());
        Self {
            people: People::default(),
            secrets: Secrets::default(),
            watchers: broadcast::channel(WATCH_MAX).0,
            changed: Notify::new(),
            due: Arc::new(Semaphore::new(1)),
            holder: OnceLock::new(),
            workers: RwLock::default(),
            job_stopped: Notify::new(),
            stopped: Arc::default(),
            settings: RwLock::new(Arc::new(parts.settings.clone())),
            models: RwLock::new(parts.models.clone()),
            shadow: RwLock::default(),
            background: Background::default(),
            recovery_pending: AtomicBool::new(false),
            untold: Mutex::default(),
            summarising: Arc::default(),
            tools: watch::Sender::new(Arc::new(tools)),
            near: RwLock::default(),
            prepared: AtomicBool::new(false),
            names_wanted: AtomicBool::new(false),
            habits: RwLock::default(),
            parts,
        }
    }

    pub(crate) fn settings(&self) -> Arc<Settings> {
        self.settings
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set_settings(&self, settings: Settings) {
        *self
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    pub(crate) fn models(&self) -> Option<Models> {
        self.models
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set_models(self: &Arc<Self>, models: Option<Models>) {
        let some = models.is_some();
        *self.models.write().unwrap_or_else(PoisonError::into_inner) = models;
        if some {
            self.prepare();
        }
    }

    /// Makes what the first request to a model needs before somebody waits for it, once, in a process that stays: one that
    /// answers a single question is gone by then, and pays for nothing it does not use.
    pub(crate) fn prepare(self: &Arc<Self>) {
        if self.prepared.swap(true, Ordering::SeqCst) {
            return;
        }
        let core = self.clone();
        self.in_background(async move {
            tokio::time::sleep(PREPARE_AFTER).await;
            core.read_habits().await;
            // Some ten milliseconds of work: turns keep their threads.
            let made = tokio::task::spawn_blocking(move || {
                core.tools().retriever();
                adjutant_prompts::prepare()
            });
            match made.await {
                Ok(Ok(())) => {}
                Ok(Err(fault)) => tracing::error!(%fault, "a prompt cannot be used"),
                Err(error) => tracing::error!(%error, "preparing for models broke off"),
            }
        });
    }

    /// Reads which tools served before, unless that is known.
    pub(crate) async fn read_habits(&self) {
        let known = |habits: &RwLock<Option<Habits>>| {
            habits
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .is_some()
        };
        if known(&self.habits) {
            return;
        }
        match self.parts.log.tool_uses(TURNS_MAX).await {
            Ok(latest) => {
                let habits = Habits::new(latest);
                self.habits
                    .write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(habits);
            }
            Err(fault) => {
                tracing::warn!(%fault, "which tools served before could not be read; tools are found by their words");
            }
        }
    }

    /// Tools that served messages like this one; none while that is not known.
    pub(crate) fn tools_that_served(&self, text: &str) -> Vec<String> {
        let habits = self.habits.read().unwrap_or_else(PoisonError::into_inner);
        habits
            .as_ref()
            .map_or_else(Vec::new, |habits| habits.fitting(text))
    }

    /// A turn has ended with these tools.
    pub(crate) fn note_tools(&self, text: &str, tools: &ToolUse) {
        let mut habits = self.habits.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(habits) = habits.as_mut() {
            habits.note(text, tools);
        }
    }

    /// Lets a summary of this conversation be made, until what is given is dropped; one at a time.
    pub(crate) fn begin_summary(&self, conversation: &ConversationId) -> Option<Summarising> {
        let mut all = self
            .summarising
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        all.insert(conversation.clone()).then(|| Summarising {
            all: self.summarising.clone(),
            conversation: conversation.clone(),
        })
    }

    /// The name under which this process leases jobs.
    pub(crate) fn holder(&self) -> &str {
        self.holder
            .get_or_init(|| render("run", self.parts.entropy.bits()))
    }

    pub(crate) fn worker(&self, kind: JobKind) -> Option<Arc<dyn Worker>> {
        let workers = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        workers.get(&kind).cloned()
    }

    pub(crate) fn set_worker(&self, kind: JobKind, worker: Arc<dyn Worker>) {
        self.workers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(kind, worker);
    }

    /// Keeps something for the next report of what is due; the latest [`UNTOLD_MAX`] of it.
    pub(crate) fn tell_later(&self, news: UserFault) {
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        if untold.len() >= UNTOLD_MAX {
            untold.remove(0);
        }
        untold.push(news);
    }

    /// What was kept to be told; it is told once.
    pub(crate) fn untold(&self) -> Vec<UserFault> {
        std::mem::take(&mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn shadow(&self) -> Option<Shadow> {
        self.shadow
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set_shadow(&self, shadow: Option<Shadow>) {
        *self.shadow.write().unwrap_or_else(PoisonError::into_inner) = shadow;
    }

    /// Starts work that nobody waits for.
    pub(crate) fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.background.start(work);
    }

    /// Everything that is kept in memory of records and turns does not hold any more.
    pub(crate) fn forget_everything(&self) {
        self.people.forget();
        self.secrets.forget();
        *self.habits.write().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(near) = self.near() {
            near.forget();
        }
        self.changed.notify_one();
    }

    /// The tools there are now, with what follows from them: made once for a catalogue.
    pub(crate) fn tools(&self) -> Arc<Tools> {
        let catalog = self.parts.toolbox.catalog();
        let known = self.tools.borrow().clone();
        let reaches_web = self.parts.lookup.outside().is_ok();
        if known.are_current(&catalog, reaches_web) {
            return known;
        }
        let made = Arc::new(Tools::of(catalog.clone(), reaches_web));
        self.tools.send_if_modified(|tools| {
            // Another turn may have seen a newer one meanwhile.
            let newer = made.catalog().version() >= tools.catalog().version()
                && !tools.are_current(&catalog, reaches_web);
            if newer {
                *tools = made.clone();
            }
            newer
        });
        made
    }

    /// Tells when [`Self::tools`] has come to know newer ones.
    pub(crate) fn newer_tools(&self) -> watch::Receiver<Arc<Tools>> {
        self.tools.subscribe()
    }

    /// People of the address book; none where it cannot be read, which the log says.
    pub(crate) async fn known_people(&self) -> Arc<AddressBook> {
        self.people
            .get(&*self.parts.records)
            .await
            .unwrap_or_else(|fault| {
                tracing::warn!(%fault, "the address book could not be read; names are not recognised");
                Arc::default()
            })
    }

    /// Lets storage get ready to say what a message names, before the first message waits for it.
    pub(crate) fn want_names(self: &Arc<Self>) {
        if self.names_wanted.swap(true, Ordering::SeqCst) {
            return;
        }
        let core = self.clone();
        self.in_background(async move {
            let now = core.parts.clock.now().timestamp();
            if let Err(fault) = core.parts.records.named("", now, 0).await {
                tracing::warn!(%fault, "the names of records could not be read");
            }
        });
    }

    /// What a tool sees of the world.
    pub(crate) fn cx(&self, now: Zoned) -> Cx {
        Cx {
            now,
            records: self.parts.records.clone(),
            mails: self.parts.mails.clone(),
            lookup: self.parts.lookup.clone(),
            entropy: self.parts.entropy.clone(),
            settings: self.settings(),
        }
    }

    pub(crate) fn turn_id(&self) -> TurnId {
        TurnId::from_bits(self.parts.entropy.bits())
    }

    /// A change was stored: what is kept in memory of it does not hold any more.
    pub(crate) fn stored(&self, change: &Change) {
        let touches = |kind| change.ops.iter().any(|op| op.kind() == kind);
        if touches(Kind::Contact) {
            self.people.forget();
        }
        if touches(Kind::Memory) {
            self.secrets.forget();
        }
        self.changed.notify_one();
    }
}
