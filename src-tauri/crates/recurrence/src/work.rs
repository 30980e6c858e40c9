//! The bound of work of one question.

/// Steps one series may cost; a step is a period, a day or a time that is looked at. Every day of 270 years, about 5 ms.
const SERIES_STEPS_MAX: u32 = 100_000;
/// Steps all series of one question may cost, about a quarter of a second: 5,000 series looked at over a year and more
/// day by day.
const QUESTION_STEPS_MAX: u32 = 4_000_000;

/// The steps that one question may still cost.
#[derive(Debug)]
pub struct Work {
    question: u32,
    series: u32,
}

/// The bound of work was reached.
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
    /// Gives the next series its own share of what is left.
    pub fn next_series(&mut self) {
        self.series = SERIES_STEPS_MAX;
    }

    pub(crate) fn spend(&mut self, steps: u32) -> Result<(), OutOfWork> {
        let left = |of: u32| of.checked_sub(steps).ok_or(OutOfWork);
        (self.series, self.question) = (left(self.series)?, left(self.question)?);
        Ok(())
    }
}
