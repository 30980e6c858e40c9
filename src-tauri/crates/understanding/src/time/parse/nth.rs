//! One of several, and the edges of a stretch: "third Tuesday of March", "last day of February", "the first 3 days of
//! next month", "end of the month", "mid July", "early next week".

use super::{ParseResult, Parser, resolved_day};
use crate::time::calendar::{self, add_days, add_months, midnight, on_or_after, on_or_before};
use crate::time::lexicon::Unit;
use crate::time::model::{Clock, LonePiece, Moment, Stretch};
use crate::time::{Grain, Note};
use jiff::civil::{Date, Weekday};

/// Which edge of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StretchEdge {
    Start,
    Middle,
    End,
    Early,
    Late,
}

/// The thing counted within a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedUnit {
    Weekday(u8),
    Unit(Unit),
}

/// Phrases for the end of the working day.
const CLOSINGS: &[&str] = &[
    "end of business",
    "end of the business day",
    "close of business",
    "close of play",
    "end of play",
    "end of work",
    "end of the work day",
    "end of the workday",
    "end of the working day",
];

impl Parser<'_> {
    /// "the third Tuesday of March", "last week of July", "35th day of 2010", "first Monday".
    pub fn nth(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the"]);
        let (n, at) = self.position(at)?;
        let (count, at) = match self.whole(at) {
            Some((count, after)) if (2..=366).contains(&count) => (Some(count), after),
            _ => (None, at),
        };
        let (counted, at) = self.counted(at)?;
        // "the first Monday evening of next month"
        let part = self.token(at).and_then(|t| t.lex.part).filter(|_| {
            matches!(counted, CountedUnit::Weekday(_)) || counted == CountedUnit::Unit(Unit::Day)
        });
        let at = at + usize::from(part.is_some());
        let of = self.one_of(at, &["of", "in", "from", "for", "during"]);
        let base = if of || self.sign(at) == Some(',') || self.token(at)?.lex.starts {
            self.base_period(if of { at + 1 } else { self.past_sign(at, ',') })
        } else {
            None
        };
        if let Some((base, end)) = base
            && base.grain > Grain::Day
        {
            let stretch = match count {
                Some(count) => self.several(n, count, counted, &base)?,
                None => self.pick(n, counted, &base)?,
            };
            let moment = Moment {
                part,
                ..Moment::of_day(resolved_day(stretch), LonePiece::Sure)
            };
            return Some((moment, end));
        }
        None
    }

    /// "the first Monday" with nothing it belongs to: the one of this month, or of the next month once it is over.
    pub fn nth_alone(&self, i: usize) -> ParseResult<Moment> {
        let start = self.past(i, &["the"]);
        let (n, at) = self.position(start)?;
        let (counted @ CountedUnit::Weekday(_), end) = self.counted(at)? else {
            return None;
        };
        if self.is(start, "last") {
            return None;
        }
        let today = self.context.today;
        let in_month = |by: i64| {
            let month = calendar::period(today, Unit::Month, by, Weekday::Monday)?;
            self.pick(n, counted, &month)
        };
        let stretch = in_month(0)
            .filter(|s| s.start.date() >= today)
            .or_else(|| in_month(1))?;
        Some((Moment::of_day(resolved_day(stretch), LonePiece::Nth), end))
    }

    fn counted(&self, i: usize) -> ParseResult<CountedUnit> {
        let lex = self.token(i)?.lex;
        if lex.weekday > 0 {
            return Some((CountedUnit::Weekday(lex.weekday), self.past_dot(i + 1)));
        }
        let (unit, end) = self.unit(i)?;
        (unit >= Unit::Day).then_some((CountedUnit::Unit(unit), end))
    }

    /// Returns the nth `counted` within `base`.
    fn pick(&self, n: i32, counted: CountedUnit, base: &Stretch) -> Option<Stretch> {
        let (first, end) = (base.start.date(), base.end.date());
        let steps = i64::from(n.unsigned_abs()) - 1;
        let found = match counted {
            CountedUnit::Weekday(w) if n > 0 => {
                calendar::day(add_days(on_or_after(first, w)?, 7 * steps)?)?
            }
            CountedUnit::Weekday(w) => {
                calendar::day(add_days(on_or_before(add_days(end, -1)?, w)?, -7 * steps)?)?
            }
            CountedUnit::Unit(Unit::Day) if n > 0 => calendar::day(add_days(first, steps)?)?,
            CountedUnit::Unit(Unit::Day) => calendar::day(add_days(end, -1 - steps)?)?,
            CountedUnit::Unit(Unit::WorkDay) if n > 0 => {
                calendar::day(calendar::add_work_days(add_days(first, -1)?, steps + 1)?)?
            }
            CountedUnit::Unit(Unit::WorkDay) => {
                calendar::day(calendar::add_work_days(end, -1 - steps)?)?
            }
            CountedUnit::Unit(unit) => {
                // A week belongs to the month or year of its fourth day: its Thursday, if weeks start on Monday.
                let inside = |s: &Stretch| match unit {
                    Unit::Week => {
                        add_days(s.start.date(), 3).is_some_and(|d| d >= first && d < end)
                    }
                    _ => s.start.date() >= first && s.start.date() < end,
                };
                let from = if n > 0 { first } else { add_days(end, -1)? };
                let toward = i64::from(n.signum());
                let starts = self.context.policy.week_starts_on;
                let near = calendar::period(from, unit, 0, starts)?;
                let skip = if inside(&near) { 0 } else { toward };
                calendar::period(from, unit, skip + toward * steps, starts)?
            }
        };
        (found.start.date() >= add_days(first, -7)? && found.start.date() < end).then_some(found)
    }

    /// Returns the first or last `count` units of a stretch.
    fn several(&self, n: i32, count: u32, counted: CountedUnit, base: &Stretch) -> Option<Stretch> {
        let CountedUnit::Unit(unit) = counted else {
            return None;
        };
        let (first, end) = (base.start.date(), base.end.date());
        let count = i64::from(count);
        let moved = |from: Date, by: i64| match unit {
            Unit::Day => add_days(from, by),
            Unit::Week => add_days(from, by * 7),
            Unit::Month => add_months(from, by),
            Unit::Year => add_months(from, by * 12),
            _ => None,
        };
        let grain = calendar::unit_grain(unit);
        match n {
            1 => Some(calendar::stretch(first, moved(first, count)?, grain)),
            -1 => Some(calendar::stretch(moved(end, -count)?, end, grain)),
            _ => None,
        }
    }

    /// "the month is out", "the week is over": its end.
    fn over(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the", "this"]);
        let unit = self.token(at)?.lex.unit;
        let unit = unit.filter(|unit| *unit >= Unit::Week && at > i)?;
        let ends = [
            "is out",
            "is over",
            "is up",
            "is through",
            "is done",
            "runs out",
        ];
        let end = self.any_phrase(at + 1, &ends)?;
        let starts_on = self.context.policy.week_starts_on;
        let whole = calendar::period(self.context.today, unit, 0, starts_on)?;
        Some((self.at_edge(StretchEdge::End, &whole)?, end))
    }

    /// "end of the month", "beginning of next week", "mid-July", "late March", "eod", "later this week".
    pub fn edge(&self, i: usize) -> ParseResult<Moment> {
        if let Some(read) = self.edge_short(i) {
            return Some(read);
        }
        if let Some(read) = self.over(i) {
            return Some(read);
        }
        let at = self.past(i, &["the", "very", "in"]);
        let (edge, at) = match self.word(at) {
            "end" | "close" => (StretchEdge::End, self.past(at + 1, &["of"])),
            "start" | "beginning" | "begin" => (StretchEdge::Start, self.past(at + 1, &["of"])),
            "middle" => (StretchEdge::Middle, self.past(at + 1, &["of"])),
            "mid" => (StretchEdge::Middle, self.past_sign(at + 1, '-')),
            "early" | "earlier" => (
                StretchEdge::Early,
                self.past(self.past(at + 1, &["on"]), &["in"]),
            ),
            "late" | "later" => (
                StretchEdge::Late,
                self.past(self.past(at + 1, &["on"]), &["in"]),
            ),
            _ => return None,
        };
        let strict = matches!(
            edge,
            StretchEdge::End | StretchEdge::Start | StretchEdge::Middle
        );
        let bare = self
            .token(at)?
            .lex
            .unit
            .filter(|u| *u >= Unit::Day && strict && self.is(at - 1, "of"));
        let (base, end) = match bare {
            Some(unit) => (
                calendar::period(
                    self.context.today,
                    unit,
                    0,
                    self.context.policy.week_starts_on,
                )?,
                at + 1,
            ),
            None => self.base_period(at)?,
        };
        let mut moment = self.at_edge(edge, &base)?;
        if !strict {
            moment.notes.push(Note::Vaguely);
        }
        Some((moment, end))
    }

    /// "eod", "eow", "eom", "eoy", "cob", with a day that may follow.
    fn edge_short(&self, i: usize) -> ParseResult<Moment> {
        if let Some(read) = self.edge_behind(i) {
            return Some(read);
        }
        let i = self.past(i, &["the"]);
        let (unit, after) = match self.word(i) {
            "eod" | "cob" => (Unit::Day, i + 1),
            "eow" => (Unit::Week, i + 1),
            "eom" => (Unit::Month, i + 1),
            "eoy" => (Unit::Year, i + 1),
            _ => (Unit::Day, self.any_phrase(i, CLOSINGS)?),
        };
        let on = self.past(after, &["on"]);
        if unit == Unit::Day
            && let Some((base, end)) = self.base_period(on).filter(|b| b.0.grain == Grain::Day)
        {
            return Some((self.at_edge(StretchEdge::End, &base)?, end));
        }
        let base = calendar::period(
            self.context.today,
            unit,
            0,
            self.context.policy.week_starts_on,
        )?;
        Some((self.at_edge(StretchEdge::End, &base)?, after))
    }

    /// "Friday eod", "on Monday close of business".
    fn edge_behind(&self, i: usize) -> ParseResult<Moment> {
        /// Maximum number of tokens of the day.
        const DAY_TOKENS_MAX: usize = 4;
        let ends = |at: usize| matches!(self.word(at), "eod" | "cob" | "end" | "close");
        if !(i + 1..=i + DAY_TOKENS_MAX).any(ends) {
            return None;
        }
        let (base, end) = self.base_period(i)?;
        if base.grain != Grain::Day {
            return None;
        }
        let after = match self.word(end) {
            "eod" | "cob" => end + 1,
            _ => self.any_phrase(end, CLOSINGS)?,
        };
        Some((self.at_edge(StretchEdge::End, &base)?, after))
    }

    fn at_edge(&self, edge: StretchEdge, base: &Stretch) -> Option<Moment> {
        let (first, end) = (base.start.date(), base.end.date());
        let of = |stretch: Stretch| Moment::of_day(resolved_day(stretch), LonePiece::Sure);
        if base.grain <= Grain::Day {
            let policy = self.context.policy;
            let hours = |from: i8, to: i8| {
                let at = |h: i8| first.at(h, 0, 0, 0);
                of(Stretch {
                    start: at(from),
                    end: at(to),
                    grain: Grain::Part,
                    exact: None,
                })
            };
            return match edge {
                StretchEdge::End | StretchEdge::Start => {
                    let time = if edge == StretchEdge::End {
                        policy.work_end
                    } else {
                        policy.work_start
                    };
                    let mut moment = of(calendar::day(first)?);
                    moment.clock = Some(Clock {
                        hour: time.hour() as u8,
                        minute: time.minute() as u8,
                        second: 0,
                        half: None,
                        full: true,
                        weak: false,
                        midnight: false,
                        grain: Grain::Hour,
                    });
                    Some(moment)
                }
                StretchEdge::Middle => Some(hours(11, 14)),
                StretchEdge::Early => Some(hours(6, 10)),
                StretchEdge::Late if first == self.context.today => {
                    let stretch = Stretch {
                        start: self.context.at,
                        end: base.end,
                        grain: Grain::Part,
                        exact: None,
                    };
                    Some(of(stretch))
                }
                StretchEdge::Late => Some(hours(17, 21)),
            };
        }
        let days = i64::from(first.until(end).ok()?.get_days());
        let third = (days / 3).max(1);
        Some(of(match edge {
            StretchEdge::End => calendar::day(add_days(end, -1)?)?,
            StretchEdge::Start => calendar::day(first)?,
            StretchEdge::Middle => calendar::stretch(
                add_days(first, third)?,
                add_days(first, 2 * third)?,
                base.grain,
            ),
            StretchEdge::Early => calendar::stretch(first, add_days(first, third)?, base.grain),
            StretchEdge::Late => {
                let start = add_days(first, 2 * third)?.max(
                    if base.start <= self.context.at && self.context.at < base.end {
                        self.context.today
                    } else {
                        first
                    },
                );
                Stretch {
                    start: midnight(start),
                    ..calendar::stretch(first, end, base.grain)
                }
            }
        }))
    }
}
