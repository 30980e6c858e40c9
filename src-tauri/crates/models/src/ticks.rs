//! Measures how long things take. The person's clock can be set back; this one cannot.

use std::time::Duration;

use tokio::time::Instant;

/// A clock that only goes forward.
pub trait Ticks: Send + Sync {
    /// Returns the time since some fixed instant.
    fn elapsed(&self) -> Duration;
}

/// A clock that starts when created and follows the system's monotonic clock (or the paused time of a test's
/// runtime).
#[derive(Clone, Copy, Debug)]
pub struct SinceStart {
    start: Instant,
    past: Duration,
}

impl SinceStart {
    /// Starts a clock now.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the monotonic clock behind the port Ticks"
    )]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            past: Duration::ZERO,
        }
    }

    /// Returns the same clock with a past, so that events up to that long before its start have a time too.
    #[must_use]
    pub const fn with_past(self, past: Duration) -> Self {
        Self { past, ..self }
    }
}

impl Default for SinceStart {
    fn default() -> Self {
        Self::new()
    }
}

impl Ticks for SinceStart {
    fn elapsed(&self) -> Duration {
        self.past + self.start.elapsed()
    }
}

/// A time limit that starts to run when it is created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    since: SinceStart,
    /// Length of the limit.
    pub(crate) within: Duration,
}

impl Until {
    /// Starts a limit of this length now.
    pub(crate) fn from_now(within: Duration) -> Self {
        Self {
            since: SinceStart::new(),
            within,
        }
    }

    /// Returns the time left; zero once the limit has passed.
    pub(crate) fn left(&self) -> Duration {
        self.within.saturating_sub(self.since.elapsed())
    }

    /// Returns the time since the start.
    pub(crate) fn gone(&self) -> Duration {
        self.since.elapsed()
    }
}
