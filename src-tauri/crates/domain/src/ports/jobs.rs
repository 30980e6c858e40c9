//! The table of jobs. What a job may become is decided by [`Job`]; here it is kept, each method in one transaction.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::faults::StoreFault;
use crate::ids::JobId;
use crate::job::{Claim, Ended, Given, Job, Progress};

/// Jobs as stored. Those that follow from records and actions are planned by storage in the transaction that writes
/// these, by [`crate::job::planned_for`] and [`crate::job::planned_for_action`].
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Leases jobs that are due, earliest first, at most [`Claim::limit`]. Two who ask at once never get the same one.
    async fn claim(&self, claim: &Claim) -> Result<Vec<Given>, StoreFault>;

    /// Stores a job that begins at its time; what is there under its name stays as it is.
    async fn plan(&self, job: &Job) -> Result<(), StoreFault>;

    /// Leases a job that begins now, whatever its time; `None` while somebody works on it.
    async fn begin(&self, job: &Job, claim: &Claim) -> Result<Option<Job>, StoreFault>;

    /// Renews the lease of [`Claim::holder`], with how far the work is. `false` when the job is not its any more.
    async fn renew(
        &self,
        id: &JobId,
        claim: &Claim,
        progress: Option<Progress>,
    ) -> Result<bool, StoreFault>;

    /// Notes how attempts of [`Claim::holder`] ended at [`Claim::now`]. Gives the jobs that were still its own; the others changed meanwhile.
    async fn settle(&self, claim: &Claim, ended: &[(JobId, Ended)])
    -> Result<Vec<Job>, StoreFault>;

    /// Breaks all leases: whoever calls this holds the profile, so every holder of before is gone.
    async fn release_all(&self) -> Result<(), StoreFault>;

    /// The earliest instant at which a job can be claimed.
    async fn next_at(&self) -> Result<Option<Timestamp>, StoreFault>;
}
