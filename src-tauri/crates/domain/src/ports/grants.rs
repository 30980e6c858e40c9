//! Standing grants and the count of unasked calls, as stored.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::faults::StoreFault;
use crate::gate::{Grant, Unasked};
use crate::ids::GrantId;

/// Storage of standing grants. Each writing method is one transaction.
#[async_trait]
pub trait Grants: Send + Sync {
    /// Stores a grant, replacing one for the same scope.
    ///
    /// # Errors
    /// Returns [`StoreFault::Conflict`] if its card no longer waits, or if [`crate::gate::grant::GRANTS_MAX`] grants
    /// hold already.
    async fn add_grant(&self, grant: &Grant) -> Result<(), StoreFault>;

    /// Returns all grants that may still hold or were used, latest first.
    async fn grants(&self) -> Result<Vec<Grant>, StoreFault>;

    /// Revokes a grant. Calls that it allowed and that have begun continue, those that wait are not done, and it allows
    /// no new ones.
    ///
    /// # Errors
    /// Returns [`StoreFault::Missing`] if there is no such grant, [`StoreFault::Conflict`] if it was already revoked.
    async fn revoke_grant(&self, id: &GrantId, at: Timestamp) -> Result<(), StoreFault>;

    /// Restores a grant that was revoked a moment ago.
    ///
    /// # Errors
    /// Returns [`StoreFault::Missing`] if there is no such grant; [`StoreFault::Conflict`] if it was not revoked within
    /// the last [`crate::gate::grant::RESTORABLE`], has expired, or another grant for the same scope holds.
    async fn restore_grant(&self, id: &GrantId, at: Timestamp) -> Result<(), StoreFault>;

    /// Counts an unasked read that sends something out, before its first byte leaves.
    ///
    /// # Errors
    /// Returns [`StoreFault::TooOften`] if the tool has used up its hourly runs, [`StoreFault::Conflict`] if its grant
    /// no longer holds. The read must then not begin.
    async fn note_unasked(&self, run: &Unasked, at: Timestamp) -> Result<(), StoreFault>;
}
