//! The accounts that all governors share: limits, ledger, and what is still to be written down.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::model::tokens;
use adjutant_domain::model::{
    CallState, Ledger, ModelEvent, ModelFault, ModelProfile, ModelRequest, Reservation,
    SpendLimits, Spent, Usage,
};
use adjutant_domain::ports::Clock;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;

use super::worst;
use crate::tiers::Ticks;

/// The accounts of a profile.
pub struct Books {
    ledger: Arc<dyn Ledger>,
    clock: Arc<dyn Clock>,
    ticks: Arc<dyn Ticks>,
    limits: RwLock<SpendLimits>,
    /// What is being written down. It is finished even when nobody waits for the call any more.
    writing: TaskTracker,
}

impl Books {
    /// Accounts in `ledger`. `clock` tells the person's day, `ticks` how long a call took.
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
            writing: TaskTracker::new(),
        })
    }

    /// Other limits, from the next call on.
    pub fn set_limits(&self, limits: SpendLimits) {
        *self.limits.write().unwrap_or_else(PoisonError::into_inner) = limits;
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> SpendLimits {
        *self.limits.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives up the calls of a process that ended in the middle; their worst case stays spent. Once at the start, before
    /// the first call. Says how many there were.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn recover(&self) -> Result<usize, StoreFault> {
        let before = self.clock.now().timestamp();
        self.ledger.settle_lost(before).await
    }

    /// Waits until everything so far is written down: before the end of the process, and before the accounts are shown.
    pub async fn settled(&self) {
        self.writing.close();
        self.writing.wait().await;
        self.writing.reopen();
    }

    /// Now, in the person's zone.
    pub(super) fn now(&self) -> jiff::Zoned {
        self.clock.now()
    }

    /// Reserves the worst case of a call.
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
        let input = tokens::estimate_request(request);
        self.book(wanted, profile, input).await
    }

    /// Writes a reservation down. It goes on when whoever wanted it stops waiting; the booking is then dropped, and so
    /// settled, by the task.
    pub(super) async fn book(
        self: &Arc<Self>,
        wanted: Reservation,
        profile: ModelProfile,
        input: u64,
    ) -> Result<Booking, ModelFault> {
        let runtime = Handle::try_current().map_err(|error| ModelFault::Internal {
            why: format!("a model was asked outside the runtime ({error})"),
        })?;
        let (tell, told) = oneshot::channel();
        let books = Arc::clone(self);
        let handle = runtime.clone();
        let limits = self.limits();
        self.writing.spawn_on(
            async move {
                let reserved = books.ledger.reserve(wanted, limits).await;
                let answer = match reserved {
                    Ok(Ok(id)) => Ok(Booking {
                        started: books.ticks.elapsed(),
                        books,
                        runtime: handle,
                        id,
                        profile,
                        input,
                        output_bytes: 0,
                        first: None,
                        begun: false,
                        open: true,
                    }),
                    Ok(Err(over)) => Err(ModelFault::OverLimit(over)),
                    Err(fault) => {
                        let shown = UserFault::from(&fault);
                        Err(ModelFault::Internal {
                            why: format!(
                                "the call could not be written down, so it was not made. {shown}"
                            ),
                        })
                    }
                };
                // If nobody listens, the booking comes back and is dropped.
                drop(tell.send(answer));
            },
            &runtime,
        );
        told.await.unwrap_or_else(|_| {
            Err(ModelFault::Internal {
                why: "the accounts are closed".into(),
            })
        })
    }
}

/// A call that is paid for. When it is dropped before it ended, it is settled as cancelled.
pub(super) struct Booking {
    books: Arc<Books>,
    runtime: Handle,
    id: i64,
    profile: ModelProfile,
    /// Tokens the request most likely has.
    input: u64,
    output_bytes: u64,
    started: Duration,
    first: Option<Duration>,
    /// The request is on its way.
    begun: bool,
    open: bool,
}

impl Booking {
    /// The request goes out now.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// Follows the call, settles it at its end, and fills in what the provider did not say.
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
                    self.first.get_or_insert(self.books.ticks.elapsed());
                }
                Ok(event)
            }
            Err(fault) => {
                self.fail(&fault);
                Err(fault)
            }
        }
    }

    /// The call failed. What came by then was paid for, and some faults come after the provider has worked.
    pub(super) fn fail(&mut self, fault: &ModelFault) {
        let usage = if self.output_bytes > 0 || is_billed(fault) {
            self.by_now()
        } else {
            Usage::default()
        };
        self.settle(CallState::Failed, usage, Some(fault.to_string()));
    }

    /// The call ended well and cost what was said, or else what the tokens cost.
    pub(super) fn complete(&self, said: Usage) -> Usage {
        let mut usage = said;
        if usage.input == 0 && usage.output == 0 {
            usage = Usage {
                cost_micros: said.cost_micros,
                ..self.by_now()
            };
        }
        if usage.cost_micros == 0 {
            usage.cost_micros = worst::price_micros(&self.profile, usage.input, usage.output);
        }
        usage
    }

    /// What was used by now, as far as it can be known from outside.
    fn by_now(&self) -> Usage {
        let (input, output) = (self.input, worst::likely(self.output_bytes));
        Usage {
            input,
            output,
            cost_micros: worst::price_micros(&self.profile, input, output),
            estimated: true,
        }
    }

    /// Settles in a task: the answer does not wait for the disk.
    pub(super) fn settle(&mut self, state: CallState, usage: Usage, fault: Option<String>) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let spent = Spent {
            state,
            usage,
            first_ms: self
                .first
                .map(|first| ms(first.saturating_sub(self.started))),
            ms: ms(self.books.ticks.elapsed().saturating_sub(self.started)),
            fault,
        };
        let (books, id) = (Arc::clone(&self.books), self.id);
        self.books.writing.spawn_on(
            async move {
                if let Err(fault) = books.ledger.settle(id, spent).await {
                    // Its worst case stays reserved, and is given up at the next start.
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

/// Whether a provider may bill a call that ended like this before anything of the reply came.
fn is_billed(fault: &ModelFault) -> bool {
    matches!(
        fault,
        ModelFault::Stalled { .. } | ModelFault::Cut { .. } | ModelFault::Unreadable { .. }
    )
}
