//! A model that plays a script and keeps what it was sent.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Stage, StopReason, Tier, Usage,
};
use futures::StreamExt as _;
use futures::stream::{BoxStream, unfold};
use serde_json::Value;
use tokio::sync::{Notify, Semaphore};

/// One thing a scripted model does.
#[derive(Clone, Debug)]
pub enum Act {
    /// Says a piece of text.
    Say(String),
    /// Thinks a piece of text.
    Think(String),
    /// Calls a tool.
    Call(String, Value),
    /// Another model takes over: its id, and why.
    TakeOver(String, Option<String>),
    /// Goes on when the test adds a permit to [`ScriptedModel::gate`].
    Wait,
    /// Says nothing more, for ever.
    Hang,
    /// Fails.
    Fail(ModelFault),
    /// The stream ends without an end.
    Cut,
    /// Ends for this reason, at once.
    Stop(StopReason),
}

/// Text as one piece, then the end.
#[must_use]
pub fn says(text: &str) -> Vec<Act> {
    vec![Act::Say(text.into())]
}

/// JSON as one piece, then the end.
#[must_use]
pub fn says_json(value: &Value) -> Vec<Act> {
    says(&value.to_string())
}

/// What every scripted request costs.
pub const USAGE: Usage = Usage {
    input: 100,
    output: 10,
    cost_micros: 7,
    estimated: false,
};

/// A model that plays a script. A stage without a script fails, so that a test notices a request it did not expect.
pub struct ScriptedModel {
    id: String,
    scripts: Mutex<BTreeMap<Stage, VecDeque<Vec<Act>>>>,
    sent: Mutex<Vec<ModelRequest>>,
    /// Permits let waiting streams go on.
    pub gate: Arc<Semaphore>,
    /// One permit for every stream that reached its first act.
    pub begun: Arc<Semaphore>,
    /// One permit for every stream that was dropped before it ended.
    pub dropped: Arc<Semaphore>,
    changed: Notify,
}

impl Default for ScriptedModel {
    fn default() -> Self {
        Self::named("scripted")
    }
}

impl ScriptedModel {
    /// A model with this id.
    #[must_use]
    pub fn named(id: &str) -> Self {
        Self {
            id: id.into(),
            scripts: Mutex::default(),
            sent: Mutex::default(),
            gate: Arc::new(Semaphore::new(0)),
            begun: Arc::new(Semaphore::new(0)),
            dropped: Arc::new(Semaphore::new(0)),
            changed: Notify::new(),
        }
    }

    /// The next reply to requests of a stage; several are played in order.
    #[must_use]
    pub fn on(self, stage: Stage, acts: Vec<Act>) -> Self {
        self.then(stage, acts);
        self
    }

    /// As [`Self::on`], for a model in use.
    pub fn then(&self, stage: Stage, acts: Vec<Act>) {
        lock(&self.scripts)
            .entry(stage)
            .or_default()
            .push_back(acts);
    }

    /// Everything that was sent, in order.
    #[must_use]
    pub fn sent(&self) -> Vec<ModelRequest> {
        lock(&self.sent).clone()
    }

    /// The stages of everything that was sent, in order.
    #[must_use]
    pub fn stages(&self) -> Vec<&'static str> {
        lock(&self.sent)
            .iter()
            .map(|request| request.stage.name())
            .collect()
    }

    /// All text of all requests: system prompts, messages, tools and schemas.
    #[must_use]
    pub fn sent_text(&self) -> String {
        lock(&self.sent)
            .iter()
            .map(|request| serde_json::to_string(request).unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Waits until so many requests were sent.
    pub async fn sent_count(&self, count: usize) {
        loop {
            let changed = self.changed.notified();
            if lock(&self.sent).len() >= count {
                return;
            }
            changed.await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ChatModel for ScriptedModel {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            id: self.id.clone(),
            tier: Tier::Standard,
            context_tokens: 32_000,
            tools: true,
            structure: true,
            input_micros_per_million: 0,
            output_micros_per_million: 0,
            price_known: true,
            local: true,
        }
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let stage = request.stage;
        lock(&self.sent).push((*request).clone());
        self.changed.notify_waiters();
        let acts = lock(&self.scripts)
            .get_mut(&stage)
            .and_then(VecDeque::pop_front)
            .unwrap_or_else(|| {
                vec![Act::Fail(ModelFault::Broken {
                    model: self.id.clone(),
                    why: format!("no reply to {} is scripted", stage.name()),
                })]
            });
        self.begun.add_permits(1);
        let playing = Playing {
            first: Some(self.id.clone()),
            acts: acts.into(),
            gate: self.gate.clone(),
            dropped: self.dropped.clone(),
            tools: false,
            over: false,
        };
        unfold(playing, |mut playing| async move {
            let event = playing.next().await?;
            Some((event, playing))
        })
        .boxed()
    }
}

/// A stream at work.
struct Playing {
    first: Option<String>,
    acts: VecDeque<Act>,
    gate: Arc<Semaphore>,
    dropped: Arc<Semaphore>,
    tools: bool,
    over: bool,
}

impl Drop for Playing {
    fn drop(&mut self) {
        if !self.over {
            self.dropped.add_permits(1);
        }
    }
}

impl Playing {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelFault>> {
        if let Some(model) = self.first.take() {
            return Some(Ok(ModelEvent::Answering { model, why: None }));
        }
        loop {
            let act = match self.acts.pop_front() {
                Some(act) => act,
                None if self.over => return None,
                None if self.tools => Act::Stop(StopReason::Tools),
                None => Act::Stop(StopReason::Complete),
            };
            return Some(match act {
                Act::Say(text) => Ok(ModelEvent::Token { text }),
                Act::Think(text) => Ok(ModelEvent::Thinking { text }),
                Act::Call(name, args) => {
                    self.tools = true;
                    Ok(ModelEvent::ToolCall { name, args })
                }
                Act::TakeOver(model, why) => Ok(ModelEvent::Answering { model, why }),
                Act::Wait => {
                    if let Ok(permit) = self.gate.acquire().await {
                        permit.forget();
                    }
                    continue;
                }
                Act::Hang => std::future::pending().await,
                Act::Fail(fault) => {
                    self.end();
                    Err(fault)
                }
                Act::Cut => {
                    self.end();
                    return None;
                }
                Act::Stop(stop) => {
                    self.end();
                    Ok(ModelEvent::End { stop, usage: USAGE })
                }
            });
        }
    }

    fn end(&mut self) {
        self.over = true;
        self.acts.clear();
    }
}
