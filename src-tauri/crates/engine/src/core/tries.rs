//! When approvals that wait for a connection are tried again.

use std::sync::PoisonError;

use adjutant_domain::gate::PendingAction;
use adjutant_domain::ids::ActionId;
use jiff::{SignedDuration, Timestamp};

use super::Core;

/// The first pause between two tries; each is twice as long as the one before.
const PAUSE_FIRST: SignedDuration = SignedDuration::from_secs(60);
/// The longest pause.
const PAUSE_MAX: SignedDuration = SignedDuration::from_mins(30);

/// When an approval is tried again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tries {
    /// When.
    pub(crate) next: Timestamp,
    pause: SignedDuration,
}

impl Tries {
    /// After a try now.
    pub(crate) fn after(before: Option<Self>, now: Timestamp) -> Self {
        let pause = before.map_or(PAUSE_FIRST, |before| {
            before.pause.saturating_add(before.pause).min(PAUSE_MAX)
        });
        Self {
            next: now.checked_add(pause).unwrap_or(Timestamp::MAX),
            pause,
        }
    }
}

impl Core {
    /// When an approval that waits for a connection is tried again; none before its first try in this process.
    pub(crate) fn tries(&self, id: &ActionId) -> Option<Tries> {
        let tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.get(id).copied()
    }

    pub(crate) fn set_tries(&self, id: &ActionId, next: Tries) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.insert(id.clone(), next);
    }

    /// Forgets the tries of everything but these.
    pub(crate) fn keep_tries(&self, waiting: &[PendingAction]) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.retain(|id, _| waiting.iter().any(|action| action.id == *id));
    }
}
