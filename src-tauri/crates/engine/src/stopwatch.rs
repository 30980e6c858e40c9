//! Measures durations. Nothing is decided by them, so this is not a clock in the sense of the port.

use std::time::Instant;

/// A running measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "durations are reported, never decided on; with a fixed clock they stay real"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the milliseconds since the start.
    pub(crate) fn ms(self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Logs how long a stage took; `observe` makes histograms of it.
    pub(crate) fn stage(self, stage: &'static str) {
        let micros = u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX);
        tracing::debug!(target: "adjutant::stage", stage, micros);
    }
}
