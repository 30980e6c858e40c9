//! When storage is tidied: in a quiet moment after something was written, seldom.

use std::time::Duration;

use tokio::time::Instant;

/// Nothing was written for this long: the person does something else.
const QUIET: Duration = Duration::from_secs(10 * 60);
/// At least this long between two times.
const BETWEEN: Duration = Duration::from_secs(6 * 60 * 60);

/// This moment on the clock that only runs forward. Nothing a person sees depends on it.
#[expect(
    clippy::disallowed_methods,
    reason = "how long it has been quiet is measured, whatever the person's clock says"
)]
pub(super) fn moment() -> Instant {
    Instant::now()
}

/// Remembers what was written and when storage was tidied last.
#[derive(Debug, Default)]
pub(super) struct TidyTimer {
    tidied: Option<Instant>,
    written: Option<Instant>,
}

impl TidyTimer {
    /// Something was written.
    pub(super) fn written(&mut self, now: Instant) {
        self.written = Some(now);
    }

    /// When to tidy next; `None` while nothing was written since the last time.
    pub(super) fn due(&self) -> Option<Instant> {
        let quiet = self.written? + QUIET;
        Some(self.tidied.map_or(quiet, |last| quiet.max(last + BETWEEN)))
    }

    /// Whether somebody who asks for what is due may have it tidied now: nobody did for long enough.
    pub(super) fn may(&self, now: Instant) -> bool {
        self.tidied.is_none_or(|last| now >= last + BETWEEN)
    }

    /// Storage is being tidied.
    pub(super) fn tidied(&mut self, now: Instant) {
        self.tidied = Some(now);
        self.written = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_moment_follows_what_was_written() {
        let start = moment();
        let mut quiet = TidyTimer::default();
        assert_eq!(quiet.due(), None, "nothing was written");
        quiet.written(start);
        assert_eq!(quiet.due(), Some(start + QUIET));
        quiet.written(start + QUIET / 2);
        assert_eq!(
            quiet.due(),
            Some(start + QUIET / 2 + QUIET),
            "it was not quiet"
        );
    }

    #[test]
    fn it_happens_seldom() {
        let start = moment();
        let mut quiet = TidyTimer::default();
        assert!(quiet.may(start));
        quiet.written(start);
        quiet.tidied(start + QUIET);
        assert_eq!(quiet.due(), None, "nothing was written since");
        quiet.written(start + 2 * QUIET);
        assert_eq!(quiet.due(), Some(start + QUIET + BETWEEN));
        assert!(!quiet.may(start + 2 * QUIET));
        assert!(quiet.may(start + QUIET + BETWEEN));
    }
}
