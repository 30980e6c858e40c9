//! Receipts, how operations ended, and deleting once.

use adjutant_domain::operation::{Ended, Etag, Key, Receipt, Reconciled, RemoteFault, RemoteId};
use adjutant_domain::record::Address;

use super::client::{Client, Failed};
use crate::asked::Before;

impl Client {
    /// The receipt for what was done now.
    pub(super) fn receipt(
        &self,
        remote_id: Option<RemoteId>,
        etag: Option<Etag>,
        accepted: Vec<Address>,
    ) -> Receipt {
        Receipt::Remote {
            account: self.account.clone(),
            remote_id,
            etag,
            accepted,
            refused: Vec::new(),
            at: self.clock.now().timestamp(),
        }
    }

    /// Deletes something by `deleting`. Where it is gone already, it was deleted by this operation if that was asked for
    /// before, and by somebody else otherwise.
    pub(super) async fn delete_once(
        &self,
        key: &Key,
        id: &RemoteId,
        deleting: impl Future<Output = Result<(), Failed>>,
    ) -> Result<Receipt, Failed> {
        let before = self.asked.begin(key, self.clock.now().timestamp());
        if let Before::Done(receipt) = before {
            return Ok(receipt);
        }
        match deleting.await {
            Ok(()) => {}
            Err(failed) if failed.is_gone() && before != Before::Never => {}
            Err(failed) => {
                if matches!(failed, Failed::Refused { .. }) {
                    self.asked.refused(key, &before);
                }
                return Err(failed);
            }
        }
        let receipt = self.receipt(Some(id.clone()), None, Vec::new());
        self.asked.done(key, &receipt);
        Ok(receipt)
    }
}

/// How an operation ended.
pub(super) fn ended(done: Result<Receipt, Failed>) -> Ended {
    match done {
        Ok(receipt) => Ended::Done { receipt },
        Err(failed) => failed.into(),
    }
}

/// What was seen of an operation whose outcome is unknown; none where nothing was done.
pub(super) fn seen(found: Result<Option<Receipt>, RemoteFault>) -> Reconciled {
    match found {
        Ok(Some(receipt)) => Reconciled::Done { receipt },
        Ok(None) => Reconciled::NotDone,
        Err(fault) => Reconciled::NotNow { fault },
    }
}

impl Failed {
    /// Whether it is not there.
    pub(super) fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                fault: RemoteFault::Gone,
                ..
            }
        )
    }

    /// Whether it is in another state than the one that is counted on.
    pub(super) fn is_conflict(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                fault: RemoteFault::Conflict { .. },
                ..
            }
        )
    }
}
