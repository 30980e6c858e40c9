//! Treats a provider that falls silent, breaks off or never stops as a fault, and ends the call there.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, TimeLimits,
};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use tokio::time::timeout;

use super::Until;
use crate::whole::whole;

/// Longest reply in bytes, including thinking and tool calls. Anything longer counts as a flood.
pub const REPLY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// How long to wait for a provider, unless the request sets a shorter limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Limit for the first piece of the reply: a server may have to load the model first.
    pub first: Duration,
    /// Limit between two pieces.
    pub between: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(180),
            between: Duration::from_secs(30),
        }
    }
}

impl Patience {
    fn at_most(self, limits: TimeLimits) -> Self {
        let least = |own: Duration, limit: Option<Duration>| limit.map_or(own, |it| it.min(own));
        Self {
            first: least(self.first, limits.begin),
            between: least(self.between, limits.between),
        }
    }
}

/// A model whose silence is a fault.
///
/// The limit for the first piece runs from the beginning of the call, even after a model has announced that it
/// answers. If requests queue for the model ([`ChatModel::takes_turns`]), its own limit runs only from the request's
/// turn on; the caller does not wait any longer for that, and if its time runs out because of the queue, that is
/// [`ModelFault::Occupied`].
pub struct Watched {
    inner: Arc<dyn ChatModel>,
    patience: Patience,
}

impl Watched {
    /// Wraps `inner`.
    #[must_use]
    pub const fn new(inner: Arc<dyn ChatModel>, patience: Patience) -> Self {
        Self { inner, patience }
    }
}

impl ChatModel for Watched {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn takes_turns(&self) -> bool {
        self.inner.takes_turns()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let model = self.inner.profile().id;
        let takes_turns = self.inner.takes_turns();
        let limits = request.within;
        let mut patience = self.patience.at_most(limits);
        let begin = if takes_turns {
            patience.first = self.patience.first;
            limits.begin.or(limits.whole).unwrap_or(patience.first)
        } else {
            patience.first
        };
        let within = TimeLimits {
            begin: Some(begin),
            between: Some(patience.between),
            ..limits
        };
        let mut request = request;
        if request.within != within {
            request = Arc::new(ModelRequest {
                within,
                ..ModelRequest::clone(&request)
            });
        }
        let watch = Watch {
            stream: whole(model.clone(), self.inner.stream(request)),
            model,
            patience,
            takes_turns,
            begin_within: begin,
            begin: None,
            turn: None,
            begun: false,
            bytes: 0,
            over: false,
        };
        stream::unfold(watch, |mut watch| async move {
            let item = watch.next().await?;
            watch.over |= item.is_err();
            Some((item, watch))
        })
        .boxed()
    }
}

/// Silence still counts as the model's failure if the request had its turn for all but this much of the limit.
const TURN_SOON: Duration = Duration::from_secs(1);
/// The same for short limits, as a divisor.
const TURN_SOON_PART: u32 = 10;

struct Watch {
    stream: BoxStream<'static, Result<ModelEvent, ModelFault>>,
    model: String,
    patience: Patience,
    takes_turns: bool,
    begin_within: Duration,
    /// Limit for everything up to the first piece; starts at the first poll.
    begin: Option<Until>,
    /// Limit for the first piece; starts when it is the request's turn.
    turn: Option<Until>,
    begun: bool,
    bytes: usize,
    over: bool,
}

impl Watch {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelFault>> {
        if self.over {
            return None;
        }
        let begin_within = self.begin_within;
        let begin = *self
            .begin
            .get_or_insert_with(|| Until::from_now(begin_within));
        if !self.takes_turns {
            self.turn = Some(begin);
        }
        let wait = match &self.turn {
            _ if self.begun => self.patience.between,
            Some(turn) => turn.left().min(begin.left()),
            None => begin.left(),
        };
        let Ok(item) = timeout(wait, self.stream.next()).await else {
            return Some(Err(self.silent(begin)));
        };
        let item = item?;
        if let Ok(event) = &item {
            if matches!(event, ModelEvent::Answering { .. }) {
                let first = self.patience.first;
                self.turn.get_or_insert_with(|| Until::from_now(first));
            } else {
                self.begun = true;
            }
            self.bytes = self.bytes.saturating_add(bytes_of(event));
            if self.bytes > REPLY_BYTES_MAX {
                return Some(Err(ModelFault::Broken {
                    model: self.model.clone(),
                    why: "its answer has no end".into(),
                }));
            }
        }
        Some(item)
    }

    /// Returns the fault for silence. It is the model's failure only if the model had enough time.
    fn silent(&self, begin: Until) -> ModelFault {
        let model = self.model.clone();
        if self.begun {
            let waited = self.patience.between;
            return ModelFault::Stalled { model, waited };
        }
        let full = self.patience.first.min(self.begin_within);
        let nearly = full.saturating_sub(TURN_SOON.min(full / TURN_SOON_PART));
        match self.turn {
            Some(turn) if turn.gone() >= nearly => ModelFault::Stalled {
                model,
                waited: full,
            },
            _ => ModelFault::Occupied {
                model,
                waited: begin.gone(),
            },
        }
    }
}

fn bytes_of(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::Token { text } | ModelEvent::Thinking { text } => text.len(),
        ModelEvent::ToolCall { name, args } => name.len() + args.to_string().len(),
        ModelEvent::Answering { .. } | ModelEvent::End { .. } => 0,
    }
}
