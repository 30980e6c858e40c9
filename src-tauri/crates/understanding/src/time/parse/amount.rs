//! Amounts of time: "90 minutes", "an hour and a half", "1h30", "two weeks and 3 days".

use super::{ParseResult, Parser};
use crate::time::lexicon::Unit;
use crate::time::model::Amount;

impl Parser<'_> {
    /// Reads a unit word at `i`, with words that may precede it ("business days", "calendar months").
    pub fn unit(&self, i: usize) -> ParseResult<Unit> {
        if self.one_of(i, &["business", "working", "work"])
            && self
                .token(i + 1)
                .is_some_and(|t| t.lex.unit == Some(Unit::Day))
        {
            return Some((Unit::WorkDay, i + 2));
        }
        let i = self.past(i, &["calendar", "full", "whole", "solid", "more"]);
        if let Some(end) = self
            .phrase(i, "week day")
            .or_else(|| self.phrase(i, "week days"))
        {
            return Some((Unit::WorkDay, end));
        }
        if let Some(end) = self
            .phrase(i, "week end")
            .or_else(|| self.phrase(i, "week ends"))
        {
            return Some((Unit::Weekend, end));
        }
        let unit = self.token(i)?.lex.unit?;
        let word = self.word(i);
        // A single letter is a unit only directly after its number.
        if word.len() == 1 && !self.glued(i) && !(self.is_sign(i.wrapping_sub(1), '-')) {
            let digits = i.checked_sub(1).is_some_and(|p| self.digits(p).is_some());
            // "1 d, 2 h": a single letter after a space counts if no noun can follow it.
            let alone =
                self.word(i + 1).is_empty() || self.one_of(i + 1, &["ago", "and", "later", "from"]);
            if !digits || word != "h" && !(word != "s" && alone) {
                return None;
            }
        }
        Some((
            unit,
            if word.len() <= 3 {
                self.past_unit_dot(i + 1)
            } else {
                i + 1
            },
        ))
    }

    fn past_unit_dot(&self, i: usize) -> usize {
        let more = self.one_of(
            i + 1,
            &[
                "ago", "later", "from", "before", "after", "and", "hence", "back",
            ],
        );
        if self.is_sign(i, '.') && self.glued(i) && more {
            i + 1
        } else {
            i
        }
    }

    /// Reads an amount, without the words around it.
    pub fn amount(&self, i: usize) -> ParseResult<Amount> {
        let (mut amount, mut at) = self.first_part(i)?;
        if let Some((more, end)) = self.and_fraction(at) {
            let (count, unit) = amount.parts()[0];
            // "an hour and a quarter to five" would be a clock time, "an hour and a half to check it" is an amount.
            let clock = self.is(end, "past")
                || self.is(end, "to")
                    && (self.whole(end + 1).is_some()
                        || self.one_of(end + 1, &["noon", "midnight"]));
            if !clock {
                let article = amount.article;
                amount = Amount::new(count + more, unit);
                amount.article = article;
                at = end;
            }
        }
        for _ in 0..4 {
            let Some(((count, unit), end)) = self.further_part(at, amount.smallest()) else {
                break;
            };
            amount.push(count, unit);
            amount.article = false;
            at = end;
        }
        Some((amount, at))
    }

    fn first_part(&self, i: usize) -> ParseResult<Amount> {
        if let Some(read) = self.part_of_an_hour(i) {
            return Some(read);
        }
        let i = self.past(
            i,
            &[
                "exactly",
                "about",
                "roughly",
                "approximately",
                "another",
                "only",
            ],
        );
        let (count, mut at) = self.count(i)?;
        at = if self.is_sign(at, '-') && self.glued(at) {
            at + 1
        } else {
            at
        };
        at = self.past(at, &["more", "extra", "additional"]);
        if let Some((unit, end)) = self.unit(at) {
            // "a quarter past noon" is a clock time.
            let clock = unit == Unit::Quarter
                && self.one_of(end, &["past", "to", "till", "before", "after", "of"]);
            if self.word(at) == "s" && count.worded || clock {
                return None;
            }
            let mut amount = Amount::new(count.value, unit);
            (amount.vague, amount.article) = (count.vague, count.article);
            return Some((amount, end));
        }
        if self.glued(at) && self.is(at, "m") {
            return Some((Amount::new(count.value, Unit::Minute), at + 1));
        }
        None
    }

    /// "half an hour", "a quarter of an hour", "three quarters of an hour".
    fn part_of_an_hour(&self, i: usize) -> ParseResult<Amount> {
        let (share, at) = match self.any_phrase(i, &["three quarters of", "three quarters"]) {
            Some(end) => (0.75, end),
            None => {
                let end =
                    self.any_phrase(i, &["a quarter of", "quarter of", "a quarter", "quarter"])?;
                (0.25, end)
            }
        };
        let at = self.past(at, &["an", "a"]);
        let unit = self.token(at)?.lex.unit?;
        matches!(unit, Unit::Hour | Unit::Year | Unit::Day)
            .then_some((Amount::new(share, unit), at + 1))
    }

    /// "and 30 minutes", ", 5 seconds", "30" right after "1h".
    fn further_part(&self, i: usize, above: Unit) -> ParseResult<(f64, Unit)> {
        let next_below = |unit: Unit| match unit {
            Unit::Hour => Some(Unit::Minute),
            Unit::Minute => Some(Unit::Second),
            _ => None,
        };
        let mut at = self.past_sign(i, ',');
        let comma = at > i;
        at = self.past(at, &["and", "n"]);
        at = self.past_sign(at, '&');
        let joined = at > i;
        let glued_number = at == i && self.glued(at) && self.digits(at).is_some();
        let (count, end) = self.count(at)?;
        if !joined && count.article {
            return None;
        }
        if let Some((unit, end)) = self.unit(end) {
            // "2 days 1 month" is one amount; after a comma a larger unit begins another one.
            let larger = unit > above && !comma && !count.article;
            return (unit < above || larger).then_some(((count.value, unit), end));
        }
        if self.glued(end) && self.is(end, "m") && above > Unit::Minute {
            return Some(((count.value, Unit::Minute), end + 1));
        }
        let below = next_below(above)?;
        (glued_number && count.value < 60.0).then_some(((count.value, below), end))
    }

    /// Reads an amount that stands alone, with words that only lengths have ("all day", "a full week", "another
    /// month").
    pub fn length(&self, i: usize) -> ParseResult<Amount> {
        if let Some(at) = self.any_phrase(i, WHOLE) {
            let at = self.past_sign(at, '-');
            let (unit, end) = self.unit(at)?;
            let end = if self.is(at, "day") {
                self.past(end, &["long"])
            } else {
                end
            };
            let fits = unit >= Unit::Hour && !self.token(end - 1)?.lex.plural;
            return fits.then_some((Amount::new(1.0, unit), end));
        }
        self.amount(i)
    }
}

/// Words before a unit that make it one whole unit.
const WHOLE: &[&str] = &[
    "all",
    "the whole",
    "the entire",
    "the full",
    "a whole",
    "an entire",
    "a full",
    "whole",
    "entire",
    "full",
    "another",
    "all the",
];
