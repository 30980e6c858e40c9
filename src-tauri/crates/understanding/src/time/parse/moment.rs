//! Joins pieces in any order: "tomorrow at 5pm", "at 7am on December 25th", "Wednesday evening next week".

use super::{ParseResult, Parser};
use crate::time::Grain;
use crate::time::lexicon::DayPart;
use crate::time::model::{Amount, Clock, Composition, Day, LonePiece, Moment};
use crate::time::token::TokenKind;

/// Maximum number of pieces of one moment; people do not say more.
const PIECES_MAX: u8 = 6;
/// Maximum number of words between two pieces ("on the", ", at about").
const FILLERS_MAX: usize = 3;
const FILLERS: &[&str] = &[
    "on", "at", "in", "of", "the", "for", "from", "around", "about", "@", "during", "this",
    "sometime", "by", "exactly",
];

impl Parser<'_> {
    /// Reads the longest moment that begins at `i`.
    pub fn moment(&self, i: usize) -> ParseResult<Moment> {
        // Without the memo, rules that begin with a moment would read the same one again at every level.
        let key = (i, self.depth.get(), self.context.prefer.get());
        let known = self
            .memo
            .borrow()
            .iter()
            .find(|m| m.0 == key)
            .map(|m| m.1.clone());
        if let Some(read) = known {
            return read;
        }
        let read = self.pieces(i, false);
        self.memo.borrow_mut().push((key, read.clone()));
        read
    }

    /// Reads the longest run of pieces. `days_only` leaves clock times and parts of the day to the caller.
    pub fn pieces(&self, i: usize, days_only: bool) -> ParseResult<Moment> {
        let (mut all, mut end) = self.piece(i, &Moment::default())?;
        while all.composition.pieces < PIECES_MAX {
            let Some((piece, after)) = self.next_piece(end, &all) else {
                break;
            };
            let finer = piece.clock.is_some() || piece.part.is_some() || piece.length.is_some();
            if days_only && finer || !all.join(piece) {
                break;
            }
            end = after;
        }
        Some((all, end))
    }

    /// Reads the next piece that fits, with as few words in between as possible.
    fn next_piece(&self, end: usize, so_far: &Moment) -> ParseResult<Moment> {
        let mut comma = false;
        for (fillers, at) in (end..=end + FILLERS_MAX).enumerate() {
            let parenthesis = self.is_sign(at, '(');
            let start = if parenthesis { at + 1 } else { at };
            if let Some((piece, after)) = self.piece_after(start, so_far, end)
                && (!parenthesis || self.is_sign(after, ')'))
                && self.may_follow(so_far, &piece, fillers, comma)
            {
                let mut joined = so_far.clone();
                if joined.join(piece.clone()) {
                    return Some((piece, after + usize::from(parenthesis)));
                }
            }
            let sign = self.sign(at).is_some_and(|c| {
                matches!(c, ',' | '@') || c == '-' && (so_far.clock.is_none() || !self.glued(at))
            });
            comma |= self.is_sign(at, ',');
            if !sign && !self.one_of(at, FILLERS) {
                return None;
            }
        }
        None
    }

    fn piece_after(&self, start: usize, so_far: &Moment, end: usize) -> ParseResult<Moment> {
        if so_far.clock.is_some()
            && so_far.zone.is_none()
            && (start == end || start == end + 1 && self.is_sign(end, '('))
            && let Some((zone, after)) = self.zone(start)
        {
            let composition = Composition {
                pieces: 1,
                ..Composition::default()
            };
            let moment = Moment {
                zone: Some(zone),
                composition,
                ..Moment::default()
            };
            return Some((moment, after));
        }
        if let Some((amount, after)) = self.length_piece(start, so_far) {
            let composition = Composition {
                pieces: 1,
                ..Composition::default()
            };
            return Some((
                Moment {
                    length: Some(amount),
                    composition,
                    ..Moment::default()
                },
                after,
            ));
        }
        self.piece(start, so_far)
    }

    /// "for 7 hours" after a day or a clock time.
    fn length_piece(&self, start: usize, so_far: &Moment) -> ParseResult<Amount> {
        if !self.is(start.wrapping_sub(1), "for")
            || so_far.length.is_some()
            || so_far.clock_to.is_some()
        {
            return None;
        }
        let (amount, after) = self.amount(start)?;
        let timed = so_far.clock.is_some()
            || amount.smallest() < crate::time::lexicon::Unit::Day
            || so_far.day.is_some();
        (timed && !self.one_of(after, &["ago", "before", "after", "from", "later", "of"]))
            .then_some((amount, after))
    }

    /// Returns whether `piece` may follow what was read, given the words in between.
    fn may_follow(&self, so_far: &Moment, piece: &Moment, fillers: usize, comma: bool) -> bool {
        match piece.composition.alone {
            // The date itself reads "June 5 2015"; here, a year needs a month before it.
            LonePiece::Year => so_far
                .day
                .is_some_and(|d| d.year.is_none() && d.month.is_some()),
            LonePiece::BareDay => {
                so_far.clock.is_some() || so_far.day.is_some_and(|d| d.weekday.is_some())
            }
            LonePiece::DayWord if fillers == 0 => so_far.day.is_some_and(|d| d.weekday.is_some()),
            LonePiece::Fraction | LonePiece::DayNumber | LonePiece::DayWord | LonePiece::Month => {
                true
            }
            // "sat down on sun" and "I may": after a comma, a name with two meanings is too far away.
            LonePiece::ShyWord => !comma || so_far.clock.is_some(),
            LonePiece::InNumber | LonePiece::Nth => false,
            LonePiece::Hour | LonePiece::Part | LonePiece::Sure => true,
        }
    }

    /// Reads one piece at `i`: the longest of all kinds.
    pub fn piece(&self, i: usize, so_far: &Moment) -> ParseResult<Moment> {
        let t = self.token(i)?;
        let starts = match t.kind {
            TokenKind::Number => true,
            TokenKind::Word => t.lex.starts,
            TokenKind::Sign(c) => matches!(c, '\'' | '½' | '¼' | '¾' | '+' | '-'),
            TokenKind::Opaque => false,
        };
        if !starts || !self.step() {
            return None;
        }
        let rules = [
            Self::date_digits,
            Self::date_named,
            Self::nth,
            Self::shift,
            Self::edge,
            Self::period,
            Self::weekday,
            Self::near,
            Self::holiday,
            Self::day_number,
            Self::nth_alone,
            Self::part,
        ];
        let mut best = None;
        let mut offer = |read: ParseResult<Moment>| {
            if let Some((moment, end)) = read
                && best.as_ref().is_none_or(|(_, e)| end > *e)
            {
                best = Some((moment, end));
            }
        };
        offer(self.clock_stretch(i, so_far));
        if so_far.day.is_some_and(|day| day.weekday.is_some()) {
            // "Friday 1230" is no year.
            offer(self.clock_piece(i, so_far));
        }
        for rule in rules {
            offer(rule(self, i));
        }
        offer(self.clock_piece(i, so_far));
        best
    }

    fn clock_piece(&self, i: usize, so_far: &Moment) -> ParseResult<Moment> {
        let weak = self.weak_clock_allowed(i, so_far);
        let (clock, end) = self.clock(i, weak)?;
        if clock.weak && !self.weak_clock_fits(i, end, so_far) {
            return None;
        }
        let alone = if clock.weak {
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
                clock: Some(clock),
                composition,
                ..Moment::default()
            },
            end,
        ))
    }

    fn weak_clock_allowed(&self, i: usize, so_far: &Moment) -> bool {
        let at = i > 0
            && (self.one_of(
                i - 1,
                &[
                    "at", "around", "about", "by", "until", "till", "til", "before", "after",
                    "from", "to", "between", "since", "past", "exactly",
                ],
            ) || self.is_sign(i - 1, '@'));
        at || so_far.part.is_some()
            || so_far.day.is_some()
            || self.names_a_day_part(i + 1)
            || self.names_a_day_part(i + 2)
    }

    /// "tomorrow", "tonight", "in the morning", "this evening" after an hour.
    pub(super) fn names_a_day_part(&self, i: usize) -> bool {
        let i = self.past_sign(i, ',');
        let i = self.past(i, &["in"]);
        let i = self.past(i, &["the", "this"]);
        self.token(i).is_some_and(|t| {
            t.lex
                .near
                .is_some_and(|n| n != crate::time::lexicon::RelativeDay::Now)
                || t.lex.part.is_some_and(|p| p != DayPart::Lunch)
        }) || self.is(i, "at") && self.is(i + 1, "night")
    }

    fn weak_clock_fits(&self, i: usize, end: usize, so_far: &Moment) -> bool {
        if self.measure_follows(end) && !self.names_a_day_part(end) || self.ordinal(i).is_some() {
            return false;
        }
        // "By one and a half hours".
        if self.is(end, "and") && self.amount(i).is_some_and(|(_, after)| after > end) {
            return false;
        }
        let at =
            i > 0 && (self.one_of(i - 1, &["at", "around", "about"]) || self.is_sign(i - 1, '@'));
        if at || self.names_a_day_part(end) || so_far.part.is_some() {
            return true;
        }
        // After a day: "tomorrow 9" at the end of a phrase, but never "Monday 5 people".
        let near = so_far.day.is_some_and(|d| {
            d.within.is_some_and(|w| w.grain == Grain::Day) || d.weekday.is_some()
        });
        let closed = self.token(end).is_none()
            || self
                .sign(end)
                .is_some_and(|c| matches!(c, '.' | ',' | '!' | '?' | '\n'));
        let bound = i > 0
            && self.one_of(
                i - 1,
                &[
                    "by", "until", "till", "til", "before", "after", "from", "to", "between",
                    "since",
                ],
            );
        // "Friday 1230 lunch" and "Friday 3 with Ana".
        let typed = self.digits(i).is_some_and(|(value, digits)| {
            (3..=4).contains(&digits) && value % 5 == 0 && end == i + 1
        });
        // "Saturday 11 and ring Ana", but never "Monday 5 and Friday 6" or "Monday 5 and 7".
        let number = |i: usize| self.token(i).is_some_and(|t| t.lex.number.is_some());
        let follows = |i: usize| number(i) || self.digits(i).is_some() || number(i + 1);
        let joined = self.is(end, "and") && !follows(end + 1) && self.digits(end + 2).is_none();
        near && (closed || typed || self.is(end, "with") || joined)
            || bound
                && (closed
                    || self.token(end).is_some_and(|t| t.lex.starts)
                    || self.sign(end) == Some('-')
                    || self.one_of(end, &["to", "and", "or", "with"])
                    || self.one_of(end, BEHIND_HOUR))
    }
}

/// Words with which a sentence goes on behind a bare hour: "move it to 4 please".
pub(in crate::time) const BEHIND_HOUR: &[&str] = &[
    "please", "pls", "plz", "thanks", "thx", "then", "but", "so", "instead", "because",
];

impl Moment {
    /// Adds another piece. Returns false and changes nothing if the two contradict each other.
    pub fn join(&mut self, other: Moment) -> bool {
        let clash = self.clock.is_some() && other.clock.is_some()
            || self.part.is_some() && other.part.is_some()
            || self.zone.is_some() && other.zone.is_some()
            || self.length.is_some() && other.length.is_some()
            || self.length.is_some() && other.clock_to.is_some();
        if clash {
            return false;
        }
        let day = match (self.day, other.day) {
            (Some(a), Some(b)) => match a.join(b) {
                Some(day) => Some(day),
                None => return false,
            },
            (a, b) => a.or(b),
        };
        let clock: Option<Clock> = self.clock.or(other.clock);
        // A clock time needs a day: neither "next month at 5" nor "in 2 hours at 5" is a moment.
        if clock.is_some()
            && day.is_some_and(|d| {
                d.within.is_some_and(|w| w.grain < Grain::Day) && d.weekday.is_none()
            })
        {
            return false;
        }
        // A year or a month alone takes no clock time: "flight 1530 at 15:30", "Feb 5am".
        let coarse = |d: Day| {
            let part = d.day.is_none() && d.weekday.is_none();
            part && (d.month.is_some()
                || d.year.is_some()
                || d.within.is_some_and(|w| w.grain >= Grain::Month))
        };
        let timed = clock.is_some() || self.part.is_some() || other.part.is_some();
        if timed && day.is_some_and(coarse) {
            return false;
        }
        self.day = day;
        self.clock = clock;
        self.clock_to = self.clock_to.or(other.clock_to);
        self.part = self.part.or(other.part);
        self.part_is_definite |= other.part_is_definite;
        self.length = self.length.or(other.length);
        self.zone = self.zone.take().or(other.zone);
        self.notes.extend(other.notes);
        self.composition.pieces = self
            .composition
            .pieces
            .saturating_add(other.composition.pieces);
        self.composition.repaired |= other.composition.repaired;
        self.composition.alone = match (self.composition.alone, other.composition.alone) {
            (LonePiece::Part, LonePiece::Part) => LonePiece::Part,
            (LonePiece::ShyWord, LonePiece::Hour) | (LonePiece::Hour, LonePiece::ShyWord) => {
                LonePiece::ShyWord
            }
            (LonePiece::Fraction, LonePiece::Hour) | (LonePiece::Hour, LonePiece::Fraction) => {
                LonePiece::Fraction
            }
            _ => LonePiece::Sure,
        };
        true
    }
}

impl Day {
    /// Combines two days. Returns `None` if they contradict each other.
    fn join(self, other: Day) -> Option<Day> {
        fn one<T>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
            match (a, b) {
                (Some(_), Some(_)) => None,
                (a, b) => Some(a.or(b)),
            }
        }
        let within = one(self.within, other.within)?;
        let fits = |stretch: Grain, day: &Day| match stretch {
            Grain::Second | Grain::Minute | Grain::Hour | Grain::Part => false,
            // "tomorrow, Friday" and "tomorrow the 5th" name the same day twice.
            Grain::Day => {
                day.month.is_none()
                    && day.year.is_none()
                    && (day.weekday.is_some() || day.day.is_some())
            }
            Grain::Week => day.weekday.is_some() && day.month.is_none() && day.day.is_none(),
            Grain::Month => day.month.is_none() && day.year.is_none(),
            Grain::Quarter | Grain::Year | Grain::Decade => {
                day.month.is_some() || day.weekday.is_some()
            }
        };
        if let Some(stretch) = within {
            let rest = if self.within.is_some() { &other } else { &self };
            if !fits(stretch.grain, rest) {
                return None;
            }
        }
        // "Monday 13-15" is a stretch of days; two separate day numbers contradict each other.
        Some(Day {
            year: one(self.year, other.year)?,
            month: one(self.month, other.month)?,
            day: one(self.day, other.day)?,
            day_to: one(self.day_to, other.day_to)?,
            weekday: one(self.weekday, other.weekday)?,
            which: one(self.which, other.which)?,
            weeks_after: self.weeks_after + other.weeks_after,
            within,
        })
    }
}
