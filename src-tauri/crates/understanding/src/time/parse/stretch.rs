//! Stretches of the calendar with a name or a number: "Q3 2026", "week 32", "summer", "2015", "the 90s", "the week of
//! the 18th", "the rest of the day".

use super::{ParseResult, Parser, resolved_day};
use crate::time::Grain;
use crate::time::calendar::{self, add_days, make};
use crate::time::lexicon::{RelativePosition, SEASONS, Unit};
use crate::time::model::{Day, LonePiece, Moment, Stretch};
use crate::time::resolve;

impl Parser<'_> {
    /// "Q3", "Q3 2026", "2026 Q3", "H1 of next year".
    pub fn quarter(&self, i: usize) -> ParseResult<Moment> {
        let glued_year = || {
            let (value, digits) = self.digits(i).filter(|_| self.glued(i + 1))?;
            match digits {
                2 => Some((self.century(value), i + 1)),
                4 => i16::try_from(value).ok().map(|y| (y, i + 1)),
                _ => None,
            }
        };
        let (year_first, at) = match self.year(i).or_else(glued_year) {
            Some((year, end)) => (Some(year), end),
            None => (None, i),
        };
        let months = match self.word(at) {
            "q" => 3,
            "h" => 6,
            _ => return None,
        };
        let (n, 1) = self.digits(at + 1)? else {
            return None;
        };
        if !self.glued(at + 1) || n < 1 || n > 12 / months {
            return None;
        }
        let mut end = at + 2;
        let mut year = year_first;
        let mut year_at = self.past_sign(end, ',');
        year_at = self.past(year_at, &["of", "in"]);
        if year.is_none()
            && let Some((said, after)) = self.year(year_at).or_else(|| self.year_relative(year_at))
        {
            (year, end) = (Some(said), after);
        }
        let first = ((n - 1) * months + 1) as u8;
        let in_year = |y: i16| {
            let start = make(y, first, 1)?;
            Some(calendar::stretch(
                start,
                calendar::add_months(start, i64::from(months))?,
                Grain::Quarter,
            ))
        };
        let stretch = match year {
            Some(year) => in_year(year)?,
            None => resolve::nearest_year(self.context, in_year)?,
        };
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// "this year", "of last year".
    pub fn year_relative(&self, i: usize) -> ParseResult<i16> {
        let at = self.past(i, &["the"]);
        let which = self.token(at)?.lex.which?;
        if self.token(at + 1)?.lex.unit != Some(Unit::Year) {
            return None;
        }
        let by = match which {
            RelativePosition::This => 0,
            RelativePosition::Next => 1,
            RelativePosition::Last => -1,
        };
        Some((self.context.today.year() + by, at + 2))
    }

    /// "week 32", "week 32 of 2026" (ISO 8601).
    pub fn week_number(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["calendar"]);
        if !self.is(at, "week") {
            return None;
        }
        let at = if self.one_of(at + 1, &["number", "no"]) {
            self.past_dot(at + 2)
        } else {
            at + 1
        };
        let (n, digits) = self.digits(at)?;
        if !(1..=53).contains(&n) || digits > 2 {
            return None;
        }
        let year_at = self.past(self.past_sign(at + 1, ','), &["of", "in"]);
        let (year, end) = match self.year(year_at).or_else(|| self.year_relative(year_at)) {
            Some((year, end)) => (year, end),
            None => (self.context.today.year(), at + 1),
        };
        let monday = jiff::civil::ISOWeekDate::new(year, n as i8, jiff::civil::Weekday::Monday)
            .ok()?
            .date();
        let stretch = calendar::stretch(monday, add_days(monday, 7)?, Grain::Week);
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// "this summer", "winter 2025", "next spring", "the fall".
    pub fn season(&self, i: usize) -> ParseResult<Moment> {
        let mut at = self.past(i, &["the"]);
        let which = self.token(at)?.lex.which;
        at += usize::from(which.is_some());
        let (_, month, day) = SEASONS.iter().find(|s| self.is(at, s.0))?;
        let year_at = self.past(at + 1, &["of"]);
        let year = self.year(year_at).or_else(|| self.year_relative(year_at));
        if which.is_none()
            && year.is_none()
            && !(i > 0 && self.one_of(i - 1, &["in", "during", "until", "by", "since"]))
        {
            return None;
        }
        let in_year = |y: i16| {
            let start = make(y, *month, *day)?;
            Some(calendar::stretch(
                start,
                calendar::add_months(start, 3)?,
                Grain::Quarter,
            ))
        };
        let this = self.context.today.year();
        let (stretch, end) = match (year, which) {
            (Some((year, end)), _) => (in_year(year)?, end),
            (None, Some(RelativePosition::Next)) if in_year(this)?.start <= self.context.at => {
                (in_year(this + 1)?, at + 1)
            }
            (None, Some(RelativePosition::Last)) if in_year(this)?.end > self.context.at => {
                (in_year(this - 1)?, at + 1)
            }
            (None, Some(_)) => (in_year(this)?, at + 1),
            (None, None) => (resolve::nearest_year(self.context, in_year)?, at + 1),
        };
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// "2015", "the year 2015", "year of 2008", "calendar year 2027".
    pub fn year_alone(&self, i: usize) -> ParseResult<Moment> {
        let said = self.any_phrase(
            i,
            &[
                "the year of",
                "the year",
                "year of",
                "year",
                "fiscal year",
                "calendar year",
            ],
        );
        if said.is_none() && i > 0 && (self.is(i - 1, "at") || self.is_sign(i - 1, '@')) {
            return None;
        }
        let (year, end) = self.year(said.unwrap_or(i))?;
        let alone = if said.is_some() {
            LonePiece::Sure
        } else {
            LonePiece::Year
        };
        Some((
            Moment::of_day(
                Day {
                    year: Some(year),
                    ..Day::default()
                },
                alone,
            ),
            end,
        ))
    }

    /// "the 90s", "the 1980s", "the nineties".
    pub fn decade(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the"]);
        let at = self.past_sign(at, '\'');
        let worded = ["fifties", "sixties", "seventies", "eighties", "nineties"]
            .iter()
            .position(|w| self.is(at, w));
        let (first, end) = match (self.digits(at), worded) {
            (_, Some(n)) => (1950 + 10 * n as u32, at + 1),
            (Some((value, digits @ (2 | 4))), _) if value % 10 == 0 => {
                let mark = self.past_possessive(at + 1);
                let end = if mark > at + 1 {
                    mark
                } else {
                    at + 1 + usize::from(self.is(at + 1, "s") && self.glued(at + 1))
                };
                let first = if digits == 4 {
                    value
                } else if value < 30 {
                    2000 + value
                } else {
                    1900 + value
                };
                (
                    (end > at + 1 && (1000..2990).contains(&first)).then_some(first)?,
                    end,
                )
            }
            _ => return None,
        };
        if at == i && worded.is_none() && self.digits(at).is_some_and(|d| d.1 == 2) {
            return None;
        }
        let stretch = calendar::period(
            make(first as i16, 1, 1)?,
            Unit::Decade,
            0,
            self.context.policy.week_starts_on,
        )?;
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// "year to date", "month to date", "ytd".
    pub fn to_date(&self, i: usize) -> ParseResult<Moment> {
        let (unit, end) = match self.word(i) {
            "ytd" => (Unit::Year, i + 1),
            "mtd" => (Unit::Month, i + 1),
            _ => (self.token(i)?.lex.unit?, self.phrase(i + 1, "to date")?),
        };
        let whole = calendar::period(
            self.context.today,
            unit,
            0,
            self.context.policy.week_starts_on,
        )?;
        let stretch = Stretch {
            end: self.context.at.max(whole.start),
            ..whole
        };
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// "the week of the 18th", "week commencing June 3", "the weekend of the 5th".
    pub fn week_of(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the"]);
        // "w/c June 3"
        let short =
            (self.is(at, "w") && self.is_sign(at + 1, '/') && self.one_of(at + 2, &["c", "b"]))
                .then_some(at + 3);
        let unit = self
            .token(at)?
            .lex
            .unit
            .filter(|u| matches!(u, Unit::Week | Unit::Weekend))?;
        let of = self.one_of(
            at + 1,
            &["of", "commencing", "beginning", "starting", "containing"],
        );
        if !of && short.is_none() {
            return None;
        }
        let at = short.unwrap_or(at + 2);
        let at = self.past(at, &["on"]);
        let (base, end) = self.deeper(|| self.moment(at))?;
        let day = resolve::moment(self.context, &base)?;
        if day.grain > Grain::Day {
            return None;
        }
        // "The weekend of the 21st and 22nd" names both days.
        let other = self.past(end + 1, &["the"]);
        let both = unit == Unit::Weekend && self.one_of(end, &["and", "to"]);
        let end = match self.ordinal(other).filter(|_| both) {
            Some(((n, _), after)) if i64::from(day.start.date().day()) + 1 == i64::from(n) => after,
            _ => end,
        };
        let stretch = calendar::period(
            day.start.date(),
            unit,
            0,
            self.context.policy.week_starts_on,
        )?;
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// "the rest of the week", "the remainder of today".
    pub fn rest_of(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the"]);
        let at = self.any_phrase(at, &["rest of", "remainder of", "balance of"])?;
        // "The rest of the afternoon" means the afternoon of today.
        let part = || {
            let day = self.past(at, &["the", "this"]);
            let part = self.token(day)?.lex.part.filter(|_| day > at)?;
            let moment = Moment {
                day: Some(resolved_day(calendar::day(self.context.today)?)),
                part: Some(part),
                ..Moment::default()
            };
            Some((resolve::moment(self.context, &moment)?, day + 1))
        };
        let (base, end) = self.base_period(at).or_else(part)?;
        let start = self.context.at.max(base.start);
        if start >= base.end {
            return None;
        }
        let stretch = Stretch {
            start,
            end: base.end,
            grain: base.grain,
            exact: None,
        };
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }
}
