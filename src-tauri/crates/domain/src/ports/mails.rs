//! Completes mails of which only the beginning is stored.

use async_trait::async_trait;

use crate::ids::RecordId;

/// Fetches the rest of mails from their accounts.
#[async_trait]
pub trait WholeMails: Send + Sync {
    /// Fetches and stores whatever the account has of a mail: source, text and attachments. Returns whether that added
    /// anything.
    ///
    /// Asks nobody if the mail is stored completely or lives only on this computer.
    ///
    /// # Errors
    /// Returns [`NotWhole`] if the rest could not be fetched; what is stored then stays as it is.
    async fn complete(&self, mail: &RecordId) -> Result<bool, NotWhole>;
}

/// Why the rest of a mail could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NotWhole {
    /// What happened, as a sentence.
    pub what: String,
    /// What to do next, as a sentence.
    pub next: String,
}

/// Implementation for when no account is connected: there is nothing more than what is stored.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllStored;

#[async_trait]
impl WholeMails for AllStored {
    async fn complete(&self, _: &RecordId) -> Result<bool, NotWhole> {
        Ok(false)
    }
}
