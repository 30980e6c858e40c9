//! Parsed rules.

use jiff::civil::{DateTime, Time, Weekday};
use jiff::tz::TimeZone;

/// Up to this many times a day, each counts as an instance of its own: every quarter of an hour.
pub(crate) const TIMES_A_DAY_MAX: u32 = 96;

/// Error: the text is not a rule that can be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidRule(pub(crate) String);

/// Frequency of a rule, ordered from the shortest period to the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frequency {
    /// Every `INTERVAL` seconds.
    Secondly,
    /// Every `INTERVAL` minutes.
    Minutely,
    /// Every `INTERVAL` hours.
    Hourly,
    /// Every `INTERVAL` days.
    Daily,
    /// Every `INTERVAL` weeks.
    Weekly,
    /// Every `INTERVAL` months.
    Monthly,
    /// Every `INTERVAL` years.
    Yearly,
}

/// A recurrence rule, not yet bound to a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(crate) frequency: Frequency,
    /// Number of periods between repetitions, at least 1.
    pub(crate) interval: u32,
    pub(crate) count: Option<u32>,
    pub(crate) until: Option<Until>,
    pub(crate) week_start: Weekday,
    pub(crate) months: Bits,
    /// BYMONTHDAY counted from the first day of the month.
    pub(crate) month_days: Bits,
    /// BYMONTHDAY counted from the last day of the month, which is 1.
    pub(crate) month_days_back: Bits,
    /// BYYEARDAY, sorted; negative numbers count from the last day of the year.
    pub(crate) year_days: Vec<i16>,
    /// BYWEEKNO, sorted; negative numbers count from the last week.
    pub(crate) weeks: Vec<i16>,
    /// BYDAY without numbers; Monday is 0.
    pub(crate) weekdays: Bits,
    /// BYDAY with numbers, sorted, as pairs of number and weekday (Monday is 0).
    pub(crate) nth_weekdays: Vec<(i16, u8)>,
    pub(crate) hours: Bits,
    pub(crate) minutes: Bits,
    pub(crate) seconds: Bits,
    /// BYSETPOS, sorted.
    pub(crate) positions: Vec<i16>,
}

/// Last time a rule allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// In UTC.
    Utc(DateTime),
    /// In the event's time zone, or without one.
    Local(DateTime),
}

impl Rule {
    /// Returns the frequency.
    #[must_use]
    pub fn frequency(&self) -> Frequency {
        self.frequency
    }

    /// Returns whether the rule ends after a number of instances (COUNT).
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.count.is_some()
    }

    /// Returns whether only the first instance of each day is reported, because there may be more than one every
    /// quarter of an hour.
    #[must_use]
    pub fn is_once_a_day(&self) -> bool {
        let times = |bits: Bits, all: u32| if bits.is_empty() { all } else { bits.len() };
        let sets = times(self.minutes, 1) * times(self.seconds, 1);
        match self.frequency {
            Frequency::Secondly | Frequency::Minutely => true,
            Frequency::Hourly => times(self.hours, 24) * sets > TIMES_A_DAY_MAX,
            _ => times(self.hours, 1) * sets > TIMES_A_DAY_MAX,
        }
    }

    /// Returns whether all instances have the same time of day.
    pub(crate) fn has_one_time(&self) -> bool {
        let times = [self.hours, self.minutes, self.seconds];
        self.frequency > Frequency::Hourly && times.iter().all(|bits| bits.len() <= 1)
    }

    /// Returns the last wall-clock time the rule allows in the zone of a series, or `None` if it sets no end time.
    #[must_use]
    pub fn until(&self, zone: Option<&TimeZone>) -> Option<DateTime> {
        Some(match (self.until?, zone) {
            (Until::Utc(at), Some(zone)) => at
                .to_zoned(TimeZone::UTC)
                .map_or(at, |at| at.with_time_zone(zone.clone()).datetime()),
            (Until::Utc(at) | Until::Local(at), _) => at,
        })
    }

    /// Returns whether the rule has no BY parts, so that every period has an instance.
    pub(crate) fn is_plain(&self) -> bool {
        self.names_no_days()
            && self.months.is_empty()
            && self.hours.is_empty()
            && self.minutes.is_empty()
            && self.seconds.is_empty()
            && self.positions.is_empty()
    }

    /// Returns whether the rule leaves the days of its instances to the start of the series.
    pub(crate) fn names_no_days(&self) -> bool {
        self.weeks.is_empty()
            && self.year_days.is_empty()
            && self.month_days.is_empty()
            && self.month_days_back.is_empty()
            && self.weekdays.is_empty()
            && self.nth_weekdays.is_empty()
    }

    /// Returns the rule's times of day. A part that the rule does not name is taken from `start`.
    pub(crate) fn times(&self, start: Time) -> DayTimes {
        let or = |bits: Bits, own: i8| {
            if bits.is_empty() {
                Bits::one(own)
            } else {
                bits
            }
        };
        DayTimes {
            hours: or(self.hours, start.hour()),
            minutes: or(self.minutes, start.minute()),
            seconds: or(self.seconds, start.second()),
        }
    }
}

/// Returns the value of one part of a rule's text: `value_of("FREQ=DAILY;COUNT=3", "COUNT")` is `3`.
#[must_use]
pub fn value_of<'a>(rule: &'a str, name: &str) -> Option<&'a str> {
    rule.split(';')
        .find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

/// A set of numbers from 0 to 63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits(u64);

impl Bits {
    pub(crate) fn one(number: i8) -> Self {
        let mut bits = Self::default();
        bits.insert(number);
        bits
    }

    /// Ignores numbers outside the range, which no calendar uses.
    pub(crate) fn insert(&mut self, number: i8) {
        if let Ok(shift @ 0..64) = u32::try_from(number) {
            self.0 |= 1 << shift;
        }
    }

    pub(crate) fn contains(self, number: i8) -> bool {
        matches!(u32::try_from(number), Ok(shift @ 0..64) if self.0 >> shift & 1 == 1)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = i8> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = i8::try_from(left.trailing_zeros())
                .ok()
                .filter(|_| left != 0)?;
            left &= left - 1;
            Some(lowest)
        })
    }
}

/// Every combination of these hours, minutes and seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DayTimes {
    pub(crate) hours: Bits,
    pub(crate) minutes: Bits,
    pub(crate) seconds: Bits,
}

impl DayTimes {
    pub(crate) fn len(&self) -> u32 {
        self.hours.len() * self.minutes.len() * self.seconds.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Time> {
        let (minutes, seconds) = (self.minutes, self.seconds);
        self.hours.iter().flat_map(move |hour| {
            minutes.iter().flat_map(move |minute| {
                seconds
                    .iter()
                    .map(move |second| Time::constant(hour, minute, second, 0))
            })
        })
    }
}
