//! One model after the other, as one stream. Who answers is told at each change; what was told before is then void.

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

/// Time at the end of a deadline that a call leaves to those around it, so that its own limit ends it, which is seen to,
/// and not theirs, which would only drop it.
const LEFT_TO_TELL: Duration = Duration::from_millis(250);
/// The part of a short deadline that is left for that.
const LEFT_PART: u32 = 20;

/// How to go on after a fault.
pub(super) trait Rule: Send + Sync + 'static {
    /// Whether this model is asked after this fault. If not, the one after it is looked at.
    fn goes_on(&self, fault: &ModelFault, next: &dyn ChatModel, request: &ModelRequest) -> bool;

    /// Why the next one answers, for the person.
    fn why(&self, fault: &ModelFault, next: &dyn ChatModel) -> String;

    /// What is said at the end, of all faults in order. There is at least one.
    fn last(&self, tried: Vec<ModelFault>) -> ModelFault;

    /// Whether replies are held to the shape that was asked for.
    fn checks(&self) -> bool;

    /// How long all of it may take.
    fn deadline(&self) -> Option<Duration>;

    /// Whether each model gets its share of the time: one that sends nothing leaves the others theirs.
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
    /// Why it is not the first choice that answers.
    why: Option<String>,
    /// How long all of it may take.
    within: Option<Duration>,
    /// Runs from the first poll on.
    deadline: Option<(SinceStart, Pin<Box<Sleep>>)>,
    over: bool,
}

/// The attempt that is on.
struct On {
    model: String,
    stream: BoxStream<'static, Item>,
    reply: Reply,
    /// Nothing was told since it was said who answers.
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

    /// Asks the next model, and says so at once.
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

    /// The request with the time that is left for the model asked now, of which it may be silent for its share.
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

    /// What is told of an item; none when there is nothing to tell, or the next model is to be asked.
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
        // Those that cannot do better are passed over.
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

    /// Lets go of the call at once, not when somebody drops the stream.
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
