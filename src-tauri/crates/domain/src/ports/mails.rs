//! Mails of which only the beginning is stored.

use async_trait::async_trait;

use crate::ids::RecordId;

/// Gets the rest of mails from the accounts they lie in.
#[async_trait]
pub trait WholeMails: Send + Sync {
    /// Has all of a mail stored that its account has: its source, its text, its attached files. Nothing is asked where all
    /// of it is stored, or where the mail is only on this computer. Tells whether there is more of it now.
    ///
    /// # Errors
    /// When the rest was not got; what is stored stays as it is.
    async fn complete(&self, mail: &RecordId) -> Result<bool, NotWhole>;
}

/// Why the rest of a mail was not got.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NotWhole {
    /// What happened, as a sentence.
    pub what: String,
    /// What to do next, as a sentence.
    pub next: String,
}

/// No account is connected: what is stored is all there is.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllStored;

#[async_trait]
impl WholeMails for AllStored {
    async fn complete(&self, _: &RecordId) -> Result<bool, NotWhole> {
        Ok(false)
    }
}
