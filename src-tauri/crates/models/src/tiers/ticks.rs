//! How long things take. The clock of the person can be set back; this one cannot.

use std::time::Duration;

use tokio::time::Instant;

/// Time that only goes forward.
pub trait Ticks: Send + Sync {
    /// Time since some fixed instant.
    fn elapsed(&self) -> Duration;
}

/// Time since this was made, by the monotonic clock of the system (of a test's runtime, where time is paused).
#[derive(Clone, Copy, Debug)]
pub struct SinceStart(Instant);

impl SinceStart {
    /// Begins now.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the monotonic clock behind the port Ticks"
    )]
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Default for SinceStart {
    fn default() -> Self {
        Self::new()
    }
}

impl Ticks for SinceStart {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
