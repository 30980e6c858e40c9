//! The control that stops everything.

use std::pin::Pin;

/// Future returned by [`StopSignal::stopped`].
pub type Stopping = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Tells work outside turns, such as a job, a download or a connection to a server, that the person stopped everything.
pub trait StopSignal: Send + Sync {
    /// Completes the next time the person stops everything. Earlier stops do not count, because work that begins after
    /// them is wanted.
    fn stopped(&self) -> Stopping;
}
