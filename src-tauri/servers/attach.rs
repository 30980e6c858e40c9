//! Attaches resources and prompts of servers as notes marked as foreign.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{RecordId, render};
use adjutant_domain::record::{Kind, Note};
use adjutant_domain::server::ServerName;
use adjutant_mcp::{Offers, ServerFault};
use serde_json::{Map, Value};

use super::Servers;

/// Why something could not be attached.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAttached {
    #[error("{0}")]
    Server(#[from] ServerFault),
    #[error("{0}")]
    Store(#[from] StoreFault),
}

/// What to attach.
pub(crate) enum AttachRequest {
    Resource(String),
    Prompt(String, Map<String, Value>),
}

impl Servers {
    /// Returns what a server offers for attaching.
    ///
    /// # Errors
    /// Returns a fault if the server cannot be asked.
    pub(crate) async fn offers(&self, name: &ServerName) -> Result<Offers, ServerFault> {
        self.connection(name).await?.offers().await
    }

    /// Reads a resource or prompt and stores it as a foreign note: a planner sees that the note exists but not its
    /// content.
    ///
    /// # Errors
    /// Returns a fault if it cannot be read or stored.
    pub(crate) async fn attach(
        &self,
        name: &ServerName,
        what: AttachRequest,
    ) -> Result<Note, NotAttached> {
        let connection = self.connection(name).await?;
        let (title, body) = match what {
            AttachRequest::Resource(uri) => (uri.clone(), connection.resource(&uri).await?),
            AttachRequest::Prompt(prompt, args) => {
                let body = connection.prompt(&prompt, args).await?;
                (prompt, body)
            }
        };
        let deps = &self.0.deps;
        let now = deps.clock.now().timestamp();
        let note = Note {
            id: RecordId(render(Kind::Note.prefix(), deps.entropy.bits())),
            title: format!("{} ({name})", adjutant_mcp::clean::line(&title, 120)),
            body,
            tags: vec!["attached".into()],
            created: now,
            updated: now,
            version: 1,
        };
        let kept = deps.store.keep_attached(note.clone(), name.clone()).await;
        kept?;
        Ok(note)
    }
}
