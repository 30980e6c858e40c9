//! Tools by what a message means: their vectors are made beforehand, the message's vector beside whatever comes before
//! its request. Nothing waits for it longer than a moment; without it tools are found by their words.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::model::Embedder;
use tokio::sync::watch;

use super::{Retriever, ToolVectors};
use crate::core::Core;
use crate::secrets::without;
use crate::tools::Tools;

/// Messages whose vectors are kept; each is needed for a moment only.
const MESSAGES_MAX: usize = 16;
/// Characters of a message that its vector is made of; models for vectors read no more than some hundred words.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// One vector a tool.
type Rows = Vec<Vec<f32>>;

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

    /// The vector of a message, if it is there or comes within `grace`.
    async fn vector(&self, text: &str, grace: Duration) -> Option<Arc<Vec<f32>>> {
        let mut asked = self.asked(text)?;
        let found = tokio::time::timeout(grace, asked.wait_for(Option::is_some)).await;
        found.ok()?.ok()?.clone()
    }

    /// Has the vector of a message made, unless that was begun already.
    fn begin(
        self: &Arc<Self>,
        core: &Arc<Core>,
        text: &str,
    ) -> Option<impl Future<Output = ()> + use<>> {
        if self.asked(text).is_some() {
            return None;
        }
        let (sender, receiver) = watch::channel(None);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= MESSAGES_MAX {
            asked.pop_front();
        }
        asked.push_back((text.to_owned(), receiver));
        let (core, embedder, text) = (core.clone(), self.embedder.clone(), text.to_owned());
        Some(async move {
            // What no model is shown goes to none for vectors either.
            let Ok(known) = core.secrets.get(&*core.parts.records).await else {
                return;
            };
            let clean = without(&text, &known).unwrap_or(text);
            let short: String = clean.chars().take(MESSAGE_CHARS_MAX).collect();
            match embedder.embed(vec![short]).await {
                Ok(vectors) => {
                    // Nobody may wait for it any more.
                    let _ = sender.send(vectors.into_iter().next().map(Arc::new));
                }
                Err(fault) => tracing::info!(%fault, "tools are found by words alone"),
            }
        })
    }
}

impl Core {
    /// Has the vector of a message made, where there is a model for it.
    pub(crate) fn begin_vector(self: &Arc<Self>, text: &str) {
        if let Some(near) = self.near()
            && let Some(work) = near.begin(self, text)
        {
            self.in_background(work);
        }
    }

    /// Tools by the meaning of a message, if its vector is there or comes within `grace`.
    pub(crate) async fn meant(&self, tools: &Tools, text: &str, grace: Duration) -> Option<Meant> {
        let near = self.near()?;
        if near.catalog != tools.catalog().version() {
            return None;
        }
        let vector = near.vector(text, grace).await?;
        Some(Meant { near, vector })
    }
}

impl crate::Engine {
    /// What the vectors of tools are made of, in the order in which [`Self::set_tool_vectors`] takes them.
    #[must_use]
    pub fn tool_texts(&self) -> Vec<String> {
        let told: Vec<_> = self.core.tools().told().collect();
        told.iter().map(Retriever::text).collect()
    }

    /// Vectors of all tools and the model that made them, for every request from now on; `None`: words alone. Vectors
    /// that do not fit the tools are passed over.
    pub fn set_tool_vectors(&self, vectors: Option<(Arc<dyn Embedder>, Rows)>) {
        let tools = self.core.tools();
        let told: Vec<_> = tools.told().collect();
        let near = vectors.map(|(embedder, rows)| {
            let vectors = ToolVectors {
                model: embedder.id(),
                rows,
            };
            Arc::new(Near {
                retriever: Retriever::new(&told, Some(vectors)),
                catalog: tools.catalog().version(),
                embedder,
                asked: Mutex::default(),
            })
        });
        self.core
            .set_near(near.filter(|near| near.retriever.model().is_some()));
    }
}
