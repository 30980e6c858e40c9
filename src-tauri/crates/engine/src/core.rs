//! State that all turns share: the ports, the settings and the in-memory caches.

mod long;
mod meaning;
mod waiting;

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
pub(crate) use self::waiting::Hurry;
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

/// Number of events, over all conversations, that a watcher may lag behind.
const WATCH_MAX: usize = 1_024;
/// Maximum number of news items kept for the next report, such as one for each lost approval.
const UNTOLD_MAX: usize = 32;
/// How long after startup to prepare for model requests.
const PREPARE_AFTER: Duration = Duration::from_millis(500);

/// The ports and settings an engine is built from. Only the caller that fills this chooses concrete adapters.
#[derive(Clone)]
pub struct Parts {
    /// Determines the domains of a message.
    pub router: Arc<dyn Router>,
    /// Turns a message into a plan.
    pub planner: Arc<dyn Planner>,
    /// Interprets the person's replies while an action or question waits.
    pub resumer: Arc<dyn Resumer>,
    /// All tools.
    pub toolbox: Arc<dyn Toolbox>,
    /// Read access to records.
    pub records: Arc<dyn Records>,
    /// Durable storage of turns, actions and effects.
    pub log: Arc<dyn TurnLog>,
    /// Scheduled jobs.
    pub jobs: Arc<dyn Jobs>,
    /// Carries out operations at the providers of accounts.
    pub executors: Arc<dyn Executors>,
    /// Fetches the full text of mails from accounts.
    pub mails: Arc<dyn WholeMails>,
    /// Web search and page retrieval.
    pub lookup: Arc<dyn Lookup>,
    /// Saves files.
    pub files: Arc<dyn Files>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The random source.
    pub entropy: Arc<dyn Entropy>,
    /// Initial settings; [`crate::Engine::set_settings`] changes them.
    pub settings: Settings,
    /// Initial models, if any; [`crate::Engine::set_models`] changes them.
    pub models: Option<Models>,
}

/// The models an engine may ask. The one [`ChatModel`] hides tiers, fallback, circuit breaker and governor.
#[derive(Clone)]
pub struct Models {
    /// Answers model requests.
    pub chat: Arc<dyn ChatModel>,
    /// Preferences for using models.
    pub manner: ModelPreferences,
}

pub(crate) struct Core {
    pub(crate) parts: Parts,
    pub(crate) people: People,
    pub(crate) secrets: Secrets,
    /// Broadcasts every event of every conversation.
    pub(crate) watchers: broadcast::Sender<Arc<LiveEvent>>,
    /// Notified when something that may be due was added or moved.
    pub(crate) changed: Notify,
    /// Allows one pass over due work at a time.
    pub(crate) due: Arc<Semaphore>,
    /// The name under which this process leases jobs.
    holder: OnceLock<String>,
    /// Workers that continue long jobs, by kind.
    workers: RwLock<BTreeMap<JobKind, Arc<dyn Worker>>>,
    /// Notified when the person stops a job.
    pub(crate) job_stopped: Notify,
    /// Notified when this process no longer works on a job, however the work ended.
    pub(crate) job_left: Notify,
    /// Signals that the person stopped everything.
    pub(crate) stopped: Arc<Stopped>,
    settings: RwLock<Arc<Settings>>,
    models: RwLock<Option<Models>>,
    /// A candidate model that runs beside the live one, without effect.
    shadow: RwLock<Option<Shadow>>,
    /// Work that nobody waits for; it ends with the engine.
    pub(crate) background: Background,
    /// Whether storage refused the cleanup of interrupted work, which must be retried.
    pub(crate) recovery_pending: AtomicBool,
    /// News for the next report of due work.
    untold: Mutex<Vec<UserFault>>,
    /// Conversations that are being summarised.
    summarising: Arc<Mutex<BTreeSet<ConversationId>>>,
    /// The latest tools and what is derived from them.
    tools: watch::Sender<Arc<Tools>>,
    /// Vectors of the tools, if an embedding model is connected.
    near: RwLock<Option<Arc<Near>>>,
    /// Whether preparing for model requests has begun.
    prepared: AtomicBool,
    /// Whether storage was asked to load the names that messages can mention.
    names_wanted: AtomicBool,
    /// Which tools served which messages. `None` until loaded.
    habits: RwLock<Option<Habits>>,
}

/// A guard for a running summary; dropping it allows another one for the same conversation.
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
            job_left: Notify::new(),
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

    /// Prepares for the first model request before anybody waits for it. Runs once, after [`PREPARE_AFTER`], so that a
    /// process that answers a single question has exited by then and pays nothing.
    pub(crate) fn prepare(self: &Arc<Self>) {
        if self.prepared.swap(true, Ordering::SeqCst) {
            return;
        }
        let core = self.clone();
        self.in_background(async move {
            tokio::time::sleep(PREPARE_AFTER).await;
            core.read_habits().await;
            // This takes some ten milliseconds, so keep it off the threads that run turns.
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

    /// Loads which tools served earlier messages, unless already loaded.
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

    /// Returns the names of tools that served messages like this one. Empty until the habits are loaded.
    pub(crate) fn tools_that_served(&self, text: &str) -> Vec<String> {
        let habits = self.habits.read().unwrap_or_else(PoisonError::into_inner);
        habits
            .as_ref()
            .map_or_else(Vec::new, |habits| habits.fitting(text))
    }

    /// Records which tools a finished turn used.
    pub(crate) fn note_tools(&self, text: &str, tools: &ToolUse) {
        let mut habits = self.habits.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(habits) = habits.as_mut() {
            habits.note(text, tools);
        }
    }

    /// Claims the right to summarise a conversation until the guard is dropped. `None` if a summary is already running.
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

    /// Returns the name under which this process leases jobs.
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

    /// Keeps a news item for the next report of due work, dropping the oldest beyond [`UNTOLD_MAX`].
    pub(crate) fn tell_later(&self, news: UserFault) {
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        if untold.len() >= UNTOLD_MAX {
            untold.remove(0);
        }
        untold.push(news);
    }

    /// Takes the news items kept for the next report.
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

    /// Starts a task that nobody waits for.
    pub(crate) fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.background.start(work);
    }

    /// Clears every in-memory copy of records and turns.
    pub(crate) fn forget_everything(&self) {
        self.people.forget();
        self.secrets.forget();
        *self.habits.write().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(near) = self.near() {
            near.forget();
        }
        self.changed.notify_one();
    }

    /// Returns the current tools with what is derived from them, rebuilt only when the catalogue changes.
    pub(crate) fn tools(&self) -> Arc<Tools> {
        let catalog = self.parts.toolbox.catalog();
        let known = self.tools.borrow().clone();
        let reaches_web = self.parts.lookup.outside().is_ok();
        if known.are_current(&catalog, reaches_web) {
            return known;
        }
        let made = Arc::new(Tools::of(catalog.clone(), reaches_web));
        self.tools.send_if_modified(|tools| {
            // Another turn may have stored a newer catalogue meanwhile.
            let newer = made.catalog().version() >= tools.catalog().version()
                && !tools.are_current(&catalog, reaches_web);
            if newer {
                *tools = made.clone();
            }
            newer
        });
        made
    }

    /// Returns a receiver that is notified when [`Self::tools`] picks up a newer catalogue.
    pub(crate) fn newer_tools(&self) -> watch::Receiver<Arc<Tools>> {
        self.tools.subscribe()
    }

    /// Returns the people in the address book. Empty, with a warning in the log, if it cannot be read.
    pub(crate) async fn known_people(&self) -> Arc<AddressBook> {
        self.people
            .get(&*self.parts.records)
            .await
            .unwrap_or_else(|fault| {
                tracing::warn!(%fault, "the address book could not be read; names are not recognised");
                Arc::default()
            })
    }

    /// Lets storage load the names that messages can mention, before the first message has to wait for it.
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

    /// Builds the context that a tool runs in.
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

    /// Discards in-memory copies that a stored change has made stale.
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
