//! What a repetition is made of besides its frequency: lists of weekdays, clock times, positions and months, bounds.

use super::set::{Freq, Rule};
use super::{Parser, Read};
use crate::time::lexicon::Unit;
use crate::time::model::Clock;

/// Members of one list.
const LIST_MAX: usize = 16;

impl Parser<'_> {
    fn past_list_sign(&self, i: usize) -> Option<usize> {
        let comma = self.past_sign(i, ',');
        let end = self.past(comma, &["and", "or"]);
        let end = self.past_sign(end, '&');
        (end > i).then(|| self.past(end, &["on", "every", "at"]))
    }

    /// Weekdays with commas, "and", or "to" between them; the words weekday and weekend count as their days.
    pub fn weekday_list(&self, i: usize) -> Read<Vec<u8>> {
        let mut days: Vec<u8> = Vec::new();
        let mut at = i;
        let mut end = None;
        while days.len() < LIST_MAX {
            let Some(t) = self.token(at) else { break };
            let lex = t.lex;
            if lex.weekday > 0 {
                let mut after = self.past_dot(at + 1);
                let mut last = lex.weekday;
                let to = if self.is_sign(after, '-') {
                    Some(after + 1)
                } else {
                    self.any_phrase(after, &["to", "through", "thru", "till", "until"])
                };
                if let Some(to) = to
                    && let Some(until) = self.token(to).map(|t| t.lex.weekday).filter(|w| *w > 0)
                {
                    (last, after) = (until, to + 1);
                }
                let mut day = lex.weekday;
                loop {
                    if !days.contains(&day) {
                        days.push(day);
                    }
                    if day == last {
                        break;
                    }
                    day = day % 7 + 1;
                }
                end = Some(after);
            } else if let Some(unit @ (Unit::WorkDay | Unit::Weekend)) = lex.unit
                && end.is_some()
            {
                days.extend(if unit == Unit::Weekend { 6..=7 } else { 1..=5 });
                end = Some(at + 1);
            } else {
                break;
            }
            match end.and_then(|e| self.past_list_sign(e)) {
                Some(next) => at = next,
                None => break,
            }
        }
        days.sort_unstable();
        days.dedup();
        end.map(|end| (days, end))
    }

    /// Months with commas or "and" between them.
    pub fn month_list(&self, i: usize) -> Read<Vec<u8>> {
        let mut months = Vec::new();
        let mut at = i;
        let mut end = None;
        while months.len() < LIST_MAX {
            let Some(month) = self.token(at).map(|t| t.lex.month).filter(|m| *m > 0) else {
                break;
            };
            months.push(month);
            let after = self.past_dot(at + 1);
            end = Some(after);
            match self.past_list_sign(after) {
                Some(next) => at = next,
                None => break,
            }
        }
        months.sort_unstable();
        months.dedup();
        end.map(|end| (months, end))
    }

    /// Clock times with commas or "and" between them.
    pub fn clock_list(&self, i: usize) -> Read<Vec<Clock>> {
        let (first, mut end) = self.clock(i, true)?;
        if first.weak
            && self.measure_follows(end)
            && !self.one_of(end, &["every", "each"])
            && self.phrase_of_times(end).is_none()
        {
            return None;
        }
        let mut clocks = vec![first];
        while clocks.len() < LIST_MAX {
            let Some(next) = self.past_list_sign(end) else {
                break;
            };
            let Some((clock, after)) = self.clock(next, true) else {
                break;
            };
            if clock.weak && self.measure_follows(after) || self.ordinal(next).is_some() {
                break;
            }
            clocks.push(clock);
            end = after;
        }
        // "at 8 and 10pm": the half of the day of the last one counts for those before it.
        if let Some(half) = clocks.last().and_then(|c| c.half) {
            for clock in clocks.iter_mut().filter(|c| c.half.is_none() && !c.full) {
                clock.half = Some(half);
            }
        }
        Some((clocks, end))
    }

    /// "15th", "4th and 10th", "first Monday", "2nd and last Friday", "last day", "first and third Tuesday".
    pub fn positions(&self, rule: &mut Rule, i: usize) -> Option<usize> {
        let mut found: Vec<i32> = Vec::new();
        let mut at = self.past(i, &["the"]);
        let mut end = None;
        while found.len() < LIST_MAX {
            let read = match self.position(at) {
                Some(read) => Some(read),
                None if end.is_some() => None,
                None => None,
            };
            let Some((n, after)) = read else { break };
            found.push(n);
            end = Some(after);
            match self.past_list_sign(after) {
                Some(next) => at = self.past(next, &["the"]),
                None => break,
            }
        }
        let end = end?;
        let lex = self.token(end).map(|t| t.lex).unwrap_or_default();
        if lex.weekday > 0 {
            let mut after = self.past_dot(end + 1);
            rule.days.extend(found.iter().map(|n| (*n, lex.weekday)));
            // "first Monday and Wednesday", "first Monday and third Friday"
            for _ in 0..LIST_MAX {
                let Some(next) = self.past_list_sign(after) else {
                    break;
                };
                if let Some(day) = self.token(next).map(|t| t.lex.weekday).filter(|d| *d > 0) {
                    rule.days.extend(found.iter().map(|n| (*n, day)));
                    after = self.past_dot(next + 1);
                } else if let Some((n, at)) = self.position(self.past(next, &["the"]))
                    && let Some(day) = self.token(at).map(|t| t.lex.weekday).filter(|d| *d > 0)
                {
                    rule.days.push((n, day));
                    after = self.past_dot(at + 1);
                } else {
                    break;
                }
            }
            return Some(self.past_of_the_month(after));
        }
        if let Some((unit, after)) = self.unit(end) {
            if unit == Unit::WorkDay && found.iter().all(|n| matches!(n, 1 | -1)) {
                rule.days.extend((1..=5).map(|d| (0, d)));
                rule.monthly = true;
                rule.year_days.clear();
                rule.month_days.clear();
                rule.times_per_period = None;
                rule.set_positions = found;
                return Some(self.past_of_the_month(after));
            }
            if unit != Unit::Day {
                return None;
            }
            rule.month_days.extend(found);
            return Some(self.past_of_the_month(after));
        }
        // "last" alone is no day of the month, and "31st" may be a day of the year.
        if found.iter().any(|n| *n == -1 || *n > 366) || lex.part.is_some() {
            return None;
        }
        rule.month_days.extend(found);
        Some(self.past_of_the_month(end))
    }

    fn past_of_the_month(&self, i: usize) -> usize {
        self.any_phrase(
            i,
            &["of the month", "in the month", "of month", "of the months"],
        )
        .unwrap_or(i)
    }

    /// One more thing said of a repetition; the index after it.
    pub fn set_tail(&self, rule: &mut Rule, i: usize) -> Option<usize> {
        let i = self.past_sign(i, ',');
        self.tail_bounds(rule, i)
            .or_else(|| self.tail_except(rule, i))
            .or_else(|| self.tail_clock(rule, i))
            .or_else(|| self.tail_days(rule, i))
    }

    fn tail_bounds(&self, rule: &mut Rule, i: usize) -> Option<usize> {
        let i = self.past(i, &["and"]);
        if let Some(at) = self.any_phrase(
            i,
            &[
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
            ],
        ) && rule.starts.is_none()
        {
            if self.is(i, "from") {
                if let Some((stretch, end)) = self.clock_stretch(i, &Default::default()) {
                    rule.clocks = vec![stretch.clock?];
                    rule.clock_to = stretch.clock_to;
                    return Some(end);
                }
            }
            let (moment, end) = self.deeper(|| self.moment(at))?;
            if let Some(clock) = moment.clock
                && rule.clocks.is_empty()
            {
                rule.clocks.push(clock);
            }
            rule.starts = Some(moment);
            return Some(self.past(end, &["onwards", "onward"]));
        }
        if let Some(at) = self.any_phrase(
            i,
            &[
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
            ],
        ) && rule.until.is_none()
            && !self.is(at, "the")
            && self.phrase_of_times(at).is_none()
            && let Some((moment, end)) = self.deeper(|| self.moment(at))
        {
            rule.until = Some(moment);
            return Some(end);
        }
        if rule.count.is_none() && rule.lasts.is_none() {
            let at = self
                .any_phrase(
                    i,
                    &[
                        "for the next",
                        "for up to",
                        "for a total of",
                        "for the following",
                        "for",
                        "up to",
                        "over the next",
                        "during the next",
                    ],
                )
                .unwrap_or(i);
            if let Some((n, end)) = self.phrase_of_times(at) {
                rule.count = Some(n);
                return Some(end);
            }
            if at > i
                && let Some((amount, end)) = self.amount(at).or_else(|| {
                    self.token(at)?
                        .lex
                        .unit
                        .map(|u| (crate::time::model::Amount::new(1.0, u), at + 1))
                })
                && amount.smallest() > Unit::Hour
            {
                rule.lasts = Some(amount);
                return Some(end);
            }
        }
        None
    }

    /// "10x", "3 times", "8 occurrences", "twice".
    fn phrase_of_times(&self, i: usize) -> Read<u32> {
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

    fn tail_except(&self, rule: &mut Rule, i: usize) -> Option<usize> {
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
    fn tail_clock(&self, rule: &mut Rule, i: usize) -> Option<usize> {
        let said = self.one_of(i, &["at", "around", "@"]) || self.is_sign(i, '@');
        let at = if said { i + 1 } else { i };
        if rule.clocks.is_empty()
            && (said || self.clock(at, false).is_some())
            && let Some((clocks, end)) = self.clock_list(at)
        {
            // "every Friday 9-5" has a length as well; the start counts.
            rule.clocks = clocks;
            return Some(end);
        }
        if rule.clocks.is_empty()
            && let Some((stretch, end)) = self.clock_stretch(i, &Default::default())
        {
            rule.clocks = vec![stretch.clock?];
            rule.clock_to = stretch.clock_to;
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
    fn tail_days(&self, rule: &mut Rule, i: usize) -> Option<usize> {
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
            if rule.freq >= Freq::Monthly && bound {
                if let Some(end) = self.tail_position(rule, at) {
                    return Some(end);
                }
            }
        }
        // "every Monday of the month" says nothing more; "first Monday ... of every month" was read before.
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

    /// Where in the month or the year.
    fn tail_position(&self, rule: &mut Rule, at: usize) -> Option<usize> {
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
