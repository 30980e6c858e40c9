//! The cost accounts shared by all governors: limits, ledger, and entries still to be written.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::TurnId;
use adjutant_domain::model::tokens;
use adjutant_domain::model::{
    CallState, Ledger, ModelEvent, ModelFault, ModelProfile, ModelRequest, Purpose, Reservation,
    SpendLimits, Spent, Usage,
};
use adjutant_domain::ports::Clock;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};
use tokio_util::task::TaskTracker;

use super::worst;
use crate::ticks::Ticks;

/// How long a call that cannot have cost anything waits before its end is written. The turn stores its own end first,
/// and nobody has to wait for both.
const FREE_RESTS: Duration = if cfg!(test) {
    // Long enough that a test which forgets to close the accounts notices.
    Duration::from_secs(3_600)
} else {
    Duration::from_millis(50)
};
/// Number of turns whose sums are kept in memory: more than run at a time.
const TURNS_COUNTED: usize = 64;

/// The cost accounts of a profile.
pub struct CostLedger {
    ledger: Arc<dyn Ledger>,
    clock: Arc<dyn Clock>,
    ticks: Arc<dyn Ticks>,
    limits: RwLock<SpendLimits>,
    /// What the latest turns have used, newest last.
    turns: Mutex<VecDeque<(TurnId, Usage)>>,
    /// Entries being written. They are completed even if nobody waits for the call any more.
    writing: TaskTracker,
    /// Signals that delayed entries must be written at once.
    hurry: Arc<Notify>,
}

impl CostLedger {
    /// Creates accounts in `ledger`. `clock` provides the person's day, `ticks` measures how long a call takes.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn Ledger>,
        clock: Arc<dyn Clock>,
        ticks: Arc<dyn Ticks>,
        limits: SpendLimits,
    ) -> Arc<Self> {
        Arc::new(Self {
            ledger,
            clock,
            ticks,
            limits: RwLock::new(limits),
            turns: Mutex::default(),
            writing: TaskTracker::new(),
            hurry: Arc::default(),
        })
    }

    /// Sets other limits, which apply from the next call on.
    pub fn set_limits(&self, limits: SpendLimits) {
        *self.limits.write().unwrap_or_else(PoisonError::into_inner) = limits;
    }

    /// Returns the current limits.
    #[must_use]
    pub fn limits(&self) -> SpendLimits {
        *self.limits.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives up calls of a process that ended midway; their worst case stays spent. Called once at startup, before
    /// the first call. Returns how many there were.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn recover(&self) -> Result<usize, StoreFault> {
        let before = self.clock.now().timestamp();
        self.ledger.settle_lost(before).await
    }

    /// Waits until everything so far is written: before the process ends, and before the accounts are shown.
    pub async fn settled(&self) {
        // The tracker stays closed: later entries can be written anyway, and reopening it would make another waiter
        // wait forever.
        self.writing.close();
        self.hurry.notify_waiters();
        self.writing.wait().await;
    }

    /// Returns what a turn has used, or `None` if it has asked nothing or was too long ago.
    #[must_use]
    pub fn used_by(&self, turn: &TurnId) -> Option<Usage> {
        let turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let found = turns.iter().find(|(of, _)| of == turn);
        found.map(|(_, usage)| *usage)
    }

    fn count(&self, turn: &TurnId, usage: Usage) {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sum)) = turns.iter_mut().find(|(of, _)| of == turn) {
            return sum.add(usage);
        }
        turns.push_back((turn.clone(), usage));
        if turns.len() > TURNS_COUNTED {
            turns.pop_front();
        }
    }

    /// Returns the current time in the person's zone.
    pub(super) fn now(&self) -> jiff::Zoned {
        self.clock.now()
    }

    /// Reserves the worst-case cost of a call.
    pub(super) async fn reserve(
        self: &Arc<Self>,
        profile: ModelProfile,
        request: &ModelRequest,
    ) -> Result<Booking, ModelFault> {
        let wanted = Reservation {
            at: self.clock.now(),
            turn: request.turn.clone(),
            stage: request.stage,
            tier: request.tier,
            purpose: request.purpose,
            model: profile.id.clone(),
            prompt: request.system.revision.clone(),
            input_chars: worst::chars(request),
            worst_micros: worst::worst_case_micros(&profile, request),
        };
        let likely = Likely {
            input: tokens::estimate_request(request),
            output_max: u64::from(request.max_output_tokens),
        };
        self.book(wanted, profile, likely).await
    }

    /// Writes a reservation. This continues if the caller stops waiting; the task then drops the booking, which
    /// settles it.
    pub(super) async fn book(
        self: &Arc<Self>,
        wanted: Reservation,
        profile: ModelProfile,
        likely: Likely,
    ) -> Result<Booking, ModelFault> {
        let runtime = Handle::try_current().map_err(|error| ModelFault::Internal {
            why: format!("a model was asked outside the runtime ({error})"),
        })?;
        let (tell, told) = oneshot::channel();
        // Background calls do not count towards the turn's usage.
        let waits = wanted.purpose == Purpose::Foreground;
        let turn = wanted.turn.clone().filter(|_| waits);
        let is_free = wanted.worst_micros == 0;
        let costs = Arc::clone(self);
        let handle = runtime.clone();
        let limits = self.limits();
        self.writing.spawn_on(
            async move {
                let reserved = costs.ledger.reserve(wanted, limits).await;
                let answer = match reserved {
                    Ok(Ok(id)) => {
                        let started = costs.ticks.elapsed();
                        Ok(Booking {
                            costs,
                            runtime: handle,
                            id,
                            turn,
                            profile,
                            likely,
                            output_bytes: 0,
                            started,
                            last: started,
                            silent: Duration::ZERO,
                            first: None,
                            is_free,
                            begun: false,
                            open: true,
                        })
                    }
                    Ok(Err(over)) => Err(ModelFault::OverLimit(over)),
                    Err(fault) => {
                        let shown = UserFault::from(&fault);
                        Err(ModelFault::Internal {
                            why: format!(
                                "the call could not be recorded, so it was not made. {shown}"
                            ),
                        })
                    }
                };
                // If nobody listens, the booking is dropped here.
                drop(tell.send(answer));
            },
            &runtime,
        );
        told.await.unwrap_or_else(|_| {
            Err(ModelFault::Internal {
                why: "the cost ledger is closed".into(),
            })
        })
    }
}

/// Estimates of a call's tokens before it is made.
#[derive(Clone, Copy)]
pub(super) struct Likely {
    /// Most likely number of tokens of the request.
    pub(super) input: u64,
    /// Highest number of tokens of the reply.
    pub(super) output_max: u64,
}

/// A longer pause may have been spent on hidden reasoning that is billed. Before a first token, and between two,
/// pauses are usually shorter.
const PAUSE: Duration = Duration::from_secs(1);
/// Highest number of tokens a model generates per second of hidden reasoning. Models that reason for long generate 50
/// to 250.
const HIDDEN_TOKENS_A_SECOND: u128 = 300;

/// A call whose cost is accounted for. If it is dropped before the call ended, it is settled as cancelled.
pub(super) struct Booking {
    costs: Arc<CostLedger>,
    runtime: Handle,
    id: i64,
    turn: Option<TurnId>,
    profile: ModelProfile,
    likely: Likely,
    output_bytes: u64,
    started: Duration,
    first: Option<Duration>,
    /// When the last piece arrived.
    last: Duration,
    /// Time without a piece in which the provider may have been at work.
    silent: Duration,
    /// Whether even its worst case costs nothing, so that no limit depends on its end.
    is_free: bool,
    /// Whether the request has been sent.
    begun: bool,
    open: bool,
}

impl Booking {
    /// Records that the request is sent now.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// Follows the events of the call, settles it at its end, and fills in usage that the provider did not report.
    pub(super) fn see(
        &mut self,
        item: Result<ModelEvent, ModelFault>,
    ) -> Result<ModelEvent, ModelFault> {
        match item {
            Ok(ModelEvent::End { stop, usage }) => {
                let usage = self.complete(usage);
                self.settle(CallState::Done, usage, None);
                Ok(ModelEvent::End { stop, usage })
            }
            Ok(event) => {
                let bytes = match &event {
                    ModelEvent::Token { text } | ModelEvent::Thinking { text } => text.len(),
                    ModelEvent::ToolCall { name, args } => name.len() + args.to_string().len(),
                    ModelEvent::Answering { .. } | ModelEvent::End { .. } => 0,
                };
                if bytes > 0 {
                    self.output_bytes = self.output_bytes.saturating_add(bytes as u64);
                    let now = self.costs.ticks.elapsed();
                    self.silent = self.silent_until(now);
                    self.last = now;
                    self.first.get_or_insert(now);
                }
                Ok(event)
            }
            Err(fault) => {
                self.fail(&fault);
                Err(fault)
            }
        }
    }

    /// Settles a failed call. What arrived before is charged, and some faults occur after the provider has done its
    /// work.
    pub(super) fn fail(&mut self, fault: &ModelFault) {
        let usage = if self.output_bytes > 0 || is_billed(fault) {
            self.by_now()
        } else {
            Usage::default()
        };
        let state = match fault {
            // The call's turn in the queue came too late or not at all. Nobody waited for it any longer, and the
            // model did not fail.
            ModelFault::Occupied { .. } => CallState::Cancelled,
            _ => CallState::Failed,
        };
        self.settle(state, usage, Some(fault.to_string()));
    }

    /// Returns the usage of a call that ended well: as reported by the provider, otherwise computed from the tokens.
    pub(super) fn complete(&self, said: Usage) -> Usage {
        let mut usage = said;
        if usage.input == 0 && usage.output == 0 {
            usage = Usage {
                cost_micros: said.cost_micros,
                ..self.by_now()
            };
        } else if said.estimated {
            // The estimate covers only what was shown.
            usage.output = self.with_hidden(said.output);
            usage.cost_micros = 0;
        }
        if usage.cost_micros == 0 {
            usage.cost_micros = worst::price_micros(&self.profile, usage.input, usage.output);
        }
        usage.estimated |= !self.profile.price_known;
        usage
    }

    /// Estimates what has been used if the provider does not report it: what arrived, plus as much as can have been
    /// reasoned while nothing arrived. A reply stopped while it streams is thus settled at what was shown of it, and
    /// one that was silent for long at its worst case: limits hold in both cases.
    fn by_now(&self) -> Usage {
        let input = self.likely.input;
        let output = self.with_hidden(worst::likely(self.output_bytes));
        Usage {
            input,
            output,
            cost_micros: worst::price_micros(&self.profile, input, output),
            estimated: true,
        }
    }

    /// Returns the tokens that were shown plus those of possible hidden reasoning, which is not added if output is
    /// free.
    fn with_hidden(&self, shown: u64) -> u64 {
        if worst::price_micros(&self.profile, 0, MILLION) == 0 {
            return shown;
        }
        let silent = self.silent_until(self.costs.ticks.elapsed());
        let hidden = silent.as_millis() * HIDDEN_TOKENS_A_SECOND / 1_000;
        let hidden = u64::try_from(hidden).unwrap_or(u64::MAX);
        let most = self.likely.output_max.max(shown);
        shown.saturating_add(hidden).min(most)
    }

    fn silent_until(&self, now: Duration) -> Duration {
        let pause = now.saturating_sub(self.last);
        self.silent + pause.saturating_sub(PAUSE)
    }

    /// Settles the call in a task, so that the answer does not wait for the disk.
    pub(super) fn settle(&mut self, state: CallState, usage: Usage, fault: Option<String>) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        if let Some(turn) = &self.turn {
            self.costs.count(turn, usage);
        }
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let spent = Spent {
            state,
            usage,
            first_ms: self
                .first
                .map(|first| ms(first.saturating_sub(self.started))),
            ms: ms(self.costs.ticks.elapsed().saturating_sub(self.started)),
            fault,
        };
        let (costs, id) = (Arc::clone(&self.costs), self.id);
        // Register now: whoever closes the accounts signals only once and does not wait for the task to start.
        let rests = self.is_free.then(|| costs.hurry.clone().notified_owned());
        self.costs.writing.spawn_on(
            async move {
                if let Some(hurried) = rests {
                    let _ = tokio::time::timeout(FREE_RESTS, hurried).await;
                }
                if let Err(fault) = costs.ledger.settle(id, spent).await {
                    // Its worst case stays reserved and is given up at the next start.
                    tracing::warn!(id, %fault, "what a call cost could not be written down");
                }
            },
            &self.runtime,
        );
    }
}

impl Drop for Booking {
    fn drop(&mut self) {
        let usage = if self.begun {
            self.by_now()
        } else {
            Usage::default()
        };
        self.settle(CallState::Cancelled, usage, None);
    }
}

const MILLION: u64 = 1_000_000;

/// Whether a provider may bill a call that ended with this fault before any part of the reply arrived.
fn is_billed(fault: &ModelFault) -> bool {
    matches!(
        fault,
        ModelFault::Stalled { .. } | ModelFault::Cut { .. } | ModelFault::Unreadable { .. }
    )
}
