//! Finds a date whose weekday contradicts it: "Thursday the 20th of March", when the 20th is a Friday.

use std::ops::Range;

use jiff::civil::{Date, Weekday};
use jiff::{ToSpan, Zoned};

use super::{Note, Policy, TimeExpression, Value, find};

/// A date and a weekday that were said together, but do not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Bytes of the date with its weekday, without a time of day.
    pub span: Range<usize>,
    /// The date that was said.
    pub date: Date,
    /// The date nearest to it that falls on the weekday that was said.
    pub on_weekday: Date,
}

/// Returns the first contradiction of a text.
pub fn contradiction(text: &str, now: &Zoned, policy: &Policy) -> Option<Contradiction> {
    find(text, now, policy).iter().find_map(|found| {
        let (date, weekday) = mismatch(found)?;
        Some(Contradiction {
            span: day_in(text, found, now, policy)?,
            date,
            on_weekday: nearest(date, weekday, now.date())?,
        })
    })
}

fn mismatch(found: &TimeExpression) -> Option<(Date, Weekday)> {
    found.notes.iter().find_map(|note| match note {
        Note::WeekdayMismatch(date, weekday) => Some((*date, *weekday)),
        _ => None,
    })
}

/// Returns the longest part of an expression that says the same date and weekday and nothing else, such as an hour.
fn day_in(
    text: &str,
    found: &TimeExpression,
    now: &Zoned,
    policy: &Policy,
) -> Option<Range<usize>> {
    let said = text.get(found.span.clone())?;
    let offset = |part: &str| part.as_ptr() as usize - said.as_ptr() as usize;
    let words: Vec<Range<usize>> = said
        .split_whitespace()
        .map(|word| word.trim_end_matches([',', '.', ';', ':']))
        .filter(|word| !word.is_empty())
        .map(|word| offset(word)..offset(word) + word.len())
        .collect();
    let windows = words.iter().enumerate().flat_map(|(at, first)| {
        let ends = words[at..].iter();
        ends.map(|last| first.start..last.end)
    });
    let says_all = |window: &Range<usize>| {
        let alone = find(&said[window.clone()], now, policy);
        matches!(alone.as_slice(), [one] if mismatch(one) == mismatch(found)
            && matches!(one.value, Value::Date(_))
            && one.span == (0..window.len()))
    };
    let longest = windows
        .filter(says_all)
        .max_by_key(ExactSizeIterator::len)?;
    let start = found.span.start;
    Some(start + longest.start..start + longest.end)
}

/// Returns the date on a weekday that is nearest to a date and not over.
fn nearest(date: Date, weekday: Weekday, today: Date) -> Option<Date> {
    let mut around = (-3..=3).filter_map(|days: i64| date.checked_add(days.days()).ok());
    let near = around.find(|day| day.weekday() == weekday)?;
    match near < today {
        true => near.checked_add(7.days()).ok(),
        false => Some(near),
    }
}
