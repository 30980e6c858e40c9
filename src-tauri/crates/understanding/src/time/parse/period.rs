//! Stretches of the calendar: "this week", "the last 3 days", "Q3 2026", "summer", "the week of the 18th", "2015".

use super::{ParseResult, Parser, resolved_day};
use crate::time::calendar::{self, add_days, midnight};
use crate::time::lexicon::{RelativePosition, Unit};
use crate::time::model::{Amount, LonePiece, Moment, Stretch};
use crate::time::{Direction, Note};
use crate::time::{resolve, settle};

impl Parser<'_> {
    /// Reads any stretch of the calendar that is not a day of a month.
    pub fn period(&self, i: usize) -> ParseResult<Moment> {
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
    fn which_unit(&self, i: usize) -> ParseResult<Moment> {
        if let Some(read) = self.one_word(i).or_else(|| self.my_week(i)) {
            return Some(read);
        }
        let at = self.past(i, &["the", "these", "those", "my", "our"]);
        if let Some(read) = self.after_next(at) {
            return Some(read);
        }
        let said_first = self.token(at)?.lex.which.is_none();
        let (which, at) = if said_first {
            (RelativePosition::Next, at)
        } else {
            self.which_words(at)?
        };
        // "the next 2 days and 5 hours"
        if !said_first
            && let Some((amount, after)) = self.amount(at)
            && amount.parts().len() > 1
        {
            return Some((
                Moment::of_day(resolved_day(self.rolling(which, &amount)?), LonePiece::Sure),
                after,
            ));
        }
        let (count, at) = match self.count(at) {
            Some((count, after)) if !count.article => (Some(count), self.past_sign(after, '-')),
            _ if said_first => return None,
            _ => (None, at),
        };
        let (which, at) = if said_first {
            self.which_words(at)?
        } else {
            (which, at)
        };
        let (unit, mut end) = self.unit(at)?;
        let plural = self.token(end - 1).is_some_and(|t| t.lex.plural);
        let working = self.is(end - 1, "workweek")
            || self.one_of(at, &["working", "work"]) && unit == Unit::Week;
        end = self.past_possessive(end);
        // "13 last minute changes" does not count minutes.
        if count.is_none() && plural || said_first && !plural {
            return None;
        }
        let mut notes = Vec::new();
        let mut stretch = match count {
            Some(count) => {
                if count.vague {
                    notes.push(Note::Vague(count.value as u32));
                }
                let (more, after) = self.and_fraction(end).unwrap_or((0.0, end));
                end = after;
                self.rolling(which, &Amount::new(count.value + more, unit))?
            }
            None => self.one_unit(which, unit)?,
        };
        if working && count.is_none() {
            stretch.end = midnight(add_days(stretch.start.date(), 5)?);
        }
        let moment = Moment {
            notes,
            ..Moment::of_day(resolved_day(stretch), LonePiece::Sure)
        };
        Some((moment, end))
    }

    /// "next", "last", "this past", "this coming".
    fn which_words(&self, at: usize) -> ParseResult<RelativePosition> {
        let first = self.token(at)?.lex.which?;
        match self.token(at + 1).and_then(|t| t.lex.which) {
            Some(RelativePosition::This) => Some((first, at + 2)),
            Some(second) => Some((second, at + 2)),
            None => Some((first, at + 1)),
        }
    }

    /// "nextweek" without a space.
    fn one_word(&self, i: usize) -> ParseResult<Moment> {
        let (which, unit) = match self.word(i) {
            "nextweek" => (RelativePosition::Next, Unit::Week),
            "thisweek" => (RelativePosition::This, Unit::Week),
            "lastweek" => (RelativePosition::Last, Unit::Week),
            "nextmonth" => (RelativePosition::Next, Unit::Month),
            "lastmonth" => (RelativePosition::Last, Unit::Month),
            _ => return None,
        };
        Some((
            Moment::of_day(resolved_day(self.one_unit(which, unit)?), LonePiece::Sure),
            i + 1,
        ))
    }

    /// "my week", "all week": the current one.
    fn my_week(&self, i: usize) -> ParseResult<Moment> {
        // "Over the weekend": this one, or the last one when looking back.
        let led = i > 0
            && self.one_of(
                i - 1,
                &[
                    "over", "at", "for", "on", "by", "before", "after", "during", "until", "till",
                ],
            );
        if led
            && self.is(i, "the")
            && self
                .token(i + 1)
                .is_some_and(|t| t.lex.unit == Some(Unit::Weekend) && !t.lex.plural)
            && !self.one_of(i + 2, &["of", "after", "before"])
        {
            let past = self.context.prefer.get() == Direction::Past;
            let which = if past {
                RelativePosition::Last
            } else {
                RelativePosition::This
            };
            let weekend = resolved_day(self.one_unit(which, Unit::Weekend)?);
            return Some((Moment::of_day(weekend, LonePiece::Sure), i + 2));
        }
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
            Moment::of_day(
                resolved_day(self.one_unit(RelativePosition::This, unit)?),
                LonePiece::Sure,
            ),
            self.past(at + 1, &["long"]),
        ))
    }

    fn one_unit(&self, which: RelativePosition, unit: Unit) -> Option<Stretch> {
        if unit < Unit::Day && which == RelativePosition::This {
            let at = self.context.at;
            let start = match unit {
                Unit::Hour => at.with().minute(0).second(0).build().ok()?,
                Unit::Minute => at.with().second(0).build().ok()?,
                _ => at,
            };
            let length = jiff::Span::new().seconds(match unit {
                Unit::Hour => 3600,
                Unit::Minute => 60,
                _ => 1,
            });
            return Some(Stretch {
                start,
                end: start.checked_add(length).ok()?,
                grain: calendar::unit_grain(unit),
                exact: None,
            });
        }
        if unit < Unit::Day {
            return self.rolling(which, &Amount::new(1.0, unit));
        }
        let by = match which {
            RelativePosition::This => 0,
            RelativePosition::Next => 1,
            RelativePosition::Last => -1,
        };
        calendar::period(
            self.context.today,
            unit,
            by,
            self.context.policy.week_starts_on,
        )
    }

    /// Returns the stretch of an amount before or after now: from tomorrow on or up to now in whole days, or from now
    /// in shorter units.
    fn rolling(&self, which: RelativePosition, amount: &Amount) -> Option<Stretch> {
        let context = self.context;
        if which == RelativePosition::This {
            return None;
        }
        let forward = which == RelativePosition::Next;
        let sign = if forward { 1.0 } else { -1.0 };
        if amount.smallest() < Unit::Day || amount.has_fraction() && amount.smallest() <= Unit::Day
        {
            let moved = settle::shift(context, None, amount, sign)?;
            let (start, end) = if forward {
                (context.at, moved.start)
            } else {
                (moved.start, context.at)
            };
            // "The next 0 seconds" is no time at all.
            if start >= end {
                return None;
            }
            return Some(Stretch {
                start,
                end,
                grain: calendar::unit_grain(amount.smallest()),
                exact: None,
            });
        }
        let (count, unit) = amount.parts().first().copied()?;
        let grain = calendar::unit_grain(unit);
        // These units mean whole weekends, quarters, decades and centuries of the calendar.
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
        let moved = settle::shift(context, None, amount, sign)?.start.date();
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
    fn after_next(&self, i: usize) -> ParseResult<Moment> {
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
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Sure), end))
    }

    /// Reads a stretch that something can be part of: "the month", "my day", "next week", "February", "2015".
    pub fn base_period(&self, i: usize) -> ParseResult<Stretch> {
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
}
