//! Stretches of the calendar: "this week", "the last 3 days", "Q3 2026", "summer", "the week of the 18th", "2015".

use super::{Parser, Read, known};
use crate::time::calendar::{self, add_days, make, midnight};
use crate::time::lexicon::{SEASONS, Unit, Which};
use crate::time::model::{Alone, Amount, Day, Moment, Stretch};
use crate::time::resolve;
use crate::time::{Grain, Note};

impl Parser<'_> {
    /// Any stretch of the calendar that is not a day of a month.
    pub fn period(&self, i: usize) -> Read<Moment> {
        let rules = [
            Self::which_unit,
            Self::week_of,
            Self::rest_of,
            Self::quarter,
            Self::week_number,
            Self::season,
            Self::year_alone,
            Self::decade,
            Self::to_date,
        ];
        rules
            .iter()
            .filter_map(|rule| rule(self, i))
            .max_by_key(|read| read.1)
    }

    /// "next week", "the last 3 days", "the 5 coming minutes", "the week after next", "this coming month".
    fn which_unit(&self, i: usize) -> Read<Moment> {
        if let Some(read) = self.my_week(i) {
            return Some(read);
        }
        let at = self.past(i, &["the", "these", "those", "my", "our"]);
        if let Some(read) = self.after_next(at) {
            return Some(read);
        }
        let said_first = self.token(at)?.lex.which.is_none();
        let (which, at, count) = match self.token(at)?.lex.which {
            Some(which) => {
                let mut end = at + 1;
                let mut which = which;
                if let Some(second) = self.token(end).and_then(|t| t.lex.which) {
                    which = if second == Which::This { which } else { second };
                    end += 1;
                }
                if let Some((amount, after)) = self.amount(end)
                    && amount.parts().len() > 1
                {
                    // "the next 2 days and 5 hours"
                    return Some((
                        Moment::of_day(known(self.rolling(which, &amount)?), Alone::Sure),
                        after,
                    ));
                }
                match self.count(end) {
                    Some((count, after)) if !count.article => {
                        let after = self.past_sign(after, '-');
                        (which, after, Some(count))
                    }
                    _ => (which, end, None),
                }
            }
            None => {
                let (count, end) = self.count(at)?;
                let which = self.token(end)?.lex.which.filter(|w| *w != Which::This)?;
                (which, end + 1, Some(count).filter(|c| !c.article))
            }
        };
        let (unit, mut end) = self.unit(at)?;
        let plural = self.token(end - 1).is_some_and(|t| t.lex.plural);
        end = self.past_possessive(end);
        if count.is_none() && plural || said_first && !plural {
            return None;
        }
        let working = self.is(end - 1, "workweek")
            || self.one_of(at, &["working", "work"]) && unit == Unit::Week;
        let mut notes = Vec::new();
        let stretch = match count {
            Some(count) => {
                if count.vague {
                    notes.push(Note::Vague(count.value as u32));
                }
                let mut amount = Amount::new(count.value, unit);
                if let Some((more, after)) = self.and_fraction(end) {
                    amount = Amount::new(count.value + more, unit);
                    end = after;
                }
                self.rolling(which, &amount)?
            }
            None => self.one_unit(which, unit)?,
        };
        let stretch = if working && count.is_none() {
            Stretch {
                end: midnight(add_days(stretch.start.date(), 5)?),
                ..stretch
            }
        } else {
            stretch
        };
        let mut moment = Moment::of_day(known(stretch), Alone::Sure);
        moment.notes = notes;
        Some((moment, end))
    }

    /// "my week", "all week": this one.
    fn my_week(&self, i: usize) -> Read<Moment> {
        let at = self.any_phrase(i, &["my", "all"])?;
        let unit = self.token(at)?.lex.unit?;
        let fits = match unit {
            Unit::Week => true,
            Unit::Day => {
                self.is(i, "my") && !(i > 0 && self.one_of(i - 1, &["made", "make", "makes"]))
            }
            Unit::Month | Unit::Year => self.is(i, "all") && !(i > 0 && self.is(i - 1, "for")),
            _ => false,
        };
        if !fits
            || self.token(at)?.lex.plural
            || self.is(i, "all") && i > 0 && self.is(i - 1, "for")
        {
            return None;
        }
        Some((
            Moment::of_day(known(self.one_unit(Which::This, unit)?), Alone::Sure),
            self.past(at + 1, &["long"]),
        ))
    }

    fn one_unit(&self, which: Which, unit: Unit) -> Option<Stretch> {
        if unit < Unit::Day {
            return self.rolling(which, &Amount::new(1.0, unit));
        }
        let by = match which {
            Which::This => 0,
            Which::Next => 1,
            Which::Last => -1,
        };
        calendar::period(
            self.context.today,
            unit,
            by,
            self.context.policy.week_starts_on,
        )
    }

    /// So much time before or after now: whole days from tomorrow on or up to today, hours from now.
    fn rolling(&self, which: Which, amount: &Amount) -> Option<Stretch> {
        let context = self.context;
        if which == Which::This {
            return None;
        }
        let forward = which == Which::Next;
        let sign = if forward { 1.0 } else { -1.0 };
        if amount.smallest() < Unit::Day || amount.has_fraction() && amount.smallest() <= Unit::Day
        {
            let moved = resolve::shift(context, None, amount, sign)?;
            let (start, end) = if forward {
                (context.at, moved.start)
            } else {
                (moved.start, context.at)
            };
            return Some(Stretch {
                start,
                end,
                grain: calendar::unit_grain(amount.smallest()),
                exact: None,
            });
        }
        let (count, unit) = amount.parts().first().copied()?;
        let grain = calendar::unit_grain(unit);
        // Whole weekends, quarters and decades of the calendar are meant.
        if matches!(
            unit,
            Unit::Weekend | Unit::Quarter | Unit::Decade | Unit::Century
        ) && count.fract() == 0.0
            && count < 1000.0
        {
            let first = calendar::period(
                context.today,
                unit,
                if forward { 1 } else { -(count as i64) },
                context.policy.week_starts_on,
            )?;
            let last = calendar::period(
                context.today,
                unit,
                if forward { count as i64 } else { -1 },
                context.policy.week_starts_on,
            )?;
            return Some(Stretch {
                end: last.end,
                ..first
            });
        }
        let moved = resolve::shift(context, None, amount, sign)?.start.date();
        Some(if forward {
            Stretch {
                grain,
                ..calendar::stretch(add_days(context.today, 1)?, add_days(moved, 1)?, grain)
            }
        } else {
            // What happened today belongs to "the last 3 days".
            Stretch {
                start: midnight(moved),
                end: context.at.max(midnight(moved)),
                grain,
                exact: None,
            }
        })
    }

    /// "week after next", "month before last".
    fn after_next(&self, i: usize) -> Read<Moment> {
        let unit = self.token(i)?.lex.unit?;
        let (by, end) = match self
            .any_phrase(i + 1, &["after next", "after the next", "after this one"])
            .filter(|e| !self.is(e - 1, "one"))
        {
            Some(end) => (2, end),
            None => (
                -2,
                self.any_phrase(i + 1, &["before last", "before the last"])?,
            ),
        };
        let stretch = calendar::period(
            self.context.today,
            unit,
            by,
            self.context.policy.week_starts_on,
        )?;
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// "the week of the 18th", "week commencing June 3", "the weekend of the 5th".
    fn week_of(&self, i: usize) -> Read<Moment> {
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
        let stretch = calendar::period(
            day.start.date(),
            unit,
            0,
            self.context.policy.week_starts_on,
        )?;
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// "the rest of the week", "the remainder of today".
    fn rest_of(&self, i: usize) -> Read<Moment> {
        let at = self.past(i, &["the"]);
        let at = self.any_phrase(at, &["rest of", "remainder of", "balance of"])?;
        let (base, end) = self.base_period(at)?;
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
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// A stretch something can be a part of: "the month", "my day", "next week", "February", "2015".
    pub fn base_period(&self, i: usize) -> Read<Stretch> {
        let at = self.past(i, &["the", "my", "our", "this"]);
        if let Some(unit) = self.token(at).and_then(|t| t.lex.unit)
            && at > i
            && unit >= Unit::Day
            && self.phrase(at + 1, "after next").is_none()
            && self.phrase(at + 1, "of").is_none()
        {
            let stretch = calendar::period(
                self.context.today,
                unit,
                0,
                self.context.policy.week_starts_on,
            )?;
            return Some((stretch, at + 1));
        }
        let (moment, end) = self.deeper(|| self.pieces(i, true))?;
        if moment.clock.is_some() || moment.part.is_some() {
            return None;
        }
        resolve::moment(self.context, &moment).map(|r| (r, end))
    }

    /// "Q3", "Q3 2026", "2026 Q3", "H1 of next year".
    fn quarter(&self, i: usize) -> Read<Moment> {
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
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// "this year", "of last year".
    pub fn year_relative(&self, i: usize) -> Read<i16> {
        let at = self.past(i, &["the"]);
        let which = self.token(at)?.lex.which?;
        if self.token(at + 1)?.lex.unit != Some(Unit::Year) {
            return None;
        }
        let by = match which {
            Which::This => 0,
            Which::Next => 1,
            Which::Last => -1,
        };
        Some((self.context.today.year() + by, at + 2))
    }

    /// "week 32", "week 32 of 2026" (ISO 8601).
    fn week_number(&self, i: usize) -> Read<Moment> {
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
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// "this summer", "winter 2025", "next spring", "the fall".
    fn season(&self, i: usize) -> Read<Moment> {
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
            (None, Some(Which::Next)) if in_year(this)?.start <= self.context.at => {
                (in_year(this + 1)?, at + 1)
            }
            (None, Some(Which::Last)) if in_year(this)?.end > self.context.at => {
                (in_year(this - 1)?, at + 1)
            }
            (None, Some(_)) => (in_year(this)?, at + 1),
            (None, None) => (resolve::nearest_year(self.context, in_year)?, at + 1),
        };
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// "2015", "the year 2015", "year of 2008", "calendar year 2027".
    fn year_alone(&self, i: usize) -> Read<Moment> {
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
            Alone::Sure
        } else {
            Alone::Year
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
    fn decade(&self, i: usize) -> Read<Moment> {
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
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }

    /// "year to date", "month to date", "ytd".
    fn to_date(&self, i: usize) -> Read<Moment> {
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
        Some((Moment::of_day(known(stretch), Alone::Sure), end))
    }
}
