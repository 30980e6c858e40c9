//! Times of day in words, am and pm, and what makes a number something other than an hour.

use super::{ParseResult, Parser};
use crate::time::Grain;
use crate::time::lexicon::Unit;
use crate::time::model::{Clock, Meridiem};
use crate::time::token::TokenKind;

impl Parser<'_> {
    /// Reads noon, midday or midnight.
    pub fn clock_word(&self, i: usize) -> ParseResult<Clock> {
        let start = if self.digits(i).is_some_and(|d| d.0 == 12) || self.is(i, "twelve") {
            i + 1
        } else {
            i
        };
        let start = self.past(start, &["the"]);
        let noon = || {
            self.any_phrase(
                start,
                &["noon", "noontime", "midday", "high noon", "noonish"],
            )
        };
        let midnight = || self.any_phrase(start, &["midnight", "mid night"]);
        let mut clock = Clock::at(12, 0);
        clock.full = true;
        clock.grain = Grain::Hour;
        if let Some(end) = noon() {
            return Some((clock, end));
        }
        clock.hour = 0;
        clock.midnight = true;
        midnight().map(|end| (clock, end))
    }

    /// "quarter past five", "ten to six", "20 minutes after 3pm", "half past noon".
    pub fn clock_past(&self, i: usize) -> ParseResult<Clock> {
        let at = self.past(i, &["a"]);
        let (minutes, sure, at) = if self.is(at, "half") {
            (30, true, at + 1)
        } else if self.is(at, "quarter") {
            (15, true, at + 1)
        } else {
            let (value, end) = self.whole(i)?;
            let said = self.one_of(end, &["minutes", "minute", "mins", "min"]);
            let noon = self.clock_word(end + usize::from(said) + 1).is_some();
            let sure = said || self.digits(i).is_none() || noon;
            (value, sure, end + usize::from(said))
        };
        if !(1..60).contains(&minutes) {
            return None;
        }
        let sign = match self.word(at) {
            "past" | "after" => 1,
            // "From 10 til noon" is a range.
            "to" | "til" | "till" | "before" | "of"
                if sure && !self.is(i.wrapping_sub(1), "from") =>
            {
                -1
            }
            // "half five" is half past five.
            _ if minutes == 30 && self.is(at.wrapping_sub(1), "half") => {
                let (clock, end) = self.clock_hour(at)?;
                let whole = clock.grain == Grain::Hour && self.unit(end).is_none();
                return whole.then(|| (clock.moved(30), end));
            }
            _ => return None,
        };
        // Minutes before a bare hour must be a multiple of five: "ten to six".
        let (clock, end) = self.clock_hour(at + 1)?;
        let whole_hour = clock.grain == Grain::Hour && self.unit(end).is_none();
        let clear = sign > 0 || !clock.weak || minutes % 5 == 0;
        (whole_hour && clear).then(|| (clock.moved(sign * minutes as i32), end))
    }

    /// Reads an hour after "past" or "to".
    pub fn clock_hour(&self, i: usize) -> ParseResult<Clock> {
        self.clock_word(i)
            .or_else(|| self.clock_digits(i, true))
            .or_else(|| self.clock_words(i, true))
    }

    /// Reads a number word as the hour, with minutes in words.
    pub fn clock_words(&self, i: usize, weak: bool) -> ParseResult<Clock> {
        let hour = u32::from(self.token(i)?.lex.number?);
        if !(1..=12).contains(&hour) || self.is(i, "dozen") {
            return None;
        }
        if let Some(end) = self.oclock(i + 1) {
            return self.finish(
                Clock {
                    grain: Grain::Hour,
                    ..Clock::at(hour, 0)
                },
                end,
                true,
            );
        }
        let at = self.past_sign(i + 1, '-');
        if let Some((minute, end)) = self.minute_words(at)
            && self.unit(end).is_none()
        {
            return self.finish(
                Clock {
                    weak: true,
                    ..Clock::at(hour, minute)
                },
                end,
                weak,
            );
        }
        let clock = Clock {
            weak: true,
            grain: Grain::Hour,
            ..Clock::at(hour, 0)
        };
        self.finish(clock, i + 1, weak)
    }

    /// "thirty", "oh five", "forty-five".
    pub fn minute_words(&self, i: usize) -> ParseResult<u32> {
        if self.one_of(i, &["oh", "o", "zero"]) {
            let minute = u32::from(self.token(i + 1)?.lex.number?);
            return (1..10).contains(&minute).then_some((minute, i + 2));
        }
        let (minute, end) = self.number_words(i)?;
        (10..60).contains(&minute).then_some((minute, end))
    }

    /// "am", "p.m.", "p m", a glued "p".
    pub fn half_day(&self, i: usize) -> ParseResult<Meridiem> {
        let half = |c: &str| {
            if c.starts_with('a') {
                Meridiem::Am
            } else {
                Meridiem::Pm
            }
        };
        let word = self.word(i);
        if matches!(word, "am" | "pm") {
            // The word follows a number here, so it is not the verb of "I am".
            let end = if self.is_sign(i + 1, '.')
                && self.glued(i + 1)
                && self
                    .token(i + 2)
                    .is_some_and(|t| t.kind != TokenKind::Number && self.starts_lower(i + 2))
            {
                i + 2
            } else {
                i + 1
            };
            return Some((half(word), end));
        }
        if !matches!(word, "a" | "p") {
            return None;
        }
        let dotted = self.is_sign(i + 1, '.');
        let at = if dotted { i + 2 } else { i + 1 };
        if self.is(at, "m") {
            let end = if dotted && self.is_sign(at + 1, '.') {
                at + 2
            } else {
                at + 1
            };
            return Some((half(word), end));
        }
        let alone = self.glued(i)
            && !(self.glued(i + 1)
                && self.token(i + 1).is_some_and(|t| {
                    t.kind != TokenKind::Sign(',') && t.kind != TokenKind::Sign('.')
                }));
        alone.then_some((half(word), i + 1))
    }

    pub fn starts_lower(&self, i: usize) -> bool {
        self.one_of(
            i,
            &[
                "on", "to", "and", "in", "tomorrow", "today", "at", "until", "for", "till", "with",
            ],
        )
    }

    pub fn oclock(&self, i: usize) -> Option<usize> {
        if self.is(i, "oclock") {
            return Some(i + 1);
        }
        if !self.is(i, "o") {
            return None;
        }
        let at = self.past_sign(i + 1, '\'');
        self.one_of(at, &["clock"]).then_some(at + 1)
    }

    /// Returns whether what follows makes a bare number a measure of something else ("at 6.45 percent", "5 to 10
    /// people").
    pub fn measure_follows(&self, i: usize) -> bool {
        if self
            .sign(i)
            .is_some_and(|c| matches!(c, '%' | '$' | '€' | '£' | '°' | '/' | '#' | '=' | '×' | '*'))
        {
            return true;
        }
        let word = self.word(i);
        // "By one day", "by 2 weeks".
        if matches!(
            word,
            "day" | "days" | "week" | "weeks" | "month" | "months" | "year" | "years"
        ) {
            return true;
        }
        if word.is_empty() {
            return self.digits(i).is_some();
        }
        if self
            .token(i)
            .is_some_and(|t| t.lex.unit.is_some_and(|u| u < Unit::Day))
            || self.token(i).is_some_and(|t| t.lex.scale > 0)
        {
            return true;
        }
        let plural = word.len() > 4
            && word.ends_with('s')
            && !word.ends_with("ss")
            && self.token(i).is_some_and(|t| {
                t.lex.weekday == 0 && t.lex.part.is_none() && t.lex.unit.is_none()
            });
        MEASURES.contains(&word) || plural && !NOT_PLURAL.contains(&word)
    }
}

/// Words that make the number before them a measure of something.
const MEASURES: &[&str] = &[
    "percent",
    "per",
    "dollars",
    "dollar",
    "euros",
    "euro",
    "pounds",
    "usd",
    "eur",
    "bucks",
    "people",
    "men",
    "women",
    "children",
    "kilometers",
    "km",
    "kg",
    "kilograms",
    "kilogram",
    "miles",
    "mph",
    "kmh",
    "feet",
    "ft",
    "degrees",
    "celsius",
    "fahrenheit",
    "grams",
    "gb",
    "mb",
    "tb",
    "street",
    "st",
    "avenue",
    "ave",
    "road",
    "rd",
    "times",
    "x",
    "nd",
    "th",
    "k",
    "m",
    "cm",
    "mm",
    "out",
    "of",
    "stars",
    "star",
    "or",
    "more",
    "different",
];

/// Words that end like a plural but are not one.
const NOT_PLURAL: &[&str] = &[
    "sharp", "always", "across", "perhaps", "plus", "towards", "besides", "thanks", "please",
    "unless", "whereas", "its", "yes",
];
