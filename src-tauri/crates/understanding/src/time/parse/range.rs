//! From one time to another: "3-5pm", "from 9 to 5", "June 3 to June 10", "between Monday and Friday".

use super::{ParseResult, ParsedExpression, Parser};
use crate::time::model::{Clock, Composition, Day, LonePiece, Meridiem, Moment};
use crate::time::resolve;

/// Maximum number of tokens to look back for a verb that moves something.
const MOVE_TOKENS_MAX: usize = 14;

impl Parser<'_> {
    /// Skips a word or sign that joins the two ends.
    fn past_to(&self, i: usize, and: bool) -> Option<usize> {
        if self.is_sign(i, '-') {
            return Some(self.past_sign(i + 1, '-'));
        }
        let end = self.any_phrase(
            i,
            &[
                "to", "till", "til", "until", "through", "thru", "up to", "up until", "to the",
                "and",
            ],
        )?;
        if self.is(i, "and") && !and || self.is(i, "to") && self.moved_before(i) {
            return None;
        }
        Some(end)
    }

    /// Returns whether something is moved in the words before: in "move my 3pm to 4:30" nothing lasts from 3 to 4:30.
    pub fn moved_before(&self, i: usize) -> bool {
        const MOVES: &[&str] = &[
            "move",
            "moved",
            "moving",
            "reschedule",
            "rescheduled",
            "shift",
            "push",
            "pull",
            "change",
            "changed",
            "postpone",
            "postponed",
            "bump",
            "bring",
            "switch",
            "delay",
            "drag",
            "slide",
            "swap",
        ];
        let from = i.saturating_sub(MOVE_TOKENS_MAX);
        let clause = (from..i).rev().take_while(|k| {
            !self
                .sign(*k)
                .is_some_and(|c| matches!(c, '\n' | '!' | '?' | ';'))
        });
        clause.into_iter().any(|k| self.one_of(k, MOVES))
    }

    /// Reads two clock times of the same day: "from 3 to 5pm", "9.30-4.30pm", "between 10 and 11:30".
    pub fn clock_stretch(&self, i: usize, so_far: &Moment) -> ParseResult<Moment> {
        if so_far.clock.is_some() {
            return None;
        }
        let from = self.one_of(i, &["from", "between"]);
        let at = if from { self.past(i + 1, &["at"]) } else { i };
        let before =
            i > 0 && (self.one_of(i - 1, &["from", "between", "at"]) || self.is_sign(i - 1, '@'));
        let (first, mid) = self.clock(at, true)?;
        let and = self.is(i, "between") || i > 0 && self.is(i - 1, "between");
        let to = self.past_to(mid, and)?;
        let to = self.past(to, &["at"]);
        let (second, end) = self.clock(to, true)?;
        if first.weak && second.weak {
            let dated = so_far
                .day
                .is_some_and(|d| d.weekday.is_some() || d.within.is_some() || d.day.is_some());
            let after = self.past(self.past_sign(end, ','), &["on"]);
            let day_follows = self.names_a_day_part(after) || self.weekday(after).is_some();
            if !(from || before || dated || day_follows)
                || self.measure_follows(end)
                || self.ordinal(to).is_some()
                || self.ordinal(at).is_some()
            {
                return None;
            }
            // In "from 2014 to 2018" and "4-23 in next month", the numbers are years and days.
            let hours = first.hour <= 24 && second.hour <= 24;
            let four = |i: usize| self.digits(i).is_some_and(|d| d.1 >= 4);
            if !hours || four(at) || four(to) {
                return None;
            }
            let month_follows = self.date_named(to).is_some_and(|(_, e)| e > end)
                || self
                    .token(self.past(end, &["of", "in"]))
                    .is_some_and(|t| t.lex.month > 0);
            if month_follows {
                return None;
            }
        }
        let second_is_date = self
            .date_named(to)
            .is_some_and(|(m, e)| e > end && m.day.is_some_and(|d| d.day.is_some()));
        if second_is_date && second.weak {
            return None;
        }
        let (first, second) = self.agree(first, second);
        let alone = if first.weak && second.weak && !from {
            LonePiece::Hour
        } else {
            LonePiece::Sure
        };
        let composition = Composition {
            pieces: 1,
            alone,
            repaired: false,
        };
        Some((
            Moment {
                clock: Some(first),
                clock_to: Some(second),
                composition,
                ..Moment::default()
            },
            end,
        ))
    }

    /// Gives one clock time the half of the day that was said with the other one.
    fn agree(&self, mut first: Clock, mut second: Clock) -> (Clock, Clock) {
        let of_twelve = |c: &Clock| u32::from(c.hour % 12) * 60 + u32::from(c.minute);
        match (first.half, second.half) {
            (None, Some(half)) if !first.full => {
                let other = if half == Meridiem::Am {
                    Meridiem::Pm
                } else {
                    Meridiem::Am
                };
                first.half = Some(if of_twelve(&first) < of_twelve(&second) {
                    half
                } else {
                    other
                });
                first.weak = false;
            }
            (Some(half), None) if !second.full => {
                let other = if half == Meridiem::Am {
                    Meridiem::Pm
                } else {
                    Meridiem::Am
                };
                second.half = Some(if of_twelve(&second) > of_twelve(&first) {
                    half
                } else {
                    other
                });
                second.weak = false;
            }
            _ => {}
        }
        (first, second)
    }

    /// "from A to B", "A - B", "between A and B", "A through B".
    pub fn between(&self, i: usize) -> ParseResult<ParsedExpression> {
        let from = self.one_of(i, &["from", "between"]);
        let and = self.is(i, "between");
        let start = if from {
            self.past(i + 1, &["about", "around"])
        } else {
            i
        };
        if let Some(read) = self.day_numbers(start, and, from) {
            return Some(read);
        }
        let (mut first, mid) = self.moment(start)?;
        if first.clock_to.is_some() {
            return None;
        }
        let to = self.past_to(mid, and)?;
        let to = self.past(to, &["on", "at"]);
        let (mut second, end) = self.second_end(&first, to)?;
        // Accept years and numbers only if they are said to be an interval, or if both are years.
        let loose = |m: &Moment| {
            matches!(
                m.composition.alone,
                LonePiece::Hour | LonePiece::Fraction | LonePiece::ShyWord | LonePiece::Part
            )
        };
        // "Mon-Fri", "mar-may": each name supports the other.
        let names = |a: &Moment, b: &Moment| {
            a.composition.alone == LonePiece::ShyWord && b.composition.alone == LonePiece::ShyWord
        };
        let years = first.composition.alone == LonePiece::Year
            && second.composition.alone == LonePiece::Year;
        if years {
            let (a, b) = (first.day?.year?, second.day?.year?);
            let plausible = |y: i16| (1800..=2200).contains(&y);
            if a >= b || !plausible(a) || !plausible(b) {
                return None;
            }
        } else if !from
            && (loose(&first) && loose(&second) && !names(&first, &second)
                || first.composition.alone == LonePiece::Year)
        {
            return None;
        }
        if self.is_sign(mid, '-')
            && first.composition.alone == LonePiece::Year
            && second.composition.alone != LonePiece::Year
        {
            return None;
        }
        share(&mut first, &mut second);
        resolve::moment(self.context, &first)?;
        Some((
            ParsedExpression::Between(Box::new(first), Box::new(second)),
            end,
        ))
    }

    /// Reads the end of the interval. A bare hour is enough if the start has a clock time.
    fn second_end(&self, first: &Moment, to: usize) -> ParseResult<Moment> {
        let read = self.moment(to);
        if let Some((clock, end)) = self.clock(to, first.clock.is_some())
            && read.as_ref().is_none_or(|r| end >= r.1)
        {
            let composition = Composition {
                pieces: 1,
                ..Composition::default()
            };
            return Some((
                Moment {
                    clock: Some(clock),
                    composition,
                    ..Moment::default()
                },
                end,
            ));
        }
        // "Mon-Fri 9-5": the hours are not part of the second day.
        let read = read.or_else(|| self.moment(to));
        match read {
            Some((m, _)) if m.clock_to.is_some() => self.pieces(to, true),
            read => read,
        }
    }

    /// Reads two days of one month: "from the 5th to the 9th", "from 4-23 in next month".
    fn day_numbers(&self, i: usize, and: bool, from: bool) -> ParseResult<ParsedExpression> {
        let day = |i: usize| {
            let at = self.past(i, &["the"]);
            if let Some(((n, true), end)) = self.ordinal(at) {
                return (1..=31).contains(&n).then_some((n as u8, end, true));
            }
            let (n, digits) = self.digits(at)?;
            (from && digits <= 2 && (1..=31).contains(&n)).then_some((n as u8, at + 1, false))
        };
        let (a, mid, first_ordinal) = day(i)?;
        let (b, end, second_ordinal) = day(self.past_to(mid, and)?)?;
        let at = self
            .any_phrase(end, &["of", "in", "of the month of"])
            .unwrap_or(end);
        let base = if at > end {
            self.base_period(at)
                .filter(|b| b.0.grain == crate::time::Grain::Month)
        } else {
            None
        };
        let month_follows = self
            .token(self.past(end, &["of", "in"]))
            .is_some_and(|t| t.lex.month > 0);
        if base.is_none() && !(first_ordinal && second_ordinal) || a >= b || month_follows {
            return None;
        }
        let (within, end) = base.map_or((None, end), |(s, e)| (Some(s), e));
        let of = |n: u8| {
            Moment::of_day(
                Day {
                    day: Some(n),
                    within,
                    ..Day::default()
                },
                if first_ordinal && !from {
                    LonePiece::DayNumber
                } else {
                    LonePiece::Sure
                },
            )
        };
        Some((
            ParsedExpression::Between(Box::new(of(a)), Box::new(of(b))),
            end,
        ))
    }
}

/// Shares what was said at one end only: a year, a month, a day, a zone.
fn share(first: &mut Moment, second: &mut Moment) {
    if first.zone.is_none() {
        first.zone.clone_from(&second.zone);
    }
    if second.zone.is_none() {
        second.zone.clone_from(&first.zone);
    }
    match (&mut first.day, &mut second.day) {
        (Some(a), Some(b)) => {
            let plain = a.within.is_none() && b.within.is_none() && a.weekday.is_none();
            if plain
                && a.which.is_none()
                && a.year.is_none()
                && a.month.is_some()
                && b.year.is_some()
                && (a.month, a.day) <= (b.month, b.day)
            {
                a.year = b.year;
            }
            if plain && a.month.is_none() && a.day.is_some() && b.month.is_some() {
                (a.month, a.year) = (b.month, b.year);
            }
            if plain
                && b.month.is_none()
                && b.day.is_some()
                && b.weekday.is_none()
                && a.month.is_some()
            {
                (b.month, b.year) = (a.month, b.year.or(a.year));
            }
        }
        (None, Some(b)) if first.clock.is_some() && second.clock.is_some() => first.day = Some(*b),
        (Some(a), None) if second.clock.is_some() => second.day = Some(*a),
        _ => {}
    }
}
