//! Dates with names in them: months, weekdays, near days, holidays, and the number of a day.

use super::{Parser, Read, known};
use crate::time::calendar::{self, make};
use crate::time::holidays;
use crate::time::lexicon::{Near, Part, Unit, Which, holiday_at};
use crate::time::model::{Alone, Day, Moment, Stretch};
use crate::time::token::Kind;
use crate::time::{Grain, Note, Prefer};

impl Parser<'_> {
    /// A date with the name of a month: "5th of June 2027", "June 5", "Jun 2027", "2027 June", "next June".
    pub fn date_named(&self, i: usize) -> Read<Moment> {
        let i = self
            .any_phrase(i, &["the month of", "month of"])
            .unwrap_or(i);
        self.day_then_month(i)
            .or_else(|| self.month_first(i))
            .or_else(|| self.year_then_month(i))
    }

    fn month_at(&self, i: usize) -> Read<u8> {
        let month = self.token(i)?.lex.month;
        (month > 0).then(|| (month, self.past_dot(self.past_possessive(i + 1))))
    }

    fn past_separators(&self, mut i: usize, words: &[&str]) -> usize {
        for _ in 0..3 {
            let sign = self.sign(i).is_some_and(|c| {
                matches!(c, ',' | '-' | '/' | '.') && (c == ',' || self.glued(i) || c == '-')
            });
            if sign || self.one_of(i, words) {
                i += 1;
            } else {
                break;
            }
        }
        i
    }

    /// A day of the month: an ordinal or a number of at most two digits.
    fn day_number_at(&self, i: usize) -> Read<u8> {
        if let Some(((n, _), end)) = self.ordinal(i) {
            return (1..=31).contains(&n).then_some((n as u8, end));
        }
        let (n, digits) = self.digits(i)?;
        let clock = self.is_sign(i + 1, ':') && self.glued(i + 1)
            || self.half_day(i + 1).is_some()
            || self.one_of(i + 1, &["h", "o", "oclock"]);
        let unit = !self.is(i + 1, "day") && self.unit(i + 1).is_some();
        let letters = self.glued(i + 1)
            && self
                .token(i + 1)
                .is_some_and(|t| t.kind == Kind::Word && t.lex.month == 0);
        (digits <= 2 && (1..=31).contains(&n) && !clock && !unit && !letters)
            .then_some((n as u8, i + 1))
    }

    /// The second of two days of the month: "-15", "to 15th", "through the 15th".
    fn to_day(&self, i: usize, and: bool) -> Read<u8> {
        let at = if self.is_sign(i, '-') {
            i + 1
        } else if self.one_of(i, &["to", "through", "thru", "until", "till", "til"])
            || and && self.is(i, "and")
        {
            i + 1
        } else {
            return None;
        };
        let at = self.past(at, &["the"]);
        self.day_number_at(at)
    }

    fn day_then_month(&self, i: usize) -> Read<Moment> {
        let at = self.past(i, &["the"]);
        let (day, mut at) = self.day_number_at(at)?;
        let between = i > 0 && self.one_of(i - 1, &["between"]);
        let to = self.to_day(at, between);
        let mut day_to = None;
        if let Some((to, end)) = to
            && to > day
        {
            (day_to, at) = (Some(to), end);
        }
        at = self.past(at, &["day"]);
        at = self.past_separators(at, &["of", "the", "in"]);
        let which = self.token(at).and_then(|t| t.lex.which);
        if which.is_some() {
            at += 1;
        }
        let (month, end) = self.month_at(at)?;
        let (mut year, mut end) = self.year_after(end);
        // "17 April 85"
        if year.is_none()
            && which.is_none()
            && let Some((two, 2)) = self.digits(end)
            && !self.glued(end + 1)
            && !self.measure_follows(end + 1)
            && self.half_day(end + 1).is_none()
            && !self.one_of(end + 1, &["to", "through", "until", "till"])
        {
            (year, end) = (Some(self.century(two)), end + 1);
        }
        let day = Day {
            year,
            month: Some(month),
            day: Some(day),
            day_to,
            which,
            ..Day::default()
        };
        self.checked(day, end)
    }

    fn month_first(&self, i: usize) -> Read<Moment> {
        let which = self.token(i)?.lex.which;
        let start = if which.is_some() { i + 1 } else { i };
        // "this coming June"
        let start = if which == Some(Which::This) && self.is(start, "coming") {
            start + 1
        } else {
            start
        };
        let (month, after) = self.month_at(start)?;
        let at = self.past_separators(after, &["the", "on"]);
        if let Some((day, mut end)) = self.day_number_at(at).or_else(|| self.worded_day(at)) {
            let mut day_to = None;
            let between = i > 0 && self.is(i - 1, "between");
            if let Some((to, further)) = self.to_day(end, between)
                && to > day
                && self.month_at(further).is_none()
                && !self.is_sign(further, ':')
            {
                (day_to, end) = (Some(to), further);
            }
            let (year, end) = self.year_after(self.past(end, &["day"]));
            let which = if year.is_some() { None } else { which };
            let doubtful = self.token(start).is_some_and(|t| t.lex.shy)
                && self.measure_follows(end)
                && matches!(month, 3 | 5);
            if !doubtful {
                return self.checked(
                    Day {
                        year,
                        month: Some(month),
                        day: Some(day),
                        day_to,
                        which,
                        ..Day::default()
                    },
                    end,
                );
            }
        }
        let at = self.past_separators(after, &["of", "in", "the"]);
        let at = self.past(at, &["year"]);
        let word = self.token(start)?.lex;
        // "April of 87"
        if self.is(at.wrapping_sub(1), "of")
            && let Some((two @ 32.., 2)) = self.digits(at)
            && !self.glued(at + 1)
        {
            let day = Day {
                year: Some(self.century(two)),
                month: Some(month),
                ..Day::default()
            };
            return Some((Moment::of_day(day, Alone::Sure), at + 1));
        }
        if let Some((year, end)) = self.year(at) {
            // "September-2027-23"
            if self.is_sign(end, '-')
                && self.glued(end)
                && self.glued(end + 1)
                && let Some((number @ 1..=31, 1..=2)) = self.digits(end + 1)
            {
                let day = Day {
                    year: Some(year),
                    month: Some(month),
                    day: Some(number as u8),
                    ..Day::default()
                };
                return self.checked(day, end + 2);
            }
            let repaired = word.repaired;
            let mut moment = Moment::of_day(
                Day {
                    year: Some(year),
                    month: Some(month),
                    ..Day::default()
                },
                Alone::Sure,
            );
            moment.made.repaired = repaired;
            return Some((moment, end));
        }
        let alone = match which {
            // "this may change"
            Some(Which::This) if matches!(month, 3 | 5) && word.shy => Alone::ShyWord,
            Some(_) => Alone::Sure,
            None if word.shy => Alone::ShyWord,
            None => Alone::Month,
        };
        let mut moment = Moment::of_day(
            Day {
                month: Some(month),
                which,
                ..Day::default()
            },
            alone,
        );
        moment.made.repaired = word.repaired;
        Some((moment, after))
    }

    /// "twenty", "twenty five" after a month.
    fn worded_day(&self, i: usize) -> Read<u8> {
        let (n, end) = self.number_words(i)?;
        let clock = self.half_day(end).is_some()
            || self.one_of(end, &["o", "oclock"])
            || self.unit(end).is_some();
        ((1..=31).contains(&n) && !clock && self.token(end).is_none_or(|t| t.lex.number.is_none()))
            .then_some((n as u8, end))
    }

    fn year_then_month(&self, i: usize) -> Read<Moment> {
        let (year, at) = self.year(i)?;
        let (month, end) = self.month_at(self.past_separators(at, &[]))?;
        let at = self.past_separators(end, &["the"]);
        if let Some((day, end)) = self.day_number_at(at) {
            return self.checked(
                Day {
                    year: Some(year),
                    month: Some(month),
                    day: Some(day),
                    ..Day::default()
                },
                end,
            );
        }
        Some((
            Moment::of_day(
                Day {
                    year: Some(year),
                    month: Some(month),
                    ..Day::default()
                },
                Alone::Sure,
            ),
            end,
        ))
    }

    fn year_after(&self, i: usize) -> (Option<i16>, usize) {
        let at = self.past_separators(i, &["of", "in"]);
        let at = self
            .any_phrase(at, &["the year of", "the year", "year"])
            .unwrap_or(at);
        if let Some((year, end)) = self.year(at) {
            // "June 5, 2000 people" and "June 5 at 2015" are left to chance; "June 5 - 2015-…" is not a year.
            return (Some(year), end);
        }
        let tight =
            at > i && self.glued(at) && self.sign(at - 1).is_some_and(|c| matches!(c, '/' | '-'));
        match self.digits(at) {
            Some((two, 2))
                if tight
                    && !(self.glued(at + 1)
                        && self.token(at + 1).is_some_and(|t| t.kind == Kind::Word)) =>
            {
                (Some(self.century(two)), at + 1)
            }
            _ => (None, i),
        }
    }

    /// Refuses days that do not exist ("June 31").
    fn checked(&self, day: Day, end: usize) -> Read<Moment> {
        let (month, number) = (day.month?, day.day_to.or(day.day)?);
        let year = day.year.unwrap_or(2024);
        if make(year, month, number).is_none() {
            self.mark_broken(end);
            return None;
        }
        Some((Moment::of_day(day, Alone::Sure), end))
    }

    /// "Friday", "next Friday", "this coming Friday", "Friday week", "Friday after next", "Friday next".
    pub fn weekday(&self, i: usize) -> Read<Moment> {
        let mut at = self.past(i, &["the"]);
        let mut which = None;
        if let Some(first) = self.token(at)?.lex.which {
            which = Some(first);
            at += 1;
            if let Some(second) = self.token(at).and_then(|t| t.lex.which) {
                which = match (self.word(at), second) {
                    ("coming" | "upcoming" | "next", _) => None,
                    (_, Which::Last) => Some(Which::Last),
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
            (which, weeks_after, end) = (Some(Which::Next), 1, after);
        } else if self.is(end, "week") && which.is_none() {
            (weeks_after, end) = (1, end + 1);
        } else if self.is(end, "fortnight") {
            (weeks_after, end) = (2, end + 1);
        } else if self.is(end, "next")
            && which.is_none()
            && !unit_next
            && self.digits(end + 1).is_none()
        {
            (which, end) = (Some(Which::Next), end + 1);
        }
        let day = Day {
            weekday: Some(lex.weekday),
            which,
            weeks_after,
            ..Day::default()
        };
        let mut moment = Moment::of_day(day, if shy { Alone::ShyWord } else { Alone::Sure });
        moment.made.repaired = lex.repaired;
        Some((moment, end))
    }

    /// now, today, tomorrow, yesterday, tonight.
    pub fn near(&self, i: usize) -> Read<Moment> {
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
            && self.near_at(at).is_none_or(|n| n.0 != Near::Now)
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
                .map(|s| Moment::of_day(known(s), Alone::Sure))
        };
        let mut moment = match near {
            Near::Now => self.now_moment(),
            Near::Today => day(0)?,
            Near::Tomorrow => day(1)?,
            Near::Yesterday => day(-1)?,
            Near::Tonight => {
                let mut tonight = day(0)?;
                tonight.part = Some(Part::Night);
                tonight.part_is_definite = true;
                tonight
            }
        };
        moment.made.repaired = self.token(at)?.lex.repaired;
        if vague && near != Near::Now {
            moment.notes.push(Note::Vaguely);
        } else if vague {
            return None;
        }
        Some((moment, end))
    }

    fn near_at(&self, i: usize) -> Read<Near> {
        if let (Some((2, 1)), true) = (self.digits(i), self.glued(i + 1)) {
            return match self.word(i + 1) {
                "morrow" | "moro" | "morow" => Some((Near::Tomorrow, i + 2)),
                "day" => Some((Near::Today, i + 2)),
                "nite" | "night" => Some((Near::Tonight, i + 2)),
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
        Moment::of_day(known(stretch), Alone::Sure)
    }

    /// A holiday, with its year if one is said.
    pub fn holiday(&self, i: usize) -> Read<Moment> {
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
                        Which::This => 0,
                        Which::Next => 1,
                        Which::Last => -1,
                    },
            )?
        } else {
            let past = which == Some(Which::Last)
                || which.is_none() && self.context.prefer.get() == Prefer::Past;
            let this = in_year(today.year())?;
            match past {
                false if this < today => in_year(today.year() + 1)?,
                true if this >= today => in_year(today.year() - 1)?,
                _ => this,
            }
        };
        let mut moment = Moment::of_day(known(calendar::day(date)?), Alone::Sure);
        moment.notes.push(Note::Holiday(holiday.name));
        Some((moment, end))
    }

    /// "on 15", "Monday 21": a number that is a day only in company.
    fn bare_day(&self, i: usize) -> Read<Moment> {
        let (n, digits) = self.digits(i)?;
        let before = i.checked_sub(1)?;
        let on = self.is(before, "on") || self.is(before, "the") && i > 1 && self.is(i - 2, "on");
        let weekday = self
            .token(before)
            .is_some_and(|t| t.lex.weekday > 0 && !t.lex.plural)
            && n > 12;
        let clock = self.glued(i + 1)
            || self.half_day(i + 1).is_some()
            || self.one_of(i + 1, &["o", "oclock"]);
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
        Some((Moment::of_day(day, Alone::BareDay), i + 1))
    }

    /// "the 15th", "15th of the month", "the first"; what it belongs to may follow ("of next month").
    pub fn day_number(&self, i: usize) -> Read<Moment> {
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
            Alone::DayNumber
        } else {
            Alone::DayWord
        };
        let end = self.past(end, &["day"]);
        let end = match self.any_phrase(end, &["of the month", "in the month", "of month"]) {
            Some(end) => {
                alone = Alone::Sure;
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
