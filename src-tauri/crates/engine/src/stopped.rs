//! The one control that stops everything, as work beside the turns hears it.

use std::sync::Arc;

use adjutant_domain::ports::{StopSignal, Stopping};
use tokio::sync::Notify;

/// Tells whoever waits that everything was stopped.
#[derive(Debug, Default)]
pub struct Stopped(Arc<Notify>);

impl Stopped {
    /// The person stopped everything.
    pub(crate) fn tell(&self) {
        self.0.notify_waiters();
    }
}

impl StopSignal for Stopped {
    fn stopped(&self) -> Stopping {
        // Waits from now on, not from when it is first looked at.
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
