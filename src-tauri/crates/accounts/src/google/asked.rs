//! What was asked for in this run of the program. Google does most things once by their own nature: a chosen identifier, a
//! state that is counted on. Deleting, and adding a task, are the others.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use adjutant_domain::operation::{Key, Receipt};

/// Keys that are remembered.
const KEYS_MAX: usize = 256;

/// Operations that were asked for, with their receipts where they are certain. After a restart the caller looks first what
/// became of an operation (`reconcile`).
#[derive(Default)]
pub(super) struct Asked(Mutex<VecDeque<(Key, Option<Receipt>)>>);

/// What is known of an operation.
pub(super) enum Before {
    /// It was not asked for, or was refused.
    Never,
    /// It was asked for, and may have been done.
    Perhaps,
    Done(Receipt),
}

impl Asked {
    /// An operation is about to be asked for; tells what is known of it.
    pub(super) fn begin(&self, key: &Key) -> Before {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, receipt)) = keys.iter().find(|(one, _)| one == key) {
            return receipt.clone().map_or(Before::Perhaps, Before::Done);
        }
        if keys.len() >= KEYS_MAX {
            keys.pop_front();
        }
        keys.push_back((key.clone(), None));
        Before::Never
    }

    /// It was refused: nothing was done under this key.
    pub(super) fn refused(&self, key: &Key) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|(one, _)| one != key);
    }

    /// It was done.
    pub(super) fn done(&self, key: &Key, receipt: &Receipt) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = keys.iter_mut().find(|(one, _)| one == key) {
            *known = Some(receipt.clone());
        }
    }
}
