//! Handles requests from servers by declining all of them. Keeps what a server wanted to ask the person, to be shown as
//! the server's own words.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    Implementation,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use tokio::sync::watch;

use crate::clean;

/// Maximum number of questions kept until they are shown.
const ASKED_MAX: usize = 8;
/// Maximum number of characters kept of each question.
const ASKED_CHARS_MAX: usize = 400;

/// The client side of a connection.
#[derive(Clone)]
pub(crate) struct Handler {
    /// Counts the server's notices that its tools changed.
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

    /// Takes the questions that the server wanted to ask the person since the last call; all were declined.
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
        // Announce no capabilities, so that a conforming server requests no sampling, roots or input.
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
