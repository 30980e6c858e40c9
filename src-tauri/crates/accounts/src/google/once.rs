//! Builds receipts, converts outcomes, and deletes records without repeating a completed deletion.

use adjutant_domain::operation::{Ended, Etag, Key, Receipt, Reconciled, RemoteFault, RemoteId};
use adjutant_domain::record::Address;

use super::client::{Client, Failed};
use crate::operation_log::Before;

impl Client {
    /// Builds the receipt of an operation just carried out.
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

    /// Runs `deleting` unless this operation already completed. If the record is already gone, the operation counts as
    /// done if it requested the deletion before; otherwise somebody else deleted the record.
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

/// Converts a result to the outcome of an operation.
pub(super) fn ended(done: Result<Receipt, Failed>) -> Ended {
    match done {
        Ok(receipt) => Ended::Done { receipt },
        Err(failed) => failed.into(),
    }
}

/// Converts what reconciling found; `None` means that nothing was done.
pub(super) fn seen(found: Result<Option<Receipt>, RemoteFault>) -> Reconciled {
    match found {
        Ok(Some(receipt)) => Reconciled::Done { receipt },
        Ok(None) => Reconciled::NotDone,
        Err(fault) => Reconciled::NotNow { fault },
    }
}

impl Failed {
    /// Tells whether the record does not exist.
    pub(super) fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                fault: RemoteFault::Gone,
                ..
            }
        )
    }

    /// Tells whether the record is not in the expected state.
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
