//! Pauses a failing model for a while, so that nobody waits for it in vain and it can recover.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

use super::{CallResult, CircuitBreaker, Figures, Pass, Ticks};
use crate::whole::whole;

/// A model that is paused after too many failures. What is known about it is in its [`Gauge`], one per model: all
/// breakers with that gauge, in any tier, share it.
pub struct Breaker {
    inner: Arc<dyn ChatModel>,
    gauge: Gauge,
}

impl Breaker {
    /// Wraps `inner`.
    #[must_use]
    pub const fn new(inner: Arc<dyn ChatModel>, gauge: Gauge) -> Self {
        Self { inner, gauge }
    }
}

impl ChatModel for Breaker {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let (inner, gauge) = (Arc::clone(&self.inner), self.gauge.clone());
        // Ask only when the stream is first polled, so that one which is never polled does not block others.
        stream::once(async move {
            let model = inner.profile().id;
            match gauge.enter() {
                Err(rest) => stream::iter([Err(ModelFault::Resting { model, rest })]).boxed(),
                Ok(mut visit) => whole(model, inner.stream(request))
                    .inspect(move |item| visit.see(item))
                    .boxed(),
            }
        })
        .flatten()
        .boxed()
    }
}

/// The recent record of one model. Clones share it; it outlives the breakers that use it.
#[derive(Clone)]
pub struct Gauge {
    state: Arc<Mutex<CircuitBreaker>>,
    ticks: Arc<dyn Ticks>,
}

/// The result of a call in an earlier process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// How long ago the call ended.
    pub ago: Duration,
    /// How long the call took.
    pub took: Duration,
    /// Whether the call counts as a failure; otherwise it ended well.
    pub failed: bool,
}

impl Gauge {
    /// Creates a gauge without any record; `ticks` is its clock.
    #[must_use]
    pub fn new(figures: Figures, ticks: Arc<dyn Ticks>) -> Self {
        Self {
            state: Arc::new(Mutex::new(CircuitBreaker::new(figures))),
            ticks,
        }
    }

    /// Sets other figures, which apply from the next failure on.
    pub fn set_figures(&self, figures: Figures) {
        self.with(|rest, _| rest.set_figures(figures));
    }

    /// Forgets everything seen so far, so that calls pass.
    pub fn renew(&self) {
        self.with(|rest, _| rest.renew());
    }

    /// Takes over the calls of earlier processes, oldest first. Ignores calls from before the zero of the gauge's
    /// clock.
    pub fn remember(&self, earlier: impl IntoIterator<Item = Earlier>) {
        self.with(|rest, now| {
            for call in earlier {
                match now.checked_sub(call.ago) {
                    Some(at) if call.failed => rest.remember(at, call.took),
                    Some(at) => rest.remember_well(at),
                    None => {}
                }
            }
        });
    }

    fn enter(&self) -> Result<Visit, Duration> {
        let pass = self.with(|rest, now| rest.ask(now))?;
        Ok(Visit {
            gauge: self.clone(),
            pass: Some(pass),
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut CircuitBreaker, Duration) -> T) -> T {
        let now = self.ticks.elapsed();
        let mut rest = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut rest, now)
    }
}

/// One call. It gives its pass back, at the latest when it is dropped.
struct Visit {
    gauge: Gauge,
    pass: Option<Pass>,
}

impl Visit {
    fn see(&mut self, item: &Result<ModelEvent, ModelFault>) {
        match item {
            Ok(ModelEvent::End { .. }) => self.leave(CallResult::Well),
            Ok(_) => {}
            Err(fault) if fault.counts_against() => {
                let retry_after = match fault {
                    ModelFault::Busy { retry_after, .. } => *retry_after,
                    _ => None,
                };
                self.leave(CallResult::Badly { retry_after });
            }
            Err(_) => self.leave(CallResult::Neither),
        }
    }

    fn leave(&mut self, ended: CallResult) {
        if let Some(pass) = self.pass.take() {
            self.gauge.with(|rest, now| rest.end(pass, ended, now));
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.leave(CallResult::Neither);
    }
}
