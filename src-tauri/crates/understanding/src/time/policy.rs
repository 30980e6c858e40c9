//! What a person means by words that have no one meaning: settings, with defaults.

use adjutant_domain::settings::{ClockFace, DateOrder, Settings, WeekStart};
use jiff::civil::{Time, Weekday};

/// Where an expression without a year or a week points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefer {
    /// The next one ("on Friday" is the Friday to come).
    #[default]
    Future,
    /// The most recent one, for questions about what was.
    Past,
}

/// First hour and exclusive last hour of a part of the day; 24 is midnight at its end, 26 is 2 in the morning after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    /// First hour, 0 to 23.
    pub from: u8,
    /// Exclusive last hour, at most 30.
    pub to: u8,
}

/// How words are read. The defaults are those of the interface's own settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// First day of a week.
    pub week_starts_on: Weekday,
    /// Day before month in numeric dates where both fit, and in dates that are written.
    pub day_first: bool,
    /// How a time of day is written.
    pub clock: ClockFace,
    /// Where an incomplete date points.
    pub prefer: Prefer,
    /// Start of the working day.
    pub work_start: Time,
    /// End of the working day; "end of day" means it.
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
    /// First hour that is read as before noon when no am or pm is said: with 7, "at 7" is in the morning and "at 6" in
    /// the evening.
    pub first_morning_hour: u8,
}

impl Policy {
    /// How words for times are read under the person's settings.
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

    /// The order in which dates are written.
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
            prefer: Prefer::Future,
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
