//! What a server may ask of us: nothing. It is told so, and what it wanted to say to the person is kept to be shown as its
//! own words.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    Implementation,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use tokio::sync::watch;

use crate::clean;

/// Questions of a server that are kept until they are shown.
const ASKED_MAX: usize = 8;
/// Characters of one.
const ASKED_CHARS_MAX: usize = 400;

/// Our side of a connection.
#[derive(Clone)]
pub(crate) struct Handler {
    /// Counts how often the tools changed.
    changes: Arc<watch::Sender<u64>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Handler {
    pub(crate) fn new() -> Self {
        Self {
            changes: Arc::new(watch::Sender::new(0)),
            asked: Arc::default(),
        }
    }

    pub(crate) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// What the server wanted to ask the person since this was called last; all of it was declined.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, words: &str) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < ASKED_MAX {
            asked.push(clean::line(words, ASKED_CHARS_MAX));
        }
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        // No capabilities: a server that keeps to the protocol asks for no sampling, no roots and no input.
        let us = Implementation::new("adjutant", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        match &request {
            ElicitRequestParams::FormElicitationParams { message, .. }
            | ElicitRequestParams::UrlElicitationParams { message, .. } => self.note(message),
            _ => {}
        }
        Ok(ElicitResult::new(ElicitationAction::Decline))
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed();
    }
}
