//! Parts of the day: "in the morning", "this evening", "last night", "at lunchtime".

use super::{ParseResult, Parser, resolved_day};
use crate::time::Note;
use crate::time::calendar;
use crate::time::lexicon::{DayPart, RelativePosition};
use crate::time::model::{Composition, LonePiece, Moment};

impl Parser<'_> {
    /// Reads a part of the day, with its day if one is said ("this", "last").
    pub fn part(&self, i: usize) -> ParseResult<Moment> {
        let mut at = i;
        let mut which = None;
        let mut definite = false;
        let mut vague = false;
        if self.one_of(at, &["in", "during", "at"]) {
            at += 1;
            definite = true;
        }
        // "the night" alone may mean any night.
        at = self.past(at, &["the"]);
        if self.one_of(at, &["early", "late", "mid"]) {
            vague = true;
            at = self.past_sign(at + 1, '-');
            at = self.past(at, &["in"]);
            at = self.past(at, &["the"]);
        }
        if let Some(said) = self.token(at)?.lex.which {
            (which, at) = (Some(said), at + 1);
        }
        let part = self.token(at)?.lex.part?;
        if part == DayPart::Lunch
            && !(i > 0
                && self.one_of(
                    i - 1,
                    &[
                        "at", "after", "before", "until", "by", "around", "over", "during",
                    ],
                )
                || self.is(i, "at")
                || self.is(at, "lunchtime"))
        {
            return None;
        }
        // "nights" in "three nights" is a unit, and "evenings" is a habit.
        if self.token(at)?.lex.plural
            || self.one_of(at, &["mornings", "afternoons", "evenings", "eve"]) && !definite
        {
            return None;
        }
        let mut moment = Moment {
            part: Some(part),
            part_is_definite: definite,
            ..Moment::default()
        };
        moment.composition = Composition {
            pieces: 1,
            alone: LonePiece::Part,
            repaired: self.token(at)?.lex.repaired,
        };
        if vague {
            moment.notes.push(Note::Vaguely);
        }
        let mut end = self.past_possessive(at + 1);
        let day = match which {
            Some(RelativePosition::This) => Some(0),
            Some(RelativePosition::Last) => Some(-1),
            Some(RelativePosition::Next) => return None,
            None => None,
        };
        if let Some(by) = day {
            moment.day = Some(resolved_day(calendar::day(calendar::add_days(
                self.context.today,
                by,
            )?)?));
            moment.composition.alone = LonePiece::Sure;
            moment.part_is_definite = true;
        }
        end = self.past(end, &["time"]);
        Some((moment, end))
    }
}
