//! The beginning of a repetition: "every other Friday", "each 15th", "every July 4th", "daily".

use super::set::{COUNT_MAX, Freq, RecurrenceRule};
use super::{ParseResult, Parser};
use crate::time::lexicon::DayPart;

impl Parser<'_> {
    pub fn set_every(&self, i: usize) -> ParseResult<RecurrenceRule> {
        let joined = self.is(i, "everyday");
        if joined {
            return Some((RecurrenceRule::every(Freq::Daily, 1), i + 1));
        }
        if !self.one_of(i, &["every", "each", "any", "alternate", "alternating"])
            || self.is(i, "any")
        {
            return None;
        }
        let mut at = if self.one_of(i, &["alternate", "alternating"]) {
            i
        } else {
            i + 1
        };
        at = self.past(at, &["single", "and"]);
        if let Some(end) = self.any_phrase(at, &["half an hour", "half hour"]) {
            return Some((RecurrenceRule::every(Freq::Minutely, 30), end));
        }
        if let Some(end) = self.any_phrase(at, &["quarter of an hour", "quarter hour"]) {
            return Some((RecurrenceRule::every(Freq::Minutely, 15), end));
        }
        let (n, explicit, mut at) = self.every_so_many(at);
        at = self.past_sign(at, '-');
        if let Some(read) = self.every_named(n, at) {
            return Some(read);
        }
        if !explicit && let Some(read) = self.every_digits(at) {
            return Some(read);
        }
        if !explicit || !self.one_of(at - 1, &["other", "alternate", "alternating"]) {
            // "every 15th", "every first Monday", "every 4th and 10th of the month", where the number is a position.
            if let Some(read) = self.every_position(self.past(i + 1, &["single"])) {
                return Some(read);
            }
        }
        None
    }

    /// Reads "other", "3", "third" or "second" before the thing that is counted. The number is 1 if nothing is said.
    pub fn every_so_many(&self, i: usize) -> (u32, bool, usize) {
        if self.one_of(i, &["other", "alternate", "alternating"]) {
            return (2, true, i + 1);
        }
        if let Some(end) = self.any_phrase(i, &["couple of", "couple"]) {
            return (2, true, end);
        }
        if let Some(end) = self.phrase(i, "few") {
            return (3, true, end);
        }
        if let Some(((n, _), end)) = self.ordinal(i)
            && self.token(end).is_some_and(|t| {
                t.lex.unit.is_some()
                    || n == 2 && t.lex.weekday > 0 && !self.one_of(end + 1, &["of", "in"])
            })
        {
            return (n, true, end);
        }
        if let Some((n, end)) = self.whole(i)
            && !self.is_sign(end, ':')
            && self.token(end).is_some_and(|t| {
                t.lex.unit.is_some()
                    || t.lex.weekday > 0
                    || self.is_sign(end, '-')
                    || self.one_of(end, &["business", "working", "work"])
            })
        {
            return (n.min(COUNT_MAX), true, end);
        }
        (1, false, i)
    }

    /// Reads the thing that is counted: a unit, weekdays, a part of the day, months.
    pub fn every_named(&self, n: u32, at: usize) -> ParseResult<RecurrenceRule> {
        if n == 0 {
            return None;
        }
        if let Some((days, end)) = self.weekday_list(at) {
            let mut rule = RecurrenceRule::every(Freq::Weekly, n);
            rule.days = days.into_iter().map(|d| (0, d)).collect();
            rule.repaired = self.token(at)?.lex.repaired;
            return Some((rule, end));
        }
        if self.token(at)?.lex.near == Some(crate::time::lexicon::RelativeDay::Tonight) {
            return None;
        }
        if let Some(part) = self.token(at)?.lex.part.filter(|p| *p != DayPart::Lunch) {
            let mut rule = RecurrenceRule::every(Freq::Daily, n);
            rule.part = Some(part);
            return Some((rule, at + 1));
        }
        let ordinal = self.token(at)?.lex.ordinal > 0
            && self.token(at + 1).is_some_and(|t| t.lex.weekday > 0);
        if let Some((unit, end)) = self.unit(at).filter(|_| !ordinal) {
            // "second" before a weekday is an ordinal and no unit: "every second Friday".
            return Some((RecurrenceRule::by_unit(unit, n)?, end));
        }
        if self.token(at)?.lex.month > 0 {
            if let Some((moment, end)) = self.date_named(at)
                && let Some(day) = moment.day
                && day.year.is_none()
                && day.which.is_none()
                && let (Some(month), Some(number)) = (day.month, day.day)
            {
                let mut rule = RecurrenceRule::every(Freq::Yearly, n);
                (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
                return Some((rule, end));
            }
            let (months, end) = self.month_list(at)?;
            let mut rule = RecurrenceRule::every(Freq::Yearly, n);
            rule.months = months;
            return Some((rule, end));
        }
        if let Some((moment, end)) = self.holiday_rule(at) {
            return Some((
                RecurrenceRule {
                    interval: n,
                    ..moment
                },
                end,
            ));
        }
        None
    }

    /// "every 4/15", "each 4pm".
    pub fn every_digits(&self, at: usize) -> ParseResult<RecurrenceRule> {
        if let Some((moment, end)) = self.date_digits(at)
            && let Some(day) = moment.day
            && let (Some(month), Some(number), None) = (day.month, day.day, day.year)
        {
            let mut rule = RecurrenceRule::every(Freq::Yearly, 1);
            (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
            return Some((rule, end));
        }
        let (clock, end) = self.clock(at, false)?;
        let mut rule = RecurrenceRule::every(Freq::Daily, 1);
        rule.clocks = vec![clock];
        Some((rule, end))
    }

    /// Reads a holiday such as "Christmas" as a yearly repetition, if it has a fixed or counted date.
    pub fn holiday_rule(&self, i: usize) -> ParseResult<RecurrenceRule> {
        use crate::time::holidays::HolidayRule;
        let found = crate::time::lexicon::holiday_at(self.word(i)).iter();
        let (end, holiday) = found
            .filter_map(|(said, h)| self.phrase(i, said).map(|end| (end, *h)))
            .max_by_key(|f| f.0)?;
        let mut rule = RecurrenceRule::every(Freq::Yearly, 1);
        match holiday.rule {
            HolidayRule::Fixed(month, day) => {
                (rule.months, rule.month_days) = (vec![month], vec![i32::from(day)])
            }
            HolidayRule::Nth(month, weekday, n) => {
                (rule.months, rule.days) = (vec![month], vec![(i32::from(n), weekday)])
            }
            HolidayRule::AfterNth(..) | HolidayRule::Easter(_) => return None,
        }
        Some((rule, end))
    }

    /// Reads "15th", "first Monday", "last day", "4th and 10th" or "4th of July" after "every".
    pub fn every_position(&self, at: usize) -> ParseResult<RecurrenceRule> {
        if let Some((moment, end)) = self.date_named(at)
            && let Some(day) = moment.day
            && let (Some(month), Some(number), None) = (day.month, day.day, day.year)
        {
            let mut rule = RecurrenceRule::every(Freq::Yearly, 1);
            (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
            return Some((rule, end));
        }
        let mut rule = RecurrenceRule::every(Freq::Monthly, 1);
        let end = self.positions(&mut rule, at)?;
        Some((rule, end))
    }

    /// "daily", "weekly", "biweekly", "quarterly", "nightly".
    pub fn set_adverb(&self, i: usize) -> ParseResult<RecurrenceRule> {
        let bi = self.one_of(i, &["bi", "semi"]) && self.is_sign(i + 1, '-');
        let twice = bi && self.is(i, "bi");
        let at = if bi { i + 2 } else { i };
        let (freq, mut interval) = match self.word(at) {
            "daily" | "nightly" => (Freq::Daily, 1),
            "weekly" => (Freq::Weekly, 1),
            "biweekly" | "fortnightly" => (Freq::Weekly, 2),
            "monthly" => (Freq::Monthly, 1),
            "bimonthly" => (Freq::Monthly, 2),
            "quarterly" => (Freq::Monthly, 3),
            "semiannually" | "biannually" => (Freq::Monthly, 6),
            "yearly" | "annually" | "annual" => (Freq::Yearly, 1),
            "biennially" => (Freq::Yearly, 2),
            "hourly" => (Freq::Hourly, 1),
            _ => return None,
        };
        if twice {
            interval = 2;
        }
        let mut rule = RecurrenceRule::every(freq, interval);
        if self.is(at, "nightly") {
            rule.part = Some(DayPart::Night);
        }
        Some((rule, at + 1))
    }
}
