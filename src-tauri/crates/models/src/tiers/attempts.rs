//! Asks one model after another, as one stream. Each change of model is announced, and voids the output before it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelRequest, TimeLimits};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use tokio::time::{Sleep, sleep};

use super::shape::Reply;
use super::{SinceStart, Ticks as _};

type Item = Result<ModelEvent, ModelFault>;

/// Part of a deadline that a model's own time limit leaves to the layers around it. Thus the call ends by its own
/// limit, which is recorded as a fault, and not by theirs, which would just drop it.
const LEFT_TO_TELL: Duration = Duration::from_millis(250);
/// The same part of a short deadline, as a divisor.
const LEFT_PART: u32 = 20;

/// Decides how to continue after a fault.
pub(super) trait Rule: Send + Sync + 'static {
    /// Whether to ask this model after this fault. If not, the one after it is considered.
    fn goes_on(&self, fault: &ModelFault, next: &dyn ChatModel, request: &ModelRequest) -> bool;

    /// Returns the reason why the next model answers, for the person.
    fn why(&self, fault: &ModelFault, next: &dyn ChatModel) -> String;

    /// Returns the final fault, given all faults in order. There is at least one.
    fn last(&self, tried: Vec<ModelFault>) -> ModelFault;

    /// Whether replies must have the requested shape.
    fn checks(&self) -> bool;

    /// Returns the time limit for all attempts together.
    fn deadline(&self) -> Option<Duration>;

    /// Whether each model gets a share of the time, so that a silent one leaves the others theirs.
    fn shares(&self) -> bool;
}

/// Asks `models` in order until one answers.
pub(super) fn attempts(
    models: Vec<Arc<dyn ChatModel>>,
    request: Arc<ModelRequest>,
    rule: impl Rule,
) -> BoxStream<'static, Item> {
    let limits = [rule.deadline(), request.within.whole];
    let attempts = Attempts {
        waiting: models.into(),
        within: limits.into_iter().flatten().min(),
        request,
        rule,
        on: None,
        tried: Vec::new(),
        why: None,
        deadline: None,
        over: false,
    };
    stream::unfold(attempts, |mut attempts| async move {
        let item = attempts.next().await?;
        Some((item, attempts))
    })
    .boxed()
}

struct Attempts<R> {
    waiting: VecDeque<Arc<dyn ChatModel>>,
    request: Arc<ModelRequest>,
    rule: R,
    on: Option<On>,
    tried: Vec<ModelFault>,
    /// Why a model other than the first choice answers.
    why: Option<String>,
    /// Time limit for all attempts together.
    within: Option<Duration>,
    /// Starts at the first poll.
    deadline: Option<(SinceStart, Pin<Box<Sleep>>)>,
    over: bool,
}

/// The current attempt.
struct On {
    model: String,
    stream: BoxStream<'static, Item>,
    reply: Reply,
    /// Whether nothing has been output since the model was announced.
    quiet: bool,
}

impl<R: Rule> Attempts<R> {
    async fn next(&mut self) -> Option<Item> {
        if self.over {
            return None;
        }
        if self.deadline.is_none() {
            let from_now = |wait| (SinceStart::new(), Box::pin(sleep(wait)));
            self.deadline = self.within.map(from_now);
        }
        loop {
            let Some(on) = &mut self.on else {
                return Some(self.begin());
            };
            let item = tokio::select! {
                biased;
                () = passed(&mut self.deadline) => {
                    let fault = ModelFault::Broken {
                        model: on.model.clone(),
                        why: format!("it took longer than {} s", self.within.unwrap_or_default().as_secs()),
                    };
                    return Some(self.give_up(fault));
                }
                item = on.stream.next() => item,
            };
            if let Some(told) = self.take(item) {
                return Some(told);
            }
        }
    }

    /// Asks the next model, and announces it at once.
    fn begin(&mut self) -> Item {
        let Some(model) = self.waiting.pop_front() else {
            return self.give_up(ModelFault::None);
        };
        let id = model.profile().id;
        self.on = Some(On {
            model: id.clone(),
            stream: model.stream(self.with_limits()),
            reply: Reply::new(&self.request.reply),
            quiet: true,
        });
        Ok(ModelEvent::Answering {
            model: id,
            why: self.why.clone(),
        })
    }

    /// Returns the request with the time left for the current model. It may be silent only for its share of that.
    fn with_limits(&self) -> Arc<ModelRequest> {
        let (Some(all), Some((since, _))) = (self.within, &self.deadline) else {
            return Arc::clone(&self.request);
        };
        let left = all.saturating_sub(since.elapsed());
        let asked = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        let sharing = if self.rule.shares() {
            asked.saturating_add(1)
        } else {
            1
        };
        let share = (left / sharing).min(left - LEFT_TO_TELL.min(left / LEFT_PART));
        let limits = self.request.within;
        Arc::new(ModelRequest {
            within: TimeLimits {
                begin: Some(limits.begin.map_or(share, |begin| begin.min(share))),
                whole: Some(left),
                ..limits
            },
            ..ModelRequest::clone(&self.request)
        })
    }

    /// Returns what to output for an item. `None` if there is nothing to output, or the next model must be asked.
    fn take(&mut self, item: Option<Item>) -> Option<Item> {
        let on = self.on.as_mut()?;
        let fault = match item {
            Some(Ok(ModelEvent::Answering { model, why })) => {
                if on.quiet && model == on.model && why.is_none() {
                    return None;
                }
                on.model.clone_from(&model);
                on.reply.clear();
                on.quiet = true;
                let why = why.or_else(|| self.why.clone());
                return Some(Ok(ModelEvent::Answering { model, why }));
            }
            Some(Ok(ModelEvent::End { stop, usage })) => {
                let checked = if self.rule.checks() {
                    on.reply.check(stop)
                } else {
                    Ok(())
                };
                match checked {
                    Ok(()) => {
                        self.finish();
                        return Some(Ok(ModelEvent::End { stop, usage }));
                    }
                    Err(why) => ModelFault::Unreadable {
                        model: on.model.clone(),
                        why,
                    },
                }
            }
            Some(Ok(event)) => {
                on.quiet = false;
                on.reply.add(&event);
                return Some(Ok(event));
            }
            Some(Err(fault)) => fault,
            None => ModelFault::Cut {
                model: on.model.clone(),
            },
        };
        // Skip the models that could not do better.
        while let Some(next) = self.waiting.front() {
            if self.rule.goes_on(&fault, next.as_ref(), &self.request) {
                self.why = Some(self.rule.why(&fault, next.as_ref()));
                self.tried.push(fault);
                self.on = None;
                return None;
            }
            self.waiting.pop_front();
        }
        Some(self.give_up(fault))
    }

    fn give_up(&mut self, fault: ModelFault) -> Item {
        self.finish();
        let mut tried = std::mem::take(&mut self.tried);
        tried.push(fault);
        Err(self.rule.last(tried))
    }

    /// Drops the call at once rather than when the stream is dropped.
    fn finish(&mut self) {
        self.over = true;
        self.on = None;
    }
}

async fn passed(deadline: &mut Option<(SinceStart, Pin<Box<Sleep>>)>) {
    match deadline {
        Some((_, deadline)) => deadline.as_mut().await,
        None => std::future::pending().await,
    }
}
