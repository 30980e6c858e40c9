//! Calendar arithmetic on local dates. Functions return `None` if the result leaves the range of years.

use super::lexicon::Unit;
use super::model::{Amount, Stretch};
use super::{Grain, Length, YEAR_MAX, YEAR_MIN};
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::{Span, Timestamp};

/// Largest number of days or longer units in one amount; of shorter units, a thousand times as many are allowed.
pub(super) const UNITS_MAX: f64 = 100_000.0;

pub(super) fn make(year: i16, month: u8, day: u8) -> Option<Date> {
    if !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return None;
    }
    Date::new(year, month as i8, day as i8).ok()
}

fn checked(date: Date) -> Option<Date> {
    (YEAR_MIN..=YEAR_MAX).contains(&date.year()).then_some(date)
}

pub(super) fn add_days(date: Date, days: i64) -> Option<Date> {
    checked(date.checked_add(Span::new().try_days(days).ok()?).ok()?)
}

/// Adds months; the day is clamped to the length of the month.
pub(super) fn add_months(date: Date, months: i64) -> Option<Date> {
    checked(
        date.checked_add(Span::new().try_months(months).ok()?)
            .ok()?,
    )
}

/// Returns the weekday, from Monday 1 to Sunday 7.
pub(super) fn weekday(date: Date) -> u8 {
    date.weekday().to_monday_one_offset() as u8
}

/// Returns the first day of the week that holds `date`.
pub(super) fn week_start(date: Date, first: Weekday) -> Option<Date> {
    let back = (i64::from(weekday(date)) - i64::from(first.to_monday_one_offset())).rem_euclid(7);
    add_days(date, -back)
}

/// Returns the first `wanted` weekday on or after `date`.
pub(super) fn on_or_after(date: Date, wanted: u8) -> Option<Date> {
    add_days(
        date,
        (i64::from(wanted) - i64::from(weekday(date))).rem_euclid(7),
    )
}

/// Returns the last `wanted` weekday on or before `date`.
pub(super) fn on_or_before(date: Date, wanted: u8) -> Option<Date> {
    add_days(
        date,
        -(i64::from(weekday(date)) - i64::from(wanted)).rem_euclid(7),
    )
}

pub(super) fn is_weekend(date: Date) -> bool {
    weekday(date) >= 6
}

/// Returns the date `days` working days later, or earlier if negative. Counts at most 2,000 days.
pub(super) fn add_work_days(mut date: Date, days: i64) -> Option<Date> {
    let step = days.signum();
    let days = days.abs().min(UNITS_MAX as i64 / 50);
    for _ in 0..days {
        date = add_days(date, step)?;
        while is_weekend(date) {
            date = add_days(date, step)?;
        }
    }
    Some(date)
}

/// Returns midnight at the start of `date`.
pub(super) fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
}

pub(super) fn stretch(start: Date, end: Date, grain: Grain) -> Stretch {
    Stretch {
        start: midnight(start),
        end: midnight(end),
        grain,
        exact: None,
    }
}

pub(super) fn day(date: Date) -> Option<Stretch> {
    Some(stretch(date, add_days(date, 1)?, Grain::Day))
}

pub(super) fn month(year: i16, month: u8) -> Option<Stretch> {
    let start = make(year, month, 1)?;
    Some(stretch(start, add_months(start, 1)?, Grain::Month))
}

pub(super) fn year(year: i16) -> Option<Stretch> {
    let start = make(year, 1, 1)?;
    Some(stretch(start, add_months(start, 12)?, Grain::Year))
}

/// Returns the period of `unit` that holds `date`, moved by `by` units. Returns `None` for units shorter than a day.
pub(super) fn period(date: Date, unit: Unit, by: i64, first: Weekday) -> Option<Stretch> {
    let by_months = |start: Date, months: i64, grain: Grain| {
        let start = add_months(start, by * months)?;
        Some(stretch(start, add_months(start, months)?, grain))
    };
    let months_before = |length: i8| {
        make(
            date.year(),
            (date.month() - (date.month() - 1) % length) as u8,
            1,
        )
    };
    let years_before = |length: i16| make(date.year() - date.year().rem_euclid(length), 1, 1);
    match unit {
        Unit::Day => day(add_days(date, by)?),
        Unit::WorkDay => day(add_work_days(date, by)?),
        Unit::Week => {
            let start = add_days(week_start(date, first)?, by * 7)?;
            Some(stretch(start, add_days(start, 7)?, Grain::Week))
        }
        Unit::Fortnight => {
            let start = add_days(week_start(date, first)?, by * 14)?;
            Some(stretch(start, add_days(start, 14)?, Grain::Week))
        }
        Unit::Weekend => {
            let monday = week_start(date, Weekday::Monday)?;
            let start = add_days(monday, 5 + by * 7)?;
            Some(stretch(start, add_days(start, 2)?, Grain::Week))
        }
        Unit::Month => by_months(months_before(1)?, 1, Grain::Month),
        Unit::Quarter => by_months(months_before(3)?, 3, Grain::Quarter),
        Unit::Year => by_months(months_before(12)?, 12, Grain::Year),
        Unit::Decade => by_months(years_before(10)?, 120, Grain::Decade),
        Unit::Century => by_months(years_before(100)?, 1200, Grain::Decade),
        Unit::Second | Unit::Minute | Unit::Hour => None,
    }
}

pub(super) fn unit_grain(unit: Unit) -> Grain {
    match unit {
        Unit::Second => Grain::Second,
        Unit::Minute => Grain::Minute,
        Unit::Hour => Grain::Hour,
        Unit::Day | Unit::WorkDay => Grain::Day,
        Unit::Weekend | Unit::Week | Unit::Fortnight => Grain::Week,
        Unit::Month => Grain::Month,
        Unit::Quarter => Grain::Quarter,
        Unit::Year => Grain::Year,
        Unit::Decade | Unit::Century => Grain::Decade,
    }
}

/// Returns the seconds of one unit, with a month of 30 days and a year of 365.
fn unit_seconds(unit: Unit) -> f64 {
    match unit {
        Unit::Second => 1.0,
        Unit::Minute => 60.0,
        Unit::Hour => 3600.0,
        Unit::Day | Unit::WorkDay => 86_400.0,
        Unit::Weekend => 2.0 * 86_400.0,
        Unit::Week => 7.0 * 86_400.0,
        Unit::Fortnight => 14.0 * 86_400.0,
        Unit::Month => 30.0 * 86_400.0,
        Unit::Quarter => 91.0 * 86_400.0,
        Unit::Year => 365.0 * 86_400.0,
        Unit::Decade => 3650.0 * 86_400.0,
        Unit::Century => 36_500.0 * 86_400.0,
    }
}

/// An amount as months, days, working days and seconds, which the calendar counts in different ways.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct CalendarAmount {
    pub months: i64,
    pub days: i64,
    pub work_days: i64,
    pub seconds: f64,
}

/// Splits an amount. A fraction moves to the next smaller way of counting ("a month and a half" is a month and 15
/// days). Returns `None` if the amount is too large.
pub(super) fn steps(amount: &Amount) -> Option<CalendarAmount> {
    let mut all = CalendarAmount::default();
    for (count, unit) in amount.parts() {
        if !count.is_finite()
            || *count > UNITS_MAX * 1000.0
            || (*unit > Unit::Hour && *count > UNITS_MAX)
        {
            return None;
        }
        let mut months = |per: f64| {
            let exact = count * per;
            all.months += exact.trunc() as i64;
            all.days += (exact.fract() * 30.0).round() as i64;
        };
        match unit {
            Unit::Month => months(1.0),
            Unit::Quarter => months(3.0),
            Unit::Year => months(12.0),
            Unit::Decade => months(120.0),
            Unit::Century => months(1200.0),
            Unit::WorkDay => all.work_days += count.round() as i64,
            Unit::Day | Unit::Weekend | Unit::Week | Unit::Fortnight => {
                let per = if *unit == Unit::Weekend {
                    7.0
                } else {
                    unit_seconds(*unit) / 86_400.0
                };
                let exact = count * per;
                all.days += exact.trunc() as i64;
                all.seconds += exact.fract() * 86_400.0;
            }
            Unit::Second | Unit::Minute | Unit::Hour => all.seconds += count * unit_seconds(*unit),
        }
    }
    Some(all)
}

/// Converts an amount to a length of time. Returns `None` if the amount is too large.
pub(super) fn length(amount: &Amount) -> Option<Length> {
    let all = steps(amount)?;
    let seconds = amount
        .parts()
        .iter()
        .map(|(count, unit)| count * unit_seconds(*unit))
        .sum();
    let whole = all.seconds.trunc();
    let nanos = ((all.seconds - whole) * 1e9).round() as i64;
    let span = Span::new()
        .try_years(all.months / 12)
        .and_then(|s| s.try_months(all.months % 12))
        .and_then(|s| s.try_weeks((all.days + all.work_days) / 7))
        .and_then(|s| s.try_days((all.days + all.work_days) % 7))
        .and_then(|s| s.try_hours(whole as i64 / 3600))
        .and_then(|s| s.try_minutes(whole as i64 % 3600 / 60))
        .and_then(|s| s.try_seconds(whole as i64 % 60))
        .and_then(|s| s.try_nanoseconds(nanos))
        .ok()?;
    Some(Length { span, seconds })
}

/// Moves `at` by whole and fractional seconds.
pub(super) fn add_seconds(at: Timestamp, seconds: f64) -> Option<Timestamp> {
    let whole = seconds.trunc();
    if whole.abs() > 1e11 {
        return None;
    }
    let nanos = ((seconds - whole) * 1e9).round() as i64;
    let span = Span::new()
        .try_seconds(whole as i64)
        .and_then(|s| s.try_nanoseconds(nanos))
        .ok()?;
    at.checked_add(span).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn months_are_cut_and_work_days_skip_weekends() {
        assert_eq!(add_months(date(2024, 1, 31), 1), Some(date(2024, 2, 29)));
        assert_eq!(add_work_days(date(2026, 1, 16), 1), Some(date(2026, 1, 19)));
        assert_eq!(
            add_work_days(date(2026, 1, 19), -2),
            Some(date(2026, 1, 15))
        );
        assert_eq!(make(2023, 2, 29), None);
        assert_eq!(make(999, 2, 1), None);
        assert_eq!(add_months(date(2999, 12, 1), 1), None);
    }

    #[test]
    fn a_fraction_goes_to_the_smaller_unit() {
        assert_eq!(
            steps(&Amount::new(1.5, Unit::Month)).map(|s| (s.months, s.days)),
            Some((1, 15))
        );
        assert_eq!(
            steps(&Amount::new(2.5, Unit::Week)).map(|s| (s.days, s.seconds)),
            Some((17, 43_200.0))
        );
    }
}
