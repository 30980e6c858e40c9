//! Dates in digits: "2026-01-16", "1/16/2026", "16.1.2026", "1/16", with a clock time after a "T".

use super::{ParseResult, Parser};
use crate::time::calendar::make;
use crate::time::model::{Clock, Composition, Day, LonePiece, Moment};
use crate::time::token::TokenKind;

/// Range of years in a date written with spaces or without a day.
const PLAIN_YEARS: std::ops::RangeInclusive<u32> = 1900..=2100;

impl Moment {
    /// Returns a moment of one piece that says something about the day.
    pub fn of_day(day: Day, alone: LonePiece) -> Moment {
        Moment {
            day: Some(day),
            composition: Composition {
                pieces: 1,
                alone,
                repaired: false,
            },
            ..Moment::default()
        }
    }
}

impl Parser<'_> {
    /// Reads a date in digits.
    pub fn date_digits(&self, i: usize) -> ParseResult<Moment> {
        // "next 5/12"
        if let Some(which) = self.token(i)?.lex.which {
            let (mut moment, end) = self.date_digits_at(i + 1)?;
            let day = moment.day.as_mut().filter(|d| d.year.is_none())?;
            day.which = Some(which);
            moment.composition.alone = LonePiece::Sure;
            return Some((moment, end));
        }
        self.date_digits_at(i)
    }

    fn date_digits_at(&self, i: usize) -> ParseResult<Moment> {
        let (a, digits) = self.digits(i)?;
        if digits == 8 {
            return self.compact(i, a);
        }
        let Some((sign, b, b_digits)) = self.joined(i + 1) else {
            return self.spaced(i);
        };
        let third = self.joined(i + 3).filter(|(s, _, _)| *s == sign);
        let Some((_, c, c_digits)) = third else {
            return self.two_parts(i, sign, (a, digits), (b, b_digits));
        };
        let end = i + 5;
        if digits == 4 {
            return self.with_clock(self.valid(a, b, c, end)?, end);
        }
        // "3-7-27" is a date, "1.10.30" more likely a version.
        let short_year = c_digits == 2 && (sign != '.' || digits == 2 && b_digits == 2);
        if c_digits != 4 && !short_year || digits > 2 || b_digits > 2 {
            self.mark_broken(end);
            return None;
        }
        let year = if c_digits == 4 {
            c
        } else {
            u32::from(self.century(c) as u16)
        };
        // With dots, the day comes first, whatever is usual with slashes.
        let (month, day) = if sign == '.' && b <= 12 {
            (b, a)
        } else {
            self.month_and_day(a, b)
        };
        self.with_clock(self.valid(year, month, day, end)?, end)
    }

    /// Reads a sign of dates and the number after it, without spaces.
    fn joined(&self, i: usize) -> Option<(char, u32, usize)> {
        let sign = self.sign(i).filter(|c| matches!(c, '/' | '-' | '.'))?;
        let (value, digits) = self.digits(i + 1)?;
        (self.glued(i) && self.glued(i + 1)).then_some((sign, value, digits))
    }

    /// "20261016", also with a clock time after a "T".
    fn compact(&self, i: usize, value: u32) -> ParseResult<Moment> {
        let year = value / 10_000;
        let date = (1970..=2100)
            .contains(&year)
            .then(|| make(year as i16, (value / 100 % 100) as u8, (value % 100) as u8))??;
        let day = Day {
            year: Some(date.year()),
            month: Some(date.month() as u8),
            day: Some(date.day() as u8),
            ..Day::default()
        };
        self.with_clock(day, i + 1)
    }

    fn month_and_day(&self, a: u32, b: u32) -> (u32, u32) {
        let day_first = self.context.policy.day_first;
        let swap = if day_first {
            b <= 12
        } else {
            a > 12 && b <= 12
        };
        if swap { (b, a) } else { (a, b) }
    }

    fn valid(&self, year: u32, month: u32, day: u32, end: usize) -> Option<Day> {
        let date = i16::try_from(year)
            .ok()
            .and_then(|y| make(y, month.min(99) as u8, day.min(99) as u8));
        if date.is_none() {
            self.mark_broken(end);
        }
        let date = date?;
        Some(Day {
            year: Some(date.year()),
            month: Some(date.month() as u8),
            day: Some(date.day() as u8),
            ..Day::default()
        })
    }

    /// Reads the clock time after "T", as in RFC 3339.
    fn with_clock(&self, day: Day, end: usize) -> ParseResult<Moment> {
        let mut moment = Moment::of_day(day, LonePiece::Sure);
        if !(self.glued(end) && self.is(end, "t") && self.glued(end + 1)) {
            return Some((moment, end));
        }
        let (clock, mut at) = self.clock(end + 1, true)?;
        moment.clock = Some(Clock {
            full: true,
            weak: false,
            ..clock
        });
        moment.composition.pieces = 2;
        if self.glued(at)
            && let Some((zone, end)) = self.zone(at)
        {
            moment.zone = Some(zone);
            at = end;
        }
        Some((moment, at))
    }

    /// "1/16", "07/2026", "2026-07"; "Friday 7-6" only after a weekday.
    fn two_parts(
        &self,
        i: usize,
        sign: char,
        a: (u32, usize),
        b: (u32, usize),
    ) -> ParseResult<Moment> {
        let end = i + 3;
        let month_of = |year: u32, month: u32| {
            let day = Day {
                year: i16::try_from(year).ok(),
                month: Some(month as u8),
                ..Day::default()
            };
            (Moment::of_day(day, LonePiece::Sure), end)
        };
        let chained = self.sign(end).is_some_and(|c| matches!(c, '/' | '-' | '.'))
            && self.glued(end)
            && self.glued(end + 1);
        if chained || a.1 > 4 || b.1 > 4 {
            return None;
        }
        if sign == '/'
            && a.1 <= 2
            && b.1 == 4
            && (1..=12).contains(&a.0)
            && PLAIN_YEARS.contains(&b.0)
        {
            return Some(month_of(b.0, a.0));
        }
        if sign == '-'
            && a.1 == 2
            && b.1 == 4
            && (1..=12).contains(&a.0)
            && PLAIN_YEARS.contains(&b.0)
        {
            return Some(month_of(b.0, a.0));
        }
        if sign != '.'
            && a.1 == 4
            && b.1 == 2
            && (1..=12).contains(&b.0)
            && PLAIN_YEARS.contains(&a.0)
        {
            return Some(month_of(a.0, b.0));
        }
        if a.1 > 2 || b.1 > 2 {
            return None;
        }
        let weekday_before = |p: usize| self.token(p).is_some_and(|t| t.lex.weekday > 0);
        let after_weekday = i > 0
            && (weekday_before(i - 1)
                || i > 1 && self.is_sign(i - 1, ',') && weekday_before(i - 2));
        let bound = i > 0
            && self.one_of(
                i - 1,
                &["on", "by", "until", "since", "before", "after", "due"],
            )
            && b.1 == 2;
        // "Monday 9-5" names hours.
        let hours = sign == '-' && a.0 <= 12 && b.0 <= 12;
        let fits = sign == '/' || after_weekday && !hours || bound;
        if !fits {
            return None;
        }
        let (month, day) = self.month_and_day(a.0, b.0);
        // Check against a leap year, so that February 29 is a day.
        if make(2024, month.min(99) as u8, day.min(99) as u8).is_none() {
            if sign == '/' && a.0 > 12 {
                self.mark_broken(end);
            }
            return None;
        }
        let day = Day {
            month: Some(month as u8),
            day: Some(day as u8),
            ..Day::default()
        };
        if let Some((year, end)) = self.year(end).filter(|_| !self.glued(end)) {
            return Some((
                Moment::of_day(
                    Day {
                        year: Some(year),
                        ..day
                    },
                    LonePiece::Sure,
                ),
                end,
            ));
        }
        Some((Moment::of_day(day, LonePiece::Fraction), end))
    }

    /// "10 31 1974", "1974 10 31".
    fn spaced(&self, i: usize) -> ParseResult<Moment> {
        let (a, b, c) = (self.digits(i)?, self.digits(i + 1)?, self.digits(i + 2)?);
        let number = |i: usize| self.token(i).is_some_and(|t| t.kind == TokenKind::Number);
        if i > 0 && number(i - 1) || number(i + 3) {
            return None;
        }
        let (year, month, day) = if a.1 == 4 && b.1 <= 2 && c.1 <= 2 {
            (a.0, b.0, c.0)
        } else if c.1 == 4 && a.1 <= 2 && b.1 <= 2 {
            let (month, day) = self.month_and_day(a.0, b.0);
            (c.0, month, day)
        } else {
            return None;
        };
        if !PLAIN_YEARS.contains(&year) {
            return None;
        }
        let day = self.valid(year, month, day, i + 3)?;
        Some((Moment::of_day(day, LonePiece::Sure), i + 3))
    }
}
