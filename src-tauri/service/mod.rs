//! Answers requests: the one set of operations behind the window, command line and socket, with one file per subject.

mod accounts;
mod broadcast;
#[cfg(test)]
mod by_hand_tests;
mod changes;
mod config;
mod conversations;
mod data;
mod doctor;
mod due;
mod estimate;
mod frame;
mod grants;
mod import;
mod invitation;
mod keyring_notes;
mod lists;
mod mail;
mod mail_page;
mod memory;
mod models;
mod outbox;
mod programs;
mod questions;
mod repeats;
mod requests;
mod research;
mod search;
mod servers;
mod show;
mod sources;
#[cfg(test)]
mod tests;
mod turns;
mod undo_availability;
mod upkeep;
mod usage;

use std::sync::{Arc, PoisonError, RwLock};

use adjutant_api::Fault;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::Channel;
use adjutant_domain::job::JobKind;
use adjutant_domain::ports::{Clock, Entropy};
use adjutant_engine::Engine;
use adjutant_settings::Layers;
use adjutant_store::Store;
use jiff::{Zoned, tz::TimeZone};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use changes::topic_word;
pub use changes::{Changes, everything_changed};
pub use due::DueNotice;
pub use frame::{FRAMES_WAITING_MAX, Frame, Frames, Sink};
pub(crate) use programs::NOT_ADMITTED;

use crate::accounts::{Accounts, Reader};
use crate::clock::SystemClock;
use crate::compose::{self, Composed};
use crate::credentials::CredentialStore;
use crate::models::{ModelDeps, Models};
use crate::network::Network;
use crate::profile::{Hold, Options, ProfileLocation};
use crate::research::{Research, ResearchDeps};
use crate::sentences::Sentences;
use crate::servers::Servers;
use crate::web::{DocumentReader, Sources};

/// An open profile and everything that works on it.
pub struct Service {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<Store>,
    layers: RwLock<Layers>,
    clock: Arc<dyn Clock>,
    system: SystemClock,
    entropy: Arc<dyn Entropy>,
    sentences: Arc<Sentences>,
    models: Models,
    network: Arc<Network>,
    accounts: Accounts,
    pub(crate) servers: Servers,
    research: Research,
    pub(crate) sources: Sources,
    place: ProfileLocation,
    options: Options,
    tasks: TaskTracker,
    stop: CancellationToken,
    broadcast: Arc<broadcast::Broadcast>,
    fetching: Arc<models::Fetching>,
    /// Counts erasures. Read-locked by what reads or fills the profile as a whole; write-locked while everything is
    /// erased.
    whole: tokio::sync::RwLock<u64>,
    credentials: Arc<CredentialStore>,
    /// Call counts of other programs. Locked while one makes a proposal.
    programs: tokio::sync::Mutex<programs::Rates>,
    program_token: programs::Token,
    /// Allows one run of the scoreboard at a time.
    scoring: tokio::sync::Mutex<()>,
    _hold: Option<Hold>,
}

impl Service {
    /// Opens a profile that this process holds: storage, recovery of what a killed process left, then the engine. A
    /// read-only profile has no holder, and nothing is recovered.
    ///
    /// # Errors
    /// Returns a fault with advice if storage cannot be opened.
    pub async fn open(
        place: &ProfileLocation,
        options: &Options,
        hold: Option<Hold>,
    ) -> Result<Self, Fault> {
        let composed = compose::compose(&place.dir(), options).await?;
        Self::open_with(place, options, hold, composed).await
    }

    /// Opens a profile from composed parts.
    async fn open_with(
        place: &ProfileLocation,
        options: &Options,
        hold: Option<Hold>,
        composed: Composed,
    ) -> Result<Self, Fault> {
        let Composed {
            engine,
            store,
            layers,
            clock,
            system,
            entropy,
            sentences,
            network,
            credentials,
            accounts,
            servers,
            sources,
        } = composed;
        let stop = CancellationToken::new();
        let models = Models::open(
            ModelDeps {
                store: store.clone(),
                credentials: credentials.clone(),
                network: network.clone(),
                engine: engine.clone(),
                clock: clock.clone(),
                folder: (!options.read_only).then(|| place.dir()),
                stop: stop.clone(),
            },
            layers.all(),
            &crate::environment::of_models(),
        )
        .await
        .map_err(store_fault)?;
        let broadcast = Arc::<broadcast::Broadcast>::default();
        let told = broadcast.clone();
        let research = Research::new(ResearchDeps {
            store: store.clone(),
            engine: engine.clone(),
            lookup: sources.web.clone(),
            clock: clock.clone(),
            settings: layers.all().research,
            tell: Arc::new(move |body| told.tell(body)),
            stop: stop.clone(),
        });
        let service = Self {
            engine,
            store,
            layers: RwLock::new(layers),
            clock,
            system,
            entropy,
            sentences,
            models,
            network,
            accounts,
            servers,
            research,
            sources,
            place: place.clone(),
            options: options.clone(),
            tasks: TaskTracker::new(),
            stop,
            broadcast,
            fetching: Arc::default(),
            whole: tokio::sync::RwLock::default(),
            credentials,
            programs: tokio::sync::Mutex::default(),
            program_token: tokio::sync::Mutex::default(),
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
        let fetcher = Arc::new(models::Fetcher::of(&service));
        service.engine.set_worker(JobKind::FetchModel, fetcher);
        let upkeep = Arc::new(upkeep::Upkeep::of(&service));
        for kind in [JobKind::Tidy, JobKind::Check] {
            service.engine.set_worker(kind, upkeep.clone());
        }
        let reader = Arc::new(Reader(service.accounts.clone()));
        service.engine.set_worker(JobKind::Sync, reader);
        let research = Arc::new(service.research.clone());
        service.engine.set_worker(JobKind::Research, research);
        let documents = DocumentReader {
            own: service.sources.own.clone(),
            clock: service.clock.clone(),
        };
        service
            .engine
            .set_worker(JobKind::Documents, Arc::new(documents));
        service.tell_engine_of_changes();
        if !options.read_only {
            let accounts = service.accounts.clone();
            service.tasks.spawn(async move { accounts.recover().await });
        }
        Ok(service)
    }

    /// Returns the current time in the person's zone.
    #[must_use]
    pub fn now(&self) -> Zoned {
        self.clock.now()
    }

    /// Returns the person's time zone.
    #[must_use]
    pub fn zone(&self) -> TimeZone {
        self.clock.now().time_zone().clone()
    }

    /// Returns the current settings.
    #[must_use]
    pub fn settings(&self) -> adjutant_settings::All {
        self.layers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .all()
    }

    /// Returns the channel through which this process's own front end gives approvals.
    #[must_use]
    pub fn door(&self) -> Channel {
        self.options.door.unwrap_or(Channel::CommandLine)
    }

    /// Tells whether nothing can be changed because the profile is on a read-only medium.
    #[must_use]
    pub fn read_only(&self) -> bool {
        self.options.read_only
    }

    /// Returns the engine, for front ends in this process that follow conversations.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Shuts everything down: turns store how they ended, and storage is closed.
    pub async fn close(&self) {
        self.stop.cancel();
        self.engine.close().await;
        self.accounts.disconnect();
        self.servers.close().await;
        self.models.settled().await;
        self.network.settled().await;
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Returns the fault for an unknown id.
pub(crate) fn missing(id: &str) -> Fault {
    Fault {
        code: "not_found".into(),
        message: format!("“{id}” was not found."),
        hint: "Check the list (`adjutant show` without an ID).".into(),
    }
}

/// Converts a storage fault for the person.
fn store_fault(fault: StoreFault) -> Fault {
    Fault::from(UserFault::from(&fault))
}

/// Converts an engine fault for the person.
fn user_fault(fault: &UserFault) -> Fault {
    Fault::from(fault)
}
