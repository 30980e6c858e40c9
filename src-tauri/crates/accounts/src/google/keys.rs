//! Operations that were asked for since the program started. Google does not know our keys: where one comes again, what
//! became of the first time is looked for.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use adjutant_domain::operation::Key;

/// Keys that are remembered; the oldest goes first.
const KEYS_MAX: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Keys(Mutex<VecDeque<Key>>);

impl Keys {
    /// Whether an operation was asked for before.
    pub(super) fn has(&self, key: &Key) -> bool {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.contains(key)
    }

    /// Remembers that an operation is asked for.
    pub(super) fn add(&self, key: &Key) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() >= KEYS_MAX {
            keys.pop_front();
        }
        keys.push_back(key.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_keys_are_remembered() {
        let keys = Keys::default();
        let key = |at: usize| Key(at.to_string());
        (0..=KEYS_MAX).for_each(|at| keys.add(&key(at)));
        assert!(!keys.has(&key(0)) && keys.has(&key(1)) && keys.has(&key(KEYS_MAX)));
    }
}
