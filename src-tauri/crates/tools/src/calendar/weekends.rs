//! Finds weekends on which nothing is planned.

use adjutant_domain::filter::{Filter, Time, Window};
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::source::Taint;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

use super::{EventRow, own_response};
use crate::effect::failed;
use crate::select::{Row, referents};
use crate::words;

/// A Saturday with the Sunday after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Weekend {
    saturday: Date,
    sunday: Date,
}

impl Weekend {
    /// Returns the weekends that begin in a range, and the one that has begun when the range begins.
    fn within(from: Timestamp, to: Timestamp, zone: &TimeZone) -> Vec<Self> {
        let first = from.to_zoned(zone.clone()).date();
        let first = match first.weekday() {
            Weekday::Sunday => first.yesterday().unwrap_or(first),
            _ => first,
        };
        let last = to.to_zoned(zone.clone());
        first
            .series(1.day())
            .take_while(|day| {
                let begins = day.to_zoned(zone.clone());
                begins.is_ok_and(|begins| begins < last)
            })
            .filter(|day| day.weekday() == Weekday::Saturday)
            .filter_map(|saturday| {
                let sunday = saturday.tomorrow().ok()?;
                Some(Self { saturday, sunday })
            })
            .collect()
    }

    /// Returns the first moment of the weekend and the first one after it.
    fn span(self, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
        let begin = self.saturday.to_zoned(zone.clone()).ok()?;
        let end = self.sunday.tomorrow().ok()?.to_zoned(zone.clone()).ok()?;
        Some((begin.timestamp(), end.timestamp()))
    }

    fn words(self, cx: &Cx) -> String {
        format!(
            "{} and {}",
            words::day(self.saturday, cx),
            words::day(self.sunday, cx)
        )
    }
}

/// Answers which weekends of a range are free; `when` says the range. `only_first` asks for the next one alone.
///
/// # Errors
/// Returns the fault of storage.
pub(super) async fn answer(
    (from, to): (Timestamp, Timestamp),
    when: &str,
    only_first: bool,
    cx: &Cx,
) -> Result<Answer, Stop> {
    let zone = cx.zone();
    let weekends = Weekend::within(from, to, &zone);
    let spans = weekends.iter().filter_map(|weekend| weekend.span(&zone));
    let (begin, end) = spans.fold((from, to), |(begin, end), span| {
        (begin.min(span.0), end.max(span.1))
    });
    let window = Window {
        from: Some(begin),
        to: Some(end),
    };
    let found = cx
        .records
        .occurrences(&Filter::all().within(Time::Happens, window))
        .await
        .map_err(failed)?;
    let planned: Vec<EventRow> = found
        .into_iter()
        .map(EventRow)
        .filter(|row| is_planned(row, cx))
        .collect();
    let on = |weekend: &Weekend| -> Vec<EventRow> {
        let Some((begin, end)) = weekend.span(&zone) else {
            return Vec::new();
        };
        let overlaps =
            |row: &&EventRow| row.0.start.starts(&zone) < end && begin < row.0.end.starts(&zone);
        planned.iter().filter(overlaps).cloned().collect()
    };
    let mut free: Vec<Weekend> = weekends
        .iter()
        .copied()
        .filter(|weekend| on(weekend).is_empty())
        .collect();
    let total = free.len();
    if only_first {
        free.truncate(1);
    }
    let taken: Vec<EventRow> = weekends.iter().flat_map(on).collect();
    let items: Vec<Value> = free
        .iter()
        .map(|weekend| json!({"start": weekend.saturday, "end": weekend.sunday}))
        .collect();
    Ok(Answer {
        output: json!({
            "count": free.len(), "total": total, "free": items, "items": items, "ids": [],
            "busy": taken.iter().map(|row| row.value(cx)).collect::<Vec<_>>(),
            "is_free": !free.is_empty(), "first": items.first(),
        }),
        say: say(&free, &taken, weekends.len(), when, cx),
        referents: referents(&taken),
        taint: Taint::Clean,
        used_memories: Vec::new(),
    })
}

/// Whether an event makes a weekend one that is not free. An event of whole days does, too.
fn is_planned(row: &EventRow, cx: &Cx) -> bool {
    let event = &row.0.event;
    !event.transparent && !event.cancelled && own_response(event, cx).as_deref() != Some("declined")
}

fn say(free: &[Weekend], taken: &[EventRow], all: usize, when: &str, cx: &Cx) -> String {
    let lines: Vec<String> = free.iter().map(|weekend| weekend.words(cx)).collect();
    match lines.as_slice() {
        [] if all == 0 => format!("There is no weekend{when}."),
        [] => {
            let planned: Vec<String> = taken.iter().map(|row| row.line(cx)).collect();
            format!(
                "No free weekend{when}:\n\n{}",
                words::bullets(&planned, planned.len())
            )
        }
        [one] => format!("Free weekend{when}: {one}."),
        many => format!(
            "{}{when}.\n\n{}",
            words::plural(many.len(), "free weekend"),
            words::bullets(many, many.len())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_weekend_counts_by_its_saturday_unless_it_has_begun() {
        let zone = TimeZone::UTC;
        let at = |text: &str| text.parse::<Timestamp>().expect("a time");
        let saturdays = |from: &str, to: &str| -> Vec<Date> {
            let found = Weekend::within(at(from), at(to), &zone);
            found.into_iter().map(|weekend| weekend.saturday).collect()
        };
        assert_eq!(
            saturdays("2026-01-14T10:00:00Z", "2026-02-01T00:00:00Z"),
            [date(2026, 1, 17), date(2026, 1, 24), date(2026, 1, 31)]
        );
        assert_eq!(
            saturdays("2026-01-18T10:00:00Z", "2026-01-24T00:00:00Z"),
            [date(2026, 1, 17)]
        );
    }
}
