//! Leaves a failing model alone for a while, so that nobody waits for it in vain and it can recover.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

use super::{CircuitBreaker, Ended, Figures, Pass, Ticks};
use crate::whole::whole;

/// A model that is left alone after too many failures. What it knows is in its [`Gauge`], of which there is one for each
/// model: whatever asks the model through a breaker with it, in any tier, learns from all the others.
pub struct Breaker {
    inner: Arc<dyn ChatModel>,
    gauge: Gauge,
}

impl Breaker {
    /// Watches over `inner`.
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
        // Asked when the stream is first polled: one that is never polled keeps nobody from trying.
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

/// How one model has fared lately. Clones are the same; it outlives the breakers that are made with it.
#[derive(Clone)]
pub struct Gauge {
    state: Arc<Mutex<CircuitBreaker>>,
    ticks: Arc<dyn Ticks>,
}

/// How a call of an earlier process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// How long ago it ended.
    pub ago: Duration,
    /// How long it took.
    pub took: Duration,
    /// It counts against the model; else it ended well.
    pub failed: bool,
}

impl Gauge {
    /// Nothing is known; `ticks` is the time.
    #[must_use]
    pub fn new(figures: Figures, ticks: Arc<dyn Ticks>) -> Self {
        Self {
            state: Arc::new(Mutex::new(CircuitBreaker::new(figures))),
            ticks,
        }
    }

    /// Other figures, from the next failure on.
    pub fn set_figures(&self, figures: Figures) {
        self.with(|rest, _| rest.set_figures(figures));
    }

    /// Nothing of what was seen so far counts any more: calls pass.
    pub fn renew(&self) {
        self.with(|rest, _| rest.renew());
    }

    /// Takes over what earlier processes saw, the oldest first. What was before the beginning of time is past.
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
            Ok(ModelEvent::End { .. }) => self.leave(Ended::Well),
            Ok(_) => {}
            Err(fault) if fault.counts_against() => {
                let retry_after = match fault {
                    ModelFault::Busy { retry_after, .. } => *retry_after,
                    _ => None,
                };
                self.leave(Ended::Badly { retry_after });
            }
            Err(_) => self.leave(Ended::Neither),
        }
    }

    fn leave(&mut self, ended: Ended) {
        if let Some(pass) = self.pass.take() {
            self.gauge.with(|rest, now| rest.end(pass, ended, now));
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.leave(Ended::Neither);
    }
}
