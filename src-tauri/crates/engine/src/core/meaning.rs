//! Tools by what a message means: who makes the vector of a message, and what of it a model for vectors is shown.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::Core;
use crate::retrieval::{Meant, Near};
use crate::secrets::without;
use crate::tools::Tools;

impl Core {
    /// Has the vector of a message made beside everything else, where there is a model for it.
    pub(crate) fn begin_vector(self: &Arc<Self>, text: &str) {
        let Some(making) = self.near().and_then(|near| near.begin(text)) else {
            return;
        };
        let (core, text) = (self.clone(), text.to_owned());
        self.in_background(async move {
            // What no model is shown goes to none for vectors either.
            if let Ok(known) = core.secrets.get(&*core.parts.records).await {
                making.make(&without(&text, &known).unwrap_or(text)).await;
            }
        });
    }

    /// Tools by the meaning of a message, if its vector is there or comes within `grace`.
    pub(crate) async fn meant(&self, tools: &Tools, text: &str, grace: Duration) -> Option<Meant> {
        let near = self.near()?;
        near.meant(tools.catalog().version(), text, grace).await
    }

    /// Finds tools by meaning; none where there are no vectors.
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
