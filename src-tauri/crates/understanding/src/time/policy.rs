//! Settings for words that have no single meaning, with defaults.

use adjutant_domain::settings::{ClockFace, DateOrder, Settings, WeekStart};
use jiff::civil::{Time, Weekday};

/// Which way to resolve an expression without a year or a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// To the next one ("on Friday" is the coming Friday).
    #[default]
    Future,
    /// To the most recent one, for questions about the past.
    Past,
}

/// Hours of a part of the day. In `to`, 24 is midnight at the end of the day, and 26 is 2:00 on the next morning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    /// First hour, 0 to 23.
    pub from: u8,
    /// Exclusive last hour, at most 30.
    pub to: u8,
}

/// How to read words for times. The defaults are those of the person's settings, except for the order of day and month.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// First day of a week.
    pub week_starts_on: Weekday,
    /// Whether the day comes before the month, in numeric dates that can be read both ways and in dates that are
    /// written.
    pub day_first: bool,
    /// How a time of day is written.
    pub clock: ClockFace,
    /// Which way to resolve an incomplete date.
    pub prefer: Direction,
    /// Start of the working day.
    pub work_start: Time,
    /// End of the working day, also the meaning of "end of day".
    pub work_end: Time,
    /// Hours of the morning.
    pub morning: Hours,
    /// Hours of lunch.
    pub lunch: Hours,
    /// Hours of the afternoon.
    pub afternoon: Hours,
    /// Hours of the evening.
    pub evening: Hours,
    /// Hours of the night.
    pub night: Hours,
    /// First hour that means the morning when neither am nor pm is said: with 7, "at 7" is in the morning and "at 6" in
    /// the evening.
    pub first_morning_hour: u8,
}

impl Policy {
    /// Returns the policy under the person's settings.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self {
            week_starts_on: match settings.week_start {
                WeekStart::Monday => Weekday::Monday,
                WeekStart::Sunday => Weekday::Sunday,
                WeekStart::Saturday => Weekday::Saturday,
            },
            day_first: settings.day_first,
            clock: settings.clock,
            work_start: settings.work_start,
            work_end: settings.work_end,
            ..Self::default()
        }
    }

    /// Returns the order of day and month in written dates.
    pub(crate) fn date_order(&self) -> DateOrder {
        DateOrder::of(self.day_first)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            week_starts_on: Weekday::Monday,
            day_first: false,
            clock: ClockFace::Hours24,
            prefer: Direction::Future,
            work_start: Time::constant(9, 0, 0, 0),
            work_end: Time::constant(18, 0, 0, 0),
            morning: Hours { from: 6, to: 12 },
            lunch: Hours { from: 12, to: 14 },
            afternoon: Hours { from: 12, to: 18 },
            evening: Hours { from: 18, to: 22 },
            night: Hours { from: 18, to: 24 },
            first_morning_hour: 7,
        }
    }
}
