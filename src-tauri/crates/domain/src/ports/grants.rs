//! Standing grants and the count of what ran unasked, as storage keeps them.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::faults::StoreFault;
use crate::gate::{Grant, Unasked};
use crate::ids::GrantId;

/// The durable side of standing grants. Each method that writes is one transaction.
#[async_trait]
pub trait Grants: Send + Sync {
    /// Stores a grant in the place of one for the same scope.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when its card does not wait any more, or [`crate::gate::grant::GRANTS_MAX`] hold already.
    async fn add_grant(&self, grant: &Grant) -> Result<(), StoreFault>;

    /// All grants that may still hold or were used, latest first.
    async fn grants(&self) -> Result<Vec<Grant>, StoreFault>;

    /// Takes a grant back. What began by it goes on; nothing begins by it any more.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] where there is none, [`StoreFault::Conflict`] where it was taken back before.
    async fn revoke_grant(&self, id: &GrantId, at: Timestamp) -> Result<(), StoreFault>;

    /// Gives a grant back that was taken back a moment ago, as it was.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] where there is none, [`StoreFault::Conflict`] where it was not taken back within the last
    /// [`crate::gate::grant::RESTORABLE`], its date is over, or another one for the same scope holds.
    async fn restore_grant(&self, id: &GrantId, at: Timestamp) -> Result<(), StoreFault>;

    /// Counts a read that nobody was asked about and that carries something out, before its first byte leaves.
    ///
    /// # Errors
    /// [`StoreFault::TooOften`] when the hour is full, [`StoreFault::Conflict`] when its grant does not hold any more: it
    /// must not begin.
    async fn note_unasked(&self, run: &Unasked, at: Timestamp) -> Result<(), StoreFault>;
}
