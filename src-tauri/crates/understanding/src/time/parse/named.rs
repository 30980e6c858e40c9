//! Dates with names in them: months, weekdays, near days, holidays, and the number of a day.

use super::{ParseResult, Parser, resolved_day};
use crate::time::calendar;
use crate::time::holidays;
use crate::time::lexicon::{DayPart, RelativeDay, RelativePosition, Unit, holiday_at};
use crate::time::model::{Day, LonePiece, Moment, Stretch};
use crate::time::{Direction, Grain, Note};

impl Parser<'_> {
    /// "Friday", "next Friday", "this coming Friday", "Friday week", "Friday after next", "Friday next".
    pub fn weekday(&self, i: usize) -> ParseResult<Moment> {
        let mut at = self.past(i, &["the"]);
        let mut which = None;
        if let Some(first) = self.token(at)?.lex.which {
            which = Some(first);
            at += 1;
            if let Some(second) = self.token(at).and_then(|t| t.lex.which) {
                which = match (self.word(at), second) {
                    ("coming" | "upcoming" | "next", _) => None,
                    (_, RelativePosition::Last) => Some(RelativePosition::Last),
                    _ => which,
                };
                at += 1;
            } else if self.one_of(at - 1, &["coming", "upcoming"]) {
                which = None;
            }
        }
        let lex = self.token(at)?.lex;
        if lex.weekday == 0 || lex.plural {
            return None;
        }
        let shy = lex.shy && which.is_none();
        let mut end = self.past_dot(self.past_possessive(at + 1));
        let mut weeks_after = 0;
        let unit_next = self
            .token(end + 1)
            .is_some_and(|t| t.lex.unit.is_some() || t.lex.weekday > 0 || t.lex.month > 0);
        if let Some(after) = self.phrase(end, "after next") {
            (which, weeks_after, end) = (Some(RelativePosition::Next), 1, after);
        } else if self.is(end, "week") && which.is_none() {
            (weeks_after, end) = (1, end + 1);
        } else if self.is(end, "fortnight") {
            (weeks_after, end) = (2, end + 1);
        } else if self.is(end, "next")
            && which.is_none()
            && !unit_next
            && self.digits(end + 1).is_none()
        {
            (which, end) = (Some(RelativePosition::Next), end + 1);
        }
        let day = Day {
            weekday: Some(lex.weekday),
            which,
            weeks_after,
            ..Day::default()
        };
        let mut moment = Moment::of_day(
            day,
            if shy {
                LonePiece::ShyWord
            } else {
                LonePiece::Sure
            },
        );
        moment.composition.repaired = lex.repaired;
        Some((moment, end))
    }

    /// Reads now, today, tomorrow, yesterday or tonight.
    pub fn near(&self, i: usize) -> ParseResult<Moment> {
        let mut at = self
            .any_phrase(
                i,
                &[
                    "right",
                    "just",
                    "early",
                    "late",
                    "later",
                    "earlier",
                    "sometime",
                    "by the end of",
                ],
            )
            .unwrap_or(i);
        if self.is(at.saturating_sub(1), "right")
            && at > i
            && self.near_at(at).is_none_or(|n| n.0 != RelativeDay::Now)
        {
            at = i;
        }
        let vague = at > i && !self.one_of(i, &["right", "just"]);
        if let Some(end) = self.any_phrase(
            i,
            &[
                "this very moment",
                "at the moment",
                "at this moment",
                "at the present time",
                "at present",
                "this instant",
                "as of now",
            ],
        ) {
            return Some((self.now_moment(), end));
        }
        let (near, end) = self.near_at(at)?;
        let end = self.past_possessive(end);
        let day = |by: i64| {
            calendar::day(calendar::add_days(self.context.today, by)?)
                .map(|s| Moment::of_day(resolved_day(s), LonePiece::Sure))
        };
        let mut moment = match near {
            RelativeDay::Now => self.now_moment(),
            RelativeDay::Today => day(0)?,
            RelativeDay::Tomorrow => day(1)?,
            RelativeDay::Yesterday => day(-1)?,
            RelativeDay::Tonight => {
                let mut tonight = day(0)?;
                tonight.part = Some(DayPart::Night);
                tonight.part_is_definite = true;
                tonight
            }
        };
        moment.composition.repaired = self.token(at)?.lex.repaired;
        if vague && near != RelativeDay::Now {
            moment.notes.push(Note::Vaguely);
        } else if vague {
            return None;
        }
        Some((moment, end))
    }

    fn near_at(&self, i: usize) -> ParseResult<RelativeDay> {
        if let (Some((2, 1)), true) = (self.digits(i), self.glued(i + 1)) {
            return match self.word(i + 1) {
                "morrow" | "moro" | "morow" => Some((RelativeDay::Tomorrow, i + 2)),
                "day" => Some((RelativeDay::Today, i + 2)),
                "nite" | "night" => Some((RelativeDay::Tonight, i + 2)),
                _ => None,
            };
        }
        let near = self.token(i)?.lex.near?;
        Some((near, i + 1))
    }

    fn now_moment(&self) -> Moment {
        let at = self.context.at;
        let end = at.checked_add(jiff::Span::new().seconds(1)).unwrap_or(at);
        let stretch = Stretch {
            start: at,
            end,
            grain: Grain::Second,
            exact: Some(self.context.now.timestamp()),
        };
        Moment::of_day(resolved_day(stretch), LonePiece::Sure)
    }

    /// Reads a holiday, with its year if one is said.
    pub fn holiday(&self, i: usize) -> ParseResult<Moment> {
        let mut at = self.past(i, &["the"]);
        let which = self.token(at)?.lex.which;
        if which.is_some() {
            at += 1;
        }
        let first = self.word(at);
        let found = holiday_at(first)
            .iter()
            .filter_map(|(said, holiday)| self.phrase(at, said).map(|end| (end, *holiday)));
        let (mut end, holiday) = found.max_by_key(|f| f.0)?;
        end = self.past_possessive(end);
        let today = self.context.today;
        let in_year = |year: i16| holidays::date_in(holiday.rule, year);
        let year_at = self.past(self.past_separators(end, &["of", "in"]), &["the"]);
        let relative = self.token(year_at).and_then(|t| t.lex.which).filter(|_| {
            self.token(year_at + 1)
                .is_some_and(|t| t.lex.unit == Some(Unit::Year))
        });
        let date = if let Some((year, after)) =
            self.year(year_at).filter(|(y, _)| (1800..2200).contains(y))
        {
            end = after;
            in_year(year)?
        } else if let Some(relative) = relative {
            end = year_at + 2;
            in_year(
                today.year()
                    + match relative {
                        RelativePosition::This => 0,
                        RelativePosition::Next => 1,
                        RelativePosition::Last => -1,
                    },
            )?
        } else {
            let past = which == Some(RelativePosition::Last)
                || which.is_none() && self.context.prefer.get() == Direction::Past;
            let this = in_year(today.year())?;
            match past {
                false if this < today => in_year(today.year() + 1)?,
                true if this >= today => in_year(today.year() - 1)?,
                _ => this,
            }
        };
        let mut moment = Moment::of_day(resolved_day(calendar::day(date)?), LonePiece::Sure);
        moment.notes.push(Note::Holiday(holiday.name));
        Some((moment, end))
    }

    /// Reads "on 15" or "Monday 21": a number that is a day only together with other words.
    fn bare_day(&self, i: usize) -> ParseResult<Moment> {
        let (n, digits) = self.digits(i)?;
        let before = i.checked_sub(1)?;
        let on = self.is(before, "on") || self.is(before, "the") && i > 1 && self.is(i - 2, "on");
        let weekday = self
            .token(before)
            .is_some_and(|t| t.lex.weekday > 0 && !t.lex.plural)
            && n > 12;
        let tail = self.glued(i + 1)
            && (!self.word(i + 1).is_empty()
                || self.is_sign(i + 1, ':')
                || self.glued(i + 2) && self.digits(i + 2).is_some());
        let clock = tail || self.half_day(i + 1).is_some() || self.one_of(i + 1, &["o", "oclock"]);
        if !(on || weekday)
            || digits > 2
            || !(1..=31).contains(&n)
            || clock
            || self.unit(i + 1).is_some()
            || self.measure_follows(i + 1)
        {
            return None;
        }
        let day = Day {
            day: Some(n as u8),
            ..Day::default()
        };
        Some((Moment::of_day(day, LonePiece::BareDay), i + 1))
    }

    /// Reads "the 15th", "15th of the month" or "the first". What it belongs to may follow ("of next month").
    pub fn day_number(&self, i: usize) -> ParseResult<Moment> {
        let at = self.past(i, &["the"]);
        if let Some(read) = self.bare_day(at) {
            return Some(read);
        }
        let ((n, digits), end) = self.ordinal(at)?;
        if !(1..=31).contains(&n)
            || self.token(end).is_some_and(|t| {
                t.lex.unit.is_some_and(|u| u != Unit::Day)
                    || t.lex.weekday > 0 && at > i && !digits
                    || t.lex.ordinal > 0
            })
        {
            return None;
        }
        let mut alone = if digits {
            LonePiece::DayNumber
        } else {
            LonePiece::DayWord
        };
        let end = self.past(end, &["day"]);
        let end = match self.any_phrase(end, &["of the month", "in the month", "of month"]) {
            Some(end) => {
                alone = LonePiece::Sure;
                end
            }
            None => end,
        };
        Some((
            Moment::of_day(
                Day {
                    day: Some(n as u8),
                    ..Day::default()
                },
                alone,
            ),
            end,
        ))
    }
}
