//! A model that plays a script and records the requests it receives.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Stage, StopReason, Tier, Usage,
};
use futures::StreamExt as _;
use futures::stream::{BoxStream, unfold};
use serde_json::Value;
use tokio::sync::{Notify, Semaphore};

/// One act of a scripted model.
#[derive(Clone, Debug)]
pub enum ScriptedAct {
    /// Sends a piece of text.
    Say(String),
    /// Sends a piece of reasoning.
    Think(String),
    /// Calls a tool.
    Call(String, Value),
    /// Hands over to another model: its id, and the reason.
    TakeOver(String, Option<String>),
    /// Waits until the test adds a permit to [`ScriptedModel::gate`].
    Wait,
    /// Sends nothing more and never ends.
    Hang,
    /// Fails.
    Fail(ModelFault),
    /// Closes the stream without an end event.
    Cut,
    /// Ends at once for this reason.
    Stop(StopReason),
}

/// Returns a script that sends the text in one piece and ends.
#[must_use]
pub fn says(text: &str) -> Vec<ScriptedAct> {
    vec![ScriptedAct::Say(text.into())]
}

/// Returns a script that sends the JSON in one piece and ends.
#[must_use]
pub fn says_json(value: &Value) -> Vec<ScriptedAct> {
    says(&value.to_string())
}

/// Usage reported for every scripted request.
pub const USAGE: Usage = Usage {
    input: 100,
    output: 10,
    cost_micros: 7,
    estimated: false,
};

/// A model that plays a script. A stage without a script fails, so that tests notice unexpected requests.
pub struct ScriptedModel {
    id: String,
    scripts: Mutex<BTreeMap<Stage, VecDeque<Vec<ScriptedAct>>>>,
    sent: Mutex<Vec<ModelRequest>>,
    /// Each permit lets one waiting stream continue.
    pub gate: Arc<Semaphore>,
    /// Gets a permit for each stream that reaches its first act.
    pub begun: Arc<Semaphore>,
    /// Gets a permit for each stream dropped before its end.
    pub dropped: Arc<Semaphore>,
    changed: Notify,
}

impl Default for ScriptedModel {
    fn default() -> Self {
        Self::named("scripted")
    }
}

impl ScriptedModel {
    /// Creates a model with this id.
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

    /// Adds the script for the next request of a stage; several scripts play in order.
    #[must_use]
    pub fn on(self, stage: Stage, acts: Vec<ScriptedAct>) -> Self {
        self.then(stage, acts);
        self
    }

    /// Does the same as [`Self::on`], for a model already in use.
    pub fn then(&self, stage: Stage, acts: Vec<ScriptedAct>) {
        lock(&self.scripts)
            .entry(stage)
            .or_default()
            .push_back(acts);
    }

    /// Returns all requests received, in order.
    #[must_use]
    pub fn sent(&self) -> Vec<ModelRequest> {
        lock(&self.sent).clone()
    }

    /// Returns the stages of all requests received, in order.
    #[must_use]
    pub fn stages(&self) -> Vec<&'static str> {
        lock(&self.sent)
            .iter()
            .map(|request| request.stage.name())
            .collect()
    }

    /// Returns all text of all requests: system prompts, messages, tools and schemas.
    #[must_use]
    pub fn sent_text(&self) -> String {
        lock(&self.sent)
            .iter()
            .map(|request| serde_json::to_string(request).unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Waits until the model has received `count` requests.
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
                vec![ScriptedAct::Fail(ModelFault::Broken {
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

/// A stream that plays a script.
struct Playing {
    first: Option<String>,
    acts: VecDeque<ScriptedAct>,
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
                None if self.tools => ScriptedAct::Stop(StopReason::Tools),
                None => ScriptedAct::Stop(StopReason::Complete),
            };
            return Some(match act {
                ScriptedAct::Say(text) => Ok(ModelEvent::Token { text }),
                ScriptedAct::Think(text) => Ok(ModelEvent::Thinking { text }),
                ScriptedAct::Call(name, args) => {
                    self.tools = true;
                    Ok(ModelEvent::ToolCall { name, args })
                }
                ScriptedAct::TakeOver(model, why) => Ok(ModelEvent::Answering { model, why }),
                ScriptedAct::Wait => {
                    if let Ok(permit) = self.gate.acquire().await {
                        permit.forget();
                    }
                    continue;
                }
                ScriptedAct::Hang => std::future::pending().await,
                ScriptedAct::Fail(fault) => {
                    self.end();
                    Err(fault)
                }
                ScriptedAct::Cut => {
                    self.end();
                    return None;
                }
                ScriptedAct::Stop(stop) => {
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
