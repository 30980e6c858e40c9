//! Repetitions: "every other Friday", "daily at 8am and 6pm", "the last day of each month", "Tuesdays until March".

use super::{ParseResult, Parser};
use crate::time::lexicon::{DayPart, Unit};
use crate::time::model::{Amount, Clock, Moment};

/// A frequency of RFC 5545.
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
pub(crate) struct RecurrenceRule {
    pub freq: Freq,
    /// Number of periods from one occurrence to the next; 0 and 1 are the same.
    pub interval: u32,
    /// Which one in the month or year (0 means every one), and the weekday (Monday 1).
    pub days: Vec<(i32, u8)>,
    pub month_days: Vec<i32>,
    pub year_days: Vec<i32>,
    pub months: Vec<u8>,
    pub clocks: Vec<Clock>,
    /// The last hour of an hourly repetition, as in "from 9 to 5".
    pub clock_to: Option<Clock>,
    pub part: Option<DayPart>,
    pub count: Option<u32>,
    pub until: Option<Moment>,
    pub starts: Option<Moment>,
    pub lasts: Option<Amount>,
    pub times_per_period: Option<u32>,
    /// BYSETPOS values, for the first or last working day.
    pub set_positions: Vec<i32>,
    /// "the 4th of the month": the period is the month, although no frequency was named.
    pub monthly: bool,
    pub repaired: bool,
}

impl RecurrenceRule {
    pub fn every(freq: Freq, interval: u32) -> RecurrenceRule {
        RecurrenceRule {
            freq,
            interval,
            ..RecurrenceRule::default()
        }
    }

    /// Returns the repetition for a unit, or `None` for centuries.
    pub fn by_unit(unit: Unit, n: u32) -> Option<RecurrenceRule> {
        let weekly_on = |days: std::ops::RangeInclusive<u8>| RecurrenceRule {
            days: days.map(|d| (0, d)).collect(),
            ..RecurrenceRule::every(Freq::Weekly, n)
        };
        Some(match unit {
            Unit::Second => RecurrenceRule::every(Freq::Secondly, n),
            Unit::Minute => RecurrenceRule::every(Freq::Minutely, n),
            Unit::Hour => RecurrenceRule::every(Freq::Hourly, n),
            Unit::Day => RecurrenceRule::every(Freq::Daily, n),
            Unit::WorkDay => weekly_on(1..=5),
            Unit::Weekend => weekly_on(6..=7),
            Unit::Week => RecurrenceRule::every(Freq::Weekly, n),
            Unit::Fortnight => RecurrenceRule::every(Freq::Weekly, n.checked_mul(2)?),
            Unit::Month => RecurrenceRule::every(Freq::Monthly, n),
            Unit::Quarter => RecurrenceRule::every(Freq::Monthly, n.checked_mul(3)?),
            Unit::Year => RecurrenceRule::every(Freq::Yearly, n),
            Unit::Decade => RecurrenceRule::every(Freq::Yearly, n.checked_mul(10)?),
            Unit::Century => return None,
        })
    }
}

/// Largest interval and count to read.
pub(super) const COUNT_MAX: u32 = 10_000;

impl Parser<'_> {
    /// Reads a repetition that begins at `i`.
    pub fn set(&self, i: usize) -> ParseResult<RecurrenceRule> {
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

    fn set_core(&self, i: usize) -> ParseResult<RecurrenceRule> {
        let i = self.past(i, &["on"]);
        self.set_every(i)
            .or_else(|| self.set_adverb(i))
            .or_else(|| self.set_plural(i))
            .or_else(|| self.set_nth_of_every(i))
            .or_else(|| self.set_times_per(i))
    }

    /// "at 9am every day", "starting tomorrow, every hour", "Monday and Friday each week".
    fn set_after_other(&self, i: usize) -> ParseResult<RecurrenceRule> {
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
            if let Some((rule, end)) = self.set_every(at).or_else(|| self.set_adverb(at))
                && matches!(rule.freq, Freq::Weekly | Freq::Monthly)
                && rule.days.is_empty()
            {
                return Some((
                    RecurrenceRule {
                        days: days.into_iter().map(|d| (0, d)).collect(),
                        ..rule
                    },
                    end,
                ));
            }
        }
        if let Some(read) = self.set_after_date(i) {
            return Some(read);
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

    /// "January 31 every year", "tomorrow at 5 and every day after": the date is the start or the day of the year.
    fn set_after_date(&self, i: usize) -> ParseResult<RecurrenceRule> {
        let (moment, end) = self.moment(i)?;
        let day = moment.day.filter(|_| moment.clock_to.is_none())?;
        let at = self
            .any_phrase(end, &["and then", "and", "then"])
            .unwrap_or_else(|| self.past_sign(end, ','));
        let (mut rule, end) = self.set_every(at).or_else(|| self.set_adverb(at))?;
        if let Some(clock) = moment.clock {
            rule.clocks = vec![clock];
        }
        match (rule.freq, day.month, day.day, day.weekday) {
            (Freq::Yearly, Some(month), Some(number), _) if day.year.is_none() => {
                (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
            }
            (Freq::Monthly, None, Some(number), _) => rule.month_days = vec![i32::from(number)],
            (Freq::Weekly, None, None, Some(weekday))
                if day.which.is_none() && rule.days.is_empty() =>
            {
                rule.days = vec![(0, weekday)]
            }
            _ => rule.starts = Some(moment),
        }
        Some((rule, self.past(end, &["after", "thereafter"])))
    }

    /// "Mondays", "Tuesdays and Thursdays", "weekdays", "weekends", "Saturdays through Tuesdays", "mornings".
    fn set_plural(&self, i: usize) -> ParseResult<RecurrenceRule> {
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
        // "mornings at 9"; "mornings" alone is too vague.
        if let Some(part) = lex.part.filter(|_| {
            matches!(
                self.word(i),
                "mornings" | "afternoons" | "evenings" | "nights"
            )
        }) {
            let timed = self.one_of(i + 1, &["at", "around"]);
            let rule = RecurrenceRule {
                part: Some(part),
                ..RecurrenceRule::every(Freq::Daily, 1)
            };
            return timed.then_some((rule, i + 1));
        }
        if !lex.plural && lex.weekday == 0 {
            return None;
        }
        if matches!(lex.unit, Some(Unit::WorkDay | Unit::Weekend)) && lex.plural {
            return Some((RecurrenceRule::by_unit(lex.unit?, 1)?, i + 1));
        }
        let (days, end) = self.weekday_list(i)?;
        let plural = (i..end).any(|k| {
            self.token(k)
                .is_some_and(|t| t.lex.plural && t.lex.weekday > 0)
        });
        if !plural {
            return None;
        }
        let mut rule = RecurrenceRule::every(Freq::Weekly, 1);
        rule.days = days.into_iter().map(|d| (0, d)).collect();
        Some((rule, end))
    }

    /// "the 4th of every 3 months", "2nd and last Friday of each month", "31st of every year". Reads "last day of the
    /// month" only with "every" or "each".
    fn set_nth_of_every(&self, i: usize) -> ParseResult<RecurrenceRule> {
        let mut rule = RecurrenceRule::every(Freq::Monthly, 1);
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
        let whole = RecurrenceRule::by_unit(unit, n)?;
        Some(self.with_period(rule, (whole, end)))
    }

    fn every_month_of(&self, i: usize) -> ParseResult<RecurrenceRule> {
        if !self.one_of(i, &["every", "each"]) {
            return None;
        }
        let (months, end) = self.month_list(i + 1)?;
        Some((
            RecurrenceRule {
                months,
                ..RecurrenceRule::every(Freq::Yearly, 1)
            },
            end,
        ))
    }

    fn with_period(
        &self,
        mut rule: RecurrenceRule,
        (period, end): (RecurrenceRule, usize),
    ) -> (RecurrenceRule, usize) {
        (rule.freq, rule.interval, rule.months) = (period.freq, period.interval, period.months);
        if rule.freq == Freq::Yearly && rule.months.is_empty() {
            rule.year_days = std::mem::take(&mut rule.month_days);
        }
        (rule, end)
    }

    /// "twice a week", "3 times per day", "once every two months".
    fn set_times_per(&self, i: usize) -> ParseResult<RecurrenceRule> {
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
            (RecurrenceRule::by_unit(unit, n)?, end)
        } else if self.one_of(at, &["a", "an", "per", "each"]) {
            let (unit, end) = self.unit(at + 1)?;
            (RecurrenceRule::by_unit(unit, 1)?, end)
        } else {
            return None;
        };
        Some((
            RecurrenceRule {
                times_per_period: (times > 1).then_some(times),
                ..rule
            },
            end,
        ))
    }
}
