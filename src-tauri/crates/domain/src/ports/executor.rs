//! How operations leave storage: to the provider of an account, or into a folder.

use std::sync::Arc;

use async_trait::async_trait;

use super::Cx;
use crate::ids::AccountId;
use crate::operation::{Attempt, Ended, Key, Reconciled, RemoteFault, RemoteOp, SaveFile};

/// Carries out operations at the provider of one account.
///
/// The caller has stored an attempt before it calls [`Self::apply`], and stores the outcome afterwards. Whether
/// preconditions (ETag, SEQUENCE, UIDVALIDITY, schema digest) hold is checked by whoever implements this, with a
/// conditional request where the provider has one.
#[async_trait]
pub trait RemoteExecutor: Send + Sync {
    /// Carries out one operation. Asked again with the same key it does nothing a second time, and confirms the first.
    async fn apply(&self, op: &RemoteOp, key: &Key) -> Ended;

    /// Whether what an operation counts on still holds (ETag, SEQUENCE, UID with UIDVALIDITY, schema digest). Changes nothing.
    ///
    /// # Errors
    /// [`RemoteFault::Conflict`] or [`RemoteFault::Gone`] where it does not; any other where that cannot be told now.
    async fn check(&self, op: &RemoteOp) -> Result<(), RemoteFault>;

    /// Looks whether an attempt whose outcome is unknown was carried out: Message-ID in Sent, event identifier and
    /// SEQUENCE, a read after a deletion. Changes nothing.
    async fn reconcile(&self, op: &RemoteOp, attempt: &Attempt) -> Reconciled;
}

/// Who carries out operations for which account.
#[async_trait]
pub trait Executors: Send + Sync {
    /// The executor of an account; none where the account is not known, or not connected any more.
    fn of(&self, account: &AccountId) -> Option<Arc<dyn RemoteExecutor>>;

    /// Reads an account anew, because something there is not what is stored here.
    ///
    /// # Errors
    /// When it cannot be read now; what is stored stays as it is.
    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault>;
}

/// No account is connected.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAccounts;

#[async_trait]
impl Executors for NoAccounts {
    fn of(&self, _: &AccountId) -> Option<Arc<dyn RemoteExecutor>> {
        None
    }

    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault> {
        Err(RemoteFault::NotSignedIn {
            account: account.clone(),
        })
    }
}

/// How files are saved. The same rules as for [`RemoteExecutor`]: an attempt is stored before [`Self::save`], its outcome
/// afterwards.
#[async_trait]
pub trait Files: Send + Sync {
    /// Writes a new file and reads it back; never over another one. A file that is there with these very bytes counts as
    /// written.
    async fn save(&self, file: &SaveFile, cx: &Cx) -> Ended;

    /// Looks whether the file lies at its path with the bytes that were shown. Changes nothing.
    async fn reconcile(&self, file: &SaveFile) -> Reconciled;
}
