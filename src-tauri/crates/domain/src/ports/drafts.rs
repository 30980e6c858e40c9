//! Drafts that an account stores at its provider, so that the person can continue them in another program.

use async_trait::async_trait;

use crate::ids::RemoteId;
use crate::operation::RemoteFault;

/// Maximum number of drafts read from one account, newest first.
pub const DRAFTS_MAX: usize = 500;

/// The drafts an account stores at its provider. Each name stands for one fixed text: changing a draft gives it a new
/// name, so that a known name need not be read again.
#[async_trait]
pub trait DraftBackend: Send + Sync {
    /// Returns whether the person allows Adjutant to change drafts there.
    fn is_writable(&self) -> bool;

    /// Returns the names of the drafts, oldest first, at most [`DRAFTS_MAX`], or `None` if the account has no drafts
    /// mailbox yet.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not list them.
    async fn drafts(&self) -> Result<Option<Vec<RemoteId>>, RemoteFault>;

    /// Returns the source of a draft.
    ///
    /// # Errors
    /// Returns [`RemoteFault::Gone`] if the draft no longer exists, [`RemoteFault::Refused`] if it is too large.
    async fn draft(&self, id: &RemoteId) -> Result<Vec<u8>, RemoteFault>;

    /// Stores a draft, replacing the one named by `replaces`, and returns its name.
    ///
    /// After an error the draft may have been stored nevertheless; its `Message-ID` shows whether it was.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not confirm.
    async fn put_draft(
        &self,
        mime: &str,
        replaces: Option<&RemoteId>,
    ) -> Result<RemoteId, RemoteFault>;

    /// Removes a draft. Removing one that no longer exists succeeds.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not confirm.
    async fn drop_draft(&self, id: &RemoteId) -> Result<(), RemoteFault>;
}
