//! Times counted from another one: "in 2 weeks", "3 days ago", "a week from Tuesday", "the day after tomorrow", "two
//! hours before noon", "the Monday after Christmas".

use super::{ParseResult, Parser, resolved_day};
use crate::time::calendar;
use crate::time::lexicon::Unit;
use crate::time::model::{Amount, LonePiece, Moment, Stretch};
use crate::time::settle;
use crate::time::{Grain, Note};

/// Words before an amount that hedge it or make it less exact.
const HEDGES: &[&str] = &[
    "about",
    "around",
    "roughly",
    "approximately",
    "over",
    "more than",
    "less than",
    "almost",
    "nearly",
    "like",
    "just",
    "exactly",
    "some",
];
/// Words after an amount that count it back from now.
const AGO: &[&str] = &[
    "ago",
    "back",
    "in the past",
    "before now",
    "prior to now",
    "earlier",
];
/// Words after an amount that count it from now.
const HENCE: &[&str] = &[
    "from now",
    "from today",
    "hence",
    "later",
    "from right now",
    "out",
    "after now",
    "from this moment",
    "in the future",
    "ahead",
    "from current time",
];

impl Parser<'_> {
    /// Reads any time counted from another one.
    pub fn shift(&self, i: usize) -> ParseResult<Moment> {
        let rules = [
            Self::in_amount,
            Self::amount_away,
            Self::day_after,
            Self::weekdays_away,
            Self::in_number,
            Self::week_from,
            Self::signed,
            Self::after_amount,
            Self::nth_after,
            Self::closest,
        ];
        rules
            .iter()
            .filter_map(|rule| rule(self, i))
            .max_by_key(|read| read.1)
    }

    pub fn shifted(&self, base: Option<&Moment>, amount: &Amount, sign: f64) -> Option<Moment> {
        let stretch = match amount.parts() {
            [(count, Unit::Weekend)] if base.is_none() => self.weekends(*count, sign)?,
            _ => settle::shift(self.context, base, amount, sign)?,
        };
        let mut moment = Moment::of_day(resolved_day(stretch), LonePiece::Sure);
        if let Some(base) = base {
            moment.composition.repaired = base.composition.repaired;
        }
        if amount.vague {
            moment.notes.push(Note::Vague(amount.parts()[0].0 as u32));
        }
        Some(moment)
    }

    /// Returns the nth weekend before or after now.
    fn weekends(&self, count: f64, sign: f64) -> Option<Stretch> {
        let today = self.context.today;
        let count = i64::from(u16::try_from(count as i64).ok()?);
        let by = if sign < 0.0 {
            -count
        } else {
            count - i64::from(!calendar::is_weekend(today))
        };
        calendar::period(today, Unit::Weekend, by, self.context.policy.week_starts_on)
    }

    /// "in 2 weeks", "in an hour from now", "in 3 days' time", "2 weeks' time".
    fn in_amount(&self, i: usize) -> ParseResult<Moment> {
        if !self.one_of(i, &["in", "within"]) {
            return None;
        }
        let at = self
            .any_phrase(
                i + 1,
                &[
                    "about",
                    "around",
                    "exactly",
                    "roughly",
                    "approximately",
                    "less than",
                    "under",
                    "just",
                ],
            )
            .unwrap_or(i + 1);
        let at = self.past(at, &["the"]);
        let (amount, end) = match self.amount(at) {
            Some(read) => read,
            None => self.signed_amount(at)?,
        };
        if at > i + 1 && self.is(at - 1, "the") && self.digits(at).is_none() {
            return None;
        }
        // "in a minute of silence" and "in 5 days of work" are lengths.
        if self.is(end, "of") {
            return None;
        }
        let end = self.past_possessive(end);
        let end = self
            .any_phrase(end, &["time", "from now", "of time"])
            .unwrap_or(end);
        if self.one_of(end, &["from", "after", "before"]) {
            return None;
        }
        let moment = self.shifted(None, &amount, 1.0)?;
        Some((
            if self.is(i, "within") {
                self.up_to(moment)?
            } else {
                moment
            },
            end,
        ))
    }

    /// Turns a later time into the stretch from now until then ("within 5 days").
    fn up_to(&self, mut moment: Moment) -> Option<Moment> {
        let later = moment.day.as_mut()?.within.as_mut()?;
        let whole_days = later.grain == Grain::Day;
        later.end = later.start;
        later.start = if whole_days {
            calendar::midnight(self.context.today)
        } else {
            self.context.at
        };
        (later.grain, later.exact) = (Grain::Part, None);
        Some(moment)
    }

    /// "+2 months, 5 days", "-3 hours".
    fn signed(&self, i: usize) -> ParseResult<Moment> {
        let sign = match self.sign(i)? {
            '+' => 1.0,
            '-' => -1.0,
            _ => return None,
        };
        let (amount, end) = self
            .amount(i + 1)
            .filter(|_| self.digits(i + 1).is_some())?;
        Some((self.shifted(None, &amount, sign)?, end))
    }

    /// Reads "after 2 hours", if nothing follows that the amount could belong to.
    fn after_amount(&self, i: usize) -> ParseResult<Moment> {
        if !self.is(i, "after") {
            return None;
        }
        let (amount, end) = self.amount(i + 1)?;
        let closed = self.token(end).is_none()
            || self
                .sign(end)
                .is_some_and(|c| matches!(c, '.' | ',' | '!' | '?' | '\n'));
        closed
            .then(|| self.shifted(None, &amount, 1.0))
            .flatten()
            .map(|m| (m, end))
    }

    /// Reads 15' and 20" as minutes and seconds.
    fn signed_amount(&self, i: usize) -> ParseResult<Amount> {
        let (value, _) = self.digits(i)?;
        let unit = match self.sign(i + 1)? {
            '\'' => Unit::Minute,
            '"' => Unit::Second,
            _ => return None,
        };
        self.glued(i + 1)
            .then(|| (Amount::new(f64::from(value), unit), i + 2))
    }

    /// Reads "in 15" as minutes, only at the end of a phrase.
    fn in_number(&self, i: usize) -> ParseResult<Moment> {
        if !self.is(i, "in") {
            return None;
        }
        let (value, digits) = self.digits(i + 1)?;
        let ends = self.token(i + 2).is_none()
            || self
                .sign(i + 2)
                .is_some_and(|c| matches!(c, '.' | '!' | '?' | ',' | '\n'))
                && !self.digits(i + 3).is_some_and(|_| self.glued(i + 3));
        if !ends || digits > 2 || !(5..=90).contains(&value) {
            return None;
        }
        let mut moment = self.shifted(None, &Amount::new(f64::from(value), Unit::Minute), 1.0)?;
        moment.composition.alone = LonePiece::InNumber;
        moment.notes.push(Note::MinutesAssumed);
        Some((moment, i + 2))
    }

    /// "3 days ago", "2 weeks from now", "an hour before noon", "a week ago Tuesday", "5 minutes later".
    fn amount_away(&self, i: usize) -> ParseResult<Moment> {
        let at = self.any_phrase(i, HEDGES).unwrap_or(i);
        let (amount, end) = self.amount(at)?;
        let end = self.past_possessive(end);
        let end = self.past(end, &["time"]);
        // "push it back 30 minutes later" moves by a length; it names no time.
        if self.one_of(end, &["back", "earlier", "later", "ahead", "out"]) && self.moved_before(i) {
            return None;
        }
        self.amount_ago(&amount, end)
            .or_else(|| self.amount_hence(&amount, end))
            .or_else(|| self.amount_from(i, &amount, end))
    }

    fn amount_ago(&self, amount: &Amount, end: usize) -> ParseResult<Moment> {
        let after = self.any_phrase(end, AGO)?;
        let base = if self.is(after - 1, "ago") {
            self.base_after_ago(after)
        } else {
            None
        };
        match base {
            Some((base, end)) => Some((self.shifted(Some(&base), amount, -1.0)?, end)),
            None => Some((self.shifted(None, amount, -1.0)?, after)),
        }
    }

    fn amount_hence(&self, amount: &Amount, end: usize) -> ParseResult<Moment> {
        let after = self.any_phrase(end, HENCE)?;
        if self.is(after - 1, "out") && amount.article && amount.smallest() >= Unit::Day {
            return None;
        }
        let exact = self.phrase(end, "from right now").is_some();
        let base = exact.then(|| self.near(after - 1)).flatten().map(|b| b.0);
        Some((self.shifted(base.as_ref(), amount, 1.0)?, after))
    }

    /// Reads an amount from or before another time, which begins after `end`.
    fn amount_from(&self, i: usize, amount: &Amount, end: usize) -> ParseResult<Moment> {
        let (sign, base_at) = match self.word(end) {
            "past" if amount.smallest() >= Unit::Day => return None,
            "from" | "after" | "past" | "following" | "since" => (1.0, end + 1),
            "before" => (-1.0, end + 1),
            "on" if amount.smallest() >= Unit::Week => (1.0, end + 1),
            "prior" if self.is(end + 1, "to") => (-1.0, end + 2),
            _ => return None,
        };
        let from = self.is(end, "from");
        let base_at = self.past(base_at, &["on", "at"]);
        let (base, end) = self.deeper(|| self.moment(base_at))?;
        self.fits_as_base(&base).then_some(())?;
        let before = |word: &str| i > 0 && self.is(i - 1, word);
        // "for 7 hours from 9:30": a length and its start.
        if from && before("for") && base.clock_to.is_none() {
            return Some((
                Moment {
                    length: Some(*amount),
                    ..base
                },
                end,
            ));
        }
        let moment = self.shifted(Some(&base), amount, sign)?;
        let within = before("within") || self.is(i, "less");
        Some((
            if within && sign > 0.0 {
                self.up_to(moment)?
            } else {
                moment
            },
            end,
        ))
    }

    /// Returns whether it is possible to count from `base`: it is no bare hour, length or range.
    pub fn fits_as_base(&self, base: &Moment) -> bool {
        base.clock.is_none_or(|c| !c.weak || base.day.is_some())
            && base.length.is_none()
            && base.clock_to.is_none()
    }

    fn base_after_ago(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["on", "from"]);
        let (base, end) = self.deeper(|| self.moment(at))?;
        let only_day = base.clock.is_none() && base.part.is_none() && base.day.is_some();
        let day = base.day.filter(|_| only_day)?;
        let near = day.weekday.is_some() || day.within.is_some_and(|w| w.grain <= Grain::Day);
        near.then_some((base, end))
    }
}
