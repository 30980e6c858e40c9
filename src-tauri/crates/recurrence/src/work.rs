//! Work budget of one query.

/// Maximum number of steps for one series. A step examines a period, a day or a time. Enough for every day of 270
/// years, in about 5 ms.
const SERIES_STEPS_MAX: u32 = 100_000;
/// Maximum number of steps for all series of one query, about a quarter of a second: 5,000 series, each examined day by
/// day over more than a year.
const QUESTION_STEPS_MAX: u32 = 4_000_000;

/// Remaining work budget of one query.
#[derive(Debug)]
pub struct Work {
    question: u32,
    series: u32,
}

/// Error: the work budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfWork;

impl Default for Work {
    fn default() -> Self {
        Self {
            question: QUESTION_STEPS_MAX,
            series: SERIES_STEPS_MAX,
        }
    }
}

impl Work {
    /// Gives the next series a fresh budget of its own, within that of the query.
    pub fn next_series(&mut self) {
        self.series = SERIES_STEPS_MAX;
    }

    pub(crate) fn spend(&mut self, steps: u32) -> Result<(), OutOfWork> {
        let left = |of: u32| of.checked_sub(steps).ok_or(OutOfWork);
        (self.series, self.question) = (left(self.series)?, left(self.question)?);
        Ok(())
    }
}
