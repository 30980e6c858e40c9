//! Repetitions: "every other Friday", "daily at 8am and 6pm", "the last day of each month", "Tuesdays until March".

use super::{Parser, Read};
use crate::time::lexicon::{Part, Unit};
use crate::time::model::{Amount, Clock, Moment};

/// How often, in the words of RFC 5545.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Freq {
    Secondly,
    Minutely,
    Hourly,
    #[default]
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// A repetition as said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rule {
    pub freq: Freq,
    /// Every so many; 0 and 1 are the same.
    pub interval: u32,
    /// Which one in the month or year (0 is every one) and the weekday (Monday 1).
    pub days: Vec<(i32, u8)>,
    pub month_days: Vec<i32>,
    pub year_days: Vec<i32>,
    pub months: Vec<u8>,
    pub clocks: Vec<Clock>,
    /// "from 9 to 5" of an hourly repetition: the last hour.
    pub clock_to: Option<Clock>,
    pub part: Option<Part>,
    pub count: Option<u32>,
    pub until: Option<Moment>,
    pub starts: Option<Moment>,
    pub lasts: Option<Amount>,
    pub times_per_period: Option<u32>,
    /// BYSETPOS: the first or last working day.
    pub set_positions: Vec<i32>,
    /// "the 4th of the month": the month is named, though no frequency was.
    pub monthly: bool,
    pub repaired: bool,
}

impl Rule {
    fn every(freq: Freq, interval: u32) -> Rule {
        Rule {
            freq,
            interval,
            ..Rule::default()
        }
    }

    /// A repetition by a unit.
    fn by_unit(unit: Unit, n: u32) -> Option<Rule> {
        let weekly_on = |days: std::ops::RangeInclusive<u8>| Rule {
            days: days.map(|d| (0, d)).collect(),
            ..Rule::every(Freq::Weekly, n)
        };
        Some(match unit {
            Unit::Second => Rule::every(Freq::Secondly, n),
            Unit::Minute => Rule::every(Freq::Minutely, n),
            Unit::Hour => Rule::every(Freq::Hourly, n),
            Unit::Day => Rule::every(Freq::Daily, n),
            Unit::WorkDay => weekly_on(1..=5),
            Unit::Weekend => weekly_on(6..=7),
            Unit::Week => Rule::every(Freq::Weekly, n),
            Unit::Fortnight => Rule::every(Freq::Weekly, n.checked_mul(2)?),
            Unit::Month => Rule::every(Freq::Monthly, n),
            Unit::Quarter => Rule::every(Freq::Monthly, n.checked_mul(3)?),
            Unit::Year => Rule::every(Freq::Yearly, n),
            Unit::Decade => Rule::every(Freq::Yearly, n.checked_mul(10)?),
            Unit::Century => return None,
        })
    }
}

/// Largest interval and count that are read.
const COUNT_MAX: u32 = 10_000;

impl Parser<'_> {
    /// A repetition that begins at `i`.
    pub fn set(&self, i: usize) -> Read<Rule> {
        if !self
            .token(i)
            .is_some_and(|t| t.lex.starts || t.digits() > 0)
        {
            return None;
        }
        let (mut rule, mut end) = self.set_core(i).or_else(|| self.set_after_other(i))?;
        for _ in 0..8 {
            let Some(after) = self.set_tail(&mut rule, end) else {
                break;
            };
            end = after;
        }
        Some((rule, end))
    }

    fn set_core(&self, i: usize) -> Read<Rule> {
        let i = self.past(i, &["on"]);
        self.set_every(i)
            .or_else(|| self.set_adverb(i))
            .or_else(|| self.set_plural(i))
            .or_else(|| self.set_nth_of_every(i))
            .or_else(|| self.set_times_per(i))
    }

    /// "at 9am every day", "starting tomorrow, every hour", "Monday and Friday each week".
    fn set_after_other(&self, i: usize) -> Read<Rule> {
        if self.one_of(i, &["starting", "beginning", "from", "as"]) {
            let at = self.any_phrase(
                i,
                &[
                    "starting on",
                    "starting from",
                    "starting at",
                    "starting in",
                    "starting",
                    "beginning on",
                    "beginning",
                    "from",
                    "as of",
                ],
            )?;
            let (moment, end) = self.deeper(|| self.moment(at))?;
            let end = self.past(end, &["on", "onwards", "onward"]);
            let (mut rule, end) = self.set_core(self.past_sign(end, ','))?;
            if let Some(clock) = moment.clock
                && rule.clocks.is_empty()
            {
                rule.clocks.push(clock);
            }
            rule.starts = Some(moment);
            return Some((rule, end));
        }
        if let Some((days, end)) = self.weekday_list(i) {
            let at = self.past_sign(end, ',');
            let (rule, end) = self.set_every(at).or_else(|| self.set_adverb(at))?;
            if matches!(rule.freq, Freq::Weekly | Freq::Monthly) && rule.days.is_empty() {
                return Some((
                    Rule {
                        days: days.into_iter().map(|d| (0, d)).collect(),
                        ..rule
                    },
                    end,
                ));
            }
            return None;
        }
        let (clocks, mut end) = self.clock_list(i)?;
        let mut part = None;
        if let Some((said, after)) = self.part(end).filter(|(m, _)| m.day.is_none()) {
            (part, end) = (said.part, after);
        }
        let (mut rule, end) = self.set_core(self.past_sign(end, ','))?;
        rule.clocks = clocks;
        rule.part = rule.part.or(part);
        Some((rule, end))
    }

    fn set_every(&self, i: usize) -> Read<Rule> {
        let joined = self.is(i, "everyday");
        if joined {
            return Some((Rule::every(Freq::Daily, 1), i + 1));
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

    /// "other", "3", "third", "second" before what is counted: 1 when nothing is said.
    fn every_so_many(&self, i: usize) -> (u32, bool, usize) {
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

    /// What is counted: a unit, weekdays, a part of the day, months.
    fn every_named(&self, n: u32, at: usize) -> Read<Rule> {
        if n == 0 {
            return None;
        }
        if let Some((days, end)) = self.weekday_list(at) {
            let mut rule = Rule::every(Freq::Weekly, n);
            rule.days = days.into_iter().map(|d| (0, d)).collect();
            rule.repaired = self.token(at)?.lex.repaired;
            return Some((rule, end));
        }
        if self.token(at)?.lex.near == Some(crate::time::lexicon::Near::Tonight) {
            return None;
        }
        if let Some(part) = self.token(at)?.lex.part.filter(|p| *p != Part::Lunch) {
            let mut rule = Rule::every(Freq::Daily, n);
            rule.part = Some(part);
            return Some((rule, at + 1));
        }
        let ordinal = self.token(at)?.lex.ordinal > 0
            && self.token(at + 1).is_some_and(|t| t.lex.weekday > 0);
        if let Some((unit, end)) = self.unit(at).filter(|_| !ordinal) {
            // "every day" but not "every second of it".
            return Some((Rule::by_unit(unit, n)?, end));
        }
        if self.token(at)?.lex.month > 0 {
            if let Some((moment, end)) = self.date_named(at)
                && let Some(day) = moment.day
                && day.year.is_none()
                && day.which.is_none()
                && let (Some(month), Some(number)) = (day.month, day.day)
            {
                let mut rule = Rule::every(Freq::Yearly, n);
                (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
                return Some((rule, end));
            }
            let (months, end) = self.month_list(at)?;
            let mut rule = Rule::every(Freq::Yearly, n);
            rule.months = months;
            return Some((rule, end));
        }
        if let Some((moment, end)) = self.holiday_rule(at) {
            return Some((
                Rule {
                    interval: n,
                    ..moment
                },
                end,
            ));
        }
        None
    }

    /// "every 4/15", "each 4pm".
    fn every_digits(&self, at: usize) -> Read<Rule> {
        if let Some((moment, end)) = self.date_digits(at)
            && let Some(day) = moment.day
            && let (Some(month), Some(number), None) = (day.month, day.day, day.year)
        {
            let mut rule = Rule::every(Freq::Yearly, 1);
            (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
            return Some((rule, end));
        }
        let (clock, end) = self.clock(at, false)?;
        let mut rule = Rule::every(Freq::Daily, 1);
        rule.clocks = vec![clock];
        Some((rule, end))
    }

    /// "Christmas" as a yearly repetition; only for days with a fixed or counted date.
    fn holiday_rule(&self, i: usize) -> Read<Rule> {
        use crate::time::holidays::Rule as Day;
        let found = crate::time::lexicon::holiday_at(self.word(i)).iter();
        let (end, holiday) = found
            .filter_map(|(said, h)| self.phrase(i, said).map(|end| (end, *h)))
            .max_by_key(|f| f.0)?;
        let mut rule = Rule::every(Freq::Yearly, 1);
        match holiday.rule {
            Day::Fixed(month, day) => {
                (rule.months, rule.month_days) = (vec![month], vec![i32::from(day)])
            }
            Day::Nth(month, weekday, n) => {
                (rule.months, rule.days) = (vec![month], vec![(i32::from(n), weekday)])
            }
            Day::AfterNth(..) | Day::Easter(_) => return None,
        }
        Some((rule, end))
    }

    /// "15th", "first Monday", "last day", "4th and 10th", "4th of July" after "every".
    fn every_position(&self, at: usize) -> Read<Rule> {
        if let Some((moment, end)) = self.date_named(at)
            && let Some(day) = moment.day
            && let (Some(month), Some(number), None) = (day.month, day.day, day.year)
        {
            let mut rule = Rule::every(Freq::Yearly, 1);
            (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
            return Some((rule, end));
        }
        let mut rule = Rule::every(Freq::Monthly, 1);
        let end = self.positions(&mut rule, at)?;
        Some((rule, end))
    }

    /// "daily", "weekly", "biweekly", "quarterly", "nightly".
    fn set_adverb(&self, i: usize) -> Read<Rule> {
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
        let mut rule = Rule::every(freq, interval);
        if self.is(at, "nightly") {
            rule.part = Some(Part::Night);
        }
        Some((rule, at + 1))
    }

    /// "Mondays", "Tuesdays and Thursdays", "weekdays", "weekends", "Saturdays through Tuesdays", "mornings".
    fn set_plural(&self, i: usize) -> Read<Rule> {
        let counted = i > 0
            && (self.digits(i - 1).is_some()
                || self
                    .token(i - 1)
                    .is_some_and(|t| t.lex.number.is_some() || t.lex.which.is_some())
                || self.one_of(i - 1, &["few", "of", "couple", "several"]));
        let lex = self.token(i)?.lex;
        if counted {
            return None;
        }
        // "mornings at 9"; alone it is too vague.
        if let Some(part) = lex.part.filter(|_| {
            matches!(
                self.word(i),
                "mornings" | "afternoons" | "evenings" | "nights"
            )
        }) {
            let timed = self.one_of(i + 1, &["at", "around"]);
            let rule = Rule {
                part: Some(part),
                ..Rule::every(Freq::Daily, 1)
            };
            return timed.then_some((rule, i + 1));
        }
        if !lex.plural && lex.weekday == 0 {
            return None;
        }
        if matches!(lex.unit, Some(Unit::WorkDay | Unit::Weekend)) && lex.plural {
            return Some((Rule::by_unit(lex.unit?, 1)?, i + 1));
        }
        let (days, end) = self.weekday_list(i)?;
        let plural = (i..end).any(|k| {
            self.token(k)
                .is_some_and(|t| t.lex.plural && t.lex.weekday > 0)
        });
        if !plural {
            return None;
        }
        let mut rule = Rule::every(Freq::Weekly, 1);
        rule.days = days.into_iter().map(|d| (0, d)).collect();
        Some((rule, end))
    }

    /// "the 4th of every 3 months", "2nd and last Friday of each month", "31st of every year", "last day of the month" only
    /// with "every" or "each".
    fn set_nth_of_every(&self, i: usize) -> Read<Rule> {
        let mut rule = Rule::every(Freq::Monthly, 1);
        rule.monthly = true;
        let at = self.positions(&mut rule, self.past(i, &["the"]))?;
        let at = self.past(at, &["of", "in", "on"]);
        if let Some(months) = self.every_month_of(at) {
            return Some(self.with_period(rule, months));
        }
        let every = self.one_of(at, &["every", "each", "any", "a", "per"]) && !self.is(at, "any");
        if !every {
            let adverb = matches!(self.word(at), "monthly" | "yearly" | "annually");
            if !adverb {
                return None;
            }
            rule.freq = if self.is(at, "monthly") {
                Freq::Monthly
            } else {
                Freq::Yearly
            };
            return Some((rule, at + 1));
        }
        let (n, _, at) = self.every_so_many(at + 1);
        let (unit, end) = self.unit(at)?;
        let whole = Rule::by_unit(unit, n)?;
        Some(self.with_period(rule, (whole, end)))
    }

    fn every_month_of(&self, i: usize) -> Read<Rule> {
        if !self.one_of(i, &["every", "each"]) {
            return None;
        }
        let (months, end) = self.month_list(i + 1)?;
        Some((
            Rule {
                months,
                ..Rule::every(Freq::Yearly, 1)
            },
            end,
        ))
    }

    fn with_period(&self, mut rule: Rule, (period, end): (Rule, usize)) -> (Rule, usize) {
        (rule.freq, rule.interval, rule.months) = (period.freq, period.interval, period.months);
        if rule.freq == Freq::Yearly && rule.months.is_empty() {
            rule.year_days = std::mem::take(&mut rule.month_days);
        }
        (rule, end)
    }

    /// "twice a week", "3 times per day", "once every two months".
    fn set_times_per(&self, i: usize) -> Read<Rule> {
        let (times, at) = match self.word(i) {
            "once" => (1, i + 1),
            "twice" => (2, i + 1),
            "thrice" => (3, i + 1),
            _ => {
                let (n, end) = self.whole(i)?;
                (
                    n,
                    self.phrase(end, "times")
                        .or_else(|| self.phrase(end, "x"))?,
                )
            }
        };
        if !(1..=100).contains(&times) {
            return None;
        }
        let (rule, end) = if let Some(read) = self.set_adverb(at) {
            read
        } else if self.is(at, "every") {
            let (n, _, at) = self.every_so_many(at + 1);
            let (unit, end) = self.unit(at)?;
            (Rule::by_unit(unit, n)?, end)
        } else if self.one_of(at, &["a", "an", "per", "each"]) {
            let (unit, end) = self.unit(at + 1)?;
            (Rule::by_unit(unit, 1)?, end)
        } else {
            return None;
        };
        Some((
            Rule {
                times_per_period: (times > 1).then_some(times),
                ..rule
            },
            end,
        ))
    }
}
