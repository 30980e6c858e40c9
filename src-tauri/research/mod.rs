//! Runs research in the app: drives the machine of `adjutant-research` as a job. The store records every step with its
//! credits before the step begins, and stores its result and the brain document in one transaction, so that a run that
//! was killed continues without asking anything twice.

mod compare;
mod document;
mod drive;
mod events;
mod export;
mod history;
mod intake;
mod steps;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use adjutant_api::EventBody;
use adjutant_api::research::ResearchState as WireState;
use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::{RunId, render};
use adjutant_domain::job::{Ended, Job, retry_at};
use adjutant_domain::ports::Clock;
use adjutant_domain::ports::web::Lookup;
use adjutant_engine::{Engine, Reporter, Worker};
use adjutant_research::{Limits, Prices};
use adjutant_settings::Research as Settings;
use adjutant_store::{ResearchRun, ResearchState, Store};
use adjutant_tools::research::{ResearchBrief, Sources};
use futures::future::BoxFuture;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

pub(crate) use compare::compared;
pub(crate) use export::exported;
pub(crate) use history::lines;
pub(crate) use intake::read as read_intake;
pub(crate) use view::{Credit, asking, row, state, view};

pub(crate) use adjutant_research::stands;

/// Maximum steps in progress at once, over all runs: twenty researchers take turns, and conversations keep their
/// threads.
const STEPS_AT_ONCE_MAX: usize = 6;
/// Maximum machines that compute at once: reading pages is CPU-bound.
const THINKING_AT_ONCE_MAX: usize = 1;
/// States in which a job may work on a run.
const WORKABLE: &[ResearchState] = &[
    ResearchState::Waiting,
    ResearchState::Running,
    ResearchState::Paused,
];

/// Ports, services and settings that research works with.
pub(crate) struct ResearchDeps {
    pub(crate) store: Arc<Store>,
    pub(crate) engine: Engine,
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: Settings,
    /// Sends an event to every front end that follows the profile.
    pub(crate) tell: Arc<dyn Fn(EventBody) + Send + Sync>,
    pub(crate) stop: CancellationToken,
}

/// The research of a profile. Clones share one state.
#[derive(Clone)]
pub(crate) struct Research(Arc<Inner>);

struct Inner {
    deps: ResearchDeps,
    settings: RwLock<Settings>,
    /// Runs that this process is working on, each with the channel for requests of the person.
    at_work: Mutex<BTreeMap<RunId, mpsc::Sender<Control>>>,
    steps: Arc<Semaphore>,
    thinking: Arc<Semaphore>,
}

/// A request of the person to a run that is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    /// Write the report now, from what the run has found so far.
    WriteNow,
}

/// How work on a run ended.
#[derive(Clone, Debug, PartialEq)]
enum Driven {
    /// The run has its report.
    Done,
    /// Nothing can be reached; the job tries again later.
    Waits(String),
    /// The person has to do something first.
    Paused(String),
    /// Adjutant is being closed.
    Closed,
}

impl Research {
    pub(crate) fn new(deps: ResearchDeps) -> Self {
        let settings = RwLock::new(deps.settings);
        Self(Arc::new(Inner {
            deps,
            settings,
            at_work: Mutex::default(),
            steps: Arc::new(Semaphore::new(STEPS_AT_ONCE_MAX)),
            thinking: Arc::new(Semaphore::new(THINKING_AT_ONCE_MAX)),
        }))
    }

    /// Replaces the settings. Runs that begin from now on use them; the daily credit limit changes at once.
    pub(crate) fn set_settings(&self, settings: Settings) {
        *self
            .0
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner) = settings;
    }

    fn settings(&self) -> Settings {
        *self
            .0
            .settings
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the limits of a run that begins now, with `day_left` credits left for the day.
    pub(crate) fn limits(&self, day_left: u32) -> Limits {
        let settings = self.settings();
        Limits {
            rounds: settings.rounds,
            running_ms: u64::from(settings.minutes) * 60_000,
            credits: settings.credits,
            day_credits: day_left,
            prices: Prices::default(),
            ..Limits::default()
        }
    }

    fn at_work(&self) -> MutexGuard<'_, BTreeMap<RunId, mpsc::Sender<Control>>> {
        self.0
            .at_work
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks a run that is being worked on to write its report; returns `false` if this process is not working on it.
    pub(crate) async fn write_now(&self, id: &RunId) -> bool {
        let sender = self.at_work().get(id).cloned();
        match sender {
            Some(sender) => sender.send(Control::WriteNow).await.is_ok(),
            None => false,
        }
    }

    /// Returns whether this process is working on a run.
    pub(crate) fn is_at_work(&self, id: &RunId) -> bool {
        self.at_work().contains_key(id)
    }

    /// Returns the sources in which a brief is researched.
    ///
    /// # Errors
    ///
    /// Returns the fault of the lookup if the brief asks for the web and no search engine can be used.
    pub(crate) fn sources(&self, brief: &ResearchBrief) -> Result<Sources, UserFault> {
        let outside = self.0.deps.lookup.outside();
        match (brief.sources, outside) {
            (None, Ok(_)) => Ok(Sources::Web),
            (None, Err(_)) => Ok(Sources::Own),
            (Some(Sources::Own), _) => Ok(Sources::Own),
            (Some(wanted), Ok(_)) => Ok(wanted),
            (Some(_), Err(fault)) => Err(UserFault::from(&fault)),
        }
    }

    /// Returns the run a job continues with: its latest one, or a new one if a repeated research is due again. Returns
    /// `None` if the job has no run.
    async fn current(&self, job: &Job) -> Result<Option<ResearchRun>, StoreFault> {
        let store = &self.0.deps.store;
        let runs = store.research_runs(Some(job.id.clone()), Some(1)).await?;
        let Some(latest) = runs.into_iter().next() else {
            return Ok(None);
        };
        if latest.state != ResearchState::Done || job.schedule.is_none() || job.due <= latest.begun
        {
            return Ok(Some(latest));
        }
        // The id is derived from the due time, so that a round that begins again after a kill is the same run.
        let round = format!("{}:{}", job.id, job.due.as_microsecond());
        let digest = sha256(round.as_bytes()).0;
        let bits = u64::from_str_radix(&digest[..15], 16).unwrap_or_default();
        let next = ResearchRun {
            id: RunId(render(RunId::PREFIX, bits)),
            job: Some(job.id.clone()),
            previous: Some(latest.id),
            brief: latest.brief,
            state: ResearchState::Waiting,
            why: None,
            begun: job.due,
            updated: job.due,
            ended: None,
            version: 0,
            summary: None,
        };
        store.put_research(next.clone(), None).await?;
        Ok(Some(next))
    }

    /// Works on the run of a job until it has its report, has to wait, or is stopped.
    pub(crate) async fn work(self, job: Job, reporter: Reporter) -> Ended {
        let run = match self.current(&job).await {
            Ok(Some(run)) => run,
            Ok(None) => return paused("This research no longer exists."),
            Err(fault) => return self.again(&job, &fault),
        };
        match run.state {
            ResearchState::Done => return Ended::Done,
            ResearchState::Stopped | ResearchState::Asking | ResearchState::Failed => {
                return paused("It was stopped. Resume it to continue.");
            }
            _ => {}
        }
        let id = run.id.clone();
        let entered = match self.enter(&run).await {
            Ok(entered) => entered,
            Err(fault) => return self.again(&job, &fault),
        };
        let driven = drive::drive(&self, &run, &reporter, entered.control()).await;
        match driven {
            Ok(Driven::Done) => {
                self.move_to(&id, ResearchState::Done, None).await;
                Ended::Done
            }
            Ok(Driven::Waits(why)) => {
                self.move_to(&id, ResearchState::Waiting, Some(why.clone()))
                    .await;
                let at = retry_at(job.attempts, self.0.deps.clock.now().timestamp());
                Ended::Again { at, why }
            }
            Ok(Driven::Paused(why)) => {
                self.move_to(&id, ResearchState::Paused, Some(why.clone()))
                    .await;
                Ended::Paused { why }
            }
            Ok(Driven::Closed) => {
                let why = "Adjutant was closed. It continues by itself.".to_owned();
                self.move_to(&id, ResearchState::Waiting, Some(why.clone()))
                    .await;
                let at = self.0.deps.clock.now().timestamp();
                Ended::Again { at, why }
            }
            Err(fault) => {
                let why = UserFault::from(&fault).what;
                self.move_to(&id, ResearchState::Waiting, Some(why)).await;
                self.again(&job, &fault)
            }
        }
    }

    fn again(&self, job: &Job, fault: &StoreFault) -> Ended {
        Ended::Again {
            at: retry_at(job.attempts, self.0.deps.clock.now().timestamp()),
            why: UserFault::from(fault).what,
        }
    }

    /// Marks a run as being worked on in this process until the returned value is dropped.
    async fn enter(&self, run: &ResearchRun) -> Result<Entered, StoreFault> {
        let now = self.0.deps.clock.now().timestamp();
        let running = ResearchState::Running;
        let store = &self.0.deps.store;
        store
            .move_research(&run.id, WORKABLE, running, None, now)
            .await?;
        let (sender, control) = mpsc::channel(4);
        self.at_work().insert(run.id.clone(), sender);
        self.tell_state(&run.id, running, None);
        Ok(Entered {
            research: self.clone(),
            id: run.id.clone(),
            control: tokio::sync::Mutex::new(control),
        })
    }

    /// Moves a run that was being worked on to a new state; a run that the person stopped in the meantime stays
    /// stopped.
    async fn move_to(&self, id: &RunId, to: ResearchState, why: Option<String>) {
        let now = self.0.deps.clock.now().timestamp();
        let store = &self.0.deps.store;
        let moved = store
            .move_research(id, WORKABLE, to, why.clone(), now)
            .await;
        match moved {
            Ok(_) => self.tell_state(id, to, why),
            Err(fault) => tracing::info!(%fault, %id, "the state of research could not be changed"),
        }
    }

    pub(crate) fn tell_state(&self, id: &RunId, state: ResearchState, why: Option<String>) {
        (self.0.deps.tell)(EventBody::ResearchState {
            id: id.0.clone(),
            state: view::state(state),
            why,
        });
    }
}

fn paused(why: &str) -> Ended {
    let why = why.to_owned();
    Ended::Paused { why }
}

/// Returns whether a run does nothing more on its own.
pub(crate) fn is_over(state: WireState) -> bool {
    matches!(
        state,
        WireState::Done | WireState::Stopped | WireState::Paused | WireState::Failed
    )
}

/// Marks a run as being worked on in this process; dropping it removes the mark.
struct Entered {
    research: Research,
    id: RunId,
    control: tokio::sync::Mutex<mpsc::Receiver<Control>>,
}

impl Entered {
    fn control(&self) -> &tokio::sync::Mutex<mpsc::Receiver<Control>> {
        &self.control
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.research.at_work().remove(&self.id);
    }
}

impl Worker for Research {
    fn work(&self, job: Job, reporter: Reporter) -> BoxFuture<'static, Ended> {
        Box::pin(self.clone().work(job, reporter))
    }
}
