//! A provider that falls silent, breaks off or never stops is a fault, and the call ends there.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, TimeLimits,
};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use tokio::time::timeout;

/// The longest reply, thinking and tool calls included, in bytes. More is no reply but a flood.
pub const REPLY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// How long is waited for a provider, where the request does not say less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the first piece of the reply: a local model may have to be loaded first.
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

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let model = self.inner.profile().id;
        let patience = self.patience.at_most(request.within);
        let within = TimeLimits {
            begin: Some(patience.first),
            between: Some(patience.between),
            ..request.within
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

struct Watch {
    stream: BoxStream<'static, Result<ModelEvent, ModelFault>>,
    model: String,
    patience: Patience,
    begun: bool,
    bytes: usize,
    over: bool,
}

impl Watch {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelFault>> {
        if self.over {
            return None;
        }
        let wait = if self.begun {
            self.patience.between
        } else {
            self.patience.first
        };
        let Ok(item) = timeout(wait, self.stream.next()).await else {
            return Some(Err(ModelFault::Stalled {
                model: self.model.clone(),
                waited: wait,
            }));
        };
        let item = item?;
        if let Ok(event) = &item {
            self.begun |= !matches!(event, ModelEvent::Answering { .. });
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
}

fn bytes_of(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::Token { text } | ModelEvent::Thinking { text } => text.len(),
        ModelEvent::ToolCall { name, args } => name.len() + args.to_string().len(),
        ModelEvent::Answering { .. } | ModelEvent::End { .. } => 0,
    }
}

/// The stream up to its end or first fault. One that ends without either was cut off, and says so.
pub(crate) fn whole(
    model: String,
    stream: BoxStream<'static, Result<ModelEvent, ModelFault>>,
) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
    stream::unfold(Some((model, stream)), |state| async move {
        let (model, mut stream) = state?;
        match stream.next().await {
            None => Some((Err(ModelFault::Cut { model }), None)),
            Some(item @ (Err(_) | Ok(ModelEvent::End { .. }))) => Some((item, None)),
            Some(item) => Some((item, Some((model, stream)))),
        }
    })
    .boxed()
}
