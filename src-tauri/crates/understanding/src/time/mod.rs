//! Finds times in English text: instants, dates, intervals, durations and repetitions, each with the bytes that say it.
//!
//! [`find`] returns every expression of a text, [`find_main`] the most specific one. Nothing here reads a clock: "now"
//! is an argument, and its zone is the zone the text is read in.
//!
//! Each step has a file: `token` splits the text, `lexicon` knows what each word can mean, `parse` holds the grammar
//! (small rules that read tokens from left to right), `accept` rejects what is more likely something else (a price, a
//! version, a name), `resolve` turns what was said into calendar dates under a [`Policy`], and `find` walks over the
//! text and applies the zone. There is no table of sentences.

mod accept;
mod calendar;
mod contradiction;
mod describe;
pub mod eval;
mod find;
mod first;
mod holidays;
mod judge;
mod lexicon;
mod model;
mod parse;
mod policy;
mod resolve;
mod settle;
mod token;

pub use contradiction::{Contradiction, contradiction};
pub use describe::describe;
pub use find::{find, find_main};
pub use policy::{Direction, Hours, Policy};
pub use token::{TEXT_BYTES_MAX, TOKENS_MAX};

use jiff::{SignedDuration, Span, Zoned, civil};
use std::ops::Range;

/// Earliest year of a result; earlier results are dropped.
pub const YEAR_MIN: i16 = 1000;
/// Latest year of a result; later results are dropped.
pub const YEAR_MAX: i16 = 2999;

/// What an expression stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A point in time ("tomorrow at 5pm", "in 20 minutes").
    Instant(Zoned),
    /// A whole day ("June 5", "3 days ago").
    Date(civil::Date),
    /// A stretch of time; `end` is exclusive ("next week", "from 3 to 5pm", "this evening").
    Interval {
        /// First moment.
        start: Zoned,
        /// First moment after it.
        end: Zoned,
    },
    /// A length of time ("90 minutes", "an hour and a half").
    Duration(Length),
    /// A repetition ("every Monday at 9").
    Set {
        /// An RRULE value of RFC 5545 without the property name, with its parts in a fixed order.
        rrule: String,
        /// The first occurrence at or after now, or at or after `start` if there is one. Midnight if no clock time was
        /// named.
        first: Option<Zoned>,
        /// The start, if one was named ("starting tomorrow").
        start: Option<Zoned>,
        /// How long each occurrence lasts, if its end was named ("every Monday 7 to 8:30pm").
        lasts: Option<SignedDuration>,
    },
}

/// A length of time, as calendar units and in seconds.
#[derive(Debug, Clone)]
pub struct Length {
    /// In calendar units: a month stays a month, but 90 minutes are one hour and 30 minutes.
    pub span: Span,
    /// In seconds, with a day of 24 hours, a month of 30 days and a year of 365.
    pub seconds: f64,
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.seconds == other.seconds && self.span.fieldwise() == other.span.fieldwise()
    }
}

/// How coarse an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// To the second.
    Second,
    /// To the minute.
    Minute,
    /// To the hour.
    Hour,
    /// A part of a day.
    Part,
    /// A day.
    Day,
    /// A week or a weekend.
    Week,
    /// A month.
    Month,
    /// A quarter or a season.
    Quarter,
    /// A year.
    Year,
    /// A decade or more.
    Decade,
}

/// How the words before an expression bind it: "by Friday", "since Monday", "for an hour".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Relation {
    /// At, on, in, during, or no preposition.
    #[default]
    At,
    /// Since, from … on: open at the end.
    Since,
    /// Until, till, up to.
    Until,
    /// By, no later than.
    By,
    /// Before, earlier than.
    Before,
    /// After, later than.
    After,
    /// From, starting: a first moment, open at the end.
    From,
    /// For.
    For,
    /// To: a new time ("move it to 5pm").
    To,
    /// Around, about.
    Around,
}

/// An assumption or correction made while reading an expression. Show it when the reading matters.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// Only a clock time was said; the day was derived from now.
    DayAssumed,
    /// Neither am nor pm was said. Holds the other reading.
    HourAssumed(Zoned),
    /// A bare number was read as minutes ("in 15").
    MinutesAssumed,
    /// The local time does not exist because clocks go forward, so it was moved forward. Holds the time that was said.
    Gap(civil::DateTime),
    /// The local time happens twice because clocks go back, and the first was used. Holds the second.
    Overlap(Zoned),
    /// A zone was named. Holds its IANA name, or its offset such as `UTC+02:00`.
    Zone(String),
    /// The weekday that was said does not fit the date that was said. Holds both. The date was used; if only a day number
    /// was said, the next date that fits both was used instead.
    WeekdayMismatch(civil::Date, civil::Weekday),
    /// A vague count ("a few") was read as this number.
    Vague(u32),
    /// A likely typing error in a word was corrected.
    Repaired,
    /// The repetition says how many times it happens in its period and leaves the days open ("twice a week").
    TimesPerPeriod(u32),
    /// A holiday was meant. Holds its name.
    Holiday(&'static str),
    /// A word such as "late", "sometime" or "around" makes the expression less exact.
    Vaguely,
}

/// One expression found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeExpression {
    /// Bytes of the expression, without the words in `lead`. A preposition that changes the value stays inside ("in 2
    /// weeks", "from 3 to 5pm").
    pub span: Range<usize>,
    /// Bytes of the preposition before the expression ("on", "by", "until", …), if any.
    pub lead: Option<Range<usize>>,
    /// How `lead` binds the expression.
    pub relation: Relation,
    /// What the expression stands for.
    pub value: Value,
    /// How coarse the expression is; for a set, the grain of its period.
    pub grain: Grain,
    /// The clock time that was said, if any. With it, "to 3pm" can keep the day of the thing to be moved.
    pub clock: Option<civil::Time>,
    /// Whether a day was said, and not only a clock time.
    pub has_day: bool,
    /// Assumptions and corrections made while reading.
    pub notes: Vec<Note>,
    /// How specific the expression is: more parts weigh more. Used to choose among several expressions.
    pub(crate) weight: u32,
}

impl TimeExpression {
    /// Returns whether this is a repetition that says how often it happens in its period and leaves the days open.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        let counted = |note: &Note| matches!(note, Note::TimesPerPeriod(times) if *times > 1);
        matches!(self.value, Value::Set { .. }) && self.notes.iter().any(counted)
    }

    /// Returns the time of day to use on another day than the one it was resolved for. "9", said at ten and read as
    /// 21:00 tonight, is 9:00 in the morning on another day. `first_morning_hour` comes from the policy. Returns `None`
    /// if no clock time was said.
    #[must_use]
    pub fn clock_elsewhere(&self, first_morning_hour: u8) -> Option<jiff::civil::Time> {
        let clock = self.clock?;
        let other = self.notes.iter().find_map(|note| match note {
            Note::HourAssumed(other) => Some(other.time()),
            _ => None,
        });
        let twelve = clock.hour().rem_euclid(12);
        let morning = u8::try_from(twelve).is_ok_and(|hour| hour >= first_morning_hour);
        Some(match other {
            Some(other) if (clock.hour() < 12) != morning => other,
            _ => clock,
        })
    }

    /// Returns the bytes to cut to take the expression out of a request, including its preposition.
    pub fn cut(&self) -> Range<usize> {
        self.lead
            .as_ref()
            .map_or(self.span.start, |lead| lead.start)..self.span.end
    }

    /// Returns the first moment (inclusive) and the last moment (exclusive) that the expression allows under its
    /// relation: "since Monday" has no last one, "before noon" no first one. Both are `None` for a length of time or a
    /// repetition.
    pub fn bounds(&self, now: &Zoned) -> (Option<Zoned>, Option<Zoned>) {
        let Some((start, end)) = self.value.stretch(now) else {
            return (None, None);
        };
        match self.relation {
            Relation::Since | Relation::From => (Some(start), None),
            Relation::After => (Some(end), None),
            Relation::Before => (None, Some(start)),
            Relation::Until | Relation::By => (None, Some(end)),
            Relation::At | Relation::For | Relation::To | Relation::Around => {
                (Some(start), Some(end))
            }
        }
    }
}

impl Value {
    /// Returns the first moment and the exclusive end, which are equal for an instant. Returns `None` for a length of
    /// time or a repetition.
    pub fn stretch(&self, now: &Zoned) -> Option<(Zoned, Zoned)> {
        match self {
            Value::Instant(at) => Some((at.clone(), at.clone())),
            Value::Date(day) => {
                let start = day.to_zoned(now.time_zone().clone()).ok()?;
                let end = day
                    .tomorrow()
                    .ok()?
                    .to_zoned(now.time_zone().clone())
                    .ok()?;
                Some((start, end))
            }
            Value::Interval { start, end } => Some((start.clone(), end.clone())),
            Value::Duration(_) | Value::Set { .. } => None,
        }
    }
}
