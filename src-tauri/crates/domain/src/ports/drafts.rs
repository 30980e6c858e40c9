//! Drafts that an account keeps at its provider, so that they can be gone on with in another program.

use async_trait::async_trait;

use crate::ids::RemoteId;
use crate::operation::RemoteFault;

/// Drafts of one account that are read. One with more is read up to here, the newest.
pub const DRAFTS_MAX: usize = 500;

/// The drafts of an account at its provider. A name stands for one text: a draft that is changed has another name
/// afterwards, so that a known name needs no reading.
#[async_trait]
pub trait DraftBackend: Send + Sync {
    /// Whether the person lets this program change what lies there.
    fn is_writable(&self) -> bool;

    /// The names of the drafts there are, oldest first, at most [`DRAFTS_MAX`]; none where there is no place for drafts
    /// yet.
    ///
    /// # Errors
    /// When the provider does not list them.
    async fn drafts(&self) -> Result<Option<Vec<RemoteId>>, RemoteFault>;

    /// The source of a draft.
    ///
    /// # Errors
    /// [`RemoteFault::Gone`] when it is not there any more, [`RemoteFault::Refused`] when it is too large.
    async fn draft(&self, id: &RemoteId) -> Result<Vec<u8>, RemoteFault>;

    /// Stores a draft, in place of another one where that is named, and gives its name. A fault does not say that nothing
    /// was stored: the `Message-ID` of the source tells whether it is there.
    ///
    /// # Errors
    /// When the provider does not confirm it.
    async fn put_draft(
        &self,
        mime: &str,
        replaces: Option<&RemoteId>,
    ) -> Result<RemoteId, RemoteFault>;

    /// Removes a draft; one that is not there any more is removed.
    ///
    /// # Errors
    /// When the provider does not confirm it.
    async fn drop_draft(&self, id: &RemoteId) -> Result<(), RemoteFault>;
}
