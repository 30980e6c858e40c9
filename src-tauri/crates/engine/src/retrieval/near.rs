//! Tools by what a message means: their vectors are made beforehand, the message's vector beside whatever comes before
//! its request. Nothing waits for it longer than a moment; without it tools are found by their words.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::Embedder;
use adjutant_domain::tool::ToolSpec;
use tokio::sync::watch;

use super::{Retriever, ToolVectors};

/// Messages whose vectors are kept; each is needed for a moment only.
const MESSAGES_MAX: usize = 16;
/// Characters of a message that its vector is made of; models for vectors read no more than some hundred words.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// One vector a tool.
pub(crate) type Rows = Vec<Vec<f32>>;

type Asked = watch::Receiver<Option<Arc<Vec<f32>>>>;

/// All tools with their vectors, and the model that made them.
pub(crate) struct Near {
    retriever: Retriever,
    /// The version of the catalogue they are from; for another one tools are found by their words.
    catalog: u64,
    embedder: Arc<dyn Embedder>,
    asked: Mutex<VecDeque<(String, Asked)>>,
}

/// Tools with vectors, and the vector of a message.
pub(crate) struct Meant {
    near: Arc<Near>,
    vector: Arc<Vec<f32>>,
}

impl Meant {
    /// Where the tools are found.
    pub(crate) fn retriever(&self) -> &Retriever {
        &self.near.retriever
    }

    /// The model of the vector, and the vector.
    pub(crate) fn vector(&self) -> (&str, &[f32]) {
        (self.near.model(), &self.vector)
    }
}

impl Near {
    /// All tools of a version of the catalogue with their vectors; none where the vectors do not fit the tools.
    pub(crate) fn new(
        tools: &[ToolSpec],
        catalog: u64,
        (embedder, rows): (Arc<dyn Embedder>, Rows),
    ) -> Option<Self> {
        let vectors = ToolVectors {
            model: embedder.id(),
            rows,
        };
        let retriever = Retriever::new(tools, Some(vectors));
        retriever.model()?;
        Some(Self {
            retriever,
            catalog,
            embedder,
            asked: Mutex::default(),
        })
    }

    fn model(&self) -> &str {
        self.retriever.model().unwrap_or_default()
    }

    /// Forgets what was asked.
    pub(crate) fn forget(&self) {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    fn asked(&self, text: &str) -> Option<Asked> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let found = asked.iter().find(|(of, _)| of == text);
        found.map(|(_, vector)| vector.clone())
    }

    /// A message by its vector, if that is there or comes within `grace` and the tools are those of `catalog`.
    pub(crate) async fn meant(
        self: &Arc<Self>,
        catalog: u64,
        text: &str,
        grace: Duration,
    ) -> Option<Meant> {
        if self.catalog != catalog {
            return None;
        }
        let mut asked = self.asked(text)?;
        let found = tokio::time::timeout(grace, asked.wait_for(Option::is_some)).await;
        let vector = found.ok()?.ok()?.clone()?;
        Some(Meant {
            near: self.clone(),
            vector,
        })
    }

    /// Begins the vector of a message, unless that was begun already. Whoever asks for it waits until what is given is
    /// made.
    pub(crate) fn begin(&self, text: &str) -> Option<Making> {
        if self.asked(text).is_some() {
            return None;
        }
        let (sender, receiver) = watch::channel(None);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= MESSAGES_MAX {
            asked.pop_front();
        }
        asked.push_back((text.to_owned(), receiver));
        Some(Making {
            embedder: self.embedder.clone(),
            sender,
        })
    }
}

/// The vector of a message, which is not made yet.
pub(crate) struct Making {
    embedder: Arc<dyn Embedder>,
    sender: watch::Sender<Option<Arc<Vec<f32>>>>,
}

impl Making {
    /// Makes it of what the model may be shown of the message.
    pub(crate) async fn make(self, text: &str) {
        let short: String = text.chars().take(MESSAGE_CHARS_MAX).collect();
        match self.embedder.embed(vec![short]).await {
            Ok(vectors) => {
                // Nobody may wait for it any more.
                let _ = self.sender.send(vectors.into_iter().next().map(Arc::new));
            }
            Err(fault) => tracing::info!(%fault, "tools are found by words alone"),
        }
    }
}
