//! Times in English text: instants, dates, stretches of time, lengths of time and repetitions, with the bytes they were
//! said in.
//!
//! [`find`] gives every expression of a text, [`find_main`] the one that says most. Nothing here reads a clock: "now" is
//! an argument, and its zone is the zone the text is read in.
//!
//! How it works, one step a file: `token` splits the text, `lexicon` says what a word can mean, `parse` holds the grammar
//! (small rules that read tokens from left to right), `accept` drops readings that are more likely something else (a
//! price, a version, a name), `resolve` turns what was said into dates of the calendar under a [`Policy`], and `find`
//! walks over the text and adds the zone. There is no table of sentences.

mod accept;
mod calendar;
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

pub use describe::describe;
pub use find::{find, find_main};
pub use policy::{Hours, Policy, Prefer};
pub use token::{TEXT_BYTES_MAX, TOKENS_MAX};

use jiff::{Span, Zoned, civil};
use std::ops::Range;

/// Earliest year that is read.
pub const YEAR_MIN: i16 = 1000;
/// Latest year that is read; a result after it is dropped.
pub const YEAR_MAX: i16 = 2999;

/// What an expression stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A point in time ("tomorrow at 5pm", "in 20 minutes").
    Instant(Zoned),
    /// A whole day ("June 5", "3 days ago").
    Date(civil::Date),
    /// A stretch; `end` is exclusive ("next week", "from 3 to 5pm", "this evening").
    Interval {
        /// First moment.
        start: Zoned,
        /// First moment that is no longer part of it.
        end: Zoned,
    },
    /// A length of time ("90 minutes", "an hour and a half").
    Duration(Length),
    /// A repetition.
    Set {
        /// An RRULE value of RFC 5545 without the property name. Parts stand in a fixed order.
        rrule: String,
        /// The first occurrence at or after now, or after the start that was named. Midnight when no clock was named.
        first: Option<Zoned>,
        /// The start, when one was named ("starting tomorrow").
        start: Option<Zoned>,
    },
}

/// A length of time, as said and in seconds.
#[derive(Debug, Clone)]
pub struct Length {
    /// In the units that were said (a month stays a month).
    pub span: Span,
    /// In seconds, with a day of 24 hours, a month of 30 days and a year of 365.
    pub seconds: f64,
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.seconds == other.seconds && self.span.fieldwise() == other.span.fieldwise()
    }
}

/// How coarse the expression is.
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
    /// At, on, in, during, or nothing.
    #[default]
    At,
    /// Since, from … on: an open end after.
    Since,
    /// Until, till, up to.
    Until,
    /// By, no later than.
    By,
    /// Before, earlier than.
    Before,
    /// After, later than.
    After,
    /// From, starting: a first point with no last one.
    From,
    /// For.
    For,
    /// To: a new time ("move it to 5pm").
    To,
    /// Around, about.
    Around,
}

/// Something that was assumed or corrected in reading an expression. Show it when the reading matters.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// Only a clock time was said; the day was taken from now.
    DayAssumed,
    /// No am or pm was said; the other reading.
    HourAssumed(Zoned),
    /// A number of minutes was understood ("in 15").
    MinutesAssumed,
    /// The local time does not exist (clocks go forward) and was moved forward; what was said.
    Gap(civil::DateTime),
    /// The local time happens twice (clocks go back); the first was taken, this is the second.
    Overlap(Zoned),
    /// A zone was named; its IANA name.
    Zone(String),
    /// The weekday said is not the weekday of the date said; the date was taken.
    WeekdayMismatch(civil::Date),
    /// A vague count ("a few") was read as this number.
    Vague(u32),
    /// A name was repaired from a likely typing error.
    Repaired,
    /// So many times within the period, on days left open ("twice a week").
    TimesPerPeriod(u32),
    /// The holiday that was meant.
    Holiday(&'static str),
    /// A word such as "late", "sometime" or "around" makes it less exact.
    Vaguely,
}

/// One expression found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Bytes of the expression, without the words in `lead`. A preposition that changes the value stays inside ("in 2
    /// weeks", "from 3 to 5pm").
    pub span: Range<usize>,
    /// Bytes of the preposition before it ("on", "by", "until", …), if any.
    pub lead: Option<Range<usize>>,
    /// How `lead` binds the expression.
    pub relation: Relation,
    /// What it stands for.
    pub value: Value,
    /// How coarse it is; of a set, the grain of its period.
    pub grain: Grain,
    /// The clock time that was said, if any: "to 3pm" can then keep the day of what is moved.
    pub clock: Option<civil::Time>,
    /// Whether a day was said (or only a clock time).
    pub has_day: bool,
    /// What was assumed.
    pub notes: Vec<Note>,
    /// How much was said: more parts count more. For choosing among several.
    pub(crate) weight: u32,
}

impl Found {
    /// Whether it says how often in a week or a month, and leaves open on which days.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        let counted = |note: &Note| matches!(note, Note::TimesPerPeriod(times) if *times > 1);
        matches!(self.value, Value::Set { .. }) && self.notes.iter().any(counted)
    }

    /// The time of day when it is meant for another day than the one it was read for: "9", said at ten and read as
    /// tonight, is nine in the morning there. `first_morning_hour` is the policy's.
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

    /// The bytes to cut when the expression is taken out of a request: with its preposition.
    pub fn cut(&self) -> Range<usize> {
        self.lead
            .as_ref()
            .map_or(self.span.start, |lead| lead.start)..self.span.end
    }

    /// First moment (inclusive) and last moment (exclusive) it allows, read with its relation: "since Monday" has no last
    /// one, "before noon" no first one. Both are `None` for a length of time or a repetition.
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
    /// First moment and exclusive end; an instant is empty. `None` for a length of time or a repetition.
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
