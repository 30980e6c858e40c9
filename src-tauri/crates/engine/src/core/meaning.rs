//! Tool retrieval by the meaning of a message. Text withheld from chat models is withheld from the embedding model too.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::Core;
use crate::retrieval::{Meant, Near};
use crate::secrets::without;
use crate::tools::Tools;

impl Core {
    /// Starts computing a message's vector in the background, if an embedding model is connected.
    pub(crate) fn begin_vector(self: &Arc<Self>, text: &str) {
        let Some(making) = self.near().and_then(|near| near.begin(text)) else {
            return;
        };
        let (core, text) = (self.clone(), text.to_owned());
        self.in_background(async move {
            // Secrets that are masked for models are masked for the embedding model too.
            if let Ok(known) = core.secrets.get(&*core.parts.records).await {
                making.make(&without(&text, &known).unwrap_or(text)).await;
            }
        });
    }

    /// Returns the tools that match the meaning of a message, if its vector is ready or becomes ready within `grace`.
    pub(crate) async fn meant(&self, tools: &Tools, text: &str, grace: Duration) -> Option<Meant> {
        let near = self.near()?;
        near.meant(tools.catalog().version(), text, grace).await
    }

    /// Returns the tool vectors. `None` if no embedding model is connected.
    pub(crate) fn near(&self) -> Option<Arc<Near>> {
        self.near
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set_near(&self, near: Option<Arc<Near>>) {
        *self.near.write().unwrap_or_else(PoisonError::into_inner) = near;
    }
}
