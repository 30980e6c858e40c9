//! Remembers which operations were requested since the program started. Most provider operations are idempotent,
//! because they carry an identifier chosen here or a precondition on the current state. Deleting, sending, and adding
//! records whose names the server chooses are not. After a restart the caller first checks what became of an operation
//! (`reconcile`).

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_domain::operation::{Key, Receipt};
use jiff::Timestamp;

/// Maximum number of remembered operations; the oldest is dropped first.
const KEYS_MAX: usize = 256;

/// Requested operations, each with its receipt once the outcome is certain.
#[derive(Default)]
pub(crate) struct OperationLog(Mutex<VecDeque<One>>);

struct One {
    key: Key,
    since: Timestamp,
    receipt: Option<Receipt>,
}

/// What is known about an operation before it is requested.
#[derive(Debug, PartialEq)]
pub(crate) enum Before {
    /// The operation was never requested, or the server refused it.
    Never,
    /// The operation was first requested at this time and may have been carried out.
    Perhaps(Timestamp),
    Done(Receipt),
}

impl OperationLog {
    fn all(&self) -> MutexGuard<'_, VecDeque<One>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that an operation is about to be requested and returns what was known about it before.
    pub(crate) fn begin(&self, key: &Key, now: Timestamp) -> Before {
        let mut all = self.all();
        if let Some(one) = all.iter().find(|one| one.key == *key) {
            let receipt = one.receipt.clone();
            return receipt.map_or(Before::Perhaps(one.since), Before::Done);
        }
        if all.len() >= KEYS_MAX {
            all.pop_front();
        }
        all.push_back(One {
            key: key.clone(),
            since: now,
            receipt: None,
        });
        Before::Never
    }

    /// Records that the server refused the request. An earlier request that may have succeeded stays on record.
    pub(crate) fn refused(&self, key: &Key, before: &Before) {
        if *before == Before::Never {
            self.forget(key);
        }
    }

    /// Forgets an operation that certainly was not carried out.
    pub(crate) fn forget(&self, key: &Key) {
        self.all().retain(|one| one.key != *key);
    }

    /// Stores the receipt of an operation that was carried out.
    pub(crate) fn done(&self, key: &Key, receipt: &Receipt) {
        if let Some(one) = self.all().iter_mut().find(|one| one.key == *key) {
            one.receipt = Some(receipt.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::ids::AccountId;

    fn key(at: usize) -> Key {
        Key(at.to_string())
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn the_last_operations_are_remembered_with_their_first_time() {
        let asked = OperationLog::default();
        for number in 0..=KEYS_MAX {
            assert_eq!(asked.begin(&key(number), at(7)), Before::Never);
        }
        assert_eq!(asked.begin(&key(1), at(9)), Before::Perhaps(at(7)));
        assert_eq!(asked.begin(&key(0), at(9)), Before::Never, "it went first");
        let receipt = Receipt::Remote {
            account: AccountId::local(),
            remote_id: None,
            etag: None,
            accepted: Vec::new(),
            refused: Vec::new(),
            at: at(9),
        };
        asked.done(&key(2), &receipt);
        assert_eq!(asked.begin(&key(2), at(9)), Before::Done(receipt));
    }

    #[test]
    fn a_refusal_says_nothing_of_an_earlier_try() {
        let asked = OperationLog::default();
        let first = asked.begin(&key(1), at(7));
        asked.refused(&key(1), &first);
        assert_eq!(asked.begin(&key(1), at(8)), Before::Never);
        let second = asked.begin(&key(1), at(9));
        asked.refused(&key(1), &second);
        assert_eq!(asked.begin(&key(1), at(9)), Before::Perhaps(at(8)));
        asked.forget(&key(1));
        assert_eq!(asked.begin(&key(1), at(9)), Before::Never);
    }
}
