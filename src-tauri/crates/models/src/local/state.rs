//! The state that requests for one file share: its process, a load in progress, and the number of crashes. The
//! request being served has it to itself.

use std::sync::atomic::Ordering;
use std::time::Duration;

use adjutant_domain::model::ModelFault;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::SharedModel;
use super::process::{LOAD_WITHIN, Process, ProcessEnd, Unloaded, command};

/// Pause after the first crash; it doubles with every further one.
const REST_FIRST: Duration = Duration::from_secs(1);
/// Longest pause after a crash.
const REST_MAX: Duration = Duration::from_secs(60);
/// Pause after a load that never finished: everyone who asked meanwhile waited in vain.
const REST_HUNG: Duration = Duration::from_secs(10 * 60);
/// Time limit for ending an abandoned answer. The process checks after each part of a prompt, which takes a slow
/// computer some seconds.
const STOP_WITHIN: Duration = Duration::from_secs(60);
/// Shortest time it gets for that, counted from when its output is read.
const STOP_WITHIN_MIN: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct State {
    /// The process that has loaded the file, if any.
    process: Option<Process>,
    /// The load in progress, if any. It belongs to no request, so it continues if the request gives up. Ends with
    /// this state.
    loading: JoinSet<Loaded>,
    /// Number of crashes since the last complete answer.
    falls: u32,
    /// Time before which it is not started again, as measured by `ticks`.
    rests_until: Duration,
    /// Number of the last request.
    pub(super) last: u64,
    /// A request whose answer was abandoned, and when; the answer is discarded before the next request.
    left: Option<(u64, Duration)>,
}

/// Result of a load, and when it ended.
struct Loaded {
    at: Duration,
    process: Result<(Process, u32), Unloaded>,
}

impl State {
    /// Returns the process ready for a request: loaded, and done with every earlier one. Cancelling this changes
    /// nothing; the next caller waits for the same.
    pub(super) async fn ready(&mut self, shared: &SharedModel) -> Result<&mut Process, ModelFault> {
        if let Some(Ok(loaded)) = self.loading.try_join_next()
            && let Err(fault) = self.take(loaded, shared)
            // Try again if the load failed longer ago, while nobody waited.
            && self.rest(shared).is_some()
        {
            return Err(fault);
        }
        match self.process.as_mut().map(Process::ended) {
            None | Some(ProcessEnd::Not) => {}
            Some(ProcessEnd::Idle) => self.process = None,
            Some(ProcessEnd::Fell) => self.fell(shared.ticks.elapsed()),
        }
        if self.process.is_none() {
            self.load(shared).await?;
        }
        self.read_away(shared).await?;
        self.process.as_mut().ok_or_else(|| cut(shared))
    }

    /// Returns the process that was made ready, or `None` if it has crashed since.
    pub(super) fn process(&mut self) -> Option<&mut Process> {
        self.process.as_mut()
    }

    /// Records a complete answer, so that earlier crashes no longer count.
    pub(super) fn answered(&mut self) {
        self.falls = 0;
    }

    /// Ends a process that crashed or sent something unexpected, and starts its pause.
    pub(super) fn cut(&mut self, shared: &SharedModel) -> ModelFault {
        self.fell(shared.ticks.elapsed());
        cut(shared)
    }

    /// Abandons the answer to a request; `stop` is the line that tells the process.
    pub(super) fn leave(&mut self, id: u64, stop: &[u8], shared: &SharedModel) {
        let Some(process) = &mut self.process else {
            return;
        };
        process.send(stop);
        if process.send_now() {
            self.left = Some((id, shared.ticks.elapsed()));
        } else {
            self.process = None;
        }
    }

    /// Waits for the load in progress, or starts one.
    async fn load(&mut self, shared: &SharedModel) -> Result<(), ModelFault> {
        if self.loading.is_empty() {
            if let Some(rest) = self.rest(shared) {
                let model = shared.id.clone();
                return Err(ModelFault::Resting { model, rest });
            }
            let mut command = command(&shared.program);
            command.arg(&shared.file);
            let ticks = shared.ticks.clone();
            self.loading.spawn(async move {
                let process = Process::load(command).await;
                let at = ticks.elapsed();
                Loaded { at, process }
            });
        }
        match self.loading.join_next().await {
            Some(Ok(loaded)) => self.take(loaded, shared),
            Some(Err(why)) => {
                self.fell(shared.ticks.elapsed());
                Err(broken(shared, format!("loading it broke off ({why})")))
            }
            None => Err(cut(shared)),
        }
    }

    /// Takes over the result of a load.
    fn take(&mut self, loaded: Loaded, shared: &SharedModel) -> Result<(), ModelFault> {
        match loaded.process {
            Ok((process, window)) => {
                shared.window.store(window, Ordering::Relaxed);
                self.process = Some(process);
                self.left = None;
                Ok(())
            }
            Err(Unloaded::NotStarted(why)) => Err(ModelFault::Unreachable {
                model: shared.id.clone(),
                why,
            }),
            // Neither the file nor the free memory improves at once, so this pauses too.
            Err(Unloaded::Failed(why)) => {
                self.fell(loaded.at);
                Err(broken(shared, why))
            }
            Err(Unloaded::Senseless) => {
                self.fell(loaded.at);
                Err(cut(shared))
            }
            Err(Unloaded::Hung) => {
                self.rests_until = loaded.at + REST_HUNG;
                let why = format!("it was not loaded within {} s", LOAD_WITHIN.as_secs());
                Err(broken(shared, why))
            }
        }
    }

    /// Discards the rest of an abandoned answer.
    async fn read_away(&mut self, shared: &SharedModel) -> Result<(), ModelFault> {
        let (Some(process), Some((id, since))) = (&mut self.process, self.left) else {
            return Ok(());
        };
        let gone = shared.ticks.elapsed().saturating_sub(since);
        let waited = STOP_WITHIN.saturating_sub(gone).max(STOP_WITHIN_MIN);
        match timeout(waited, process.read_away(id)).await {
            Ok(true) => {
                self.left = None;
                Ok(())
            }
            Ok(false) => Err(self.cut(shared)),
            Err(_) => {
                self.fell(shared.ticks.elapsed());
                let model = shared.id.clone();
                Err(ModelFault::Stalled { model, waited })
            }
        }
    }

    fn fell(&mut self, at: Duration) {
        self.process = None;
        self.left = None;
        let rest = REST_FIRST
            .saturating_mul(1 << self.falls.min(16))
            .min(REST_MAX);
        self.falls = self.falls.saturating_add(1);
        self.rests_until = at + rest;
    }

    /// Returns how long no process may be started, or `None` if one may be.
    fn rest(&self, shared: &SharedModel) -> Option<Duration> {
        self.rests_until
            .checked_sub(shared.ticks.elapsed())
            .filter(|rest| !rest.is_zero())
    }
}

fn cut(shared: &SharedModel) -> ModelFault {
    ModelFault::Cut {
        model: shared.id.clone(),
    }
}

fn broken(shared: &SharedModel, why: String) -> ModelFault {
    ModelFault::Broken {
        model: shared.id.clone(),
        why,
    }
}
