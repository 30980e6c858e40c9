//! The table of jobs. [`Job`] decides state transitions; implementations store them, one transaction per method.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::faults::StoreFault;
use crate::ids::JobId;
use crate::job::{Claim, Ended, Given, Job, Progress};

/// Stored jobs. Storage itself plans the jobs that follow from records and actions, in the transaction that writes
/// those, using [`crate::job::planned_for`] and [`crate::job::planned_for_action`].
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Leases due jobs, earliest first, at most [`Claim::limit`]. No two claimers ever get the same job.
    async fn claim(&self, claim: &Claim) -> Result<Vec<Given>, StoreFault>;

    /// Stores a job that starts at its time, unless a job of the same name exists.
    async fn plan(&self, job: &Job) -> Result<(), StoreFault>;

    /// Leases a job that starts now, whatever its time. Returns `None` while somebody works on it.
    async fn begin(&self, job: &Job, claim: &Claim) -> Result<Option<Job>, StoreFault>;

    /// Renews the lease of [`Claim::holder`] and records progress. Returns `false` if that holder no longer has the
    /// job.
    async fn renew(
        &self,
        id: &JobId,
        claim: &Claim,
        progress: Option<Progress>,
    ) -> Result<bool, StoreFault>;

    /// Records how attempts of [`Claim::holder`] ended at [`Claim::now`]. Returns the jobs that holder still had; the
    /// others changed meanwhile.
    async fn settle(&self, claim: &Claim, ended: &[(JobId, Ended)])
    -> Result<Vec<Job>, StoreFault>;

    /// Lets those of these jobs run at `now` that wait after a failed attempt. Returns whether there are any.
    async fn hurry(&self, ids: &[JobId], now: Timestamp) -> Result<bool, StoreFault>;

    /// Returns whether somebody works on a job: whether its lease holds at `now`.
    async fn is_leased(&self, id: &JobId, now: Timestamp) -> Result<bool, StoreFault>;

    /// Breaks all leases. The caller holds the profile, so every earlier holder is gone.
    async fn release_all(&self) -> Result<(), StoreFault>;

    /// Returns the earliest instant at which a job can be claimed.
    async fn next_at(&self) -> Result<Option<Timestamp>, StoreFault>;
}
