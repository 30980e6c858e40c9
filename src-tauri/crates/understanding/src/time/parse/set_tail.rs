//! What may follow the beginning of a repetition: its days and hours, a start, an end, a count, exceptions.

use super::set::{Freq, RecurrenceRule};
use super::{ParseResult, Parser};
use crate::time::lexicon::Unit;
use crate::time::model::{Amount, Moment};

const STARTS: &[&str] = &[
    "starting on",
    "starting from",
    "starting at",
    "starting in",
    "starting",
    "beginning on",
    "beginning in",
    "beginning",
    "from",
    "as of",
    "effective",
    "commencing",
];
const ENDS: &[&str] = &[
    "until",
    "till",
    "til",
    "through",
    "thru",
    "ending on",
    "ending in",
    "ending",
    "up to",
    "up until",
    "to",
];
const LASTS: &[&str] = &[
    "for the next",
    "for up to",
    "for a total of",
    "for the following",
    "for",
    "up to",
    "over the next",
    "during the next",
];

impl Parser<'_> {
    /// Reads one more part of a repetition into `rule`. Returns the index after it.
    pub fn set_tail(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let i = self.past_sign(i, ',');
        self.tail_bounds(rule, i)
            .or_else(|| self.tail_except(rule, i))
            .or_else(|| self.tail_clock(rule, i))
            .or_else(|| self.tail_days(rule, i))
    }

    fn tail_bounds(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let i = self.past(i, &["and"]);
        self.tail_start(rule, i)
            .or_else(|| self.tail_until(rule, i))
            .or_else(|| self.tail_count(rule, i))
    }

    /// "starting tomorrow", "from March on"; with hours, "from 9 to 5".
    fn tail_start(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let at = self
            .any_phrase(i, STARTS)
            .filter(|_| rule.starts.is_none())?;
        if self.is(i, "from")
            && let Some((stretch, end)) = self.clock_stretch(i, &Moment::default())
        {
            rule.clocks = vec![stretch.clock?];
            rule.clock_to = stretch.clock_to;
            return Some(end);
        }
        let (moment, end) = self.deeper(|| self.moment(at))?;
        if let Some(clock) = moment.clock
            && rule.clocks.is_empty()
        {
            rule.clocks.push(clock);
        }
        rule.starts = Some(moment);
        Some(self.past(end, &["onwards", "onward"]))
    }

    fn tail_until(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let at = self
            .any_phrase(i, ENDS)
            .filter(|at| rule.until.is_none() && self.phrase_of_times(*at).is_none())?;
        // "Every Monday 7am to 8am from April 1": the time is the end on each of the days.
        if !rule.clocks.is_empty()
            && let Some((clock, end)) = self.clock(at, false)
            && self.any_phrase(end, STARTS).is_some()
        {
            rule.clock_to = Some(clock);
            return Some(end);
        }
        let (moment, end) = self.deeper(|| self.moment(at))?;
        if moment.day.is_none() && moment.clock.is_some() && !rule.clocks.is_empty() {
            rule.clock_to = moment.clock;
            return Some(end);
        }
        rule.until = Some(moment);
        Some(end)
    }

    /// "for 10 times", "3x", "for two weeks", "for the next month".
    fn tail_count(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        if rule.count.is_some() || rule.lasts.is_some() {
            return None;
        }
        let at = self.any_phrase(i, LASTS).unwrap_or(i);
        if let Some((n, end)) = self.phrase_of_times(at) {
            rule.count = Some(n);
            return Some(end);
        }
        if at == i {
            return None;
        }
        let one = || Some((Amount::new(1.0, self.token(at)?.lex.unit?), at + 1));
        let (amount, end) = self.amount(at).or_else(one)?;
        rule.lasts = Some(amount).filter(|a| a.smallest() > Unit::Hour);
        rule.lasts.map(|_| end)
    }

    /// "10x", "3 times", "8 occurrences", "twice".
    pub fn phrase_of_times(&self, i: usize) -> ParseResult<u32> {
        match self.word(i) {
            "once" => return Some((1, i + 1)),
            "twice" => return Some((2, i + 1)),
            "thrice" => return Some((3, i + 1)),
            _ => {}
        }
        let (n, end) = self.whole(i)?;
        let end = self.past(end, &["more"]);
        let times = self.one_of(
            end,
            &[
                "times",
                "time",
                "x",
                "occurrences",
                "occurrence",
                "occurences",
                "instances",
                "repetitions",
                "sessions",
            ],
        );
        (times && (1..=10_000).contains(&n)).then_some((n, end + 1))
    }

    pub fn tail_except(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let at = self.any_phrase(
            i,
            &[
                "except for",
                "except on",
                "except",
                "excluding",
                "but not on",
                "but not",
                "but",
                "other than",
                "apart from",
                "not on",
            ],
        )?;
        let at = self.past(at, &["on", "the"]);
        let (left_out, end) = match self.token(at)?.lex.unit {
            Some(Unit::Weekend) => (vec![6, 7], at + 1),
            Some(Unit::WorkDay) => (vec![1, 2, 3, 4, 5], at + 1),
            _ => self.weekday_list(at)?,
        };
        let all: Vec<(i32, u8)> = if rule.days.is_empty() {
            (1..=7).map(|d| (0, d)).collect()
        } else {
            rule.days.clone()
        };
        let rest: Vec<(i32, u8)> = all
            .into_iter()
            .filter(|(_, d)| !left_out.contains(d))
            .collect();
        if rest.is_empty()
            || !matches!(rule.freq, Freq::Daily | Freq::Weekly)
            || rule.freq == Freq::Daily && rule.interval > 1
        {
            return None;
        }
        rule.freq = Freq::Weekly;
        rule.days = rest;
        Some(end)
    }

    /// "at 9", "at 8am and 6pm", "in the morning", "9:30".
    pub fn tail_clock(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let said = self.one_of(i, &["at", "around", "@"]) || self.is_sign(i, '@');
        let at = if said { i + 1 } else { i };
        if rule.clocks.is_empty()
            && let Some((stretch, end)) = self.clock_stretch(i, &Moment::default())
        {
            rule.clocks = vec![stretch.clock?];
            rule.clock_to = stretch.clock_to;
            return Some(end);
        }
        if rule.clocks.is_empty()
            && (said || self.clock(at, false).is_some())
            && let Some((clocks, end)) = self.clock_list(at)
        {
            // In "every Friday 9-5", only the start counts, not the length.
            rule.clocks = clocks;
            return Some(end);
        }
        if rule.part.is_none()
            && let Some((moment, end)) = self.part(i)
            && moment.day.is_none()
        {
            rule.part = moment.part;
            return Some(end);
        }
        None
    }

    /// "on Mondays", "on the 15th", "in November", "at the end", "of each month", "on March 3".
    pub fn tail_days(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
        let at = self.past(i, &["on", "in", "of", "at", "during", "only"]);
        let bound = at > i;
        if rule.days.is_empty() && rule.month_days.is_empty() {
            if let Some((days, end)) = self
                .weekday_list(at)
                .filter(|_| bound || rule.freq == Freq::Weekly)
            {
                rule.days = days.into_iter().map(|d| (0, d)).collect();
                return Some(end);
            }
            if let Some(unit @ (Unit::WorkDay | Unit::Weekend)) =
                self.token(at).and_then(|t| t.lex.unit).filter(|_| bound)
            {
                rule.days = if unit == Unit::Weekend {
                    vec![(0, 6), (0, 7)]
                } else {
                    (1..=5).map(|d| (0, d)).collect()
                };
                return Some(at + 1);
            }
            if rule.freq >= Freq::Monthly
                && bound
                && let Some(end) = self.tail_position(rule, at)
            {
                return Some(end);
            }
        }
        // "of the month" adds nothing to a rule that has positions: "every first Monday of the month".
        if let Some(end) = self.any_phrase(
            i,
            &[
                "of the month",
                "of each month",
                "of every month",
                "each month",
                "every month",
            ],
        ) && !rule.month_days.is_empty() | rule.days.iter().any(|d| d.0 != 0)
        {
            return Some(end);
        }
        if let Some((months, end)) = self
            .month_list(at)
            .filter(|_| bound && rule.months.is_empty())
        {
            rule.months = months;
            if rule.freq == Freq::Monthly
                && rule.interval <= 1
                && (rule.monthly
                    || !rule.month_days.is_empty()
                    || rule.days.iter().any(|d| d.0 != 0))
            {
                rule.freq = Freq::Yearly;
            }
            return Some(end);
        }
        None
    }

    /// Reads a position in the month or the year.
    pub fn tail_position(&self, rule: &mut RecurrenceRule, at: usize) -> Option<usize> {
        if let Some((moment, end)) = self.date_named(at)
            && let Some(day) = moment.day
            && rule.freq == Freq::Yearly
            && let (Some(month), Some(number), None) = (day.month, day.day, day.year)
        {
            (rule.months, rule.month_days) = (vec![month], vec![i32::from(number)]);
            return Some(end);
        }
        let after = self.past(at, &["the"]);
        if self.one_of(after, &["begin", "beginning", "start"]) {
            rule.month_days = vec![1];
            return Some(self.past_of_the_month(after + 1));
        }
        if self.is(after, "end") {
            rule.month_days = vec![-1];
            return Some(self.past_of_the_month(after + 1));
        }
        if self.is(after, "day")
            && let Some((n, _)) = self.digits(after + 1)
        {
            rule.month_days = vec![i32::try_from(n).ok()?];
            return (n <= 31).then_some(after + 2);
        }
        let end = self.positions(rule, at)?;
        if rule.freq == Freq::Yearly
            && self.month_list(self.past(end, &["of", "in"])).is_none()
            && rule.months.is_empty()
        {
            rule.year_days = std::mem::take(&mut rule.month_days);
        }
        Some(end)
    }
}
