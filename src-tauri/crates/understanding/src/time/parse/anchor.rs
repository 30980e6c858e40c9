//! Days counted from another day: "the day after tomorrow", "the third Tuesday after Christmas", "2 Thursdays ago",
//! "week from Tuesday".

use super::{ParseResult, Parser, resolved_day};
use crate::time::calendar;
use crate::time::lexicon::{DayPart, Unit};
use crate::time::model::{Amount, LonePiece, Moment};
use crate::time::resolve;
use crate::time::{Direction, Grain};

impl Parser<'_> {
    /// "the day after tomorrow", "the day before yesterday", "the week after Christmas", "the Monday after June 3".
    pub fn day_after(&self, i: usize) -> ParseResult<Moment> {
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
        // "Friday before 11am" means early on Friday, not the Friday before something.
        if lex.weekday > 0 && base.day.is_none() {
            return None;
        }
        if lex.weekday > 0 && !lex.plural {
            let anchor = resolve::moment(self.context, &base)?;
            let date = if sign > 0.0 {
                calendar::on_or_after(anchor.end.date(), lex.weekday)?
            } else {
                calendar::on_or_before(calendar::add_days(anchor.start.date(), -1)?, lex.weekday)?
            };
            return Some((
                Moment::of_day(resolved_day(calendar::day(date)?), LonePiece::Sure),
                end,
            ));
        }
        let part = lex
            .part
            .filter(|part| *part != DayPart::Lunch && !lex.plural);
        if let Some(part) = part {
            // "The evening before May 12".
            base.day
                .filter(|_| base.clock.is_none() && base.part.is_none())?;
            let day = self.shifted(Some(&base), &Amount::new(1.0, Unit::Day), sign)?;
            let moment = Moment {
                part: Some(part),
                part_is_definite: true,
                ..day
            };
            return Some((moment, end));
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
            return Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end));
        }
        Some((
            self.shifted(Some(&base), &Amount::new(1.0, unit), sign)?,
            end,
        ))
    }

    /// "the third Tuesday after Christmas", "second Monday before June".
    pub fn nth_after(&self, i: usize) -> ParseResult<Moment> {
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
            Moment::of_day(resolved_day(calendar::day(date)?), LonePiece::Sure),
            end,
        ))
    }

    /// "the Monday closest to October 5", "the second closest Monday to October 5".
    pub fn closest(&self, i: usize) -> ParseResult<Moment> {
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
            Moment::of_day(resolved_day(calendar::day(date)?), LonePiece::Sure),
            end,
        ))
    }

    /// "2 Thursdays ago", "three Mondays from now".
    pub fn weekdays_away(&self, i: usize) -> ParseResult<Moment> {
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
            Moment::of_day(resolved_day(calendar::day(date)?), LonePiece::Sure),
            end,
        ))
    }

    /// "week from Tuesday", "fortnight on Friday": an amount without its "a".
    pub fn week_from(&self, i: usize) -> ParseResult<Moment> {
        let unit = self
            .token(i)?
            .lex
            .unit
            .filter(|u| matches!(u, Unit::Week | Unit::Fortnight | Unit::Month))?;
        if !self.one_of(i + 1, &["from", "on"]) {
            return None;
        }
        let before = self.context.prefer.replace(Direction::Future);
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
