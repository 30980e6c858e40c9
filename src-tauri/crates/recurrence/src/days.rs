//! Decides which days a rule selects.

use jiff::civil::{Date, DateTime, Weekday};

use crate::rule::{Bits, Frequency, Rule};

/// The day parts of a rule, completed from the start of its series where the rule names no days.
pub(crate) struct Days<'a> {
    rule: &'a Rule,
    /// Months that can contain a selected day; empty for any.
    pub(crate) months: Bits,
    month_days: Bits,
    weekdays: Bits,
    /// Whether numbered weekdays count within the month rather than the year.
    nth_in_month: bool,
}

impl<'a> Days<'a> {
    pub(crate) fn new(rule: &'a Rule, start: DateTime) -> Self {
        let mut days = Self {
            rule,
            months: rule.months,
            month_days: rule.month_days,
            weekdays: rule.weekdays,
            nth_in_month: rule.frequency == Frequency::Monthly || !rule.months.is_empty(),
        };
        if rule.names_no_days() {
            match rule.frequency {
                Frequency::Yearly => {
                    if days.months.is_empty() {
                        days.months = Bits::one(start.month());
                    }
                    days.month_days = Bits::one(start.day());
                }
                Frequency::Monthly => days.month_days = Bits::one(start.day()),
                Frequency::Weekly => {
                    days.weekdays = Bits::one(start.weekday().to_monday_zero_offset());
                }
                _ => {}
            }
        }
        days
    }

    /// Returns whether the rule selects this day, which all of its day parts must match.
    pub(crate) fn contain(&self, day: Date) -> bool {
        (self.months.is_empty() || self.months.contains(day.month()))
            && self.fits_month_day(day)
            && self.fits_weekday(day)
            && self.fits_year_day(day)
            && self.fits_week(day)
    }

    fn fits_month_day(&self, day: Date) -> bool {
        let back = self.rule.month_days_back;
        self.month_days.is_empty() && back.is_empty()
            || self.month_days.contains(day.day())
            || back.contains(day.days_in_month() - day.day() + 1)
    }

    fn fits_weekday(&self, day: Date) -> bool {
        let nth = &self.rule.nth_weekdays;
        if self.weekdays.is_empty() && nth.is_empty() {
            return true;
        }
        let weekday = day.weekday().to_monday_zero_offset();
        if self.weekdays.contains(weekday) {
            return true;
        }
        let (place, length) = if self.nth_in_month {
            (i16::from(day.day()), i16::from(day.days_in_month()))
        } else {
            (day.day_of_year(), day.days_in_year())
        };
        let (from_start, from_end) = ((place - 1) / 7 + 1, -((length - place) / 7 + 1));
        let has = |number: i16| nth.binary_search(&(number, weekday.unsigned_abs())).is_ok();
        has(from_start) || has(from_end)
    }

    fn fits_year_day(&self, day: Date) -> bool {
        let named = &self.rule.year_days;
        let (place, length) = (day.day_of_year(), day.days_in_year());
        named.is_empty()
            || named.binary_search(&place).is_ok()
            || named.binary_search(&(place - length - 1)).is_ok()
    }

    fn fits_week(&self, day: Date) -> bool {
        let named = &self.rule.weeks;
        if named.is_empty() {
            return true;
        }
        let (week, weeks) = week_of_year(day, self.rule.week_start);
        named.binary_search(&week).is_ok() || named.binary_search(&(week - weeks - 1)).is_ok()
    }
}

/// Returns the number of a day's week, and the number of weeks in the year that week belongs to. The first week of a
/// year is the first with at least four of its days (RFC 5545, BYWEEKNO).
fn week_of_year(day: Date, week_start: Weekday) -> (i16, i16) {
    let into_week = i16::from(day.weekday().since(week_start));
    // A week belongs to the year that contains its middle day.
    let middle = day.day_of_year() - into_week + 3;
    let length = day.days_in_year();
    if middle < 1 {
        let before = days_in_year(day.year() - 1);
        weeks(middle + before, before)
    } else if middle > length {
        weeks(middle - length, days_in_year(day.year() + 1))
    } else {
        weeks(middle, length)
    }
}

fn weeks(middle: i16, length: i16) -> (i16, i16) {
    let first = (middle - 1) % 7 + 1;
    ((middle - 1) / 7 + 1, (length - first) / 7 + 1)
}

fn days_in_year(year: i16) -> i16 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    365 + i16::from(leap)
}

pub(crate) fn days_between(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}
