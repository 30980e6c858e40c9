//! Resources and prompts that the person attaches: kept as a note that others wrote.

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

/// What is attached.
pub(crate) enum What {
    Resource(String),
    Prompt(String, Map<String, Value>),
}

impl Servers {
    /// What a server has to attach.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub(crate) async fn offers(&self, name: &ServerName) -> Result<Offers, ServerFault> {
        self.connection(name).await?.offers().await
    }

    /// Reads something of a server and keeps it as a note, which others wrote: a planner sees that there is such a note, and
    /// not what is in it.
    ///
    /// # Errors
    /// When it cannot be read, or not be kept.
    pub(crate) async fn attach(&self, name: &ServerName, what: What) -> Result<Note, NotAttached> {
        let connection = self.connection(name).await?;
        let (title, body) = match what {
            What::Resource(uri) => (uri.clone(), connection.resource(&uri).await?),
            What::Prompt(prompt, args) => {
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
