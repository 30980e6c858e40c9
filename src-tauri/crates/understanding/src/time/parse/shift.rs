//! Times counted from another one: "in 2 weeks", "3 days ago", "a week from Tuesday", "the day after tomorrow", "two hours
//! before noon", "the Monday after Christmas".

use super::{Parser, Read, known};
use crate::time::calendar;
use crate::time::lexicon::Unit;
use crate::time::model::{Alone, Amount, Moment};
use crate::time::resolve;
use crate::time::{Grain, Note, Prefer};

impl Parser<'_> {
    /// Any time counted from another.
    pub fn shift(&self, i: usize) -> Read<Moment> {
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

    fn shifted(&self, base: Option<&Moment>, amount: &Amount, sign: f64) -> Option<Moment> {
        let stretch = resolve::shift(self.context, base, amount, sign)?;
        let mut moment = Moment::of_day(known(stretch), Alone::Sure);
        if let Some(base) = base {
            moment.made.repaired = base.made.repaired;
        }
        if amount.vague {
            moment.notes.push(Note::Vague(amount.parts()[0].0 as u32));
        }
        Some(moment)
    }

    /// "in 2 weeks", "in an hour from now", "in 3 days' time", "2 weeks' time".
    fn in_amount(&self, i: usize) -> Read<Moment> {
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

    /// From now to a later time ("within 5 days").
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
    fn signed(&self, i: usize) -> Read<Moment> {
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

    /// "after 2 hours", where nothing follows that the amount could belong to.
    fn after_amount(&self, i: usize) -> Read<Moment> {
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

    /// 15' and 20" as minutes and seconds.
    fn signed_amount(&self, i: usize) -> Read<Amount> {
        let (value, _) = self.digits(i)?;
        let unit = match self.sign(i + 1)? {
            '\'' => Unit::Minute,
            '"' => Unit::Second,
            _ => return None,
        };
        self.glued(i + 1)
            .then(|| (Amount::new(f64::from(value), unit), i + 2))
    }

    /// "in 15": minutes, only at the end of what is said.
    fn in_number(&self, i: usize) -> Read<Moment> {
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
        moment.made.alone = Alone::InNumber;
        moment.notes.push(Note::MinutesAssumed);
        Some((moment, i + 2))
    }

    /// "3 days ago", "2 weeks from now", "an hour before noon", "a week ago Tuesday", "5 minutes later".
    fn amount_away(&self, i: usize) -> Read<Moment> {
        let at = self
            .any_phrase(
                i,
                &[
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
                ],
            )
            .unwrap_or(i);
        let (amount, end) = self.amount(at)?;
        let end = self.past_possessive(end);
        let end = self.past(end, &["time"]);
        if let Some(after) = self.any_phrase(
            end,
            &[
                "ago",
                "back",
                "in the past",
                "before now",
                "prior to now",
                "earlier",
            ],
        ) {
            let base = if self.is(after - 1, "ago") {
                self.base_after_ago(after)
            } else {
                None
            };
            return match base {
                Some((base, end)) => Some((self.shifted(Some(&base), &amount, -1.0)?, end)),
                None => Some((self.shifted(None, &amount, -1.0)?, after)),
            };
        }
        if let Some(after) = self.any_phrase(
            end,
            &[
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
            ],
        ) {
            if self.is(after - 1, "out") && amount.article && amount.smallest() >= Unit::Day {
                return None;
            }
            let exact = self.phrase(end, "from right now").is_some();
            let base = exact.then(|| self.near(after - 1)).flatten().map(|b| b.0);
            return Some((self.shifted(base.as_ref(), &amount, 1.0)?, after));
        }
        let end_of_amount = end;
        let (sign, base_at) = match self.word(end) {
            "past" if amount.smallest() >= Unit::Day => return None,
            "from" | "after" | "past" | "following" | "since" => (1.0, end + 1),
            "before" => (-1.0, end + 1),
            "on" if amount.smallest() >= Unit::Week => (1.0, end + 1),
            "prior" if self.is(end + 1, "to") => (-1.0, end + 2),
            _ => return None,
        };
        let base_at = self.past(base_at, &["the"]);
        let base_at = if self.is(base_at - 1, "the") && self.token(base_at)?.lex.starts {
            base_at - 1
        } else {
            base_at
        };
        let base_at = self.past(base_at, &["on", "at"]);
        let (base, end) = self.deeper(|| self.moment(base_at))?;
        self.fits_as_base(&base).then_some(())?;
        // "for 7 hours from 9:30": a length and its start.
        if self.is(end_of_amount, "from")
            && i > 0
            && self.is(i - 1, "for")
            && base.clock_to.is_none()
        {
            let length = Some(amount);
            return Some((Moment { length, ..base }, end));
        }
        let moment = self.shifted(Some(&base), &amount, sign)?;
        let within =
            i > 0 && self.is(i - 1, "within") || self.is(i, "less") || self.is(i, "within");
        Some((
            if within && sign > 0.0 {
                self.up_to(moment)?
            } else {
                moment
            },
            end,
        ))
    }

    /// A bare hour or a vague word is nothing to count from.
    fn fits_as_base(&self, base: &Moment) -> bool {
        base.clock.is_none_or(|c| !c.weak || base.day.is_some())
            && base.length.is_none()
            && base.clock_to.is_none()
    }

    fn base_after_ago(&self, i: usize) -> Read<Moment> {
        let at = self.past(i, &["on", "from"]);
        let (base, end) = self.deeper(|| self.moment(at))?;
        let only_day = base.clock.is_none() && base.part.is_none() && base.day.is_some();
        let day = base.day.filter(|_| only_day)?;
        let near = day.weekday.is_some() || day.within.is_some_and(|w| w.grain <= Grain::Day);
        near.then_some((base, end))
    }

    /// "the day after tomorrow", "the day before yesterday", "the week after Christmas", "the Monday after June 3".
    fn day_after(&self, i: usize) -> Read<Moment> {
        let at = self.past(i, &["the"]);
        let lex = self.token(at)?.lex;
        let (sign, base_at) = match self.word(at + 1) {
            "after" | "following" => (1.0, at + 2),
            "before" | "preceding" => (-1.0, at + 2),
            _ => return None,
        };
        let base_at = self.past(base_at, &["the"]);
        let base_at = if self.token(base_at)?.lex.ordinal > 0 || self.digits(base_at).is_some() {
            base_at
        } else {
            self.past(base_at, &["the"])
        };
        let (base, end) = self.deeper(|| self.moment(base_at))?;
        self.fits_as_base(&base).then_some(())?;
        if lex.weekday > 0 && !lex.plural {
            let anchor = resolve::moment(self.context, &base)?;
            let date = if sign > 0.0 {
                calendar::on_or_after(anchor.end.date(), lex.weekday)?
            } else {
                calendar::on_or_before(calendar::add_days(anchor.start.date(), -1)?, lex.weekday)?
            };
            return Some((
                Moment::of_day(known(calendar::day(date)?), Alone::Sure),
                end,
            ));
        }
        let unit = lex.unit.filter(|u| *u >= Unit::Day)?;
        if unit >= Unit::Weekend {
            let anchor = resolve::moment(self.context, &base)?;
            let stretch = calendar::period(
                anchor.start.date(),
                unit,
                sign as i64,
                self.context.policy.week_starts_on,
            )?;
            return Some((Moment::of_day(known(stretch), Alone::Sure), end));
        }
        Some((
            self.shifted(Some(&base), &Amount::new(1.0, unit), sign)?,
            end,
        ))
    }

    /// "the third Tuesday after Christmas", "second Monday before June".
    fn nth_after(&self, i: usize) -> Read<Moment> {
        let at = self.past(i, &["the"]);
        let ((n, _), at) = self.ordinal(at)?;
        let weekday = self.token(at)?.lex.weekday;
        let forward = match self.word(at + 1) {
            "after" | "following" => true,
            "before" | "preceding" => false,
            _ => return None,
        };
        if weekday == 0 || !(1..=60).contains(&n) {
            return None;
        }
        let (base, end) = self.deeper(|| self.moment(at + 2))?;
        let anchor = resolve::moment(self.context, &base)?;
        let weeks = 7 * (i64::from(n) - 1);
        let date = if forward {
            calendar::add_days(calendar::on_or_after(anchor.end.date(), weekday)?, weeks)?
        } else {
            calendar::add_days(
                calendar::on_or_before(calendar::add_days(anchor.start.date(), -1)?, weekday)?,
                -weeks,
            )?
        };
        Some((
            Moment::of_day(known(calendar::day(date)?), Alone::Sure),
            end,
        ))
    }

    /// "the Monday closest to October 5", "the second closest Monday to October 5".
    fn closest(&self, i: usize) -> Read<Moment> {
        let at = self.past(i, &["the"]);
        let (n, at) = match self.ordinal(at) {
            Some(((n, _), end)) => (n, end),
            None => (1, at),
        };
        let (weekday, base_at) = if self.one_of(at, &["closest", "nearest"]) {
            (self.token(at + 1)?.lex.weekday, self.phrase(at + 2, "to")?)
        } else {
            let to = self.any_phrase(at + 1, &["closest to", "nearest to", "nearest"])?;
            (self.token(at)?.lex.weekday, to)
        };
        if weekday == 0 || !(1..=10).contains(&n) {
            return None;
        }
        let (base, end) = self.deeper(|| self.moment(base_at))?;
        let day = resolve::moment(self.context, &base)?.start.date();
        let first = calendar::on_or_after(day, weekday)?;
        let mut near: Vec<_> = (-11..=11)
            .filter_map(|w| calendar::add_days(first, 7 * w))
            .collect();
        near.sort_by_key(|d| (day.until(*d).map_or(0, |s| s.get_days()).abs(), *d));
        let date = *near.get(n as usize - 1)?;
        Some((
            Moment::of_day(known(calendar::day(date)?), Alone::Sure),
            end,
        ))
    }

    /// "2 Thursdays ago", "three Mondays from now".
    fn weekdays_away(&self, i: usize) -> Read<Moment> {
        let (count, at) = self.count(i)?;
        let lex = self.token(at)?.lex;
        if lex.weekday == 0
            || count.vague
            || !(1.0..=520.0).contains(&count.value)
            || count.value.fract() > 0.0
        {
            return None;
        }
        let (forward, end) = match self.any_phrase(at + 1, &["ago", "back", "before"]) {
            Some(end) => (false, end),
            None => (
                true,
                self.any_phrase(
                    at + 1,
                    &["from now", "from today", "hence", "later", "ahead"],
                )?,
            ),
        };
        let today = self.context.today;
        let weeks = 7 * (count.value as i64 - 1);
        let date = if forward {
            calendar::add_days(
                calendar::on_or_after(calendar::add_days(today, 1)?, lex.weekday)?,
                weeks,
            )?
        } else {
            calendar::add_days(
                calendar::on_or_before(calendar::add_days(today, -1)?, lex.weekday)?,
                -weeks,
            )?
        };
        Some((
            Moment::of_day(known(calendar::day(date)?), Alone::Sure),
            end,
        ))
    }

    /// "week from Tuesday", "fortnight on Friday": the amount without its "a".
    fn week_from(&self, i: usize) -> Read<Moment> {
        let unit = self
            .token(i)?
            .lex
            .unit
            .filter(|u| matches!(u, Unit::Week | Unit::Fortnight | Unit::Month))?;
        if !self.one_of(i + 1, &["from", "on"]) {
            return None;
        }
        let before = self.context.prefer.replace(Prefer::Future);
        let base = self.deeper(|| self.moment(i + 2));
        self.context.prefer.set(before);
        let (base, end) = base?;
        let day = base
            .day
            .filter(|d| d.weekday.is_some() || d.within.is_some_and(|w| w.grain <= Grain::Day))?;
        let only = Moment {
            day: Some(day),
            ..base
        };
        Some((
            self.shifted(Some(&only), &Amount::new(1.0, unit), 1.0)?,
            end,
        ))
    }
}
