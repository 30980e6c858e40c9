//! Dates with the name of a month: "5th of June 2027", "June 5", "July 13-15", "next June".

use super::{ParseResult, Parser};
use crate::time::calendar::make;
use crate::time::lexicon::RelativePosition;
use crate::time::model::{Day, LonePiece, Moment};
use crate::time::token::TokenKind;

impl Parser<'_> {
    /// Reads a date with the name of a month: "5th of June 2027", "June 5", "Jun 2027", "2027 June", "next June".
    pub fn date_named(&self, i: usize) -> ParseResult<Moment> {
        let i = self
            .any_phrase(i, &["the month of", "month of"])
            .unwrap_or(i);
        self.day_then_month(i)
            .or_else(|| self.month_first(i))
            .or_else(|| self.year_then_month(i))
    }

    pub fn month_at(&self, i: usize) -> ParseResult<u8> {
        let month = self.token(i)?.lex.month;
        (month > 0).then(|| (month, self.past_dot(self.past_possessive(i + 1))))
    }

    pub fn past_separators(&self, mut i: usize, words: &[&str]) -> usize {
        for _ in 0..3 {
            let sign = self.sign(i).is_some_and(|c| {
                matches!(c, ',' | '-' | '/' | '.') && (c == ',' || self.glued(i) || c == '-')
            });
            if sign || self.one_of(i, words) {
                i += 1;
            } else {
                break;
            }
        }
        i
    }

    /// Reads a day of the month: an ordinal or a number of at most two digits.
    pub fn day_number_at(&self, i: usize) -> ParseResult<u8> {
        if let Some(((n, _), end)) = self.ordinal(i) {
            return (1..=31).contains(&n).then_some((n as u8, end));
        }
        let (n, digits) = self.digits(i)?;
        let clock = self.is_sign(i + 1, ':') && self.glued(i + 1)
            || self.half_day(i + 1).is_some()
            || self.one_of(i + 1, &["h", "o", "oclock"]);
        let unit = !self.is(i + 1, "day") && self.unit(i + 1).is_some();
        let letters = self.glued(i + 1)
            && self
                .token(i + 1)
                .is_some_and(|t| t.kind == TokenKind::Word && t.lex.month == 0);
        (digits <= 2 && (1..=31).contains(&n) && !clock && !unit && !letters)
            .then_some((n as u8, i + 1))
    }

    /// Reads the second of two days of the month: "-15", "to 15th", "through the 15th".
    pub fn to_day(&self, i: usize, and: bool) -> ParseResult<u8> {
        let joined = self.is_sign(i, '-')
            || self.one_of(i, &["to", "through", "thru", "until", "till", "til"])
            || and && self.is(i, "and");
        if !joined {
            return None;
        }
        let at = self.past(i + 1, &["the"]);
        self.day_number_at(at)
    }

    pub fn day_then_month(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the"]);
        let (day, mut at) = self.day_number_at(at)?;
        let between = i > 0 && self.one_of(i - 1, &["between"]);
        let to = self.to_day(at, between);
        let mut day_to = None;
        if let Some((to, end)) = to
            && to > day
        {
            (day_to, at) = (Some(to), end);
        }
        at = self.past(at, &["day"]);
        at = self.past_separators(at, &["of", "the", "in"]);
        let which = self.token(at).and_then(|t| t.lex.which);
        if which.is_some() {
            at += 1;
        }
        let (month, end) = self.month_at(at)?;
        let (mut year, mut end) = self.year_after(end);
        // "17 April 85"
        if year.is_none()
            && which.is_none()
            && let Some((two, 2)) = self.digits(end)
            && !self.glued(end + 1)
            && !self.measure_follows(end + 1)
            && self.half_day(end + 1).is_none()
            && !self.one_of(end + 1, &["to", "through", "until", "till"])
        {
            (year, end) = (Some(self.century(two)), end + 1);
        }
        let day = Day {
            year,
            month: Some(month),
            day: Some(day),
            day_to,
            which,
            ..Day::default()
        };
        self.checked(day, end)
    }

    fn month_first(&self, i: usize) -> ParseResult<Moment> {
        let which = self.token(i)?.lex.which;
        let start = if which.is_some() { i + 1 } else { i };
        // "this coming June"
        let coming = which == Some(RelativePosition::This) && self.is(start, "coming");
        let start = start + usize::from(coming);
        let (month, after) = self.month_at(start)?;
        let word = self.token(start)?.lex;
        let read = self
            .month_then_day(i, which, month, after, word.shy)
            .or_else(|| self.month_then_year(month, after));
        if let Some((mut moment, end)) = read {
            moment.composition.repaired = word.repaired;
            return Some((moment, end));
        }
        if self.broken.get() > after {
            return None;
        }
        let alone = match which {
            // "this may change"
            Some(RelativePosition::This) if matches!(month, 3 | 5) && word.shy => {
                LonePiece::ShyWord
            }
            Some(_) => LonePiece::Sure,
            None if word.shy => LonePiece::ShyWord,
            None => LonePiece::Month,
        };
        let mut moment = Moment::of_day(
            Day {
                month: Some(month),
                which,
                ..Day::default()
            },
            alone,
        );
        moment.composition.repaired = word.repaired;
        Some((moment, after))
    }

    /// "June 5", "July 13-15, 2027", "next March 3".
    fn month_then_day(
        &self,
        i: usize,
        which: Option<RelativePosition>,
        month: u8,
        after: usize,
        shy: bool,
    ) -> ParseResult<Moment> {
        let at = self.past_separators(after, &["the", "on"]);
        let (day, mut end) = self.day_number_at(at).or_else(|| self.worded_day(at))?;
        let mut day_to = None;
        let between = i > 0 && self.is(i - 1, "between");
        if let Some((to, further)) = self.to_day(end, between)
            && to > day
            && self.month_at(further).is_none()
            && !self.is_sign(further, ':')
        {
            (day_to, end) = (Some(to), further);
        }
        let (year, end) = self.year_after(self.past(end, &["day"]));
        let which = which.filter(|_| year.is_none());
        // "they march 5 miles"
        let noun = !self.word(end).is_empty() && self.measure_follows(end);
        if shy && year.is_none() && noun && matches!(month, 3 | 5) {
            return None;
        }
        self.checked(
            Day {
                year,
                month: Some(month),
                day: Some(day),
                day_to,
                which,
                ..Day::default()
            },
            end,
        )
    }

    /// "June 2027", "April of 87", "September-2027-23".
    fn month_then_year(&self, month: u8, after: usize) -> ParseResult<Moment> {
        let at = self.past_separators(after, &["of", "in", "the"]);
        let at = self.past(at, &["year"]);
        let of = |year: i16| Day {
            year: Some(year),
            month: Some(month),
            ..Day::default()
        };
        if self.is(at.wrapping_sub(1), "of")
            && let Some((two @ 32.., 2)) = self.digits(at)
            && !self.glued(at + 1)
        {
            return Some((
                Moment::of_day(of(self.century(two)), LonePiece::Sure),
                at + 1,
            ));
        }
        let (year, end) = self.year(at)?;
        if self.is_sign(end, '-')
            && self.glued(end)
            && self.glued(end + 1)
            && let Some((number @ 1..=31, 1..=2)) = self.digits(end + 1)
        {
            return self.checked(
                Day {
                    day: Some(number as u8),
                    ..of(year)
                },
                end + 2,
            );
        }
        Some((Moment::of_day(of(year), LonePiece::Sure), end))
    }

    /// "twenty", "twenty five" after a month.
    pub fn worded_day(&self, i: usize) -> ParseResult<u8> {
        let (n, end) = self.number_words(i)?;
        let clock = self.half_day(end).is_some()
            || self.one_of(end, &["o", "oclock"])
            || self.unit(end).is_some();
        ((1..=31).contains(&n) && !clock && self.token(end).is_none_or(|t| t.lex.number.is_none()))
            .then_some((n as u8, end))
    }

    pub fn year_then_month(&self, i: usize) -> ParseResult<Moment> {
        let (year, at) = self.year(i)?;
        let (month, end) = self.month_at(self.past_separators(at, &[]))?;
        let at = self.past_separators(end, &["the"]);
        if let Some((day, end)) = self.day_number_at(at) {
            return self.checked(
                Day {
                    year: Some(year),
                    month: Some(month),
                    day: Some(day),
                    ..Day::default()
                },
                end,
            );
        }
        Some((
            Moment::of_day(
                Day {
                    year: Some(year),
                    month: Some(month),
                    ..Day::default()
                },
                LonePiece::Sure,
            ),
            end,
        ))
    }

    pub fn year_after(&self, i: usize) -> (Option<i16>, usize) {
        let at = self.past_separators(i, &["of", "in"]);
        let at = self
            .any_phrase(at, &["the year of", "the year", "year"])
            .unwrap_or(at);
        if let Some((year, end)) = self.year(at) {
            // The number in "June 5, 2000 people" is read as a year too: what follows it is not checked.
            return (Some(year), end);
        }
        let tight =
            at > i && self.glued(at) && self.sign(at - 1).is_some_and(|c| matches!(c, '/' | '-'));
        match self.digits(at) {
            Some((two, 2))
                if tight
                    && !(self.glued(at + 1)
                        && self
                            .token(at + 1)
                            .is_some_and(|t| t.kind == TokenKind::Word)) =>
            {
                (Some(self.century(two)), at + 1)
            }
            _ => (None, i),
        }
    }

    /// Returns the day as a moment, or `None` if it does not exist ("June 31").
    pub fn checked(&self, day: Day, end: usize) -> ParseResult<Moment> {
        let (month, number) = (day.month?, day.day_to.or(day.day)?);
        let year = day.year.unwrap_or(2024);
        if make(year, month, number).is_none() {
            self.mark_broken(end);
            return None;
        }
        Some((Moment::of_day(day, LonePiece::Sure), end))
    }
}
