//! Parts of a repetition besides its frequency: lists of weekdays, clock times, positions and months, bounds.

use super::set::RecurrenceRule;
use super::{ParseResult, Parser};
use crate::time::lexicon::Unit;
use crate::time::model::Clock;

/// Maximum number of members of one list.
const LIST_MAX: usize = 16;

impl Parser<'_> {
    pub fn past_list_sign(&self, i: usize) -> Option<usize> {
        let comma = self.past_sign(i, ',');
        let end = self.past(comma, &["and", "or"]);
        let end = self.past_sign(end, '&');
        (end > i).then(|| self.past(end, &["on", "every", "at"]))
    }

    /// Reads weekdays with commas, "and" or "to" between them. "weekday" and "weekend" stand for their days.
    pub fn weekday_list(&self, i: usize) -> ParseResult<Vec<u8>> {
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
            // "Mon Wed Fri" lists days without any mark.
            let follows = end.filter(|e| self.token(*e).is_some_and(|t| t.lex.weekday > 0));
            match end.and_then(|e| self.past_list_sign(e)).or(follows) {
                Some(next) => at = next,
                None => break,
            }
        }
        days.sort_unstable();
        days.dedup();
        end.map(|end| (days, end))
    }

    /// Reads months with commas or "and" between them.
    pub fn month_list(&self, i: usize) -> ParseResult<Vec<u8>> {
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

    /// Reads clock times with commas or "and" between them.
    pub fn clock_list(&self, i: usize) -> ParseResult<Vec<Clock>> {
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
        // "at 8 and 10pm": the half of the day of the last one also applies to those before it.
        if let Some(half) = clocks.last().and_then(|c| c.half) {
            for clock in clocks.iter_mut().filter(|c| c.half.is_none() && !c.full) {
                clock.half = Some(half);
            }
        }
        Some((clocks, end))
    }

    /// "15th", "4th and 10th", "first Monday", "2nd and last Friday", "last day", "first and third Tuesday".
    pub fn positions(&self, rule: &mut RecurrenceRule, i: usize) -> Option<usize> {
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
        // "last" alone is not a day of the month, and "31st" may be a day of the year.
        if found.iter().any(|n| *n == -1 || *n > 366) || lex.part.is_some() {
            return None;
        }
        rule.month_days.extend(found);
        Some(self.past_of_the_month(end))
    }

    pub fn past_of_the_month(&self, i: usize) -> usize {
        self.any_phrase(
            i,
            &["of the month", "in the month", "of month", "of the months"],
        )
        .unwrap_or(i)
    }
}
