//! The one control that stops everything.

use std::pin::Pin;

/// What [`StopSignal::stopped`] gives.
pub type Stopping = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How work that is no turn, such as a job, a download or a connection to a server, hears that the person stopped everything.
pub trait StopSignal: Send + Sync {
    /// Ends when the person stops everything the next time. What was stopped before does not count: work that begins
    /// afterwards was wanted.
    fn stopped(&self) -> Stopping;
}
