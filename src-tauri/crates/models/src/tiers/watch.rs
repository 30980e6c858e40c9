//! A provider that falls silent, breaks off or never stops is a fault, and the call ends there.

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

/// The longest reply, thinking and tool calls included, in bytes. More is no reply but a flood.
pub const REPLY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// How long is waited for a provider, where the request does not say less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the first piece of the reply: a server may have to load the model first.
    pub first: Duration,
    /// Between two pieces.
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
/// The time for the first piece runs from the beginning of the call, whatever is told of who answers. Where requests wait
/// for one another ([`ChatModel::takes_turns`]) the model's own time runs from the request's turn on; those around the
/// call wait no longer for that, and what comes too late because of it is [`ModelFault::Occupied`].
pub struct Watched {
    inner: Arc<dyn ChatModel>,
    patience: Patience,
}

impl Watched {
    /// Watches `inner`.
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

/// A request that has waited so long for its turn may still be the model's failure: it had nearly all of the time.
const TURN_SOON: Duration = Duration::from_secs(1);
/// At most this part of a short time.
const TURN_SOON_PART: u32 = 10;

struct Watch {
    stream: BoxStream<'static, Result<ModelEvent, ModelFault>>,
    model: String,
    patience: Patience,
    takes_turns: bool,
    begin_within: Duration,
    /// For the first piece and all that is before it; runs from the first poll on.
    begin: Option<Until>,
    /// For the first piece; runs from the request's turn on.
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

    /// Nothing came in time. That is the model's failure if it had the time for it.
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
