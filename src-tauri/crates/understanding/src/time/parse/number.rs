//! Numbers in digits and in words, ordinals, years.

use super::{ParseResult, Parser};
use crate::time::token::TokenKind;
use crate::time::{YEAR_MAX, YEAR_MIN};

/// A count of something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::time) struct Count {
    pub value: f64,
    pub vague: bool,
    pub article: bool,
    /// Written as a word.
    pub worded: bool,
}

impl Parser<'_> {
    /// Reads a whole number in words: "five", "twenty-one", "a hundred and fifty", "two thousand".
    pub fn number_words(&self, i: usize) -> ParseResult<u32> {
        let (mut total, mut group, mut at, mut any) = (0_u32, 0_u32, i, false);
        if self.is(i, "a") && self.token(i + 1).is_some_and(|t| t.lex.scale > 0) {
            (group, at, any) = (1, i + 1, true);
        }
        let mut room = u32::MAX;
        for _ in 0..8 {
            let mut j = at;
            if any
                && (self.is_sign(j, '-') && self.glued(j) && self.glued(j + 1)
                    || self.is(j, "and") && group % 100 == 0)
            {
                j += 1;
            }
            let Some(t) = self.token(j) else { break };
            if let Some(n) = t.lex.number {
                let n = u32::from(n);
                if n >= room || (any && group % 100 > 0 && (group % 10 > 0 || n >= 10 || n == 0)) {
                    break;
                }
                group += n;
                (at, any) = (j + 1, true);
            } else if t.lex.scale > 0 && any && j == at {
                if t.lex.scale == 100 {
                    group = group.checked_mul(100)?;
                } else {
                    total = total.checked_add(group.checked_mul(t.lex.scale)?)?;
                    group = 0;
                }
                room = u32::MAX;
                at = j + 1;
            } else {
                break;
            }
        }
        any.then_some((total.checked_add(group)?, at))
    }

    /// Reads a whole number in digits or words.
    pub fn whole(&self, i: usize) -> ParseResult<u32> {
        if let Some((value, _)) = self.digits(i) {
            return Some((value, i + 1));
        }
        self.number_words(i)
    }

    /// Reads how many of something: "3", "2.5", "two and a half", "1 1/2", "½", "a", "a couple of", "a few", "half a".
    pub fn count(&self, i: usize) -> ParseResult<Count> {
        let plain = |value: f64, end: usize| {
            Some((
                Count {
                    value,
                    vague: false,
                    article: false,
                    worded: self.digits(i).is_none(),
                },
                end,
            ))
        };
        if let Some(end) = self.any_phrase(i, &["a couple of", "a couple", "couple of", "couple"]) {
            return plain(2.0, end);
        }
        if let Some(end) = self.any_phrase(i, &["a few", "few", "several", "some", "a handful of"])
        {
            let value = if self.is(i, "several") || self.is(i + 1, "handful") {
                5.0
            } else {
                3.0
            };
            return Some((
                Count {
                    value,
                    vague: true,
                    article: false,
                    worded: true,
                },
                end,
            ));
        }
        if let Some(end) = self.any_phrase(i, &["half a", "half an", "a half", "half"]) {
            return plain(0.5, end);
        }
        if let Some((half, end)) = self.fraction_sign(i) {
            return plain(half, end);
        }
        if let (Some((over, _)), true, Some((under @ 2..=4, 1))) = (
            self.digits(i),
            self.is_sign(i + 1, '/') && self.glued(i + 1),
            self.digits(i + 2),
        ) && over < under
        {
            let end = self.any_phrase(i + 3, &["of an", "of a", "of", "an", "a"]);
            return plain(f64::from(over) / f64::from(under), end.unwrap_or(i + 3));
        }
        if let Some((value, end)) = self.digits(i).map(|(v, _)| (f64::from(v), i + 1)) {
            let (value, end) = self.decimals(value, end);
            let (more, end) = self.and_fraction(end).unwrap_or((0.0, end));
            return plain(value + more, end);
        }
        if let Some((value, end)) = self.number_words(i) {
            let (more, end) = self.and_fraction(end).unwrap_or((0.0, end));
            return plain(f64::from(value) + more, end);
        }
        if self.one_of(i, &["a", "an"]) {
            let dozen = self.is(i + 1, "dozen");
            let value = if dozen { 12.0 } else { 1.0 };
            return Some((
                Count {
                    value,
                    vague: false,
                    article: true,
                    worded: true,
                },
                i + 1 + usize::from(dozen),
            ));
        }
        None
    }

    /// Adds ".5", ",000" or " 1/2" after a number to its value.
    fn decimals(&self, value: f64, end: usize) -> (f64, usize) {
        let tight = self.glued(end) && self.glued(end + 1);
        match (self.sign(end), self.digits(end + 1)) {
            (Some('.'), Some((part, digits))) if tight => {
                return (
                    value + f64::from(part) / 10_f64.powi(digits as i32),
                    end + 2,
                );
            }
            (Some(','), Some((part, 3))) if tight => {
                return (value * 1000.0 + f64::from(part), end + 2);
            }
            _ => {}
        }
        if let (Some((over, _)), true, Some((under @ 2..=4, _))) = (
            self.digits(end),
            self.is_sign(end + 1, '/') && self.glued(end + 1),
            self.digits(end + 2),
        ) && over < under
        {
            return (value + f64::from(over) / f64::from(under), end + 3);
        }
        (value, end)
    }

    /// "and a half", "and a quarter", "½".
    pub fn and_fraction(&self, i: usize) -> ParseResult<f64> {
        if let Some(read) = self.fraction_sign(i) {
            return Some(read);
        }
        if let Some(end) = self.any_phrase(
            i,
            &[
                "and a half",
                "and half",
                "and one half",
                "and an half",
                "& a half",
            ],
        ) {
            return Some((0.5, end));
        }
        if let Some(end) = self.phrase(i, "and three quarters") {
            return Some((0.75, end));
        }
        self.any_phrase(i, &["and a quarter", "and one quarter"])
            .map(|end| (0.25, end))
    }

    fn fraction_sign(&self, i: usize) -> ParseResult<f64> {
        let value = match self.sign(i)? {
            '½' => 0.5,
            '¼' => 0.25,
            '¾' => 0.75,
            _ => return None,
        };
        Some((value, i + 1))
    }

    /// Reads "3rd", "third", "twenty-first", but not "last". The flag is true for digits and false for words.
    pub fn ordinal(&self, i: usize) -> ParseResult<(u32, bool)> {
        if let Some((value, digits)) = self.digits(i) {
            let suffix = self.one_of(i + 1, &["st", "nd", "rd", "th"]);
            return (suffix && self.glued(i + 1) && digits <= 3).then_some(((value, true), i + 2));
        }
        let t = self.token(i)?;
        if t.lex.ordinal > 0 {
            return Some(((u32::from(t.lex.ordinal), false), i + 1));
        }
        if let Some(tens @ (20 | 30)) = t.lex.number {
            let j = self.past_sign(i + 1, '-');
            let one = self.token(j)?.lex.ordinal;
            if (1..=9).contains(&one) {
                return Some(((u32::from(tens) + u32::from(one), false), j + 1));
            }
        }
        None
    }

    /// Reads an ordinal or "last", "second to last", "penultimate": 1 is the first, -1 the last.
    pub fn position(&self, i: usize) -> ParseResult<i32> {
        if let Some(end) = self.any_phrase(
            i,
            &["penultimate", "next to last", "second last", "last but one"],
        ) {
            return Some((-2, end));
        }
        if self.one_of(i, &["last", "final"]) {
            return Some((-1, i + 1));
        }
        let ((value, _), end) = self.ordinal(i)?;
        let value = i32::try_from(value).ok()?;
        let last = if self.is_sign(end, '-') && self.glued(end) {
            end + 1
        } else {
            end
        };
        match self.any_phrase(
            last,
            &[
                "to the last",
                "to last",
                "from last",
                "from the last",
                "last",
                "from the end",
            ],
        ) {
            Some(end) if value > 1 => Some((-value, end)),
            _ => Some((value, end)),
        }
    }

    /// Reads a year of four digits, of two after an apostrophe, or in words ("twenty twenty-six", "two thousand and
    /// five").
    pub fn year(&self, i: usize) -> ParseResult<i16> {
        if self.is_sign(i, '\'')
            && let Some((value, 2)) = self.digits(i + 1)
            && self.glued(i + 1)
        {
            return Some((self.century(value), i + 2));
        }
        if let Some((value, digits)) = self.digits(i) {
            let clock =
                self.is_sign(i + 1, ':') && self.glued(i + 1) || self.half_day(i + 1).is_some();
            let year = i16::try_from(value).ok()?;
            let fine = digits == 4 && (YEAR_MIN..=YEAR_MAX).contains(&year) && !clock;
            let letters = self.glued(i + 1)
                && self.token(i + 1).is_some_and(|t| t.kind == TokenKind::Word)
                && !self.is(i + 1, "t");
            return (fine && !letters).then_some((year, i + 1));
        }
        let first = self.token(i)?.lex.number?;
        if (10..=20).contains(&first) {
            let (rest, end) = self.number_words(i + 1)?;
            let year = i16::from(first) * 100 + i16::try_from(rest).ok()?;
            return ((10..=99).contains(&rest) && (1500..2100).contains(&year))
                .then_some((year, end));
        }
        let (value, end) = self.number_words(i)?;
        let year = i16::try_from(value).ok()?;
        (end > i + 1 && (1900..2100).contains(&year)).then_some((year, end))
    }

    /// Returns the year meant by two digits: in this century if that is at most thirty years ahead, otherwise in the
    /// last.
    pub fn century(&self, two: u32) -> i16 {
        let two = two as i16 % 100;
        let now = self.context.today.year();
        let year = now - now.rem_euclid(100) + two;
        if year > now + 30 { year - 100 } else { year }
    }
}
