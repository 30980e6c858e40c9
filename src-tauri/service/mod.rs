//! Answers requests: the one set of operations behind window, command line and socket. One file a subject.

mod config;
mod data;
mod doctor;
mod due;
mod estimate;
mod frame;
mod memory;
mod models;
mod quiet;
pub(crate) mod sample;
mod show;
mod sources;
#[cfg(test)]
mod tests;
mod turns;
mod usage;
mod way_back;
mod wide;

use std::sync::{Arc, PoisonError, RwLock};

use adjutant_api::convert;
use adjutant_api::reply::ToolView;
use adjutant_api::{EventBody, Fault, Reply, Request};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::Channel;
use adjutant_domain::ids::{ConversationId, RecordId};
use adjutant_domain::ports::{Clock, Entropy, Records as _, Secrets, TurnLog as _};
use adjutant_domain::record::Kind;
use adjutant_engine::{Engine, Op, OutboxAct};
use adjutant_settings::{Keyring, Layers};
use adjutant_store::{Store, Topic};
use jiff::{Zoned, tz::TimeZone};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use due::Told;
pub use frame::{FRAMES_WAITING_MAX, Frame, Frames, Sink};

use crate::clock::SystemClock;
use crate::compose::{self, Composed};
use crate::models::{Ground, ModelRoom};
use crate::profile::{Hold, Place};
use crate::scoreboard;
use crate::sentences::Sentences;
use crate::session::Options;

/// Hits of a search at once.
const HITS_MAX: usize = 200;

/// An open profile and everything that works on it.
pub struct Service {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<Store>,
    layers: RwLock<Layers>,
    clock: Arc<dyn Clock>,
    system: SystemClock,
    entropy: Arc<dyn Entropy>,
    sentences: Arc<Sentences>,
    models: ModelRoom,
    place: Place,
    options: Options,
    tasks: TaskTracker,
    stop: CancellationToken,
    wide: wide::Wide,
    quiet: std::sync::Mutex<quiet::Quiet>,
    fetching: models::Fetching,
    /// What reads or fills the profile as a whole shares it, erasing has it alone. How often it was erased.
    whole: tokio::sync::RwLock<u64>,
    /// The scoreboard is run by one at a time.
    scoring: tokio::sync::Mutex<()>,
    _hold: Option<Hold>,
}

impl Service {
    /// Opens a profile that this process holds: storage, recovery of what a killed process left, then the engine. One that
    /// can only be read is held by nobody, and nothing is recovered.
    ///
    /// # Errors
    /// When storage cannot be opened, with what to do next.
    pub async fn open(place: &Place, options: &Options, hold: Option<Hold>) -> Result<Self, Fault> {
        // By folder: two profiles of the same name in two homes have nothing in common.
        let keyring = Keyring::of(&place.dir().to_string_lossy());
        Self::open_with(place, options, hold, Arc::new(keyring)).await
    }

    /// The same, with another place for secrets than the system's keyring.
    async fn open_with(
        place: &Place,
        options: &Options,
        hold: Option<Hold>,
        secrets: Arc<dyn Secrets>,
    ) -> Result<Self, Fault> {
        let Composed {
            engine,
            store,
            layers,
            clock,
            system,
            entropy,
            sentences,
        } = compose::compose(&place.dir(), options).await?;
        let models = ModelRoom::open(
            Ground {
                store: store.clone(),
                secrets,
                engine: engine.clone(),
                clock: clock.clone(),
                offline: options.offline,
                folder: (!options.read_only).then(|| place.dir()),
            },
            layers.all(),
            &crate::models::environment(),
        )
        .await
        .map_err(store_fault)?;
        let service = Self {
            engine,
            store,
            layers: RwLock::new(layers),
            clock,
            system,
            entropy,
            sentences,
            models,
            place: place.clone(),
            options: options.clone(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            wide: wide::Wide::default(),
            quiet: std::sync::Mutex::default(),
            fetching: models::Fetching::default(),
            whole: tokio::sync::RwLock::default(),
            scoring: tokio::sync::Mutex::default(),
            _hold: hold,
        };
        if !options.read_only {
            service
                .engine
                .recover()
                .await
                .map_err(|fault| user_fault(&fault))?;
        }
        service.tell_engine_of_changes();
        Ok(service)
    }

    /// Answers one request: its reply, its events, or a fault go into `out`. The caller adds the end.
    pub async fn handle(&self, request: Request, channel: Channel, out: &Sink) {
        if let Err(fault) = self.answer(request, channel, out).await {
            out.fault(fault).await;
        }
    }

    async fn answer(&self, request: Request, channel: Channel, out: &Sink) -> Result<(), Fault> {
        let reply = match request {
            Request::Ask { .. }
            | Request::Answer { .. }
            | Request::Approve { .. }
            | Request::Reject { .. }
            | Request::Edit { .. }
            | Request::EditPlan { .. }
            | Request::AskAgain { .. }
            | Request::Undo { .. } => return turns::follow(self, request, channel, out).await,
            Request::Subscribe { conversation, from } => {
                return turns::subscribe(self, &conversation, from, out).await;
            }
            Request::Notify {} => return wide::notify(self, out).await,
            Request::Apply { tool, args } => turns::apply(self, Op::Apply { tool, args }).await?,
            Request::Outbox { id, act } => {
                let id = RecordId(id);
                let act = match act {
                    adjutant_api::OutboxAct::SendNow => OutboxAct::SendNow,
                    adjutant_api::OutboxAct::CheckAgain => OutboxAct::CheckAgain,
                    adjutant_api::OutboxAct::ToDraft => OutboxAct::ToDraft,
                };
                turns::apply(self, Op::Outbox { id, act }).await?
            }
            Request::UseMemory { id, on } => {
                let id = RecordId(id);
                turns::apply(self, Op::UseMemory { id, on }).await?
            }
            Request::MemoryUses { id } => memory::uses(self, &id).await?,
            Request::Interrupt { turn, conversation } => {
                turns::interrupt(self, turn, conversation).await?
            }
            Request::Show {
                what,
                id,
                from,
                to,
                limit,
                text,
            } => {
                let asked = show::Asked {
                    id,
                    from,
                    to,
                    limit,
                    text,
                };
                Reply::Rows {
                    rows: show::rows(self, what, &asked).await?,
                }
            }
            Request::Search { text, limit } => self.search(&text, limit).await?,
            Request::Explain { conversation, text } => self.explain(&conversation, &text).await?,
            Request::EstimateRoutes {
                messages,
                said_tokens,
            } => Reply::Estimated {
                estimate: estimate::of_routes(self, messages, said_tokens),
            },
            Request::EstimateComparison { name } => Reply::Estimated {
                estimate: estimate::of_comparison(self, &name).await?,
            },
            Request::EstimateVectors { connection } => Reply::Estimated {
                estimate: estimate::of_vectors(self, connection).await?,
            },
            Request::RouteByModel { text, history } => {
                models::route(&self.engine, &text, history).await?
            }
            Request::RenameConversation { id, title } => {
                let id = ConversationId(id);
                self.store
                    .rename_conversation(&id, title.trim())
                    .await
                    .map_err(store_fault)?;
                Reply::Ok {}
            }
            Request::DeleteConversation { id } => {
                self.store
                    .delete_conversation(&ConversationId(id))
                    .await
                    .map_err(store_fault)?;
                Reply::Ok {}
            }
            Request::Import { paths } => data::import(self, &paths, out).await?,
            Request::Export { dir } => data::export(self, &dir).await?,
            Request::Erase {} => data::erase(self).await?,
            Request::Tools {} => Reply::Tools {
                tools: self.tools(),
            },
            Request::ConfigList {} => config::show(self, None)?,
            Request::ConfigGet { key } => config::show(self, Some(&key))?,
            Request::ConfigSet { key, value } => config::set(self, &key, value.as_deref()).await?,
            Request::Doctor {} => doctor::check(self).await,
            Request::RunDue {} => due::once(self).await,
            Request::Status {} => due::status(self).await?,
            Request::Scoreboard {} => self.run_scoreboard().await?,
            Request::Timings {} => Reply::Timings {
                stages: adjutant_observe::live()
                    .read()
                    .iter()
                    .map(scoreboard::stage)
                    .collect(),
            },
            Request::Models {} => models::show(&self.models).await,
            Request::FindModels {} => models::find(&self.models).await,
            Request::ListModels { connection, key } => {
                models::list(&self.models, connection, key).await?
            }
            Request::ConnectModel { connection, key } => {
                models::connect(&self.models, connection, key).await?
            }
            Request::ModelFiles {} => models::files(self),
            Request::OfferModelFile { what, sha256 } => {
                models::offered(self, &what, sha256.as_deref()).await?
            }
            Request::FetchModelFile {
                what,
                sha256,
                agreed,
            } => models::fetch(self, &what, sha256.as_deref(), &agreed, out).await?,
            Request::StopModelFile {} => models::stop(self),
            Request::DisconnectModel { name } => models::disconnect(&self.models, &name).await?,
            Request::PreferModel { name } => models::prefer(&self.models, &name).await?,
            Request::Comparisons {} => models::comparisons(&self.store).await?,
            Request::TestModel { name, tier } => {
                let test = models::test(&self.models, &name, tier.as_deref());
                self.while_wanted(out, test).await?
            }
            Request::LoadSample {} => data::load_sample(self).await?,
        };
        out.reply(reply).await;
        Ok(())
    }

    /// Work that may take minutes and ends with whoever wanted it, and with the profile.
    async fn while_wanted(
        &self,
        out: &Sink,
        work: impl Future<Output = Result<Reply, Fault>>,
    ) -> Result<Reply, Fault> {
        tokio::select! {
            done = work => done,
            () = self.stop.cancelled() => Err(stopped()),
            () = out.closed() => Err(stopped()),
        }
    }

    async fn search(&self, text: &str, limit: usize) -> Result<Reply, Fault> {
        let hits = self
            .store
            .search(text, &[], limit.min(HITS_MAX))
            .await
            .map_err(store_fault)?;
        let hits = hits
            .into_iter()
            .map(|hit| adjutant_api::reply::Hit {
                topic: topic_word(Topic::Records(hit.kind)).into(),
                id: hit.id.0,
                title: hit.title,
                snippet: hit.snippet,
            })
            .collect();
        Ok(Reply::Hits { hits })
    }

    async fn run_scoreboard(&self) -> Result<Reply, Fault> {
        let Ok(_alone) = self.scoring.try_lock() else {
            return Err(Fault {
                code: "busy".into(),
                message: "The scoreboard is being run already.".into(),
                hint: "Wait for its result.".into(),
            });
        };
        let scoreboard = scoreboard::run().await?;
        Ok(Reply::Scoreboard { scoreboard })
    }

    async fn explain(&self, conversation: &str, text: &str) -> Result<Reply, Fault> {
        let (route, reading) = self
            .engine
            .explain(&ConversationId(conversation.to_owned()), text)
            .await
            .map_err(|fault| user_fault(&fault))?;
        let estimate = estimate::of_message(self, conversation, text).await?;
        Ok(Reply::Explained {
            reading: adjutant_api::reply::Explained {
                estimate,
                ..convert::turns::explained(text, &route, &reading)
            },
        })
    }

    fn tools(&self) -> Vec<ToolView> {
        self.engine
            .toolbox()
            .specs()
            .iter()
            .map(|spec| ToolView {
                name: spec.name.clone(),
                description: spec.description.clone(),
                schema: (*spec.schema).clone(),
                risk: spec.risk.as_str().into(),
            })
            .collect()
    }

    /// Now, in the person's zone.
    #[must_use]
    pub fn now(&self) -> Zoned {
        self.clock.now()
    }

    /// The person's zone.
    #[must_use]
    pub fn zone(&self) -> TimeZone {
        self.clock.now().time_zone().clone()
    }

    /// Settings as they are now.
    #[must_use]
    pub fn settings(&self) -> adjutant_settings::All {
        self.layers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .all()
    }

    /// The door through which approvals of this process's own front end come.
    #[must_use]
    pub fn door(&self) -> Channel {
        self.options.door.unwrap_or(Channel::CommandLine)
    }

    /// Whether nothing can be changed: the profile lies on a medium that is only readable.
    #[must_use]
    pub fn read_only(&self) -> bool {
        self.options.read_only
    }

    /// The engine, for front ends in this process that follow conversations.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What concerns the profile as a whole: topics whose rows changed, progress, reminders.
    #[must_use]
    pub fn changes(&self) -> Changes {
        Changes {
            rows: self.store.subscribe(),
            told: self.wide.follow(),
        }
    }

    /// Ends everything: turns store how they ended, storage is closed.
    pub async fn close(&self) {
        self.stop.cancel();
        self.engine.close().await;
        self.models.settled().await;
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn tell_engine_of_changes(&self) {
        let (engine, mut changes, stop) = (
            self.engine.clone(),
            self.store.subscribe(),
            self.stop.clone(),
        );
        self.tasks.spawn(async move {
            loop {
                let kinds: Vec<Kind> = tokio::select! {
                    () = stop.cancelled() => return,
                    changed = changes.recv() => match changed {
                        Ok(topics) => topics
                            .into_iter()
                            .filter_map(|topic| if let Topic::Records(kind) = topic { Some(kind) } else { None })
                            .collect(),
                        Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => Kind::ALL.to_vec(),
                        Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                    },
                };
                if !kinds.is_empty() {
                    engine.records_changed(&kinds);
                }
            }
        });
    }
}

/// What concerns the profile as a whole, as it happens.
pub struct Changes {
    rows: tokio::sync::broadcast::Receiver<std::collections::BTreeSet<Topic>>,
    told: tokio::sync::broadcast::Receiver<EventBody>,
}

impl Changes {
    /// The next event a window gets. `None` when the store is closed.
    pub async fn next(&mut self) -> Option<EventBody> {
        use tokio::sync::broadcast::error::RecvError;
        loop {
            tokio::select! {
                rows = self.rows.recv() => return match rows {
                    Ok(topics) => Some(EventBody::Changed {
                        kinds: topics
                            .into_iter()
                            .map(|topic| topic_word(topic).to_owned())
                            .collect(),
                    }),
                    // Too many changes at once: everything is read anew.
                    Err(RecvError::Lagged(_)) => Some(everything_changed()),
                    Err(RecvError::Closed) => None,
                },
                told = self.told.recv() => match told {
                    Ok(body) => return Some(body),
                    Err(RecvError::Lagged(missed)) => tracing::debug!(missed, "a follower of the profile is slow"),
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }
}

/// The event for a reader that may have missed some: everything is to be read anew.
#[must_use]
pub fn everything_changed() -> EventBody {
    EventBody::Changed {
        kinds: ALL_TOPICS.map(str::to_owned).to_vec(),
    }
}

const ALL_TOPICS: [&str; 13] = [
    "tasks",
    "events",
    "notes",
    "contacts",
    "mail",
    "outbox",
    "memories",
    "conversations",
    "approvals",
    "activity",
    "settings",
    "egress",
    "usage",
];

/// The name of a topic in requests and `changed` events.
fn topic_word(topic: Topic) -> &'static str {
    match topic {
        Topic::Records(Kind::Task) => "tasks",
        Topic::Records(Kind::Event) => "events",
        Topic::Records(Kind::Note) => "notes",
        Topic::Records(Kind::Contact) => "contacts",
        Topic::Records(Kind::Mail) => "mail",
        Topic::Records(Kind::Outbox) => "outbox",
        Topic::Records(Kind::Memory) => "memories",
        Topic::Conversations => "conversations",
        Topic::Actions => "approvals",
        Topic::Effects => "activity",
        Topic::Settings => "settings",
        Topic::Egress => "egress",
        Topic::Calls => "usage",
    }
}

/// A storage fault for people.
fn store_fault(fault: StoreFault) -> Fault {
    Fault::from(UserFault::from(&fault))
}

/// An engine fault for people.
fn user_fault(fault: &UserFault) -> Fault {
    Fault::from(fault)
}

/// Nobody waits for it any more.
fn stopped() -> Fault {
    Fault {
        code: "stopped".into(),
        message: "It was stopped.".into(),
        hint: "Begin it again where it is still wanted.".into(),
    }
}
