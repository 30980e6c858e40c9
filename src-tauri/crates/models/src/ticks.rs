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
pub struct SinceStart {
    start: Instant,
    past: Duration,
}

impl SinceStart {
    /// Begins now.
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

    /// The same with a past: what was up to so long before the start has a time as well.
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

/// A moment by which something shall have happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    since: SinceStart,
    /// How long it is from the beginning on.
    pub(crate) within: Duration,
}

impl Until {
    /// So long from now on.
    pub(crate) fn from_now(within: Duration) -> Self {
        Self {
            since: SinceStart::new(),
            within,
        }
    }

    /// Time that is left; zero when it has passed.
    pub(crate) fn left(&self) -> Duration {
        self.within.saturating_sub(self.since.elapsed())
    }

    /// Time since the beginning.
    pub(crate) fn gone(&self) -> Duration {
        self.since.elapsed()
    }
}
