//! Finds tools by the meaning of a message. The tools' vectors are made beforehand, the message's vector in parallel
//! with whatever precedes its request. Nothing waits longer than a moment for it; without it, tools are found by words.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::Embedder;
use adjutant_domain::tool::ToolSpec;
use tokio::sync::watch;

use super::{Retriever, ToolVectors};

/// Number of message vectors to keep; each is needed only briefly.
const MESSAGES_MAX: usize = 16;
/// Maximum number of characters of a message to embed; embedding models read no more than some hundred words.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// One vector per tool.
pub(crate) type Rows = Vec<Vec<f32>>;

type PendingVector = watch::Receiver<Option<Arc<Vec<f32>>>>;

/// All tools with their vectors, and the model that made them.
pub(crate) struct Near {
    retriever: Retriever,
    /// Version of the tools' catalogue; with any other version, tools are found by words.
    catalog: u64,
    embedder: Arc<dyn Embedder>,
    asked: Mutex<VecDeque<(String, PendingVector)>>,
}

/// Tools with vectors, and the vector of a message.
pub(crate) struct Meant {
    near: Arc<Near>,
    vector: Arc<Vec<f32>>,
}

impl Meant {
    /// Returns the index of the tools.
    pub(crate) fn retriever(&self) -> &Retriever {
        &self.near.retriever
    }

    /// Returns the id of the embedding model and the message's vector.
    pub(crate) fn vector(&self) -> (&str, &[f32]) {
        (self.near.model(), &self.vector)
    }
}

impl Near {
    /// Combines the tools of a catalogue version with their vectors. `None` if the vectors do not match the tools.
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

    /// Forgets the vectors of messages.
    pub(crate) fn forget(&self) {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    fn asked(&self, text: &str) -> Option<PendingVector> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let found = asked.iter().find(|(of, _)| of == text);
        found.map(|(_, vector)| vector.clone())
    }

    /// Returns a message's vector with the tools, if it is ready or becomes ready within `grace` and the tools are
    /// those of `catalog`.
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

    /// Starts the vector of a message and returns the work to do. `None` if it was started already. [`Self::meant`]
    /// waits for the result.
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

/// A message vector that is still to be made.
pub(crate) struct Making {
    embedder: Arc<dyn Embedder>,
    sender: watch::Sender<Option<Arc<Vec<f32>>>>,
}

impl Making {
    /// Makes the vector from `text`, the part of the message that models may see.
    pub(crate) async fn make(self, text: &str) {
        let short: String = text.chars().take(MESSAGE_CHARS_MAX).collect();
        match self.embedder.embed(vec![short]).await {
            Ok(vectors) => {
                // Fails only if nobody waits for it any more.
                let _ = self.sender.send(vectors.into_iter().next().map(Arc::new));
            }
            Err(fault) => tracing::info!(%fault, "tools are found by words alone"),
        }
    }
}
