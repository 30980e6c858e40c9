//! A model that does what a test says, for the tests of everything that stands in front of models.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelMessage, ModelProfile, ModelRequest, Prompted, Purpose,
    ReplyShape, Role, Stage, StopReason, Tier, Usage,
};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

/// One thing a scripted model does.
#[derive(Clone, Debug)]
pub(crate) enum ScriptedAct {
    Say(&'static str),
    Think(&'static str),
    /// Ends well, with what it cost.
    End(Usage),
    Fail(ModelFault),
    Wait(Duration),
    /// Sends nothing any more.
    Hang,
    /// Breaks off without end or fault.
    Cut,
}

/// What it costs when nothing else is said.
pub(crate) const USED: Usage = Usage {
    input: 20,
    output: 5,
    cost_micros: 0,
    estimated: false,
};

/// A model with one script a call; the last one is repeated.
pub(crate) struct Script {
    profile: ModelProfile,
    scripts: Mutex<VecDeque<Vec<ScriptedAct>>>,
    calls: AtomicUsize,
    /// Before it says that it answers.
    answers_after: Duration,
    takes_turns: bool,
    /// Streams that were let go of before their end.
    dropped: Arc<AtomicUsize>,
}

impl Script {
    pub(crate) fn new(id: &str, scripts: impl IntoIterator<Item = Vec<ScriptedAct>>) -> Arc<Self> {
        Arc::new(Self {
            profile: profile(id),
            scripts: Mutex::new(scripts.into_iter().collect()),
            calls: AtomicUsize::new(0),
            answers_after: Duration::ZERO,
            takes_turns: false,
            dropped: Arc::default(),
        })
    }

    /// A model that answers with one word.
    pub(crate) fn says(id: &str, word: &'static str) -> Arc<Self> {
        Self::new(id, [vec![ScriptedAct::Say(word), ScriptedAct::End(USED)]])
    }

    /// A model that ends with a fault.
    pub(crate) fn fails(id: &str, fault: ModelFault) -> Arc<Self> {
        Self::new(id, [vec![ScriptedAct::Fail(fault)]])
    }

    /// The same with another profile.
    pub(crate) fn with(self: Arc<Self>, change: impl FnOnce(&mut ModelProfile)) -> Arc<Self> {
        let mut script = Arc::into_inner(self).expect("not shared yet");
        change(&mut script.profile);
        Arc::new(script)
    }

    /// The same, saying only after a while that it answers: as a provider whose headers are late.
    pub(crate) fn answers_after(self: Arc<Self>, wait: Duration) -> Arc<Self> {
        let mut script = Arc::into_inner(self).expect("not shared yet");
        script.answers_after = wait;
        Arc::new(script)
    }

    /// The same, with a queue: a request's turn comes after `wait`.
    pub(crate) fn turn_after(self: Arc<Self>, wait: Duration) -> Arc<Self> {
        let mut script = Arc::into_inner(self.answers_after(wait)).expect("not shared yet");
        script.takes_turns = true;
        Arc::new(script)
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    pub(crate) fn dropped(&self) -> usize {
        self.dropped.load(Ordering::SeqCst)
    }
}

pub(crate) fn profile(id: &str) -> ModelProfile {
    ModelProfile {
        id: id.into(),
        tier: Tier::Standard,
        context_tokens: 8_192,
        tools: true,
        structure: true,
        input_micros_per_million: 0,
        output_micros_per_million: 0,
        price_known: true,
        local: false,
    }
}

/// A short request.
pub(crate) fn request() -> ModelRequest {
    ModelRequest {
        stage: Stage::Respond,
        tier: Tier::Standard,
        purpose: Purpose::Foreground,
        turn: Some("turn-1".into()),
        system: Prompted {
            text: "Answer briefly.".into(),
            revision: "respond/respond.v1@0a1b2c3d".into(),
        },
        messages: vec![ModelMessage {
            role: Role::User,
            text: "How are you?".into(),
        }],
        tools: Vec::new(),
        reply: ReplyShape::Text,
        max_output_tokens: 100,
        within: Default::default(),
    }
}

impl ChatModel for Script {
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    fn takes_turns(&self) -> bool {
        self.takes_turns
    }

    fn stream(
        &self,
        _request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let mut scripts = self.scripts.lock().expect("a script");
        let script = if scripts.len() > 1 {
            scripts.pop_front()
        } else {
            scripts.front().cloned()
        };
        let answering = ModelEvent::Answering {
            model: self.profile.id.clone(),
            why: None,
        };
        let played = Played {
            acts: script.unwrap_or_default().into(),
            whole: false,
            dropped: Arc::clone(&self.dropped),
        };
        let rest = stream::unfold(played, |mut played| async move {
            let item = played.next().await;
            item.map(|item| (item, played))
        });
        let wait = self.answers_after;
        let first = async move {
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
            Ok(answering)
        };
        stream::once(first).chain(rest).boxed()
    }
}

struct Played {
    acts: VecDeque<ScriptedAct>,
    whole: bool,
    dropped: Arc<AtomicUsize>,
}

impl Played {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelFault>> {
        loop {
            let act = self.acts.pop_front();
            self.whole = matches!(
                act,
                None | Some(ScriptedAct::Cut | ScriptedAct::End(_) | ScriptedAct::Fail(_))
            );
            return match act? {
                ScriptedAct::Say(text) => Some(Ok(ModelEvent::Token { text: text.into() })),
                ScriptedAct::Think(text) => Some(Ok(ModelEvent::Thinking { text: text.into() })),
                ScriptedAct::End(usage) => Some(Ok(ModelEvent::End {
                    stop: StopReason::Complete,
                    usage,
                })),
                ScriptedAct::Fail(fault) => Some(Err(fault)),
                ScriptedAct::Wait(time) => {
                    tokio::time::sleep(time).await;
                    continue;
                }
                ScriptedAct::Hang => std::future::pending().await,
                ScriptedAct::Cut => None,
            };
        }
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        if !self.whole {
            self.dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}
