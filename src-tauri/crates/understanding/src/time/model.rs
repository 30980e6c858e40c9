//! The structures that the grammar builds, before they are resolved.

use super::lexicon::{DayPart, RelativePosition, Unit};
use super::{Grain, Note};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A resolved stretch of local time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    pub start: DateTime,
    /// Exclusive end.
    pub end: DateTime,
    pub grain: Grain,
    /// The exact instant, if it was reached by counting hours from another instant.
    pub exact: Option<Timestamp>,
}

/// What was said about the day. Every field that is set must hold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Day {
    pub year: Option<i16>,
    pub month: Option<u8>,
    pub day: Option<u8>,
    /// The last day of a stretch of days within a month ("July 13-15").
    pub day_to: Option<u8>,
    /// Monday 1 to Sunday 7.
    pub weekday: Option<u8>,
    /// Which weekday or month of that name ("next Friday").
    pub which: Option<RelativePosition>,
    /// Weeks to add ("Monday week").
    pub weeks_after: i32,
    /// A stretch that is already known ("tomorrow", "next week", "3 days ago").
    pub within: Option<Stretch>,
}

/// Before or after noon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meridiem {
    Am,
    Pm,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clock {
    /// 0 to 24.
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub half: Option<Meridiem>,
    /// Written so that it can only be a 24-hour time.
    pub full: bool,
    /// Only a number, which is a time only together with other parts.
    pub weak: bool,
    /// Said with the word "midnight".
    pub midnight: bool,
    pub grain: Grain,
}

/// A number of units, in at most [`AMOUNT_PARTS_MAX`] parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Amount {
    parts: [(f64, Unit); AMOUNT_PARTS_MAX],
    len: usize,
    /// Said with "a few" or the like.
    pub vague: bool,
    /// Said with "a" or "an" ("a day").
    pub article: bool,
}

/// Maximum number of parts of one amount ("1 day 2 hours 3 minutes 4 seconds").
const AMOUNT_PARTS_MAX: usize = 5;

impl Amount {
    pub fn new(count: f64, unit: Unit) -> Self {
        let mut parts = [(0.0, Unit::Second); AMOUNT_PARTS_MAX];
        parts[0] = (count, unit);
        Amount {
            parts,
            len: 1,
            vague: false,
            article: false,
        }
    }

    /// Adds a part if there is room.
    pub fn push(&mut self, count: f64, unit: Unit) {
        if self.len < AMOUNT_PARTS_MAX {
            self.parts[self.len] = (count, unit);
            self.len += 1;
        }
    }

    pub fn parts(&self) -> &[(f64, Unit)] {
        &self.parts[..self.len]
    }

    pub fn smallest(&self) -> Unit {
        self.parts()
            .iter()
            .map(|p| p.1)
            .min()
            .unwrap_or(Unit::Second)
    }

    pub fn has_fraction(&self) -> bool {
        self.parts().iter().any(|p| p.0.fract() != 0.0)
    }
}

/// One or several words that say when: a day, a clock time, a part of the day, a zone, in any order.
#[derive(Debug, Clone, Default)]
pub(super) struct Moment {
    pub day: Option<Day>,
    pub clock: Option<Clock>,
    /// The end of a stretch of clock times ("3-5pm").
    pub clock_to: Option<Clock>,
    pub part: Option<DayPart>,
    /// Whether a word makes the part of the day definite: "this morning", "in the morning".
    pub part_is_definite: bool,
    /// A length that belongs to the moment ("on Monday at 9 for two hours").
    pub length: Option<Amount>,
    pub zone: Option<Zone>,
    pub notes: Vec<Note>,
    /// Composition of the moment, for `accept`.
    pub composition: Composition,
}

/// A zone that was named.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Zone {
    pub zone: TimeZone,
    pub name: String,
}

/// Composition of a moment, to judge whether it is a time at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Composition {
    /// Number of pieces put together.
    pub pieces: u8,
    /// Kind of the only piece, if it needs other words or a preposition to be a time.
    pub alone: LonePiece,
    pub repaired: bool,
}

/// A piece that may not be a time when it stands alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum LonePiece {
    /// Surely a time.
    #[default]
    Sure,
    /// A word that is also something else ("may", "sun", "april").
    ShyWord,
    /// The name of a month that is nothing else.
    Month,
    /// A number with a slash or a dash ("4/25").
    Fraction,
    /// "the 15th".
    DayNumber,
    /// "15" after "on".
    BareDay,
    /// "the first", as a word.
    DayWord,
    /// A year.
    Year,
    /// A number after "at".
    Hour,
    /// "in the morning", "evening".
    Part,
    /// "in 15".
    InNumber,
    /// "the first Monday", with nothing it belongs to.
    Nth,
}
