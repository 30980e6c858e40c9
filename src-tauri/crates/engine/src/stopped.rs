//! The signal that the person stopped everything, for work beside the turns.

use std::sync::Arc;

use adjutant_domain::ports::{StopSignal, Stopping};
use tokio::sync::Notify;

/// Notifies all waiters when the person stops everything.
#[derive(Debug, Default)]
pub struct Stopped(Arc<Notify>);

impl Stopped {
    /// Signals that the person stopped everything.
    pub(crate) fn tell(&self) {
        self.0.notify_waiters();
    }
}

impl StopSignal for Stopped {
    fn stopped(&self) -> Stopping {
        // Register now, not when the future is first polled.
        let next = self.0.clone().notified_owned();
        Box::pin(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    #[test]
    fn only_the_next_stop_counts() {
        let stopped = Stopped::default();
        stopped.tell();
        let (first, second) = (stopped.stopped(), stopped.stopped());
        stopped.tell();
        assert_eq!(first.now_or_never(), Some(()));
        assert_eq!(second.now_or_never(), Some(()));
        assert_eq!(stopped.stopped().now_or_never(), None);
    }
}
